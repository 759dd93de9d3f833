//! Answers to one of the requests of a job: a learned template for the fast path, a full parse for everything else.

use super::answer::{self, Answer};
use super::body::Framing;
use super::head;
use super::partial::{Flaw, PartialAnswer, Taken};
use super::template::Template;
use crate::check::Checker;
use crate::show;
use crate::wire::header::ParseError;
use crate::wire::{Judged, Progress};

/// Bodies over this length (16 KiB) are taken piece by piece; shorter ones are awaited whole, and can be shown.
const LARGE: usize = 16 << 10;

/// Answers to one request.
#[derive(Debug)]
pub(super) struct Lane {
    /// Whether the method of the request is HEAD: its answers have no body, whatever their length field says.
    to_head: bool,
    template: Option<Template>,
    checker: Checker,
}

impl Lane {
    /// Answers to a request with this method.
    pub(super) fn new(method: &str, checker: Checker) -> Self {
        Self {
            to_head: method == "HEAD",
            template: None,
            checker,
        }
    }

    /// The same answers for another thread.
    pub(super) fn fork(&self) -> Self {
        Self {
            to_head: self.to_head,
            template: None,
            checker: self.checker.fork(),
        }
    }

    /// Checks only a share (0 to 1) of large answers whole.
    pub(super) fn sample(&mut self, share: f64) {
        self.checker.sample(share);
    }

    /// A whole answer, parsed in full.
    pub(super) fn parse(&self, answer: &[u8]) -> Option<Answer> {
        answer::parse(answer, self.to_head, true).ok()
    }

    /// Judges the first answer in `bytes`.
    #[inline]
    pub(super) fn judge(&mut self, bytes: &[u8], progress: &mut Progress, closed: bool) -> Judged {
        if !progress.is_start()
            && let Progress::Http1(partial) = std::mem::take(progress)
        {
            return self.go_on(bytes, 0, partial, progress, closed);
        }
        match self.fast(bytes, progress) {
            Some(judged) => judged,
            None => self.judge_fully(bytes, progress, closed),
        }
    }

    /// Judges an answer whose head and body are as the template has them, or the beginning of a large one; none: only
    /// the full parse can tell.
    #[inline]
    pub(super) fn fast(&mut self, bytes: &[u8], progress: &mut Progress) -> Option<Judged> {
        let template = self.template.as_mut()?;
        let framing = template.matches(bytes)?;
        let (start, coding) = (template.len(), template.coding());
        let body = &bytes[start..];
        let len = match framing {
            Framing::Length(len) if len > LARGE => {
                let partial = PartialAnswer::new(framing, coding, false, &mut self.checker);
                return Some(self.go_on(bytes, start, partial, progress, false));
            }
            Framing::Length(len) => match body.get(..len) {
                Some(body) => self.checker.recognises(body, coding).then_some(len)?,
                None => return Some(incomplete(start + len)),
            },
            Framing::Chunked => match template.raw() {
                raw if !raw.is_empty() && body.starts_with(raw) => raw.len(),
                _ => return None,
            },
            Framing::None => self.checker.recognises(&[], coding).then_some(0)?,
            Framing::ToClose => return None,
        };
        Some(Judged::Right {
            len: start + len,
            last: false,
            whole: self.checker.checks_bodies(),
        })
    }

    /// Goes on with a body whose next byte is at `start`.
    fn go_on(
        &mut self,
        bytes: &[u8],
        start: usize,
        mut partial: PartialAnswer,
        progress: &mut Progress,
        closed: bool,
    ) -> Judged {
        match partial.take(&bytes[start..], &self.checker, closed) {
            Ok(Taken::End(len)) => self.finish(partial, start + len),
            Ok(Taken::More(taken, need)) => self.suspend(partial, bytes, start + taken, need, progress),
            Err(flaw) => wrong_body(bytes, start, flaw),
        }
    }

