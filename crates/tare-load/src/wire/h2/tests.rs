//! Answers of servers of HTTP/2, right and wrong, as bytes.

// A table of cases is one function, however long it is.
#![allow(clippy::too_many_lines)]

use super::frame::{
    self, ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, PADDED, PING, PRIORITY,
    PUSH_PROMISE, RST_STREAM, SETTINGS, WINDOW_UPDATE, WITH_PRIORITY,
};
use super::hpack::tests::hex;
use super::*;
use crate::wire::dialog::{Answered, BreachKind};

const BODY: &[u8] = b"hello";

/// `:status: 200`, by the static table.
const OK: &[u8] = &[0x88];

/// One connection.
struct Talk {
    h2: H2,
    news: News,
    sent: u64,
}

fn frame(kind: u8, flags: u8, stream: u32, content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    frame::push(&mut out, kind, flags, stream, content);
    out
}

fn settings(values: &[(u16, u32)]) -> Vec<u8> {
    let mut out = Vec::new();
    frame::push_settings(&mut out, values);
    out
}

/// `content-length: N`, without indexing.
fn length(text: &str) -> Vec<u8> {
    [&[0x0f, 0x0d, text.len() as u8], text.as_bytes()].concat()
}

/// A right answer.
fn right(stream: u32) -> Vec<u8> {
    let head = [OK, &length("5")].concat();
    [
        frame(HEADERS, END_HEADERS, stream, &head),
        frame(DATA, END_STREAM, stream, BODY),
    ]
    .concat()
}

fn made(method: &str, body: &[u8], expected: Expectation, manner: Manner) -> Talk {
    let block = encode([(":method", method.as_bytes()), (":path", b"/".as_slice())]);
    let mut h2 = H2::new(method, block, body.to_vec(), expected, manner);
    h2.resize(1, 8);
    h2.begin(0);
    Talk {
        h2,
        news: News::default(),
        sent: 0,
    }
}

impl Talk {
    fn new() -> Self {
        made("GET", b"", Expectation::bytes(Some(BODY)), Manner::Http).greeted(&[])
    }

    fn greeted(mut self, values: &[(u16, u32)]) -> Self {
        self.owed();
        self.take(&settings(values)).unwrap();
        assert!(self.news.greeted);
        self.owed();
        self
    }

    fn owed(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        self.h2.owed(0, &mut out);
        out
    }

    /// Sends as many requests, whose intended times are 0, 1, 2 and so on.
    fn ask(mut self, n: usize) -> Self {
        self.sends(n);
        self
    }

    fn sends(&mut self, n: usize) -> Vec<u8> {
        let mut out = Vec::new();
        for _ in 0..n {
            let times = Times {
                intended: self.sent,
                sent: self.sent,
            };
            self.h2.send(0, times, &mut out);
            self.sent += 1;
        }
        out
    }

    /// Takes bytes, all of which must be whole frames. Returns the intended times of what was answered.
    fn take(&mut self, bytes: &[u8]) -> Result<Vec<u64>, Breach> {
        self.news.clear();
        let taken = self.h2.take(0, bytes, &mut self.news)?;
        assert_eq!(
            taken,
            Taken {
                len: bytes.len(),
                need: 9
            }
        );
        Ok(self.news.answered.iter().map(|one| one.intended).collect())
    }

    /// What is said of wrong bytes.
    fn breach(mut self, bytes: &[u8]) -> (BreachKind, String) {
        let breach = self.take(bytes).expect_err("a breach");
        (breach.kind, breach.why)
    }
}

#[test]
fn a_connection_begins_with_preface_settings_and_a_large_window() {
    let mut talk = made("GET", b"", Expectation::bytes(None), Manner::Http);
    assert_eq!(talk.h2.room(0), 0, "before the server's settings");
    let expected = [
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        hex("00000c 04 00 00000000 0002 00000000 0004 3fffffff"),
        hex("000004 08 00 00000000 3fff0000"),
    ];
    assert_eq!(talk.owed(), expected.concat());
    talk.take(&settings(&[(3, 5)])).unwrap();
    assert_eq!(talk.owed(), hex("000000 04 01 00000000"));
    assert_eq!((talk.h2.room(0), talk.news.allowed), (5, Some(5)));
    assert!(talk.owed().is_empty());
}

