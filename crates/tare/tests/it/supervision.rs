//! A run that is interrupted, killed, not alone, or out of disk: nothing is left running, and the measured rounds are
//! kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::lab::{Lab, Running, is_root, kill, wait_for};

/// A lab in which a run has no end of its own within the test: its questions cannot be decided.
fn lab() -> Lab {
    Lab::new(&[("good", "good"), ("twin", "good")])
}

pub const ENDLESS: [&str; 10] = [
    "run",
    "fixture",
    "--budget",
    "10m",
    "--launches",
    "3",
    "--rounds",
    "100000",
    "--margin",
    "0%",
];

fn under_way(lab: &Lab) -> (Running, usize) {
    started(lab, lab.tare(&ENDLESS))
}

/// Starts a run, and waits until it has kept some slices: how many.
pub fn started(lab: &Lab, command: Command) -> (Running, usize) {
    let mut run = lab.start(command);
    let mut kept = 0;
    wait_for("some slices to be kept", || {
        assert!(!run.ended(), "it has ended: {}", run.said());
        kept = lab.slices_kept();
        kept >= 6
    });
    (run, kept)
}

/// The run can be reported, with at least this number of slices, and says that it was cut short.
#[track_caller]
pub fn assert_kept(lab: &Lab, least: usize) {
    assert!(lab.slices_kept() >= least);
    let document = lab.run(&["report", "--format", "json"]).expect(0).json();
    assert_eq!(document["run"]["complete"], false, "{document:#}");
    assert!(document["run"]["took"].as_f64().unwrap() > 0.0);
    lab.run(&["report"]).expect(0);
    let runs = lab.run(&["list", "runs"]).expect(0).out;
    assert!(runs.contains("cut short"), "{runs}");
}

#[test]
fn an_interrupt_ends_a_run_in_order_and_keeps_its_rounds() {
    for signal in ["INT", "TERM"] {
        let lab = lab();
        let (run, kept) = under_way(&lab);
        run.signal(signal);
        let ran = run.finish().expect(130);
        lab.assert_clean();
        assert!(
            ran.out.contains("fixture/all"),
            "the table is printed: {}",
            ran.out
        );
        assert!(ran.err.contains("interrupted"), "{}", ran.err);
        assert_kept(&lab, kept);
    }
}

/// A contender that takes its time to stop is not waited for twice.
#[test]
fn a_second_interrupt_ends_without_grace() {
    let lab = Lab::new(&[("good", "stubborn"), ("twin", "stubborn")]);
    let (run, kept) = under_way(&lab);
    run.signal("INT");
    run.signal("INT");
    run.finish().expect(130);
    lab.assert_clean();
    assert_kept(&lab, kept);
}

#[test]
fn an_interrupt_while_a_contender_starts_is_not_its_fault() {
    for command in ["run", "check"] {
        let lab = Lab::new(&[("good", "never-listens")]);
        let run = lab.start(lab.tare(&[command, "fixture"]));
        wait_for("it to be started", || {
            lab.left().iter().any(|line| line.contains("way=never-listens"))
        });
        run.signal("INT");
        let ran = run.finish().expect(130);
        lab.assert_clean();
        assert!(!ran.out.contains("FAULT"), "{}", ran.out);
    }
}

/// With an hour to wait for an answer: only the interrupt can end it.
#[test]
fn an_interrupt_does_not_wait_for_an_answer() {
    for way in ["hang:1", "hang:2", "hang:1000"] {
        let lab = Lab::new(&[("good", way)]);
        let run = lab.start(lab.tare(&["run", "fixture", "--timeout", "1h"]));
        wait_for("it to hang", || {
            let log = lab.path().join(".tare/logs/fixture/good.log");
            fs::read_to_string(log).is_ok_and(|log| log.contains("hanging"))
        });
        run.signal("INT");
        run.finish().expect(130);
        lab.assert_clean();
    }
}

/// Nobody's check waits for another's. Likewise, only the interrupt can end them.
#[test]
fn contenders_that_hang_in_their_checks_hang_at_the_same_time() {
    let lab = Lab::new(&[("good", "hang:1"), ("twin", "hang:1"), ("well", "good")]);
    let run = lab.start(lab.tare(&["run", "fixture", "--timeout", "1h"]));
    wait_for("both to hang", || {
        ["good", "twin"].iter().all(|name| {
            let log = lab.path().join(format!(".tare/logs/fixture/{name}.log"));
            fs::read_to_string(log).is_ok_and(|log| log.contains("hanging"))
        })
    });
    run.signal("INT");
    run.finish().expect(130);
    lab.assert_clean();
}

#[test]
fn an_interrupt_while_something_is_built_ends_the_build() {
    for command in ["run", "check"] {
        let lab = Lab::new(&[("good", "good")]);
        let build = crate::lab::list(&crate::misbehave::command("never-listens", "0"));
        let run_line = crate::lab::run_line("good");
        lab.contender("good", &format!("build = [{build}]\n{run_line}"));
        let run = lab.start(lab.tare(&[command, "fixture"]));
        wait_for("it to be building", || {
            lab.left().iter().any(|line| line.contains("way=never-listens"))
        });
        run.signal("INT");
        run.finish().expect(130);
        lab.assert_clean();
    }
}

#[test]
fn a_killed_run_leaves_nothing_and_loses_no_round() {
    let lab = lab();
    let (run, kept) = under_way(&lab);
    run.signal("KILL");
    run.finish().expect(-9);
    lab.assert_clean_soon();
    assert_kept(&lab, kept);
    // The lab is free again.
    lab.run(&["check", "fixture"]).expect(0);
}

