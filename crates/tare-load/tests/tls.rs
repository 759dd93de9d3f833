//! Loads over TLS, against rustls's server.

mod common;
#[path = "common/tls.rs"]
mod fixture;

use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::thread;
use std::time::Duration;

use common::*;
use fixture::authority::{Authority, server};
use fixture::{Manner, front, tls13, trusting};
use rustls::version::{TLS12, TLS13};
use tare_load::job::HttpOptions;
use tare_load::{Address, Length, Schedule, Target, Work, exchange};
use tare_model::fault::FaultKind;
use tare_model::manifest::{HttpAnswer, HttpJob};
use tare_model::measure::LoadReading;
use tare_model::units::PerSecond;
use tare_tls::{Client, Protocol};

/// An HTTP server in clear whose answers have this body.
fn answering(body: &str) -> Address {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
    let answer = (head + body).into_bytes();
    http(move |_| answer.clone())
}

fn get(address: &Address, expect: Option<&str>, client: &Client) -> Work {
    let request = HttpJob {
        answer: expect.map(|body| HttpAnswer::Text { body: body.into() }),
        ..HttpJob::default()
    };
    let options = HttpOptions {
        secure: true,
        ..HttpOptions::default()
    };
    let work = Work::http_with(&request, address, &options).unwrap();
    work.over_tls(client.clone())
}

/// A right server with this body before a client that trusts it.
fn right(body: &str) -> (Address, Client) {
    let (authority, config) = tls13(&["http/1.1"]);
    let address = front(config, &answering(body), Manner::default());
    (address, trusting(&authority, Protocol::Http1, false))
}

fn drive(target: &mut Target, schedule: &Schedule, length: Length) -> LoadReading {
    let reading = load(PATIENT).run(target, schedule, length, &go()).unwrap();
    balanced(&reading);
    assert_eq!((reading.requests.invalid, reading.requests.lost), (0, 0));
    reading
}

#[test]
fn all_schedules_are_answered_right_whatever_the_size() {
    for body in ["hello", "", &"0123456789abcdef".repeat(20_000)] {
        let (address, client) = right(body);
        let work = || get(&address, Some(body), &client);
        exchange::first_answer(&address, &work(), PATIENT, false, &go()).unwrap();
        for depth in [1, 5] {
            let mut target = Target::new(address.clone(), work());
            let reading = drive(&mut target, &capacity(3, depth), Length::answers(60, PATIENT));
            assert_eq!(reading.requests.valid, 60);
            let tls = reading.tls.unwrap();
            assert_eq!((tls.handshakes, tls.resumed, tls.times.count()), (3, 0, 3));
            assert_eq!(
                tls.agreed[0].to_string(),
                "TLS 1.3, TLS_AES_128_GCM_SHA256, X25519, http/1.1"
            );
            let rate = Schedule::Cost {
                connections: 2,
                depth,
                rate: PerSecond(500.0),
            };
            // Of three connections one is closed, and the others stay open.
            let reading = drive(&mut target, &rate, Length::answers(40, PATIENT));
            assert_eq!((reading.requests.sent, reading.tls), (40, None));
            let batch = Schedule::Batch {
                programs: 2,
                connections: 2,
                requests: 10,
                depth,
            };
            let reading = drive(&mut target, &batch, millis(0));
            assert_eq!((reading.requests.valid, reading.programs.len()), (40, 2));
            assert_eq!(reading.tls.map(|tls| (tls.handshakes, tls.in_time)), Some((4, 4)));
        }
    }
}

#[test]
fn large_bodies_are_sampled_and_all_of_their_bytes_can_be_checked() {
    let body = "abcdefgh".repeat(50_000);
    let (address, client) = right(&body);
    for (share, whole) in [(0.0, 0.0), (1.0, 1.0)] {
        let work = get(&address, Some(&body), &client).sampled(share);
        let mut target = Target::new(address.clone(), work);
        let reading = drive(&mut target, &capacity(2, 2), Length::answers(20, PATIENT));
        // The first answer that is seen is always checked whole.
        assert!(
            (reading.checked.0 - whole).abs() < 0.2,
            "{share}: {}",
            reading.checked.0
        );
    }
    let wrong = body.replace("hab", "hbb");
    let (kind, why, _) = fault(
        address.clone(),
        get(&address, Some(&wrong), &client).sampled(1.0),
        &capacity(1, 1),
        PATIENT,
    );
    assert_eq!(kind, FaultKind::Wrong, "{why}");
}

