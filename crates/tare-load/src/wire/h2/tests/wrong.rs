//! Wrong answers, bytes that are no HTTP/2, and floods.

// A table of cases is one function, however long it is.
#![allow(clippy::too_many_lines)]

use super::super::Manner;
use super::super::frame::{
    ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, ENHANCE_YOUR_CALM, FLOW_CONTROL_ERROR,
    FRAME_SIZE_ERROR, GOAWAY, HEADERS, PADDED, PING, PRIORITY, PROTOCOL_ERROR, PUSH_PROMISE, RST_STREAM,
    SETTINGS, STREAM_CLOSED, WINDOW_UPDATE, WITH_PRIORITY,
};
use super::super::hpack::tests::hex;
use super::talk::{BODY, OK, Talk, frame, length, made, right, settings};
use crate::check::Expectation;
use crate::wire::dialog::BreachKind;

/// What must be said of wrong bytes, where requests on the streams 1 and 3 are outstanding and that on 1 was answered.
#[test]
fn wrong_answers_are_named() {
    let answer = |stream: u32| BreachKind::Answer(format!("stream {stream}"));
    let head = |block: &[u8]| frame(HEADERS, END_HEADERS, 3, block);
    let ended = |block: &[u8]| frame(HEADERS, END_HEADERS | END_STREAM, 3, block);
    let with = |block: &[u8], data: &[u8]| [head(block), frame(DATA, END_STREAM, 3, data)].concat();
    let cases: Vec<(BreachKind, Vec<u8>, &str)> = vec![
        (
            answer(3),
            with(OK, b"HELLO"),
            "the body: expected \"hello\"\n  got      \"HELLO\"",
        ),
        (answer(3), with(OK, b"hello!"), "the body: expected"),
        (answer(3), with(OK, b"hell"), "the body: expected"),
        (
            answer(3),
            ended(OK),
            "the body: expected \"hello\"\n  got      nothing",
        ),
        (
            answer(3),
            with(&[0x8e], BODY),
            "expected a status of 2xx\n  got      500",
        ),
        (
            answer(3),
            with(&[OK, &length("4")].concat(), BODY),
            "more DATA than its content-length",
        ),
        (
            answer(3),
            with(&[OK, &length("6")].concat(), BODY),
            "less DATA than its content-length",
        ),
        (
            answer(3),
            with(&[OK, &length("5"), &length("6")].concat(), BODY),
            "not one number",
        ),
        (
            answer(3),
            with(&[OK, &length("+5")].concat(), BODY),
            "not one number",
        ),
        (
            answer(3),
            [head(OK), frame(DATA, 0, 3, BODY), frame(DATA, 0, 3, b"x")].concat(),
            "more than the body",
        ),
        (answer(3), frame(DATA, END_STREAM, 3, BODY), "DATA before a head"),
        (
            answer(3),
            [head(OK), head(OK)].concat(),
            "a pseudo-header field in trailers",
        ),
        (
            answer(3),
            [head(OK), head(b"\x00\x01x\x01y")].concat(),
            "a second head",
        ),
        (
            answer(3),
            ended(b"\x08\x03103"),
            "an interim (1xx) head that ends the stream",
        ),
        (answer(3), head(b"\x08\x03101"), "status 101"),
        (
            answer(3),
            head(b"\x00\x01x\x01y\x88"),
            "a pseudo-header field after others",
        ),
        (answer(3), head(b"\x00\x01x\x01y"), "not exactly one `:status`"),
        (answer(3), head(b"\x88\x88"), "not exactly one `:status`"),
        (answer(3), head(b"\x82"), "not exactly one `:status`"),
        (answer(3), head(b"\x88\x00\x01X\x01y"), "no token in lower case"),
        (answer(3), head(b"\x88\x00\x01x\x02\r\n"), "a line end or NUL"),
        (
            answer(3),
            head(b"\x88\x00\x0aconnection\x05close"),
            "a field of HTTP/1.1's connections",
        ),
        (answer(3), head(b"\xbe"), "an index that no table has"),
        (
            BreachKind::Unasked,
            right(1),
            "HEADERS on stream 1, whose answer had ended\n  got      \"\\x00\\x00\\x05\\x01",
        ),
        (
            BreachKind::Unasked,
            frame(DATA, END_STREAM, 1, BODY),
            "DATA on stream 1, whose answer had ended",
        ),
        (
            BreachKind::Unasked,
            frame(DATA, END_STREAM, 1, b""),
            "DATA on stream 1, whose answer had ended",
        ),
        (
            BreachKind::Unasked,
            right(9),
            "HEADERS on stream 9, which was never opened",
        ),
    ];
    for (kind, bytes, why) in cases {
        let mut talk = Talk::new().ask(2);
        talk.take(&right(1)).unwrap();
        let found = talk.breach(&bytes);
        assert!(
            found.0 == kind && found.1.contains(why),
            "{}: {found:?}",
            bytes.escape_ascii()
        );
    }
}

