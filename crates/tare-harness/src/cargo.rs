//! Benchmarks that cargo builds: which sources have them, and which executables came of these.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::command::{Command, Done};
use crate::harness::{Listing, Places, Program, Suite, Way};
use crate::json::{list, text};
use crate::output::{ended_well, listing_of, not_empty};
use crate::refused::Refused;
use crate::shuffling;
use crate::text::lines;
use crate::tree::{Tree, said};

/// Messages that name the executables, and diagnostics as people read them, which an error shows.
const RENDERED: &str = "--message-format=json-render-diagnostics";

/// The packages of a tree with sources that a harness is seen by.
pub(crate) fn found(tree: &Tree, seen: impl Fn(&Path, &str) -> bool) -> Vec<Suite> {
    let mut suites = Vec::new();
    for (manifest, text) in tree.named("Cargo.toml") {
        let folder = manifest.parent().unwrap_or(Path::new(""));
        let sources = tree.owned(folder, "Cargo.toml", ".rs");
        let seen: Vec<String> = sources
            .into_iter()
            .filter(|(path, text)| seen(path.strip_prefix(folder).unwrap_or(path), text))
            .map(|(path, _)| said(path))
            .collect();
        if let Some(first) = seen.first() {
            suites.push(Suite {
                folder: folder.to_owned(),
                name: package(text).unwrap_or_else(|| said(folder)),
                why: format!("{}, {first}", said(manifest)),
                parts: seen,
            });
        }
    }
    suites
}

/// Whether a source is, by its place, a benchmark's: others are parts of the library, its tests, its examples.
pub(crate) fn among_benches(path: &Path) -> bool {
    path.components().any(|part| {
        let part = part.as_os_str().to_string_lossy();
        part == "benches" || part == "bench"
    })
}

fn package(manifest: &str) -> Option<String> {
    let package = manifest.split("[package]").nth(1)?;
    let name = package
        .lines()
        .find_map(|line| line.trim().strip_prefix("name"))?;
    let name = name.trim_start().strip_prefix('=')?.trim();
    Some(name.trim_matches('"').to_owned())
}

/// The benchmarks that a program lists as libtest does, `NAME: benchmark` a line, each chosen by its exact name.
pub(crate) fn listed(program: &Program, done: &Done) -> Result<Listing, Refused> {
    ended_well(&listing_of(program), done)?;
    let mut listing = Listing::default();
    for line in lines(&done.stdout) {
        if let Some(name) = line.strip_suffix(": benchmark") {
            listing.add(name, vec!["--exact".to_owned(), "--".to_owned(), name.to_owned()]);
        }
    }
    not_empty(program, done, listing.only_unique())
}

/// Builds them. Cargo's messages name the executables.
pub(crate) fn build(suite: &Suite, places: &Places, toolchain: Option<&str>) -> Command {
    Command::new("cargo", places.root.join(&suite.folder))
        .args(toolchain)
        .args(["bench", "--no-run", RENDERED])
        .env("CARGO_TARGET_DIR", places.out)
}

/// Prints the version of the compiler that builds a suite.
pub(crate) fn version(suite: &Suite, places: &Places, toolchain: Option<&str>) -> Command {
    let command = Command::new("rustc", places.root.join(&suite.folder));
    command.args(toolchain).args(["-vV"])
}

/// Links each target once more, with its functions in another order. Only the target itself is compiled again. The linker of new
/// toolchains is lld; others can be asked to use it.
pub(crate) fn shuffle(
    suite: &Suite,
    places: &Places,
    programs: &[Program],
    toolchain: Option<&str>,
    seed: u64,
) -> Vec<Way> {
    let one = |program: &Program, flags: &[String]| {
        let flags = flags
            .iter()
            .flat_map(|flag| ["-C".to_owned(), format!("link-arg={flag}")]);
        Command::new("cargo", places.root.join(&suite.folder))
            .args(toolchain)
            .args(["rustc", "--profile=bench", RENDERED, "--bench"])
            .args([program.name.as_str(), "--"])
            .args(flags)
            .env("CARGO_TARGET_DIR", places.out)
    };
    let way = |(linker, flags): (&'static str, Vec<String>)| Way {
        linker,
        commands: programs.iter().map(|program| one(program, &flags)).collect(),
    };
    let own = ("the toolchain's own", vec![shuffling::lld(seed)]);
    [own].into_iter().chain(shuffling::all(seed)).map(way).collect()
}

/// The folders of a suite's benchmarks; none if they are among what they measure.
pub(crate) fn own_files(suite: &Suite) -> Vec<PathBuf> {
    let folder = |part: &String| {
        let below = Path::new(part).strip_prefix(&suite.folder).ok()?;
        let mut inner = PathBuf::new();
        for piece in below.parent()? {
            inner.push(piece);
            if piece == "benches" || piece == "bench" {
                return Some(suite.folder.join(inner));
            }
        }
        None
    };
    let folders: Option<BTreeSet<PathBuf>> = suite.parts.iter().map(folder).collect();
    folders.unwrap_or_default().into_iter().collect()
}

