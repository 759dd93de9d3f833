//! The benchmarks of one revision in a tree of another: so that both sides run the same ones, and only what these measure
//! differs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tare_harness::{Harness, Suite, Tree};
use tare_host::error::HostError;
use tare_host::fingerprint;

use super::error::BenchError;
use super::suites::suites;
use crate::error::Result;

/// A tree to which files belong: its root, and what it holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rooted<'a> {
    pub(super) root: &'a Path,
    pub(super) tree: &'a Tree,
}

/// A suite whose files differ between two trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Differing {
    /// The harness.
    pub(super) harness: &'static str,
    /// The folder of the suite.
    pub(super) folder: PathBuf,
    /// What people call the suite.
    pub(super) suite: String,
    /// Benchmarks that the tree's own files name, and the other's do not: their programs and names.
    pub(super) gone: Vec<(String, String)>,
    /// Benchmarks that only their names differ in: the tree's own, and the other's.
    pub(super) renamed: Vec<(String, String)>,
    all: Files,
    /// Those that hold benchmarks themselves, where these are not all.
    least: Option<Files>,
}

/// Files that are another tree's in place of the tree's own.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Files {
    own: Vec<PathBuf>,
    others: Vec<PathBuf>,
}

/// The suites of `source` whose benchmarks differ from those of `target`, as far as they are files of their own.
pub(super) fn differing(
    harnesses: &[&'static dyn Harness],
    source: Rooted<'_>,
    target: Rooted<'_>,
    within: &Path,
) -> Result<Vec<Differing>> {
    let mut all = Vec::new();
    for (harness, suite) in suites(harnesses, source.tree, within) {
        let others = harness.own_files(source.tree, &suite);
        if others.is_empty() || !target.root.join(&suite.folder).is_dir() {
            continue;
        }
        let theirs = harness.found(target.tree);
        let theirs = theirs.iter().find(|one| one.folder == suite.folder);
        let theirs = theirs.unwrap_or(&suite);
        let own = harness.own_files(target.tree, theirs);
        if digest(source.root, &others)? != digest(target.root, &own)? {
            let own_suite = (target.tree, theirs);
            let mut gone = gone(harness, own_suite, (source.tree, &suite));
            let renamed = renamed(harness, own_suite, (source.tree, &suite), &gone);
            gone.retain(|(_, name)| !renamed.iter().any(|(old, _)| old == name));
            all.push(Differing {
                harness: harness.name(),
                gone,
                renamed,
                least: least(harness, (target.tree, theirs), (source.tree, &suite), &others),
                suite: suite.name,
                folder: suite.folder,
                all: Files { own, others },
            });
        }
    }
    Ok(all)
}

/// The files with benchmarks, if there are fewer than all.
fn least(
    harness: &dyn Harness,
    (tree, suite): (&Tree, &Suite),
    (other, others): (&Tree, &Suite),
    all: &[PathBuf],
) -> Option<Files> {
    let files = Files {
        own: harness.least_files(tree, suite),
        others: harness.least_files(other, others),
    };
    (!files.others.is_empty() && files.others.len() < all.len()).then_some(files)
}

/// What the one tree names, and the other does not.
fn gone(
    harness: &dyn Harness,
    (tree, suite): (&Tree, &Suite),
    (other, others): (&Tree, &Suite),
) -> Vec<(String, String)> {
    let kept = harness.declared(other, others);
    let mut all = harness.declared(tree, suite);
    all.retain(|name| !kept.contains(name));
    all
}

/// Those of `gone` whose source the other tree has under a name that only it has.
fn renamed(
    harness: &dyn Harness,
    (tree, suite): (&Tree, &Suite),
    (other, others): (&Tree, &Suite),
    gone: &[(String, String)],
) -> Vec<(String, String)> {
    let known = harness.declared(tree, suite);
    let new = harness.declared(other, others);
    let new: Vec<_> = new.iter().filter(|name| !known.contains(name)).collect();
    let of = |(program, old): &(String, String)| {
        let source = harness.source(tree, suite, program, old)?;
        let same = |(of, name): &&&(String, String)| {
            let text = with_name(&source, old, name);
            of == program && harness.source(other, others, of, name) == Some(text)
        };
        Some((old.clone(), new.iter().find(same)?.1.clone()))
    };
    gone.iter().filter_map(of).collect()
}

/// A source in which a word is another one.
fn with_name(source: &str, old: &str, new: &str) -> String {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find(old) {
        let (before, after) = (&rest[..at], &rest[at + old.len()..]);
        let within = before.ends_with(is_of_word) || after.starts_with(is_of_word);
        out.push_str(before);
        out.push_str(if within { old } else { new });
        rest = after;
    }
    out + rest
}

impl Differing {
    /// Puts the other's files into a copy of the tree.
    pub(super) fn lay(&self, source: &Path, copy: &Path) -> Result<()> {
        replace((&self.all.own, copy), (&self.all.others, source))
    }

    /// Puts the tree's own files back.
    pub(super) fn take_back(&self, own: &Path, copy: &Path) -> Result<()> {
        replace((&self.all.others, copy), (&self.all.own, own))
    }

    /// Of the other's files only those that hold benchmarks, and the tree's own others; whether that is anything else.
    pub(super) fn lay_least(&self, source: &Path, own: &Path, copy: &Path) -> Result<bool> {
        let Some(least) = &self.least else {
            return Ok(false);
        };
        self.take_back(own, copy)?;
        replace((&least.own, copy), (&least.others, source))?;
        Ok(true)
    }

    /// Whether a file is one of those that are replaced, or that replace them.
    pub(super) fn covers(&self, file: &Path) -> bool {
        let mut all = self.all.own.iter().chain(&self.all.others);
        all.any(|one| file.starts_with(one))
    }

    /// Hash of what is put into the tree.
    pub(super) fn digest(&self, source: &Path) -> Result<String> {
        digest(source, &self.all.others)
    }
}

/// Removes files, and copies others to where they were.
fn replace((old, copy): (&[PathBuf], &Path), (new, from): (&[PathBuf], &Path)) -> Result<()> {
    let failed = |source| BenchError::Overlay {
        tree: copy.to_owned(),
        source,
    };
    for path in old {
        remove(&copy.join(path)).map_err(failed)?;
    }
    for path in new {
        copy_all(&from.join(path), &copy.join(path)).map_err(failed)?;
    }
    Ok(())
}

fn remove(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(data) if data.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Copies a file, a link or a folder; what does not exist is not copied.
fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    let data = match fs::symlink_metadata(from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        data => data?,
    };
    if data.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            copy_all(&from.join(&name), &to.join(&name))?;
        }
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    remove(to)?;
    if data.is_symlink() {
        std::os::unix::fs::symlink(fs::read_link(from)?, to)
    } else {
        fs::copy(from, to).map(drop)
    }
}