    /// Leaves a large body until more of it comes. What comes then is taken at once, so that nothing is kept.
    fn suspend(
        &self,
        mut partial: PartialAnswer,
        bytes: &[u8],
        taken: usize,
        need: usize,
        progress: &mut Progress,
    ) -> Judged {
        let (need, skip) = if taken == bytes.len() {
            (1, partial.skip(&self.checker))
        } else {
            (need, 0)
        };
        *progress = Progress::Http1(partial);
        Judged::Partial { taken, need, skip }
    }

    fn finish(&mut self, partial: PartialAnswer, len: usize) -> Judged {
        let last = partial.last;
        match self.checker.finish(partial.into_body()) {
            Ok(whole) => Judged::Right { len, last, whole },
            Err(why) => Judged::Wrong { why },
        }
    }

    #[cold]
    fn judge_fully(&mut self, bytes: &[u8], progress: &mut Progress, closed: bool) -> Judged {
        let head = match head::parse_final(bytes) {
            Ok(head) => head,
            Err(error) => return unparsed(bytes, error),
        };
        let value = |name: &str| head.value(bytes, name);
        if let Err(why) = self.checker.head(head.status, bytes, head.end, value) {
            return Judged::Wrong { why };
        }
        let framing = match head.framing(bytes, self.to_head) {
            Ok(framing) => framing,
            Err(error) => return unparsed(bytes, error),
        };
        let last = framing == Framing::ToClose || head.closes(bytes);
        let (start, coding) = (head.end, head.coding(bytes));
        let mut partial = PartialAnswer::new(framing, coding, last, &mut self.checker);
        let before = self.template.take();
        // An answer that ends with the connection comes once per connection, and its bytes alone do not show its end.
        if !last {
            let vary = self.checker.bodies_vary();
            self.template = Some(Template::learn(before, &head, &bytes[..start], framing, vary));
        }
        let body = &bytes[start..];
        match partial.take(body, &self.checker, closed) {
            Ok(Taken::End(len)) => {
                let judged = self.finish(partial, start + len);
                self.learn_raw(framing, &body[..len], &judged);
                judged
            }
            Ok(Taken::More(taken, need)) if taken > LARGE || is_large(framing) => {
                self.suspend(partial, bytes, start + taken, need, progress)
            }
            Ok(Taken::More(taken, need)) => incomplete(start + taken + need),
            Err(flaw) => wrong_body(bytes, start, flaw),
        }
    }

    fn learn_raw(&mut self, framing: Framing, body: &[u8], judged: &Judged) {
        let fixed = framing == Framing::Chunked && !self.checker.bodies_vary();
        if let (true, Judged::Right { .. }, Some(template)) = (fixed, judged, &mut self.template) {
            template.learn_raw(body);
        }
    }
}

fn is_large(framing: Framing) -> bool {
    matches!(framing, Framing::Length(len) if len > LARGE)
}

/// Nothing was taken, and `need` bytes are needed in all.
fn incomplete(need: usize) -> Judged {
    Judged::Partial {
        taken: 0,
        need,
        skip: 0,
    }
}

fn unparsed(bytes: &[u8], error: ParseError) -> Judged {
    match error {
        ParseError::Incomplete(need) => incomplete(need),
        ParseError::Invalid { at, why } => invalid(bytes, at, why),
    }
}

fn invalid(bytes: &[u8], at: usize, why: &str) -> Judged {
    let window = show::window(bytes, at);
    Judged::Wrong {
        why: format!(
            "no HTTP/1 answer: {why} at byte {at}\n  expected HTTP/1.0 or HTTP/1.1\n  got      {window}"
        ),
    }
}

fn wrong_body(bytes: &[u8], start: usize, flaw: Flaw) -> Judged {
    match flaw {
        Flaw::Wrong(why) => Judged::Wrong { why },
        Flaw::Invalid(at, why) => invalid(bytes, start + at, why),
    }
}
