//! The output of a CGI program (RFC 3875 §6): header fields, an empty line, and a body up to the end of its output. How
//! the output is carried (records of FastCGI, a pipe) is not known here.

use std::sync::Arc;

use super::header::{self, Field, ParseError, invalid};
use crate::check::{BodyCheck, Checker, Coding, Expectation};
use crate::show;

/// The longest body: 256 MiB, so that memory is bounded.
const LONGEST_BODY: usize = 256 << 20;

/// The head of an answer.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) status: u16,
    fields: Vec<Field>,
    /// Where the body begins.
    pub(super) end: usize,
}

/// Parses a head: fields without a status line. The field `Status` gives the status; without it the status is 200, or 302
/// if there is a `Location`.
pub(super) fn parse(bytes: &[u8]) -> Result<Head, ParseError> {
    let (fields, end) = header::fields(bytes, 0, 0)?;
    let value = |name| header::value(&fields, bytes, name);
    let status = match (value("status"), value("content-type"), value("location")) {
        (Some(status), _, _) => header::status(status, 0)?,
        (None, _, Some(_)) => 302,
        (None, Some(_), None) => 200,
        (None, None, None) => {
            return invalid(
                0,
                "no header of a CGI answer: neither Content-Type nor Location nor Status",
            );
        }
    };
    Ok(Head { status, fields, end })
}

impl Head {
    /// The value of the first field of a name, whatever its case.
    pub(super) fn value<'b>(&self, bytes: &'b [u8], name: &str) -> Option<&'b [u8]> {
        header::value(&self.fields, bytes, name)
    }

    /// The length of the body by `Content-Length`, where there is one.
    fn length(&self, bytes: &[u8]) -> Result<Option<usize>, String> {
        let Some(text) = self.value(bytes, "content-length") else {
            return Ok(None);
        };
        match header::length(text) {
            Some(length) => Ok(Some(length)),
            None => Err(format!(
                "expected a Content-Length in digits\n  got      {}",
                show::bytes(text)
            )),
        }
    }
}

/// Judges the output of CGI programs that answer one request.
#[derive(Debug)]
pub(super) struct Judge {
    checker: Checker,
    /// The last right head, so that the same head again costs a compare; and what it says of the body.
    learned: Option<(Vec<u8>, Announced)>,
}

/// What a head says of the body.
#[derive(Debug, Clone, Copy)]
struct Announced {
    length: Option<usize>,
    coding: Option<Coding>,
}

/// The part of an answer that was taken.
#[derive(Debug, Default)]
pub(super) struct PartialAnswer {
    /// Its head, until that is whole.
    head: Vec<u8>,
    body: Option<BodyCheck>,
    /// The length that its `Content-Length` gives.
    length: Option<usize>,
}

impl Judge {
    pub(super) fn new(expected: Arc<Expectation>) -> Self {
        Self {
            checker: Checker::new(expected),
            learned: None,
        }
    }

    /// A judge of the same answers for another thread.
    pub(super) fn fork(&self) -> Self {
        Self {
            checker: self.checker.fork(),
            learned: None,
        }
    }

    /// Checks only a share (0 to 1) of the long bodies whole.
    pub(super) fn sample(&mut self, share: f64) {
        self.checker.sample(share);
    }

    /// Takes the next piece of the output.
    ///
    /// # Errors
    /// What was expected, and what was found, once the answer is certainly not right.
    #[inline]
    pub(super) fn feed(&mut self, answer: &mut PartialAnswer, piece: &[u8]) -> Result<(), String> {
        let known = self.learned.as_ref().filter(|_| answer.is_fresh());
        let known = known.filter(|(head, _)| piece.starts_with(head));
        let known = known.map(|(head, announced)| (head.len(), *announced));
        let rest = match (&answer.body, known) {
            (Some(_), _) => piece,
            (None, Some((end, announced))) => {
                self.begin(answer, announced);
                &piece[end..]
            }
            (None, None) => return self.read_head(answer, piece),
        };
        self.feed_body(answer, rest)
    }

    #[cold]
    fn read_head(&mut self, answer: &mut PartialAnswer, piece: &[u8]) -> Result<(), String> {
        answer.head.extend_from_slice(piece);
        let seen = &answer.head;
        let head = match parse(seen) {
            Ok(head) => head,
            Err(ParseError::Incomplete(_)) => return Ok(()),
            Err(ParseError::Invalid { at, why }) => {
                let window = show::window(seen, at);
                return Err(format!(
                    "no CGI answer: {why} at byte {at}\n  expected header fields, an empty line, a body\n  got      {window}"
                ));
            }
        };
        self.checker
            .head(head.status, seen, head.end, |name| head.value(seen, name))?;
        let announced = Announced {
            length: head.length(seen)?,
            coding: Coding::named(head.value(seen, "content-encoding")),
        };
        let rest = answer.head.split_off(head.end);
        self.learned = Some((std::mem::take(&mut answer.head), announced));
        self.begin(answer, announced);
        self.feed_body(answer, &rest)
    }

