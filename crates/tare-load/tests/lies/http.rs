//! What an HTTP server may do, beyond what any server may do.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use tare_model::fault::FaultKind::{ClosedEarly, Unasked, Wrong};

use crate::fixture::Act;
use crate::matrix::{BATCH, CLOSED, Column, FROM, HUNG, Row, Seen, UNASKED, WRONG};
use crate::protocol::{BODY, Protocol, http};

fn row(name: &'static str, seen: Seen, acts: Vec<Act>) -> Row {
    Row::new(Protocol::Http, name, seen, move |_, _| acts.clone())
}

/// A row whose answers are these bytes.
fn says(name: &'static str, seen: Seen, bytes: impl Into<Vec<u8>>) -> Row {
    row(name, seen, vec![Act::Say(bytes.into())])
}

/// An answer with these header lines.
fn with(name: &'static str, seen: Seen, fields: &str) -> Row {
    says(name, seen, http(fields, BODY))
}

fn chunked(name: &'static str, seen: Seen, body: &str) -> Row {
    says(name, seen, http("Transfer-Encoding: chunked\r\n", body))
}

pub fn rows() -> Vec<Row> {
    [
        unusual_heads(),
        wrong_heads(),
        lengths(),
        chunks(),
        wrong_chunks(),
        interim(),
        closing(),
        endless(),
        encoded(),
    ]
    .concat()
}

const LENGTH: &str = "Content-Length: 5\r\n";

/// An answer that begins with another status line.
fn status(name: &'static str, seen: Seen, line: &str) -> Row {
    says(name, seen, format!("{line}\r\n{LENGTH}\r\n{BODY}"))
}

fn unusual_heads() -> Vec<Row> {
    let large = format!("X-Large: {}\r\n{LENGTH}", "x".repeat(100_000));
    let right = |name, fields: &str| with(name, Seen::Right, fields);
    vec![
        right("names in upper case", "CONTENT-LENGTH: 5\r\nSERVER: X\r\n"),
        right("names in lower case", "content-length: 5\r\nserver: x\r\n"),
        right("no space before a value", "Content-Length:5\r\n"),
        right("much space around a value", "Content-Length: \t 5 \t\r\n"),
        right("an empty value", "X-Empty:\r\nContent-Length: 5\r\n"),
        right(
            "bytes beyond ASCII in a value",
            "X-Name: Zo\u{eb}\r\nContent-Length: 5\r\n",
        ),
        // Only once: a program without optimisation takes long to read it.
        Row::new(
            Protocol::Http,
            "a header of 100 KB",
            Seen::Right,
            move |since, _| match since {
                0 => vec![Act::Say(http(&large, BODY))],
                _ => vec![Act::Say(http(LENGTH, BODY))],
            },
        ),
        says(
            "lines that end in LF",
            Seen::Right,
            format!("HTTP/1.1 200 OK\n{}\n{BODY}", LENGTH.replace('\r', "")),
        ),
        status("no reason", Seen::Right, "HTTP/1.1 200"),
        status("an empty reason", Seen::Right, "HTTP/1.1 200 "),
        status(
            "another status of 2xx",
            Seen::Right,
            "HTTP/1.1 203 Non-Authoritative Information",
        ),
        status(
            "HTTP/1.0 kept alive",
            Seen::Right,
            "HTTP/1.0 200 OK\r\nConnection: keep-alive",
        ),
        status(
            "HTTP/1.0 kept alive, in other letters",
            Seen::Right,
            "HTTP/1.0 200 OK\r\nCONNECTION: Keep-Alive",
        ),
        Row::new(
            Protocol::Http,
            "a field that changes in length",
            Seen::Right,
            |since, _| {
                let fields = format!("X-Id: {}\r\n{LENGTH}", "7".repeat(1 + since % 9));
                vec![Act::Say(http(&fields, BODY))]
            },
        ),
        Row::new(
            Protocol::Http,
            "a head that changes its order",
            Seen::Right,
            |since, _| {
                let fields = [format!("X-A: b\r\n{LENGTH}"), format!("{LENGTH}X-A: b\r\n")];
                vec![Act::Say(http(&fields[since % 2], BODY))]
            },
        ),
    ]
}

