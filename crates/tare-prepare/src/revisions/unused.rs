//! Trees of revisions, and what was built of them, that nobody has used for long. They are copies: what is removed is made
//! again when it is asked for.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What has not been used for this long is removed.
pub(crate) const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The number of hexadecimal digits that name a tree.
const DIGITS: usize = 12;

/// The folders of trees, and those whose entries begin with the name of the tree that they were made of.
const TREES: [&str; 4] = ["worktrees", "benchmarks/trees", "suites", "suite-labs"];
const MADE: [&str; 3] = ["benchmarks/trees", "benchmarks/builds", "benchmarks/setups"];

/// Remembers that a tree is used now.
pub(crate) fn used(tree: &Path) {
    // Where it cannot be remembered, the tree is made again in a month.
    let _ = File::open(tree).and_then(|tree| tree.set_modified(SystemTime::now()));
}

/// Removes the trees under `own` that were not used since `now` less [`KEPT`], and what was made of them. Returns how many
/// trees. What cannot be removed stays.
pub(crate) fn remove(own: &Path, now: SystemTime) -> usize {
    let trees: Vec<PathBuf> = TREES
        .iter()
        .flat_map(|folder| entries(&own.join(folder)))
        .collect();
    let (unused, in_use): (Vec<PathBuf>, Vec<PathBuf>) = trees
        .into_iter()
        .filter(|tree| tree.is_dir() && of_tree(tree).is_some())
        .partition(|tree| is_unused(tree, now));
    let removed = unused
        .iter()
        .filter(|tree| fs::remove_dir_all(tree).is_ok())
        .count();
    if removed > 0 {
        let in_use: HashSet<&str> = in_use.iter().filter_map(|tree| of_tree(tree)).collect();
        let made = MADE.iter().flat_map(|folder| entries(&own.join(folder)));
        made.filter(|path| of_tree(path).is_some_and(|tree| !in_use.contains(tree)))
            .for_each(|path| drop(fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path))));
    }
    removed
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// The tree that a path is called after; none: it is not called after one.
fn of_tree(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?.get(..DIGITS)?;
    name.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(name)
}

fn is_unused(tree: &Path, now: SystemTime) -> bool {
    let used = fs::metadata(tree).and_then(|metadata| metadata.modified());
    used.is_ok_and(|used| now.duration_since(used).is_ok_and(|since| since > KEPT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_uses_is_removed_with_what_was_made_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path();
        let (old, new) = ("0123456789ab", "fedcba987654");
        for path in [
            "worktrees/0123456789ab/src",
            "worktrees/fedcba987654/src",
            "worktrees/of-a-person",
            "suites/0123456789ab",
            "benchmarks/trees/0123456789ab",
            "benchmarks/builds/0123456789ab-with-others/go",
            "benchmarks/builds/fedcba987654",
            "benchmarks/builds/working-tree",
        ] {
            fs::create_dir_all(own.join(path)).unwrap();
        }
        let laid = own.join("benchmarks/trees/0123456789ab.laid");
        fs::write(&laid, "x").unwrap();
        let later = SystemTime::now() + KEPT + Duration::from_secs(60);
        for folder in TREES {
            let tree = File::open(own.join(folder).join(new));
            let _ = tree.map(|tree| tree.set_modified(later).unwrap());
        }
        assert_eq!(remove(own, SystemTime::now()), 0, "all were made just now");
        assert_eq!(remove(own, later), 3);
        let there = |path: &str| own.join(path).exists();
        assert!(!there(&format!("worktrees/{old}")) && !laid.exists());
        assert!(!there(&format!("suites/{old}")));
        assert!(!there("benchmarks/builds/0123456789ab-with-others"));
        for kept in [
            "worktrees/fedcba987654/src",
            "worktrees/of-a-person",
            "benchmarks/builds/fedcba987654",
            "benchmarks/builds/working-tree",
        ] {
            assert!(there(kept), "{kept}");
        }
    }

    #[test]
    fn a_tree_that_is_used_stays() {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("worktrees/0123456789ab");
        fs::create_dir_all(&tree).unwrap();
        let long_ago = SystemTime::now() - 2 * KEPT;
        File::open(&tree).unwrap().set_modified(long_ago).unwrap();
        used(&tree);
        assert_eq!(remove(folder.path(), SystemTime::now()), 0);
        File::open(&tree).unwrap().set_modified(long_ago).unwrap();
        assert_eq!(remove(folder.path(), SystemTime::now()), 1);
    }
}
