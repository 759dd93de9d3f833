//! Benchmarks that CMake builds: targets that link a harness.

use std::path::{Path, PathBuf};

use crate::command::Command;
use crate::harness::{Places, Program, Suite};
use crate::refused::Refused;
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
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    let plain = lines.collect::<Vec<_>>().join("\n");
    let calls = plain.split("target_link_libraries").skip(1);
    let calls = calls.filter_map(|call| call.trim_start().strip_prefix('(')?.split(')').next());
    let mut targets = Vec::new();
    for call in calls {
        let mut words = call.split_whitespace();
        let Some(target) = words.next().filter(|target| !target.contains('$')) else {
            continue;
        };
        if words.any(|word| libraries.contains(&word)) && !targets.iter().any(|known| known == target) {
            targets.push(target.to_owned());
        }
    }
    targets
}

/// Configures and builds the targets, with their executables in one folder.
pub(crate) fn build(suite: &Suite, places: &Places) -> Vec<Command> {
    let (root, source) = (places.root, places.root.join(&suite.folder));
    let configure = Command::new("cmake", root)
        .args([
            "-S".into(),
            source.into_os_string(),
            "-B".into(),
            made(suite, places).into_os_string(),
        ])
        .args(["-DCMAKE_BUILD_TYPE=Release"])
        .flag("-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=", executables(suite, places));
    let build = Command::new("cmake", root)
        .args(["--build".into(), made(suite, places).into_os_string()])
        .args(["--config", "Release", "--target"])
        .args(&suite.parts);
    vec![configure, build]
}

pub(crate) fn built(suite: &Suite, places: &Places) -> Result<Vec<Program>, Refused> {
    let program = |target: &String| {
        let executable = executables(suite, places).join(target);
        Program::new(target, executable, places.root.join(&suite.folder))
    };
    Ok(suite.parts.iter().map(program).collect())
}

/// A folder of each project's own, since several may be built in one place.
fn made(suite: &Suite, places: &Places) -> PathBuf {
    let name = said(&suite.folder).replace('/', "-").replace('.', "project");
    places.out.join(name)
}

fn executables(suite: &Suite, places: &Places) -> PathBuf {
    made(suite, places).join("bin")
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
