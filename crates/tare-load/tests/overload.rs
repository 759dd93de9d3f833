//! Servers that take less than they are offered: slow is not hung, and what was never sent is told.

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use common::*;
use tare_load::{Address, Length, Schedule, Target, Work};
use tare_model::fault::FaultKind;
use tare_model::units::PerSecond;

/// What is owed at the end takes the server longer than this, and no answer of it nearly so long.
const TIMEOUT: Duration = Duration::from_secs(5);

/// A server that takes at least 50 ms for each answer, one after the other on a connection.
fn slow() -> Address {
    doubling(|_, answer, stream| {
        thread::sleep(Duration::from_millis(50));
        write(stream, answer)
    })
}

/// 150 requests in half a second, of which the server can answer ten.
const OFFERED: Schedule = Schedule::Cost {
    connections: 1,
    depth: 3,
    rate: PerSecond(300.0),
};

fn half_a_second(drops: bool) -> Length {
    Length { drops, ..millis(500) }
}

#[test]
fn a_server_that_owes_much_at_the_end_and_gives_it_has_not_hung() {
    let mut target = Target::new(slow(), Work::doubling(1));
    let reading = load(TIMEOUT)
        .run(&mut target, &OFFERED, half_a_second(false), &go())
        .expect("it answers all the time");
    balanced(&reading);
    assert_eq!((reading.requests.valid, reading.unsent), (150, 0));
    // What waited is charged with its waiting: the last one's turn comes after seven seconds.
    assert!(
        reading.latency.max() > 6_000_000_000,
        "{:?}",
        reading.latency.max()
    );
}

#[test]
fn what_was_due_and_never_sent_is_told_where_it_is_dropped() {
    let mut target = Target::new(slow(), Work::doubling(1));
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
    // Ten at the most, three in flight, and some for a generator that woke up late.
    assert!(reading.requests.sent <= 30, "{:?}", reading.requests);
    assert!(reading.requests.valid >= 1);
}

/// So many requests were asked for, and none is dropped.
#[test]
fn a_number_of_requests_is_sent_to_the_last() {
    let mut target = Target::new(slow(), Work::doubling(1));
    let length = Length {
        drops: true,
        ..Length::answers(20, PATIENT)
    };
    let reading = load(TIMEOUT).run(&mut target, &OFFERED, length, &go()).unwrap();
    assert_eq!((reading.requests.valid, reading.unsent), (20, 0));
}

#[test]
fn a_deep_pipeline_is_waited_for_as_long_as_it_moves() {
    let mut target = Target::new(slow(), Work::doubling(1));
    let length = Length {
        at_least_answers: 0,
        ..millis(100)
    };
    let reading = load(TIMEOUT)
        .run(&mut target, &capacity(1, 200), length, &go())
        .expect("it answers all the time");
    balanced(&reading);
    assert!(reading.requests.valid >= 200, "{:?}", reading.requests);
}

#[test]
fn one_that_stops_answering_after_the_end_has_hung_all_the_same() {
    for schedule in [OFFERED, capacity(1, 64)] {
        // 40 answers take it longer than the half second.
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
