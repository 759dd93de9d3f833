// A table of cases is one function, however long it is.
#![allow(clippy::too_many_lines)]

mod fuzz;

use super::answer::Answer;
use super::body::Framing;
use super::*;
use crate::mangle::mangle;
use crate::wire::header::ParseError;

/// A judge of answers with this body, or that of the first answer.
fn judge_of(body: Option<&[u8]>) -> Http1 {
    Http1::new([("GET", Expectation::bytes(body))])
}

/// Judges bytes from the beginning of an answer.
fn judge(wire: &mut dyn Wire, bytes: &[u8], closed: bool) -> Judged {
    wire.judge(bytes, b"", &mut Progress::Start, closed)
}

/// An answer with a body by length.
fn plain(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

/// Whether the server closes the connection after an answer to a request that is not HEAD.
fn is_last(answer: &Answer, bytes: &[u8]) -> bool {
    is_by_close(answer, bytes) || answer.head.closes(bytes)
}

/// Whether only the close ended it.
fn is_by_close(answer: &Answer, bytes: &[u8]) -> bool {
    answer.head.framing(bytes, false) == Ok(Framing::ToClose)
}

fn body_of(answer: &Answer, bytes: &[u8]) -> String {
    String::from_utf8(answer.content(bytes)).unwrap()
}

/// Right answers: the bytes, the status, the body, and whether the connection ends with it.
fn right() -> Vec<(String, u16, &'static str, bool)> {
    let answer = |text: &str, status, body, last| (text.to_owned(), status, body, last);
    vec![
        answer(
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            200,
            "hello",
            false,
        ),
        answer(
            "HTTP/1.1 200 OK\r\ncONTENT-lENGTH:5\r\n\r\nhello",
            200,
            "hello",
            false,
        ),
        answer(
            "HTTP/1.1 200 OK\r\nContent-Length: \t 5 \t\r\n\r\nhello",
            200,
            "hello",
            false,
        ),
        answer(
            "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\nContent-Length: 5\r\n\r\nhello",
            200,
            "hello",
            false,
        ),
        answer("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", 200, "", false),
        answer("HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", 200, "", false),
        answer("HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", 200, "hi", false),
        answer(
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: Close\r\n\r\nhi",
            200,
            "hi",
            true,
        ),
        answer(
            "HTTP/1.1 200 OK\r\nConnection: x, close\r\nContent-Length: 2\r\n\r\nhi",
            200,
            "hi",
            true,
        ),
        answer("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", 200, "hi", true),
        answer(
            "HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: Keep-Alive\r\n\r\nhi",
            200,
            "hi",
            false,
        ),
        answer("HTTP/1.1 204 No Content\r\n\r\n", 204, "", false),
        answer(
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n",
            304,
            "",
            false,
        ),
        answer(
            "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno",
            404,
            "no",
            false,
        ),
        answer(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
            200,
            "x",
            false,
        ),
        answer(
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 P\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
            200,
            "x",
            false,
        ),
        answer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;a=\"b\"\r\n world\r\n0\r\n\r\n",
            200,
            "hello world",
            false,
        ),
        answer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: CHUNKED\r\n\r\n00A\r\n0123456789\r\n0\r\nX-Sum: 1\r\n\r\n",
            200,
            "0123456789",
            false,
        ),
        answer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            200,
            "",
            false,
        ),
    ]
}

#[test]
fn right_answers_are_found_at_every_cut_and_whatever_follows() {
    for (text, status, body, last) in right() {
        let bytes = text.as_bytes();
        for cut in 0..bytes.len() {
            match parse(&bytes[..cut], false, false) {
                Err(ParseError::Incomplete(need)) => {
                    assert!(need > cut && need <= bytes.len(), "{text:?} at {cut}: {need}")
                }
                other => panic!("{text:?} at {cut}: {other:?}"),
            }
        }
        for follows in ["", "H", "HTTP/1.1 500 X\r\n\r\n", "\r\n", "0"] {
            let longer = format!("{text}{follows}");
            let answer = parse(longer.as_bytes(), false, false).unwrap();
            let ends = is_last(&answer, bytes);
            let found = (answer.head.status, body_of(&answer, bytes), ends, answer.len);
            assert_eq!(
                found,
                (status, body.to_owned(), last, text.len()),
                "{text:?} + {follows:?}"
            );
        }
    }
}

#[test]
fn a_body_without_a_length_ends_with_the_connection() {
    let bytes = b"HTTP/1.1 200 OK\r\nX: y\r\n\r\nhello";
    assert_eq!(
        parse(bytes, false, false),
        Err(ParseError::Incomplete(bytes.len() + 1))
    );
    let answer = parse(bytes, false, true).unwrap();
    assert_eq!(
        (
            body_of(&answer, bytes).as_str(),
            is_last(&answer, bytes),
            is_by_close(&answer, bytes)
        ),
        ("hello", true, true)
    );
}

