//! Benchmarks that cabal builds: the stanzas of a package that need a library, their sources, and their executables.

use std::path::{Path, PathBuf};

use crate::command::{Command, Done};
use crate::harness::{Places, Program, Suite};
use crate::output::failed;
use crate::refused::Refused;
use crate::text::{code, lines};
use crate::tree::{Tree, said};

/// A part of a package's description: its first line, and its lines.
struct Stanza<'t> {
    head: &'t str,
    lines: Vec<&'t str>,
}

/// The packages of a tree with benchmarks that need a library.
pub(crate) fn found(tree: &Tree, library: &str) -> Vec<Suite> {
    let packages = tree
        .all()
        .filter(|(path, _)| path.extension().is_some_and(|end| end == "cabal"));
    let suite = |(path, text): (&Path, &str)| {
        let parts = needing(text, library);
        let why = format!("{}: benchmark {}", said(path), parts.first()?);
        Some(Suite {
            folder: path.parent()?.to_owned(),
            name: path.file_stem()?.to_string_lossy().into_owned(),
            parts,
            why,
        })
    };
    packages.filter_map(suite).collect()
}

/// The benchmarks that need a library, by their own words or by those of a common stanza that they import.
fn needing(package: &str, library: &str) -> Vec<String> {
    let stanzas = stanzas(package);
    let names = |stanza: &Stanza<'_>| {
        stanza
            .lines
            .iter()
            .any(|line| words(line).any(|word| word == library))
    };
    let needs = |stanza: &&Stanza<'_>| {
        let imported = stanza.field("import");
        let common = stanzas.iter().filter(|one| {
            let name = one.head.strip_prefix("common ").map(str::trim);
            name.is_some_and(|name| imported.contains(&name))
        });
        names(stanza) || common.into_iter().any(names)
    };
    let benchmarks = stanzas.iter().filter(|stanza| stanza.benchmark().is_some());
    let needing = benchmarks.filter(needs).filter_map(Stanza::benchmark);
    needing.map(str::to_owned).collect()
}

fn stanzas(package: &str) -> Vec<Stanza<'_>> {
    let mut all = vec![Stanza {
        head: "",
        lines: Vec::new(),
    }];
    let meant = package
        .lines()
        .filter(|line| !line.trim_start().starts_with("--"));
    for line in meant {
        // Fields of the package itself begin in the first column, too.
        if line.starts_with(char::is_alphabetic) && !line.contains(':') {
            all.push(Stanza {
                head: line.trim_end(),
                lines: Vec::new(),
            });
        } else if let Some(last) = all.last_mut() {
            last.lines.push(line);
        }
    }
    all
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '-')
}

impl<'t> Stanza<'t> {
    /// The name of the benchmark that it is.
    fn benchmark(&self) -> Option<&'t str> {
        self.head.strip_prefix("benchmark ").map(str::trim)
    }

    /// The values of a field: what is on its line, and on further ones that are set in more.
    fn field(&self, name: &str) -> Vec<&'t str> {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let mut values = Vec::new();
        let mut within: Option<usize> = None;
        for line in self.lines.iter().filter(|line| !line.trim().is_empty()) {
            let named = line.trim_start().split_once(':');
            if let Some((_, value)) = named.filter(|(key, _)| key.trim().eq_ignore_ascii_case(name)) {
                within = Some(indent(line));
                values.push(value);
            } else if within.is_some_and(|field| indent(line) > field) {
                values.push(line);
            } else {
                within = None;
            }
        }
        let words = values.into_iter().flat_map(|text| text.split([',', ' ', '\t']));
        words.filter(|word| !word.is_empty()).collect()
    }

    fn folders(&self) -> Vec<&'t str> {
        match self.field("hs-source-dirs") {
            none if none.is_empty() => vec!["."],
            some => some,
        }
    }
}

/// The folders of a benchmark's sources that nothing else of the package is made of, and if there is none its main file.
fn own(package: &str, benchmark: &str) -> Vec<PathBuf> {
    let stanzas = stanzas(package);
    let is_ours = |stanza: &&Stanza<'_>| stanza.benchmark() == Some(benchmark);
    let Some(ours) = stanzas.iter().find(is_ours) else {
        return Vec::new();
    };
    // Another benchmark is no part of what is measured.
    let others = stanzas.iter().filter(|stanza| {
        let kinds = ["library", "executable", "test-suite", "foreign-library"];
        kinds
            .iter()
            .any(|kind| stanza.head.split(' ').next() == Some(kind))
    });
    let others: Vec<PathBuf> = others.flat_map(Stanza::folders).map(plain).collect();
    let folders = ours.folders().into_iter().map(plain);
    let shared = |folder: &PathBuf| {
        let root = folder.as_os_str().is_empty();
        root || others.iter().any(|other| {
            other.starts_with(folder) || folder.starts_with(other) && !other.as_os_str().is_empty()
        })
    };
    let own: Vec<PathBuf> = folders.clone().filter(|folder| !shared(folder)).collect();
    if !own.is_empty() {
        return own;
    }
    let main = ours.field("main-is");
    folders
        .flat_map(|folder| main.iter().map(move |file| folder.join(file)))
        .collect()
}

