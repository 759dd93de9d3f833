//! `tare diff -- COMMAND` in a repository that is not a lab: where things are kept, what is set up again, what a command
//! has to do, and the gate. No verdict that is tested here depends on the machine's speed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::diff::git;
use crate::lab::Ran;

/// A repository, and other files of its user.
struct Outside {
    folder: tempfile::TempDir,
}

impl Outside {
    /// Two commits, whose `work` prints and sleeps `one`, then `two`.
    fn new(one: &str, two: &str) -> Self {
        let outside = Self {
            folder: tempfile::Builder::new().prefix("tare-diff-").tempdir().unwrap(),
        };
        fs::create_dir(outside.repository()).unwrap();
        git(&outside.repository(), &["init", "--quiet"]);
        for (text, message) in [(one, "Work"), (two, "Work otherwise")] {
            outside.write("work", text);
            outside.commit(message);
        }
        outside
    }

    fn repository(&self) -> PathBuf {
        self.folder.path().join("mine")
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.repository().join(file), text).unwrap();
    }

    fn commit(&self, message: &str) {
        git(&self.repository(), &["add", "."]);
        git(&self.repository(), &["commit", "--quiet", "-m", message]);
    }

    /// A file outside the repository, as an argument.
    fn beside(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn tare_in(&self, folder: &Path, words: &[&str]) -> Ran {
        Command::new(env!("CARGO_BIN_EXE_tare"))
            .args(words)
            .current_dir(folder)
            .env("XDG_STATE_HOME", self.folder.path().join("state"))
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .output()
            .unwrap()
            .into()
    }

    fn tare(&self, words: &[&str]) -> Ran {
        self.tare_in(&self.repository(), words)
    }

    /// `tare diff` of `sh work`, with three runs on each side.
    fn diff(&self, words: &[&str]) -> Ran {
        self.tare(&[&["diff"], words, &["--runs", "3", "--", "sh", "work"]].concat())
    }
}

#[test]
fn results_are_where_report_looks_for_them_and_the_trees_in_the_repository() {
    let outside = Outside::new("sleep 0.01\n", "sleep 0.02\n");
    outside.diff(&["HEAD~1..HEAD"]).expect(0);
    for words in [&["list", "runs"][..], &["show", "latest"], &["report"]] {
        let ran = outside.tare(words).expect(0);
        assert!(ran.out.contains("diff/commands"), "{words:?}: {}", ran.out);
    }
    let ran = outside.tare(&["history", "diff/after"]).expect(0);
    assert!(ran.out.contains("diff/commands, command: after"), "{}", ran.out);
    assert!(fs::exists(outside.beside("state/tare/results.sqlite")).unwrap());
    let own = outside.repository().join(".tare");
    assert!(own.join("worktrees").is_dir() && !own.join("results.sqlite").exists());
    assert_eq!(git(&outside.repository(), &["status", "--porcelain"]), "");
}

/// With `-C` all of it is there.
#[test]
fn a_named_folder_gets_everything() {
    let outside = Outside::new("true\n", "true \n");
    let named = outside.beside("named");
    fs::create_dir(&named).unwrap();
    outside.diff(&["HEAD~1..HEAD", "-C", &named]).expect(0);
    let ran = outside.tare(&["report", "-C", &named]).expect(0);
    assert!(ran.out.contains("diff/commands"), "{}", ran.out);
    assert!(fs::exists(format!("{named}/.tare/worktrees")).unwrap());
    assert!(!outside.repository().join(".tare").exists());
}

/// How often a setup ran in the tree of which revision.
fn count(log: &str) -> (usize, usize) {
    let text = fs::read_to_string(log).unwrap_or_default();
    let count = |word: &str| text.lines().filter(|line| *line == word).count();
    (count("one"), count("two"))
}

