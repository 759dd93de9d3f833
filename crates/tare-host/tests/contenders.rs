//! Contenders that start badly or stop badly: each is seen for what it is, and nothing of it stays.

mod common;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use common::{LONG, Lab, NEVER, lives, possible, until};
use tare_host::groups::Backing;
use tare_host::ports::free_port;
use tare_host::process::Process;
use tare_host::ready;
use tare_host::stop::stop;
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::Ready;

fn wait(process: &mut Process, ready: &Ready, port: u16) -> Result<(), Fault> {
    ready::wait(process, ready, port, LONG, &NEVER).map(|_| ())
}

fn expect(fault: &Fault, kind: FaultKind, parts: &[&str]) {
    assert_eq!(fault.kind, kind, "{fault}");
    for part in parts {
        assert!(fault.detail.contains(part), "{part:?} is not in: {fault}");
    }
}

#[test]
fn a_contender_that_listens_is_ready_and_stops_when_asked() {
    for backing in possible() {
        let lab = Lab::new(backing);
        let port = free_port().unwrap();
        let mut process = lab.start(&["listen", &port.to_string()]);
        wait(&mut process, &Ready::Connect, port).unwrap();
        let pid = process.pid();
        // As between two slices.
        process.group().freeze().unwrap();
        let stopped = stop(process, "TERM", LONG).unwrap();
        assert!(!stopped.killed && stopped.leaked.is_empty(), "{stopped:?}");
        assert_eq!(
            tare_host::process::describe_exit(stopped.exit.unwrap()),
            "signal 15 (SIGTERM)"
        );
        assert!(!lives(pid));
    }
}

#[test]
fn a_printed_line_can_mean_ready() {
    let lab = Lab::new(possible()[0]);
    let mut process = lab.start(&["say", "now listening", "forever"]);
    wait(&mut process, &Ready::Line("listening".to_owned()), 1).unwrap();
}

#[test]
fn never_listening_is_a_fault_that_says_what_was_tried() {
    let lab = Lab::new(possible()[0]);
    let port = free_port().unwrap();
    let brief = Duration::from_millis(50);
    let mut process = lab.start(&["say", "thinking", "forever"]);
    until("it has spoken", || process.log_tail(1) == "thinking");
    let fault = ready::wait(&mut process, &Ready::Connect, port, brief, &NEVER).unwrap_err();
    let tried = format!("127.0.0.1:{port} accepted no connection");
    expect(
        &fault,
        FaultKind::NeverReady,
        &[&tried, "within 0.05 s", "    thinking", "hint: "],
    );
    let line = Ready::Line("listening".to_owned());
    let fault = ready::wait(&mut process, &line, port, brief, &NEVER).unwrap_err();
    expect(
        &fault,
        FaultKind::NeverReady,
        &["no line with \"listening\"", "hint: "],
    );
}

#[test]
fn a_crash_is_reported_with_its_signal_or_exit_status() {
    let lab = Lab::new(possible()[0]);
    let mut process = lab.start(&["crash"]);
    let fault = wait(&mut process, &Ready::Connect, free_port().unwrap()).unwrap_err();
    expect(
        &fault,
        FaultKind::DiedAtStart,
        &["exit status 3", "    alas, no configuration"],
    );
    // A line that was printed does not make a dead one ready.
    let mut process = lab.start(&["say", "listening"]);
    until("it has ended", || process.ended().is_some());
    let fault = wait(&mut process, &Ready::Line("listening".to_owned()), 1).unwrap_err();
    expect(&fault, FaultKind::DiedAtStart, &["exit status 0"]);
}

#[test]
fn a_program_that_cannot_be_run_is_reported_with_the_reason() {
    let lab = Lab::new(possible()[0]);
    let mut spec = lab.spec(&[]);
    spec.argv = vec!["/nowhere/server".to_owned()];
    let fault = Process::start(lab.keeper.group().unwrap(), spec.clone()).unwrap_err();
    expect(
        &fault,
        FaultKind::DiedAtStart,
        &["/nowhere/server", "No such file", "hint: "],
    );
    spec.argv.clear();
    let fault = Process::start(lab.keeper.group().unwrap(), spec).unwrap_err();
    expect(&fault, FaultKind::DiedAtStart, &["empty"]);
}

