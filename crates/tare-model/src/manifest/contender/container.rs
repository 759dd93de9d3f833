//! `[container]`: a contender that runs in a container, from an image that is there or is built from a Dockerfile.

use std::collections::BTreeMap;

use toml_edit::Value;

use crate::manifest::argv::{Argv, Checked, check_text, is_variable};
use crate::manifest::fields::within;
use crate::manifest::keys::{Kind, Taken};
use crate::manifest::node::Take;
use crate::manifest::source::{Source, Spot};
use crate::manifest::table::Table;
use crate::manifest::words::short;
use crate::manifest::write::{text, texts};

/// The port where the manifest names none.
const PORT: u16 = 8080;

/// Placeholders of what runs in a container: those that are paths of this machine are missing.
pub(super) const CONTAINED: [&str; 7] = ["host", "port", "scheme", "cores", "core_list", "case", "services"];

/// Keys of other tools that would break what keeps contenders apart, and what to do without them.
const REFUSED: [(&str, &str); 6] = [
    (
        "privileged",
        "containers run without privileges; measure the program without a container",
    ),
    (
        "cap_add",
        "containers run with the engine's usual capabilities; measure the program without a container",
    ),
    (
        "network",
        "each container has a network of its own, in which the load runs",
    ),
    (
        "ports",
        "nothing is published: `port` is the port in the container's own network, where the load finds it",
    ),
    (
        "volumes",
        "a container has the files of its image; those of its folder that it may read are in `files`",
    ),
    ("cpus", "the lab decides on which cores it runs"),
];

/// What a contender's container is made of, and how it is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Container {
    /// Where its image comes from.
    pub image: Image,
    /// The port that it listens on, in a network of its own.
    pub port: u16,
    /// What is run instead of the image's own command; empty: that.
    pub command: Vec<String>,
    /// Its limits.
    pub limits: Limits,
    /// Further names that it knows, and their addresses.
    pub hosts: BTreeMap<String, String>,
    /// Files and folders of the contender's folder, by the path where the container finds them, which it can only read.
    pub files: BTreeMap<String, String>,
}

/// Where an image comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Image {
    /// One that is there, or can be pulled.
    Named(String),
    /// Built here.
    Built(Dockerfile),
}

/// What an image is built from. Paths are relative to the contender's folder, and do not leave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dockerfile {
    /// The file.
    pub path: String,
    /// The folder that its `COPY` sees.
    pub context: String,
    /// Values of its `ARG`s.
    pub build_args: BTreeMap<String, String>,
}

/// Limits of a container; none: those of tare itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    /// Memory, as engines have it: `512m`.
    pub memory: Option<String>,
    /// Open files of a process. No more than tare itself may have.
    pub open_files: Option<u64>,
    /// Processes and threads.
    pub processes: Option<u64>,
}

/// `[container]`. The placeholders are those of its command and hosts.
pub(super) struct ContainerKind<'k>(pub Checked<'k>);

impl Kind for ContainerKind<'_> {
    type Value = Container;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Container>> {
        let container = table.get::<Table>(key, must)?;
        let inner = &container.value;
        refuse(inner);
        let image = image(inner, container.line);
        let port = inner.optional::<i64>("port");
        let port = port.and_then(|port| within(inner.source, &inner.path("port"), &port, u16::MAX));
        let value = Container {
            port: port.map_or(PORT, |port| port.value),
            command: self.command(inner),
            limits: limits(inner),
            hosts: self.hosts(inner),
            files: files(inner),
            image: image?,
        };
        inner.finish();
        Some(container.map(|_| value).into())
    }

    fn show(&self, value: &Container) -> Vec<(String, Value)> {
        let mut shown: Vec<(String, Value)> = Vec::new();
        let mut add = |key: &str, value: Value| shown.push((format!(".{key}"), value));
        match &value.image {
            Image::Named(name) => add("image", text(name)),
            Image::Built(from) => {
                add("dockerfile", text(&from.path));
                add("context", text(&from.context));
                for (name, value) in &from.build_args {
                    add(&format!("build_args.{name}"), text(value));
                }
            }
        }
        add("port", i64::from(value.port).into());
        if !value.command.is_empty() {
            add("command", texts(&value.command));
        }
        let Limits {
            memory,
            open_files,
            processes,
        } = &value.limits;
        if let Some(memory) = memory {
            add("limits.memory", text(memory));
        }
        for (name, limit) in [("open_files", open_files), ("processes", processes)] {
            if let Some(limit) = limit {
                add(&format!("limits.{name}"), (*limit as i64).into());
            }
        }
        for (name, address) in &value.hosts {
            add(&format!("hosts.{name}"), text(address));
        }
        for (there, path) in &value.files {
            add(&format!("files.{}", text(there)), text(path));
        }
        shown
    }
}

