//! Records right and wrong, whole and in pieces.
//!
//! `TARE_FUZZ=N` sets the number of rounds (5,000), `TARE_FUZZ_SEED` repeats a run.

use super::*;
use crate::wire::fuzz::harness::rng;
use crate::wire::fuzz::{end, in_pieces, rounds};

const PAGE: &str = "Content-Type: text/html\r\n\r\n<p>hello";
const ID: [u8; 2] = [0, 3];

fn record(kind: u8, content: &[u8], padding: u8) -> Vec<u8> {
    let [long, short] = (content.len() as u16).to_be_bytes();
    let mut bytes = vec![1, kind, ID[0], ID[1], long, short, padding, 0];
    bytes.extend_from_slice(content);
    bytes.extend(std::iter::repeat_n(0xaa, usize::from(padding)));
    bytes
}

fn ended(application: u8, protocol: u8) -> Vec<u8> {
    record(3, &[0, 0, 0, application, protocol, 0, 0, 0], 0)
}

/// A page in records of `size` bytes.
fn answer(page: &str, size: usize, padding: u8) -> Vec<u8> {
    let chunks = page
        .as_bytes()
        .chunks(size)
        .flat_map(|chunk| record(6, chunk, padding));
    let mut bytes: Vec<u8> = chunks.collect();
    bytes.extend(record(6, &[], padding));
    bytes.extend(ended(0, 0));
    bytes
}

fn judge_of(body: &str) -> FastCgi {
    FastCgi::new(
        Arc::new(Expectation::bytes(Some(body.as_bytes()))),
        Peer::Responder,
    )
}

fn judge(wire: &mut FastCgi, bytes: &[u8]) -> Judged {
    wire.judge(bytes, &ID, &mut Progress::Start, false)
}

#[test]
fn right_answers_are_right_however_they_are_cut_into_records() {
    let mut learned = judge_of("<p>hello");
    for size in [1, 3, 27, 28, 1000] {
        for padding in [0, 7] {
            let mut bytes = answer(PAGE, size, padding);
            let right = Some((bytes.len(), false));
            assert_eq!(end(&judge(&mut judge_of("<p>hello"), &bytes)), right);
            assert_eq!(end(&judge(&mut learned, &bytes)), right);
            bytes.extend(answer(PAGE, 9, 0));
            assert_eq!(
                end(&judge(&mut learned, &bytes)),
                right,
                "what follows is another's"
            );
        }
    }
    let talks = [record(7, b"warning", 1), answer(PAGE, 50, 0)].concat();
    assert!(end(&judge(&mut learned, &talks)).is_some());
    let unended = [record(6, PAGE.as_bytes(), 0), ended(0, 0)].concat();
    assert!(
        end(&judge(&mut learned, &unended)).is_some(),
        "END_REQUEST ends the output, too"
    );
}

#[test]
fn every_beginning_of_an_answer_waits_for_its_end() {
    let bytes = answer(PAGE, 10, 3);
    for cut in 1..bytes.len() {
        let mut progress = Progress::Start;
        let mut wire = judge_of("<p>hello");
        let Judged::Partial { taken, need, .. } = wire.judge(&bytes[..cut], &ID, &mut progress, false) else {
            panic!("cut at {cut}")
        };
        assert!(
            need > 0 && taken <= cut && taken + need <= bytes.len(),
            "cut at {cut}"
        );
        let rest = wire.judge(&bytes[taken..], &ID, &mut progress, false);
        assert_eq!(end(&rest), Some((bytes.len() - taken, false)), "cut at {cut}");
        assert!(progress.is_start());
        let mut closed = judge_of("<p>hello");
        let judged = closed.judge(&bytes[..cut], &ID, &mut Progress::Start, true);
        assert!(
            matches!(judged, Judged::Partial { .. }),
            "the close makes it no answer"
        );
    }
}