#[test]
fn what_is_no_http_2_is_refused_with_its_bytes() {
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (right(2), "HEADERS on stream 2, which only a server could open"),
        (right(0), "HEADERS on stream 0"),
        (
            frame(PUSH_PROMISE, END_HEADERS, 1, &[0, 0, 0, 2, 0x82]),
            "PUSH_PROMISE",
        ),
        (
            frame(CONTINUATION, END_HEADERS, 1, OK),
            "CONTINUATION without a header block",
        ),
        (
            [frame(HEADERS, 0, 1, OK), frame(DATA, 0, 1, b"x")].concat(),
            "another frame within a header block",
        ),
        (
            [frame(HEADERS, 0, 1, OK), frame(CONTINUATION, 4, 3, b"")].concat(),
            "another frame within a header block",
        ),
        (
            frame(HEADERS, END_HEADERS | PADDED, 1, &[9, 0x88]),
            "more padding than",
        ),
        (frame(DATA, PADDED, 1, b""), "without its padding"),
        (
            frame(HEADERS, END_HEADERS | WITH_PRIORITY, 1, OK),
            "a priority that is cut",
        ),
        (frame(SETTINGS, 0, 1, b""), "SETTINGS on stream 1"),
        (frame(SETTINGS, 0, 0, b"12345"), "SETTINGS that are cut"),
        (
            frame(SETTINGS, ACK, 0, &[0; 6]),
            "an acknowledgement of SETTINGS that holds some",
        ),
        (settings(&[(4, 1 << 31)]), "SETTINGS with a window of 2 GiB"),
        (settings(&[(5, 100)]), "SETTINGS that allow frames of 100 bytes"),
        (settings(&[(2, 1)]), "SETTINGS that enable push"),
        (frame(PING, 0, 0, b"1234567"), "a PING that is not 8 bytes"),
        (frame(GOAWAY, 0, 0, b"1234567"), "a GOAWAY that is cut"),
        (frame(WINDOW_UPDATE, 0, 0, &[0; 4]), "a WINDOW_UPDATE of 0 bytes"),
        (
            frame(WINDOW_UPDATE, 0, 0, &[0x7f, 0xff, 0xff, 0xff]),
            "a WINDOW_UPDATE beyond 2 GiB",
        ),
        (
            frame(RST_STREAM, 0, 1, &[0; 3]),
            "a RST_STREAM that is not 4 bytes",
        ),
        (frame(PRIORITY, 0, 1, &[0; 4]), "a PRIORITY that is not 5 bytes"),
        (
            hex("004001 00 00 00000001"),
            "a frame of 16385 bytes, where 16,384 are allowed",
        ),
    ];
    for (bytes, why) in cases {
        let (kind, found) = Talk::new().ask(1).breach(&bytes);
        assert_eq!(kind, BreachKind::Protocol, "{found}");
        assert!(
            found.contains(why) && found.contains("got      \"\\x00"),
            "{}: {found}",
            bytes.escape_ascii()
        );
    }
    for (first, why) in [
        (&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], "it speaks HTTP/1.1"),
        (&frame(PING, 0, 0, &[0; 8]), "does not begin with SETTINGS"),
        (&frame(SETTINGS, ACK, 0, b""), "does not begin with SETTINGS"),
    ] {
        let (_, found) = made("GET", b"", Expectation::bytes(None), Manner::Http).breach(first);
        assert!(found.contains(why), "{found}");
    }
}

