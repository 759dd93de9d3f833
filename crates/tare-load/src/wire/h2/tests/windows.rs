//! Windows both ways, bodies that are sent, and streams and connections that end early.

use super::super::Manner;
use super::super::frame::{
    self, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, PING, RST_STREAM, WINDOW_UPDATE,
};
use super::super::hpack::tests::hex;
use super::talk::{BODY, OK, Talk, frame, made, right, settings};
use crate::check::Expectation;
use crate::wire::dialog::{BreachKind, Dialog};

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