/// The source of a target, where that is one file of its name.
pub(crate) fn source(tree: &Tree, suite: &Suite, program: &str) -> Option<String> {
    let mut named = suite
        .parts
        .iter()
        .map(Path::new)
        .filter(|part| part.file_stem().is_some_and(|stem| stem == program));
    let text = tree.text(named.next()?)?.to_owned();
    named.next().is_none().then_some(text)
}

/// The executables of a suite's sources, from cargo's messages.
pub(crate) fn built(suite: &Suite, done: &[Done]) -> Result<Vec<Program>, Refused> {
    let output = done
        .iter()
        .flat_map(|done| done.stdout.split(|byte| *byte == b'\n'));
    let messages = output.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let programs: Vec<Program> = messages.filter_map(|message| program(suite, &message)).collect();
    if programs.is_empty() {
        let tried = format!("build the benchmarks of {}", suite.name);
        let found = format!("cargo built none of {}", suite.parts.join(", "));
        let hint = "see `required-features` and `harness = false` of its [[bench]] in Cargo.toml";
        return Err(Refused::new(&tried, &found, hint));
    }
    Ok(programs)
}

fn program(suite: &Suite, message: &Value) -> Option<Program> {
    let (target, executable) = (message.get("target")?, text(message, "executable"));
    let source = Path::new(text(target, "src_path"));
    let manifest = Path::new(text(message, "manifest_path"));
    let kinds: Vec<&str> = list(target, "kind").iter().filter_map(Value::as_str).collect();
    // A library's own benchmarks are in any of its sources; cargo names only the first of these.
    let inner = |part: &String| {
        let below = Path::new(part)
            .strip_prefix(&suite.folder)
            .unwrap_or(Path::new(part));
        below.starts_with("src") && manifest.ends_with(suite.folder.join("Cargo.toml"))
    };
    let ours = match kinds.as_slice() {
        ["bench"] => suite.parts.iter().any(|part| source.ends_with(part)),
        ["bin" | "example" | "test", ..] => false,
        _ => suite.parts.iter().any(inner),
    };
    if executable.is_empty() || !ours {
        return None;
    }
    let folder = manifest.parent()?;
    let mut program = Program::new(text(target, "name"), executable, folder);
    // As `cargo bench` sets it for what it runs.
    program.env.push(("CARGO_MANIFEST_DIR".to_owned(), folder.into()));
    Some(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: &str, source: &str) -> String {
        format!(
            r#"{{"reason":"compiler-artifact","manifest_path":"/p/inner/Cargo.toml","target":{{"kind":["{kind}"],"name":"n","src_path":"/p/inner/{source}"}},"executable":"/out/n-1"}}"#
        )
    }

    fn programs(part: &str, messages: &[String]) -> usize {
        let suite = Suite {
            folder: "inner".into(),
            name: "n".to_owned(),
            parts: vec![part.to_owned()],
            why: String::new(),
        };
        let done = Done {
            stdout: format!("not JSON\n{}\n", messages.join("\n")).into_bytes(),
            ..Done::default()
        };
        built(&suite, &[done]).map_or(0, |programs| programs.len())
    }

    #[test]
    fn executables_are_those_of_the_sources() {
        let (bench, other) = (message("bench", "benches/a.rs"), message("bench", "benches/b.rs"));
        let all = [
            bench,
            other,
            message("lib", "src/lib.rs"),
            message("bin", "src/main.rs"),
        ];
        assert_eq!(programs("inner/benches/a.rs", &all), 1);
        assert_eq!(programs("inner/src/deep/sum.rs", &all), 1);
        assert_eq!(programs("inner/benches/c.rs", &all), 0);
    }

    #[test]
    fn benchmarks_have_folders_of_their_own_or_are_among_the_sources() {
        let own = |parts: &[&str]| {
            let suite = Suite {
                folder: "inner".into(),
                name: "n".to_owned(),
                parts: parts.iter().map(|part| (*part).to_owned()).collect(),
                why: String::new(),
            };
            own_files(&suite)
        };
        assert_eq!(
            own(&["inner/benches/a.rs", "inner/benches/deep/b.rs"]),
            [Path::new("inner/benches")]
        );
        assert!(own(&["inner/benches/a.rs", "inner/src/lib.rs"]).is_empty());
    }

    #[test]
    fn a_package_has_its_name() {
        assert_eq!(package("[package]\nname = \"words\"\n").as_deref(), Some("words"));
        assert_eq!(package("[workspace]\nmembers = []\n"), None);
    }
}