/// A folder without what says nothing: `./bench/`.
fn plain(folder: &str) -> PathBuf {
    Path::new(folder)
        .components()
        .filter(|part| *part != std::path::Component::CurDir)
        .collect()
}

fn description<'t>(tree: &'t Tree, suite: &Suite) -> Option<&'t str> {
    tree.text(&suite.folder.join(format!("{}.cabal", suite.name)))
}

/// The files and folders of a suite's benchmarks.
pub(crate) fn own_files(tree: &Tree, suite: &Suite) -> Vec<PathBuf> {
    let Some(package) = description(tree, suite) else {
        return Vec::new();
    };
    let mut all: Vec<PathBuf> = suite.parts.iter().flat_map(|part| own(package, part)).collect();
    all.sort();
    all.dedup();
    all.into_iter().map(|path| suite.folder.join(path)).collect()
}

/// The text of a benchmark's sources.
pub(crate) fn source(tree: &Tree, suite: &Suite, benchmark: &str) -> Option<String> {
    let own = own(description(tree, suite)?, benchmark);
    let own: Vec<PathBuf> = own.into_iter().map(|path| suite.folder.join(path)).collect();
    let files = tree.all().filter(|(path, _)| {
        let source = path.extension().is_some_and(|end| end == "hs");
        source && own.iter().any(|one| path.starts_with(one))
    });
    let texts: Vec<String> = files.map(|(_, text)| code(text, "-- ")).collect();
    (!texts.is_empty()).then(|| texts.concat())
}

/// Builds the benchmarks, and finds out where their executables are.
pub(crate) fn build(suite: &Suite, places: &Places) -> Vec<Command> {
    let cabal = |verb: &[&str]| {
        let command = Command::new("cabal", places.root.join(&suite.folder));
        let command = command.args(verb).args(["--enable-benchmarks"]);
        command.flag("--builddir=", places.out)
    };
    let targets = suite.parts.iter().map(|part| format!("bench:{part}"));
    let build = cabal(&["build"]).args(targets.clone());
    let find = targets.map(|target| cabal(&["-v0", "list-bin"]).args([target]));
    [build].into_iter().chain(find).collect()
}

pub(crate) fn built(suite: &Suite, places: &Places, done: &[Done]) -> Result<Vec<Program>, Refused> {
    let found = suite.parts.iter().zip(done.iter().skip(1));
    let program = |(part, done): (&String, &Done)| {
        let last = lines(&done.stdout).filter(|line| !line.is_empty()).last();
        let executable = last
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
            .ok_or_else(|| {
                let hint = "build it by hand with `cabal build --enable-benchmarks`";
                failed(
                    &format!("find the executable of {part}"),
                    done,
                    "cabal names no path",
                    hint,
                )
            })?;
        Ok(Program::new(part, executable, places.root.join(&suite.folder)))
    };
    found.map(program).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKAGE: &str = "\
name: words
version: 1

common shared
  build-depends: base, tasty-bench >=0.3

library
  hs-source-dirs: src
  build-depends: base, criterion-measurement

-- benchmark old
benchmark speed
  type: exitcode-stdio-1.0
  main-is: Main.hs
  hs-source-dirs:
    ./bench/,
    common
  build-depends: base, criterion >=1.5

benchmark size
  import: shared
  main-is: Size.hs
  hs-source-dirs: src
";

    fn tree(main: &'static str, size: &'static str) -> Tree {
        Tree::of([
            ("p/words.cabal", PACKAGE),
            ("p/src/Words.hs", "module Words where"),
            ("p/src/Size.hs", size),
            ("p/bench/Main.hs", main),
            ("p/common/Text.hs", "module Text where"),
        ])
    }

    #[test]
    fn benchmarks_are_those_that_need_the_library() {
        assert_eq!(needing(PACKAGE, "criterion"), ["speed"]);
        assert_eq!(needing(PACKAGE, "tasty-bench"), ["size"]);
        assert!(needing(PACKAGE, "gauge").is_empty());
        let suites = found(&tree("", ""), "criterion");
        assert_eq!(suites[0].why, "p/words.cabal: benchmark speed");
    }

    #[test]
    fn a_benchmark_has_folders_of_its_own_or_its_main_file() {
        let own = |library: &str| own_files(&tree("", ""), &found(&tree("", ""), library)[0]);
        assert_eq!(own("criterion"), ["p/bench", "p/common"].map(PathBuf::from));
        // The library is in this folder, too.
        assert_eq!(own("tasty-bench"), [PathBuf::from("p/src/Size.hs")]);
    }

    #[test]
    fn the_text_is_that_of_its_own_sources() {
        let of = |library: &str, part: &str, main, size| {
            let tree = tree(main, size);
            source(&tree, &found(&tree, library)[0], part)
        };
        let speed = |main| of("criterion", "speed", main, "");
        assert_ne!(speed("main = a"), speed("main = b"));
        assert_eq!(speed("main = a"), speed("-- A remark.\nmain = a"));
        assert!(speed("").unwrap().contains("module Text"));
        let size = |size| of("tasty-bench", "size", "", size).unwrap();
        assert!(size("main = c").contains("main = c") && !size("").contains("module Words"));
    }
}
