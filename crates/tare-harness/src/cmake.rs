//! Benchmarks that CMake builds: targets that link a harness.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::command::{Command, Done};
use crate::harness::{Places, Program, Suite, Way};
use crate::refused::Refused;
use crate::shuffling;
use crate::text::lines;
use crate::tree::{Tree, said};

/// The projects of a tree with targets that link one of these libraries. A project is what the outermost CMakeLists.txt makes.
pub(crate) fn found(tree: &Tree, libraries: &[&str]) -> Vec<Suite> {
    let mut suites: Vec<Suite> = Vec::new();
    for (path, text) in tree.named("CMakeLists.txt") {
        let targets = linking(text, libraries);
        let folder = path.parent().unwrap_or(Path::new(""));
        let Some(project) = tree
            .outermost(folder, "CMakeLists.txt")
            .filter(|_| !targets.is_empty())
        else {
            continue;
        };
        match suites.iter_mut().find(|suite| suite.folder == project) {
            Some(suite) => suite.parts.extend(targets),
            None => suites.push(Suite {
                folder: project.to_owned(),
                name: said(project),
                why: format!("{}: {}", said(path), targets.join(", ")),
                parts: targets,
            }),
        }
    }
    suites
}

/// Targets whose names are written out; what a variable names is known to CMake only.
fn linking(text: &str, libraries: &[&str]) -> Vec<String> {
    let mut targets: Vec<String> = Vec::new();
    for words in calls(text, "target_link_libraries") {
        let Some((target, words)) = words.split_first().filter(|(target, _)| !target.contains('$')) else {
            continue;
        };
        let links = words.iter().any(|word| libraries.contains(&word.as_str()));
        if links && !targets.contains(target) {
            targets.push(target.clone());
        }
    }
    targets
}

/// The words of each call of a command.
fn calls(text: &str, name: &str) -> Vec<Vec<String>> {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    let plain = lines.collect::<Vec<_>>().join("\n");
    let calls = plain.split(name).skip(1);
    let calls = calls.filter_map(|call| call.trim_start().strip_prefix('(')?.split(')').next());
    calls
        .map(|call| {
            call.split_whitespace()
                .map(|word| word.trim_matches('"').to_owned())
                .collect()
        })
        .collect()
}

/// Configures and builds the targets, with their executables in one folder.
pub(crate) fn build(suite: &Suite, places: &Places) -> Vec<Command> {
    let made = made(suite, places, "");
    vec![configure(suite, places, &made), make(suite, places, &made)]
}

fn configure(suite: &Suite, places: &Places, made: &Path) -> Command {
    let source = places.root.join(&suite.folder);
    Command::new("cmake", places.root)
        .args(["-S".into(), source.into_os_string(), "-B".into(), made.into()])
        .args(["-DCMAKE_BUILD_TYPE=Release"])
        .flag("-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=", executables(made))
}

fn make(suite: &Suite, places: &Places, made: &Path) -> Command {
    Command::new("cmake", places.root)
        .args(["--build".into(), made.as_os_str().to_owned()])
        .args(["--config", "Release", "--target"])
        .args(&suite.parts)
}

/// Links the targets with their functions in another order. They are compiled once for all orders, in a folder of their own: what
/// the linker moves are sections, so each function gets one. Libraries that the project makes as shared ones keep their order.
pub(crate) fn shuffle(suite: &Suite, places: &Places, seed: u64) -> Vec<Way> {
    let made = made(suite, places, "-shuffled");
    let way = |(linker, flags): (&'static str, Vec<String>)| {
        let configure = configure(suite, places, &made).args([
            // What CMake itself says for this type of build, and a section for each function.
            "-DCMAKE_C_FLAGS_RELEASE=-O3 -DNDEBUG -ffunction-sections".to_owned(),
            "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG -ffunction-sections".to_owned(),
            format!("-DCMAKE_EXE_LINKER_FLAGS_RELEASE={}", flags.join(" ")),
        ]);
        // For [`built`].
        let told = Command::new("cmake", places.root).args(["-E".into(), "echo".into(), executables(&made)]);
        let commands = vec![configure, make(suite, places, &made), told];
        Way { linker, commands }
    };
    shuffling::all(seed).map(way).into()
}

/// The programs. `done`: of [`build`], or of a way of [`shuffle`], which tells their folder.
pub(crate) fn built(suite: &Suite, places: &Places, done: &[Done]) -> Result<Vec<Program>, Refused> {
    let told = done.get(2).and_then(|done| lines(&done.stdout).next());
    let folder = told.map_or_else(|| executables(&made(suite, places, "")).into(), PathBuf::from);
    let program =
        |target: &String| Program::new(target, folder.join(target), places.root.join(&suite.folder));
    Ok(suite.parts.iter().map(program).collect())
}

