//! The two sides of a comparison: what was asked for, as git writes it, and a tree for each.

use std::path::Path;
use std::time::SystemTime;

use tare_host::error::HostError;
use tare_host::revisions::{self, Repository, Revision};

use super::side::Side;
use super::unused;
use crate::error::{PrepareError, Result};
use crate::progress::{Event, Progress};

/// What the two sides are called.
pub(crate) const NAMES: [&str; 2] = ["before", "after"];

/// Separates two revisions where the first side is their merge base.
const MERGE_BASE: &str = "...";

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Asked<'a> {
    before: &'a str,
    /// None: the working tree.
    after: Option<&'a str>,
    /// Whether the first side is the merge base of both, instead of the first revision as it is.
    merge_base: bool,
}

impl<'a> Asked<'a> {
    /// `a`, `a..`, `a..b`, `..b`, `a...b`: what is not named is HEAD on the left and the working tree on the right.
    fn read(text: &'a str) -> Self {
        let three = text.split_once(MERGE_BASE);
        let (before, after) = three.or_else(|| text.split_once("..")).unwrap_or((text, ""));
        Self {
            before: if before.is_empty() { "HEAD" } else { before },
            after: Some(after).filter(|after| !after.is_empty()),
            merge_base: three.is_some(),
        }
    }

    fn first(&self, repository: &Repository) -> Result<Revision> {
        let found = if self.merge_base {
            // The merge base of the working tree is that of its HEAD.
            repository.merge_base(self.before, self.after.unwrap_or("HEAD"))
        } else {
            repository.revision(self.before)
        };
        found.map_err(PrepareError::Revision)
    }
}

/// Both sides of `revisions` (`main`, `main..topic`, `main...topic`). Revisions are checked out under the folder `own`.
///
/// # Errors
/// There is no such revision, or it cannot be checked out.
pub fn sides(
    revisions: &str,
    repository: &Repository,
    own: &Path,
    progress: &dyn Progress,
) -> Result<[Side; 2]> {
    let asked = Asked::read(revisions);
    let [first, last] = NAMES;
    let before = checked_out(repository, first, asked.first(repository)?, own, progress)?;
    let after = match asked.after {
        Some(name) => {
            let revision = repository.revision(name).map_err(PrepareError::Revision)?;
            checked_out(repository, last, revision, own, progress)?
        }
        None => Side {
            name: last,
            revision: repository.working_tree().map_err(PrepareError::Revision)?,
            tree: repository.root().to_owned(),
        },
    };
    let sides = [before, after];
    for side in &sides {
        progress.event(&Event::Side { side });
    }
    match unused::remove(own, SystemTime::now()) {
        0 => {}
        trees => progress.event(&Event::UnusedRemoved { trees: trees as u64 }),
    }
    report_surprises(&asked, repository, &sides, progress);
    Ok(sides)
}

fn checked_out(
    repository: &Repository,
    name: &'static str,
    revision: Revision,
    own: &Path,
    progress: &dyn Progress,
) -> Result<Side> {
    let tree = repository.check_out(&revision, &own.join("worktrees"))?;
    unused::used(&tree.folder);
    let side = Side {
        name,
        revision,
        tree: tree.folder,
    };
    if tree.mended {
        progress.event(&Event::TreeRestored { side: &side });
    }
    ignore(own)?;
    Ok(side)
}

/// What tare makes in this folder is no change of the working tree that it measures.
pub(crate) fn ignore(own: &Path) -> Result<()> {
    let file = own.join(".gitignore");
    if !file.exists() {
        std::fs::create_dir_all(own).map_err(HostError::on("create the folder", own))?;
        std::fs::write(&file, b"*\n").map_err(HostError::on("write", &file))?;
    }
    Ok(())
}

/// Reports what a person may not expect of these sides.
fn report_surprises(asked: &Asked<'_>, repository: &Repository, sides: &[Side; 2], progress: &dyn Progress) {
    let [before, after] = sides;
    if asked.merge_base {
        progress.event(&Event::MergeBase {
            one: asked.before,
            other: asked.after.unwrap_or("HEAD"),
        });
    }
    if before.revision.commit == after.revision.commit && after.revision.changed.unwrap_or(0) == 0 {
        progress.event(&Event::SameSides);
    }
    // A person who names both revisions may have forgotten changes that are not committed.
    let open = asked.after.and_then(|_| repository.working_tree().ok()?.changed);
    if let Some(files) = open.filter(|files| *files > 0) {
        progress.event(&Event::UncommittedChanges { files: files as u64 });
    }
    // Git does not check submodules out with a tree.
    let checked_out = sides.iter().filter(|side| side.revision.changed.is_none());
    for side in checked_out.filter(|side| revisions::empty_submodules(&side.tree) > 0) {
        progress.event(&Event::EmptySubmodules { side });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_and_three_dots() {
        let cases = [
            ("main", ("main", None, false)),
            ("main..", ("main", None, false)),
            ("..topic", ("HEAD", Some("topic"), false)),
            ("v1.2..v1.3", ("v1.2", Some("v1.3"), false)),
            ("main...topic", ("main", Some("topic"), true)),
            ("main...", ("main", None, true)),
            ("...topic", ("HEAD", Some("topic"), true)),
        ];
        for (text, (before, after, merge_base)) in cases {
            let asked = Asked {
                before,
                after,
                merge_base,
            };
            assert_eq!(Asked::read(text), asked, "{text}");
        }
    }
}
