//! Benchmarks in Java: the files that hold them, and the text of one.

use std::path::{Path, PathBuf};

use crate::harness::Suite;
use crate::text::code;
use crate::tree::Tree;

/// The sources of a module that name JMH: what is measured does not.
pub(crate) fn files<'t>(tree: &'t Tree, folder: &Path) -> Vec<(&'t Path, &'t str)> {
    let sources = tree.owned(folder, "pom.xml", ".java").into_iter();
    sources
        .filter(|(_, text)| text.contains("org.openjdk.jmh"))
        .collect()
}

/// The same, where they are files of a suite's own.
pub(crate) fn own_files(tree: &Tree, suite: &Suite) -> Vec<PathBuf> {
    let files = files(tree, &suite.folder).into_iter();
    files.map(|(path, _)| path.to_owned()).collect()
}

/// The text of the class of `org.example.Words.count(n=1)`, and of the benchmarks' other classes that it names.
pub(crate) fn source(tree: &Tree, suite: &Suite, benchmark: &str) -> Option<String> {
    let files = files(tree, &suite.folder);
    let method = benchmark.split('(').next().unwrap_or(benchmark);
    let mut taken = vec![class(&files, method)?];
    // Those that are taken may name further ones.
    let mut at = 0;
    while let Some(&index) = taken.get(at) {
        let names = |other: usize| words(files[index].1).any(|word| Some(word) == stem(files[other].0));
        let more: Vec<usize> = (0..files.len())
            .filter(|other| !taken.contains(other) && names(*other))
            .collect();
        taken.extend(more);
        at += 1;
    }
    taken.sort_unstable();
    Some(
        taken
            .into_iter()
            .map(|index| code(files[index].1, "//"))
            .collect(),
    )
}

/// The file of the class that a method is of; of a nested one that of the class around it.
fn class(files: &[(&Path, &str)], method: &str) -> Option<usize> {
    let parts: Vec<&str> = method.split('.').collect();
    let path = |count: usize| parts[..count].iter().collect::<PathBuf>().with_extension("java");
    (1..parts.len())
        .rev()
        .find_map(|count| files.iter().position(|(file, _)| file.ends_with(path(count))))
}

fn stem(path: &Path) -> Option<&str> {
    path.file_stem()?.to_str()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &str = "package org.example;\nimport org.openjdk.jmh.annotations.*;\nclass Words extends Base { @Benchmark void count() {} }";
    const BASE: &str =
        "package org.example;\nimport org.openjdk.jmh.annotations.*;\n@State class Base { int n = 1; }";

    fn suite() -> Suite {
        Suite {
            folder: "bench".into(),
            name: "bench".to_owned(),
            parts: Vec::new(),
            why: String::new(),
        }
    }

    fn source_of(words: &str, base: &str, benchmark: &str) -> Option<String> {
        let tree = Tree::of([
            ("pom.xml", ""),
            ("src/main/java/org/example/Lib.java", "class Lib {}"),
            ("bench/pom.xml", ""),
            ("bench/src/main/java/org/example/Words.java", words),
            ("bench/src/main/java/org/example/Base.java", base),
            (
                "bench/src/main/java/org/example/Lib.java",
                "class Lib { int other; }",
            ),
        ]);
        assert_eq!(
            own_files(&tree, &suite()).len(),
            2,
            "what does not name JMH may be what is measured"
        );
        source(&tree, &suite(), benchmark)
    }

    #[test]
    fn a_benchmark_is_its_class_and_the_classes_of_benchmarks_that_this_names() {
        let count = |words: &str, base: &str| source_of(words, base, "org.example.Words.count(n=1)").unwrap();
        let both = count(WORDS, BASE);
        assert!(both.contains("void count") && both.contains("int n = 1"));
        assert_ne!(count(WORDS, &BASE.replace('1', "2")), both);
        assert_ne!(count(&WORDS.replace("void", "int"), BASE), both);
        assert_eq!(count(&format!("// A remark.\n{WORDS}"), BASE), both);
        // A benchmark of the base is not one of the class.
        assert!(
            !source_of(WORDS, BASE, "org.example.Base.sum")
                .unwrap()
                .contains("void count")
        );
        assert!(
            source_of(WORDS, BASE, "org.example.Words.Inner.count")
                .unwrap()
                .contains("void count")
        );
        assert_eq!(source_of(WORDS, BASE, "org.other.Words.count"), None);
    }
}