fn wrong_heads() -> Vec<Row> {
    vec![
        status("status 404", WRONG, "HTTP/1.1 404 Not Found"),
        status("status 500", WRONG, "HTTP/1.1 500 Alas"),
        status("status 301", WRONG, "HTTP/1.1 301 Moved\r\nLocation: /else"),
        says(
            "status 204, and so no body",
            WRONG,
            "HTTP/1.1 204 No Content\r\n\r\n",
        ),
        status("a status of two digits", WRONG, "HTTP/1.1 20 OK"),
        status("HTTP in lower case", WRONG, "http/1.1 200 OK"),
        status("HTTP/1.2", WRONG, "HTTP/1.2 200 OK"),
        status("HTTP/2 in text", WRONG, "HTTP/2 200 OK"),
        says(
            "HTTP/2 in frames",
            WRONG,
            b"\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80".to_vec(),
        ),
        says("HTTP/0.9", WRONG, BODY),
        says("TLS", WRONG, b"\x15\x03\x01\0\x02\x02\x46".to_vec()),
        with(
            "a line without a colon",
            WRONG,
            "Content-Length: 5\r\nnonsense\r\n",
        ),
        with("space before the colon", WRONG, "Content-Length : 5\r\n"),
        with("a folded line", WRONG, "Content-Length: 5\r\nX-A: b\r\n  c\r\n"),
        with("a NUL in a value", WRONG, "Content-Length: 5\r\nX-A: b\0c\r\n"),
        with("a CR in a value", WRONG, "Content-Length: 5\r\nX-A: b\rc\r\n"),
    ]
}

fn lengths() -> Vec<Row> {
    let wrong = |name, value: &str| with(name, WRONG, &format!("Content-Length: {value}\r\n"));
    vec![
        wrong("a length too short", "4"),
        // The first byte of the next answer counts as the last of this one; without a next answer the load waits for it.
        wrong("a length too long", "6").but(Column::Check, HUNG),
        row(
            "a length too long, and a close",
            CLOSED,
            vec![Act::Say(http("Content-Length: 6\r\n", BODY)), Act::Close],
        ),
        row(
            "a length too long, and silence",
            HUNG,
            vec![Act::Say(http("Content-Length: 6\r\n", BODY)), Act::Mute],
        ),
        wrong("a length of nothing", ""),
        wrong("a length below zero", "-5"),
        wrong("a length with a sign", "+5"),
        wrong("a length in hex", "0x5"),
        wrong("a length in words", "five"),
        wrong("a length beyond all bounds", "99999999999999999999999"),
        wrong("a length of a gigabyte", "1073741824"),
        wrong("two lengths", "5\r\nContent-Length: 6"),
        wrong("two lengths in one", "5, 6"),
        with(
            "the same length twice",
            Seen::Right,
            "Content-Length: 5\r\nContent-Length: 5\r\n",
        ),
        with(
            "the same length twice in one",
            Seen::Right,
            "Content-Length: 5, 5\r\n",
        ),
        with(
            "a length and chunks",
            WRONG,
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        ),
    ]
}

fn chunks() -> Vec<Row> {
    let right = |name, body: &str| chunked(name, Seen::Right, body);
    let coding = |name, value: &str| {
        let fields = format!("{value}\r\n");
        says(name, Seen::Right, http(&fields, "5\r\nhello\r\n0\r\n\r\n"))
    };
    let letters: String = BODY.chars().map(|letter| format!("1\r\n{letter}\r\n")).collect();
    vec![
        right("one chunk", "5\r\nhello\r\n0\r\n\r\n"),
        right("a chunk for each letter", &format!("{letters}0\r\n\r\n")),
        right("sizes with zeros before them", "0005\r\nhello\r\n000\r\n\r\n"),
        right(
            "a chunk's extension",
            "5;name=\"value\"\r\nhello\r\n0;last\r\n\r\n",
        ),
        right("trailers", "5\r\nhello\r\n0\r\nX-Sum: 1\r\nX-More: 2\r\n\r\n"),
        coding("a coding in upper case", "TRANSFER-ENCODING: CHUNKED"),
        coding("a coding with space around it", "transfer-encoding:  chunked "),
        row(
            "chunks one byte a write",
            Seen::Right,
            vec![Act::Dribble(
                http(
                    "Transfer-Encoding: chunked\r\n",
                    "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
                ),
                1,
            )],
        ),
        Row::new(
            Protocol::Http,
            "chunks cut anew each time",
            Seen::Right,
            |since, _| {
                let (first, second) = BODY.split_at(1 + since % 4);
                let body = format!(
                    "{:X}\r\n{first}\r\n{:x}\r\n{second}\r\n0\r\n\r\n",
                    first.len(),
                    second.len()
                );
                vec![Act::Say(http("Transfer-Encoding: chunked\r\n", &body))]
            },
        ),
    ]
}

