//! What a WebSocket server may do, beyond what any server may do.

use crate::fixture::Act;
use crate::matrix::{CLOSED, Row, Seen, WRONG};
use crate::protocol::{BODY, Protocol};

fn says(name: &'static str, seen: Seen, bytes: impl Fn(Vec<u8>) -> Vec<u8> + Send + Sync + 'static) -> Row {
    Row::new(Protocol::WebSocket, name, seen, move |_, rights| {
        vec![Act::Say(bytes(rights[rights.len() - 1].clone()))]
    })
}

/// A short frame.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    [&[first, payload.len() as u8], payload].concat()
}

pub fn rows() -> Vec<Row> {
    let body = BODY.as_bytes();
    vec![
        says("a ping before each answer", Seen::Right, |right| {
            [frame(0x89, b"are you?"), right].concat()
        }),
        says(
            "an answer in fragments, with a ping between them",
            Seen::Right,
            move |_| {
                let (begin, end) = (frame(0x01, &body[..2]), frame(0x80, &body[2..]));
                [begin, frame(0x89, b""), frame(0x00, b""), end].concat()
            },
        ),
        says("a masked answer", WRONG, move |_| {
            [&[0x81, 0x80 | body.len() as u8, 0, 0, 0, 0], body].concat()
        }),
        says("a binary answer", WRONG, move |_| frame(0x82, body)),
        says("a shorter answer", WRONG, move |_| frame(0x81, &body[..4])),
        says("a longer answer", WRONG, move |_| {
            frame(0x81, &[body, b"!"].concat())
        }),
        says("a reserved bit", WRONG, move |_| frame(0xc1, body)),
        says("an unknown kind", WRONG, move |_| frame(0x83, body)),
        says("a continuation of nothing", WRONG, move |_| frame(0x80, body)),
        says("a close instead of an answer", CLOSED, |_| {
            frame(0x88, b"\x03\xf3why")
        }),
        Row::new(Protocol::WebSocket, "pings without end", WRONG, |_, _| {
            vec![Act::Forever(frame(0x89, b""))]
        }),
        Row::new(Protocol::WebSocket, "fragments without end", WRONG, |_, _| {
            vec![Act::Say(frame(0x01, b"")), Act::Forever(frame(0x00, b""))]
        }),
    ]
}