#[test]
fn requests_larger_than_a_record_arrive_whole() {
    let length = 100_000;
    let echo = serve(move |mut stream, _| {
        let mut seen = Vec::new();
        let mut buffer = [0; 4096];
        while let Ok(len @ 1..) = stream.read(&mut buffer) {
            seen.extend_from_slice(&buffer[..len]);
            let head = seen.windows(4).position(|end| end == b"\r\n\r\n");
            let Some(head) = head.filter(|head| seen.len() >= head + 4 + length) else {
                continue;
            };
            let good = seen[head + 4..].iter().all(|byte| *byte == b'x');
            seen.clear();
            let body = if good { "good" } else { "bad!" };
            let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n{body}");
            if stream.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    });
    let (authority, config) = tls13(&[]);
    let address = front(config, &echo, Manner::default());
    let job = HttpJob {
        method: "POST".to_owned(),
        answer: Some(HttpAnswer::Text { body: "good".into() }),
        ..HttpJob::default()
    };
    let options = HttpOptions {
        body: Some(vec![b'x'; length]),
        ..HttpOptions::default()
    };
    let work = Work::http_with(&job, &address, &options).unwrap();
    let client = trusting(&authority, Protocol::Http1, false);
    let mut target = Target::new(address, work.over_tls(client));
    let reading = drive(&mut target, &capacity(2, 1), Length::answers(20, PATIENT));
    assert!(reading.bytes_out.0 > 20 * length as u64);
}

#[test]
fn tls_1_2_is_spoken_too() {
    let authority = Authority::new("ours");
    let config = server(authority.here(), &["http/1.1"], &[&TLS12]);
    let address = front(config, &answering("hello"), Manner::default());
    let client = trusting(&authority, Protocol::Http1, false);
    let mut target = Target::new(address.clone(), get(&address, Some("hello"), &client));
    let reading = drive(&mut target, &capacity(2, 4), Length::answers(100, PATIENT));
    let agreed = reading.tls.unwrap().agreed[0].to_string();
    assert_eq!(
        agreed,
        "TLS 1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, X25519, http/1.1"
    );
}

#[test]
fn a_connection_for_each_request_is_a_handshake_for_each() {
    let closing =
        http(|_| b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello".to_vec());
    for resume in [false, true] {
        let (authority, config) = tls13(&[]);
        let address = front(config, &closing, Manner::default());
        let client = trusting(&authority, Protocol::Http1, resume);
        let work = get(&address, Some("hello"), &client);
        let mut target = Target::new(address, work);
        target.set_use(renewed_after(1));
        let rate = Schedule::Cost {
            connections: 3,
            depth: 1,
            rate: PerSecond(500.0),
        };
        for schedule in [capacity(3, 1), rate] {
            let reading = drive(&mut target, &schedule, Length::answers(40, PATIENT));
            let tls = reading.tls.unwrap();
            // The last connections wait for the next slice.
            assert!(tls.handshakes >= 37, "{}", tls.handshakes);
            assert!(tls.in_time <= tls.handshakes && tls.in_time >= 30, "{tls:?}");
            assert_eq!(tls.times.count(), tls.handshakes);
            assert_eq!(tls.resumed > 20, resume, "{} of {}", tls.resumed, tls.handshakes);
        }
    }
}

/// TLS itself sends records that nobody asked for, such as tickets: what a server says too early is found behind them.
#[test]
fn requests_are_sent_in_other_ways_over_tls_too() {
    let asked = |behind: &Address| {
        let (authority, config) = tls13(&["http/1.1"]);
        let address = front(config, behind, Manner::default());
        let client = trusting(&authority, Protocol::Http1, false);
        exchange::other_ways(&address, &get(&address, Some("hello"), &client), PATIENT, &go())
    };
    assert_eq!(asked(&answering("hello")), Ok(()));
    let hasty = serve(|mut stream, _| {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        let mut buffer = [0; 4096];
        while stream.read(&mut buffer).is_ok_and(|read| read > 0) && stream.write_all(answer).is_ok() {}
    });
    let fault = asked(&hasty).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Unasked, "{}", fault.detail);
    assert!(
        fault.detail.contains("sent one byte at a time"),
        "{}",
        fault.detail
    );
}

#[test]
fn a_unix_socket_is_no_obstacle() {
    let (inner, client) = right("hello");
    let Address::Ip(inner) = inner else {
        panic!("an address")
    };
    let folder = std::env::temp_dir().join(format!("tare-tls-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("s");
    let listener = UnixListener::bind(&path).unwrap();
    thread::spawn(move || {
        for outer in listener.incoming().flatten() {
            let inner = std::net::TcpStream::connect(inner).unwrap();
            let (mut a, mut b) = (outer.try_clone().unwrap(), inner.try_clone().unwrap());
            thread::spawn(move || std::io::copy(&mut a, &mut b));
            let (mut a, mut b) = (inner, outer);
            thread::spawn(move || std::io::copy(&mut a, &mut b));
        }
    });
    let address = Address::Unix(path);
    let mut target = Target::new(address.clone(), get(&address, Some("hello"), &client));
    let reading = drive(&mut target, &capacity(2, 2), Length::answers(50, PATIENT));
    assert_eq!(reading.requests.valid, 50);
    std::fs::remove_dir_all(folder).unwrap();
}

/// The kind and the words of what becomes of a load of one server, and of its first answer.
fn faults(address: &Address, client: &Client, timeout: Duration) -> [(FaultKind, String); 2] {
    let work = || get(address, Some("hello"), client);
    let first = exchange::first_answer(address, &work(), timeout, false, &go()).unwrap_err();
    let (kind, detail, _) = fault(address.clone(), work(), &capacity(2, 1), timeout);
    [(first.kind, first.detail), (kind, detail)]
}

fn holds(faults: [(FaultKind, String); 2], expected: FaultKind, says: &str) {
    for (kind, detail) in faults {
        assert_eq!(kind, expected, "{detail}");
        assert!(detail.contains(says), "{says}: {detail}");
    }
}

#[test]
fn what_is_wrong_with_a_certificate_is_named() {
    let authority = Authority::new("ours");
    let client = trusting(&authority, Protocol::Http1, false);
    for (identity, says) in [
        (authority.signs(&["127.0.0.1"], 2020), "certificate_expired (45)"),
        (Authority::new("theirs").here(), "unknown_ca (48)"),
        (authority.signs(&["a.example"], 4000), "not for 127.0.0.1"),
    ] {
        let config = server(identity, &[], &[&TLS13]);
        let address = front(config, &answering("hello"), Manner::default());
        holds(faults(&address, &client, PATIENT), FaultKind::Tls, says);
    }
}

#[test]
fn a_protocol_that_is_not_spoken_is_refused() {
    for spoken in [&["http/1.1"][..], &[]] {
        let (authority, config) = tls13(spoken);
        let address = front(config, &answering("hello"), Manner::default());
        let client = trusting(&authority, Protocol::Http2, false);
        holds(
            faults(&address, &client, PATIENT),
            FaultKind::Tls,
            "leave out --http 2",
        );
    }
}

#[test]
fn what_speaks_no_tls_is_recognised() {
    let (authority, _) = tls13(&[]);
    let client = trusting(&authority, Protocol::Http1, false);
    let address = serve(|mut stream, _| {
        let _ = stream.read(&mut [0; 2048]);
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        linger(stream);
    });
    let says = "it begins with \"HTTP/1.1 400 Bad Request";
    holds(faults(&address, &client, PATIENT), FaultKind::Tls, says);
}

#[test]
fn a_handshake_that_is_cut_off_is_a_fault() {
    let (authority, _) = tls13(&[]);
    let client = trusting(&authority, Protocol::Http1, false);
    // Closed in order, and with bytes that were not read, which resets it.
    for read in [2048, 1] {
        let address = serve(move |mut stream, _| {
            let _ = stream.read(&mut vec![0; read]);
            let _ = stream.write_all(&[22, 3, 3, 0, 90]);
        });
        for (kind, detail) in faults(&address, &client, PATIENT) {
            assert_eq!(kind, FaultKind::ClosedEarly, "{detail}");
            assert!(
                detail.contains("TLS handshake") && detail.contains("speak TLS at this port"),
                "{detail}"
            );
        }
    }
}

#[test]
fn a_handshake_without_an_end_is_bounded() {
    let (authority, _) = tls13(&[]);
    let client = trusting(&authority, Protocol::Http1, false);
    let mute = serve(|stream, _| linger(stream));
    // A record of the handshake, byte by byte.
    let slow = serve(|mut stream, _| {
        let record = [&[22, 3, 3, 0x3f, 0xff][..], &[2; 5]].concat();
        for byte in record.iter().chain(std::iter::repeat(&0)) {
            if stream.write_all(&[*byte]).is_err() {
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
    });
    for address in [mute, slow] {
        for (kind, detail) in faults(&address, &client, Duration::from_millis(300)) {
            assert_eq!(kind, FaultKind::Hung, "{detail}");
            assert!(detail.contains("TLS handshake"), "{detail}");
        }
    }
}

#[test]
fn a_record_that_was_changed_is_a_fault_and_its_request_is_lost() {
    let (authority, config) = tls13(&[]);
    let spoils = Manner {
        spoils: Some(0),
        ..Manner::default()
    };
    let address = front(config, &answering("hello"), spoils);
    let client = trusting(&authority, Protocol::Http1, false);
    holds(
        faults(&address, &client, PATIENT),
        FaultKind::Tls,
        "its tag is wrong",
    );
}

/// An answer that ends with its connection is whole only if the server says so.
#[test]
fn a_stream_without_close_notify_is_cut_short() {
    let until_the_end = || {
        serve(|mut stream, _| {
            let _ = stream.read(&mut [0; 2048]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello");
        })
    };
    for rude in [false, true] {
        let (authority, config) = tls13(&[]);
        let manner = Manner {
            rude,
            ..Manner::default()
        };
        let address = front(config, &until_the_end(), manner);
        let client = trusting(&authority, Protocol::Http1, false);
        if rude {
            let found = faults(&address, &client, PATIENT);
            holds(found, FaultKind::ClosedEarly, "without close_notify");
        } else {
            let work = get(&address, Some("hello"), &client);
            exchange::first_answer(&address, &work, PATIENT, false, &go()).unwrap();
            let mut target = Target::new(address, work);
            drive(&mut target, &capacity(2, 1), Length::answers(20, PATIENT));
        }
    }
}

#[test]
fn a_wrong_answer_and_one_that_nobody_asked_for_are_seen() {
    let (address, client) = right("hallo");
    for (kind, detail) in faults(&address, &client, PATIENT) {
        assert_eq!(kind, FaultKind::Wrong, "{detail}");
        assert!(detail.contains("hallo"), "{detail}");
    }
    let twice = http(|_| b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".repeat(2));
    let (authority, config) = tls13(&[]);
    let address = front(config, &twice, Manner::default());
    let client = trusting(&authority, Protocol::Http1, false);
    for (kind, detail) in faults(&address, &client, PATIENT) {
        assert_eq!(kind, FaultKind::Unasked, "{detail}");
    }
}

/// A server may close idle connections, in order or not: they are opened again.
#[test]
fn idle_connections_that_were_closed_are_opened_again() {
    for rude in [false, true] {
        let (authority, config) = tls13(&[]);
        let manner = Manner {
            rude,
            ..Manner::default()
        };
        let brief = http(|n| {
            let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".to_vec();
            if n < 10 { answer } else { Vec::new() }
        });
        let address = front(config, &brief, manner);
        let client = trusting(&authority, Protocol::Http1, false);
        let mut target = Target::new(address.clone(), get(&address, Some("hello"), &client));
        let mut load = load(PATIENT);
        load.run(&mut target, &capacity(1, 1), Length::answers(10, PATIENT), &go())
            .unwrap();
        let reading = load.run(&mut target, &capacity(1, 1), Length::answers(1, PATIENT), &go());
        // The eleventh request of a connection closes it: a fault of an outstanding request, or taken back where it had been
        // idle since before the slice.
        assert!(reading.is_ok(), "{reading:?}");
    }
}

/// Which of its cores drives a connection makes no difference.
#[test]
fn each_load_core_has_connections_of_its_own() {
    let (address, client) = right("hello");
    let mut target = Target::new(address.clone(), get(&address, Some("hello"), &client));
    let mut load = tare_load::Load::new(tare_load::LoadConfig {
        cores: tare_cores(),
        timeout: PATIENT,
        ..tare_load::LoadConfig::default()
    });
    let reading = load
        .run(&mut target, &capacity(4, 2), Length::answers(200, PATIENT), &go())
        .unwrap();
    balanced(&reading);
    assert_eq!(reading.tls.map(|tls| tls.handshakes), Some(4));
}

/// The cores that this test may run on, two at the most.
fn tare_cores() -> Vec<u32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))
        .unwrap();
    let list: tare_model::placement::Cores = line.trim().parse().unwrap();
    list.0.into_iter().take(2).collect()
}