#[test]
fn what_a_responder_must_not_send_is_named() {
    let out = |page: &str| record(6, page.as_bytes(), 0);
    let with = |at: usize, byte: u8| {
        let mut bytes = answer(PAGE, 100, 0);
        bytes[at] = byte;
        bytes
    };
    let cases: [(Vec<u8>, &str); 14] = [
        (with(0, 2), "a record of version 2, not 1"),
        (with(1, 1), "a record of type 1, not STDOUT (6)"),
        (with(1, 10), "a record of type 10"),
        (with(3, 1), "a record of request 1, where only request 3 was open"),
        (with(2, 1), "a record of request 259"),
        (b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), "a record of version 72"),
        (
            [out(PAGE), record(3, b"", 0)].concat(),
            "an END_REQUEST with 0 bytes, not 8",
        ),
        ([out(PAGE), ended(0, 1)].concat(), "FCGI_CANT_MPX_CONN"),
        ([out(PAGE), ended(0, 2)].concat(), "FCGI_OVERLOADED"),
        ([out(PAGE), ended(0, 3)].concat(), "FCGI_UNKNOWN_ROLE"),
        ([out(PAGE), ended(0, 9)].concat(), "an unknown protocol status, 9"),
        (
            [out(PAGE), ended(5, 0)].concat(),
            "the application's status is 5, not 0",
        ),
        (
            [out(PAGE), record(6, b"", 0), out("more")].concat(),
            "a record of output after the output's end",
        ),
        (ended(0, 0), "ended before its header did"),
    ];
    for (bytes, says) in cases {
        let Judged::Wrong { why } = judge(&mut judge_of("<p>hello"), &bytes) else {
            panic!("{says}: {}", bytes.escape_ascii())
        };
        assert!(why.contains(says), "{why}");
    }
}

#[test]
fn what_it_says_to_its_standard_error_is_shown_beside_what_is_wrong() {
    let text = "x".repeat(5000);
    let bytes = [
        record(7, b"Segfault in line 7\n", 0),
        record(7, text.as_bytes(), 0),
        record(6, b"oops\n\n", 0),
    ]
    .concat();
    let Judged::Wrong { why } = judge(&mut judge_of(""), &bytes) else {
        panic!()
    };
    assert!(why.contains("a header line without a colon"), "{why}");
    assert!(
        why.contains("its standard error: \"Segfault in line 7\\nxx"),
        "{why}"
    );
    assert!(why.len() < 1000, "{why}");
}

#[test]
fn the_end_of_a_program_of_the_forker_is_shown() {
    let forker = || FastCgi::new(Arc::new(Expectation::bytes(Some(b"<p>hello"))), Peer::Forker);
    let ended = |status: u32| record(3, &[&status.to_be_bytes()[..], &[0; 4]].concat(), 0);
    let page = record(6, PAGE.as_bytes(), 0);
    let right = [page.clone(), ended(0)].concat();
    assert_eq!(end(&judge(&mut forker(), &right)), Some((right.len(), false)));
    // The status as in wait(2): the signal in the low seven bits, the exit status in the second byte.
    for (bytes, says) in [
        (
            [page.clone(), ended(11)].concat(),
            "signal 11 (SIGSEGV), after 35 bytes of output",
        ),
        (
            [record(6, b"Content-", 0), ended(9)].concat(),
            "signal 9 (SIGKILL), after 8 bytes",
        ),
        (
            [record(6, b"", 0), ended(3 << 8)].concat(),
            "exit status 3, after 0 bytes",
        ),
        (
            [record(6, b"", 0), ended(0)].concat(),
            "the output ended before its header did",
        ),
        (
            [page, record(7, b"it could not be started", 0), ended(1)].concat(),
            "it could not be started",
        ),
    ] {
        let judged = judge(&mut forker(), &bytes);
        let Judged::Wrong { why } = judged else {
            panic!("{says}: {judged:?}")
        };
        assert!(why.contains(says), "{why}");
        assert!(
            !why.contains("standard error") && !why.contains("FastCGI answer: the"),
            "{why}"
        );
    }
}

#[test]
fn the_body_of_a_whole_answer_is_found() {
    let page = "Content-Type: application/json\n\n{\"id\":1,\"randomNumber\":8272}";
    for size in [1, 1000] {
        let bytes = [record(7, b"noise", 2), answer(page, size, 5)].concat();
        let wire = judge_of("");
        let body = wire.body(&bytes, b"");
        assert_eq!(body.as_deref(), Some(&b"{\"id\":1,\"randomNumber\":8272}"[..]));
        assert_eq!(wire.body(&bytes[..bytes.len() - 20], b""), None);
    }
}

