//! The pages of the manual, and the examples in them: lines that call tare, set apart by four blanks or in a fence.
//!
//! The unit tests of the command (`src/manual.rs`) share this file: they have its parser, but not the built program.

use std::fs;
use std::path::{Path, PathBuf};

/// An example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// From the repository's root.
    pub page: String,
    /// What is to be typed, from `tare` on, on one line.
    pub line: String,
}

/// Folders of tools, which have pages of others.
const MADE: [&str; 8] = [
    "target",
    "node_modules",
    "vendor",
    "__pycache__",
    "dist-newstyle",
    "golden",
    "corpus",
    "crates",
];

/// Ways to call tare that a page may use.
const CALLS: [&str; 4] = [
    "tare ",
    "cargo run --release -- ",
    "cargo run -- ",
    "\"$RUNNER_TEMP/tare\" ",
];

/// The repository's root.
pub fn root() -> &'static Path {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.expect("crates/tare lies two folders deep")
}

/// Every example of the README, of docs/, and of every other page and workflow of the repository, in this order.
pub fn examples() -> Vec<Example> {
    let mut pages = Vec::new();
    gather(root(), &mut pages);
    let order = |page: &PathBuf| {
        (
            !page.ends_with("README.md") || page.components().count() > 1,
            !page.starts_with("docs"),
        )
    };
    pages.sort();
    pages.sort_by_key(order);
    let of = |page: &PathBuf| {
        let text = fs::read_to_string(root().join(page)).expect("a page can be read");
        let name = page.display().to_string();
        lines(&text).into_iter().map(move |line| Example {
            page: name.clone(),
            line,
        })
    };
    pages.iter().flat_map(of).collect()
}

fn gather(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository can be read") {
        let path = entry.expect("an entry can be read").path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        // Of what is hidden, only the workflows.
        let hidden = name.starts_with('.') && name != ".github";
        if path.is_dir() && !hidden && !MADE.contains(&name.as_str()) {
            gather(&path, pages);
        } else if path.is_file() && (name.ends_with(".md") || name.ends_with(".yml")) {
            let inside = path.strip_prefix(root()).expect("it was found under the root");
            pages.push(inside.to_owned());
        }
    }
}

/// The calls in a text, lines that go on behind a backslash joined.
fn lines(text: &str) -> Vec<String> {
    let joined = text.replace("\\\n", " ");
    let mut fenced = false;
    let mut found = Vec::new();
    for line in joined.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        // A workflow is not set apart: all of it is for a machine. Its commands are four blanks deep, too.
        if !(fenced || line.starts_with("    ")) {
            continue;
        }
        let line = line.trim();
        let called = CALLS.iter().find_map(|call| line.strip_prefix(call));
        // A name followed by dots is not an example, nor is a word in a drawing.
        if let Some(rest) = called.filter(|rest| !rest.contains('…') && !rest.starts_with(' ')) {
            let rest = rest.split_once(" # ").map_or(rest, |(before, _)| before);
            let words: Vec<&str> = rest.split(' ').filter(|word| !word.is_empty()).collect();
            found.push(format!("tare {}", words.join(" ")));
        }
    }
    found
}

#[test]
fn examples_are_found_wherever_they_are_set_apart() {
    let text = "Prose: tare run x\n\n    tare run a   # why\n    cargo run --release -- check b\n       tare list\n\n\
                ```yaml\nrun: |\ntare diff main \\\n  --setup 'make' -- x\n```\n    tare   in a drawing\n    tare load URL…\n";
    assert_eq!(
        lines(text),
        [
            "tare run a",
            "tare check b",
            "tare list",
            "tare diff main --setup 'make' -- x"
        ]
    );
}
