//! What strangers may send: no parser panics, none finds an answer beyond what was received, and what comes in pieces
//! is judged as what comes whole. (How judges agree with each other on near-right answers is tested beside them.)

#[path = "../../../../fuzz/harness.rs"]
pub(super) mod harness;

use std::sync::Arc;

use super::cgi;
use super::fastcgi::{FastCgi, Peer};
use super::http1::fuzz::{end, in_pieces};
use super::http1::{Demands, Http1, Stop, date, parse, parse_cgi, row_in, table_in};
use super::{Judged, Lines, Progress, Wire};
use harness::fuzz;

const HTTP: [&str; 20] = [
    "\r\n",
    "\n",
    "\r",
    "\r\n\r\n",
    "0\r\n\r\n",
    ":",
    ",",
    ";",
    "\t",
    "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.0 ",
    "Content-Length: 5\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Connection: close\r\n",
    "Status: 500\r\n",
    "Content-Type: text/plain\r\n",
    "ffffffff",
    "99999999999999999999",
    "\u{0}",
    "\u{ff}",
];

/// Each beginning of a whole answer asks for more, and for no more than there is.
fn beginnings_wait(bytes: &[u8], head: bool) {
    let Ok(answer) = parse(bytes, head, false) else {
        return;
    };
    assert!(answer.len > 0 && answer.len <= bytes.len());
    for cut in 0..answer.len {
        match parse(&bytes[..cut], head, false) {
            Err(Stop::More(need)) => assert!(need > cut && need <= answer.len),
            other => panic!("cut at {cut}: {other:?}"),
        }
    }
}

#[test]
fn http_answers() {
    let mut pieces = fastrand::Rng::with_seed(1);
    fuzz("http1", &HTTP, |bytes| {
        for head in [false, true] {
            beginnings_wait(bytes, head);
            // The first right answer says what the next must be.
            let mut learned = Http1::of_body(if head { "HEAD" } else { "GET" }, None);
            let first = end(&learned.judge(bytes, b"", &mut Progress::Start, false));
            let again = end(&learned.judge(bytes, b"", &mut Progress::Start, false));
            assert_eq!(first, again, "what was right is right again");
            let mut fresh = learned.fork();
            let cut = in_pieces(&mut *fresh, b"", bytes, false, &mut pieces);
            assert_eq!(cut, first, "in pieces");
        }
    });
}

/// Chunks as RFC 9112 §7.1 has them, decoded in the plainest way: the body and its length, where it is whole.
fn plainly(bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
    let line = |at: usize| {
        let len = bytes[at..].iter().position(|&byte| byte == b'\n')?;
        let text = &bytes[at..at + len];
        Some((text.strip_suffix(b"\r").unwrap_or(text), at + len + 1))
    };
    let (mut at, mut body) = (0, Vec::new());
    loop {
        let (text, next) = line(at)?;
        // What an extension says is nobody's business.
        let digits = std::str::from_utf8(text.split(|&byte| byte == b';').next()?).ok()?;
        let digits = digits.trim_end_matches([' ', '\t']);
        let odd =
            digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if odd {
            return None;
        }
        let size = usize::from_str_radix(digits, 16).ok()?;
        at = next;
        if size == 0 {
            break;
        }
        body.extend_from_slice(bytes.get(at..at + size)?);
        at += size;
        at += bytes[at..].strip_prefix(b"\r\n").map(|_| 2)?;
    }
    loop {
        let (text, next) = line(at)?;
        at = next;
        match text {
            [] => return Some((body, at)),
            field if field.contains(&b':') => {}
            _ => return None,
        }
    }
}

#[test]
fn chunked_bodies() {
    let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let mut rights = 0;
    fuzz("chunked", &HTTP, |bytes| {
        let all = [&head[..], bytes].concat();
        beginnings_wait(&all, false);
        let Ok(answer) = parse(&all, false, false) else {
            return;
        };
        rights += 1;
        let (body, len) = plainly(bytes).expect("what the parser takes, the plain reading takes");
        assert_eq!((answer.content(&all), answer.len), (body, head.len() + len));
    });
    assert!(rights > 20, "{rights} bodies that are whole prove nothing");
}