#[test]
fn a_head_request_has_no_body_whatever_its_length_says() {
    for fields in ["Content-Length: 5", "Transfer-Encoding: chunked", "X: y"] {
        let text = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
        let answer = parse(text.as_bytes(), true, false).unwrap();
        assert_eq!(
            (answer.len, answer.body.len(), answer.head.closes(text.as_bytes())),
            (text.len(), 0, false)
        );
    }
}

#[test]
fn bytes_that_are_no_answer_are_refused_with_a_reason() {
    let long_field = format!("HTTP/1.1 200 OK\r\nA: {}\r\n\r\n", "x".repeat(300_000));
    let many_fields = format!(
        "HTTP/1.1 200 OK\r\n{}\r\n",
        "A: xxxxxxxxxxxxxx\r\n".repeat(16_000)
    );
    let endless = "x".repeat(300_000);
    let interims = "HTTP/1.1 100 Continue\r\n\r\n".repeat(17);
    let chunked = |body: &str| format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{body}");
    let fields = |fields: &str| format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\nhello");
    let cases = [
        ("14\n".to_owned(), "no status line"),
        ("\r\nHTTP/1.1 200 OK\r\n\r\n".to_owned(), "no status line"),
        ("HTTP/2 200\r\n\r\n".to_owned(), "no status line"),
        ("HTTP/1.2 200 OK\r\n\r\n".to_owned(), "HTTP/1.0 or HTTP/1.1"),
        ("HTTP/1.1  200 OK\r\n\r\n".to_owned(), "three digits"),
        ("HTTP/1.1 20 OK\r\n\r\n".to_owned(), "three digits"),
        ("HTTP/1.1 2000 OK\r\n\r\n".to_owned(), "three digits"),
        ("HTTP/1.1 099 OK\r\n\r\n".to_owned(), "three digits"),
        ("HTTP/1.1 200 O\0K\r\n\r\n".to_owned(), "control character"),
        ("HTTP/1.1 101 Switching Protocols\r\n\r\n".to_owned(), "101"),
        (interims, "interim"),
        (long_field, "too long"),
        (many_fields, "too long"),
        (format!("HTTP/1.1 200 {endless}"), "too long"),
        (fields("no colon"), "colon"),
        (fields("Space : x"), "invalid header name"),
        (fields(": x"), "header name"),
        (fields("A: b\r\n folded: c"), "header name"),
        (fields("A: b\rc"), "control character"),
        (fields("A: b\0c"), "control character"),
        (fields("Content-Length: -1"), "not a number"),
        (fields("Content-Length: +5"), "not a number"),
        (fields("Content-Length: 5x"), "not a number"),
        (fields("Content-Length:"), "not a number"),
        (fields("Content-Length: 99999999999999999999999"), "not a number"),
        (fields("Content-Length: 999999999999"), "256 MiB"),
        (fields("Content-Length: 5\r\nContent-Length: 6"), "differ"),
        (fields("Content-Length: 5, 6"), "differ"),
        (fields("Content-Length: 5\r\nTransfer-Encoding: chunked"), "both"),
        (fields("Transfer-Encoding: gzip, chunked"), "other than `chunked`"),
        (
            fields("Transfer-Encoding: chunked, chunked"),
            "other than `chunked`",
        ),
        (
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".to_owned(),
            "HTTP/1.0",
        ),
        (chunked("x\r\n"), "chunk size"),
        (chunked("\r\n"), "chunk size"),
        (chunked("-1\r\n"), "chunk size"),
        (chunked("5 5\r\nhello\r\n"), "chunk size"),
        (chunked("fffffffff\r\n"), "chunk size"),
        (chunked("ffffffff\r\n"), "256 MiB"),
        (chunked("5\r\nhello!\r\n0\r\n\r\n"), "longer than its size"),
        (chunked("5\r\nhell\r\n0\r\n\r\n"), "longer than its size"),
        (chunked("0\r\nno trailer\r\n\r\n"), "colon"),
        (chunked(&format!("0\r\n{}\r\n", "A: b\r\n".repeat(65))), "trailer"),
        (chunked(&endless.replace('x', "1")), "too long"),
    ];
    for (text, expected) in cases {
        match parse(text.as_bytes(), false, false) {
            Err(ParseError::Invalid { at, why }) => {
                assert!(why.contains(expected) && at <= text.len(), "{why} for {expected}")
            }
            other => panic!("{expected}: {other:?}"),
        }
    }
}

/// The beginnings of a bad answer are incomplete or invalid, and never right.
#[test]
fn bad_answers_are_never_right_at_any_cut() {
    let text = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello";
    for cut in 0..text.len() {
        assert!(parse(&text[..cut], false, false).is_err());
    }
}

