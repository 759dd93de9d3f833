//! What a CGI program answers (RFC 3875 §6): header fields, an empty line, and a body up to the end of its output. How
//! the output comes (records of FastCGI, a pipe) is for others to say.

use std::sync::Arc;

use super::http1::{self, Body, Demands, Draws, Head, SAMPLED, Stop, parse_cgi};
use crate::show;

/// A body's size, at most: 256 MiB, so that memory is bounded.
const LONGEST_BODY: usize = 256 << 20;

/// Judges what CGI programs answer to one request.
#[derive(Debug)]
pub(crate) struct Judge {
    demands: Arc<Demands>,
    draws: Option<Draws>,
    /// The last head that was right: the same again costs a compare.
    learned: Option<(Vec<u8>, Option<usize>)>,
    /// The share of large bodies that are checked whole.
    share: f64,
    rng: fastrand::Rng,
}

/// How far an answer was taken.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// Its head, as long as it is not whole.
    head: Vec<u8>,
    body: Option<Body>,
    /// What its `Content-Length` says.
    length: Option<usize>,
}

impl Judge {
    /// Judges by demands.
    pub(crate) fn new(demands: Arc<Demands>) -> Self {
        Self {
            draws: http1::draws(&demands),
            demands,
            learned: None,
            share: 1.0,
            rng: fastrand::Rng::new(),
        }
    }

    /// A judge of the same for another thread.
    pub(crate) fn fork(&self) -> Self {
        Self {
            share: self.share,
            ..Self::new(self.demands.clone())
        }
    }

    /// Has only a share of the answers with large bodies checked whole.
    pub(crate) fn sample(&mut self, share: f64) {
        self.share = share;
    }

    /// Whether the next body is to be checked whole.
    fn draw(&mut self) -> bool {
        let length = self.demands.known().map_or(0, <[u8]>::len);
        length <= SAMPLED || self.share >= 1.0 || self.rng.f64() < self.share
    }

    /// Goes on with output.
    ///
    /// # Errors
    /// What was expected, and what was found, once it is certain that the answer is not right.
    #[inline]
    pub(crate) fn feed(&mut self, answer: &mut Answer, piece: &[u8]) -> Result<(), String> {
        let known = self.learned.as_ref().filter(|_| answer.is_fresh());
        let known = known.filter(|(head, _)| piece.starts_with(head));
        let known = known.map(|(head, length)| (head.len(), *length));
        let rest = match (&answer.body, known) {
            (Some(_), _) => piece,
            (None, Some((end, length))) => {
                self.begin(answer, length);
                &piece[end..]
            }
            (None, None) => return self.read_head(answer, piece),
        };
        self.feed_body(answer, rest)
    }

    #[cold]
    fn read_head(&mut self, answer: &mut Answer, piece: &[u8]) -> Result<(), String> {
        answer.head.extend_from_slice(piece);
        let head = match parse_cgi(&answer.head) {
            Ok(head) => head,
            Err(Stop::More(_)) => return Ok(()),
            Err(Stop::Bad { at, why }) => {
                let window = show::window(&answer.head, at);
                return Err(format!(
                    "no CGI answer: {why} at byte {at}\n  expected header fields, an empty line, a body\n  got      {window}"
                ));
            }
        };
        self.demands.judge_head(&head, &answer.head)?;
        let length = told_length(&head, &answer.head)?;
        let rest = answer.head.split_off(head.end);
        self.learned = Some((std::mem::take(&mut answer.head), length));
        self.begin(answer, length);
        self.feed_body(answer, &rest)
    }

    fn begin(&mut self, answer: &mut Answer, length: Option<usize>) {
        let whole = self.draw();
        answer.body = Some(Body::new(&self.demands, whole));
        answer.length = length;
    }

    fn feed_body(&self, answer: &mut Answer, piece: &[u8]) -> Result<(), String> {
        let Some(body) = &mut answer.body else {
            return Ok(());
        };
        body.feed(piece, &self.demands)?;
        let long = body.len();
        match answer.length.unwrap_or(LONGEST_BODY) {
            most if long > most => Err(format!(
                "the body: expected {most} bytes, as were told or are allowed\n  got      {long} bytes or more"
            )),
            _ => Ok(()),
        }
    }

    /// Judges an answer at its end; whether each of its bytes was checked.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub(crate) fn finish(&mut self, answer: Answer) -> Result<bool, String> {
        let Some(body) = answer.body else {
            let head = show::bytes(&answer.head);
            return Err(format!(
                "the output ended before its header did\n  expected header fields, an empty line, a body\n  got      {head}"
            ));
        };
        let (told, found) = (answer.length.unwrap_or(body.len()), body.len());
        if told != found {
            return Err(format!(
                "the body: expected {told} bytes, by its Content-Length\n  got      {found} bytes, and then the output's end"
            ));
        }
        let whole = body.whole();
        if body.unjudged() {
            // The program has more than one way to say it: from now on each answer is judged.
            self.share = 1.0;
        }
        let row = body.finish(&self.demands)?;
        http1::add(&mut self.draws, row).map(|()| whole)
    }
}

impl Answer {
    fn is_fresh(&self) -> bool {
        self.body.is_none() && self.head.is_empty()
    }
}

fn told_length(head: &Head, bytes: &[u8]) -> Result<Option<usize>, String> {
    let Some(text) = head.value(bytes, "content-length") else {
        return Ok(None);
    };
    let digits = std::str::from_utf8(text).ok();
    let digits = digits.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    match digits.and_then(|digits| digits.parse().ok()) {
        Some(length) => Ok(Some(length)),
        None => Err(format!(
            "expected a Content-Length in digits\n  got      {}",
            show::bytes(text)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(judge: &mut Judge, pieces: &[&str]) -> Result<(), String> {
        let mut answer = Answer::default();
        for piece in pieces {
            judge.feed(&mut answer, piece.as_bytes())?;
        }
        judge.finish(answer).map(|whole| assert!(whole))
    }

    fn hello() -> Judge {
        Judge::new(Arc::new(Demands {
            media_type: Some("text/html".to_owned()),
            ..Demands::bytes(Some(b"hello"))
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
    fn anything_else_is_told() {
        for (text, says) in [
            ("", "got      nothing"),
            ("Content-Type: text/html\n", "ended before its header did"),
            ("\n\nhello", "neither Content-Type nor Location nor Status"),
            (
                "<html>\n<p>hello\n\n",
                "no CGI answer: a header line without a colon",
            ),
            (
                "<p class=\"a:b\">\n\n",
                "no CGI answer: a header name that is none",
            ),
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
                "expected 4 bytes, as were told or are allowed\n  got      5 bytes or more",
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