/// Mangles records, with headers that parsers trip over.
fn mangle(rng: &mut fastrand::Rng, bytes: &mut Vec<u8>) {
    for _ in 0..[1, 1, 1, 2, 3][rng.usize(..5)] {
        let at = rng.usize(..=bytes.len());
        let to = (at + rng.usize(..40)).min(bytes.len());
        match rng.u8(..7) {
            0 | 1 if at < bytes.len() => bytes[at] = [rng.u8(..), rng.u8(..12)][rng.usize(..2)],
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..to)),
            4 => {
                let again = bytes[at..to].to_vec();
                bytes.splice(at..at, again);
            }
            5 => {
                let content: Vec<u8> = (0..rng.usize(..9)).map(|_| rng.u8(..)).collect();
                let odd = record(rng.u8(..12), &content, rng.u8(..4));
                bytes.splice(at..at, odd);
            }
            _ => bytes.insert(at, rng.u8(..)),
        }
    }
    if bytes.is_empty() {
        bytes.push(1);
    }
}

/// The end of a right answer with this body, by a reader of whole answers that shares only the parser of heads with the judge.
fn oracle(bytes: &[u8], body: &[u8]) -> Option<(usize, bool)> {
    let (mut at, mut output, mut over) = (0, Vec::new(), false);
    loop {
        let header = bytes.get(at..at + 8)?;
        let length = usize::from(header[4]) << 8 | usize::from(header[5]);
        let content = bytes.get(at + 8..at + 8 + length)?;
        let next = at + 8 + length + usize::from(header[6]);
        if header[0] != 1 || header[2..4] != ID || next > bytes.len() {
            return None;
        }
        match header[1] {
            6 if over => return None,
            6 => {
                over = content.is_empty();
                output.extend_from_slice(content);
            }
            7 => {}
            3 if content.len() == 8 && content[..5] == [0; 5] => {
                let head = cgi::parse(&output)
                    .ok()
                    .filter(|head| (200..300).contains(&head.status))?;
                let told = head
                    .value(&output, "content-length")
                    .map(|text| String::from_utf8(text.to_vec()));
                let fits = told.is_none_or(|told| told.is_ok_and(|told| is_length(&told, body.len())));
                return (fits && output[head.end..] == *body).then_some((next, false));
            }
            _ => return None,
        }
        at = next;
    }
}

fn is_length(text: &str, length: usize) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse() == Ok(length)
}

/// Right answers, mangled: a fresh judge, one that has learned a head, and one that gets the bytes in pieces must come to the
/// same result as the oracle.
#[test]
fn all_ways_of_judging_records_agree() {
    let mut rng = rng();
    let body = "0123456789abcdef".repeat(64);
    let pages = [
        format!("Content-Type: text/plain\r\n\r\n{body}"),
        format!("Status: 200 OK\nContent-Type: text/plain\nContent-Length: 1024\n\n{body}"),
    ];
    let mut learned = judge_of(&body);
    let mut rights = 0;
    for round in 0..rounds() {
        let page = &pages[rng.usize(..2)];
        let mut bytes = answer(page, [40, 400, 4000][rng.usize(..3)], rng.u8(..9));
        assert!(end(&judge(&mut learned, &bytes)).is_some());
        if round % 4 != 0 {
            mangle(&mut rng, &mut bytes);
        }
        let expected = oracle(&bytes, body.as_bytes());
        rights += usize::from(expected.is_some());
        let shown = || bytes.escape_ascii().to_string();
        assert_eq!(
            end(&judge(&mut judge_of(&body), &bytes)),
            expected,
            "a fresh judge of {}",
            shown()
        );
        assert_eq!(
            end(&judge(&mut learned, &bytes)),
            expected,
            "one that has learned, of {}",
            shown()
        );
        let pieces = in_pieces(&mut learned, &ID, &bytes, false, &mut rng);
        assert_eq!(pieces, expected, "pieces of {}", shown());
    }
    assert!(
        rights > rounds() / 8,
        "{rights} right answers are too few to prove anything"
    );
}