impl ContainerKind<'_> {
    fn command(&self, inner: &Table) -> Vec<String> {
        let Some(argv) = inner.optional::<Argv>("command") else {
            return Vec::new();
        };
        argv.value.check_placeholders(inner, "command", self.0);
        argv.value.words()
    }

    fn hosts(&self, inner: &Table) -> BTreeMap<String, String> {
        let Some(hosts) = inner.optional::<Table>("hosts") else {
            return BTreeMap::new();
        };
        let mut value = BTreeMap::new();
        for (name, node) in hosts.value.entries() {
            let (source, line, path) = (node.source, node.line, node.path.clone());
            if !is_host(&name) {
                let text = format!("`{}` is no host's name", short(&name));
                source.hinted(line, text, "letters, digits, dots and dashes");
            }
            let Some(address) = String::take(node) else {
                continue;
            };
            let address = Spot { value: address, line };
            if let Some(known) = self.0 {
                check_text(source, &path, &address, known);
            }
            value.insert(name, address.value);
        }
        value
    }
}

/// `files`: from a path in the container to one in the contender's folder.
fn files(inner: &Table) -> BTreeMap<String, String> {
    let Some(files) = inner.optional::<Table>("files") else {
        return BTreeMap::new();
    };
    let mut value = BTreeMap::new();
    for (there, node) in files.value.entries() {
        let (source, line) = (node.source, node.line);
        if !is_place(&there) {
            let text = format!("`{}` is no path in a container", short(&there));
            source.hinted(line, text, "for example `\"/data/items.json\" = \"items.json\"`");
        }
        let Some(path) = String::take(node) else {
            continue;
        };
        let path = Spot { value: path, line };
        check_path(source, &path);
        value.insert(there, path.value);
    }
    value
}

/// Whether files can be put there: a path from `/`, below it, without ways up, and without what separates it for engines.
fn is_place(text: &str) -> bool {
    let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    let parts = text
        .strip_prefix('/')
        .is_some_and(|rest| rest.split('/').all(plain));
    parts && text.len() <= 255 && !text.contains([':', ',', '\\']) && !text.chars().any(char::is_control)
}

/// Reports keys of other tools that cannot be.
fn refuse(inner: &Table) {
    for (key, hint) in REFUSED {
        if let Some(node) = inner.peek(key) {
            let text = format!("`{}` is never in a manifest", inner.path(key));
            inner.source.hinted(node.line, text, hint);
            inner.tolerate(&[key]);
        }
    }
}

fn image(inner: &Table, line: u32) -> Option<Image> {
    let named = inner.optional::<String>("image");
    let dockerfile = inner.optional::<String>("dockerfile");
    let context = inner.optional::<String>("context");
    let build_args = build_args(inner);
    let source = inner.source;
    match (named, dockerfile) {
        (Some(named), None) => {
            if context.is_some() || !build_args.is_empty() {
                let text = "`container`: an image that is there is not built";
                source.hinted(line, text, "leave `context` and `build_args` out");
            }
            check_image(source, &named);
            Some(Image::Named(named.value))
        }
        (None, Some(dockerfile)) => {
            for path in [Some(&dockerfile), context.as_ref()].into_iter().flatten() {
                check_path(source, path);
            }
            Some(Image::Built(Dockerfile {
                path: dockerfile.value,
                context: context.map_or_else(|| ".".to_owned(), |context| context.value),
                build_args,
            }))
        }
        (named, _) => {
            let text = match named {
                Some(_) => "`container`: both `image` and `dockerfile` are there",
                None => "`container`: expected `image` or `dockerfile`, found neither",
            };
            let hint =
                "for example `dockerfile = \"Dockerfile\"`, or `image = \"docker.io/library/nginx:1.27\"`";
            source.hinted(line, text, hint);
            None
        }
    }
}

