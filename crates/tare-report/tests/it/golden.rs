//! Every exporter's output against a kept one. `BLESS=1` rewrites them; a missing one fails.

use std::fs;
use std::path::PathBuf;

use tare_report::terminal::Terminal;
use tare_report::{csv, html, json, markdown, svg, terminal};

use crate::fixture;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name)
}

pub fn check(name: &str, found: &str) {
    let path = path(name);
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
        fs::write(&path, found).expect("the golden can be written");
        return;
    }
    let kept = fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; BLESS=1 writes it: look at it then", path.display()));
    if kept != found {
        panic!("{}", first_difference(&path.display().to_string(), &kept, found));
    }
}

fn first_difference(path: &str, kept: &str, found: &str) -> String {
    let (mut kept_lines, mut found_lines) = (kept.split('\n'), found.split('\n'));
    for line in 1.. {
        match (kept_lines.next(), found_lines.next()) {
            (Some(a), Some(b)) if a == b => {}
            (None, None) => break,
            (a, b) => {
                return format!(
                    "{path}:{line}: differs\n    kept: {}\n   found: {}\nBLESS=1 takes what was found",
                    a.unwrap_or("(no more lines)"),
                    b.unwrap_or("(no more lines)")
                );
            }
        }
    }
    format!("{path}: differs")
}

#[test]
fn terminals() {
    for (name, width, color) in [
        ("terminal-100.txt", 100, false),
        ("terminal-80.txt", 80, false),
        ("terminal-color.txt", 120, true),
    ] {
        check(
            name,
            &terminal::render(&fixture::rich(), Terminal { width, color }),
        );
    }
    check(
        "terminal-empty.txt",
        &terminal::render(&fixture::empty(), Terminal::default()),
    );
}

#[test]
fn documents() {
    check("rich.json", &json::render(&fixture::rich()));
    check("empty.json", &json::render(&fixture::empty()));
    check("rich.csv", &csv::render(&fixture::rich()));
    check("rich.md", &markdown::render(&fixture::rich()));
    check("empty.md", &markdown::render(&fixture::empty()));
}

#[test]
fn pages() {
    check("rich.html", &html::render(&fixture::rich()));
    check("empty.html", &html::render(&fixture::empty()));
}

#[test]
fn charts() {
    for file in svg::files(&fixture::rich()) {
        check(&format!("svg/{}", file.name), &file.text);
    }
}

#[test]
fn a_difference_cites_file_and_line() {
    let text = first_difference("golden.txt", "a\nb\nc", "a\nB\nc");
    assert!(text.starts_with("golden.txt:2: differs"), "{text}");
    assert!(text.contains("kept: b") && text.contains("found: B"), "{text}");
    assert!(first_difference("g", "a", "a\n").starts_with("g:2: "));
}
