//! Requests as suites of HTTP servers send them: in turn, in chunks, in batches, a number on each connection; and answers
//! that are encoded.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use tare_load::job::{HttpOptions, RawJob};
use tare_load::{Address, Length, Schedule, Target, Work, exchange};
use tare_model::driving::{ConnectionUse, Refill};
use tare_model::fault::FaultKind;
use tare_model::manifest::{HttpAnswer, HttpJob};
use tare_model::units::PerSecond;

/// `hello` in brotli, by Node's zlib.
const HELLO_BR: &[u8] = b"\x0b\x02\x80hello\x03";

const GET: &str = "GET /sum?a=13&b=42 HTTP/1.1\r\nHost: x\r\n\r\n";
const POST: &str = "POST /sum?a=13&b=42 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n20";
const CHUNKS: &str = "POST /sum?a=13&b=42 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n2\r\n1\r\n0\r\n0\r\n\r\n";

/// Reads a request; its body without chunks, and whether it was in chunks. None at the end.
fn read_request(reader: &mut impl BufRead) -> Option<(Vec<u8>, bool)> {
    let (mut length, mut chunked) = (0, false);
    loop {
        let line = read_line(reader)?;
        match line.to_lowercase().split_once(": ") {
            _ if line.is_empty() => break,
            Some(("content-length", value)) => length = value.parse().unwrap(),
            Some(("transfer-encoding", "chunked")) => chunked = true,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    if !chunked {
        return Some((body, false));
    }
    loop {
        let size = usize::from_str_radix(&read_line(reader)?, 16).unwrap();
        let mut chunk = vec![0; size];
        reader.read_exact(&mut chunk).ok()?;
        body.extend_from_slice(&chunk);
        assert_eq!(read_line(reader)?, "");
        if size == 0 {
            return Some((body, true));
        }
    }
}

fn read_line(reader: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    let read = reader.read_line(&mut line).unwrap_or(0);
    (read > 0).then(|| line.trim_end_matches("\r\n").to_owned())
}

/// Serves requests one after another on each connection; `answer` gets the body and whether it came in chunks.
fn serving(answer: impl Fn(&[u8], bool) -> Vec<u8> + Send + Sync + 'static) -> Address {
    serve(move |stream, _| {
        let mut out = stream.try_clone().unwrap();
        let mut reader = BufReader::new(stream);
        while let Some((body, chunked)) = read_request(&mut reader) {
            if out.write_all(&answer(&body, chunked)).is_err() {
                return;
            }
        }
    })
}

fn said(fields: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\n{fields}Content-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn raw(requests: &[(&str, &str)]) -> Work {
    let job = |(bytes, expect): &(&str, &str)| RawJob {
        name: "a.raw".to_owned(),
        bytes: bytes.as_bytes().to_vec(),
        expect: Some(expect.as_bytes().to_vec()),
    };
    let jobs: Vec<RawJob> = requests.iter().map(job).collect();
    Work::raw(&jobs, &HttpOptions::default(), &[]).unwrap()
}

/// Sums what `GET`, `POST` and `CHUNKS` say.
fn sum(body: &[u8]) -> Vec<u8> {
    let posted: u32 = std::str::from_utf8(body).unwrap().parse().unwrap_or(0);
    said("", (13 + 42 + posted).to_string().as_bytes())
}

#[test]
fn requests_take_turns_and_each_has_an_answer_of_its_own() {
    let counts = Arc::new(Mutex::new([0_u32; 3]));
    let seen = counts.clone();
    let address = serving(move |body, chunked| {
        let kind = if chunked { 2 } else { usize::from(!body.is_empty()) };
        seen.lock().unwrap()[kind] += 1;
        sum(body)
    });
    let work = raw(&[(GET, "55"), (POST, "75"), (CHUNKS, "75")]);
    exchange::first_answer(&address, &work, PATIENT, false, &go()).unwrap();
    assert_eq!(*counts.lock().unwrap(), [1, 1, 1], "each is checked beforehand");
    for schedule in [
        capacity(3, 4),
        Schedule::Cost {
            connections: 3,
            depth: 4,
            rate: PerSecond(5000.0),
        },
    ] {
        let mut target = Target::new(address.clone(), raw(&[(GET, "55"), (POST, "75"), (CHUNKS, "75")]));
        *counts.lock().unwrap() = [0; 3];
        let reading = load(PATIENT)
            .run(&mut target, &schedule, Length::answers(300, PATIENT), &go())
            .unwrap();
        balanced(&reading);
        assert_eq!(reading.requests.valid, 300);
        assert_eq!(reading.checked.0, 1.0);
        assert_eq!(*counts.lock().unwrap(), [100; 3], "{schedule:?}");
    }
}

#[test]
fn an_answer_to_another_request_is_wrong_and_named() {
    // It never reads the body that it is sent in chunks.
    let address = serving(|body, chunked| if chunked { sum(b"") } else { sum(body) });
    let work = raw(&[(GET, "55"), (POST, "75"), (CHUNKS, "75")]);
    let (kind, text, reading) = fault(address.clone(), work, &capacity(2, 2), PATIENT);
    assert_eq!(kind, FaultKind::Wrong, "{text}");
    assert!(
        text.contains("Transfer-Encoding") && text.contains("75") && text.contains("55"),
        "{text}"
    );
    assert_eq!(reading.requests.invalid, 1);
    let work = raw(&[(GET, "55"), (CHUNKS, "75")]);
    let fault = exchange::first_answer(&address, &work, PATIENT, false, &go()).unwrap_err();
    assert!(fault.detail.contains("Transfer-Encoding"), "{}", fault.detail);
}

#[test]
fn the_requests_of_a_manifest_take_turns_too() {
    let address = serving(|body, _| sum(body));
    let request = |body: Option<&str>, chunk_size, expect: &str| HttpJob {
        method: if body.is_some() { "POST" } else { "GET" }.to_owned(),
        path: "/sum?a=13&b=42".to_owned(),
        body: body.map(str::to_owned),
        chunk_size,
        answer: Some(HttpAnswer::Text {
            body: expect.to_owned(),
        }),
        ..HttpJob::default()
    };
    let job = HttpJob {
        then: vec![
            request(Some("20"), None, "75"),
            request(Some("1000"), Some(3), "1055"),
        ],
        ..request(None, None, "55")
    };
    let mut target = Target::new(address.clone(), Work::http(&job, &address).unwrap());
    let reading = load(PATIENT)
        .run(&mut target, &capacity(2, 3), Length::answers(90, PATIENT), &go())
        .unwrap();
    assert_eq!((reading.requests.valid, reading.requests.invalid), (90, 0));
}

/// A server of `hello` that notes how many requests came on each connection, by its number.
fn counting() -> (Address, Arc<Mutex<Vec<u32>>>) {
    let counts = Arc::new(Mutex::new(Vec::new()));
    let seen = counts.clone();
    let address = serve(move |stream, number| {
        let mut out = stream.try_clone().unwrap();
        let mut reader = BufReader::new(stream);
        while read_request(&mut reader).is_some() {
            {
                let mut counts = seen.lock().unwrap();
                if counts.len() <= number {
                    counts.resize(number + 1, 0);
                }
                counts[number] += 1;
            }
            if out.write_all(&said("", b"hello")).is_err() {
                return;
            }
        }
    });
    (address, counts)
}

#[test]
fn a_connection_has_so_many_requests_and_then_a_new_one_follows() {
    for (depth, refill) in [(1, Refill::OneByOne), (4, Refill::OneByOne), (4, Refill::Batches)] {
        let (address, counts) = counting();
        let mut target = Target::new(address, raw(&[(GET, "hello")]));
        target.set_use(ConnectionUse {
            renew_after: Some(10),
            refill,
        });
        let mut generator = load(PATIENT);
        // The count of a connection goes on from slice to slice.
        for _ in 0..3 {
            let reading = generator
                .run(
                    &mut target,
                    &capacity(2, depth),
                    Length::answers(67, PATIENT),
                    &go(),
                )
                .unwrap();
            balanced(&reading);
            assert_eq!((reading.requests.valid, reading.reopened), (67, 0));
        }
        let counts = counts.lock().unwrap();
        assert_eq!(counts.iter().sum::<u32>(), 201);
        assert!(counts.iter().all(|count| *count <= 10), "{counts:?}");
        let whole = counts.iter().filter(|count| **count == 10).count();
        assert!((19..=20).contains(&whole), "depth {depth}: {counts:?}");
    }
}

#[test]
fn connections_that_were_open_are_limited_too() {
    let (address, counts) = counting();
    let mut target = Target::new(address, raw(&[(GET, "hello")]));
    let mut generator = load(PATIENT);
    let mut run = |target: &mut Target| {
        let length = Length::answers(20, PATIENT);
        generator.run(target, &capacity(1, 1), length, &go()).unwrap()
    };
    run(&mut target);
    target.set_use(renewed_after(10));
    run(&mut target);
    target.set_use(ConnectionUse::default());
    run(&mut target);
    assert_eq!(*counts.lock().unwrap(), [30, 10, 20]);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let (address, _) = counting();
    let batch = Schedule::Batch {
        programs: 1,
        connections: 1,
        requests: 5,
        depth: 1,
    };
    let cost = Schedule::Cost {
        connections: 1,
        depth: 4,
        rate: PerSecond(100.0),
    };
    let batches = ConnectionUse {
        refill: Refill::Batches,
        renew_after: None,
    };
    for (schedule, usage, why) in [
        (
            batch,
            renewed_after(5),
            "a batch have a number of requests already",
        ),
        (cost, batches, "not in batches"),
        (capacity(1, 1), renewed_after(0), "cannot be renewed"),
    ] {
        let mut target = Target::new(address.clone(), raw(&[(GET, "hello")]));
        target.set_use(usage);
        let error = load(PATIENT)
            .run(&mut target, &schedule, millis(10), &go())
            .unwrap_err();
        let fault = error.fault().expect("no interruption");
        assert_eq!(fault.kind, FaultKind::Instrument);
        assert!(fault.detail.contains(why), "{}", fault.detail);
    }
}

/// Reads four requests, answers three of them, and says whether a further one came before the last was answered.
fn refills_before_the_last(stream: &TcpStream, reader: &mut impl BufRead, wait: Duration) -> bool {
    let mut out = stream.try_clone().unwrap();
    for _ in 0..4 {
        assert!(read_request(reader).is_some());
    }
    out.write_all(&said("", b"hello").repeat(3)).unwrap();
    stream.set_read_timeout(Some(wait)).unwrap();
    let came = matches!(reader.fill_buf(), Ok(bytes) if !bytes.is_empty());
    stream.set_read_timeout(None).unwrap();
    out.write_all(&said("", b"hello")).unwrap();
    came
}

#[test]
fn batches_follow_whole_batches_and_single_requests_single_answers() {
    for (refill, wait, expected) in [
        // What must not come is waited for shortly; what must come as long as it takes.
        (Refill::Batches, Duration::from_millis(50), false),
        (Refill::OneByOne, PATIENT, true),
    ] {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let noted = seen.clone();
        let address = serve(move |stream, _| {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let came = refills_before_the_last(&stream, &mut reader, wait);
            noted.lock().unwrap().push(came);
            let mut out = stream;
            while read_request(&mut reader).is_some() {
                if out.write_all(&said("", b"hello")).is_err() {
                    return;
                }
            }
        });
        let mut target = Target::new(address, raw(&[(GET, "hello")]));
        target.set_use(ConnectionUse {
            refill,
            renew_after: None,
        });
        let reading = load(PATIENT)
            .run(&mut target, &capacity(1, 4), Length::answers(40, PATIENT), &go())
            .unwrap();
        balanced(&reading);
        assert_eq!(reading.requests.valid, 40);
        assert_eq!(*seen.lock().unwrap(), [expected], "{refill:?}");
    }
}

fn gzipped(body: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn wants(encoding: &[&str], expect: Option<&str>) -> HttpJob {
    HttpJob {
        encoding: encoding.iter().map(|&coding| coding.to_owned()).collect(),
        answer: expect.map(|body| HttpAnswer::Text {
            body: body.to_owned(),
        }),
        ..HttpJob::default()
    }
}

/// A server whose answers are these, in turn on each connection.
fn in_turn(answers: Vec<Vec<u8>>) -> Address {
    http(move |n| answers[n % answers.len()].clone())
}

#[test]
fn encoded_answers_are_compared_by_what_they_hold() {
    let coded = |coding: &str, body: &[u8]| said(&format!("Content-Encoding: {coding}\r\n"), body);
    let chunked = |coding: &str, body: &[u8]| {
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\nTransfer-Encoding: chunked\r\n\r\n");
        let size = format!("{:x}\r\n", body.len());
        [head.as_bytes(), size.as_bytes(), body, b"\r\n0\r\n\r\n"].concat()
    };
    let gzip = gzipped(b"hello", 9);
    let all = vec![
        coded("gzip", &gzip),
        coded("br", HELLO_BR),
        coded("gzip", &gzipped(b"hello", 0)),
        chunked("gzip", &gzip),
        chunked("br", HELLO_BR),
        said("", b"hello"),
    ];
    for (job, answers) in [
        (wants(&[], Some("hello")), all.clone()),
        // What the first one holds is what all others must hold.
        (wants(&[], None), all.clone()),
        (wants(&["gzip", "br"], Some("hello")), all[..5].to_vec()),
        (
            wants(&["br"], Some("hello")),
            vec![all[1].clone(), all[4].clone()],
        ),
    ] {
        let address = in_turn(answers);
        let work = Work::http(&job, &address).unwrap();
        exchange::first_answer(&address, &work, PATIENT, false, &go()).unwrap();
        let mut target = Target::new(address, work);
        let reading = load(PATIENT)
            .run(&mut target, &capacity(2, 3), Length::answers(120, PATIENT), &go())
            .unwrap();
        balanced(&reading);
        assert_eq!((reading.requests.valid, reading.checked.0), (120, 1.0));
    }
}

#[test]
fn encoded_answers_that_are_large_are_compared_too() {
    let body = "0123456789abcdef".repeat(20_000);
    // Not compressed: it is taken piece by piece.
    let address = in_turn(vec![said(
        "Content-Encoding: gzip\r\n",
        &gzipped(body.as_bytes(), 0),
    )]);
    let work = Work::http(&wants(&["gzip"], Some(&body)), &address)
        .unwrap()
        .sampled(0.0);
    let mut target = Target::new(address, work);
    let reading = load(PATIENT)
        .run(&mut target, &capacity(2, 1), Length::answers(20, PATIENT), &go())
        .unwrap();
    assert_eq!((reading.requests.valid, reading.checked.0), (20, 1.0));
}

#[test]
fn a_coding_that_was_asked_for_must_be_there() {
    for (fields, found) in [
        ("", "found none"),
        ("Content-Encoding: br\r\n", "found `br`"),
        ("Content-Encoding: deflate\r\n", "found `deflate`"),
    ] {
        let address = in_turn(vec![said(fields, HELLO_BR)]);
        let work = Work::http(&wants(&["gzip"], None), &address).unwrap();
        let (kind, text, _) = fault(address, work, &capacity(1, 1), PATIENT);
        assert_eq!(kind, FaultKind::Wrong, "{text}");
        assert!(
            text.contains("Content-Encoding of gzip") && text.contains(found),
            "{text}"
        );
    }
}

#[test]
fn several_requests_are_for_http_1_alone() {
    let address = Address::loopback(1);
    let several = HttpJob {
        then: vec![HttpJob::default()],
        ..HttpJob::default()
    };
    let chunks = HttpJob {
        body: Some("x".to_owned()),
        chunk_size: Some(1),
        ..HttpJob::default()
    };
    for job in [several, chunks] {
        let errors = [
            Work::h2(&job, &address, &HttpOptions::default()).unwrap_err(),
            Work::fastcgi(&job, &address).unwrap_err(),
        ];
        for error in errors {
            assert!(error.to_string().contains("HTTP/1.1"), "{error}");
        }
    }
}
