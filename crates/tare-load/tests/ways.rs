//! Requests sent in other ways that mean the same: right servers answer them all, and those that do not read requests do not.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use common::*;
use tare_load::{Address, Work, exchange};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::{HttpAnswer, HttpJob};

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

const BAD: &[u8] = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";

fn post() -> HttpJob {
    HttpJob {
        method: "POST".to_owned(),
        path: "/echo".to_owned(),
        body: Some("hello".to_owned()),
        answer: Some(HttpAnswer::Text {
            body: "hello".to_owned(),
        }),
        ..HttpJob::default()
    }
}

fn get() -> HttpJob {
    HttpJob {
        body: None,
        method: "GET".to_owned(),
        ..post()
    }
}

fn asked(address: &Address, job: &HttpJob) -> Result<(), Fault> {
    let work = Work::http(job, address).unwrap();
    exchange::first_answer(address, &work, PATIENT, false, &go())?;
    exchange::other_ways(address, &work, PATIENT, &go())
}

/// Reads a head, byte by byte as it comes.
fn head(reader: &mut impl BufRead) -> Option<String> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        (reader.read_line(&mut head).unwrap_or(0) > 0).then_some(())?;
    }
    Some(head)
}

fn length(head: &str, name: &str) -> usize {
    let value = head.lines().find_map(|line| line.strip_prefix(name));
    value.map_or(0, |value| value.trim().parse().unwrap())
}

/// Serves each connection by reading requests with this function, which says whether to answer and go on.
fn reading(
    read: impl Fn(&mut BufReader<TcpStream>, &mut TcpStream) -> Option<()> + Send + Sync + 'static,
) -> Address {
    serve(move |stream, _| {
        let mut out = stream.try_clone().unwrap();
        let mut reader = BufReader::new(stream);
        while read(&mut reader, &mut out).is_some() && out.write_all(OK).is_ok() {}
    })
}

#[test]
fn a_server_that_reads_requests_answers_all_ways() {
    let address = reading(|reader, _| {
        let head = head(reader)?.to_lowercase();
        let mut body = vec![0; length(&head, "content-length:")];
        reader.read_exact(&mut body).ok()
    });
    for job in [get(), post()] {
        assert_eq!(asked(&address, &job), Ok(()), "{}", job.method);
    }
    let chunks = HttpJob {
        chunk_size: Some(2),
        ..post()
    };
    let address = reading(|reader, _| {
        head(reader)?;
        loop {
            let mut line = String::new();
            (reader.read_line(&mut line).ok()? > 0).then_some(())?;
            if line == "0\r\n" {
                reader.read_line(&mut line).ok()?;
                return Some(());
            }
        }
    });
    assert_eq!(asked(&address, &chunks), Ok(()));
}

#[test]
fn a_large_body_is_sent_in_time() {
    let address = reading(|reader, _| {
        let head = head(reader)?.to_lowercase();
        let mut body = vec![0; length(&head, "content-length:")];
        reader.read_exact(&mut body).ok()
    });
    let large = HttpJob {
        body: Some("x".repeat(1 << 20)),
        ..post()
    };
    assert_eq!(asked(&address, &large), Ok(()));
}

#[track_caller]
fn refused(address: &Address, job: &HttpJob, kind: FaultKind, says: &[&str]) {
    let fault = asked(address, job).unwrap_err();
    assert_eq!(fault.kind, kind, "{}", fault.detail);
    for text in says {
        assert!(fault.detail.contains(text), "{text}: {}", fault.detail);
    }
}

#[test]
fn what_one_read_brings_is_no_request() {
    let address = serve(|mut stream, _| {
        let mut buffer = [0; 4096];
        while stream.read(&mut buffer).is_ok_and(|read| read > 0) && stream.write_all(OK).is_ok() {}
    });
    refused(
        &address,
        &get(),
        FaultKind::Unasked,
        &[
            "sent one byte at a time",
            "before its last byte was sent",
            "HTTP/1.1 200 OK",
        ],
    );
}

#[test]
fn names_are_found_in_any_letters() {
    let address = reading(|reader, out| {
        let head = head(reader)?;
        if !head.contains("Host: ") {
            out.write_all(BAD).ok()?;
            return None;
        }
        Some(())
    });
    refused(
        &address,
        &get(),
        FaultKind::Wrong,
        &[
            "with names of header fields in lower case",
            "expected a status of 2xx",
            "400",
        ],
    );
}

#[test]
fn a_body_has_to_be_read() {
    // It answers once the head is there.
    let early = reading(|reader, out| {
        let head = head(reader)?.to_lowercase();
        out.write_all(OK).ok()?;
        let mut body = vec![0; length(&head, "content-length:")];
        reader.read_exact(&mut body).ok()?;
        // What was answered is not answered again.
        None
    });
    refused(
        &early,
        &post(),
        FaultKind::Unasked,
        &[
            "POST /echo",
            "sent one byte at a time",
            "before its last byte was sent",
        ],
    );
    // It waits until all has come, and takes the body for the beginning of the next request.
    let unread = serve(|mut stream, _| {
        let mut kept: Vec<u8> = Vec::new();
        let mut buffer = [0; 4096];
        loop {
            if let Some(end) = kept.windows(4).position(|end| end == b"\r\n\r\n") {
                let head = String::from_utf8_lossy(&kept[..end]).to_lowercase();
                if kept.len() >= end + 4 + length(&head, "content-length:") {
                    kept.drain(..end + 4);
                    let answer = if head.starts_with("post ") { OK } else { BAD };
                    if stream.write_all(answer).is_err() {
                        return;
                    }
                    continue;
                }
            }
            match stream.read(&mut buffer) {
                Ok(read) if read > 0 => kept.extend_from_slice(&buffer[..read]),
                _ => return,
            }
        }
    });
    refused(
        &unread,
        &post(),
        FaultKind::Wrong,
        &["POST /echo", "sent again over its connection", "400"],
    );
}
