//! Foreign bytes: no parser panics, none finds an answer beyond what was received, and bytes in pieces are judged as
//! whole ones are. (That judges agree with each other on almost right answers is tested beside them.)

#[path = "../../../../fuzz/harness.rs"]
pub(super) mod harness;

use std::sync::Arc;

use super::fastcgi::{FastCgi, Peer};
use super::header::ParseError;
use super::http1::{Http1, parse};
use super::{Judged, Lines, Progress, Wire, cgi};
use crate::check::{Coding, Expectation, date, fortunes, row, rows, table};
use harness::fuzz;

/// Rounds of the tests that compare judges with each other.
pub(super) fn rounds() -> usize {
    std::env::var("TARE_FUZZ").map_or(5_000, |rounds| rounds.parse().unwrap())
}

/// How a judgement ends: the length of a right answer and whether it is the last, or none.
pub(super) fn end(judged: &Judged) -> Option<(usize, bool)> {
    match judged {
        Judged::Right { len, last, .. } => Some((*len, *last)),
        _ => None,
    }
}

/// Judges bytes in pieces, as the engine does: those that were not taken are passed again.
pub(super) fn in_pieces(
    wire: &mut dyn Wire,
    expected: &[u8],
    bytes: &[u8],
    closed: bool,
    rng: &mut fastrand::Rng,
) -> Option<(usize, bool)> {
    let (mut progress, mut from, mut to, mut need) = (Progress::Start, 0, 0, 0);
    while to < bytes.len() {
        to = (to + rng.usize(1..=bytes.len())).min(bytes.len());
        if to - from < need {
            continue;
        }
        match wire.judge(&bytes[from..to], expected, &mut progress, false) {
            Judged::Right { len, last, .. } => return Some((from + len, last)),
            Judged::Partial {
                taken,
                need: more,
                skip,
            } => {
                assert!(from + taken <= to && more > 0 && from + taken + more > to);
                assert!(skip == 0 || from + taken == to);
                from += taken + skip;
                to = to.max(from);
                if from > bytes.len() {
                    return None;
                }
                need = more;
            }
            Judged::Wrong { why } => {
                assert!(!why.is_empty());
                return None;
            }
        }
    }
    if !closed {
        return None;
    }
    end(&wire.judge(&bytes[from..], expected, &mut progress, true)).map(|(len, last)| (from + len, last))
}

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

/// Each beginning of a whole answer asks for more bytes, and for no more than there are.
fn beginnings_wait(bytes: &[u8], head: bool) {
    let Ok(answer) = parse(bytes, head, false) else {
        return;
    };
    assert!(answer.len > 0 && answer.len <= bytes.len());
    for cut in 0..answer.len {
        match parse(&bytes[..cut], head, false) {
            Err(ParseError::Incomplete(need)) => assert!(need > cut && need <= answer.len),
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
            // The first right answer decides what the next must be.
            let mut learned = Http1::new([(if head { "HEAD" } else { "GET" }, Expectation::bytes(None))]);
            let first = end(&learned.judge(bytes, b"", &mut Progress::Start, false));
            let again = end(&learned.judge(bytes, b"", &mut Progress::Start, false));
            assert_eq!(first, again, "what was right is right again");
            let mut fresh = learned.fork();
            let cut = in_pieces(&mut *fresh, b"", bytes, false, &mut pieces);
            assert_eq!(cut, first, "in pieces");
        }
    });
}

/// Chunks (RFC 9112 §7.1) decoded in the plainest way: the body, and where it ends; none if it is not whole.
fn plainly(bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
    let line = |at: usize| {
        let len = bytes[at..].iter().position(|&byte| byte == b'\n')?;
        let text = &bytes[at..at + len];
        Some((text.strip_suffix(b"\r").unwrap_or(text), at + len + 1))
    };
    let (mut at, mut body) = (0, Vec::new());
    loop {
        let (text, next) = line(at)?;
        // Extensions are ignored.
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
        // The first line is the expected answer.
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

fn anything() -> Arc<Expectation> {
    Arc::new(Expectation::bytes(None))
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
            assert!(judge.body(&bytes[..len], b"").is_some());
        }
        let cut = in_pieces(&mut *judge.fork(), &id, bytes, false, &mut pieces);
        assert_eq!(cut, whole);
    });
}

#[test]
fn cgi_answers() {
    let mut pieces = fastrand::Rng::with_seed(1);
    fuzz("cgi", &HTTP, |bytes| {
        if let Ok(head) = cgi::parse(bytes) {
            assert!(head.end <= bytes.len());
            assert!((100..1000).contains(&head.status), "{}", head.status);
        }
        let judge = |cuts: &[usize]| -> Result<bool, String> {
            let (mut judge, mut answer, mut from) =
                (cgi::Judge::new(anything()), cgi::PartialAnswer::default(), 0);
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
            assert!(row::check(bytes, 1000).map_or(true, |(id, _)| (1..=1000).contains(&id)));
            // No page comes about by chance, and a list that is read has whole rows, of 25 bytes at least.
            assert!(fortunes::check(bytes).is_err());
            let list = rows::read(bytes).unwrap_or_default();
            assert!(list.len() * 25 <= bytes.len(), "{list:?}");
            if let Err(why) = table(bytes, 2, 3) {
                assert!(!why.is_empty());
            }
            // A date is a second of the years 0 to 9999, or none.
            let years = -62_167_219_200..=253_402_387_200;
            assert!(date::parse(bytes).is_none_or(|seconds| years.contains(&seconds)));
        },
    );
}

#[test]
fn content_codings() {
    const MOST: usize = 1 << 16;
    fuzz("coding", &["\u{1f}\u{8b}", "\u{0}", "\u{ff}", "\u{3}"], |bytes| {
        for coding in [Coding::Gzip, Coding::Brotli] {
            let decoded = coding.decode(bytes, MOST);
            assert!(decoded.as_ref().map_or(true, |body| body.len() <= MOST));
            assert_eq!(decoded, coding.decode(bytes, MOST), "the same again");
        }
    });
}
