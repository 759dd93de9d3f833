//! What a FastCGI responder may do, beyond what any server may do.

use crate::fixture::Act;
use crate::matrix::{CLOSED, HUNG, Row, Seen, WRONG};
use crate::protocol::{BODY, END, ERR, OUT, PAGE, Protocol, fastcgi, record};

type Id = [u8; 2];

/// A row whose answers are made from the id of the request.
fn row(name: &'static str, seen: Seen, acts: impl Fn(Id) -> Vec<Act> + Send + Sync + 'static) -> Row {
    Row::new(Protocol::FastCgi, name, seen, move |_, rights| {
        let right = &rights[rights.len() - 1];
        acts([right[2], right[3]])
    })
}

fn says(name: &'static str, seen: Seen, bytes: impl Fn(Id) -> Vec<u8> + Send + Sync + 'static) -> Row {
    row(name, seen, move |id| vec![Act::Say(bytes(id))])
}

fn page(name: &'static str, seen: Seen, page: String) -> Row {
    says(name, seen, move |id| fastcgi(id, &page))
}

pub fn rows() -> Vec<Row> {
    [unusual(), wrong_pages(), wrong_records(), cut()].concat()
}

fn end(id: Id, status: [u8; 8]) -> Vec<u8> {
    record(END, id, &status)
}

fn ended(id: Id) -> Vec<u8> {
    [record(OUT, id, b""), end(id, [0; 8])].concat()
}

fn padded(kind: u8, id: Id, content: &[u8], padding: u8) -> Vec<u8> {
    let mut bytes = record(kind, id, content);
    bytes[6] = padding;
    bytes.extend(vec![0xee; usize::from(padding)]);
    bytes
}

fn unusual() -> Vec<Row> {
    let large = format!("X-Large: {}\r\n{PAGE}", "x".repeat(60_000));
    let larger = format!("X-Larger: {}\r\n", "x".repeat(40_000));
    vec![
        says("a record for each byte", Seen::Right, |id| {
            let records = PAGE.bytes().map(|byte| record(OUT, id, &[byte]));
            [records.collect::<Vec<_>>().concat(), ended(id)].concat()
        }),
        says("padding", Seen::Right, |id| {
            [
                padded(OUT, id, PAGE.as_bytes(), 255),
                padded(OUT, id, b"", 8),
                padded(END, id, &[0; 8], 7),
            ]
            .concat()
        }),
        says("talk on standard error", Seen::Right, |id| {
            let (head, body) = PAGE.split_at(10);
            [
                record(ERR, id, b"a warning\n"),
                record(OUT, id, head.as_bytes()),
                record(ERR, id, &[b'x'; 9000]),
                record(OUT, id, body.as_bytes()),
                record(ERR, id, b""),
                ended(id),
            ]
            .concat()
        }),
        says("no end of the output before the end", Seen::Right, |id| {
            [record(OUT, id, PAGE.as_bytes()), end(id, [0; 8])].concat()
        }),
        page("lines that end in LF", Seen::Right, PAGE.replace('\r', "")),
        page(
            "names in upper case",
            Seen::Right,
            format!("CONTENT-TYPE: text/plain\r\n\r\n{BODY}"),
        ),
        page(
            "a status of 200",
            Seen::Right,
            format!("Status: 200 OK\r\n{PAGE}"),
        ),
        page(
            "a right length",
            Seen::Right,
            format!("Content-Length: 5\r\n{PAGE}"),
        ),
        // Only once: a program without optimisation takes long to read it.
        Row::new(
            Protocol::FastCgi,
            "a header of 100 KB",
            Seen::Right,
            move |since, rights| {
                let right = &rights[rights.len() - 1];
                let id = [right[2], right[3]];
                match since {
                    0 => vec![Act::Say(
                        [record(OUT, id, larger.as_bytes()), fastcgi(id, &large)].concat(),
                    )],
                    _ => vec![Act::Say(right.clone())],
                }
            },
        ),
    ]
}

