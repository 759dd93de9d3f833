//! Servers that misbehave: each is found out, and the request counts balance.

mod common;

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use common::*;
use tare_load::{Address, Load, LoadConfig, Schedule, Target, Work};
use tare_model::fault::FaultKind;
use tare_model::units::PerSecond;

fn schedules() -> [Schedule; 3] {
    [
        capacity(3, 3),
        Schedule::Cost {
            connections: 3,
            depth: 3,
            rate: PerSecond(2000.0),
        },
        Schedule::Batch {
            programs: 2,
            connections: 2,
            requests: 30,
            depth: 3,
        },
    ]
}

#[test]
fn a_wrong_answer_is_shown_with_its_request_and_what_was_expected() {
    for schedule in schedules() {
        let address = doubling(|n, answer, stream| {
            let wrong = format!("1{answer}");
            write(stream, if n == 7 { &wrong } else { answer })
        });
        let (kind, text, reading) = fault(address, Work::doubling(1), &schedule, PATIENT);
        assert_eq!(kind, FaultKind::Wrong, "{text}");
        for part in [
            "a wrong answer to \"",
            "expected \"",
            "got      \"1",
            "first difference at byte",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert_eq!(reading.requests.invalid, 1);
        assert!(reading.requests.valid >= 7, "{:?}", reading.requests);
    }
}

#[test]
fn answering_twice_does_not_make_a_server_twice_as_fast() {
    for depth in [1, 3, 16] {
        let address = doubling(|n, answer, stream| {
            write(
                stream,
                &if n >= 5 {
                    answer.repeat(2)
                } else {
                    answer.to_owned()
                },
            )
        });
        let work = Work::lines("5", "10").unwrap();
        let (kind, text, _) = fault(address, work, &capacity(2, depth), PATIENT);
        assert_eq!(kind, FaultKind::Unasked, "{text}");
        assert!(
            text.contains("\"10\\n\"") || text.contains("10\\n10\\n"),
            "{text}"
        );
    }
}

#[test]
fn an_answer_sent_twice_in_place_of_the_next_one_is_named() {
    for schedule in schedules() {
        let address = doubling(|n, answer, stream| match n {
            7 => write(stream, &answer.repeat(2)),
            _ => write(stream, answer),
        });
        // Answers that differ from one request to the next, and several in flight.
        let (kind, text, reading) = fault(address, Work::doubling(1), &schedule, PATIENT);
        assert_eq!(kind, FaultKind::Unasked, "{text}");
        assert!(text.contains("twice"), "{text}");
        assert!(reading.requests.valid >= 8, "{:?}", reading.requests);
    }
}

#[test]
fn an_answer_sent_twice_at_the_very_end_is_detected_by_the_next_slice() {
    let address = serve(|mut stream, _| {
        write(&mut stream, "10\n");
        thread::sleep(Duration::from_millis(20));
        linger(stream);
    });
    // Nothing is sent here: the bytes come unasked.
    let mut target = Target::new(address, Work::lines("5", "10").unwrap());
    let mut load = load(PATIENT);
    let seen = (0..1000).find_map(|_| {
        thread::sleep(Duration::from_millis(1));
        load.connect(&mut target, 1, &go()).err()
    });
    let error = seen.expect("seen");
    assert_eq!(error.fault().unwrap().kind, FaultKind::Unasked, "{error}");
    balanced(&error.reading);
}

#[test]
fn closing_early_is_shown_with_the_request_and_the_part_of_its_answer() {
    for schedule in schedules() {
        let address = doubling(|n, answer, stream| match n {
            7 => {
                write(stream, &answer[..1]);
                false
            }
            _ => write(stream, answer),
        });
        let (kind, text, reading) = fault(address, Work::lines("555", "1110").unwrap(), &schedule, PATIENT);
        assert_eq!(kind, FaultKind::ClosedEarly, "{text}");
        assert!(
            text.contains("\"555\\n\"") && text.contains("outstanding"),
            "{text}"
        );
        assert!(reading.requests.lost >= 1, "{:?}", reading.requests);
    }
}

#[test]
fn a_server_that_never_answers_has_hung_and_its_requests_are_lost() {
    for schedule in schedules() {
        let address = serve(|stream, _| linger(stream));
        let (kind, text, reading) = fault(address, Work::doubling(1), &schedule, Duration::from_millis(200));
        assert_eq!(kind, FaultKind::Hung, "{text}");
        assert!(
            text.contains("no answer within 0.2 s") && text.contains("requests lost on"),
            "{text}"
        );
        assert_eq!((reading.requests.valid, reading.requests.invalid), (0, 0));
        assert!(reading.requests.lost >= 3);
    }
}

#[test]
fn one_lost_answer_among_thousands_is_found_in_the_drain() {
    let count = AtomicUsize::new(0);
    let address = doubling(move |_, answer, stream| {
        count.fetch_add(1, Ordering::Relaxed) == 20 || write(stream, answer)
    });
    // Depth 1, and other connections go on: only the drain or the watch can notice it.
    let (kind, text, reading) = fault(
        address,
        Work::lines("5", "10").unwrap(),
        &capacity(4, 1),
        Duration::from_millis(500),
    );
    assert_eq!(kind, FaultKind::Hung, "{text}");
    assert_eq!(
        reading.requests.lost,
        reading.requests.sent - reading.requests.valid
    );
    assert!(reading.requests.lost >= 1);
}

#[test]
fn a_server_that_ignores_the_farewell_has_hung() {
    let address = serve(|stream, _| {
        let mut out = stream.try_clone().unwrap();
        let mut lines = std::io::BufRead::lines(std::io::BufReader::new(stream));
        while let Some(Ok(line)) = lines.next() {
            if line != "end" {
                write(&mut out, "10\n");
            }
        }
    });
    let work = Work::lines("5", "10").unwrap().with_farewell("end").unwrap();
    let schedule = Schedule::Batch {
        programs: 1,
        connections: 2,
        requests: 4,
        depth: 2,
    };
    let (kind, text, reading) = fault(address, work, &schedule, Duration::from_millis(300));
    assert_eq!(kind, FaultKind::Hung, "{text}");
    assert!(
        text.contains("was not closed within 0.3 s of \"end\\n\""),
        "{text}"
    );
    assert_eq!((reading.requests.valid, reading.requests.lost), (8, 0));
}

#[test]
fn a_port_without_a_listener_is_a_dead_server() {
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    for schedule in schedules() {
        let (kind, text, _) = fault(free.into(), Work::doubling(1), &schedule, PATIENT);
        assert_eq!(kind, FaultKind::Died, "{text}");
        assert!(
            text.contains(&free.to_string()) && text.contains("nothing listens"),
            "{text}"
        );
    }
    let nowhere = Address::Unix("/nonexistent/socket".into());
    let (kind, text, _) = fault(nowhere, Work::doubling(1), &capacity(1, 1), PATIENT);
    assert_eq!(kind, FaultKind::Died, "{text}");
}

#[test]
fn unrequested_bytes_are_detected_in_the_middle_of_a_slice() {
    let once = AtomicBool::new(false);
    let address = serve(move |mut stream, number| {
        if number == 1 && !once.swap(true, Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(50));
            let _ = stream.write_all(b"hello");
        }
        linger(stream);
    });
    // A rate so low that the second connection is idle then.
    let schedule = Schedule::Cost {
        connections: 2,
        depth: 1,
        rate: PerSecond(0.05),
    };
    let (kind, text, _) = fault(address, Work::doubling(1), &schedule, PATIENT);
    assert_eq!(kind, FaultKind::Unasked, "{text}");
    assert!(text.contains("\"hello\""), "{text}");
}

