//! Projects of npm, and Node with something loaded before a file.

use std::path::Path;

use crate::command::Command;
use crate::harness::{Places, Suite};
use crate::tree::{Tree, said};

/// The folders whose `package.json` names a package, with those of their files that are benchmarks of it.
pub(crate) fn found(tree: &Tree, package: &str, is_benchmark: impl Fn(&Path, &str) -> bool) -> Vec<Suite> {
    let named = format!("\"{package}\"");
    let projects = tree
        .named("package.json")
        .filter(|(_, text)| text.contains(&named));
    let suite = |(manifest, _): (&Path, &str)| {
        let folder = manifest.parent().unwrap_or(Path::new(""));
        let files = tree.owned(folder, "package.json", "").into_iter();
        let files = files.filter(|(path, text)| is_benchmark(path, text));
        let parts: Vec<String> = files
            .map(|(path, _)| said(path.strip_prefix(folder).unwrap_or(path)))
            .collect();
        let why = format!("{}, {}", said(manifest), parts.first()?);
        Some(Suite {
            folder: folder.to_owned(),
            name: said(folder),
            parts,
            why,
        })
    };
    projects.filter_map(suite).collect()
}

/// Installs what a project depends on.
pub(crate) fn install(suite: &Suite, places: &Places) -> Command {
    let command = Command::new("npm", places.root.join(&suite.folder));
    command.args(["install", "--no-audit", "--no-fund"])
}

/// A module as a URL that Node can load.
pub(crate) fn as_url(module: &str) -> String {
    let mut url = "data:text/javascript,".to_owned();
    for byte in module.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' => url.push(char::from(byte)),
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_a_url_whatever_is_in_it() {
        assert_eq!(
            as_url("a => 'é%'\n"),
            "data:text/javascript,a%20%3D%3E%20%27%C3%A9%25%27%0A"
        );
    }
}
