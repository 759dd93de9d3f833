//! FastCGI responders that behave or misbehave, under load and in the check.

mod common;

use std::io::{Read, Write};
use std::net::TcpStream;

use common::*;
use tare_load::{Address, Target, Work, exchange};
use tare_model::fault::FaultKind;
use tare_model::manifest::{HttpAnswer, HttpJob};

/// A request as a responder reads it: its id, and the bytes of its parameters.
fn read_request(stream: &mut TcpStream) -> Option<([u8; 2], Vec<u8>)> {
    let mut params = Vec::new();
    loop {
        let mut header = [0; 8];
        stream.read_exact(&mut header).ok()?;
        let length = usize::from(header[4]) << 8 | usize::from(header[5]);
        let mut content = vec![0; length + usize::from(header[6])];
        stream.read_exact(&mut content).ok()?;
        match header[1] {
            1 => assert_eq!(content, [0, 1, 1, 0, 0, 0, 0, 0], "a responder, kept open"),
            4 => params.extend_from_slice(&content[..length]),
            5 if length == 0 => return Some(([header[2], header[3]], params)),
            5 => {}
            other => panic!("record type {other}"),
        }
    }
}

fn record(kind: u8, id: [u8; 2], content: &[u8]) -> Vec<u8> {
    let [long, short] = (content.len() as u16).to_be_bytes();
    let mut bytes = vec![1, kind, id[0], id[1], long, short, 0, 0];
    bytes.extend_from_slice(content);
    bytes
}

fn answer(id: [u8; 2], body: &str) -> Vec<u8> {
    let page = format!("Content-Type: text/plain\r\n\r\n{body}");
    let mut bytes: Vec<u8> = page
        .as_bytes()
        .chunks(8000)
        .flat_map(|chunk| record(6, id, chunk))
        .collect();
    bytes.extend(record(6, id, b""));
    bytes.extend(record(3, id, &[0; 8]));
    bytes
}

/// A responder whose answer to the n-th request of a connection is `answer(n, id, parameters)`; an empty answer closes it.
fn responder(answer: impl Fn(usize, [u8; 2], &[u8]) -> Vec<u8> + Send + Sync + 'static) -> Address {
    serve(move |mut stream, _| {
        for n in 0.. {
            let Some((id, params)) = read_request(&mut stream) else {
                return;
            };
            let bytes = answer(n, id, &params);
            if bytes.is_empty() || stream.write_all(&bytes).is_err() {
                return;
            }
        }
    })
}

fn work(address: &Address, body: &str) -> Work {
    let job = HttpJob {
        path: "/?rows=1000".into(),
        media_type: Some("text/plain".into()),
        fields: vec!["Server".into(), "Date".into()],
        answer: Some(HttpAnswer::Text { body: body.into() }),
        ..HttpJob::default()
    };
    Work::fastcgi(&job, address).unwrap()
}

#[test]
fn small_and_large_answers_are_right_and_each_request_is_complete() {
    for body in ["hello".to_owned(), "0123456789abcdef".repeat(30_000)] {
        let sent = body.clone();
        let address = responder(move |_, id, params| {
            let has = |text: &[u8]| params.windows(text.len()).any(|window| window == text);
            assert!(has(b"\x0c\x09QUERY_STRINGrows=1000") && has(b"\x0e\x03REQUEST_METHODGET"));
            answer(id, &sent)
        });
        exchange::first_answer(&address, &work(&address, &body), PATIENT, false, &go()).unwrap();
        let mut target = Target::new(address.clone(), work(&address, &body));
        let reading = load(PATIENT)
            .run(&mut target, &capacity(3, 1), millis(50), &go())
            .unwrap();
        balanced(&reading);
        assert!(
            reading.answers >= 30 && reading.reopened == 0,
            "{:?}",
            reading.requests
        );
    }
}

#[test]
fn a_share_of_large_answers_is_checked_in_full_and_the_ends_of_all() {
    let body = "0123456789abcdef".repeat(30_000);
    let sent = body.clone();
    let address = responder(move |_, id, _| answer(id, &sent));
    let mut target = Target::new(address.clone(), work(&address, &body).sampled(0.0));
    let reading = load(PATIENT)
        .run(&mut target, &capacity(2, 1), millis(50), &go())
        .unwrap();
    balanced(&reading);
    let cut = body.replace("ef0123", "EF0123");
    let address = responder(move |n, id, _| answer(id, if n == 5 { &cut } else { &body }));
    let body = "0123456789abcdef".repeat(30_000);
    let (kind, text, _) = fault(
        address.clone(),
        work(&address, &body).sampled(0.0),
        &capacity(2, 1),
        PATIENT,
    );
    assert_eq!(kind, FaultKind::Wrong, "{text}");
}

