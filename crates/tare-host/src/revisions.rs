//! Revisions of a git repository, each checked out in a folder of its own. All by the `git` that is on `PATH`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{HostError, Result};

/// A repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    root: PathBuf,
}

/// A revision: a commit, or the working tree as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// The commit's name, 40 digits; of a working tree that of its HEAD.
    pub commit: String,
    /// The name of all its files together, 40 digits: commits with the same files have the same. Of a working tree that
    /// of its HEAD.
    pub tree: String,
    /// The first line of its message.
    pub subject: String,
    /// Of a working tree, how many files differ from HEAD, new ones among them; none for a commit.
    pub changed: Option<usize>,
}

impl Repository {
    /// The one that a folder belongs to.
    ///
    /// # Errors
    /// [`HostError::Other`] where there is none, or no git.
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

    /// What a name means: a branch, a tag, a commit, `HEAD~2`.
    ///
    /// # Errors
    /// [`HostError::Other`] where there is no such revision; the cure is another for a shallow clone.
    pub fn revision(&self, name: &str) -> Result<Revision> {
        let commit = format!("{name}^{{commit}}");
        // `--` ends options, so that a name that begins with a dash is none.
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

    /// The working tree as it is now.
    ///
    /// # Errors
    /// [`HostError::Other`] where there is no commit yet.
    pub fn working_tree(&self) -> Result<Revision> {
        let head = self.revision("HEAD")?;
        let status = git(&self.root, &["status", "--porcelain"]).map_err(HostError::Other)?;
        Ok(Revision {
            changed: Some(status.lines().count()),
            ..head
        })
    }

    /// A commit's files under `folder`, checked out once and kept from then on, for every commit that has the same files.
    ///
    /// # Errors
    /// [`HostError::Other`] with what git says, [`HostError::Os`] where the folder cannot be made.
    pub fn check_out(&self, revision: &Revision, folder: &Path) -> Result<PathBuf> {
        fs::create_dir_all(folder).map_err(HostError::on("create the folder", folder))?;
        let tree = folder.join(&revision.tree[..12]);
        if checked_out(&tree, revision) {
            return Ok(tree);
        }
        // What is left of a folder that somebody removed by hand would be in the way.
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
        Ok(tree)
    }

    fn subject(&self, commit: &str) -> String {
        git(&self.root, &["log", "-1", "--format=%s", commit]).unwrap_or_default()
    }

    fn unknown(&self, name: &str) -> HostError {
        let shallow = git(&self.root, &["rev-parse", "--is-shallow-repository"]).as_deref() == Ok("true");
        let hint = match shallow {
            true => {
                "this clone is shallow, and does not have its whole history: `git fetch --unshallow`; in GitHub \
                 Actions `fetch-depth: 0` of actions/checkout"
            }
            false => {
                "`git log --oneline` and `git branch -a` show what there is; another's branch may have to be fetched"
            }
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

/// Whether a folder has a revision's files: those of another commit with the same files will do, and stay as they are,
/// with all that was built of them.
fn checked_out(tree: &Path, revision: &Revision) -> bool {
    // Without its own, git would speak of the repository around it.
    tree.join(".git").is_file()
        && git(tree, &["rev-parse", "HEAD^{tree}"]).as_deref() == Ok(&revision.tree)
        && (git(tree, &["rev-parse", "HEAD"]).as_deref() == Ok(&revision.commit)
            || git(tree, &["checkout", "--quiet", "--detach", &revision.commit]).is_ok())
}

fn short(commit: &str) -> &str {
    &commit[..commit.len().min(9)]
}

/// What git prints, without the end of its line; or what it complains of.
fn git(folder: &Path, words: &[&str]) -> std::result::Result<String, String> {
    let ran = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(words)
        // Hooks and tests of git set these; they would name another repository.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .output()
        .map_err(|error| format!("git cannot be run: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    match ran.status.success() {
        true => Ok(text(&ran.stdout)),
        false => Err(text(&ran.stderr)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository() -> (tempfile::TempDir, Repository) {
        let folder = tempfile::tempdir().unwrap();
        let run = |words: &[&str]| git(folder.path(), words).unwrap();
        run(&["init", "--quiet"]);
        for text in ["one", "two"] {
            fs::write(folder.path().join("file"), text).unwrap();
            run(&["add", "file"]);
            let who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
            run(&[&who[..], &["commit", "--quiet", "-m", text]].concat());
        }
        let repository = Repository::of(folder.path()).unwrap();
        (folder, repository)
    }

    #[test]
    fn revisions_are_found_and_checked_out_once() {
        let (folder, repository) = repository();
        let before = repository.revision("HEAD~1").unwrap();
        assert_eq!((before.subject.as_str(), before.changed), ("one", None));
        let trees = folder.path().join(".tare/worktrees");
        let tree = repository.check_out(&before, &trees).unwrap();
        assert_eq!(fs::read_to_string(tree.join("file")).unwrap(), "one");
        fs::write(tree.join("built"), "x").unwrap();
        assert_eq!(repository.check_out(&before, &trees).unwrap(), tree);
        assert!(tree.join("built").exists(), "what was built there is kept");
        fs::remove_dir_all(&tree).unwrap();
        repository.check_out(&before, &trees).unwrap();
        assert!(tree.join("file").exists());
        // A folder that is no tree of its own is not taken for one, though the repository around it has these files.
        let now = repository.revision("HEAD").unwrap();
        let other = trees.join(&now.tree[..12]);
        fs::create_dir(&other).unwrap();
        repository.check_out(&now, &trees).unwrap();
        assert_eq!(fs::read_to_string(other.join("file")).unwrap(), "two");
    }

    #[test]
    fn commits_with_the_same_files_share_a_tree() {
        let (folder, repository) = repository();
        let first = repository.revision("HEAD").unwrap();
        let trees = folder.path().join(".tare/worktrees");
        let tree = repository.check_out(&first, &trees).unwrap();
        fs::write(tree.join("built"), "x").unwrap();
        let who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
        let amend = ["commit", "--quiet", "--amend", "-m", "another message"];
        git(folder.path(), &[&who[..], &amend].concat()).unwrap();
        let second = repository.revision("HEAD").unwrap();
        assert!(first.commit != second.commit && first.tree == second.tree);
        assert_eq!(repository.check_out(&second, &trees).unwrap(), tree);
        assert!(tree.join("built").exists());
        let there = git(&tree, &["rev-parse", "HEAD"]).unwrap();
        assert_eq!(
            there, second.commit,
            "what a build asks git for is the commit's own"
        );
    }

    #[test]
    fn the_working_tree_says_what_is_changed() {
        let (folder, repository) = repository();
        assert!(
            repository
                .working_tree()
                .unwrap()
                .describe()
                .ends_with("unchanged")
        );
        fs::write(folder.path().join("file"), "three").unwrap();
        fs::write(folder.path().join("new"), "").unwrap();
        let tree = repository.working_tree().unwrap();
        assert!(
            tree.describe().ends_with("2 files changed"),
            "{}",
            tree.describe()
        );
    }

    #[test]
    fn what_is_not_there_is_said_with_its_cure() {
        let (folder, repository) = repository();
        let error = repository.revision("nowhere").unwrap_err().to_string();
        assert!(
            error.contains("`nowhere`") && error.contains("git branch -a"),
            "{error}"
        );
        assert!(repository.revision("--all").is_err());
        let shallow = tempfile::tempdir().unwrap();
        let from = format!("file://{}", folder.path().display());
        let to = shallow.path().join("clone");
        git(
            folder.path(),
            &["clone", "--quiet", "--depth", "1", &from, to.to_str().unwrap()],
        )
        .unwrap();
        let error = Repository::of(&to)
            .unwrap()
            .revision("HEAD~1")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("shallow") && error.contains("fetch-depth: 0"),
            "{error}"
        );
        let none = tempfile::tempdir().unwrap();
        assert!(
            Repository::of(none.path())
                .unwrap_err()
                .to_string()
                .contains("no git repository")
        );
    }
}
