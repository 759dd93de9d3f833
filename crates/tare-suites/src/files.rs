//! Files of a checkout: bounded, and never outside of it.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The longest file that is read as text: 1 MiB.
pub(crate) const LONGEST: usize = 1 << 20;

/// The longest file of a raw request: 64 MiB.
pub(crate) const LONGEST_REQUEST: usize = 64 << 20;

/// A file that cannot be read, or does not say what it must.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {why}", path.escape_debug())]
pub struct BadFile {
    /// The file, from the folder that was read.
    pub path: String,
    /// What is wrong with it, escaped.
    pub why: String,
}

/// The folder that is read.
#[derive(Debug)]
pub(crate) struct Files {
    root: PathBuf,
}

impl Files {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// Whether there is an ordinary file, no link.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.at(path)
            .is_some_and(|path| fs::symlink_metadata(path).is_ok_and(|found| found.is_file()))
    }

    /// The names of the folders in a folder, links apart, in order.
    pub(crate) fn folders(&self, path: &str) -> Vec<String> {
        let entries = self.at(path).and_then(|path| fs::read_dir(path).ok());
        let folder = |entry: fs::DirEntry| {
            let is = entry.file_type().is_ok_and(|kind| kind.is_dir());
            entry.file_name().into_string().ok().filter(|_| is)
        };
        let mut names: Vec<String> = entries
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(folder)
            .collect();
        names.sort_unstable();
        names
    }

    /// A text.
    pub(crate) fn text(&self, path: &str) -> Result<String, BadFile> {
        let bytes = self.bytes(path, LONGEST)?;
        String::from_utf8(bytes).map_err(|_| bad(path, "it is not UTF-8"))
    }

    /// A file of at most `most` bytes.
    pub(crate) fn bytes(&self, path: &str, most: usize) -> Result<Vec<u8>, BadFile> {
        if !self.has(path) {
            return Err(bad(path, "there is no such file (links are not followed)"));
        }
        let mut bytes = Vec::new();
        let opened = self.at(path).map(fs::File::open).transpose();
        let read = opened.and_then(|file| match file {
            Some(file) => file.take(most as u64 + 1).read_to_end(&mut bytes),
            None => Ok(0),
        });
        read.map_err(|error| bad(path, error.to_string()))?;
        if bytes.len() > most {
            return Err(bad(path, format!("it has more than {most} bytes")));
        }
        Ok(bytes)
    }

    /// Where a path of names leads; none if it would lead out.
    fn at(&self, path: &str) -> Option<PathBuf> {
        let mut at = self.root.clone();
        for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
            if !is_file_name(part) {
                return None;
            }
            at.push(part);
        }
        Some(at)
    }
}

pub(crate) fn bad(path: &str, why: impl Into<String>) -> BadFile {
    BadFile {
        path: path.to_owned(),
        why: why.into(),
    }
}

/// A path below another.
pub(crate) fn join(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        _ => format!("{folder}/{name}"),
    }
}

/// Whether a text can be the name of one file: no way up, nothing that a terminal or a shell would take for something else.
fn is_file_name(text: &str) -> bool {
    text.len() <= 255 && text != ".." && !text.chars().any(|c| c == '/' || c == '\\' || c.is_control())
}

/// A path from a folder as a file names it, without ways up; none if it leads elsewhere.
pub(crate) fn within(folder: &str, path: &str) -> Option<String> {
    let path = path.strip_prefix("./").unwrap_or(path);
    let odd = path.is_empty() || path.starts_with(['/', '-']) || Path::new(path).is_absolute();
    let parts = path
        .split('/')
        .all(|part| !part.is_empty() && part != "." && is_file_name(part));
    (!odd && parts).then(|| join(folder, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_nowhere_else() {
        assert_eq!(within("a/b", "c.dockerfile").as_deref(), Some("a/b/c.dockerfile"));
        assert_eq!(within("", "./c/d").as_deref(), Some("c/d"));
        for path in [
            "",
            "/etc/passwd",
            "../x",
            "a/../x",
            "a//b",
            "-f",
            "a\nb",
            "a\\b",
            "a/./b",
            "a\u{1b}[2J",
        ] {
            assert_eq!(within("a", path), None, "{path:?}");
        }
    }

    #[test]
    fn files_are_bounded_and_no_links() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "hello").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link")).unwrap();
        let files = Files::new(folder.path().to_owned());
        assert_eq!(files.bytes("a", 5).unwrap(), b"hello");
        assert!(files.bytes("a", 4).unwrap_err().why.contains("more than 4 bytes"));
        for path in ["link", "b", "../a", "."] {
            assert!(files.text(path).is_err(), "{path}");
        }
    }
}
