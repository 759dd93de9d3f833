//! Thousands of right answers, mangled. The full parse of the whole answer is the oracle; a judge that has learned a template,
//! and one that gets the bytes in pieces, must come to the same result.
//!
//! `TARE_FUZZ=N` sets the number of rounds (5,000); for the rest see fuzz/harness.rs.

use serde_json::Value;

use super::*;
use crate::check::{Content, row, table};
use crate::wire::Lines;
use crate::wire::fuzz::harness::{self, rng};
use crate::wire::fuzz::{end, in_pieces, rounds};

/// Words that parsers trip over.
const WORDS: [&str; 24] = [
    "\r\n",
    "\n",
    "\r",
    "\r\n\r\n",
    "0\r\n\r\n",
    ":",
    ",",
    ";",
    " ",
    "0",
    "1",
    "9",
    "a",
    "HTTP/1.1 100 Continue\r\n\r\n",
    "Content-Length: 5\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Connection: close\r\n",
    "ffffffff",
    "99999999999",
    "\u{0}",
    "\u{7f}",
    "\u{ff}",
    "\t",
    "\r\n ",
];

/// Mangles bytes, and leaves at least one: no judge gets none.
fn mangle(rng: &mut fastrand::Rng, bytes: &mut Vec<u8>) {
    harness::mangle(rng, bytes, &WORDS);
    if bytes.is_empty() {
        bytes.push(b'H');
    }
}

/// Whether the full parse finds a right answer with this body.
fn oracle(bytes: &[u8], closed: bool, is_right: &dyn Fn(&[u8]) -> bool) -> Option<(usize, bool)> {
    let answer = parse(bytes, false, closed).ok()?;
    let right = (200..300).contains(&answer.head.status) && is_right(&answer.content(bytes));
    right.then_some((answer.len, is_last(&answer, bytes)))
}

/// Mangles the answers, and compares all judges.
fn agree(
    rounds: usize,
    answers: &[String],
    expected: impl Fn() -> Expectation,
    is_right: &dyn Fn(&[u8]) -> bool,
) {
    let mut rng = rng();
    // The rows here are a few fixed ones, which are not random.
    let make = || {
        let checker = Checker::new(Arc::new(expected())).without_draws();
        Http1 {
            lanes: vec![Lane::new("GET", checker)],
        }
    };
    let mut learned = make();
    let mut rights = 0;
    for round in 0..rounds {
        let text = &answers[rng.usize(..answers.len())];
        // So that the mangled answer is near to what was learned.
        let taught = end(&judge(&mut learned, text.as_bytes(), true));
        assert!(taught.is_some(), "{text:?}");
        let mut bytes = text.clone().into_bytes();
        if round % 4 != 0 {
            mangle(&mut rng, &mut bytes);
        }
        let closed = rng.bool();
        let expected = oracle(&bytes, closed, is_right);
        rights += usize::from(expected.is_some());
        let shown = || bytes.escape_ascii().to_string();
        let fresh = end(&judge(&mut make(), &bytes, closed));
        assert_eq!(fresh, expected, "a fresh judge of {}", shown());
        let with_template = end(&judge(&mut learned, &bytes, closed));
        assert_eq!(with_template, expected, "a judge with a template of {}", shown());
        let pieces = in_pieces(&mut learned, b"", &bytes, closed, &mut rng);
        assert_eq!(pieces, expected, "pieces of {}", shown());
    }
    assert!(
        rights > rounds / 8,
        "{rights} right answers are too few to prove anything"
    );
}

#[test]
fn all_ways_of_judging_fixed_bodies_agree() {
    let long = "0123456789abcdef".repeat(3000);
    for body in ["hello", "", &long] {
        let mut answers = vec![
            plain(body),
            dated("Sat, 21 Nov 2026 20:00:00 GMT", "aaaa", body),
            dated("Sat, 21 Nov 2026 20:00:01 GMT", "bbbb", body),
            format!("HTTP/1.1 100 Continue\r\n\r\n{}", plain(body)),
            plain(body).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"),
            format!("HTTP/1.0 200 OK\r\n\r\n{body}"),
        ];
        for size in [1.max(body.len() / 3), 100_000] {
            let chunk =
                |chunk: &[u8]| format!("{:x}\r\n{}\r\n", chunk.len(), std::str::from_utf8(chunk).unwrap());
            let chunks: String = body.as_bytes().chunks(size).map(chunk).collect();
            answers.push(format!(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}0\r\n\r\n"
            ));
        }
        let bytes = body.as_bytes();
        agree(
            rounds() / (1 + body.len() / 2000),
            &answers,
            || Expectation::bytes(Some(bytes)),
            &|content| content == bytes,
        );
    }
}

#[test]
fn all_ways_of_judging_rows_agree() {
    let row = |id: u64| plain(&row::written(id));
    let answers: Vec<String> = [1, 9, 10, 77, 999, 1000, 9999, 10_000]
        .into_iter()
        .flat_map(|id| [row(id), row(id).replace("\r\n\r\n", "\r\nDate: x\r\n\r\n")])
        .collect();
    let wanted = || Expectation {
        content: Content::World(10_000),
        ..Expectation::default()
    };
    let is_right = |content: &[u8]| row::check(content, 10_000).is_ok();
    agree(rounds(), &answers, wanted, &is_right);
}

#[test]
fn all_ways_of_judging_json_and_tables_agree() {
    let value = serde_json::json!({"message": "Hello, World!"});
    let answers = [
        plain("{\"message\":\"Hello, World!\"}"),
        plain(" { \"message\" : \"Hello, World!\" } "),
    ];
    let wanted = || Expectation {
        content: Content::Json(serde_json::json!({"message": "Hello, World!"})),
        ..Expectation::default()
    };
    agree(rounds(), &answers, wanted, &|content| {
        serde_json::from_slice::<Value>(content).is_ok_and(|found| found == value)
    });
    let page = format!("<table>{}</table>", "<tr><td>1</td><td>2</td></tr>".repeat(700));
    let answers = [plain(&page), plain(&page.replace("<tr>", "<tr>\n"))];
    let wanted = || Expectation {
        content: Content::Table {
            columns: 2,
            rows: 700,
        },
        ..Expectation::default()
    };
    agree(rounds() / 10, &answers, wanted, &|content| {
        table(content, 2, 700).is_ok()
    });
}

/// A line is right when it is whole and the expected one, whatever the pieces.
#[test]
fn lines_agree_in_pieces() {
    let mut rng = rng();
    for _ in 0..rounds() {
        let expected = ["14\n", "not an integer\n", "\n"][rng.usize(..3)].as_bytes();
        let mut bytes = expected.to_vec();
        mangle(&mut rng, &mut bytes);
        let whole = end(&Lines.judge(&bytes, expected, &mut Progress::Start, false));
        assert_eq!(
            whole,
            bytes.starts_with(expected).then_some((expected.len(), false))
        );
        assert_eq!(in_pieces(&mut Lines, expected, &bytes, false, &mut rng), whole);
    }
}
