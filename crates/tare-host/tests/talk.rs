//! Lines to processes that read them, that do not, and that are gone.

mod common;

use std::time::{Duration, Instant};

use common::{LONG, Lab, possible, until};
use tare_host::process::{Process, ProcessSpec};
use tare_host::talk::{Heard, Talk};
use tare_model::fault::FaultKind;

/// More than a pipe holds.
const LONGER: usize = 300_000;

fn talking(lab: &Lab, spec: ProcessSpec) -> (Process, Talk) {
    Process::start_talking(lab.keeper.group().unwrap(), spec).unwrap()
}

fn shell(lab: &Lab, script: &str) -> ProcessSpec {
    ProcessSpec {
        argv: ["sh", "-c", script].map(str::to_owned).to_vec(),
        ..lab.spec(&[])
    }
}

#[test]
fn a_line_longer_than_a_pipe_arrives_complete() {
    let lab = Lab::new(possible()[0]);
    let script = format!("head -c {} | wc -c", LONGER + 1);
    let (_process, mut talk) = talking(&lab, shell(&lab, &script));
    let heard = talk
        .ask(&"x".repeat(LONGER), Instant::now() + LONG, 100, || false)
        .unwrap();
    let Heard::Line { text, .. } = heard else {
        panic!("{heard:?}")
    };
    assert_eq!(text.trim(), (LONGER + 1).to_string());
}

#[test]
fn a_contender_that_does_not_read_is_late_and_does_not_block_tare() {
    let lab = Lab::new(possible()[0]);
    let (_process, mut talk) = talking(&lab, lab.spec(&["sleep"]));
    let soon = Instant::now() + Duration::from_millis(100);
    let heard = talk.ask(&"x".repeat(LONGER), soon, 100, || false).unwrap();
    assert_eq!(heard, Heard::Late(String::new()));
    let heard = talk.ask("x", Instant::now() + LONG, 100, || true).unwrap();
    assert_eq!(heard, Heard::GivenUp);
}

#[test]
fn a_contender_that_ended_has_closed() {
    let lab = Lab::new(possible()[0]);
    let (mut process, mut talk) = talking(&lab, lab.spec(&["crash"]));
    until("the end of it", || process.ended().is_some());
    let heard = talk.ask("x", Instant::now() + LONG, 100, || false).unwrap();
    assert_eq!(heard, Heard::Closed(String::new()));
}

#[test]
fn of_two_that_end_the_one_that_failed_is_the_cause() {
    let lab = Lab::new(possible()[0]);
    let (mut process, _talk) = talking(&lab, shell(&lab, "sleep 0.3; exit 9"));
    // A server of a pair ends well once its client is gone, and may be seen to do so first.
    process.accompany_apart(shell(&lab, "exit 0"), "server").unwrap();
    let death = process.dies_within(LONG, FaultKind::Died).unwrap();
    assert!(death.detail.contains("exit status 9"), "{death:?}");
}
