//! Servers that answer less than they are offered: slow is not hung, and requests that were never sent are counted.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use common::*;
use tare_load::{Address, Length, Schedule, Target, Work};
use tare_model::fault::FaultKind;
use tare_model::units::PerSecond;

/// An answer of the slow server takes far less than this, and all that it owes at the end take longer.
const TIMEOUT: Duration = Duration::from_secs(2);

/// A server that takes at least 50 ms for each answer, one after the other on a connection.
fn server() -> Address {
    doubling(|_, answer, stream| {
        thread::sleep(Duration::from_millis(50));
        write(stream, answer)
    })
}

/// An open loop that sends more than the slow server can answer, 20 per second.
const fn offered(rate: f64) -> Schedule {
    Schedule::Cost {
        connections: 1,
        depth: 3,
        rate: PerSecond(rate),
    }
}

/// 150 requests in half a second, of which the slow server can answer ten.
const OFFERED: Schedule = offered(300.0);

fn half_a_second(drops: bool) -> Length {
    Length { drops, ..millis(500) }
}

/// Drives the slow server until it has sent the answers that it owes, which takes it longer than the timeout.
fn owes_much(schedule: &Schedule, requests: u64, timeout: Duration) {
    let mut target = Target::new(server(), Work::doubling(1));
    let reading = load(timeout)
        .run(&mut target, schedule, half_a_second(false), &go())
        .expect("it answers all the time");
    balanced(&reading);
    assert_eq!((reading.requests.valid, reading.unsent), (requests, 0));
    // Waiting in the generator counts: the last request waits for all others.
    let latency = Duration::from_nanos(reading.latency.max());
    assert!(latency > timeout.mul_f64(1.2), "{latency:?}");
}

#[test]
fn a_server_that_sends_many_late_answers_at_the_end_has_not_hung() {
    owes_much(&offered(120.0), 60, TIMEOUT);
}

fn deep_pipeline(depth: u32, timeout: Duration) {
    let mut target = Target::new(server(), Work::doubling(1));
    let length = Length {
        at_least_answers: 0,
        ..millis(100)
    };
    let reading = load(timeout)
        .run(&mut target, &capacity(1, depth), length, &go())
        .expect("it answers all the time");
    balanced(&reading);
    assert!(
        reading.requests.valid >= u64::from(depth),
        "{:?}",
        reading.requests
    );
}

#[test]
fn a_deep_pipeline_is_given_time_as_long_as_answers_come() {
    deep_pipeline(60, TIMEOUT);
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: 18 s, so that even a machine that is slowed down tenfold meets no timeout"]
    fn many_late_answers_and_a_deep_pipeline_with_a_longer_timeout() {
        let patience = Duration::from_secs(5);
        owes_much(&OFFERED, 150, patience);
        deep_pipeline(200, patience);
    }
}

#[test]
fn dropped_requests_are_counted() {
    let mut target = Target::new(server(), Work::doubling(1));
    let reading = load(TIMEOUT)
        .run(&mut target, &OFFERED, half_a_second(true), &go())
        .expect("it answers all the time");
    balanced(&reading);
    assert_eq!(
        reading.requests.valid + reading.unsent,
        150,
        "{:?}",
        reading.requests
    );
    // At most ten answers, three requests in flight, and some for a generator that woke up late.
    assert!(reading.requests.sent <= 30, "{:?}", reading.requests);
    assert!(reading.requests.valid >= 1);
}

/// A given number of requests is sent, and none is dropped.
#[test]
fn a_fixed_number_of_requests_is_sent_completely() {
    let mut target = Target::new(server(), Work::doubling(1));
    let length = Length {
        drops: true,
        ..Length::answers(20, PATIENT)
    };
    let reading = load(TIMEOUT).run(&mut target, &OFFERED, length, &go()).unwrap();
    assert_eq!((reading.requests.valid, reading.unsent), (20, 0));
}

#[test]
fn a_server_that_stops_answering_after_the_end_has_hung() {
    for schedule in [OFFERED, capacity(1, 64)] {
        // 40 answers take longer than the half second.
        let count = AtomicUsize::new(0);
        let address = doubling(move |_, answer, stream| {
            thread::sleep(Duration::from_millis(20));
            count.fetch_add(1, Ordering::Relaxed) >= 40 || write(stream, answer)
        });
        let mut target = Target::new(address, Work::doubling(1));
        let length = Length {
            at_least_answers: 0,
            ..half_a_second(false)
        };
        let error = load(Duration::from_secs(1))
            .run(&mut target, &schedule, length, &go())
            .expect_err("it stopped");
        balanced(&error.reading);
        assert_eq!(error.fault().unwrap().kind, FaultKind::Hung, "{error}");
        assert!(error.reading.requests.lost >= 1);
    }
}

/// A server that accepts nothing until 600 further sockets than its listen queue holds (128, of the standard library) have
/// tried to connect: the kernel, which tries again with the same socket, would have 472 of them.
#[test]
fn connections_that_a_full_listen_queue_dropped_are_soon_tried_again() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    thread::spawn(move || {
        let mut sockets = BTreeSet::new();
        while sockets.len() < 600 {
            sockets.extend(unanswered(port));
            thread::sleep(Duration::from_millis(2));
        }
        let accepted: Vec<_> = listener.incoming().take(600).collect();
        thread::park();
        drop(accepted);
    });
    let mut target = Target::new(Address::loopback(port), Work::doubling(1));
    let opened = load(Duration::from_secs(20)).connect(&mut target, 600, &go());
    assert_eq!(opened.expect("none waits for the timeout"), 0);
    assert_eq!(target.connections(), 600);
}

/// The addresses of sockets whose connect to this port of loopback was not answered.
fn unanswered(port: u16) -> Vec<String> {
    let table = fs::read_to_string("/proc/self/net/tcp").expect("the kernel's table of sockets");
    let peer = format!("0100007F:{port:04X}");
    let rows = table
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    let sent = rows.filter(|row| row[2] == peer && row[3] == "02");
    sent.map(|row| row[1].to_owned()).collect()
}
