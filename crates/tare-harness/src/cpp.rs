//! Benchmarks in C++: which files hold them, and the text of one.

use std::path::{Path, PathBuf};

use crate::cmake;
use crate::harness::Suite;
use crate::text::code;
use crate::tree::Tree;

const ENDS: [&str; 3] = ["cpp", "cc", "cxx"];

/// Parts of folders' names by which all that is in them belongs to benchmarks.
const FOLDERS: [&str; 2] = ["bench", "perf"];

/// The project's sources that `uses` says are of a harness.
fn files<'t>(tree: &'t Tree, suite: &Suite, uses: fn(&str) -> bool) -> Vec<(&'t Path, &'t str)> {
    let source = |path: &Path| {
        path.extension()
            .is_some_and(|end| ENDS.iter().any(|known| end == *known))
    };
    let all = tree.all();
    all.filter(|(path, text)| path.starts_with(&suite.folder) && source(path) && uses(text))
        .collect()
}

/// The folders that are called after benchmarks and have some, and the files with benchmarks elsewhere.
pub(crate) fn own_files(tree: &Tree, suite: &Suite, uses: fn(&str) -> bool) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = Vec::new();
    for (path, _) in files(tree, suite, uses) {
        let one = folder_of(suite, path).unwrap_or_else(|| path.to_owned());
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// The outermost folder around a file, within the project, that is called after benchmarks.
fn folder_of(suite: &Suite, file: &Path) -> Option<PathBuf> {
    let named = |folder: &&Path| {
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        FOLDERS.iter().any(|part| name.contains(part))
    };
    let within = file
        .ancestors()
        .skip(1)
        .take_while(|folder| *folder != suite.folder);
    within.filter(named).last().map(Path::to_owned)
}

/// The text of what has a word of a benchmark's name in it: of the files of its target, or if these are not known, of all with
/// benchmarks. Of all of these if none has the word, since then names are made up as it runs.
pub(crate) fn source(
    tree: &Tree,
    suite: &Suite,
    (program, word): (&str, &str),
    uses: fn(&str) -> bool,
) -> Option<String> {
    let mut all = files(tree, suite, uses);
    let of_target = cmake::sources_of(tree, suite, program);
    let ours = |(path, _): &(&Path, &str)| of_target.iter().any(|one| one == path);
    if all.iter().any(ours) {
        all.retain(ours);
    }
    if all.iter().any(|(_, text)| text.contains(word)) {
        all.retain(|(_, text)| text.contains(word));
    }
    let texts: Vec<String> = all.iter().map(|(_, text)| code(text, "//")).collect();
    (!texts.is_empty()).then(|| texts.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(text: &str) -> bool {
        text.contains("benchmark.h")
    }

    fn suite(folder: &str) -> Suite {
        Suite {
            folder: folder.into(),
            name: "words".to_owned(),
            parts: vec!["speed".to_owned()],
            why: String::new(),
        }
    }

    #[test]
    fn folders_of_benchmarks_are_taken_whole_and_files_elsewhere_alone() {
        let tree = Tree::of([
            ("lib/src/sum.cpp", "int sum();"),
            ("lib/src/sum_bench.cpp", "#include <benchmark.h>"),
            ("lib/benchmarks/deep/a.cc", "#include <benchmark.h>"),
            ("lib/benchmarks/main.cc", "#include <benchmark.h>"),
            ("other/a.cc", "#include <benchmark.h>"),
        ]);
        let own = own_files(&tree, &suite("lib"), uses);
        assert_eq!(
            own,
            ["lib/benchmarks", "lib/src/sum_bench.cpp"].map(PathBuf::from)
        );
        // The project's own folder holds what is measured, too.
        let tree = Tree::of([("bench/a.cc", "#include <benchmark.h>"), ("bench/sum.cc", "")]);
        assert_eq!(
            own_files(&tree, &suite("bench"), uses),
            [PathBuf::from("bench/a.cc")]
        );
    }

    #[test]
    fn the_text_is_that_of_the_file_with_the_name() {
        let of = |a: &str, b: &str, word: &str| {
            let (a, b) = (format!("benchmark.h BM_A {a}"), format!("benchmark.h BM_B {b}"));
            let tree = Tree::of([
                ("CMakeLists.txt", "add_executable(speed a.cc b.cc)"),
                ("a.cc", a.as_str()),
                ("b.cc", b.as_str()),
                ("c.cc", "benchmark.h BM_A of another target"),
            ]);
            source(&tree, &suite(""), ("speed", word), uses)
        };
        assert_eq!(of("1", "2", "BM_A"), of("1", "3", "BM_A"));
        assert_ne!(of("1", "2", "BM_B"), of("1", "3", "BM_B"));
        assert_ne!(of("1", "2", "made up"), of("1", "3", "made up"));
        assert_eq!(of("1\n  // a remark\n", "", "BM_A"), of("1", "", "BM_A"));
        assert_eq!(source(&Tree::of([]), &suite(""), ("speed", "x"), uses), None);
    }
}