#[test]
fn a_server_is_told_why_its_connection_ends() {
    let cases = [
        (frame(SETTINGS, 0, 1, b""), PROTOCOL_ERROR),
        (frame(PING, 0, 0, b"1234567"), FRAME_SIZE_ERROR),
        (
            frame(WINDOW_UPDATE, 0, 0, &[0x7f, 0xff, 0xff, 0xff]),
            FLOW_CONTROL_ERROR,
        ),
        (frame(PING, 0, 0, &[0; 8]).repeat(1001), ENHANCE_YOUR_CALM),
        (frame(HEADERS, END_HEADERS, 9, OK), STREAM_CLOSED),
    ];
    for (bytes, error) in cases {
        let mut talk = Talk::new().ask(1);
        talk.take(&bytes).unwrap_err();
        let goaway = frame(GOAWAY, 0, 0, &[[0; 4], error.to_be_bytes()].concat());
        assert!(talk.owed().ends_with(&goaway), "{error}");
    }
    let mut talk = Talk::new().ask(1);
    talk.take(&frame(WINDOW_UPDATE, 0, 1, &[0x7f, 0xff, 0xff, 0xff]))
        .unwrap_err();
    let reset = frame(RST_STREAM, 0, 1, &FLOW_CONTROL_ERROR.to_be_bytes());
    assert!(talk.owed().starts_with(&reset), "whose window it was");
    let mut talk = Talk::new().ask(1);
    talk.take(&frame(GOAWAY, 0, 0, &[0, 0, 0, 1, 0, 0, 0, 11]))
        .unwrap_err();
    assert!(talk.owed().is_empty(), "it knows");
}

#[test]
fn floods_end() {
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (frame(PING, 0, 0, &[0; 8]), "a flood of PING: 1000 frames"),
        (settings(&[]), "a flood of SETTINGS"),
        (
            frame(WINDOW_UPDATE, 0, 0, &[0, 0, 0, 1]),
            "a flood of WINDOW_UPDATE",
        ),
        (frame(PRIORITY, 0, 1, &[0; 5]), "a flood of PRIORITY"),
        (frame(77, 0, 1, b"x"), "a flood of frames of type 77"),
        (
            frame(HEADERS, END_HEADERS, 1, b"\x08\x03103"),
            "a flood of interim heads",
        ),
    ];
    for (one, why) in cases {
        let (_, found) = Talk::new().ask(1).breach(&one.repeat(1001));
        assert!(found.contains(why), "{found}");
    }
    let mut empty = frame(HEADERS, END_HEADERS, 1, OK);
    empty.extend(frame(DATA, 0, 1, b"").repeat(1001));
    assert!(
        Talk::new()
            .ask(1)
            .breach(&empty)
            .1
            .contains("a flood of empty DATA")
    );
    let mut cut = frame(HEADERS, 0, 1, OK);
    cut.extend(frame(CONTINUATION, 0, 1, b"").repeat(1001));
    assert!(
        Talk::new()
            .ask(1)
            .breach(&cut)
            .1
            .contains("a header block of 1001 CONTINUATION frames")
    );
    let mut long = frame(HEADERS, 0, 1, OK);
    long.extend(frame(CONTINUATION, 0, 1, &[0; 16_384]).repeat(17));
    assert!(
        Talk::new()
            .ask(1)
            .breach(&long)
            .1
            .contains("a flood: a header block")
    );
}