#[test]
fn the_product_of_a_setup_is_kept_until_something_changes() {
    let outside = Outside::new(": one\n", ": two\n");
    let log = outside.beside("log");
    // It makes something, too, as a build does.
    let setup = format!("cut -d' ' -f2 work >> {log}; cp work made");
    let two = |more: &[&str]| {
        let words = ["HEAD~1..HEAD", "--setup", &setup];
        outside.diff(&[&words[..], more].concat()).expect(0)
    };
    let ran = two(&[]);
    assert!(ran.err.contains("before: setting it up"), "{}", ran.err);
    assert_eq!(count(&log), (1, 1));
    let ran = two(&[]);
    assert_eq!(count(&log), (1, 1), "{}", ran.err);
    assert_eq!(ran.err.matches("not set up again").count(), 2, "{}", ran.err);
    two(&["--rebuild"]);
    assert_eq!(count(&log), (2, 2));
    // Another message for the same files is another commit, and the same tree.
    git(
        &outside.repository(),
        &["commit", "--quiet", "--amend", "-m", "Called otherwise"],
    );
    two(&[]);
    assert_eq!(count(&log), (2, 2));
    // Another setup is in the way of the first.
    let other = format!("cut -d' ' -f2 work >> {log}");
    outside.diff(&["HEAD~1..HEAD", "--setup", &other]).expect(0);
    assert_eq!(count(&log), (3, 3));
    two(&[]);
    assert_eq!(count(&log), (4, 4));
    // What it made was meddled with, on one side.
    let trees = fs::read_dir(outside.repository().join(".tare/worktrees")).unwrap();
    let meddled = trees.map(|tree| tree.unwrap().path().join("made"));
    let mut meddled = meddled.filter(|made| fs::read_to_string(made).unwrap().contains("one"));
    fs::write(meddled.next().unwrap(), "something of another length").unwrap();
    two(&[]);
    assert_eq!(count(&log), (5, 4));
}

#[test]
fn the_working_tree_is_set_up_again_when_it_has_changed() {
    let outside = Outside::new(": one\n", ": two\n");
    let log = outside.beside("log");
    let setup = format!("cut -d' ' -f2 work >> {log}; cp work made");
    let words = ["HEAD~1", "--setup", &setup];
    for _ in 0..2 {
        outside.diff(&words).expect(0);
        assert_eq!(count(&log), (1, 1));
    }
    outside.write("work", ": two with more to do\n");
    outside.diff(&words).expect(0);
    assert_eq!(count(&log), (1, 2));
    outside.write("new", "");
    outside.diff(&words).expect(0);
    assert_eq!(count(&log), (1, 3));
    outside.diff(&words).expect(0);
    assert_eq!(count(&log), (1, 3));
}

#[test]
fn a_failed_setup_does_not_count_as_done() {
    let outside = Outside::new(": one\n", ": two\n");
    let (log, flag) = (outside.beside("log"), outside.beside("flag"));
    let setup = format!("cut -d' ' -f2 work >> {log}; test -e {flag}");
    let words = ["HEAD~1..HEAD", "--setup", &setup];
    for times in [1, 2] {
        let ran = outside.diff(&words).expect(1);
        assert!(ran.err.contains("(before: "), "{}", ran.err);
        assert_eq!(count(&log), (times, 0));
    }
    fs::write(&flag, "").unwrap();
    outside.diff(&words).expect(0);
    assert_eq!(count(&log), (3, 1));
}

/// The output of a failed build is shown from both streams, and its timeout is an option of its own.
#[test]
fn a_setup_that_fails_or_hangs_is_reported_with_a_hint() {
    let outside = Outside::new(": one\n", ": two\n");
    let setup = |setup: &str, more: &[&str]| {
        let words = ["HEAD~1..HEAD", "--setup", setup];
        outside.diff(&[&words[..], more].concat()).expect(1).err
    };
    let err = setup("echo no such header; echo alas >&2; exit 2", &[]);
    for part in [
        "(before: ",
        "exit status 2",
        "    no such header\n    alas",
        ".tare/worktrees",
    ] {
        assert!(err.contains(part), "no {part:?}: {err}");
    }
    let err = setup("sleep 300", &["--setup-timeout", "300ms"]);
    for part in [
        "had not ended after 0.3 s",
        "where it may take longer: --setup-timeout",
    ] {
        assert!(err.contains(part), "no {part:?}: {err}");
    }
    let err = setup("no-such-builder-here", &[]);
    assert!(err.contains("the shell found no such program"), "{err}");
}

/// It says which side, and all that is known of it.
#[test]
fn a_side_that_fails_late_is_shown_with_its_last_output() {
    let outside = Outside::new(
        ":\n",
        "echo x >> count; test $(wc -l < count) -lt 4 || { echo alas >&2; exit 5; }\n",
    );
    let words = ["diff", "HEAD~1..HEAD", "--runs", "20", "--", "sh", "work"];
    let ran = outside.tare(&words).expect(1);
    for part in [
        "error: after: `sh work (after: ",
        "exit status 5",
        "    alas",
        ".tare/worktrees",
    ] {
        assert!(ran.err.contains(part), "no {part:?}: {}", ran.err);
    }
}

