//! HTTP/1.x answers (RFC 9112): a learned template for the fast path, a full parse for everything else.

mod body;
mod content;
pub(crate) mod date;
mod demands;
mod head;
mod midway;
mod parse;
mod table;
mod template;
mod world;

pub(crate) use content::Body;
pub(crate) use demands::{Content, Demands};
pub(crate) use head::{Head, is_token, parse_cgi};
pub use midway::Midway;
pub use parse::{Answer, Field, Stop, parse};
pub(crate) use world::Draws;

use std::sync::Arc;

use super::{Judged, Progress, Wire};
use crate::show;
use body::Framing;
use midway::{Flaw, Taken};
use template::Template;

/// Bodies over this length (16 KiB) are taken piece by piece; smaller ones are awaited whole, and can be shown.
const LARGE: usize = 16 << 10;

/// Of larger bodies only a share may be checked whole, if a job says so; smaller ones always are.
pub(super) const SAMPLED: usize = 64 << 10;

/// Rows that one judge sees before it says whether they were drawn at random, and the chance of a false alarm each
/// time: a run may hold a million such windows.
const WINDOW: (u32, f64) = (1000, 1e-15);

/// Answers to one HTTP request.
///
/// What they must be is held here, not with the request: it may be known only from the first answer.
#[derive(Debug)]
pub struct Http1 {
    /// Whether the request's method is HEAD, whose answers have no body whatever their length field says.
    head: bool,
    demands: Arc<Demands>,
    template: Option<Template>,
    draws: Option<Draws>,
    /// Whether bodies are checked at all.
    checks: bool,
    /// The share of large bodies that are checked whole.
    share: f64,
    rng: fastrand::Rng,
}

impl Http1 {
    /// Answers to a request with this method, whose body is these bytes, or else those of the first answer.
    pub fn of_body(method: &str, body: Option<&[u8]>) -> Self {
        Self::new(method, Demands::bytes(body))
    }

    /// Answers to a request with this method.
    pub(crate) fn new(method: &str, demands: Demands) -> Self {
        Self {
            head: method == "HEAD",
            draws: draws(&demands),
            checks: !demands.takes_any(),
            demands: Arc::new(demands),
            template: None,
            share: 1.0,
            rng: fastrand::Rng::new(),
        }
    }

    /// The whole judgement of an answer whose head and body are as the template has them, or of a large one's
    /// beginning; none: the full parse must tell.
    #[inline]
    fn fast(&mut self, bytes: &[u8], progress: &mut Progress) -> Option<Judged> {
        let template = self.template.as_mut()?;
        let framing = template.matches(bytes)?;
        let start = template.len();
        let body = &bytes[start..];
        let len = match framing {
            Framing::Length(len) if len > LARGE => return self.begin_large(bytes, start, framing, progress),
            Framing::Length(len) => match body.get(..len) {
                Some(body) => self.is_right(body)?,
                None => return Some(partial(0, start + len)),
            },
            Framing::Chunked => match template.raw() {
                raw if !raw.is_empty() && body.starts_with(raw) => raw.len(),
                _ => return None,
            },
            Framing::None => self.is_right(&[])?,
            Framing::ToClose => return None,
        };
        Some(right(start + len, false, self.checks))
    }

    /// The body's length, if it is right by its bytes.
    #[inline]
    fn is_right(&mut self, body: &[u8]) -> Option<usize> {
        match self.demands.content {
            Content::World(rows) => {
                let (id, number) = world::scan(body)?;
                let fits = world::is_row(id, rows) && number == world::number_of(id);
                // The last of a window is left to the full parse, which can say what is wrong with them.
                let drawn = fits && self.draws.as_mut().is_none_or(|draws| draws.add_quietly(id));
                drawn.then_some(body.len())
            }
            _ => match self.demands.known() {
                Some(known) => (known == body).then_some(body.len()),
                // Not yet, or not at all.
                None => self.demands.takes_any().then_some(body.len()),
            },
        }
    }

    fn begin_large(
        &mut self,
        bytes: &[u8],
        start: usize,
        framing: Framing,
        progress: &mut Progress,
    ) -> Option<Judged> {
        let midway = self.midway(framing, false);
        Some(self.go_on(bytes, start, midway, progress, false))
    }

    fn midway(&mut self, framing: Framing, last: bool) -> Midway {
        let length = match framing {
            Framing::Length(length) => length,
            _ => self.demands.known().map_or(0, <[u8]>::len),
        };
        let whole = length <= SAMPLED || self.share >= 1.0 || self.rng.f64() < self.share;
        Midway::new(framing, last, &self.demands, whole)
    }

    /// Goes on with a body whose next byte is at `start`, behind what was judged.
    fn go_on(
        &mut self,
        bytes: &[u8],
        start: usize,
        mut midway: Midway,
        progress: &mut Progress,
        closed: bool,
    ) -> Judged {
        match midway.take(&bytes[start..], &self.demands, closed) {
            Ok(Taken::End(len)) => self.finish(midway, start + len),
            Ok(Taken::More(taken, need)) => self.halfway(midway, bytes, start + taken, need, progress),
            Err(flaw) => wrong_body(bytes, start, flaw),
        }
    }

