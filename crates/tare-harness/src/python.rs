//! The Python that runs a tree's benchmarks, and where it looks for what they measure.

use std::path::{Path, PathBuf};

use crate::harness::{Places, Program};

/// Where people make the environment of a project.
const ENVIRONMENTS: [&str; 2] = [".venv/bin/python", "venv/bin/python"];

/// A program of Python in a tree: by the environment in the tree, else by the `python3` that `PATH` has first. That may have
/// the project installed from elsewhere: so that each tree measures itself, its own sources come first. What Python compiles
/// is kept beside the builds: without it each process would compile anew, and in the tree it would be a change.
pub(crate) fn program(name: &str, places: &Places, folder: &Path) -> Program {
    let root = places.root;
    let own = ENVIRONMENTS
        .iter()
        .map(|path| root.join(path))
        .find(|path| path.exists());
    let mut program = Program::new(name, own.unwrap_or_else(|| PathBuf::from("python3")), folder);
    let sources = root.join("src");
    let path = if sources.is_dir() {
        sources
    } else {
        root.to_owned()
    };
    let env = [
        ("PYTHONPATH", path.into_os_string()),
        (
            "PYTHONPYCACHEPREFIX",
            places.out.join("compiled").into_os_string(),
        ),
        // Set in many containers; then nothing would be kept, nor read from where it was.
        ("PYTHONDONTWRITEBYTECODE", "".into()),
    ];
    let env = env.map(|(name, value)| (name.to_owned(), value));
    program.env.extend(env);
    program
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_measures_its_own_sources_by_its_own_environment() {
        let root = tempfile::tempdir().unwrap();
        let places = Places {
            root: root.path(),
            out: Path::new("/out"),
        };
        let of = || program("a", &places, root.path());
        assert_eq!(of().executable, Path::new("python3"));
        assert_eq!(of().env[0].1, root.path().as_os_str());
        assert_eq!(of().env[1].1, "/out/compiled");
        std::fs::create_dir_all(root.path().join("src")).unwrap();
        std::fs::create_dir_all(root.path().join(".venv/bin")).unwrap();
        std::fs::write(root.path().join(".venv/bin/python"), "").unwrap();
        assert_eq!(of().executable, root.path().join(".venv/bin/python"));
        assert_eq!(of().env[0].1, root.path().join("src").as_os_str());
    }
}
