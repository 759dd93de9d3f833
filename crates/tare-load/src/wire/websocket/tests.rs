//! Answers of WebSocket servers, right and wrong, as bytes.

// A table of cases is one function, however long it is.
#![allow(clippy::too_many_lines)]

use super::*;

fn text(text: &str) -> Message {
    Message::Text(text.to_owned())
}

/// One connection, after its handshake.
struct Talk {
    socket: WebSocket,
    news: News,
}

/// A frame of a server.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    push(&mut out, first & 0x0f, payload, None);
    out[0] = first;
    out
}

fn right() -> Vec<u8> {
    frame(0x81, b"pong")
}

impl Talk {
    fn new(expect: Option<Message>) -> Self {
        let mut rng = fastrand::Rng::with_seed(1);
        let handshake = Handshake::new("GET / HTTP/1.1\r\n", &mut rng);
        let mut socket = WebSocket::new(handshake, &text("ping"), expect, &mut rng);
        socket.resize(1, 8);
        socket.begin(0);
        assert_eq!(socket.room(0), 0);
        socket.connections[0].greeted = true;
        socket.connections[0].owed.clear();
        Self {
            socket,
            news: News::default(),
        }
    }

    fn ask(mut self, n: u64) -> (Self, Vec<u8>) {
        let mut out = Vec::new();
        for sent in 0..n {
            self.socket.send(0, Times { intended: sent, sent }, &mut out);
        }
        (self, out)
    }

    fn asked(n: u64) -> Self {
        Self::new(Some(text("pong"))).ask(n).0
    }

    fn take(&mut self, bytes: &[u8]) -> Result<Vec<u64>, Breach> {
        self.news.clear();
        let taken = self.socket.take(0, bytes, &mut self.news)?;
        assert_eq!(taken.len, bytes.len());
        Ok(self.news.answered.iter().map(|one| one.intended).collect())
    }

    fn owed(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        self.socket.owed(0, &mut out);
        out
    }
}

/// A client's frame without its mask.
fn unmasked(bytes: &[u8]) -> (u8, Vec<u8>) {
    assert!(bytes[1] & 0x80 != 0 && bytes.len() == 6 + usize::from(bytes[1] & 0x7f));
    let payload = bytes[6..].iter().zip(bytes[2..6].iter().cycle());
    (bytes[0], payload.map(|(byte, key)| byte ^ key).collect())
}

#[test]
fn requests_are_masked_with_different_keys() {
    let (_, sent) = Talk::new(None).ask(3);
    let frames: Vec<&[u8]> = sent.chunks(10).collect();
    assert!(
        frames
            .iter()
            .all(|frame| unmasked(frame) == (0x81, b"ping".to_vec()))
    );
    assert!(frames[0] != frames[1] && frames[1] != frames[2]);
}

#[test]
fn lengths_are_written_in_three_ways() {
    for (len, header) in [(125, 2), (126, 4), (65_535, 4), (65_536, 10)] {
        let bytes = frame(0x82, &vec![7; len]);
        let read = Frame::read(&bytes).unwrap().unwrap();
        assert_eq!(
            (read.header, read.len as usize, bytes.len()),
            (header, len, header + len)
        );
        for cut in 0..header {
            assert!(Frame::read(&bytes[..cut]).unwrap().unwrap_err() > cut);
        }
    }
}

#[test]
fn answers_come_in_order_in_fragments_and_between_pings() {
    let mut talk = Talk::asked(4);
    let fragments = [
        frame(0x01, b"po"),
        frame(0x89, b"alive?"),
        frame(0x00, b""),
        frame(0x80, b"ng"),
    ]
    .concat();
    let all = [right(), fragments, frame(0x8a, b""), right(), right()].concat();
    assert_eq!(talk.take(&all).unwrap(), [0, 1, 2, 3]);
    assert_eq!(unmasked(&talk.owed()), (0x8a, b"alive?".to_vec()));
    assert_eq!(talk.socket.room(0), 8);
    for cut in 1..all.len() {
        let mut talk = Talk::asked(4);
        let taken = talk.socket.take(0, &all[..cut], &mut talk.news).unwrap();
        assert!(taken.need > cut - taken.len, "{cut}");
        let rest = talk.socket.take(0, &all[taken.len..], &mut talk.news).unwrap();
        assert_eq!(
            (taken.len + rest.len, talk.news.answered.len()),
            (all.len(), 4),
            "{cut}"
        );
    }
}

