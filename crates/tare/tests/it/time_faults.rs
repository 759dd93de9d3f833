//! `tare time` interrupted, and commands that fail late: what is still run, and what is reported.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tare_host::command::CommandSpec;
use tare_host::groups::{self, Backing};
use tare_host::keeper::Keeper;
use tare_host::lock::Lock;
use tare_rig::commands::{CommandRig, Hints, Output, Policy, Recipe};

use crate::lab::{Lab, Ran, Running, wait_for};

fn time(lab: &Lab, words: &[&str]) -> Ran {
    let ran = lab.run(&[&["time"], words].concat());
    assert_eq!(lab.left(), Vec::<String>::new(), "{}", ran.err);
    ran
}

/// A file of the lab's, as a word of a command.
fn file(lab: &Lab, name: &str) -> String {
    lab.path().join(name).display().to_string()
}

fn there(path: &str) -> bool {
    fs::exists(path).unwrap()
}

/// `tare time` of a command that is over at once and of one that never is, interrupted while that runs.
fn interrupted(lab: &Lab, cleanup: &str) -> Running {
    let begun = file(lab, "begun");
    let endless = format!("touch {begun}; sleep 300");
    let running = lab.start(lab.tare(&["time", ":", &endless, "--cleanup", cleanup]));
    wait_for("the command to run", || there(&begun));
    running.signal("INT");
    running
}

#[test]
fn an_interrupt_leaves_time_to_clean_up() {
    let lab = Lab::new(&[]);
    let cleaned = file(&lab, "cleaned");
    let running = interrupted(&lab, &format!("sleep 1; echo x >> {cleaned}"));
    let ran = running.finish().expect(130);
    assert_eq!(fs::read_to_string(&cleaned).unwrap(), "x\nx\n", "{}", ran.err);
    assert!(!ran.err.contains("note:"), "{}", ran.err);
    lab.assert_clean();
}

#[test]
fn a_second_interrupt_ends_the_cleanup() {
    let lab = Lab::new(&[]);
    let (cleaning, cleaned) = (file(&lab, "cleaning"), file(&lab, "cleaned"));
    let running = interrupted(&lab, &format!("touch {cleaning}; sleep 300; touch {cleaned}"));
    wait_for("the cleaning up", || there(&cleaning));
    running.signal("INT");
    let ran = running.finish().expect(130);
    assert!(!there(&cleaned));
    for part in ["was interrupted", "was not run: interrupted twice"] {
        assert!(ran.err.contains(part), "no {part:?}: {}", ran.err);
    }
    lab.assert_clean();
}

fn shell(text: &str) -> CommandSpec {
    CommandSpec {
        argv: ["sh", "-c", text].map(str::to_owned).to_vec(),
        env: Vec::new(),
        cwd: None,
        input: None,
        output: None,
        errors: None,
    }
}

/// An interrupt that comes between two runs finds the spawner at rest, and ends it: what cleans up needs another.
#[test]
fn cleanup_runs_after_an_interrupt() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let lock = Lock::take(&path("state"), "a test").unwrap();
    let grouping = groups::detect(Some(Backing::Plain)).unwrap();
    let keeper = Keeper::new(&lock, "cleaning", grouping, None).unwrap();
    // Gone before the cleaning up: its command cannot be made ready any more.
    fs::write(path("input"), "").unwrap();
    let recipe = Recipe {
        text: ":".to_owned(),
        run: CommandSpec {
            input: Some(path("input")),
            ..shell(":")
        },
        prepare: None,
        setup: None,
        cleanup: Some(shell(&format!("touch {}", path("cleaned").display()))),
        may_fail: false,
        output: Output::Unread,
    };
    let policy = Policy {
        timeout: Duration::from_secs(120),
        folder: folder.path().to_owned(),
        sizes: Vec::new(),
        cores: 1,
        hints: Hints::AROUND,
        show: None,
    };
    let cancel = AtomicBool::new(false);
    let spawner = vec![env!("CARGO_BIN_EXE_tare").into(), "__spawn".into()];
    let mut rig = CommandRig::new(&keeper, &cancel, spawner, vec![vec![recipe]], policy).unwrap();
    rig.first().unwrap();
    fs::remove_file(path("input")).unwrap();
    cancel.store(true, Ordering::SeqCst);
    assert_eq!(rig.clean_up(), Vec::<String>::new());
    assert!(path("cleaned").exists());
}

