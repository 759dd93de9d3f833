//! The workflow of the manual that writes a comment of benchmarks: its shell is run with a `gh` that only notes what it is asked.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use crate::pages;

/// The script of a step of a workflow on the page.
fn script(step: &str) -> String {
    let page = fs::read_to_string(pages::root().join("docs/benchmarks.md")).unwrap();
    let step = page.split(&format!("- name: {step}\n")).nth(1).expect("the step");
    let run = step.split("run: |\n").nth(1).expect("its script");
    let indent = run.len() - run.trim_start().len();
    let lines = run
        .lines()
        .take_while(|line| line.trim().is_empty() || line.starts_with(&" ".repeat(indent)));
    lines
        .map(|line| format!("{}\n", line.get(indent..).unwrap_or_default()))
        .collect()
}

/// What the measuring run left, and a GitHub that has a pull request 7 at one commit.
struct Run {
    folder: tempfile::TempDir,
}

const GH: &str = r#"#!/bin/sh
echo "$*" >>calls
case "$*" in
*pulls/7*) echo c0ffee ;;
*pulls/*) exit 1 ;;
*--paginate*) cat mine ;;
esac
"#;

impl Run {
    fn new(number: &str, comment: Option<&str>) -> Self {
        let run = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        run.write("gh", GH);
        run.write("mine", "");
        run.write("calls", "");
        fs::create_dir(run.path("out")).unwrap();
        run.write("out/number", number);
        comment
            .into_iter()
            .for_each(|text| run.write("out/comment.md", text));
        run
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs the step as GitHub does; whether it ended well, and the last thing that was asked of it.
    fn comment(&self, head: &str) -> (bool, String) {
        let path = format!(
            "{}:{}",
            self.folder.path().display(),
            std::env::var("PATH").unwrap()
        );
        let status = Command::new("bash")
            .args(["-e", "-c", &script("Comment")])
            .current_dir(&self.folder)
            .env("PATH", path)
            .env("HEAD", head)
            .env("GITHUB_REPOSITORY", "o/r")
            .status()
            .unwrap();
        let calls = fs::read_to_string(self.path("calls")).unwrap();
        (
            status.success(),
            calls.lines().last().unwrap_or_default().to_owned(),
        )
    }

    fn written(&self) -> String {
        fs::read_to_string(self.path("comment.md")).unwrap_or_default()
    }
}

const COMMENT: &str = "<!-- tare bench -->\n### `benchmarks`: **1 slower**\n";

#[test]
fn a_comment_is_written_or_renewed() {
    let run = Run::new("7\n", Some(COMMENT));
    let post = "api --silent --method POST repos/o/r/issues/7/comments --field body=@comment.md";
    assert_eq!(run.comment("c0ffee"), (true, post.to_owned()));
    assert_eq!(run.written(), COMMENT);
    run.write("mine", "11\n12\n");
    let patch = "api --silent --method PATCH repos/o/r/issues/comments/12 --field body=@comment.md";
    assert_eq!(run.comment("c0ffee"), (true, patch.to_owned()));
    let none = Run::new("7", None);
    assert_eq!(none.comment("c0ffee"), (true, post.to_owned()));
    assert!(none.written().contains("not measured"));
}

#[test]
fn what_a_fork_wrote_is_held_against_the_run_and_bounded() {
    let asked = "api repos/o/r/pulls/7 --jq .head.sha".to_owned();
    let moved_on = Run::new("7", Some(COMMENT));
    assert_eq!(moved_on.comment("decade"), (true, asked.clone()));
    assert_eq!(moved_on.written(), "");
    for number in ["", "7; gh x", "../7", "8"] {
        let run = Run::new(number, Some(COMMENT));
        let (_, last) = run.comment("c0ffee");
        assert!(
            !last.contains("--method") && run.written().is_empty(),
            "{number}: {last}"
        );
    }
    let other = Run::new("7", Some("Hello!\n"));
    assert_eq!(other.comment("c0ffee"), (false, asked));
    let long = Run::new("7", Some(&COMMENT.repeat(5000)));
    assert!(long.comment("c0ffee").0 && long.written().len() == 60_000);
}