#[test]
fn the_first_answer_decides_what_the_others_must_be() {
    let mut talk = Talk::new(None).ask(3).0;
    assert_eq!(
        talk.take(&[frame(0x02, b"a"), frame(0x80, b"b"), frame(0x82, b"ab")].concat())
            .unwrap(),
        [0, 1]
    );
    let breach = talk.take(&frame(0x82, b"ac")).unwrap_err();
    assert!(
        breach.why.contains("first difference at byte 1"),
        "{}",
        breach.why
    );
    let breach = Talk::new(None).ask(1).0.take(&frame(0x81, b"\xff")).unwrap_err();
    assert!(breach.why.contains("which is not UTF-8"), "{}", breach.why);
}

#[test]
fn wrong_answers_are_named_with_their_bytes() {
    let answer = || BreachKind::Answer("the oldest".to_owned());
    let cases: Vec<(BreachKind, Vec<u8>, &str)> = vec![
        (
            answer(),
            frame(0x81, b"ping"),
            "expected \"pong\"\n  got      \"ping\"",
        ),
        (
            answer(),
            frame(0x81, b"pon"),
            "expected \"pong\"\n  got      \"pon\"",
        ),
        (answer(), frame(0x81, b""), "got      nothing"),
        (answer(), frame(0x81, b"pong!"), "got      \"pong!\""),
        (
            answer(),
            frame(0x82, b"pong"),
            "expected a text message\n  got      a binary one",
        ),
        (
            answer(),
            [frame(0x01, b"pong"), frame(0x80, b"x")].concat(),
            "got      \"pongx\"",
        ),
        (
            BreachKind::Unasked,
            [right(), right()].concat(),
            "no request outstanding\n  got      \"\\x81\\x04pong",
        ),
        (
            BreachKind::Protocol,
            b"\x81\x84abcdpong".to_vec(),
            "a masked frame",
        ),
        (BreachKind::Protocol, frame(0xc1, b"pong"), "reserved bits"),
        (BreachKind::Protocol, frame(0x83, b""), "an unknown kind"),
        (
            BreachKind::Protocol,
            frame(0x80, b"pong"),
            "a continuation without a beginning",
        ),
        (
            BreachKind::Protocol,
            [frame(0x01, b"po"), right()].concat(),
            "a new message within another",
        ),
        (
            BreachKind::Protocol,
            frame(0x09, b""),
            "a control frame in fragments",
        ),
        (
            BreachKind::Protocol,
            frame(0x89, &[0; 126]),
            "a control frame of more than 125 bytes",
        ),
        (
            BreachKind::Protocol,
            b"\x81\x7e\0\x04pong".to_vec(),
            "not written in the shortest way",
        ),
        (
            BreachKind::Protocol,
            b"\x81\x7f\xff\xff\xff\xff\xff\xff\xff\xff".to_vec(),
            "more than 256 MiB",
        ),
        (
            BreachKind::Protocol,
            frame(0x89, b"").repeat(1001),
            "a flood of pings",
        ),
        (
            BreachKind::Protocol,
            [frame(1, b""), frame(0, b"").repeat(1001)].concat(),
            "a flood of empty fragments",
        ),
        (
            BreachKind::Ended,
            frame(0x88, b"\x03\xf3oh"),
            "closed the WebSocket with status 1011 and \"oh\"",
        ),
    ];
    for (kind, bytes, why) in cases {
        let breach = Talk::asked(1).take(&bytes).unwrap_err();
        assert_eq!(breach.kind, kind, "{}", breach.why);
        assert!(breach.why.contains(why), "{why}: {}", breach.why);
    }
}

#[test]
fn an_idle_connection_may_be_closed() {
    let mut talk = Talk::asked(1);
    talk.take(&[right(), frame(0x88, b"")].concat()).unwrap();
    assert!(talk.news.ending);
    assert_eq!(talk.socket.room(0), 0);
}

#[test]
fn what_is_outstanding_can_be_taken_back_until_an_answer_begins() {
    let mut talk = Talk::asked(3);
    talk.take(&right()).unwrap();
    assert_eq!(talk.socket.oldest(0), Some(1));
    assert_eq!(talk.socket.take_back(0), Some(vec![2, 1]));
    let mut talk = Talk::asked(1);
    talk.take(&frame(0x01, b"po")).unwrap();
    assert_eq!(talk.socket.waiting(0), "of whose answer it had sent 2 bytes");
    assert_eq!(talk.socket.take_back(0), None);
}
