//! Which suites a tree has, of the harnesses and in the folder that are wanted.

use std::path::Path;

use tare_harness::{ALL, Harness, Suite, Tree, named};

use super::error::BenchError;

/// The harnesses of these names; all where none is named.
pub(super) fn harnesses(names: &[String]) -> Result<Vec<&'static dyn Harness>, BenchError> {
    if names.is_empty() {
        return Ok(ALL.to_vec());
    }
    let of = |name: &String| {
        named(name).ok_or_else(|| BenchError::UnknownHarness {
            asked: name.clone(),
            known: ALL.iter().map(|harness| harness.name()).collect(),
        })
    };
    names.iter().map(of).collect()
}

/// The suites of a tree that are in a folder of it.
pub(super) fn suites(
    harnesses: &[&'static dyn Harness],
    tree: &Tree,
    within: &Path,
) -> Vec<(&'static dyn Harness, Suite)> {
    let of = |&harness: &&'static dyn Harness| {
        let found = harness.found(tree).into_iter();
        found.filter_map(move |suite| Some((harness, inside(suite, within)?)))
    };
    harnesses.iter().flat_map(of).collect()
}

/// What of a suite is in a folder: all, if its own folder is, else those of its parts that are.
fn inside(mut suite: Suite, within: &Path) -> Option<Suite> {
    if !suite.folder.starts_with(within) {
        suite.parts.retain(|part| Path::new(part).starts_with(within));
        if suite.parts.is_empty() {
            return None;
        }
    }
    Some(suite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_in_the_folder_is_taken() {
        let suite = |folder: &str, parts: &[&str]| Suite {
            folder: folder.into(),
            name: String::new(),
            parts: parts.iter().map(|part| (*part).to_owned()).collect(),
            why: String::new(),
        };
        let of = |suite, within: &str| inside(suite, Path::new(within)).map(|suite| suite.parts);
        let both = suite("", &["tests/a.py", "more/b.py"]);
        assert_eq!(of(both.clone(), "").unwrap().len(), 2);
        assert_eq!(of(both.clone(), "tests").unwrap(), ["tests/a.py"]);
        assert_eq!(of(both, "src"), None);
        assert_eq!(of(suite("pkg/a", &["x"]), "pkg").unwrap(), ["x"]);
    }

    #[test]
    fn harnesses_go_by_their_names() {
        assert_eq!(harnesses(&[]).unwrap().len(), ALL.len());
        assert_eq!(harnesses(&["go".to_owned()]).unwrap()[0].name(), "go");
        assert!(harnesses(&["gopher".to_owned()]).is_err_and(|error| error.to_string().contains("gopher")));
    }
}
