//! Revisions of a git repository, each checked out in a folder of its own, by the `git` on `PATH`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{HostError, Result};

/// The hint for a shallow clone.
const DEEPEN: &str = "this clone is shallow, and does not have its whole history: `git fetch --unshallow`; in GitHub \
                      Actions `fetch-depth: 0` of actions/checkout";

/// A repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    root: PathBuf,
}

/// A revision: a commit, or the working tree as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// The commit's id, 40 digits; of a working tree that of its HEAD.
    pub commit: String,
    /// The id of its tree, 40 digits: commits with the same files have the same. Of a working tree that of its HEAD.
    pub tree: String,
    /// The first line of its message.
    pub subject: String,
    /// Of a working tree, how many files differ from HEAD, new ones included; none for a commit.
    pub changed: Option<usize>,
}

/// A commit's files in a folder of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The folder.
    pub folder: PathBuf,
    /// Whether it existed with files that were not the commit's any more, and was restored.
    pub mended: bool,
}

impl Repository {
    /// The repository of a folder.
    ///
    /// # Errors
    /// [`HostError::Other`] if there is none, or no git.
    pub fn of(folder: &Path) -> Result<Self> {
        let root = git(folder, &["rev-parse", "--show-toplevel"]).map_err(|said| {
            HostError::Other(format!(
                "{} is in no git repository: {said}\n\nhint: revisions are those of git; to compare two commands: \
                 `tare time`",
                folder.display()
            ))
        })?;
        Ok(Self {
            root: PathBuf::from(root),
        })
    }

    /// Its working tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The revision of a name: a branch, a tag, a commit, `HEAD~2`.
    ///
    /// # Errors
    /// [`HostError::Other`] if there is no such revision; a shallow clone has a hint of its own.
    pub fn revision(&self, name: &str) -> Result<Revision> {
        let commit = format!("{name}^{{commit}}");
        // A name that begins with a dash is not an option.
        let found = git(
            &self.root,
            &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit],
        );
        let commit = found.map_err(|_| self.unknown(name))?;
        let tree = git(&self.root, &["rev-parse", &format!("{commit}^{{tree}}")]);
        Ok(Revision {
            subject: self.subject(&commit),
            tree: tree.map_err(HostError::Other)?,
            commit,
            changed: None,
        })
    }

    /// The best common ancestor of two revisions, as git finds it.
    ///
    /// # Errors
    /// [`HostError::Other`] if one of them does not exist, or there is no common ancestor.
    pub fn merge_base(&self, one: &str, other: &str) -> Result<Revision> {
        let ends = [self.revision(one)?, self.revision(other)?];
        let words = ["merge-base", &ends[0].commit, &ends[1].commit];
        let commit = git(&self.root, &words).map_err(|_| {
            let hint = if self.is_shallow() {
                DEEPEN.to_owned()
            } else {
                format!("to compare the two as they are: `{one}..{other}`, with two dots")
            };
            HostError::Other(format!(
                "`{one}` and `{other}` have no common ancestor in {}\n\nhint: {hint}",
                self.root.display()
            ))
        })?;
        self.revision(&commit)
    }

    /// The working tree as it is now.
    ///
    /// # Errors
    /// [`HostError::Other`] if there is no commit yet.
    pub fn working_tree(&self) -> Result<Revision> {
        let head = self.revision("HEAD")?;
        let status = git(&self.root, &["status", "--porcelain"]).map_err(HostError::Other)?;
        Ok(Revision {
            changed: Some(status.lines().count()),
            ..head
        })
    }

    /// The files that differ between two revisions, the later of which may be the working tree: their paths from the root.
    ///
    /// # Errors
    /// [`HostError::Other`] with git's message.
    pub fn differing(&self, before: &Revision, after: &Revision) -> Result<Vec<PathBuf>> {
        let paths = |words: &[&str]| -> Result<Vec<PathBuf>> {
            let text = git(&self.root, words).map_err(HostError::Other)?;
            let paths = text.split('\0').filter(|path| !path.is_empty());
            Ok(paths.map(PathBuf::from).collect())
        };
        let diff = ["diff", "--name-only", "--no-renames", "-z", &before.commit];
        if after.changed.is_none() {
            return paths(&[&diff[..], &[after.commit.as_str()]].concat());
        }
        let mut all = paths(&diff)?;
        all.extend(paths(&["ls-files", "--others", "--exclude-standard", "-z"])?);
        Ok(all)
    }

    /// A commit's files under `folder`, checked out once and kept for every commit with the same files. Files of the commit
    /// that were changed there are restored; other files, such as build outputs, stay.
    ///
    /// # Errors
    /// [`HostError::Other`] with git's message, [`HostError::Os`] if the folder cannot be made.
    pub fn check_out(&self, revision: &Revision, folder: &Path) -> Result<Tree> {
        fs::create_dir_all(folder).map_err(HostError::on("create the folder", folder))?;
        let tree = folder.join(&revision.tree[..12]);
        if let Some(mended) = checked_out(&tree, revision) {
            return Ok(Tree { folder: tree, mended });
        }
        // A worktree whose folder was removed by hand would be in the way.
        let _ = git(&self.root, &["worktree", "prune"]);
        let path = tree.display().to_string();
        git(
            &self.root,
            &[
                "worktree",
                "add",
                "--quiet",
                "--force",
                "--detach",
                &path,
                &revision.commit,
            ],
        )
        .map_err(|said| {
            HostError::Other(format!("could not check out {}: {said}", short(&revision.commit)))
        })?;
        Ok(Tree {
            folder: tree,
            mended: false,
        })
    }

    /// As [`check_out`](Self::check_out), without files that are neither the commit's nor ignored: for trees in which files of
    /// others are put.
    ///
    /// # Errors
    /// As of [`check_out`](Self::check_out).
    pub fn check_out_clean(&self, revision: &Revision, folder: &Path) -> Result<PathBuf> {
        let tree = self.check_out(revision, folder)?.folder;
        git(&tree, &["clean", "--quiet", "--force", "-d"])
            .map_err(|said| HostError::Other(format!("could not clean {}: {said}", tree.display())))?;
        Ok(tree)
    }

    fn is_shallow(&self) -> bool {
        git(&self.root, &["rev-parse", "--is-shallow-repository"]).as_deref() == Ok("true")
    }

    fn subject(&self, commit: &str) -> String {
        git(&self.root, &["log", "-1", "--format=%s", commit]).unwrap_or_default()
    }

    fn unknown(&self, name: &str) -> HostError {
        let hint = if Path::new(name).is_file() {
            "it is a file. What is compared are revisions of git, such as a branch: both are built, and measured in turns"
        } else if self.is_shallow() {
            DEEPEN
        } else {
            "`git log --oneline` and `git branch -a` show what there is; another's branch may have to be fetched"
        };
        HostError::Other(format!(
            "there is no revision `{name}` in {}\n\nhint: {hint}",
            self.root.display()
        ))
    }
}