/// What is around a command must not fail, whatever the command may do: so a hint is not to let it.
#[test]
fn a_failed_setup_or_cleanup_is_reported_with_its_last_output_and_its_own_hint() {
    let lab = Lab::new(&[]);
    let fails = "echo said; echo alas >&2; exit 3";
    for (option, status) in [("--prepare", 1), ("--setup", 1), ("--cleanup", 0)] {
        let ran = time(&lab, &["true", option, fails, "--runs", "2", "--ignore-failure"]).expect(status);
        let text = format!("`{option} '{fails}'` ended with exit status 3");
        for part in [&text, "    said\n    alas", "|| true"] {
            assert!(ran.err.contains(part), "{option}, no {part:?}: {}", ran.err);
        }
        assert!(!ran.err.contains("--ignore-failure"), "{option}: {}", ran.err);
    }
}

/// Fails in its sixth run, with output only then, or in every run.
fn fails_late(lab: &Lab, always: &str) -> Ran {
    let count = file(lab, "count");
    let _ = fs::remove_file(&count);
    let fails = format!(
        "{always}; echo x >> {count}; test $(wc -l < {count}) -lt 6 || {{ echo 'alas, no more' >&2; exit 5; }}"
    );
    time(lab, &["true", &fails, "--names", "good,bad", "--runs", "20"]).expect(1)
}

#[test]
fn a_late_failure_is_shown_with_its_last_output() {
    let lab = Lab::new(&[]);
    let ran = fails_late(&lab, "echo working >&2");
    for part in [
        "error: bad: `",
        "exit status 5",
        "    working\n    alas, no more",
        "--ignore-failure",
    ] {
        assert!(ran.err.contains(part), "no {part:?}: {}", ran.err);
    }
    assert!(!ran.err.contains("error: good"), "{}", ran.err);
}

/// To keep long output would take measured time: it is not kept, and the message says so.
#[test]
fn long_output_of_a_late_failure_is_not_kept() {
    let lab = Lab::new(&[]);
    let ran = fails_late(&lab, "head -c 5000 /dev/zero >&2");
    assert!(
        ran.err.contains("error: bad: `") && ran.err.contains("were not kept"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("    alas"), "{}", ran.err);
    // In its first run it has them, much or not.
    let ran = time(
        &lab,
        &["head -c 5000 /dev/zero >&2; echo >&2; echo alas >&2; exit 5"],
    )
    .expect(1);
    assert!(ran.err.contains("    alas"), "{}", ran.err);
}

/// 127 is the shell's word where there is one; else a program's, which was found itself.
#[test]
fn a_missing_program_is_reported_by_whether_a_shell_looked_for_it() {
    let lab = Lab::new(&[]);
    let ran = time(&lab, &["no-such-program-here"]).expect(1);
    assert!(ran.err.contains("the shell found no such program"), "{}", ran.err);
    let ran = time(&lab, &["-N", "env no-such-program-here"]).expect(1);
    assert!(
        ran.err.contains("exit status 127") && ran.err.contains("finds no program to start"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("the shell"), "{}", ran.err);
    let ran = time(&lab, &["-S", "no-such-shell-here", "true"]).expect(2);
    assert!(
        ran.err.contains("no-such-shell-here")
            && ran.err.contains("--shell")
            && !ran.err.contains("first word"),
        "{}",
        ran.err
    );
    let ran = time(&lab, &["-N", "cat", "--input", "no/such/file"]).expect(2);
    assert!(
        ran.err.contains("--input no/such/file") && !ran.err.contains("first word"),
        "{}",
        ran.err
    );
}