fn wrong_chunks() -> Vec<Row> {
    let wrong = |name, body: &str| chunked(name, WRONG, body);
    vec![
        wrong("other letters in chunks", "5\r\nhallo\r\n0\r\n\r\n"),
        wrong("too few letters in chunks", "4\r\nhell\r\n0\r\n\r\n"),
        wrong("too many letters in chunks", "6\r\nhello!\r\n0\r\n\r\n"),
        wrong("a chunk longer than it says", "4\r\nhello\r\n0\r\n\r\n"),
        wrong("a chunk shorter than it says", "6\r\nhello\r\n0\r\n\r\n"),
        wrong("a size that is no number", "five\r\nhello\r\n0\r\n\r\n"),
        wrong("a size below zero", "-5\r\nhello\r\n0\r\n\r\n"),
        wrong("a size of nine digits", "000000005\r\nhello\r\n0\r\n\r\n"),
        wrong("a size of four gigabytes", "ffffffff\r\nhello\r\n0\r\n\r\n"),
        wrong("no size", "\r\nhello\r\n0\r\n\r\n"),
        wrong("a chunk that ends in LF", "5\r\nhello\n0\r\n\r\n"),
        wrong(
            "a trailer that is no field",
            "5\r\nhello\r\n0\r\nnonsense\r\n\r\n",
        ),
        says(
            "chunks over HTTP/1.0",
            WRONG,
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        ),
        with(
            "a coding that nobody asked for",
            WRONG,
            "Transfer-Encoding: gzip, chunked\r\n",
        ),
        row(
            "no last chunk, and a close",
            CLOSED,
            vec![
                Act::Say(http("Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n")),
                Act::Close,
            ],
        ),
        row(
            "no last chunk, and silence",
            HUNG,
            vec![
                Act::Say(http("Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n")),
                Act::Mute,
            ],
        ),
    ]
}

fn interim() -> Vec<Row> {
    let before =
        |name, seen, interim: &str| says(name, seen, [interim.as_bytes(), &http(LENGTH, BODY)].concat());
    vec![
        before("100 first", Seen::Right, "HTTP/1.1 100 Continue\r\n\r\n"),
        before(
            "103 three times",
            Seen::Right,
            &"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n".repeat(3),
        ),
        row(
            "100 one byte a write",
            Seen::Right,
            vec![Act::Dribble(
                [b"HTTP/1.1 100 Continue\r\n\r\n", &http(LENGTH, BODY)[..]].concat(),
                1,
            )],
        ),
        before(
            "101",
            WRONG,
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        ),
        row(
            "100 and then silence",
            HUNG,
            vec![Act::Say(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec()), Act::Mute],
        ),
        row(
            "100 and then a close",
            CLOSED,
            vec![Act::Say(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec()), Act::Close],
        ),
    ]
}

/// Connections that end as announced, or with the body. A batch has a number of requests for each connection, so there that
/// is too early.
fn closing() -> Vec<Row> {
    let ends = |row: Row| row.shallow().but(Column::Batch, CLOSED);
    let closes = || http(&format!("Connection: close\r\n{LENGTH}"), BODY);
    let at_the_end = |name, acts: Vec<Act>| {
        // Right answers came before.
        Row::new(Protocol::Http, name, Seen::Right, move |since, rights| {
            match since + FROM + 1 {
                BATCH => acts.clone(),
                _ => vec![Act::Say(rights[rights.len() - 1].clone())],
            }
        })
        .shallow()
    };
    vec![
        ends(row(
            "`close`, and it closes",
            Seen::Right,
            vec![Act::Say(closes()), Act::Close],
        )),
        ends(says("`close`, and it does not close", Seen::Right, closes())),
        ends(with(
            "`close` in other letters",
            Seen::Right,
            "CONNECTION: Close\r\nContent-Length: 5\r\n",
        )),
        ends(with(
            "`close` among others",
            Seen::Right,
            "Connection: te, close\r\nContent-Length: 5\r\n",
        )),
        ends(row(
            "`close` after a chunked body",
            Seen::Right,
            vec![
                Act::Say(http(
                    "Connection: close\r\nTransfer-Encoding: chunked\r\n",
                    "5\r\nhello\r\n0\r\n\r\n",
                )),
                Act::Close,
            ],
        )),
        ends(row(
            "HTTP/1.0, and it closes",
            Seen::Right,
            vec![
                Act::Say(format!("HTTP/1.0 200 OK\r\n{LENGTH}\r\n{BODY}").into()),
                Act::Close,
            ],
        )),
        ends(row(
            "a body up to the close",
            Seen::Right,
            vec![Act::Say(http("", BODY)), Act::Close],
        )),
        ends(row(
            "a body up to the end of its direction",
            Seen::Right,
            vec![Act::Say(http("", BODY)), Act::EndDirection],
        )),
        row(
            "half a body up to the close",
            CLOSED,
            vec![Act::Say(http("", "hel")), Act::Close],
        )
        .shallow()
        .but(Column::Check, WRONG)
        .but(Column::Fresh, CLOSED),
        at_the_end(
            "`close` with the last answer of all",
            vec![Act::Say(closes()), Act::Close],
        ),
        at_the_end(
            "a body up to the close, the last of all",
            vec![Act::Say(http("", BODY)), Act::Close],
        ),
        says("`close`, several requests in flight", CLOSED, closes()).but(Column::Check, Seen::Right),
        says("`close`, and more", UNASKED, [closes(), closes()].concat()).shallow(),
        // An end of the direction without an announcement: the next request finds it closed.
        row(
            "an unannounced close",
            CLOSED,
            vec![Act::Say(http(LENGTH, BODY)), Act::Close],
        )
        .shallow()
        .but(Column::Check, Seen::Right)
        // If it is seen before the next request is sent, it is not a fault.
        .but(Column::Capacity, Seen::RightOr(&[ClosedEarly]))
        .but(Column::Cost, Seen::RightOr(&[ClosedEarly])),
    ]
}