fn build_args(inner: &Table) -> BTreeMap<String, String> {
    let Some(given) = inner.optional::<Table>("build_args") else {
        return BTreeMap::new();
    };
    let mut value = BTreeMap::new();
    for (name, node) in given.value.entries() {
        let (source, line) = (node.source, node.line);
        if !is_variable(&name) {
            let text = format!("`{}` is no build argument's name", short(&name));
            source.hinted(line, text, "letters, digits and `_`, not starting with a digit");
        }
        if let Some(text) = String::take(node) {
            if text.contains('\0') {
                source.problem(
                    line,
                    format!("a NUL byte in `{}` cannot be passed on", short(&text)),
                    None,
                );
            }
            value.insert(name, text);
        }
    }
    value
}

fn limits(inner: &Table) -> Limits {
    let Some(given) = inner.optional::<Table>("limits") else {
        return Limits::default();
    };
    let given = given.value;
    let number = |key: &'static str| {
        let number = given.optional::<i64>(key)?;
        within(given.source, &given.path(key), &number, u64::from(u32::MAX)).map(|number| number.value)
    };
    let memory = given.optional::<String>("memory");
    if let Some(memory) = memory.as_ref().filter(|memory| !is_size(&memory.value)) {
        let text = format!(
            "`{}`: `{}` is no size",
            given.path("memory"),
            short(&memory.value)
        );
        let hint = "digits and one of k, m and g, such as `memory = \"512m\"`";
        given.source.hinted(memory.line, text, hint);
    }
    let limits = Limits {
        open_files: number("open_files"),
        processes: number("processes"),
        memory: memory.map(|memory| memory.value),
    };
    given.finish();
    limits
}

fn check_image(source: &Source, name: &Spot<String>) {
    if !is_image(&name.value) {
        let text = format!("`image`: `{}` is no image's name", short(&name.value));
        let hint = "for example `docker.io/library/nginx:1.27`: lower-case letters, digits and `./:@_-`";
        source.hinted(name.line, text, hint);
    }
}

fn check_path(source: &Source, path: &Spot<String>) {
    let plain =
        |part: &str| !part.is_empty() && part != ".." && !part.contains('\0') && !part.starts_with('-');
    if !path.value.split('/').all(plain) {
        let text = format!(
            "`container`: `{}` is no path within the contender's folder",
            short(&path.value)
        );
        source.hinted(
            path.line,
            text,
            "for example `dockerfile = \"docker/Dockerfile\"`",
        );
    }
}

/// Whether a text can be the name of an image: it is a word of commands, so it must not look like an option.
fn is_image(name: &str) -> bool {
    let (repository, rest) = name.split_at(name.find(['@', ':']).unwrap_or(name.len()));
    let lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._/-".contains(c);
    // A registry may have a port, and a tag may have capitals.
    let any = |c: char| c.is_ascii_alphanumeric() || "._/-:@".contains(c);
    let first = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    name.len() <= 255
        && name.starts_with(first)
        && !name.ends_with(['/', ':', '@'])
        && repository.chars().all(lower)
        && rest.chars().all(any)
        && !name.contains("//")
        && !name.contains("..")
}

fn is_host(name: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    !name.is_empty()
        && name.len() <= 253
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(part)
}

fn is_size(text: &str) -> bool {
    let digits = text.strip_suffix(['k', 'm', 'g']).unwrap_or(text);
    !digits.is_empty() && digits.len() <= 15 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_images_are_no_options_and_no_paths() {
        for good in [
            "debian",
            "debian:bookworm-slim",
            "docker.io/library/nginx:1.27",
            "localhost:5000/a/b:V1",
            "ghcr.io/x/y@sha256:0123456789abcdef",
        ] {
            assert!(is_image(good), "{good}");
        }
        for bad in [
            "",
            "--privileged",
            "-v",
            "../x",
            "a//b",
            "a b",
            "a;b",
            "a:",
            "Upper",
            "x\n--net=host",
            "$(x)",
        ] {
            assert!(!is_image(bad), "{bad:?}");
        }
    }

    #[test]
    fn sizes_and_hosts_are_plain() {
        for good in ["512m", "1g", "4096", "8k"] {
            assert!(is_size(good), "{good}");
        }
        for bad in ["", "m", "1.5g", "-1", "1 g", "1G"] {
            assert!(!is_size(bad), "{bad}");
        }
        assert!(is_host("tfb-database") && is_host("a.b.c"));
        for bad in ["", "a:1.2.3.4", "a b", "-x", "a,b"] {
            assert!(!is_host(bad), "{bad}");
        }
    }
}
