//! A checkout: which suite it is of, and all of its implementations.

use std::path::{Path, PathBuf};

use crate::arena::{self, Common, META};
use crate::field::shown;
use crate::files::{BadFile, Files, join};
use crate::profiles::{self, Profile};
use crate::tfb::{self, CONFIG};
use crate::{Implementation, Suite};

/// The folder with all implementations.
const FRAMEWORKS: &str = "frameworks";

/// The most folders of implementations.
const MOST: usize = 10_000;

/// A folder that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkout {
    /// The suite that it is of.
    pub suite: Suite,
    /// The checkout, from which paths begin.
    pub root: PathBuf,
    /// The implementations, in the order of their folders.
    pub implementations: Vec<Implementation>,
    /// The profiles of HttpArena, as the scripts of the checkout have them; none where they are missing, or of the other suite.
    pub profiles: Vec<Profile>,
    /// Files that could not be read.
    pub unreadable: Vec<BadFile>,
}

/// Why a folder cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// There is none.
    #[error("{} is no folder", folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// It is of no suite.
    #[error(
        "{} is no checkout of FrameworkBenchmarks or HttpArena: it has neither {CONFIG} nor {META}, and no `{FRAMEWORKS}` with them",
        folder.display()
    )]
    NoSuite {
        /// The folder.
        folder: PathBuf,
    },
    /// It has more folders than any suite.
    #[error("{} has more than {MOST} implementations", folder.display())]
    TooMany {
        /// The folder.
        folder: PathBuf,
    },
}

/// Where the implementations of a folder are.
struct Found {
    suite: Suite,
    /// Folders of implementations, from the checkout.
    folders: Vec<String>,
}

/// Reads a checkout, its folder `frameworks`, or the folder of a language or an implementation in it.
///
/// # Errors
/// It is no such folder. A file in it that cannot be read is no error: it is among what was found.
pub fn read(folder: &Path) -> Result<Checkout, SuiteError> {
    let told = || folder.to_owned();
    let whole = folder
        .canonicalize()
        .ok()
        .filter(|folder| folder.is_dir())
        .ok_or_else(|| SuiteError::NoFolder { folder: told() })?;
    let (root, below) = split(&whole);
    let files = Files::new(root.clone());
    let found = find(&files, &below).ok_or_else(|| SuiteError::NoSuite { folder: told() })?;
    if found.folders.len() > MOST {
        return Err(SuiteError::TooMany { folder: told() });
    }
    let mut checkout = Checkout {
        suite: found.suite,
        root,
        implementations: Vec::new(),
        profiles: Vec::new(),
        unreadable: Vec::new(),
    };
    match found.suite {
        Suite::FrameworkBenchmarks => checkout.of_frameworks(&files, &found.folders),
        Suite::HttpArena => checkout.of_arena(&files, &found.folders),
    }
    Ok(checkout)
}

/// The checkout that a folder is in, and the folder from there: as in `ROOT/frameworks/…`, or the folder itself.
fn split(folder: &Path) -> (PathBuf, String) {
    // At most a language and an implementation below `frameworks`.
    for above in folder.ancestors().take(3) {
        if above.file_name().is_some_and(|name| name == FRAMEWORKS)
            && let Some(root) = above.parent()
            && let Some(below) = folder.strip_prefix(root).ok().and_then(Path::to_str)
        {
            return (root.to_owned(), below.to_owned());
        }
    }
    (folder.to_owned(), String::new())
}

/// The implementations in a folder, or in its `frameworks`.
fn find(files: &Files, below: &str) -> Option<Found> {
    let frameworks = join(below, FRAMEWORKS);
    let begin = if files.folders(&frameworks).is_empty() {
        below.to_owned()
    } else {
        frameworks
    };
    let mut level = vec![begin];
    // The folder itself, those in it, and those in these: frameworks/LANGUAGE/NAME.
    for _ in 0..3 {
        for (suite, file) in [(Suite::FrameworkBenchmarks, CONFIG), (Suite::HttpArena, META)] {
            let has = |folder: &&String| files.has(&join(folder, file));
            let folders: Vec<String> = level.iter().filter(has).cloned().collect();
            if !folders.is_empty() {
                return Some(Found { suite, folders });
            }
        }
        level = level
            .iter()
            .flat_map(|folder| below_of(files, folder))
            .take(MOST * 2)
            .collect();
    }
    None
}

fn below_of(files: &Files, folder: &str) -> Vec<String> {
    let names = files.folders(folder).into_iter();
    names.map(|name| join(folder, &name)).collect()
}

impl Checkout {
    fn of_frameworks(&mut self, files: &Files, folders: &[String]) {
        for folder in folders {
            match tfb::read(files, folder) {
                Ok(all) => self.implementations.extend(all),
                Err(bad) => self.unreadable.push(escaped(bad)),
            }
        }
    }

    fn of_arena(&mut self, files: &Files, folders: &[String]) {
        let profiles = profiles::read(files, "").unwrap_or_else(|bad| {
            self.unreadable.push(escaped(bad));
            None
        });
        let mounts = profiles::mounts(files, "");
        let common = Common {
            root: "",
            profiles: profiles.as_deref(),
            mounts: &mounts,
        };
        for folder in folders {
            let name = folder.rsplit('/').next().filter(|name| !name.is_empty());
            let own = self
                .root
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            match arena::read(files, folder, name.unwrap_or(own), &common) {
                Ok(one) => self.implementations.push(one),
                Err(bad) => self.unreadable.push(escaped(bad)),
            }
        }
        self.profiles = profiles.unwrap_or_default();
    }
}

