//! Calls of gRPC.

use super::super::Manner;
use super::super::frame::{DATA, END_HEADERS, END_STREAM, HEADERS};
use super::talk::{OK, frame, made};
use crate::check::Expectation;
use crate::wire::dialog::BreachKind;

/// A whole answer of gRPC: its head, the message after its prefix, and trailers.
#[test]
fn calls_are_right_by_their_status_and_message() {
    let message = b"\0\0\0\0\x02ok";
    let called = || {
        made(
            "POST",
            b"\0\0\0\0\0",
            Expectation::bytes(Some(message)),
            Manner::Grpc,
        )
        .greeted(&[])
        .ask(1)
    };
    let grpc = [OK, b"\x0f\x10\x10application/grpc"].concat();
    let status = |text: &str| {
        let field = [&b"\x00\x0bgrpc-status"[..], &[text.len() as u8], text.as_bytes()].concat();
        frame(HEADERS, END_HEADERS | END_STREAM, 1, &field)
    };
    let answer = |message: &[u8], status: &[u8]| {
        [
            frame(HEADERS, END_HEADERS, 1, &grpc),
            frame(DATA, 0, 1, message),
            status.to_vec(),
        ]
        .concat()
    };
    assert_eq!(called().take(&answer(message, &status("0"))).unwrap(), [0]);
    let only_trailers = [&grpc[..], b"\x00\x0bgrpc-status\x0213\x00\x0cgrpc-message\x02no"].concat();
    for (bytes, why) in [
        (
            answer(message, &status("13")),
            "the call failed: expected grpc-status 0, found 13",
        ),
        (
            frame(HEADERS, END_HEADERS | END_STREAM, 1, &only_trailers),
            "grpc-message: no",
        ),
        (
            answer(message, &frame(DATA, END_STREAM, 1, b"")),
            "a call without its status",
        ),
        (answer(b"\0\0\0\0\x02no", &status("0")), "the body: expected"),
        (answer(b"", &status("0")), "the body: expected"),
        (
            frame(HEADERS, END_HEADERS, 1, OK),
            "expected the media type application/grpc",
        ),
    ] {
        let (kind, found) = called().breach(&bytes);
        assert_eq!(kind, BreachKind::Answer("stream 1".to_owned()));
        assert!(found.contains(why), "{found}");
    }
}
