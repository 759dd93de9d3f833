//! The comment of `tare diff` without a comparison: the result of an earlier one must not remain as if it were this
//! one's.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tare_report::comment::MARK;

use crate::diff::{git, slowed};
use crate::lab::{Lab, Ran, SLICE, run_line};
use crate::pages;

/// The comment of an earlier push, until this one replaces it.
const STALE: &str = "<!-- tare diff -->\n### `sh work`: **faster**\n";

/// Of a comparison in this lab: how it ended, and its comment.
fn comment(lab: &Lab, words: &[&str]) -> (Ran, String) {
    let file: PathBuf = lab.path().join("out-comment.md");
    fs::write(&file, STALE).unwrap();
    let (before, behind) = words.split_at(words.iter().position(|word| *word == "--").unwrap_or(words.len()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_tare"));
    command
        .arg("diff")
        .args(before)
        .arg("--comment")
        .arg(&file)
        .args(behind)
        .current_dir(lab.path())
        .env(SLICE.0, SLICE.1)
        .env("NO_COLOR", "1");
    let ran = lab.start(command).finish();
    assert_eq!(lab.left(), Vec::<String>::new(), "{}", ran.err);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with(MARK), "{text}");
    assert!(!text.contains("faster"), "{text}");
    (ran, text)
}

#[track_caller]
fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?}: {text}");
    }
}

#[test]
fn a_side_that_does_not_build_is_in_the_comment() {
    let lab = slowed();
    let setup = "grep 'sleep 0.01$' work || { echo alas >&2; exit 7; }";
    let words = [
        "HEAD~1..HEAD",
        "--runs",
        "3",
        "--setup",
        setup,
        "--",
        "sh",
        "work",
    ];
    let (ran, text) = comment(&lab, &words);
    has(
        &text,
        &[
            "### `sh work`: **not measured**",
            "`HEAD~1..HEAD`",
            "the build of one side failed",
            "(after: ",
            "exit status 7",
            "alas",
        ],
    );
    ran.expect(1);
}

#[test]
fn a_command_that_fails_on_one_side_is_in_the_comment() {
    let lab = slowed();
    // At once.
    let words = [
        "HEAD~1..HEAD",
        "--runs",
        "3",
        "--",
        "grep",
        "-q",
        "sleep 0.01$",
        "work",
    ];
    let (ran, text) = comment(&lab, &words);
    has(&text, &["**not measured**", "(after: ", "exit status 1"]);
    ran.expect(1);
    // Or only later, when there are figures already: at the third run in the later tree.
    let later = "echo x >> runs; grep -q 'sleep 0.01$' work || test $(grep -c x runs) -lt 3";
    let words = [
        "HEAD~1..HEAD",
        "--runs",
        "6",
        "--setup",
        "rm -f runs",
        "--",
        "sh",
        "-c",
        later,
    ];
    let (ran, text) = comment(&lab, &words);
    has(
        &text,
        &[
            "**not measured on both sides**",
            "`after` has no figures",
            "exit status 1",
        ],
    );
    ran.expect(1);
}

#[test]
fn a_missing_revision_is_in_the_comment() {
    let lab = slowed();
    let (ran, text) = comment(&lab, &["nowhere", "--", "sh", "work"]);
    has(&text, &["**not measured**", "no revision `nowhere`", "hint: "]);
    ran.expect(2);
}

#[test]
fn a_contender_that_does_not_build_is_in_the_comment() {
    let lab = slowed();
    lab.contender("good", &run_line("good"));
    git(lab.path(), &["add", "workloads", "languages"]);
    git(lab.path(), &["commit", "--quiet", "-m", "Add it"]);
    let build = "build = [[\"sh\", \"-c\", \"echo alas; exit 9\"]]\n";
    lab.contender("good", &format!("{}{build}", run_line("good")));
    let words = [
        "HEAD",
        "fixture/good",
        "--launches",
        "1",
        "--rounds",
        "2",
        "--budget",
        "2s",
    ];
    let (ran, text) = comment(&lab, &words);
    has(
        &text,
        &[
            "### `fixture/good`: **not measured on both sides**",
            "`good@after` has no figures",
            "alas",
        ],
    );
    ran.expect(1);
    fs::remove_dir_all(lab.path().join("workloads/fixture/contenders/good")).unwrap();
    let (ran, text) = comment(&lab, &["HEAD", "fixture/good"]);
    has(&text, &["**not measured**", "after (the working tree"]);
    ran.expect(2);
}

/// The workflows know the mark by heart: a robot asks for nothing of tare's.
#[test]
fn workflows_find_the_comment_by_its_mark() {
    for page in ["docs/github-actions.md", ".github/workflows/speed.yml"] {
        let text = fs::read_to_string(pages::root().join(page)).unwrap();
        has(
            &text,
            &[&format!("startswith(\"{MARK}\")"), &format!("printf '{MARK}\\n")],
        );
        assert!(
            !text.contains("edit-last"),
            "{page} may overwrite what another workflow wrote"
        );
        assert!(
            !text.contains("base.sha"),
            "{page}: the base that an event names goes stale"
        );
    }
}
