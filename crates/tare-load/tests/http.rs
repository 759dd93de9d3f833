//! HTTP servers under load.

mod common;

use std::time::Duration;

use common::*;
use tare_load::job::HttpOptions;
use tare_load::{Address, Target, Work};
use tare_model::fault::FaultKind;
use tare_model::manifest::{HttpAnswer, HttpJob};

fn get(address: &Address, expect: Option<&str>) -> Work {
    let request = HttpJob {
        answer: expect.map(|body| HttpAnswer::Text { body: body.into() }),
        ..HttpJob::default()
    };
    Work::http(&request, address).unwrap()
}

fn answer(n: usize, body: &str) -> Vec<u8> {
    let date = n % 60;
    format!(
        "HTTP/1.1 200 OK\r\nDate: :{date:02}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

#[test]
fn plain_chunked_and_large_answers_are_right() {
    let large = "0123456789abcdef".repeat(20_000);
    let bodies: [(usize, String); 3] = [(16, "hello".into()), (3, large.clone()), (1, String::new())];
    for (depth, body) in bodies {
        let sent = body.clone();
        let address = http(move |n| answer(n, &sent));
        let work = get(&address, Some(&body));
        let mut target = Target::new(address, work);
        let reading = load(PATIENT)
            .run(&mut target, &capacity(3, depth as u32), millis(50), &go())
            .unwrap();
        balanced(&reading);
        assert!(reading.answers >= 30);
    }
    let address = http(|_| {
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n".to_vec()
    });
    let work = get(&address, Some("hello"));
    let reading = load(PATIENT)
        .run(
            &mut Target::new(address, work),
            &capacity(3, 3),
            millis(50),
            &go(),
        )
        .unwrap();
    balanced(&reading);
}

#[test]
fn connections_closed_after_an_answer_are_reopened() {
    let ends: [&str; 3] = [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi",
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\n\r\nhi",
    ];
    for text in ends {
        let address = http(move |n| {
            if n == 0 {
                text.as_bytes().to_vec()
            } else {
                Vec::new()
            }
        });
        // Only the close ends the third answer: the server must close by itself.
        let address = if text.contains("Content-Length") || text.contains("1.0") {
            address
        } else {
            closing(text)
        };
        let mut target = Target::new(address.clone(), get(&address, Some("hi")));
        let reading = load(PATIENT)
            .run(&mut target, &capacity(2, 1), millis(50), &go())
            .unwrap();
        balanced(&reading);
        assert!(
            reading.answers >= 30 && reading.reopened >= 28,
            "{text:?}: {:?}",
            reading.requests
        );
    }
}

fn closing(text: &'static str) -> Address {
    serve(move |stream, _| {
        let mut out = stream.try_clone().unwrap();
        let mut reader = std::io::BufReader::new(stream);
        let mut line = String::new();
        while std::io::BufRead::read_line(&mut reader, &mut line).unwrap_or(0) > 2 {
            line.clear();
        }
        write(&mut out, text);
    })
}

#[test]
fn a_server_that_closes_connections_cannot_be_driven_with_depth() {
    let address = http(|_| b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi".to_vec());
    let work = get(&address, None);
    let (kind, text, _) = fault(address, work, &capacity(2, 3), PATIENT);
    assert_eq!(kind, FaultKind::ClosedEarly, "{text}");
    assert!(text.contains("depth 1"), "{text}");
}

#[test]
fn one_wrong_byte_in_a_body_is_detected() {
    let address = http(|n| answer(n, if n == 5 { "hellO" } else { "hello" }));
    for expect in [Some("hello"), None] {
        let (kind, text, reading) = fault(address.clone(), get(&address, expect), &capacity(2, 3), PATIENT);
        assert_eq!(kind, FaultKind::Wrong, "{text}");
        assert!(
            text.contains("GET / HTTP/1.1") && text.contains("hellO") && text.contains("byte 4"),
            "{text}"
        );
        assert_eq!(reading.requests.invalid, 1);
    }
}

#[test]
fn a_truncated_body_is_a_close_with_a_request_outstanding() {
    let address = closing("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
    let (kind, text, _) = fault(address.clone(), get(&address, None), &capacity(1, 1), PATIENT);
    assert_eq!(kind, FaultKind::ClosedEarly, "{text}");
    assert!(text.contains("hello"), "{text}");
}

#[test]
fn an_answer_that_never_ends_has_hung() {
    let address = http(|_| b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello".to_vec());
    let (kind, text, _) = fault(
        address.clone(),
        get(&address, None),
        &capacity(1, 1),
        Duration::from_millis(200),
    );
    assert_eq!(kind, FaultKind::Hung, "{text}");
    assert!(text.contains("hello"), "{text}");
}

#[test]
fn another_status_may_be_the_expected_one() {
    let address = http(|_| b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno".to_vec());
    let work = |status| {
        let options = HttpOptions {
            status,
            ..HttpOptions::default()
        };
        Work::http_with(&HttpJob::default(), &address, &options).unwrap()
    };
    let mut target = Target::new(address.clone(), work(Some(404)));
    let reading = load(PATIENT)
        .run(&mut target, &capacity(2, 3), millis(20), &go())
        .unwrap();
    balanced(&reading);
    for (status, says) in [
        (None, "expected a status of 2xx"),
        (Some(200), "expected a status of 200"),
    ] {
        let (kind, text, _) = fault(address.clone(), work(status), &capacity(2, 3), PATIENT);
        assert_eq!(kind, FaultKind::Wrong, "{text}");
        assert!(text.contains(says) && text.contains("404"), "{text}");
    }
}

/// An answer with a body of `long` bytes, another for each `n`, by its length or in chunks.
fn changing(n: usize, long: usize, chunked: bool) -> Vec<u8> {
    let body = format!("{n:07}").repeat((long + n % 3).div_ceil(7));
    let (fields, body) = if chunked {
        let chunks = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
        ("Transfer-Encoding: chunked".to_owned(), chunks)
    } else {
        (format!("Content-Length: {}", body.len()), body)
    };
    format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n{body}").into_bytes()
}

fn whatever(address: &Address) -> Work {
    let options = HttpOptions {
        any_body: true,
        ..HttpOptions::default()
    };
    Work::http_with(&HttpJob::default(), address, &options).unwrap()
}

#[test]
fn bodies_may_be_anything_on_request_and_do_not_count_as_checked() {
    for (long, chunked, depth) in [
        (7, false, 3),
        (7, true, 3),
        (300_000, false, 1),
        (300_000, true, 1),
    ] {
        let address = http(move |n| changing(n, long, chunked));
        let mut target = Target::new(address.clone(), whatever(&address));
        let reading = load(PATIENT)
            .run(&mut target, &capacity(2, depth), millis(50), &go())
            .unwrap();
        balanced(&reading);
        assert!(reading.answers >= 30 && reading.bytes_in.0 > reading.requests.valid * long as u64);
        assert_eq!(reading.checked.0, 0.0, "{long} {chunked}");
        // Compared with the first body, they are wrong.
        let (kind, _, _) = fault(address.clone(), get(&address, None), &capacity(2, depth), PATIENT);
        assert_eq!(kind, FaultKind::Wrong);
    }
}

#[test]
fn where_bodies_may_be_anything_heads_and_ends_must_be_right() {
    let cases: [(&'static [u8], FaultKind, &str); 3] = [
        (
            b"HTTP/1.1 500 Oops\r\nContent-Length: 2\r\n\r\nno",
            FaultKind::Wrong,
            "2xx",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi!",
            FaultKind::Unasked,
            "\"!\"",
        ),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi!\r\n0\r\n\r\n",
            FaultKind::Wrong,
            "longer than its size",
        ),
    ];
    for (bad, expected, says) in cases {
        let address = http(move |n| match n {
            20 => bad.to_vec(),
            _ => changing(n, 7, false),
        });
        let (kind, text, reading) = fault(address.clone(), whatever(&address), &capacity(1, 1), PATIENT);
        assert_eq!(kind, expected, "{text}");
        assert!(text.contains(says), "{text}");
        assert_eq!(
            reading.requests.valid,
            if expected == FaultKind::Unasked { 21 } else { 20 }
        );
    }
}