impl Revision {
    /// `1a2b3c4 (Make it faster)`, or `the working tree at 1a2b3c4, 2 files changed`.
    pub fn describe(&self) -> String {
        let short = short(&self.commit);
        match self.changed {
            None => format!("{short} ({})", self.subject),
            Some(0) => format!("the working tree at {short}, unchanged"),
            Some(1) => format!("the working tree at {short}, 1 file changed"),
            Some(files) => format!("the working tree at {short}, {files} files changed"),
        }
    }
}

/// How many submodules of a tree are empty: git leaves them empty in all worktrees but the first.
pub fn empty_submodules(tree: &Path) -> usize {
    if !tree.join(".gitmodules").exists() {
        return 0;
    }
    let status = git(tree, &["submodule", "status"]).unwrap_or_default();
    status.lines().filter(|line| line.starts_with('-')).count()
}

/// Makes an existing tree hold a revision's files; returns whether they had to be restored. None if the folder is not a
/// tree of its own. A tree of another commit with the same files is used, with everything that was built there.
fn checked_out(tree: &Path, revision: &Revision) -> Option<bool> {
    // Without its own `.git`, git would use the repository around it.
    if !tree.join(".git").is_file() {
        return None;
    }
    let is = |name: &str, wanted: &str| git(tree, &["rev-parse", name]).as_deref() == Ok(wanted);
    let another = !is("HEAD^{tree}", &revision.tree);
    let altered = altered(tree)?;
    if altered.is_empty() && is("HEAD", &revision.commit) {
        return Some(false);
    }
    let words = ["checkout", "--quiet", "--force", "--detach", &revision.commit];
    git(tree, &words).ok()?;
    // With line ends translated, git may report files as altered that it has just written.
    Some(another || self::altered(tree)? != altered)
}

/// The commit's files in a tree that differ from the commit. Other files were built there.
fn altered(tree: &Path) -> Option<String> {
    let words = [
        "status",
        "--porcelain",
        "--untracked-files=no",
        "--ignore-submodules=dirty",
    ];
    git(tree, &words).ok()
}

fn short(commit: &str) -> &str {
    &commit[..commit.len().min(9)]
}

/// What git prints, without the end of its line; or its error.
fn git(folder: &Path, words: &[&str]) -> std::result::Result<String, String> {
    let ran = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(words)
        // Git's hooks set these; they would name another repository.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .output()
        .map_err(|error| format!("git cannot be run: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    if ran.status.success() {
        Ok(text(&ran.stdout))
    } else {
        Err(text(&ran.stderr))
    }
}

#[cfg(test)]
mod tests;