#[test]
fn outputs_that_differ_are_shown_where_they_must_be_the_same() {
    let outside = Outside::new("echo x; echo y\n", "echo x; echo z\n");
    outside.diff(&["HEAD~1..HEAD"]).expect(0);
    let ran = outside.diff(&["HEAD~1..HEAD", "--same-output"]).expect(1);
    for part in [
        "(after: ",
        "(before: ",
        "line 2",
        "\"y\"",
        "\"z\"",
        "--same-output",
    ] {
        assert!(ran.err.contains(part), "no {part:?}: {}", ran.err);
    }
    outside.diff(&["HEAD..HEAD", "--same-output"]).expect(0);
}

/// The folder that tare was called in is where both are found from, and what they are run in, in each tree.
#[test]
fn input_is_the_same_for_both_and_preparation_is_in_each_tree() {
    let outside = Outside::new(":\n", ": \n");
    fs::create_dir(outside.repository().join("sub")).unwrap();
    outside.write("sub/work", "grep -q hello && test -e prepared && rm prepared\n");
    outside.commit("Read");
    outside.write("sub/in", "hello\n");
    let sub = outside.repository().join("sub");
    let words = [
        "diff",
        "HEAD",
        "--input",
        "in",
        "--prepare",
        "touch prepared",
        "--runs",
        "3",
        "--format",
        "json",
        "--",
        "sh",
        "work",
    ];
    let document = outside.tare_in(&sub, &words).expect(0).json();
    let settings = &document["run"]["settings"];
    let around = &settings["commands"]["around"];
    assert_eq!(around["prepare"][0], "touch prepared", "{settings:#}");
    assert!(
        around["input"].as_str().unwrap().ends_with("sub/in"),
        "{settings:#}"
    );
    let without = [
        "diff",
        "HEAD",
        "--runs",
        "3",
        "--prepare",
        "touch prepared",
        "--",
        "sh",
        "work",
    ];
    outside.tare_in(&sub, &without).expect(1);
    let nowhere = ["diff", "HEAD", "--input", "nowhere", "--", "sh", "work"];
    let ran = outside.tare_in(&sub, &nowhere).expect(2);
    assert!(ran.err.contains("sub/nowhere"), "{}", ran.err);
    // Of a contender they mean nothing.
    outside.tare(&["diff", "HEAD", "a/b", "--same-output"]).expect(2);
}

/// Of two blocks no verdict is made, whatever they say.
#[test]
fn an_unproven_result_exits_with_4_under_that_gate() {
    let outside = Outside::new(":\n", ": \n");
    let comment = outside.beside("comment.md");
    let gate = |gate: &str| {
        let words = [
            "diff",
            "HEAD~1..HEAD",
            "--runs",
            "2",
            "--fail-if",
            gate,
            "--comment",
            &comment,
            "--",
            "sh",
            "work",
        ];
        outside.tare(&words)
    };
    gate("slower").expect(0);
    gate("not-proven").expect(4);
    let text = fs::read_to_string(&comment).unwrap();
    assert!(text.contains("**inconclusive**"), "{text}");
    let ran = gate("slower:after").expect(2);
    assert!(ran.err.contains("slower or not-proven"), "{}", ran.err);
}

#[test]
fn a_shallow_clone_is_reported_with_a_hint() {
    let outside = Outside::new("true\n", "true \n");
    let from = format!("file://{}", outside.repository().display());
    let clone = outside.beside("clone");
    git(
        outside.folder.path(),
        &["clone", "--quiet", "--depth", "1", &from, &clone],
    );
    let ran = outside
        .tare_in(Path::new(&clone), &["diff", "HEAD~1", "--", "true"])
        .expect(2);
    for part in [
        "no revision `HEAD~1`",
        "shallow",
        "git fetch --unshallow",
        "fetch-depth: 0",
    ] {
        assert!(ran.err.contains(part), "no {part:?}: {}", ran.err);
    }
    // The hint hints it.
    git(Path::new(&clone), &["fetch", "--quiet", "--unshallow"]);
    let words = ["diff", "HEAD~1", "--runs", "3", "--", "sh", "work"];
    outside.tare_in(Path::new(&clone), &words).expect(0);
}

