//! Header blocks, which are remembered by their bytes and by the table that they refer to.

use super::super::frame::{DATA, END_HEADERS, END_STREAM, HEADERS};
use super::talk::{BODY, OK, Talk, frame};
use crate::wire::dialog::Dialog;

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