    fn begin(&mut self, answer: &mut PartialAnswer, announced: Announced) {
        answer.body = Some(self.checker.begin(None, announced.coding));
        answer.length = announced.length;
    }

    fn feed_body(&self, answer: &mut PartialAnswer, piece: &[u8]) -> Result<(), String> {
        let Some(body) = &mut answer.body else {
            return Ok(());
        };
        self.checker.feed(body, piece)?;
        let (found, most) = (body.len(), answer.length.unwrap_or(LONGEST_BODY));
        if found > most {
            return Err(format!(
                "the body: expected {most} bytes, as announced or allowed\n  got      {found} bytes or more"
            ));
        }
        Ok(())
    }

    /// Judges an answer at its end. Returns whether each of its bytes was checked.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub(super) fn finish(&mut self, answer: PartialAnswer) -> Result<bool, String> {
        let Some(body) = answer.body else {
            let head = show::bytes(&answer.head);
            return Err(format!(
                "the output ended before its header did\n  expected header fields, an empty line, a body\n  got      {head}"
            ));
        };
        let found = body.len();
        let expected = answer.length.unwrap_or(found);
        if expected != found {
            return Err(format!(
                "the body: expected {expected} bytes, by its Content-Length\n  got      {found} bytes, and then the output's end"
            ));
        }
        self.checker.finish(body)
    }
}

impl PartialAnswer {
    fn is_fresh(&self) -> bool {
        self.body.is_none() && self.head.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(judge: &mut Judge, pieces: &[&str]) -> Result<(), String> {
        let mut answer = PartialAnswer::default();
        for piece in pieces {
            judge.feed(&mut answer, piece.as_bytes())?;
        }
        judge.finish(answer).map(|whole| assert!(whole))
    }

    fn hello() -> Judge {
        Judge::new(Arc::new(Expectation {
            media_type: Some("text/html".to_owned()),
            ..Expectation::bytes(Some(b"hello"))
        }))
    }

    #[test]
    fn right_answers_are_right_in_any_pieces() {
        let mut learned = hello();
        for text in [
            "Content-Type: text/html\n\nhello",
            "Content-Type: text/html; charset=utf-8\r\nX: y\r\n\r\nhello",
            "Status: 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello",
            "Status: 200\nContent-Type: text/html\n\nhello",
        ] {
            for cut in 0..=text.len() {
                let pieces = [&text[..cut], &text[cut..]];
                assert_eq!(judge(&mut hello(), &pieces), Ok(()), "{text:?} cut at {cut}");
                assert_eq!(judge(&mut learned, &pieces), Ok(()), "{text:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn anything_else_is_wrong_and_named() {
        for (text, says) in [
            ("", "got      nothing"),
            ("Content-Type: text/html\n", "ended before its header did"),
            ("\n\nhello", "neither Content-Type nor Location nor Status"),
            (
                "<html>\n<p>hello\n\n",
                "no CGI answer: a header line without a colon",
            ),
            ("<p class=\"a:b\">\n\n", "no CGI answer: an invalid header name"),
            (
                "Content-Type: text/plain\n\nhello",
                "expected the media type text/html",
            ),
            ("Status: 200\n\nhello", "found no Content-Type"),
            (
                "Status: 500 Oops\nContent-Type: text/html\n\nhello",
                "expected a status of 2xx",
            ),
            ("Location: /\n\n", "got      302"),
            (
                "Status: fine\nContent-Type: text/html\n\nhello",
                "no status code of three digits",
            ),
            ("Content-Type: text/html\n\nhel", "first difference at byte 3"),
            ("Content-Type: text/html\n\nhellO", "first difference at byte 4"),
            ("Content-Type: text/html\n\nhello!", "first difference at byte 5"),
            (
                "Content-Type: text/html\nContent-Length: 5\n\nhel",
                "expected 5 bytes, by its Content-Length\n  got      3 bytes",
            ),
            (
                "Content-Type: text/html\nContent-Length: 4\n\nhello",
                "expected 4 bytes, as announced or allowed\n  got      5 bytes or more",
            ),
            (
                "Content-Type: text/html\nContent-Length: -1\n\nhello",
                "Content-Length in digits",
            ),
        ] {
            let mut learned = hello();
            assert_eq!(judge(&mut learned, &["Content-Type: text/html\n\nhello"]), Ok(()));
            for judged in [judge(&mut hello(), &[text]), judge(&mut learned, &[text])] {
                let why = judged.expect_err(text);
                assert!(why.contains(says), "{text:?}: {why}");
            }
        }
    }
}
