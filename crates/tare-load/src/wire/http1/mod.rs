//! HTTP/1.x answers (RFC 9112): a learned template for the fast path, a full parse for everything else.

mod body;
mod head;
mod parse;
mod template;

pub(crate) use head::is_token;
pub use parse::{Answer, Field, Stop, parse};

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::{Judged, Wire};
use crate::show;
use template::Template;

/// Answers to one HTTP request: status 2xx, and always the same body.
///
/// What the body must be is held here, not with the request: it may be known only from the first answer.
#[derive(Debug)]
pub struct Http1 {
    /// Whether the request's method is HEAD, whose answers have no body whatever their length field says.
    head: bool,
    /// The body: given, or the first answer's. Shared by all judges of a target.
    body: Arc<OnceLock<Box<[u8]>>>,
    template: Option<Template>,
}

impl Http1 {
    /// Answers to a request with this method; `expect`: the body, none: whatever the first answer has.
    pub fn new(method: &str, expect: Option<&[u8]>) -> Self {
        let body = OnceLock::new();
        if let Some(expect) = expect {
            body.get_or_init(|| expect.into());
        }
        Self {
            head: method == "HEAD",
            body: Arc::new(body),
            template: None,
        }
    }

    #[cold]
    fn judge_fully(&mut self, bytes: &[u8], closed: bool) -> Judged {
        let answer = match parse(bytes, self.head, closed) {
            Ok(answer) => answer,
            Err(Stop::More(need)) => return Judged::Partial { need },
            Err(Stop::Bad { at, why }) => {
                let why = format!(
                    "no HTTP/1 answer: {why} at byte {at} of {}",
                    show::window(bytes, at)
                );
                return Judged::Wrong { why };
            }
        };
        if let Err(why) = self.is_right(&answer, bytes) {
            return Judged::Wrong { why };
        }
        self.template = Template::learn(self.template.take(), &answer, bytes);
        Judged::Right {
            len: answer.len,
            last: answer.last,
        }
    }

    fn is_right(&self, answer: &Answer, bytes: &[u8]) -> Result<(), String> {
        if !(200..300).contains(&answer.status) {
            let whole = show::bytes(&bytes[..answer.len]);
            return Err(format!(
                "expected a status of 2xx\n  got      {}: {whole}",
                answer.status
            ));
        }
        let expected = self.body.get_or_init(|| gather(bytes, &answer.body).into());
        if same(bytes, &answer.body, expected) {
            return Ok(());
        }
        Err(format!(
            "the body: {}",
            show::difference(expected, &gather(bytes, &answer.body))
        ))
    }
}

impl Wire for Http1 {
    #[inline]
    fn judge(&mut self, bytes: &[u8], _expected: &[u8], closed: bool) -> Judged {
        match self
            .template
            .as_ref()
            .and_then(|template| template.matches(bytes))
        {
            Some(len) => Judged::Right { len, last: false },
            None => self.judge_fully(bytes, closed),
        }
    }

    fn fork(&self) -> Box<dyn Wire> {
        Box::new(Self {
            head: self.head,
            body: self.body.clone(),
            template: None,
        })
    }
}

fn gather(bytes: &[u8], pieces: &[Range<usize>]) -> Vec<u8> {
    pieces
        .iter()
        .flat_map(|piece| &bytes[piece.clone()])
        .copied()
        .collect()
}

/// Whether the pieces make up `expected`.
fn same(bytes: &[u8], pieces: &[Range<usize>], expected: &[u8]) -> bool {
    let mut rest = expected;
    for piece in pieces {
        match rest.strip_prefix(&bytes[piece.clone()]) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests;
