//! What a connection begins with, and right answers in every form that they may have.

// A table of cases is one function, however long it is.
#![allow(clippy::too_many_lines)]

use super::super::Manner;
use super::super::frame::{
    ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, HEADERS, PADDED, PING, PRIORITY, RST_STREAM,
    WITH_PRIORITY,
};
use super::super::hpack::tests::hex;
use super::talk::{BODY, OK, Talk, frame, length, made, right, settings};
use crate::check::Expectation;
use crate::wire::dialog::{Answered, Dialog};

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