/// A folder of each project's own, since several may be built in one place.
fn made(suite: &Suite, places: &Places, end: &str) -> PathBuf {
    let name = said(&suite.folder).replace('/', "-").replace('.', "project");
    places.out.join(format!("{name}{end}"))
}

fn executables(made: &Path) -> OsString {
    made.join("bin").into_os_string()
}

/// The files that a target is made of, as far as they are written out, relative to the tree's root; none if that is not known.
pub(crate) fn sources_of(tree: &Tree, suite: &Suite, target: &str) -> Vec<PathBuf> {
    let files = tree.named("CMakeLists.txt");
    let files = files.filter(|(path, _)| path.starts_with(&suite.folder));
    let of = |(path, text): (&Path, &str)| {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let calls = ["add_executable", "target_sources"].map(|name| calls(text, name));
        let mine = calls
            .concat()
            .into_iter()
            .filter(|words| words.first().is_some_and(|first| first == target));
        let sources: Vec<PathBuf> = mine.flatten().skip(1).map(|word| folder.join(word)).collect();
        sources
    };
    let all = files.flat_map(of);
    all.filter(|path| tree.text(path).is_some()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_those_that_link_the_library() {
        let text = "
            # target_link_libraries(old benchmark::benchmark)
            target_link_libraries(a PRIVATE fmt::fmt)
            target_link_libraries( b
                PRIVATE words benchmark::benchmark)
            target_link_libraries(${each} benchmark::benchmark)
            target_link_libraries(c benchmark::benchmark_main)
            target_link_libraries(b benchmark::benchmark";
        let libraries = ["benchmark::benchmark", "benchmark::benchmark_main"];
        assert_eq!(linking(text, &libraries), ["b", "c"]);
    }

    #[test]
    fn a_target_has_the_files_that_are_written_out() {
        let tree = Tree::of([
            ("CMakeLists.txt", "add_library(words src/words.cpp)"),
            (
                "bench/CMakeLists.txt",
                "add_executable(b a.cpp ${MORE} \"c.cpp\")\ntarget_sources(b PRIVATE d.cpp)\nadd_executable(c e.cpp)",
            ),
            ("bench/a.cpp", ""),
            ("bench/c.cpp", ""),
            ("bench/d.cpp", ""),
            ("bench/e.cpp", ""),
        ]);
        let suite = &found(
            &Tree::of([("CMakeLists.txt", "target_link_libraries(b benchmark)")]),
            &["benchmark"],
        )[0];
        let of = |target: &str| -> Vec<String> {
            sources_of(&tree, suite, target)
                .iter()
                .map(|path| said(path))
                .collect()
        };
        assert_eq!(of("b"), ["bench/a.cpp", "bench/c.cpp", "bench/d.cpp"]);
        assert!(of("words").is_empty());
    }

    #[test]
    fn an_order_is_drawn_in_a_folder_of_its_own() {
        let suite = &found(
            &Tree::of([("CMakeLists.txt", "target_link_libraries(b benchmark)")]),
            &["benchmark"],
        )[0];
        let places = Places {
            root: Path::new("/p"),
            out: Path::new("/o"),
        };
        let program = |done: &[Done]| built(suite, &places, done).unwrap()[0].executable.clone();
        assert_eq!(program(&[]), Path::new("/o/project/bin/b"));
        let ways = shuffle(suite, &places, 7);
        assert_eq!(
            ways.iter().map(|way| way.linker).collect::<Vec<_>>(),
            ["lld", "mold"]
        );
        let text = format!("{ways:?}");
        assert!(
            text.contains("--shuffle-sections=.text*=7") && !text.contains("/o/project/"),
            "{text}"
        );
        let mut done = vec![Done::default(); 3];
        done[2].stdout = ways[0].commands[2].args[2].clone().into_encoded_bytes();
        assert_eq!(program(&done), Path::new("/o/project-shuffled/bin/b"));
    }

    #[test]
    fn a_project_is_what_the_outermost_file_makes() {
        let tree = Tree::of([
            ("CMakeLists.txt", "add_subdirectory(bench)"),
            (
                "bench/CMakeLists.txt",
                "target_link_libraries(a benchmark::benchmark)",
            ),
        ]);
        let suites = found(&tree, &["benchmark::benchmark"]);
        assert_eq!(suites.len(), 1);
        assert_eq!(
            (suites[0].name.as_str(), &suites[0].parts),
            (".", &vec!["a".to_owned()])
        );
    }
}
