//! What a server of HTTP/2 may do, beyond what any server may do.

use crate::fixture::Act;
use crate::matrix::{CLOSED, HUNG, Row, Seen, UNASKED, WRONG};
use crate::protocol::{
    BODY, CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, OK, PING, Protocol, RST_STREAM,
    SETTINGS, frame, h2,
};

/// A row whose answers are made from the stream of the request and the right answer.
fn row(
    name: &'static str,
    seen: Seen,
    acts: impl Fn(u32, Vec<u8>) -> Vec<Act> + Send + Sync + 'static,
) -> Row {
    Row::new(Protocol::H2, name, seen, move |_, rights| {
        let right = rights[rights.len() - 1].clone();
        acts(u32::from_be_bytes(right[5..9].try_into().unwrap()), right)
    })
}

fn says(
    name: &'static str,
    seen: Seen,
    bytes: impl Fn(u32, Vec<u8>) -> Vec<u8> + Send + Sync + 'static,
) -> Row {
    row(name, seen, move |stream, right| {
        vec![Act::Say(bytes(stream, right))]
    })
}

pub fn rows() -> Vec<Row> {
    [unusual(), ends(), wrong(), floods()].concat()
}

fn length(text: &str) -> Vec<u8> {
    [&[OK, 0x0f, 0x0d, text.len() as u8], text.as_bytes()].concat()
}

/// SETTINGS with one value.
fn setting(name: u8, value: u32) -> Vec<u8> {
    frame(SETTINGS, 0, 0, &[&[0, name], &value.to_be_bytes()[..]].concat())
}

fn unusual() -> Vec<Row> {
    let body = BODY.as_bytes();
    vec![
        says("a content-length", Seen::Right, move |stream, _| {
            h2(stream, &length("5"), body)
        }),
        says("a PING before each answer", Seen::Right, |_, right| {
            [frame(PING, 0, 0, b"are you?"), right].concat()
        }),
        says("SETTINGS before each answer", Seen::Right, |stream, right| {
            [setting(4, stream), setting(1, 0), right].concat()
        }),
        says("one stream allowed from now on", Seen::Right, |_, right| {
            [right, setting(3, 1)].concat()
        }),
        says(
            "a body in pieces, and an empty end",
            Seen::Right,
            move |stream, _| {
                let pieces = body.iter().map(|byte| frame(DATA, 0, stream, &[*byte]));
                let head = frame(HEADERS, END_HEADERS, stream, &[OK]);
                let end = frame(DATA, END_STREAM, stream, b"");
                [head, pieces.collect::<Vec<_>>().concat(), end].concat()
            },
        ),
        says(
            "an addition to the table with each answer",
            Seen::Right,
            move |stream, _| h2(stream, &[&[OK][..], b"\x40\x03x-n\x01y"].concat(), body),
        ),
        says("a random field, always another", Seen::Right, move |stream, _| {
            let value = format!("{stream:08}");
            h2(
                stream,
                &[&[OK][..], b"\x40\x03x-n\x08", value.as_bytes(), &[0xbe]].concat(),
                body,
            )
        }),
        says("trailers", Seen::Right, move |stream, _| {
            [
                frame(HEADERS, END_HEADERS, stream, &[OK]),
                frame(DATA, 0, stream, body),
                frame(HEADERS, END_HEADERS | END_STREAM, stream, b"\x00\x01x\x01y"),
            ]
            .concat()
        }),
        // Its other requests, and all that came later, go out again over another connection.
        row("GOAWAY and a close", Seen::Right, |stream, right| {
            let goaway = frame(GOAWAY, 0, 0, &[stream.to_be_bytes(), [0; 4]].concat());
            vec![Act::Say([right, goaway].concat()), Act::EndDirection]
        }),
    ]
}

fn ends() -> Vec<Row> {
    vec![
        says("no stream allowed any more", HUNG, |_, right| {
            [right, setting(3, 0)].concat()
        })
        .but(crate::matrix::Column::Check, Seen::Right),
        says("a reset stream", CLOSED, |stream, _| {
            frame(RST_STREAM, 0, stream, &[0, 0, 0, 2])
        }),
        says("GOAWAY with an error", CLOSED, |stream, _| {
            frame(GOAWAY, 0, 0, &[stream.to_be_bytes(), [0, 0, 0, 11]].concat())
        }),
    ]
}

