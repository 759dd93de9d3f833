//! The two sides of a comparison: what was asked for, as git writes it, and a tree for each.

use std::path::Path;

use tare_host::revisions::{self, Repository, Revision};
use tare_report::words::counted;

use super::Side;
use crate::commands::bench::short;
use crate::context::{self, Context};
use crate::failure::Failure;

/// What the two sides are called.
const NAMES: [&str; 2] = ["before", "after"];

/// What stands between two revisions where the first side is their merge base.
const PARTED: &str = "...";

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Asked<'a> {
    before: &'a str,
    /// None: the working tree.
    after: Option<&'a str>,
    /// Whether the first side is where the two parted, instead of the first revision as it is.
    parted: bool,
}

impl<'a> Asked<'a> {
    /// `a`, `a..`, `a..b`, `..b`, `a...b`: what is not named is HEAD at the left and the working tree at the right.
    fn read(text: &'a str) -> Self {
        let parted = text.split_once(PARTED);
        let (before, after) = parted.or_else(|| text.split_once("..")).unwrap_or((text, ""));
        Self {
            before: if before.is_empty() { "HEAD" } else { before },
            after: Some(after).filter(|after| !after.is_empty()),
            parted: parted.is_some(),
        }
    }

    fn first(&self, repository: &Repository) -> Result<Revision, Failure> {
        let found = match self.parted {
            // The working tree parted where its HEAD did.
            true => repository.merge_base(self.before, self.after.unwrap_or("HEAD")),
            false => repository.revision(self.before),
        };
        found.map_err(Failure::usage)
    }
}

/// Both sides of what was asked for, their trees under this folder, which is tare's own.
pub fn sides(
    context: &Context,
    revisions: &str,
    repository: &Repository,
    own: &Path,
) -> Result<[Side; 2], Failure> {
    let asked = Asked::read(revisions);
    let [first, last] = NAMES;
    let before = checked_out(context, repository, first, asked.first(repository)?, own)?;
    let after = match asked.after {
        Some(name) => {
            let revision = repository.revision(name).map_err(Failure::usage)?;
            checked_out(context, repository, last, revision, own)?
        }
        None => Side {
            name: last,
            revision: repository.working_tree().map_err(Failure::usage)?,
            tree: repository.root().to_owned(),
        },
    };
    let sides = [before, after];
    for side in &sides {
        context.say(format!("{}: {}", side.name, side.revision.describe()));
    }
    for note in notes(&asked, repository, &sides) {
        context.say(format!("note: {note}"));
    }
    Ok(sides)
}

fn checked_out(
    context: &Context,
    repository: &Repository,
    name: &'static str,
    revision: Revision,
    own: &Path,
) -> Result<Side, Failure> {
    let trees = own.join("worktrees");
    let tree = repository
        .check_out(&revision, &trees)
        .map_err(Failure::outside)?;
    if tree.mended {
        context.say(format!(
            "note: {name}: files in {} were not as the revision has them, and were put back",
            short(&tree.folder)
        ));
    }
    // So that what tare makes is no change of the working tree it measures.
    let ignore = own.join(".gitignore");
    if !ignore.exists() {
        context::write(&ignore, b"*\n")?;
    }
    Ok(Side {
        name,
        revision,
        tree: tree.folder,
    })
}

/// What a person may not expect of these sides.
fn notes(asked: &Asked<'_>, repository: &Repository, sides: &[Side; 2]) -> Vec<String> {
    let [before, after] = sides;
    let mut notes = Vec::new();
    if asked.parted {
        notes.push(format!(
            "before is where `{}` and `{}` parted, their merge base; with two dots it is the revision itself",
            asked.before,
            asked.after.unwrap_or("HEAD")
        ));
    }
    if before.revision.commit == after.revision.commit && after.revision.changed.unwrap_or(0) == 0 {
        notes.push("both sides are the same; whatever is found between them is chance".to_owned());
    }
    // Whoever names both may have forgotten what is not committed yet.
    let open = asked.after.and_then(|_| repository.working_tree().ok()?.changed);
    if let Some(files) = open.filter(|files| *files > 0) {
        notes.push(format!(
            "{} changed in the working tree, which neither side has: leave the second revision out to measure \
             the working tree",
            counted(files as u64, "file")
        ));
    }
    notes.extend(sides.iter().filter_map(without_submodules));
    notes
}

/// Of a checked-out tree whose submodules are empty. Git does not check them out with it.
fn without_submodules(side: &Side) -> Option<String> {
    let checked_out = side.revision.changed.is_none();
    let empty = checked_out.then(|| revisions::empty_submodules(&side.tree))?;
    (empty > 0).then(|| {
        format!(
            "{}: its submodules are empty; to fill them, once and for all: git -C {} submodule update --init",
            side.name,
            short(&side.tree)
        )
    })
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
        for (text, (before, after, parted)) in cases {
            let asked = Asked {
                before,
                after,
                parted,
            };
            assert_eq!(Asked::read(text), asked, "{text}");
        }
    }
}