#[test]
fn a_wrong_byte_and_an_answer_to_another_request_are_detected() {
    let address = responder(|n, id, _| answer(id, if n == 20 { "hellO" } else { "hello" }));
    let (kind, text, reading) = fault(address.clone(), work(&address, "hello"), &capacity(2, 1), PATIENT);
    assert_eq!(kind, FaultKind::Wrong, "{text}");
    assert!(
        text.contains("first difference at byte 4") && reading.requests.invalid == 1,
        "{text}"
    );

    let address = responder(|n, [high, low], _| answer([high, if n == 20 { 77 } else { low }], "hello"));
    let (kind, text, _) = fault(address.clone(), work(&address, "hello"), &capacity(2, 1), PATIENT);
    assert_eq!(kind, FaultKind::Wrong, "{text}");
    assert!(
        text.contains("a record of request 77, where only request"),
        "{text}"
    );
}

#[test]
fn an_early_close_is_detected() {
    let half = responder(|n, id, _| {
        let mut bytes = answer(id, "hello");
        bytes.truncate(if n == 5 { 30 } else { bytes.len() });
        bytes
    });
    // It continues to read after half an answer, and nothing comes: the close of the connection ends the test.
    let closing = serve(|mut stream, _| {
        while let Some((id, _)) = read_request(&mut stream) {
            if id == [0, 5] {
                let _ = stream.write_all(&answer(id, "hello")[..30]);
                return;
            }
            let _ = stream.write_all(&answer(id, "hello"));
        }
    });
    let (kind, text, _) = fault(closing.clone(), work(&closing, "hello"), &capacity(2, 1), PATIENT);
    assert_eq!(kind, FaultKind::ClosedEarly, "{text}");
    assert!(
        text.contains("30 bytes") || text.contains("Content-Type"),
        "{text}"
    );
    let (kind, text, _) = fault(
        half.clone(),
        work(&half, "hello"),
        &capacity(2, 1),
        std::time::Duration::from_millis(300),
    );
    assert_eq!(kind, FaultKind::Hung, "{text}");
}

#[test]
fn the_check_detects_the_same_faults() {
    let check =
        |address: &Address| exchange::first_answer(address, &work(address, "hello"), PATIENT, false, &go());
    let twice = responder(|_, id, _| [answer(id, "hello"), answer(id, "hello")].concat());
    assert_eq!(check(&twice).unwrap_err().kind, FaultKind::Unasked);
    let closes = responder(|_, _, _| Vec::new());
    assert_eq!(check(&closes).unwrap_err().kind, FaultKind::ClosedEarly);
    let http = serve(|mut stream, _| {
        let _ = read_request(&mut stream);
        write(&mut stream, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
        linger(stream);
    });
    let fault = check(&http).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Wrong);
    assert!(
        fault.detail.contains("no FastCGI answer: a record of version 72"),
        "{fault}"
    );
    let failed = responder(|_, id, _| {
        let said = record(7, id, b"no such table\n");
        [
            said,
            record(6, id, b"Status: 500 Sorry\r\n\r\n"),
            record(3, id, &[0; 8]),
        ]
        .concat()
    });
    let fault = check(&failed).unwrap_err();
    assert!(
        fault.detail.contains("expected a status of 2xx") && fault.detail.contains("no such table"),
        "{fault}"
    );
}

#[test]
fn rows_are_drawn_at_random_through_fastcgi_too() {
    let job = HttpJob {
        answer: Some(HttpAnswer::World { rows: 10_000 }),
        ..HttpJob::default()
    };
    let row = |id: u64| {
        format!(
            "{{\"id\":{id},\"randomNumber\":{}}}",
            id * 48_271 % 2_147_483_647 % 10_000 + 1
        )
    };
    let honest = responder(move |_, id, _| answer(id, &row(fastrand::u64(1..=10_000))));
    let work = |address: &Address| Work::fastcgi(&job, address).unwrap();
    exchange::first_answer(&honest, &work(&honest), PATIENT, false, &go()).unwrap();
    let counting = responder(move |n, id, _| answer(id, &row(n as u64 + 1)));
    let fault = exchange::first_answer(&counting, &work(&counting), PATIENT, false, &go()).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Wrong, "{fault}");
}
