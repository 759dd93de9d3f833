//! The base images that a Dockerfile names. Other people's files: read without running anything, and never an error.

use std::collections::{BTreeMap, BTreeSet};

/// The most bytes of a Dockerfile that are read.
pub(super) const MOST: u64 = 1 << 20;

/// The images that a Dockerfile begins with or copies from, each once, in their order and with whole names. `given`: the
/// values of its `ARG`s.
pub(super) fn of(dockerfile: &str, given: &BTreeMap<String, String>) -> Vec<String> {
    let mut reader = Reader {
        given,
        args: BTreeMap::new(),
        stages: BTreeSet::new(),
        found: Vec::new(),
    };
    instructions(dockerfile)
        .iter()
        .for_each(|instruction| reader.take(instruction));
    reader.found
}

struct Reader<'a> {
    given: &'a BTreeMap<String, String>,
    /// Arguments before the first stage: only these are known in `FROM`.
    args: BTreeMap<String, String>,
    /// Names of the stages, in lower case.
    stages: BTreeSet<String>,
    found: Vec<String>,
}

impl Reader<'_> {
    fn take(&mut self, instruction: &str) {
        let mut words = instruction.split_ascii_whitespace();
        let Some(keyword) = words.next() else { return };
        let words: Vec<&str> = words.collect();
        match keyword.to_ascii_uppercase().as_str() {
            "ARG" if self.stages.is_empty() && self.found.is_empty() => self.argument(&words),
            "FROM" => self.from(&words),
            "COPY" | "ADD" => {
                let from = words.iter().find_map(|word| word.strip_prefix("--from="));
                from.into_iter().for_each(|name| self.name(name));
            }
            "RUN" => {
                let mounts = words.iter().filter_map(|word| word.strip_prefix("--mount="));
                let from =
                    mounts.flat_map(|mount| mount.split(',').filter_map(|part| part.strip_prefix("from=")));
                let from: Vec<&str> = from.collect();
                from.into_iter().for_each(|name| self.name(name));
            }
            _ => {}
        }
    }

    fn argument(&mut self, words: &[&str]) {
        for word in words {
            let (name, default) = word.split_once('=').unwrap_or((word, ""));
            let default = self.filled(default.trim_matches(['"', '\'']));
            let value = self.given.get(name).cloned().unwrap_or(default);
            self.args.insert(name.to_owned(), value);
        }
    }

    fn from(&mut self, words: &[&str]) {
        let mut words = words.iter().filter(|word| !word.starts_with("--"));
        let Some(image) = words.next() else { return };
        self.name(image);
        if let (Some(keyword), Some(stage)) = (words.next(), words.next())
            && keyword.eq_ignore_ascii_case("as")
        {
            self.stages.insert(stage.to_ascii_lowercase());
        }
    }

    /// Notes an image, unless it is a stage of the same file (by name or number), or nothing.
    fn name(&mut self, name: &str) {
        let name = self.filled(name.trim_matches(['"', '\'']));
        let own = self.stages.contains(&name.to_ascii_lowercase())
            || name.bytes().all(|byte| byte.is_ascii_digit());
        let whole = whole(&name);
        if !own && name != "scratch" && is_plausible(&whole) && !self.found.contains(&whole) {
            self.found.push(whole);
        }
    }

    /// A text with `$NAME`, `${NAME}` and `${NAME:-default}` replaced by the arguments.
    fn filled(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            out.push_str(before);
            let (name, default, tail) = variable(after);
            let value = self.args.get(name).filter(|value| !value.is_empty());
            out.push_str(value.map_or(default, String::as_str));
            rest = tail;
        }
        out + rest
    }
}

/// Whether an engine would take it for the name of an image: what is not is reported by the build.
fn is_plausible(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._/-:@".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(fits)
        && !name.ends_with([':', '@', '/'])
}

/// What follows a dollar: the variable's name, its default, and the rest.
fn variable(text: &str) -> (&str, &str, &str) {
    if let Some((inside, tail)) = text.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        let (name, default) = inside.split_once(":-").unwrap_or((inside, ""));
        return (name, default, tail);
    }
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let (name, tail) = text.split_at(end.unwrap_or(text.len()));
    (name, "", tail)
}

