//! What is to be run, and what came of it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A command that the caller runs, with standard input empty. It replaces nothing of the environment but what `env` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The program: a path, or a name that is looked up in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Variables that are set for it.
    pub env: Vec<(String, OsString)>,
    /// Where it runs.
    pub folder: PathBuf,
    /// Names of files that it writes somewhere under its scratch folder. [`collect`] reads them.
    pub reads: Vec<&'static str>,
}

impl Command {
    pub(crate) fn new(program: impl Into<PathBuf>, folder: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
            folder: folder.into(),
            reads: Vec::new(),
        }
    }

    pub(crate) fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// `--flag=path`, where the path may be no UTF-8.
    pub(crate) fn flag(mut self, flag: &str, path: impl AsRef<Path>) -> Self {
        let mut text = OsString::from(flag);
        text.push(path.as_ref());
        self.args.push(text);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.env.push((name.to_owned(), value.into()));
        self
    }

    pub(crate) fn reads(mut self, names: &[&'static str]) -> Self {
        self.reads.extend(names);
        self
    }
}

/// What came of a command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Done {
    /// The exit status; none if a signal ended it.
    pub status: Option<i32>,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it printed as errors.
    pub stderr: Vec<u8>,
    /// The files of [`Command::reads`], by their paths under the scratch folder.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Done {
    /// The one file of a name; none if there is none, or more than one.
    pub(crate) fn file(&self, name: &str) -> Option<&[u8]> {
        let mut found = self.files.iter().filter(|(path, _)| path.ends_with(name));
        match (found.next(), found.next()) {
            (Some((_, bytes)), None) => Some(bytes),
            _ => None,
        }
    }
}

/// The most that is read of all files together, in bytes, how many files, and how deep. A JSON of JMH has 3 kB.
const LONGEST: u64 = 64 << 20;
const MOST: usize = 1000;
const DEEPEST: usize = 12;

/// Reads the files of these names under a folder. Links are not followed.
///
/// # Errors
/// The folder or a file cannot be read, or there is more than is ever wanted.
pub fn collect(folder: &Path, names: &[&str]) -> std::io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let (mut left, mut todo) = (LONGEST, vec![(folder.to_owned(), 0)]);
    while let Some((inner, depth)) = todo.pop() {
        for entry in std::fs::read_dir(&inner)? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, entry.path());
            if kind.is_dir() && depth < DEEPEST {
                todo.push((path, depth + 1));
            } else if kind.is_file() && names.iter().any(|name| entry.file_name() == *name) {
                let mut bytes = Vec::new();
                std::fs::File::open(&path)?
                    .take(left + 1)
                    .read_to_end(&mut bytes)?;
                let too_much = || std::io::Error::other(format!("{}: too much output", folder.display()));
                left = left.checked_sub(bytes.len() as u64).ok_or_else(too_much)?;
                let below = path.strip_prefix(folder).unwrap_or(&path).to_owned();
                files.insert(below, bytes);
                if files.len() > MOST {
                    return Err(too_much());
                }
            }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_collected_by_name_wherever_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b c/new");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::write(deep.join("sample.json"), "1").unwrap();
        std::fs::write(deep.join("other.json"), "2").unwrap();
        std::os::unix::fs::symlink("/", folder.path().join("a/link")).unwrap();
        let done = Done {
            files: collect(folder.path(), &["sample.json"]).unwrap(),
            ..Done::default()
        };
        assert_eq!(done.files.len(), 1);
        assert_eq!(done.file("new/sample.json"), Some(&b"1"[..]));
        assert_eq!(done.file("base/sample.json"), None);
        assert!(collect(&folder.path().join("nothing"), &[]).is_err());
    }
}