/// A file whose path may be shown, as its reason may.
fn escaped(bad: BadFile) -> BadFile {
    BadFile {
        path: shown(&bad.path),
        ..bad
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn put(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    const BEADS: &str = r#"{"framework": "beads", "tests": [{"default": {"json_url": "/json", "port": 8080, "language": "Abacus"}}]}"#;

    fn names(checkout: &Checkout) -> Vec<String> {
        let named = |one: &Implementation| format!("{} in {}", one.name, one.folder);
        checkout.implementations.iter().map(named).collect()
    }

    #[test]
    fn a_checkout_is_known_from_each_of_its_folders() {
        let root = tempfile::tempdir().unwrap();
        let at = root.path();
        put(at, "frameworks/Abacus/beads/benchmark_config.json", BEADS);
        put(at, "frameworks/Abacus/beads/beads.dockerfile", "FROM scratch\n");
        put(at, "frameworks/Slide/rule/benchmark_config.json", "{");
        put(at, "toolset/README.md", "");
        let own = "beads in frameworks/Abacus/beads";
        for (below, others) in [
            ("", 1),
            ("frameworks", 1),
            ("frameworks/Abacus", 0),
            ("frameworks/Abacus/beads", 0),
        ] {
            let checkout = read(&at.join(below)).unwrap();
            assert_eq!(
                (checkout.suite, names(&checkout)),
                (Suite::FrameworkBenchmarks, vec![own.to_owned()])
            );
            assert_eq!(checkout.unreadable.len(), others, "{below}");
            assert_eq!(checkout.implementations[0].runnable().count(), 1);
        }
        let broken = read(&at.join("frameworks/Slide")).unwrap();
        assert!(broken.implementations.is_empty());
        assert_eq!(
            broken.unreadable[0].path,
            "frameworks/Slide/rule/benchmark_config.json"
        );
    }

    #[test]
    fn an_implementation_of_the_arena_has_the_tests_of_its_profiles() {
        let root = tempfile::tempdir().unwrap();
        let at = root.path();
        put(
            at,
            "frameworks/beads/meta.json",
            r#"{"display_name": "Beads", "language": "Abacus", "type": "tuned", "enabled": true,
                "tests": ["sums", "secret", "gone", "sums"], "maintainers": ["a", "b"]}"#,
        );
        put(at, "frameworks/beads/Dockerfile", "FROM debian:bookworm\n");
        put(
            at,
            "frameworks/off/meta.json",
            r#"{"enabled": false, "tests": ["sums"]}"#,
        );
        put(at, "frameworks/_shared/README.md", "");
        let without = read(at).unwrap();
        assert_eq!(without.suite, Suite::HttpArena);
        let why = |checkout: &Checkout, n: usize| {
            let why = checkout.implementations[n].why_not();
            why.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        };
        assert!(why(&without, 0).contains("without the suite's scripts"));
        put(
            at,
            "scripts/lib/profiles.sh",
            "PROFILES=(\n[sums]=\"1|0|0|8|\"\n[secret]=\"1|0|0|8|tls\"\n)\nendpoint_tool() {\ncase \"$1\" in tls) echo wrk ;; \
             *) echo gcannon ;; esac\n}\n",
        );
        put(
            at,
            "scripts/lib/tools/gcannon.sh",
            "gcannon_build_args() {\ncase \"$e\" in \"\") args=(\"http://localhost:$PORT/pipeline\") ;; esac\n}\n",
        );
        let checkout = read(&at.join("frameworks/beads")).unwrap();
        assert_eq!(names(&checkout), ["beads in frameworks/beads"]);
        let beads = &checkout.implementations[0];
        assert_eq!(
            (beads.display_name.as_str(), beads.container.port),
            ("Beads", 8080)
        );
        assert!(beads.about.contains(&("maintainers", "a, b".to_owned())));
        assert_eq!(beads.container.bases, ["debian:bookworm"]);
        let runnable: Vec<&str> = beads.runnable().map(|test| test.name.as_str()).collect();
        assert_eq!(runnable, ["sums"]);
        assert_eq!(beads.tests[0].url.as_deref(), Some("/pipeline"));
        let reasons: Vec<String> = beads.tests[1..]
            .iter()
            .map(|test| test.obstacle.as_ref().unwrap().to_string())
            .collect();
        assert!(
            reasons[0].contains("sent by wrk") && reasons[1].contains("no profile `gone`"),
            "{reasons:?}"
        );
        let all = read(at).unwrap();
        assert!(why(&all, 1).contains("switched off") && why(&all, 1).contains("Dockerfile"));
        assert_eq!(all.profiles.len(), 2);
    }

    #[test]
    fn other_folders_are_refused() {
        let root = tempfile::tempdir().unwrap();
        put(root.path(), "a/b/c/d.json", "");
        let refused = |folder: &Path| read(folder).unwrap_err().to_string();
        assert!(refused(root.path()).contains("neither benchmark_config.json nor meta.json"));
        assert!(refused(&root.path().join("none")).contains("is no folder"));
        assert!(refused(&root.path().join("a/b/c/d.json")).contains("is no folder"));
    }
}