#[test]
fn what_outlives_even_the_guard_is_ended_by_the_next_start() {
    let lab = lab();
    let (run, kept) = under_way(&lab);
    assert!(kill("KILL", guard_of(&lab)));
    run.signal("KILL");
    run.finish().expect(-9);
    // What was killed takes a moment to be gone.
    wait_for("both contenders alone to be left", || lab.left().len() == 2);
    let ran = lab.run(&["check", "fixture"]).expect(0);
    assert_eq!(
        ran.err.matches("ended what an earlier run left behind").count(),
        2,
        "{}",
        ran.err
    );
    lab.assert_clean();
    assert_kept(&lab, kept);
}

fn guard_of(lab: &Lab) -> u32 {
    let left = lab.left();
    let guard = left.iter().find(|line| line.contains("__guard"));
    let guard = guard.unwrap_or_else(|| panic!("no guard: {left:?}"));
    guard.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn a_second_tare_in_the_same_lab_is_refused_and_names_the_first() {
    let lab = lab();
    let (run, _) = under_way(&lab);
    for command in ["run", "check"] {
        let second = lab.run(&[command, "fixture"]).expect(1);
        assert_eq!(second.out, "");
        for part in [
            format!("process {}, started ", run.pid()),
            "run fixture --budget 10m".to_owned(),
            "hint: ".to_owned(),
        ] {
            assert!(second.err.contains(&part), "no {part:?}: {}", second.err);
        }
    }
    // What only reads is not kept out.
    lab.run(&["list", "runs"]).expect(0);
    lab.run(&["show", "fixture/good"]).expect(0);
    // The first was not disturbed.
    run.signal("INT");
    run.finish().expect(130);
    lab.assert_clean();
}

/// Every way of writing further than a limit fails, as it does with a quota.
#[test]
fn a_file_that_may_not_grow_ends_the_run_and_keeps_its_rounds() {
    let lab = lab();
    // The signal would end tare; ignored, the write fails, as it does with a quota. In blocks of 512 bytes or, as
    // some shells have it, of 1024.
    let mut command = lab.through(
        &["sh", "-c", "trap '' XFSZ; ulimit -f 1400; exec \"$@\"", "sh"],
        &ENDLESS,
    );
    command.stdin(Stdio::null());
    let ran = lab.start(command).finish().expect(1);
    lab.assert_clean();
    assert!(ran.err.contains("results.sqlite"), "{}", ran.err);
    assert!(ran.err.contains("check the disk, its quota"), "{}", ran.err);
    assert!(
        ran.err.contains("hint: rounds kept before that: `tare report "),
        "{}",
        ran.err
    );
    assert_kept(&lab, 2);
}

/// A file system of its own that ends with the test.
pub struct SmallDisk {
    at: PathBuf,
}

impl SmallDisk {
    pub fn mount(at: &Path, options: &str) -> Option<Self> {
        fs::create_dir_all(at).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(at);
        let done = mount.output().is_ok_and(|answer| answer.status.success());
        done.then(|| Self { at: at.to_owned() })
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let done = Command::new("umount").arg("--lazy").arg(&self.at).status();
        assert!(done.is_ok_and(|status| status.success()) || std::thread::panicking());
    }
}

#[test]
fn a_full_disk_ends_the_run_and_keeps_its_rounds() {
    let lab = lab();
    let state = lab.path().join(".tare");
    let Some(_disk) = SmallDisk::mount(&state, "size=3m") else {
        assert!(!is_root() || !may_mount(), "a mount that should have succeeded");
        eprintln!("skipped: this user may not mount a small file system");
        return;
    };
    let (run, kept) = under_way(&lab);
    fill(&state.join("filler"));
    let ran = run.finish().expect(1);
    assert_eq!(lab.left(), Vec::<String>::new());
    assert!(ran.err.contains("the disk is full"), "{}", ran.err);
    assert!(ran.err.contains("free some space"), "{}", ran.err);
    assert!(
        ran.err.contains("hint: rounds kept before that: `tare report "),
        "{}",
        ran.err
    );
    assert_kept(&lab, kept);
    fs::remove_file(state.join("filler")).unwrap();
    assert_kept(&lab, kept);
    lab.run(&["check", "fixture"]).expect(0);
}

/// Whether this process has CAP_SYS_ADMIN (bit 21): root in a container may not.
fn may_mount() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("CapEff:"))
        .unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() & (1 << 21) != 0
}

/// Takes all the space that is left.
fn fill(path: &Path) {
    use std::io::Write;
    let mut file = fs::File::create(path).unwrap();
    for size in [64 << 10, 4096, 512] {
        let block = vec![1_u8; size];
        while file.write_all(&block).is_ok() {}
    }
}

/// The reader of its output may have ended: `tare run … 2>&1 | head`.
#[test]
fn a_run_continues_when_its_output_is_closed() {
    let lab = lab();
    let mut words = vec!["run", "fixture", "--launches", "2", "--rounds", "2"];
    words.extend(["--budget", "1s", "--timeout", "5s", "--verbose"]);
    let mut command = lab.tare(&words);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    // It holds the pipe's other ends, which must go.
    drop(command);
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(0));
    lab.assert_clean();
    let document = lab.run(&["report", "--format", "json"]).expect(0).json();
    assert_eq!(document["run"]["complete"], true);
}
