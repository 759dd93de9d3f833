//! `tare load` over HTTP/2, gRPC and WebSocket.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use crate::lab::Lab;
use crate::load::{OK, as_json, http, load};

/// A frame of HTTP/2.
fn frame(kind: u8, flags: u8, stream: u32, content: &[u8]) -> Vec<u8> {
    let length = &(content.len() as u32).to_be_bytes()[1..];
    [length, &[kind, flags], &stream.to_be_bytes(), content].concat()
}

/// The address of a server of HTTP/2 within the test, which allows this number of streams; `answer` makes all bytes of an
/// answer on a stream.
pub fn h2(streams: u32, answer: fn(u32) -> Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || converse(stream, streams, answer));
        }
    });
    address
}

fn converse(mut stream: TcpStream, streams: u32, answer: fn(u32) -> Vec<u8>) -> Option<()> {
    stream.set_nodelay(true).unwrap();
    let settings = [&[0, 3][..], &streams.to_be_bytes()].concat();
    stream.write_all(&frame(4, 0, 0, &settings)).ok()?;
    stream.read_exact(&mut [0; 24]).ok()?;
    loop {
        let mut header = [0; 9];
        stream.read_exact(&mut header).ok()?;
        let [a, b, c, kind, flags, id @ ..] = header;
        let length = usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c);
        stream.read_exact(&mut vec![0; length]).ok()?;
        // The end of a request.
        if kind < 2 && flags & 1 != 0 {
            stream.write_all(&answer(u32::from_be_bytes(id))).ok()?;
        }
    }
}

pub fn hello(stream: u32) -> Vec<u8> {
    [frame(1, 4, stream, &[0x88]), frame(0, 1, stream, b"hello")].concat()
}

/// An answer of gRPC with this status and the message `ok`.
fn called(stream: u32, status: &str) -> Vec<u8> {
    let head = [&[0x88][..], b"\x0f\x10\x10application/grpc"].concat();
    let trailers = [
        b"\x00\x0bgrpc-status",
        &[status.len() as u8][..],
        status.as_bytes(),
    ]
    .concat();
    [
        frame(1, 4, stream, &head),
        frame(0, 0, stream, b"\0\0\0\0\x02ok"),
        frame(1, 5, stream, &trailers),
    ]
    .concat()
}

#[test]
fn http_2_is_loaded_by_streams() {
    let url = format!("h2c://{}/json", h2(100, hello));
    for more in [
        &[][..],
        &["--rate", "500"],
        &["--programs", "2"],
        &["--processes", "2"],
    ] {
        let words = ["-n", "120", "--streams", "8", "--expect", "hello"];
        let document = as_json(&url, &[&words, more].concat(), 0);
        // Of a batch, on each of its connections.
        let all = if more.contains(&"--programs") { 960 } else { 120 };
        assert_eq!(
            (&document["answers"], &document["sent"]),
            (&all.into(), &all.into()),
            "{more:?}"
        );
        assert!(document["streams_allowed"].is_null());
    }
    let wrong = load(&url, &["-n", "100", "--expect", "HELLO"]).expect(3);
    assert!(
        wrong
            .out
            .contains("a wrong answer to GET /json over HTTP/2, stream 1 of"),
        "{}",
        wrong.out
    );
}

#[test]
fn fewer_streams_than_asked_for_are_reported() {
    let url = format!("h2c://{}/", h2(3, hello));
    let words = ["-n", "200", "--streams", "32"];
    assert_eq!(as_json(&url, &words, 0)["streams_allowed"], 3);
    let ran = load(&url, &words).expect(0);
    assert!(
        ran.out
            .contains("streams     the server allowed 3 on a connection"),
        "{}",
        ran.out
    );
}

/// A server of HTTP/1.1 and one of HTTP/2 do the same; other kinds do not.
#[test]
fn servers_of_http_are_compared_whatever_its_version() {
    let lab = Lab::new(&[]);
    let (one, two) = (http(OK), format!("h2c://{}/", h2(100, hello)));
    let ran = lab
        .run(&["load", &one, &two, "-c", "2", "-d", "1s", "--names", "one,two"])
        .expect(0);
    assert!(ran.out.contains("one") && ran.out.contains("two"), "{}", ran.out);
    let ran = lab
        .run(&["load", &one, "grpc://127.0.0.1:1/a.B/C", "-d", "1s"])
        .expect(2);
    assert!(ran.err.contains("servers of different kinds"), "{}", ran.err);
    let few = format!("h2c://{}/", h2(3, hello));
    let ran = lab
        .run(&["load", &two, &few, "-c", "2", "-d", "1s", "--streams", "8"])
        .expect(1);
    let said = format!("{}{}", ran.out, ran.err);
    assert!(said.contains("compare all with --streams 3"), "{said}");
}

#[test]
fn a_call_that_failed_is_wrong_whatever_its_http_status() {
    let url = format!(
        "grpc://{}/a.Service/Method",
        h2(100, |stream| called(stream, "0"))
    );
    let document = as_json(
        &url,
        &["-n", "200", "--streams", "4", "--body", "x", "--expect", "ok"],
        0,
    );
    assert_eq!(document["answers"], 200);
    let failing = format!(
        "grpc://{}/a.Service/Method",
        h2(100, |stream| called(stream, "13"))
    );
    let ran = load(&failing, &["-n", "10"]).expect(3);
    assert!(
        ran.out.contains("expected grpc-status 0, found 13"),
        "{}",
        ran.out
    );
}

/// Whether the rest of a WebSocket works is held in tare-load, against a server of other hands.
#[test]
fn a_websocket_needs_a_message_and_an_answer_to_its_handshake() {
    let url = http(OK).replace("http://", "ws://");
    let ran = load(&url, &["-n", "10"]).expect(2);
    assert!(
        ran.err.contains("a WebSocket needs a message that is sent"),
        "{}",
        ran.err
    );
    let ran = load(&url, &["-n", "10", "--send", "ping"]).expect(3);
    assert!(ran.out.contains("the handshake failed"), "{}", ran.out);
}