#[test]
fn a_later_death_is_noticed() {
    let lab = Lab::new(possible()[0]);
    let port = free_port().unwrap();
    let mut process = lab.start(&["die-later", &port.to_string()]);
    wait(&mut process, &Ready::Connect, port).unwrap();
    assert_eq!(process.died(FaultKind::Died), None);
    drop(std::net::TcpStream::connect(("127.0.0.1", port)).unwrap());
    until("it died", || process.ended().is_some());
    let fault = process.died(FaultKind::Died).unwrap();
    expect(&fault, FaultKind::Died, &["exit status 4", "one too many"]);
}

#[test]
fn a_port_of_another_process_does_not_count_as_ready() {
    for backing in possible() {
        let lab = Lab::new(backing);
        let holder = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = holder.local_addr().unwrap().port();
        let mut process = lab.start(&["sleep"]);
        let fault = wait(&mut process, &Ready::Connect, port).unwrap_err();
        let who = format!("port {port} is in use by pid {} (", std::process::id());
        expect(&fault, FaultKind::NeverReady, &[&who, "hint: "]);
        let mut process = lab.start(&["listen", &port.to_string()]);
        let fault = wait(&mut process, &Ready::Connect, port).unwrap_err();
        // Whether it is seen before or after it has died of it.
        assert!(
            matches!(fault.kind, FaultKind::NeverReady | FaultKind::DiedAtStart),
            "{fault}"
        );
        assert!(fault.detail.contains("in use by pid"), "{fault}");
    }
}

#[test]
fn a_contender_that_ignores_sigterm_is_killed() {
    for backing in possible() {
        let lab = Lab::new(backing);
        let process = lab.start(&["ignore-term"]);
        until("it is deaf", || process.log_tail(1) == "deaf");
        let pid = process.pid();
        let stopped = stop(process, "TERM", Duration::from_millis(30)).unwrap();
        assert!(stopped.killed, "{stopped:?}");
        assert!(!lives(pid));
    }
}

#[test]
fn a_child_left_behind_is_named_and_ended() {
    for backing in possible() {
        let lab = Lab::new(backing);
        let port = free_port().unwrap();
        let process = lab.start(&["leak", &port.to_string()]);
        let holds = || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok();
        until("the child listens", holds);
        let stopped = stop(process, "TERM", LONG).unwrap();
        assert_eq!(stopped.leaked.len(), 1, "{backing:?} {stopped:?}");
        assert!(stopped.leaked[0].contains("(tare-host-fixtu"), "{stopped:?}");
        assert!(!holds(), "{backing:?}");
    }
}

#[test]
fn an_interrupt_ends_the_wait() {
    let lab = Lab::new(Backing::Plain);
    let mut process = lab.start(&["sleep"]);
    let cancelled = AtomicBool::new(true);
    let fault = ready::wait(
        &mut process,
        &Ready::Connect,
        free_port().unwrap(),
        LONG,
        &cancelled,
    )
    .unwrap_err();
    expect(&fault, FaultKind::Instrument, &["interrupted"]);
}

#[test]
fn the_first_interrupt_asks_and_the_second_ends_the_grace() {
    let lab = Lab::new(Backing::Plain);
    for signal in [libc::SIGINT, libc::SIGTERM] {
        let mut process = lab.start(&["await-interrupts"]);
        for said in ["ready false false 2s", "first true false 2s"] {
            until(said, || process.log_tail(1) == said);
            tare_host::sys::kill(process.pid(), signal).unwrap();
        }
        until("it ended", || process.ended().is_some());
        assert_eq!(process.log_tail(1), "second true true 0ns");
    }
}