#[test]
fn lines() {
    let mut pieces = fastrand::Rng::with_seed(1);
    fuzz("lines", &["\n", "\r\n", "14\n", "\u{0}"], |bytes| {
        // The first line is what is expected of the rest.
        let Some(end_of_line) = bytes.iter().position(|&byte| byte == b'\n') else {
            return;
        };
        let (expected, got) = bytes.split_at(end_of_line + 1);
        if got.is_empty() {
            return;
        }
        let whole = Lines.judge(got, expected, &mut Progress::Start, false);
        match &whole {
            Judged::Right { len, last, .. } => {
                assert!(got.starts_with(expected) && *len == expected.len() && !last);
            }
            Judged::Partial { taken, need, .. } => {
                assert!(*taken == 0 && *need > got.len() && !got.contains(&b'\n'));
            }
            Judged::Wrong { .. } => assert!(!got.starts_with(expected)),
        }
        assert_eq!(
            in_pieces(&mut Lines, expected, got, false, &mut pieces),
            end(&whole)
        );
    });
}

fn anything() -> Arc<Demands> {
    Arc::new(Demands::bytes(None))
}

#[test]
fn fastcgi_records() {
    let mut pieces = fastrand::Rng::with_seed(1);
    let words = [
        "\u{1}\u{6}\u{0}\u{1}",
        "\u{1}\u{3}\u{0}\u{1}\u{0}\u{8}\u{0}\u{0}",
        "\u{0}\u{0}",
        "Status: 500\r\n",
        "\r\n\r\n",
    ];
    fuzz("fastcgi", &words, |bytes| {
        if bytes.is_empty() {
            return;
        }
        let id = [0, 1];
        let mut judge = FastCgi::new(anything(), Peer::Responder);
        let whole = end(&judge.judge(bytes, &id, &mut Progress::Start, false));
        if let Some((len, last)) = whole {
            assert!(len <= bytes.len() && !last);
            assert!(super::fastcgi::row(&bytes[..len], 1000).is_none_or(|id| (1..=1000).contains(&id)));
        }
        let cut = in_pieces(&mut *judge.fork(), &id, bytes, false, &mut pieces);
        assert_eq!(cut, whole);
    });
}

#[test]
fn cgi_answers() {
    let mut pieces = fastrand::Rng::with_seed(1);
    fuzz("cgi", &HTTP, |bytes| {
        if let Ok(head) = parse_cgi(bytes) {
            assert!(head.end <= bytes.len());
            assert!((100..1000).contains(&head.status), "{}", head.status);
        }
        let judge = |cuts: &[usize]| -> Result<bool, String> {
            let (mut judge, mut answer, mut from) = (cgi::Judge::new(anything()), cgi::Answer::default(), 0);
            for &to in cuts {
                judge.feed(&mut answer, &bytes[from..to])?;
                from = to;
            }
            judge.finish(answer)
        };
        let middle = pieces.usize(..=bytes.len());
        assert_eq!(
            judge(&[bytes.len()]).is_ok(),
            judge(&[middle, bytes.len()]).is_ok()
        );
    });
}

#[test]
fn bodies_and_dates() {
    fuzz(
        "bodies",
        &["<tr>", "</td>", "<table>", "{\"id\":", "}", "1", "GMT", "&lt;"],
        |bytes| {
            assert!(row_in(bytes, 1000).is_none_or(|id| (1..=1000).contains(&id)));
            if let Err(why) = table_in(bytes, 2, 3) {
                assert!(!why.is_empty());
            }
            // A date is a second of the years 0 to 9999, or none.
            let years = -62_167_219_200..=253_402_387_200;
            assert!(date::parse(bytes).is_none_or(|seconds| years.contains(&seconds)));
        },
    );
}
