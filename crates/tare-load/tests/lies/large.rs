//! What an HTTP server may do whose answers are so large that they are taken in pieces, beyond what any server may do.

use tare_model::fault::FaultKind::{ClosedEarly, Wrong};

use crate::fixture::Act;
use crate::matrix::{CLOSED, Column, HUNG, Row, Seen, WRONG};
use crate::protocol::{Protocol, http};

pub fn rows(protocol: Protocol) -> Vec<Row> {
    [
        unusual(protocol),
        wrong_bytes(protocol),
        wrong_lengths(protocol),
        ends(protocol),
    ]
    .concat()
}

fn row(protocol: Protocol, name: &'static str, seen: Seen, acts: Vec<Act>) -> Row {
    Row::new(protocol, name, seen, move |_, _| acts.clone())
}

fn says(protocol: Protocol, name: &'static str, seen: Seen, bytes: Vec<u8>) -> Row {
    row(protocol, name, seen, vec![Act::Say(bytes)])
}

fn sized(length: usize, body: &str) -> Vec<u8> {
    http(&format!("Content-Length: {length}\r\n"), body)
}

fn chunked(body: &str, size: usize) -> Vec<u8> {
    let chunks = body.as_bytes().chunks(size);
    let chunks = chunks.map(|chunk| format!("{:x}\r\n{}\r\n", chunk.len(), String::from_utf8_lossy(chunk)));
    http(
        "Transfer-Encoding: chunked\r\n",
        &format!("{}0\r\n\r\n", chunks.collect::<String>()),
    )
}

/// The body with another letter at a place.
fn changed(body: &str, at: usize) -> String {
    let mut bytes = body.as_bytes().to_vec();
    bytes[at] = if bytes[at] == b'x' { b'y' } else { b'x' };
    String::from_utf8(bytes).unwrap()
}

fn unusual(protocol: Protocol) -> Vec<Row> {
    let body = protocol.body();
    let (right, head) = (sized(body.len(), body), sized(body.len(), ""));
    let more = http(&format!("X-A: b\r\nContent-Length: {}\r\n", body.len()), body);
    vec![
        says(protocol, "chunks of 10,000", Seen::Right, chunked(body, 10_000)),
        Row::new(
            protocol,
            "chunks cut anew each time",
            Seen::Right,
            move |since, _| vec![Act::Say(chunked(protocol.body(), 30_000 + 777 * (since % 50)))],
        ),
        Row::new(protocol, "a length or chunks", Seen::Right, move |since, _| {
            let chunks = chunked(protocol.body(), 50_000);
            vec![Act::Say(if since % 2 == 0 { chunks } else { right.clone() })]
        }),
        says(protocol, "a further field", Seen::Right, more),
        row(
            protocol,
            "head and body in writes of their own",
            Seen::Right,
            vec![Act::Say(head), Act::Say(body.into())],
        ),
    ]
}

fn wrong_bytes(protocol: Protocol) -> Vec<Row> {
    let body = protocol.body();
    let last = body.len() - 1;
    let wrong = |name, body: &str| says(protocol, name, WRONG, sized(body.len(), body));
    // Of an answer that is not checked in full, only both ends are read; the check reads all bytes.
    let in_the_midst = |row: Row| match protocol {
        Protocol::Sampled => row
            .but(Column::Capacity, Seen::Right)
            .but(Column::Cost, Seen::Right)
            .but(Column::Batch, Seen::Right)
            .but(Column::Fresh, Seen::Right),
        _ => row,
    };
    vec![
        wrong("one wrong byte at its beginning", &changed(body, 0)),
        wrong("one wrong byte near its beginning", &changed(body, 4000)),
        wrong("one wrong byte near its end", &changed(body, last - 4000)),
        wrong("one wrong byte at its end", &changed(body, last)),
        in_the_midst(wrong("one wrong byte in its midst", &changed(body, last / 2))),
        in_the_midst(says(
            protocol,
            "one wrong byte in the midst of chunks",
            WRONG,
            chunked(&changed(body, last / 2), 10_000),
        )),
        wrong("another body, as long", &body.to_uppercase()),
        wrong("its halves in another order", &{
            let (first, second) = body.split_at(body.len() / 2);
            format!("{second}{first}")
        }),
        row(
            protocol,
            "an endless body",
            WRONG,
            vec![Act::Say(http("", body)), Act::Forever(vec![b'o'; 4000])],
        ),
        row(
            protocol,
            "endless chunks",
            WRONG,
            vec![
                Act::Say(http("Transfer-Encoding: chunked\r\n", "")),
                Act::Forever(format!("3e8\r\n{}\r\n", "o".repeat(1000)).into()),
            ],
        ),
    ]
}

fn wrong_lengths(protocol: Protocol) -> Vec<Row> {
    let body = protocol.body();
    let whole = body.len();
    let wrong = |name, length: usize, body: &str| says(protocol, name, WRONG, sized(length, body));
    vec![
        wrong("one byte too few", whole - 1, &body[1..]),
        wrong("one byte too many", whole + 1, &format!("{body}!")),
        wrong("a length too short", whole - 1, body),
        // The first byte of the next answer counts as the last of this one; without a next answer the load waits for it.
        wrong("a length too long", whole + 1, body).but(Column::Check, HUNG),
        says(
            protocol,
            "chunks too few",
            WRONG,
            chunked(&body[..whole - 10_000], 10_000),
        ),
        says(
            protocol,
            "a chunk too many",
            WRONG,
            chunked(&format!("{body}!"), 10_000),
        ),
    ]
}

/// Bodies and connections that end together.
fn ends(protocol: Protocol) -> Vec<Row> {
    let body = protocol.body();
    let half = &body[..body.len() / 2];
    let chunks = chunked(half, 10_000);
    // Without the last chunk.
    let open = chunks[..chunks.len() - 5].to_vec();
    let to_the_close = |name, seen, body: &str| {
        let acts = vec![Act::Say(http("", body)), Act::Close];
        row(protocol, name, seen, acts).shallow()
    };
    vec![
        to_the_close("a body up to the close", Seen::Right, body).but(Column::Batch, CLOSED),
        to_the_close("half a body up to the close", CLOSED, half)
            .but(Column::Check, WRONG)
            .but(Column::Fresh, Seen::Fault(&[ClosedEarly, Wrong])),
        row(
            protocol,
            "half a body in chunks, and a close",
            CLOSED,
            vec![Act::Say(open.clone()), Act::Close],
        ),
        row(
            protocol,
            "half a body in chunks, and silence",
            HUNG,
            vec![Act::Say(open), Act::Mute],
        ),
        says(
            protocol,
            "`close`, and it does not close",
            Seen::Right,
            http(
                &format!("Connection: close\r\nContent-Length: {}\r\n", body.len()),
                body,
            ),
        )
        .shallow()
        .but(Column::Batch, CLOSED),
    ]
}