/// Hash of files and folders by their paths and bytes.
fn digest(root: &Path, paths: &[PathBuf]) -> Result<String> {
    let mut texts = Vec::new();
    for path in paths {
        let full = root.join(path);
        let content = if full.is_dir() {
            fingerprint::of_contents(&full)?.into_bytes()
        } else if full.is_file() {
            fs::read(&full).map_err(HostError::on("read", &full))?
        } else {
            continue;
        };
        texts.push(path.as_os_str().as_encoded_bytes().to_vec());
        texts.push(content);
    }
    Ok(fingerprint::of_texts(texts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_harness::named;

    const TEST: &str = "package a\nfunc BenchmarkA(b *testing.B) {}\n";

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    fn between(source: &Path, target: &Path) -> Vec<Differing> {
        let (from, to) = (Tree::read(source).unwrap(), Tree::read(target).unwrap());
        let go = [named("go").unwrap()];
        let source = Rooted {
            root: source,
            tree: &from,
        };
        let target = Rooted {
            root: target,
            tree: &to,
        };
        differing(&go, source, target, Path::new("")).unwrap()
    }

    #[test]
    fn both_sides_run_the_same_benchmarks_and_may_have_their_own_again() {
        let newer = tree(&[
            ("go.mod", "module a\n"),
            ("a.go", "package a // new\n"),
            ("a_test.go", TEST),
            ("testdata/in", "new"),
        ]);
        let older = tree(&[
            ("go.mod", "module a\n"),
            ("a.go", "package a // old\n"),
            ("a_test.go", "package a\n"),
            (
                "old_test.go",
                "package a\nfunc BenchmarkOld(b *testing.B) { old() }\n",
            ),
        ]);
        let copy = tree(&[
            ("a.go", "package a // old\n"),
            ("a_test.go", "package a\n"),
            ("old_test.go", "package a\n"),
        ]);
        let all = between(newer.path(), older.path());
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].gone, [("a".to_owned(), "BenchmarkOld".to_owned())]);
        let covered =
            ["a_test.go", "old_test.go", "testdata/in", "a.go"].map(|path| all[0].covers(Path::new(path)));
        assert_eq!(covered, [true, true, true, false]);
        let read = |path: &str| fs::read_to_string(copy.path().join(path)).ok();
        all[0].lay(newer.path(), copy.path()).unwrap();
        assert_eq!(read("a_test.go").as_deref(), Some(TEST));
        assert_eq!(read("testdata/in").as_deref(), Some("new"));
        assert_eq!(read("old_test.go"), None);
        assert_eq!(read("a.go").as_deref(), Some("package a // old\n"));
        all[0].take_back(older.path(), copy.path()).unwrap();
        assert_eq!(read("a_test.go").as_deref(), Some("package a\n"));
        assert_eq!((read("testdata/in"), read("old_test.go").is_some()), (None, true));
    }

    #[test]
    fn a_benchmark_of_another_name_is_the_same_one() {
        let of = |text: &str| tree(&[("go.mod", "module a\n"), ("a_test.go", text)]);
        let older = of(
            "package a\nfunc BenchmarkSum(b *testing.B) { sum(\"BenchmarkSum\", BenchmarkSums) }\n\
                        func BenchmarkGone(b *testing.B) { gone() }\n",
        );
        let newer = of(
            "package a\nfunc BenchmarkTotal(b *testing.B) { sum(\"BenchmarkTotal\", BenchmarkSums) }\n\
                        func BenchmarkNew(b *testing.B) { fresh() }\n",
        );
        let all = between(newer.path(), older.path());
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(all[0].renamed, [pair("BenchmarkSum", "BenchmarkTotal")]);
        assert_eq!(all[0].gone, [pair("a", "BenchmarkGone")]);
    }

    #[test]
    fn the_files_with_benchmarks_may_be_taken_over_alone() {
        let newer = tree(&[
            ("go.mod", "module a\n"),
            ("a_test.go", TEST),
            ("lazy_test.go", "package a // of what is new\n"),
            ("testdata/in", "new"),
        ]);
        let older = tree(&[
            ("go.mod", "module a\n"),
            ("old_test.go", "package a\nfunc BenchmarkOld(b *testing.B) {}\n"),
            ("own_test.go", "package a\n"),
        ]);
        let copy = tree(&[]);
        let all = between(newer.path(), older.path());
        let has = |path: &str| copy.path().join(path).exists();
        all[0].lay(newer.path(), copy.path()).unwrap();
        assert!(has("lazy_test.go") && !has("own_test.go"));
        assert!(all[0].lay_least(newer.path(), older.path(), copy.path()).unwrap());
        assert!(has("a_test.go") && has("testdata/in") && has("own_test.go"));
        assert!(!has("lazy_test.go") && !has("old_test.go"));
        all[0].take_back(older.path(), copy.path()).unwrap();
        assert!(has("old_test.go") && has("own_test.go") && !has("a_test.go") && !has("testdata/in"));
        // Where all files have benchmarks, there is nothing less.
        let only = tree(&[("go.mod", "module a\n"), ("a_test.go", TEST), ("testdata/in", "")]);
        let all = between(only.path(), older.path());
        assert!(!all[0].lay_least(only.path(), older.path(), copy.path()).unwrap());
    }

    #[test]
    fn the_same_benchmarks_are_left_alone_and_new_packages_too() {
        let one = tree(&[("go.mod", ""), ("a_test.go", TEST), ("new/b_test.go", TEST)]);
        let same = tree(&[("go.mod", ""), ("a_test.go", TEST), ("a.go", "package a")]);
        assert!(between(one.path(), same.path()).is_empty());
    }
}