    /// Leaves a large body until more of it comes: whatever comes is then taken at once, so that nothing is kept.
    fn halfway(
        &self,
        mut midway: Midway,
        bytes: &[u8],
        taken: usize,
        need: usize,
        progress: &mut Progress,
    ) -> Judged {
        let (need, skip) = match taken == bytes.len() {
            true => (1, midway.skip(&self.demands)),
            false => (need, 0),
        };
        *progress = Progress::Http1(midway);
        Judged::Partial { taken, need, skip }
    }

    fn finish(&mut self, midway: Midway, len: usize) -> Judged {
        let (last, whole) = (midway.last, midway.whole());
        if midway.unjudged() {
            // The server has more than one way to say it: from now on each answer is judged.
            self.share = 1.0;
        }
        let row = midway.finish(&self.demands);
        match row.and_then(|id| add(&mut self.draws, id)) {
            Ok(()) => right(len, last, whole),
            Err(why) => Judged::Wrong { why },
        }
    }

    #[cold]
    fn judge_fully(&mut self, bytes: &[u8], progress: &mut Progress, closed: bool) -> Judged {
        let head = match parse::final_head(bytes) {
            Ok(head) => head,
            Err(stop) => return stopped(bytes, stop),
        };
        if let Err(why) = self.demands.judge_head(&head, bytes) {
            return Judged::Wrong { why };
        }
        let framing = match parse::framing(&head, bytes, self.head) {
            Ok(framing) => framing,
            Err(stop) => return stopped(bytes, stop),
        };
        let last = framing == Framing::ToClose || head.closes(bytes);
        let (start, mut midway) = (head.end, self.midway(framing, last));
        // What ends with the connection cannot be told by its bytes alone, and comes once a connection.
        self.template = match last {
            true => None,
            false => {
                let (before, varies) = (self.template.take(), self.demands.varies());
                Some(Template::learn(before, &head, &bytes[..start], framing, varies))
            }
        };
        let body = &bytes[start..];
        match midway.take(body, &self.demands, closed) {
            Ok(Taken::End(len)) => {
                let judged = self.finish(midway, start + len);
                self.learn_raw(framing, &body[..len], &judged);
                judged
            }
            Ok(Taken::More(taken, need)) if taken > LARGE || is_large(framing) => {
                self.halfway(midway, bytes, start + taken, need, progress)
            }
            Ok(Taken::More(taken, need)) => partial(0, start + taken + need),
            Err(flaw) => wrong_body(bytes, start, flaw),
        }
    }

    fn learn_raw(&mut self, framing: Framing, body: &[u8], judged: &Judged) {
        let fixed = framing == Framing::Chunked && !self.demands.varies();
        if let (true, Judged::Right { .. }, Some(template)) = (fixed, judged, &mut self.template) {
            template.learn_raw(body);
        }
    }
}

/// Adds a row that was drawn, where rows are drawn.
pub(super) fn add(draws: &mut Option<Draws>, id: Option<u64>) -> Result<(), String> {
    match (draws, id) {
        (Some(draws), Some(id)) => draws.add(id),
        _ => Ok(()),
    }
}

/// What sees whether rows are drawn at random, where they are to be.
pub(super) fn draws(demands: &Demands) -> Option<Draws> {
    match demands.content {
        Content::World(rows) => Some(Draws::new(rows, WINDOW.0, WINDOW.1)),
        _ => None,
    }
}

/// The id of the row that a whole answer holds.
pub(crate) fn row(bytes: &[u8], rows: u32) -> Option<u64> {
    let answer = parse(bytes, false, true).ok()?;
    row_in(&answer.content(bytes), rows)
}

/// The id of the row that a body holds.
pub(super) fn row_in(body: &[u8], rows: u32) -> Option<u64> {
    world::judge(body, rows).ok()
}

fn is_large(framing: Framing) -> bool {
    matches!(framing, Framing::Length(len) if len > LARGE)
}

fn right(len: usize, last: bool, whole: bool) -> Judged {
    Judged::Right { len, last, whole }
}

fn partial(taken: usize, need: usize) -> Judged {
    Judged::Partial { taken, need, skip: 0 }
}

fn stopped(bytes: &[u8], stop: Stop) -> Judged {
    match stop {
        Stop::More(need) => partial(0, need),
        Stop::Bad { at, why } => no_answer(bytes, at, why),
    }
}

fn no_answer(bytes: &[u8], at: usize, why: &str) -> Judged {
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
        Flaw::Bad(at, why) => no_answer(bytes, start + at, why),
    }
}

impl Wire for Http1 {
    #[inline]
    fn judge(&mut self, bytes: &[u8], _expected: &[u8], progress: &mut Progress, closed: bool) -> Judged {
        if !progress.is_start()
            && let Progress::Http1(midway) = std::mem::take(progress)
        {
            return self.go_on(bytes, 0, midway, progress, closed);
        }
        match self.fast(bytes, progress) {
            Some(judged) => judged,
            None => self.judge_fully(bytes, progress, closed),
        }
    }

    fn sample(&mut self, share: f64) {
        self.share = share;
    }

    fn fork(&self) -> Box<dyn Wire> {
        Box::new(Self {
            head: self.head,
            draws: draws(&self.demands),
            checks: self.checks,
            demands: self.demands.clone(),
            template: None,
            share: self.share,
            rng: fastrand::Rng::new(),
        })
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use table::judge as table_in;
#[cfg(test)]
pub(super) use tests::fuzz;