fn endless() -> Vec<Row> {
    let endless = |name, begin: Vec<u8>, again: &[u8]| {
        row(
            name,
            WRONG,
            vec![Act::Say(begin), Act::Forever(again.repeat(1000))],
        )
    };
    let head = |fields: &str| format!("HTTP/1.1 200 OK\r\n{fields}").into_bytes();
    vec![
        endless("an endless status line", b"HTTP/1.1 200 ".to_vec(), b"OK "),
        endless("an endless header line", head("X-Endless: "), b"x"),
        endless("an endless header", head(""), b"X-A: b\r\n"),
        endless("an endless body", http("", BODY), b"o"),
        endless(
            "endless chunks",
            http("Transfer-Encoding: chunked\r\n", ""),
            b"5\r\nhello\r\n",
        ),
        endless(
            "an endless chunk's size",
            http("Transfer-Encoding: chunked\r\n", ""),
            b"5",
        ),
        endless(
            "endless trailers",
            http("Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n"),
            b"X-A: b\r\n",
        ),
        endless(
            "endless interim answers",
            b"".to_vec(),
            b"HTTP/1.1 102 Processing\r\n\r\n",
        ),
        row(
            "endless answers",
            Seen::Fault(&[Unasked, Wrong]),
            vec![Act::Forever(http(LENGTH, BODY))],
        ),
    ]
}

/// An answer whose body is said to be encoded so.
fn coded(name: &'static str, seen: Seen, coding: &str, body: &[u8]) -> Row {
    let fields = format!("Content-Encoding: {coding}\r\nContent-Length: {}\r\n", body.len());
    says(name, seen, [http(&fields, "").as_slice(), body].concat())
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn encoded() -> Vec<Row> {
    // `hello`, and 8 MiB of zeros, by Node's zlib.
    let brotli = b"\x0b\x02\x80hello\x03";
    let zeros = b"\x9f\xff\xff\x7f\xf8\x27\x00\xe2\xb1\x40\x20\xf7\xfe\x0f";
    let right = gzip(BODY.as_bytes());
    let mut checksum = right.clone();
    let at = checksum.len() - 8;
    checksum[at] ^= 1;
    let is = |name, coding: &str, body: &[u8]| coded(name, Seen::Right, coding, body);
    let lies = |name, coding: &str, body: &[u8]| coded(name, WRONG, coding, body);
    vec![
        is("gzip", "gzip", &right),
        is("gzip by its other name", "x-gzip", &right),
        is(
            "gzip in two members",
            "gzip",
            &[gzip(b"hel"), gzip(b"lo")].concat(),
        ),
        is("brotli", "br", brotli),
        is("a coding that does nothing", "identity", BODY.as_bytes()),
        lies("gzip of something else", "gzip", &gzip(b"hellO")),
        lies("gzip that ends too early", "gzip", &right[..right.len() - 1]),
        lies("gzip with a wrong checksum", "gzip", &checksum),
        lies("gzip with more behind it", "gzip", &[&right[..], b"x"].concat()),
        lies("gzip that is none", "gzip", BODY.as_bytes()),
        lies("gzip that is brotli", "gzip", brotli),
        lies("gzip that swells", "gzip", &gzip(&vec![0; 4 << 20])),
        lies("an empty body in gzip", "gzip", &gzip(b"")),
        lies("nothing, called gzip", "gzip", b""),
        lies("brotli that ends too early", "br", &brotli[..brotli.len() - 1]),
        lies("brotli with more behind it", "br", &[&brotli[..], b"x"].concat()),
        lies("brotli that is none", "br", BODY.as_bytes()),
        lies("brotli that swells", "br", zeros),
        lies("two codings", "gzip, br", &right),
        lies("a coding that nobody knows", "zstd", &right),
    ]
}