fn wrong() -> Vec<Row> {
    let body = BODY.as_bytes();
    vec![
        says("more than its content-length", WRONG, move |stream, _| {
            h2(stream, &length("4"), body)
        }),
        says("less than its content-length", WRONG, move |stream, _| {
            h2(stream, &length("6"), body)
        }),
        says("a status of 500", WRONG, move |stream, _| {
            h2(stream, &[0x8e], body)
        }),
        says("no status", WRONG, move |stream, _| {
            h2(stream, b"\x00\x01x\x01y", body)
        }),
        says("an index of no table", WRONG, move |stream, _| {
            h2(stream, &[OK, 0xbe], body)
        }),
        says("two heads", WRONG, move |stream, right| {
            [frame(HEADERS, END_HEADERS, stream, &[OK]), right].concat()
        }),
        says("DATA before the head", WRONG, move |stream, right| {
            [frame(DATA, 0, stream, body), right].concat()
        }),
        says("DATA after the end", UNASKED, move |stream, right| {
            [right, frame(DATA, END_STREAM, stream, body)].concat()
        }),
        says(
            "an answer on a stream that was never opened",
            UNASKED,
            move |stream, _| h2(stream + 100, &[OK], body),
        ),
        says("a promise", WRONG, |stream, right| {
            [frame(5, END_HEADERS, stream, &[0, 0, 0, 2, 0x82]), right].concat()
        }),
        says("a frame that is too long", WRONG, |stream, _| {
            frame(DATA, 0, stream, &[0; 16_385])
        }),
        says("an HPACK bomb", WRONG, move |stream, _| {
            let entry = [&[OK][..], b"\x40\x01x\x7f\xa1\x1e", &[b'y'; 4000]].concat();
            h2(stream, &[&entry[..], &[0xbe; 9000]].concat(), body)
        }),
        // The same head as before means another thing after the table has changed.
        Row::new(
            Protocol::H2,
            "a head that has changed its meaning",
            WRONG,
            move |since, rights| {
                let right = &rights[rights.len() - 1];
                let stream = u32::from_be_bytes(right[5..9].try_into().unwrap());
                let text: &[u8] = if since < 6 { b"5" } else { b"4" };
                let add = [&[OK, 0x5c, 1][..], text].concat();
                let block = if since % 3 == 0 { add } else { vec![OK, 0xbe] };
                let body = if since % 3 == 0 {
                    &BODY.as_bytes()[..text[0] as usize - 48]
                } else {
                    BODY.as_bytes()
                };
                vec![Act::Say(h2(stream, &block, body))]
            },
        )
        .but(crate::matrix::Column::Check, Seen::Right),
    ]
}

fn floods() -> Vec<Row> {
    let forever = |name, bytes: fn(u32) -> (Vec<u8>, Vec<u8>)| {
        row(name, WRONG, move |stream, _| {
            let (first, then) = bytes(stream);
            vec![Act::Say(first), Act::Forever(then)]
        })
    };
    vec![
        forever("PING without end", |_| (vec![], frame(PING, 0, 0, &[0; 8]))),
        forever("SETTINGS without end", |_| (vec![], frame(SETTINGS, 0, 0, b""))),
        forever("empty DATA without end", |stream| {
            (
                frame(HEADERS, END_HEADERS, stream, &[OK]),
                frame(DATA, 0, stream, b""),
            )
        }),
        forever("CONTINUATION without end", |stream| {
            (
                frame(HEADERS, 0, stream, &[OK]),
                frame(CONTINUATION, 0, stream, b""),
            )
        }),
        forever("a head without end", |stream| {
            (
                frame(HEADERS, 0, stream, &[OK]),
                frame(CONTINUATION, 0, stream, &[0; 16_384]),
            )
        }),
        forever("a body without end", |stream| {
            (
                frame(HEADERS, END_HEADERS, stream, &[OK]),
                frame(DATA, 0, stream, &[b'x'; 16_384]),
            )
        }),
        forever("resets without end", |stream| {
            (
                h2(stream, &[OK], BODY.as_bytes()),
                frame(RST_STREAM, 0, stream, &[0; 4]),
            )
        })
        .but(
            crate::matrix::Column::Check,
            Seen::RightOr(&[tare_model::fault::FaultKind::Wrong]),
        ),
    ]
}