#[test]
fn answers_come_in_any_order_and_in_any_pieces() {
    let mut talk = Talk::new().ask(3);
    assert_eq!(talk.take(&[right(5), right(1)].concat()).unwrap(), [2, 0]);
    assert_eq!(talk.take(&right(3)).unwrap(), [1]);
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut rng = fastrand::Rng::with_seed(seed);
    for _ in 0..200 {
        let mut talk = Talk::new().ask(4);
        let all = [right(7), frame(PING, 0, 0, &[1; 8]), right(1), right(3), right(5)].concat();
        let (mut begin, mut answered, mut need) = (0, Vec::new(), 0);
        for end in (1..=all.len())
            .filter(|end| *end == all.len() || rng.u8(..9) == 0)
            .collect::<Vec<_>>()
        {
            if end - begin < need {
                continue;
            }
            talk.news.clear();
            let taken = talk.h2.take(0, &all[begin..end], &mut talk.news).unwrap();
            assert!(taken.need > end - begin - taken.len);
            (begin, need) = (begin + taken.len, taken.need);
            answered.extend(talk.news.answered.iter().map(|one| one.intended));
        }
        assert_eq!((begin, answered), (all.len(), vec![3, 0, 1, 2]));
        assert_eq!(talk.owed(), frame(PING, ACK, 0, &[1; 8]));
    }
}

/// Padding, a priority, CONTINUATION, an interim head, an empty DATA at the end, trailers: all is right.
#[test]
fn unusual_answers_are_right() {
    let head = [OK, &length("5")].concat();
    let end = frame(DATA, END_STREAM, 1, BODY);
    let mut padded = vec![3];
    padded.extend([BODY, &[0; 3]].concat());
    let answers = [
        [
            frame(HEADERS, END_HEADERS, 1, OK),
            frame(DATA, 0, 1, BODY),
            frame(DATA, END_STREAM, 1, b""),
        ]
        .concat(),
        [
            frame(HEADERS, END_HEADERS, 1, &head),
            frame(DATA, END_STREAM | PADDED, 1, &padded),
        ]
        .concat(),
        [
            frame(
                HEADERS,
                END_HEADERS | WITH_PRIORITY | PADDED,
                1,
                &[&[1, 0, 0, 0, 0, 9], OK, &[0]].concat(),
            ),
            end.clone(),
        ]
        .concat(),
        [
            frame(HEADERS, 0, 1, &head[..2]),
            frame(CONTINUATION, 0, 1, b""),
            frame(CONTINUATION, END_HEADERS, 1, &head[2..]),
            end.clone(),
        ]
        .concat(),
        // 103, by a literal.
        [
            frame(HEADERS, END_HEADERS, 1, b"\x08\x03103"),
            frame(HEADERS, END_HEADERS, 1, OK),
            end.clone(),
        ]
        .concat(),
        [
            frame(HEADERS, END_HEADERS, 1, &head),
            frame(DATA, 0, 1, &BODY[..2]),
            frame(DATA, 0, 1, &BODY[2..]),
            frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\x00\x01x\x01y"),
        ]
        .concat(),
        [
            frame(PRIORITY, 0, 9, &[0; 5]),
            frame(77, 5, 3, b"?"),
            frame(HEADERS, END_HEADERS, 1, OK),
            end,
        ]
        .concat(),
    ];
    for answer in answers {
        let mut talk = Talk::new().ask(1);
        assert_eq!(talk.take(&answer).unwrap(), [0], "{}", answer.escape_ascii());
        let whole = Answered {
            intended: 0,
            whole: true,
        };
        assert_eq!(talk.news.answered, [whole]);
        // The server may still say that it does not need the request's body.
        assert!(talk.take(&frame(RST_STREAM, 0, 1, &[0; 4])).unwrap().is_empty());
    }
}

#[test]
fn an_answer_to_head_has_no_body_whatever_it_announces() {
    let talk = made("HEAD", b"", Expectation::bytes(None), Manner::Http);
    assert!(
        talk.greeted(&[])
            .ask(1)
            .breach(&right(1))
            .1
            .contains("a body\n  expected none")
    );
    let mut talk = made("HEAD", b"", Expectation::bytes(None), Manner::Http)
        .greeted(&[])
        .ask(1);
    let head = [OK, &length("5")].concat();
    assert_eq!(
        talk.take(&frame(HEADERS, END_HEADERS | END_STREAM, 1, &head))
            .unwrap(),
        [0]
    );
}