fn wrong_pages() -> Vec<Row> {
    let wrong = |name, text: String| page(name, WRONG, text);
    vec![
        wrong("status 500", format!("Status: 500 Alas\r\n{PAGE}")),
        wrong("a redirection", "Location: /else\r\n\r\n".to_owned()),
        wrong("a status line of HTTP", format!("HTTP/1.1 200 OK\r\n{PAGE}")),
        wrong("no header", BODY.to_owned()),
        wrong("nothing at all", String::new()),
        wrong("no type", format!("X-A: b\r\n\r\n{BODY}")),
        wrong("a length too short", format!("Content-Length: 4\r\n{PAGE}")),
        wrong("a length too long", format!("Content-Length: 6\r\n{PAGE}")),
        wrong("a length in words", format!("Content-Length: five\r\n{PAGE}")),
        wrong("too many letters", format!("{PAGE}!")),
        wrong("too few letters", PAGE[..PAGE.len() - 1].to_owned()),
        row("an endless header", WRONG, |id| {
            vec![Act::Forever(record(OUT, id, &b"X-A: b\r\n".repeat(1000)))]
        }),
        row("an endless header line", WRONG, |id| {
            vec![Act::Forever(record(OUT, id, &[b'x'; 8000]))]
        }),
        row("an endless body", WRONG, |id| {
            vec![
                Act::Say(record(OUT, id, PAGE.as_bytes())),
                Act::Forever(record(OUT, id, b"o")),
            ]
        }),
    ]
}

fn wrong_records() -> Vec<Row> {
    let wrong = |name, bytes: fn(Id) -> Vec<u8>| says(name, WRONG, bytes);
    vec![
        wrong("an answer to another request", |id| {
            fastcgi([id[0], id[1] + 100], PAGE)
        }),
        wrong("a record of another request in the midst", |id| {
            [
                record(OUT, id, &PAGE.as_bytes()[..9]),
                fastcgi([id[0], id[1] + 100], &PAGE[9..]),
            ]
            .concat()
        }),
        wrong("a record of version 2", |id| {
            let mut bytes = fastcgi(id, PAGE);
            bytes[0] = 2;
            bytes
        }),
        wrong("a record of no known kind", |id| record(99, id, b"?")),
        wrong("a record that only a web server sends", |id| record(4, id, b"")),
        wrong("output after its end", |id| {
            [record(OUT, id, b""), fastcgi(id, PAGE)].concat()
        }),
        wrong("an end that is too short", |id| {
            [record(OUT, id, PAGE.as_bytes()), record(END, id, &[0; 3])].concat()
        }),
        wrong("an application that failed", |id| {
            [
                record(OUT, id, PAGE.as_bytes()),
                end(id, [0, 0, 0, 1, 0, 0, 0, 0]),
            ]
            .concat()
        }),
        wrong("a refusal: overloaded", |id| end(id, [0, 0, 0, 0, 2, 0, 0, 0])),
        wrong("a refusal: no multiplexing", |id| {
            end(id, [0, 0, 0, 0, 1, 0, 0, 0])
        }),
        wrong("HTTP", |_| {
            b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".to_vec()
        }),
        row("endless talk on standard error", HUNG, |id| {
            vec![Act::Forever(record(ERR, id, &[b'x'; 8000]))]
        }),
    ]
}

fn cut() -> Vec<Row> {
    let without_end = |id| record(OUT, id, PAGE.as_bytes());
    vec![
        row("no end, and a close", CLOSED, move |id| {
            vec![Act::Say(without_end(id)), Act::Close]
        }),
        row("no end, and silence", HUNG, move |id| {
            vec![Act::Say(without_end(id)), Act::Mute]
        }),
        row("half a record's header, and a close", CLOSED, |_| {
            vec![Act::Say(vec![1, OUT, 0]), Act::Close]
        }),
    ]
}
