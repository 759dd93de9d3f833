//! What a command measures, as typed: a workload of the lab, or folders of another suite.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use tare_model::ids::{BadName, Selector};
use tare_prepare::suites::Foreign;
use tare_suites::Suite;

/// What is measured: a workload of the lab, or folders of another suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    Workload(Selector),
    Folder(FolderWord),
}

/// A folder of another suite, as typed: `tfb:frameworks/Go/gin`, `httparena:frameworks/actix@main`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderWord {
    pub suite: Suite,
    /// What was typed.
    pub word: String,
    /// What follows the suite.
    rest: String,
}

/// The words for suites.
const SUITES: [(&str, Suite); 2] = [
    ("tfb:", Suite::FrameworkBenchmarks),
    ("httparena:", Suite::HttpArena),
];

impl FromStr for Named {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        let folder = SUITES.iter().find_map(|(word, suite)| {
            Some(FolderWord {
                suite: *suite,
                word: text.to_owned(),
                rest: text.strip_prefix(word)?.to_owned(),
            })
        });
        folder.map_or_else(
            || text.parse().map(Self::Workload),
            |folder| Ok(Self::Folder(folder)),
        )
    }
}

impl FolderWord {
    /// `DIR`, `DIR:NAME`, `DIR@REV`, `DIR:NAME@REV`. What exists as a folder is one, whatever its name.
    pub fn foreign(&self) -> Foreign {
        let split = |text: &'_ str, at: char| -> Option<(String, String)> {
            let (folder, more) = text.rsplit_once(at)?;
            let is = !Path::new(text).exists() && !folder.is_empty() && !more.is_empty();
            is.then(|| (folder.to_owned(), more.to_owned()))
        };
        let (rest, revision) = match split(&self.rest, '@') {
            Some((rest, revision)) => (rest, Some(revision)),
            None => (self.rest.clone(), None),
        };
        let (folder, only) = match split(&rest, ':') {
            Some((folder, only)) => (folder, Some(only)),
            None => (rest, None),
        };
        Foreign {
            suite: self.suite,
            folder: PathBuf::from(folder),
            only,
            revision,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(text: &str) -> (Suite, String, Option<String>, Option<String>) {
        let Ok(Named::Folder(word)) = text.parse() else {
            panic!("{text} is no folder")
        };
        let Foreign {
            suite,
            folder,
            only,
            revision,
        } = word.foreign();
        (suite, folder.display().to_string(), only, revision)
    }

    #[test]
    fn a_folder_may_name_an_implementation_and_a_revision() {
        let some = |text: &str| Some(text.to_owned());
        let tfb = Suite::FrameworkBenchmarks;
        for (text, rest) in [
            ("tfb:a/b", (tfb, "a/b".to_owned(), None, None)),
            ("tfb:a/b@v1", (tfb, "a/b".to_owned(), None, some("v1"))),
            ("tfb:a:b-c", (tfb, "a".to_owned(), some("b-c"), None)),
            (
                "httparena:a:b@HEAD~1",
                (Suite::HttpArena, "a".to_owned(), some("b"), some("HEAD~1")),
            ),
            ("tfb:", (tfb, String::new(), None, None)),
        ] {
            assert_eq!(folder(text), rest, "{text}");
        }
        // What exists is a folder, whatever its name.
        let root = tempfile::tempdir().unwrap();
        let odd = root.path().join("a@b:c");
        std::fs::create_dir(&odd).unwrap();
        let path = odd.display().to_string();
        assert_eq!(folder(&format!("tfb:{path}")), (tfb, path, None, None));
    }

    #[test]
    fn other_words_are_workloads() {
        assert!(matches!("http/json".parse(), Ok(Named::Workload(_))));
        assert!("http:json".parse::<Named>().is_err());
    }
}