#[test]
fn uncommitted_changes_are_reported_when_both_sides_are_named() {
    let outside = Outside::new(": one\n", ": two\n");
    let ran = outside.diff(&["HEAD~1..HEAD"]).expect(0);
    assert!(!ran.err.contains("working tree"), "{}", ran.err);
    outside.write("work", ": three\n");
    let told = [
        "1 file changed in the working tree, which neither side has",
        "leave the second revision out",
    ];
    let ran = outside.diff(&["HEAD~1..HEAD"]).expect(0);
    assert!(told.iter().all(|part| ran.err.contains(part)), "{}", ran.err);
    // Without that option, it is measured.
    let ran = outside.diff(&["HEAD"]).expect(0);
    assert!(!told.iter().any(|part| ran.err.contains(part)), "{}", ran.err);
    // What the runs wrote is not left behind.
    assert!(fs::exists(outside.beside("state/tare/results.sqlite")).unwrap());
    assert!(!fs::exists(outside.beside("state/tare/time")).unwrap());
}

#[test]
fn three_dots_begin_at_the_merge_base() {
    let outside = Outside::new(": one\n", ": two\n");
    let folder = outside.repository();
    let main = git(&folder, &["branch", "--show-current"]);
    git(&folder, &["checkout", "--quiet", "-b", "topic", "HEAD~1"]);
    outside.write("work", ": three\n");
    outside.commit("Work on a topic");
    let sides = |revisions: &str| {
        let ran = outside.diff(&[revisions, "--format", "json"]).expect(0);
        let settings = ran.json()["run"]["settings"].clone();
        let side = |name: &str| settings["revisions"][name].as_str().unwrap().to_owned();
        (side("before"), side("after"), ran.err)
    };
    let (before, after, said) = sides(&format!("{main}...topic"));
    assert!(
        before.ends_with("(Work)") && after.ends_with("(Work on a topic)"),
        "{said}"
    );
    assert!(
        said.contains(&format!("the merge base of `{main}` and `topic`")),
        "{said}"
    );
    let (before, _, said) = sides(&format!("{main}..topic"));
    assert!(
        before.ends_with("(Work otherwise)") && !said.contains("merge base"),
        "{said}"
    );
    // Without a second one it is the working tree since its branch began.
    let (before, after, _) = sides(&format!("{main}..."));
    assert!(
        before.ends_with("(Work)") && after.contains("the working tree"),
        "{after}"
    );
}

/// A tree with a revision's name holds that revision.
#[test]
fn an_altered_tree_is_restored() {
    let outside = Outside::new(": one\n", ": two\n");
    outside.diff(&["HEAD~1..HEAD"]).expect(0);
    let trees = fs::read_dir(outside.repository().join(".tare/worktrees")).unwrap();
    let files: Vec<PathBuf> = trees.map(|tree| tree.unwrap().path().join("work")).collect();
    assert_eq!(files.len(), 2);
    let first = files
        .iter()
        .find(|file| fs::read_to_string(file).unwrap() == ": one\n");
    fs::write(first.unwrap(), "exit 3\n").unwrap();
    let ran = outside.diff(&["HEAD~1..HEAD"]).expect(0);
    assert_eq!(ran.err.matches("were put back").count(), 1, "{}", ran.err);
    assert!(ran.err.contains("note: before: files in "), "{}", ran.err);
    let ran = outside.diff(&["HEAD~1..HEAD"]).expect(0);
    assert!(!ran.err.contains("put back"), "{}", ran.err);
    // A setup may alter them, too: it begins with what the revision has each time, and is measured.
    let setup = ["HEAD~1..HEAD", "--setup", "echo \"$(cat work) made\" > work"];
    for _ in 0..2 {
        outside.diff(&setup).expect(0);
        for file in &files {
            let text = fs::read_to_string(file).unwrap();
            assert!(
                [": one made\n", ": two made\n"].contains(&text.as_str()),
                "{text}"
            );
        }
    }
}

#[test]
fn empty_submodules_are_reported_with_a_hint() {
    let outside = Outside::new(": one\n", ": two\n");
    let inner = Outside::new(": one\n", ": two\n");
    let from = inner.repository().display().to_string();
    // Since CVE-2022-39253 git takes none from a folder without this setting.
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        &from,
        "inner",
    ];
    git(&outside.repository(), &add);
    outside.commit("Take it in");
    let ran = outside.diff(&["HEAD~1..HEAD"]).expect(0);
    assert!(
        ran.err.contains("after: its submodules are empty") && !ran.err.contains("before: its"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("submodule update --init"), "{}", ran.err);
}

#[test]
fn conflicting_ways_to_end_are_refused() {
    let outside = Outside::new(":\n", ": \n");
    for more in [["--budget", "1s"], ["--runs", "3"]] {
        let words = ["diff", "HEAD~1", "--until", "decided"];
        let behind = ["--", "sh", "work"];
        let ran = outside.tare(&[&words[..], &more, &behind].concat()).expect(2);
        assert!(ran.err.contains("--until"), "{}", ran.err);
    }
}
