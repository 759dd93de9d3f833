//! The files of a project that show which harnesses it uses.

use std::collections::BTreeMap;
use std::io::{Error, Read, Result};
use std::path::{Path, PathBuf};

/// Texts of a project's files, by their paths from its root. Only those that a harness may be seen by.
#[derive(Debug, Clone, Default)]
pub struct Tree(BTreeMap<PathBuf, String>);

/// Folders that are not the project's own sources, and those that begin with a dot.
const FOREIGN: [&str; 8] = [
    "target",
    "node_modules",
    "vendor",
    "testdata",
    "dist-newstyle",
    "__pycache__",
    "venv",
    "site-packages",
];

/// Files by which a folder is one that was made: a build of CMake, an environment of Python.
const MADE: [&str; 2] = ["CMakeCache.txt", "pyvenv.cfg"];

const NAMES: [&str; 12] = [
    "go.mod",
    "Cargo.toml",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "tox.ini",
    "package.json",
    "package-lock.json",
    "CMakeLists.txt",
];

const ENDS: [&str; 9] = [
    ".cabal", ".hs", ".java", "_test.go", ".rs", ".py", ".cpp", ".cc", ".cxx",
];

/// Scripts have many uses: only those that are called benchmarks, or are in a folder that is.
const SCRIPTS: [&str; 8] = ["js", "ts", "mjs", "mts", "cjs", "cts", "jsx", "tsx"];

/// The most entries that are looked at, the longest file that is read, and all of them together.
const MOST: usize = 200_000;
const LONGEST: u64 = 1 << 20;
const LONGEST_ALL: usize = 256 << 20;

impl Tree {
    /// Reads a project. Links are not followed.
    ///
    /// # Errors
    /// A folder cannot be read, or it has too much to be one project.
    pub fn read(root: &Path) -> Result<Self> {
        let (mut files, mut todo) = (BTreeMap::new(), vec![root.to_owned()]);
        let (mut entries, mut bytes) = (0, 0);
        while let Some(folder) = todo.pop() {
            let inner = std::fs::read_dir(&folder)?.collect::<Result<Vec<_>>>()?;
            entries += inner.len();
            if entries > MOST || bytes > LONGEST_ALL {
                return Err(Error::other(format!(
                    "{} has too many files to be one project\n\nhint: name the folder that holds the benchmarks",
                    root.display()
                )));
            }
            let holds = |name: &str| inner.iter().any(|entry| entry.file_name() == *name);
            // Another repository within this one is a project of its own.
            if MADE.into_iter().any(holds) || (folder != root && holds(".git")) {
                continue;
            }
            for entry in inner {
                let (kind, name) = (entry.file_type()?, entry.file_name());
                let name = name.to_string_lossy();
                if kind.is_dir() && !name.starts_with('.') && !FOREIGN.contains(&&*name) {
                    todo.push(entry.path());
                } else if kind.is_file() && telling(root, &entry.path()) {
                    let text = beginning(&entry.path())?;
                    bytes += text.len();
                    let path = entry.path();
                    files.insert(path.strip_prefix(root).unwrap_or(&path).to_owned(), text);
                }
            }
        }
        Ok(Self(files))
    }

    /// Whether a folder itself has a file that shows a harness or a project: not only one of the folders in it.
    pub fn begins_at(folder: &Path) -> bool {
        let mut entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.any(|entry| telling(folder, &entry.path()))
    }

    /// A project of these files.
    #[cfg(test)]
    pub(crate) fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let files = files.into_iter();
        Self(
            files
                .map(|(path, text)| (PathBuf::from(path), text.to_owned()))
                .collect(),
        )
    }

    pub(crate) fn text(&self, path: &Path) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// The files of one name.
    pub(crate) fn named(&self, name: &str) -> impl Iterator<Item = (&Path, &str)> {
        self.all()
            .filter(move |(path, _)| path.file_name().is_some_and(|file| file == name))
    }

    /// The files under a folder whose names end so, those with a manifest of their own between excepted.
    pub(crate) fn owned(&self, folder: &Path, manifest: &str, end: &str) -> Vec<(&Path, &str)> {
        let own = |path: &Path| {
            let owner = path
                .ancestors()
                .skip(1)
                .find(|above| self.0.contains_key(&above.join(manifest)));
            owner == Some(folder) && path.to_string_lossy().ends_with(end)
        };
        self.all().filter(|(path, _)| own(path)).collect()
    }

    /// The outermost folder from this one up that has a file of this name.
    pub(crate) fn outermost<'p>(&self, folder: &'p Path, manifest: &str) -> Option<&'p Path> {
        folder
            .ancestors()
            .filter(|above| self.0.contains_key(&above.join(manifest)))
            .last()
    }

    /// The files in a folder itself whose names end so.
    pub(crate) fn beside(&self, folder: &Path, end: &str) -> impl Iterator<Item = (&Path, &str)> {
        self.all()
            .filter(move |(path, _)| path.parent() == Some(folder) && path.to_string_lossy().ends_with(end))
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (&Path, &str)> {
        self.0.iter().map(|(path, text)| (path.as_path(), text.as_str()))
    }
}

fn telling(root: &Path, path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let requirements = name.starts_with("requirements") && name.ends_with(".txt");
    let known = requirements || NAMES.contains(&&*name) || ENDS.iter().any(|end| name.ends_with(end));
    known || is_benchmark_script(path.strip_prefix(root).unwrap_or(path))
}

fn is_benchmark_script(path: &Path) -> bool {
    let script = path
        .extension()
        .is_some_and(|end| SCRIPTS.iter().any(|known| end == *known));
    let mut parts = path.components().map(|part| part.as_os_str().to_string_lossy());
    script && parts.any(|part| part.to_lowercase().contains("bench"))
}

fn beginning(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A path as people write it; `.` for the root.
pub(crate) fn said(path: &Path) -> String {
    match path.to_string_lossy() {
        text if text.is_empty() => ".".to_owned(),
        text => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_projects_own_files_are_read() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "text").unwrap();
        };
        for path in [
            "go.mod",
            "sub/a_test.go",
            "sub/a.go",
            "node_modules/x/package.json",
            ".git/setup.py",
            "env/pyvenv.cfg",
            "env/lib/x.py",
            "other/.git/HEAD",
            "other/go.mod",
            "image.png",
            "index.js",
            "benchmarks/words.js",
        ] {
            write(path);
        }
        let tree = Tree::read(root.path()).unwrap();
        let paths: Vec<_> = tree.all().map(|(path, _)| said(path)).collect();
        assert_eq!(paths, ["benchmarks/words.js", "go.mod", "sub/a_test.go"]);
        assert!(Tree::read(&root.path().join("nothing")).is_err());
        assert!(Tree::begins_at(root.path()) && !Tree::begins_at(&root.path().join("env")));
    }

    #[test]
    fn files_belong_to_the_manifest_next_above() {
        let tree = Tree::of([
            ("Cargo.toml", ""),
            ("benches/a.rs", ""),
            ("inner/Cargo.toml", ""),
            ("inner/benches/b.rs", ""),
        ]);
        let owned = |folder: &str| -> Vec<String> {
            let files = tree.owned(Path::new(folder), "Cargo.toml", ".rs");
            files.iter().map(|(path, _)| said(path)).collect()
        };
        assert_eq!(owned(""), ["benches/a.rs"]);
        assert_eq!(owned("inner"), ["inner/benches/b.rs"]);
        let inner = Path::new("inner/benches");
        assert_eq!(tree.outermost(inner, "Cargo.toml"), Some(Path::new("")));
    }
}
