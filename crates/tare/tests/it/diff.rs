//! `tare diff` on repositories of a few files. What is distinguishable differs by far more than any load could hide.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::lab::{Lab, Ran, SLICE, run_line};

/// What git says, without the end of its line.
pub fn git(folder: &Path, words: &[&str]) -> String {
    let who = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
    let ran = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(who)
        .args(words)
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "git {words:?}: {}",
        String::from_utf8_lossy(&ran.stderr)
    );
    String::from_utf8(ran.stdout).unwrap().trim().to_owned()
}

pub fn commit(lab: &Lab, message: &str) {
    git(lab.path(), &["add", "."]);
    git(lab.path(), &["commit", "--quiet", "-m", message]);
}

/// A lab that is a repository.
pub fn repository() -> Lab {
    let lab = Lab::new(&[]);
    git(lab.path(), &["init", "--quiet"]);
    lab.write(".gitignore", "out-*\nerr-*\n");
    lab
}

/// One of two commits, whose `work` sleeps 10 ms and then 100 ms.
pub fn slowed() -> Lab {
    let lab = repository();
    lab.write("work", "#!/bin/sh\nsleep 0.01\n");
    git(lab.path(), &["add", "work"]);
    git(lab.path(), &["update-index", "--chmod=+x", "work"]);
    git(lab.path(), &["commit", "--quiet", "-m", "Work"]);
    git(lab.path(), &["checkout", "--quiet", "--", "work"]);
    lab.write("work", "#!/bin/sh\nsleep 0.1\n");
    commit(&lab, "Work slowly");
    git(lab.path(), &["checkout", "--quiet", "--", "work"]);
    lab
}

/// The folder of the lab is where it is called, and not named: behind `--` all words are the command's.
fn diff(lab: &Lab, words: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tare"));
    command
        .arg("diff")
        .args(words)
        .current_dir(lab.path())
        .env(SLICE.0, SLICE.1)
        .env("NO_COLOR", "1");
    let ran = lab.start(command).finish();
    assert_eq!(lab.left(), Vec::<String>::new(), "{}", ran.err);
    ran
}

#[test]
fn a_command_that_became_slower_fails_the_gate_and_a_comment_says_so() {
    let lab = slowed();
    let comment = lab.path().join("comment.md").display().to_string();
    let words = [
        "HEAD~1..HEAD",
        "--budget",
        "20s",
        "--fail-if",
        "slower",
        "--comment",
        &comment,
        "--",
        "sh",
        "work",
    ];
    let ran = diff(&lab, &words).expect(4);
    assert!(
        ran.err.contains("(Work)") && ran.err.contains("(Work slowly)"),
        "{}",
        ran.err
    );
    let text = fs::read_to_string(&comment).unwrap();
    for part in [
        "### `sh work`: **slower**",
        "| **duration** |",
        "●",
        "(Work slowly)` against",
        "α 5%",
        "<details>",
    ] {
        assert!(text.contains(part), "no {part:?}: {text}");
    }
    // The other way round it has become faster.
    let words = [
        "HEAD..HEAD~1",
        "--budget",
        "20s",
        "--fail-if",
        "slower",
        "--format",
        "md",
        "--",
        "sh",
        "work",
    ];
    let ran = diff(&lab, &words).expect(0);
    assert!(ran.out.contains("**faster**"), "{}", ran.out);
    assert_eq!(git(lab.path(), &["status", "--porcelain"]), "?? comment.md");
}

#[test]
fn the_working_tree_is_a_revision_and_its_changes_are_reported() {
    let lab = slowed();
    lab.write("work", "#!/bin/sh\nsleep 0.01\n");
    let ran = diff(&lab, &["HEAD", "--budget", "20s", "--", "sh", "work"]).expect(0);
    assert!(
        ran.err.contains("1 file changed") && ran.out.contains("faster"),
        "{}\n{}",
        ran.err,
        ran.out
    );
    git(lab.path(), &["checkout", "--quiet", "work"]);
    let ran = diff(&lab, &["HEAD", "--runs", "3", "--", "sh", "work"]).expect(0);
    assert!(ran.err.contains("both sides are the same"), "{}", ran.err);
}

/// Without a budget; what is as different as these two is decided on any machine.
#[test]
fn until_decided_runs_a_command_until_it_is_decided() {
    let lab = slowed();
    let words = [
        "HEAD~1..HEAD",
        "--until",
        "decided",
        "--format",
        "json",
        "--",
        "sh",
        "work",
    ];
    let document = diff(&lab, &words).expect(0).json();
    let comparisons = document["workloads"][0]["comparisons"].as_array().unwrap();
    let primary = comparisons.iter().find(|one| one["primary"] == true).unwrap();
    assert_eq!(
        (&primary["verdict"], &primary["provisional"]),
        (&"slower".into(), &false.into()),
        "{primary:#}"
    );
}