/// The whole name of an image: `debian` is `docker.io/library/debian:latest`, as engines have it.
pub(super) fn whole(name: &str) -> String {
    let first = name.split('/').next().unwrap_or_default();
    let has_registry = name.contains('/') && (first.contains(['.', ':']) || first == "localhost");
    let path = match (has_registry, name.contains('/')) {
        (true, _) => name.to_owned(),
        (false, true) => format!("docker.io/{name}"),
        (false, false) => format!("docker.io/library/{name}"),
    };
    let last = path.rsplit('/').next().unwrap_or_default();
    if last.contains([':', '@']) {
        path
    } else {
        format!("{path}:latest")
    }
}

/// The instructions, each on one line: continued lines joined, comments and the texts of here-documents left out.
fn instructions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut whole = String::new();
    let mut ends: Vec<String> = Vec::new();
    for line in text.lines() {
        if let Some(end) = ends.first() {
            if line.trim_start_matches('\t').trim_end() == end {
                ends.remove(0);
            }
            continue;
        }
        let trimmed = line.trim();
        if trimmed.starts_with('#') {
            continue;
        }
        match trimmed.strip_suffix('\\') {
            Some(part) => {
                whole.push_str(part);
                whole.push(' ');
            }
            None => {
                whole.push_str(trimmed);
                ends = heredocs(&whole);
                found.push(std::mem::take(&mut whole));
            }
        }
    }
    found.push(whole);
    found
}

/// The words that end the here-documents that an instruction begins.
fn heredocs(instruction: &str) -> Vec<String> {
    let keyword = instruction.split_ascii_whitespace().next().unwrap_or_default();
    if !["RUN", "COPY", "ADD"]
        .iter()
        .any(|known| keyword.eq_ignore_ascii_case(known))
    {
        return Vec::new();
    }
    let begins = instruction
        .split_ascii_whitespace()
        .filter_map(|word| word.strip_prefix("<<"));
    let ends = begins.map(|word| word.trim_start_matches('-').trim_matches(['"', '\'']).to_owned());
    ends.filter(|end| !end.is_empty() && !end.starts_with('<'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::harness;

    fn bases(text: &str, given: &[(&str, &str)]) -> Vec<String> {
        let given = given
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        of(text, &given.collect())
    }

    #[test]
    fn images_are_found_wherever_they_are_named() {
        let text = "# syntax=docker/dockerfile:1
ARG VERSION=1.22
ARG BASE=\"golang:${VERSION}\"
FROM --platform=linux/amd64 ${BASE} AS Build
ARG VERSION=9
RUN --mount=type=cache,from=docker.io/a/cache:1,target=/x \\
    # a comment in between
    make
FROM build as second
COPY --from=build /x /x
COPY --from=0 /y /y
copy --from=ghcr.io/astral/uv:0.4 /uv /uv
from scratch
FROM node:$MAJOR
FROM node:${MAJOR:-20}-slim
RUN <<EOF
FROM nothing
EOF
FROM localhost:5000/own
";
        assert_eq!(
            bases(text, &[("MAJOR", "22"), ("VERSION", "1.23")]),
            [
                "docker.io/library/golang:1.23",
                "docker.io/a/cache:1",
                "ghcr.io/astral/uv:0.4",
                "docker.io/library/node:20-slim",
                "localhost:5000/own:latest",
            ],
            "an argument that is not declared before the first FROM is not known there"
        );
    }

    #[test]
    fn names_are_made_whole_as_engines_do() {
        for (name, expected) in [
            ("debian", "docker.io/library/debian:latest"),
            ("debian:bookworm", "docker.io/library/debian:bookworm"),
            ("a/b", "docker.io/a/b:latest"),
            ("localhost/a", "localhost/a:latest"),
            ("ghcr.io/a/b@sha256:00", "ghcr.io/a/b@sha256:00"),
            ("host:5000/a:1", "host:5000/a:1"),
        ] {
            assert_eq!(whole(name), expected);
        }
    }

    #[test]
    fn fuzz_dockerfiles() {
        let words = [
            "FROM ",
            "ARG A=",
            "${",
            "}",
            "$",
            ":-",
            "\\\n",
            "<<EOF\n",
            "\n",
            "COPY --from=",
            " AS ",
            "#",
            "\"",
        ];
        harness::fuzz("dockerfile", &words, |bytes| {
            let text = String::from_utf8_lossy(bytes);
            for name in of(&text, &BTreeMap::from([("A".to_owned(), "b".to_owned())])) {
                assert!(name.contains('/') && name.is_ascii(), "{name:?}");
            }
        });
    }
}