fn dated(date: &str, id: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nDate: {date}\r\nX-Id: {id}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn is_right(wire: &mut Http1, text: &str) -> bool {
    match judge(wire, text.as_bytes(), false) {
        Judged::Right { len, .. } => len == text.len(),
        _ => false,
    }
}

#[test]
fn the_template_learns_what_changes_and_masks_it() {
    let mut wire = judge_of(None);
    let takes = |wire: &mut Http1, text: &str| {
        let right = wire.lanes[0].fast(text.as_bytes(), &mut Progress::Start);
        matches!(right, Some(Judged::Right { .. }))
    };
    assert!(is_right(
        &mut wire,
        &dated("Sat, 21 Nov 2026 20:00:00 GMT", "aaaa", "hello")
    ));
    assert!(
        takes(
            &mut wire,
            &dated("Sat, 21 Nov 2026 20:00:01 GMT", "aaaa", "hello")
        ),
        "Date is masked from the first"
    );
    assert!(!takes(
        &mut wire,
        &dated("Sat, 21 Nov 2026 20:00:01 GMT", "bbbb", "hello")
    ));
    assert!(is_right(
        &mut wire,
        &dated("Sat, 21 Nov 2026 20:00:02 GMT", "bbbb", "hello")
    ));
    for id in ["aaaa", "bbbb", "cccc"] {
        assert!(
            takes(&mut wire, &dated("Sun, 22 Nov 2026 20:00:03 GMT", id, "hello")),
            "{id}"
        );
    }
    assert!(
        is_right(
            &mut wire,
            &dated("Sun, 22 Nov 2026 20:00:03 GMT", "longer", "hello")
        ),
        "by the full parse"
    );
}

#[test]
fn a_mask_hides_no_wrong_answer() {
    let mut wire = judge_of(None);
    assert!(is_right(&mut wire, &dated("one", "aaaa", "hello")));
    assert!(is_right(&mut wire, &dated("two", "bbbb", "hello")));
    for wrong in [
        dated("six", "cccc", "hellO"),
        dated("six", "cccc", "hello").replace("200", "500"),
        dated("s\nx", "cccc", "hello"),
        dated("six", "c\r\nc", "hello"),
        dated("six", "cccc", "hello").replace("X-Id", "X Id"),
        dated("six", "cccc", "hell"),
        dated("six", "cccc", "hello").replace(": 5", ": 4"),
    ] {
        assert!(!is_right(&mut wire, &wrong), "{wrong:?}");
    }
    assert!(is_right(&mut wire, &dated("six", "cccc", "hello")), "and goes on");
}

#[test]
fn the_body_is_as_expected_or_as_the_first() {
    let mut wire = judge_of(Some(b"hello"));
    assert!(is_right(&mut wire, &plain("hello")));
    assert!(is_right(
        &mut wire,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"
    ));
    let Judged::Wrong { why } = judge(&mut wire, plain("help!").as_bytes(), false) else {
        panic!()
    };
    assert!(
        why.contains("expected \"hello\"") && why.contains("first difference at byte 3"),
        "{why}"
    );
    let mut first = judge_of(None);
    let mut other = first.fork();
    assert!(is_right(&mut first, &plain("one")));
    assert!(
        matches!(
            judge(&mut *other, plain("two").as_bytes(), false),
            Judged::Wrong { .. }
        ),
        "all judges share it"
    );
    assert!(matches!(
        judge(&mut *other, plain("one").as_bytes(), false),
        Judged::Right { .. }
    ));
}

#[test]
fn a_status_other_than_2xx_is_wrong() {
    let mut wire = judge_of(None);
    for status in ["301 Moved", "404 Not Found", "500 Oops"] {
        let text = plain("x").replace("200 OK", status);
        let Judged::Wrong { why } = judge(&mut wire, text.as_bytes(), false) else {
            panic!()
        };
        assert!(why.contains("2xx") && why.contains(&status[..3]), "{why}");
    }
}

/// Random changes to right answers never cause a panic, nor an answer beyond what was received.
#[test]
fn mangled_answers_are_survived() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut rng = fastrand::Rng::with_seed(seed);
    let answers = right();
    let mut wire = judge_of(None);
    for _ in 0..20_000 {
        let mut bytes = answers[rng.usize(..answers.len())].0.clone().into_bytes();
        if rng.u8(..4) > 0 {
            mangle(&mut bytes, &mut rng);
        }
        let closed = rng.bool();
        match judge(&mut wire, &bytes, closed) {
            Judged::Right { len, .. } => assert!(len > 0 && len <= bytes.len()),
            Judged::Partial { taken, need, .. } => assert!(need > 0 && taken + need > bytes.len()),
            Judged::Wrong { why } => assert!(!why.is_empty() && why.len() < 4000),
        }
    }
}