#[test]
fn impossible_schedules_are_refused_before_anything_is_opened() {
    let bad = [
        capacity(0, 1),
        capacity(1, 0),
        Schedule::Cost {
            connections: 1,
            depth: 1,
            rate: PerSecond(0.0),
        },
        Schedule::Cost {
            connections: 1,
            depth: 1,
            rate: PerSecond(f64::NAN),
        },
        Schedule::Batch {
            programs: 1,
            connections: 1,
            requests: 0,
            depth: 1,
        },
    ];
    for schedule in bad {
        let mut target = Target::new(Address::loopback(1), Work::doubling(1));
        let error = load(PATIENT)
            .run(&mut target, &schedule, millis(1), &go())
            .unwrap_err();
        assert_eq!(error.fault().unwrap().kind, FaultKind::Instrument, "{error}");
    }
}

#[test]
fn a_fault_on_one_load_core_stops_the_others_and_the_counts_still_balance() {
    let address = doubling(|n, answer, stream| match n {
        2000 => write(stream, "wrong\n"),
        _ => write(stream, answer),
    });
    // Two threads: several cannot be unpinned, and the same core twice will do.
    let core = first_core();
    let mut load = Load::new(LoadConfig {
        cores: vec![core, core],
        timeout: PATIENT,
        seed: 1,
        ..LoadConfig::default()
    });
    let mut target = Target::new(address, Work::doubling(1));
    let error = load
        .run(&mut target, &capacity(4, 3), millis(3_600_000), &go())
        .unwrap_err();
    assert_eq!(error.fault().unwrap().kind, FaultKind::Wrong, "{error}");
    balanced(&error.reading);
    assert_eq!(error.reading.requests.invalid, 1);
}

fn first_core() -> u32 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))
        .unwrap();
    list.trim().split([',', '-']).next().unwrap().parse().unwrap()
}

#[test]
fn a_missing_core_is_the_instruments_fault() {
    for core in [1023, 4_000_000] {
        let mut load = Load::new(LoadConfig {
            cores: vec![core],
            timeout: PATIENT,
            seed: 1,
            ..LoadConfig::default()
        });
        let mut target = Target::new(right(), Work::doubling(1));
        let error = load
            .run(&mut target, &capacity(1, 1), millis(1), &go())
            .unwrap_err();
        assert_eq!(error.fault().unwrap().kind, FaultKind::Instrument, "{error}");
        assert!(error.to_string().contains(&format!("core {core}")), "{error}");
    }
}