/// nginx adds to its table with every answer, and what it adds must be there when a block refers to it at last.
#[test]
fn additions_that_nobody_needs_are_made_when_they_are_needed() {
    let mut talk = Talk::new();
    // `content-length: 5` and `x-n: N`, both added.
    let block = |n: usize| {
        let digits = format!("{n:04}");
        [OK, b"\x5c\x015", b"\x40\x03x-n\x04", digits.as_bytes()].concat()
    };
    let answer = |stream: u32, block: &[u8]| {
        [
            frame(HEADERS, END_HEADERS, stream, block),
            frame(DATA, END_STREAM, stream, BODY),
        ]
        .concat()
    };
    let mut stream = 1;
    for (times, n) in [(1, 0), (3, 1), (500, 2), (2, 1), (1, 7)] {
        for _ in 0..times {
            talk.sends(1);
            assert_eq!(talk.take(&answer(stream, &block(n))).unwrap().len(), 1);
            stream += 2;
        }
    }
    // Entry 62 is the newest, `x-n: 0007`, and 63 `content-length: 5`.
    talk.h2.keep_answers();
    talk.sends(1);
    let refers = [OK, b"\xbf\xbe\xc0\xc1"].concat();
    assert_eq!(talk.take(&answer(stream, &refers)).unwrap().len(), 1);
    let text = talk.h2.kept().unwrap().text();
    let expected = ":status: 200\ncontent-length: 5\nx-n: 0007\nx-n: 0001\ncontent-length: 5\n\nhello";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

#[test]
fn a_block_means_what_the_table_says_at_that_moment() {
    let mut talk = Talk::new();
    let add = |length: &str| [OK, b"\x5c\x01", length.as_bytes()].concat();
    let refer = [OK, b"\xbe"].concat();
    let answer = |stream: u32, block: &[u8]| {
        [
            frame(HEADERS, END_HEADERS, stream, block),
            frame(DATA, END_STREAM, stream, BODY),
        ]
        .concat()
    };
    for (stream, block) in [
        (1, &add("5")),
        (3, &refer),
        (5, &refer),
        (7, &add("5")),
        (9, &refer),
    ] {
        talk.sends(1);
        assert_eq!(talk.take(&answer(stream, block)).unwrap().len(), 1, "{stream}");
    }
    talk.sends(2);
    // The same bytes as before, after another addition.
    let wrong = [answer(11, &add("5")), answer(13, &refer)].concat();
    assert_eq!(talk.take(&wrong).unwrap().len(), 2);
    talk.sends(2);
    let mut other = frame(HEADERS, END_HEADERS, 15, &add("4"));
    other.extend(frame(HEADERS, END_HEADERS, 17, &refer));
    other.extend(frame(DATA, END_STREAM, 17, BODY));
    let breach = talk.take(&other).unwrap_err();
    assert!(
        breach
            .why
            .contains("more DATA than its content-length\n  expected 4 bytes"),
        "{}",
        breach.why
    );
}

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

#[test]
fn what_answers_is_no_flood() {
    let mut talk = Talk::new();
    for n in 0..3000 {
        talk.sends(1);
        assert!(talk.take(&frame(PING, 0, 0, &[0; 8])).unwrap().is_empty());
        assert_eq!(talk.take(&right(2 * n + 1)).unwrap().len(), 1);
        assert_eq!(talk.owed().len(), 17);
    }
}

#[test]
fn windows_are_refilled_and_their_overruns_seen() {
    let mut talk = made("GET", b"", Expectation::bytes(Some(&[7; 90_000])), Manner::Http);
    talk.h2.shared.window = 40_000;
    talk.h2.begin(0);
    let mut talk = talk.greeted(&[]).ask(1);
    talk.owed();
    let piece = frame(DATA, 0, 1, &[7; 10_000]);
    talk.take(&[frame(HEADERS, END_HEADERS, 1, OK), piece.clone(), piece.clone()].concat())
        .unwrap();
    assert!(talk.owed().is_empty());
    talk.take(&piece).unwrap();
    assert_eq!(talk.owed(), frame(WINDOW_UPDATE, 0, 0, &30_000_u32.to_be_bytes()));
    // A server that sends without a window: here it was refilled at every half, so only one frame can be too much.
    talk.h2.shared.window = 9_999;
    let (_, found) = talk.breach(&piece);
    assert!(
        found.contains("more DATA than the connection's window of 9999 bytes"),
        "{found}"
    );
}

#[test]
fn bodies_are_sent_as_windows_allow() {
    let body: Vec<u8> = (0..100_000).map(|n| n as u8).collect();
    let mut talk = made("POST", &body, Expectation::bytes(Some(BODY)), Manner::Http).greeted(&[(4, 30_000)]);
    talk.owed();
    let mut sent = talk.sends(2);
    let mut bodies = [Vec::new(), Vec::new()];
    let mut ended = 0;
    for turn in 0.. {
        while !sent.is_empty() {
            let frame = frame::Frame::read(sent.first_chunk().unwrap());
            let payload: Vec<u8> = sent.drain(..9 + frame.len).skip(9).collect();
            assert!(payload.len() <= 16_384);
            match frame.kind {
                DATA => bodies[frame.stream as usize / 2].extend(payload),
                HEADERS => assert!(!frame.has(END_STREAM)),
                _ => panic!("{frame:?}"),
            }
            ended += u32::from(frame.kind == DATA && frame.has(END_STREAM));
        }
        if turn == 0 {
            assert_eq!((bodies[0].len(), bodies[1].len()), (30_000, 30_000), "of 65,535");
        }
        if ended == 2 {
            break;
        }
        for id in [0, 1, 3] {
            talk.take(&frame(WINDOW_UPDATE, 0, id, &7_000_u32.to_be_bytes()))
                .unwrap();
        }
        sent = talk.owed();
    }
    assert!(bodies.iter().all(|sent| *sent == body));
    assert_eq!(talk.take(&[right(3), right(1)].concat()).unwrap(), [1, 0]);
}

#[test]
fn a_body_that_nobody_waits_for_is_cancelled() {
    let mut talk = made("POST", &[1; 70_000], Expectation::bytes(Some(BODY)), Manner::Http)
        .greeted(&[])
        .ask(1);
    talk.owed();
    assert_eq!(talk.take(&right(1)).unwrap(), [0]);
    assert_eq!(talk.owed(), frame(RST_STREAM, 0, 1, &[0, 0, 0, 8]));
}

#[test]
fn goaway_takes_back_what_was_not_processed() {
    let mut talk = Talk::new().ask(4);
    talk.take(&right(3)).unwrap();
    talk.take(&frame(GOAWAY, 0, 0, &[0, 0, 0, 3, 0, 0, 0, 0]))
        .unwrap();
    assert_eq!(
        (talk.news.taken_back.clone(), talk.news.ending),
        (vec![3, 2], true)
    );
    assert_eq!(talk.h2.room(0), 0);
    assert_eq!(talk.take(&right(1)).unwrap(), [0]);
    let angry = frame(GOAWAY, 0, 0, &[0, 0, 0, 1, 0, 0, 0, 11, b'n', b'o']);
    let (kind, why) = Talk::new().ask(1).breach(&angry);
    assert_eq!(kind, BreachKind::Ended);
    assert!(why.contains("GOAWAY ENHANCE_YOUR_CALM, saying \"no\""), "{why}");
}

#[test]
fn a_reset_is_a_fault_unless_the_server_has_just_allowed_less() {
    let (kind, why) = Talk::new().ask(1).breach(&frame(RST_STREAM, 0, 1, &[0, 0, 0, 2]));
    assert_eq!(kind, BreachKind::Ended);
    assert!(
        why.contains("reset stream 1 (INTERNAL_ERROR), of whose answer it had sent nothing"),
        "{why}"
    );
    let refused = frame(RST_STREAM, 0, 3, &[0, 0, 0, 7]);
    assert!(Talk::new().ask(2).breach(&refused).1.contains("REFUSED_STREAM"));
    let mut talk = Talk::new().ask(2);
    talk.take(&[settings(&[(3, 1)]), refused].concat()).unwrap();
    assert_eq!((talk.news.taken_back.clone(), talk.news.ending), (vec![1], false));
    assert_eq!(
        (talk.h2.room(0), talk.news.allowed),
        (0, Some(1)),
        "one is outstanding"
    );
}

/// RFC 7541 §4.2: a smaller table has to be acknowledged in the next block.
#[test]
fn a_smaller_table_is_acknowledged_once() {
    let mut talk = made("GET", b"", Expectation::bytes(Some(BODY)), Manner::Http).greeted(&[(1, 0)]);
    assert_eq!(
        talk.sends(2),
        hex("000003 01 05 00000001 208284 000002 01 05 00000003 8284")
    );
}

#[test]
fn what_waits_for_longest_is_known() {
    let mut talk = Talk::new().ask(3);
    talk.take(&right(1)).unwrap();
    talk.take(&[frame(HEADERS, END_HEADERS, 3, OK), frame(DATA, 0, 3, b"he")].concat())
        .unwrap();
    assert_eq!(talk.h2.oldest(0), Some(1));
    assert_eq!(
        talk.h2.waiting(0),
        "on stream 3, of whose answer it had sent a head and 2 bytes of the body"
    );
    assert!(talk.h2.take_back(0).is_none(), "a part of an answer has come");
    let mut idle = Talk::new().ask(2);
    assert_eq!(idle.h2.take_back(0), Some(vec![1, 0]));
    assert_eq!(idle.h2.room(0), 8);
}

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