#[test]
fn each_side_is_built_in_its_own_tree() {
    let lab = slowed();
    let words = [
        "HEAD~1..HEAD",
        "--runs",
        "3",
        "--setup",
        "cp work made; chmod +x made",
        "--",
        "./made",
    ];
    diff(&lab, &words).expect(0);
    let words = [
        "HEAD~1..HEAD",
        "--runs",
        "3",
        "--setup",
        "grep 'sleep 0.01$' work || { echo alas >&2; exit 7; }",
        "--",
        "true",
    ];
    let ran = diff(&lab, &words).expect(1);
    for part in [
        "the build of one side failed",
        "(after: ",
        "(Work slowly)",
        "exit status 7",
        "    alas",
    ] {
        assert!(ran.err.contains(part), "no {part:?}: {}", ran.err);
    }
}

#[test]
fn a_missing_revision_or_repository_is_reported() {
    let lab = slowed();
    let ran = diff(&lab, &["nowhere", "--", "true"]).expect(2);
    assert!(
        ran.err.contains("no revision `nowhere`") && ran.err.contains("git branch -a"),
        "{}",
        ran.err
    );
    let ran = diff(&lab, &["HEAD", "--", "./no-such-program"]).expect(2);
    assert!(ran.err.contains("--setup"), "{}", ran.err);
    let plain = Lab::new(&[]);
    let ran = diff(&plain, &["HEAD", "--", "true"]).expect(2);
    assert!(
        ran.err.contains("in no git repository") && ran.err.contains("tare time"),
        "{}",
        ran.err
    );
    diff(&lab, &["HEAD"]).expect(2);
}

#[test]
fn two_revisions_of_a_contender_are_measured_side_by_side() {
    let lab = repository();
    lab.contender("good", &run_line("good"));
    commit(&lab, "Add it");
    lab.contender(
        "good",
        &format!("{}env = {{ CHANGED = \"yes\" }}\n", run_line("good")),
    );
    let words = [
        "HEAD",
        "fixture/good",
        "--launches",
        "2",
        "--rounds",
        "2",
        "--budget",
        "2s",
        "--seed",
        "1",
        "--format",
        "json",
    ];
    let document = diff(&lab, &words).expect(0).json();
    let workload = &document["workloads"][0];
    assert_eq!(workload["baseline"], "good@before");
    let names: Vec<&str> = workload["contenders"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(names.len(), 2);
    for contender in workload["contenders"].as_array().unwrap() {
        assert_eq!(contender["state"], "measured", "{contender:#}");
    }
    let settings = &document["run"]["settings"];
    assert!(settings.to_string().contains("1 file changed"), "{settings:#}");
    lab.assert_clean();
}

#[test]
fn a_build_is_reused_in_the_next_comparison() {
    let lab = repository();
    let beside = tempfile::tempdir().unwrap();
    let log = beside.path().join("built");
    let build = |word: &str| {
        let step = format!("echo {word} >> {}", log.display());
        format!("{}build = [[\"sh\", \"-c\", {step:?}]]\n", run_line("good"))
    };
    let count = |word: &str| {
        let text = fs::read_to_string(&log).unwrap_or_default();
        text.lines().filter(|line| *line == word).count()
    };
    lab.contender("good", &build("one"));
    commit(&lab, "Add it");
    lab.contender("good", &build("two"));
    commit(&lab, "Change it");
    let measure = |revisions: &str| {
        let words = [
            revisions,
            "fixture/good",
            "--launches",
            "1",
            "--rounds",
            "2",
            "--budget",
            "1s",
        ];
        diff(&lab, &words).expect(0);
    };
    measure("HEAD~1..HEAD");
    assert_eq!((count("one"), count("two")), (1, 1));
    measure("HEAD~1..HEAD");
    measure("HEAD~1");
    assert_eq!((count("one"), count("two")), (1, 1), "neither is built again");
    lab.contender("good", &build("three"));
    measure("HEAD");
    assert_eq!((count("two"), count("three")), (1, 1), "only what has changed is");
}

#[test]
fn the_side_that_does_not_build_or_start_is_named() {
    let lab = repository();
    lab.contender("good", &run_line("good"));
    commit(&lab, "Add it");
    let build = "build = [[\"sh\", \"-c\", \"echo alas; exit 9\"]]\n";
    lab.contender("good", &format!("{}{build}", run_line("good")));
    let ran = diff(
        &lab,
        &[
            "HEAD",
            "fixture/good",
            "--launches",
            "1",
            "--rounds",
            "2",
            "--budget",
            "2s",
        ],
    )
    .expect(1);
    for part in ["good@after", "alas"] {
        assert!(ran.err.contains(part), "no {part:?}: {}", ran.err);
    }
    fs::remove_dir_all(lab.path().join("workloads/fixture/contenders/good")).unwrap();
    let ran = diff(&lab, &["HEAD", "fixture/good"]).expect(2);
    assert!(ran.err.contains("after (the working tree"), "{}", ran.err);
}
