//! A connection on which a job's requests are asked one after another, each answer judged in full.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tare_model::fault::FaultKind;

use super::channel::Channel;
use super::{LONGEST_WAIT, QUIET};
use crate::address::Address;
use crate::check::coding::{Coding, LONGEST};
use crate::job::Work;
use crate::show;
use crate::wire::{Breach, BreachKind, Dialog, Judged, News, Progress, Protocol, Times, Wire};

/// The most bytes that are kept of an answer without an end: 512 MiB, twice the largest body.
const LONGEST_ANSWER: usize = 512 << 20;

/// A fault before the address and the request are added to its text.
pub(super) type Failure = (FaultKind, String);

/// How a request, or a part of one, is written.
pub(super) type Send = fn(&mut dyn Write, &[u8]) -> io::Result<()>;

/// A connection.
pub(super) struct Link<'a> {
    stream: Channel,
    protocol: Protocol,
    work: &'a Work,
    timeout: Duration,
    stop: &'a AtomicBool,
    /// Bytes that were received and not taken.
    rest: Vec<u8>,
    /// Whether it takes no further requests.
    over: bool,
}

/// A right answer.
pub(super) struct Answer {
    /// Its bytes, or what they say, for a person.
    pub(super) shown: Vec<u8>,
    pub(super) body: Option<Vec<u8>>,
    pub(super) date: Option<Vec<u8>>,
}

impl<'a> Link<'a> {
    pub(super) fn connect(
        address: &Address,
        work: &'a Work,
        timeout: Duration,
        stop: &'a AtomicBool,
    ) -> Result<Self, Failure> {
        let mut protocol = work.protocol.fork();
        // Here each byte of each answer is checked, however large it is.
        protocol.sample(1.0);
        if let Protocol::Dialog(dialog) = &mut protocol {
            dialog.keep_answers();
            dialog.resize(1, 1);
            dialog.begin(0);
        }
        let stream = Channel::connect(address, work.tls.as_ref(), timeout, stop)?;
        Ok(Self {
            stream,
            protocol,
            work,
            timeout,
            stop,
            rest: Vec::new(),
            over: false,
        })
    }

    /// Whether it takes no further requests.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Sends the n-th request of the job, and reads its answer. (A dialog has only one.)
    pub(super) fn ask(&mut self, n: usize) -> Result<Answer, Failure> {
        self.ask_with(n, |stream, request| stream.write_all(request))
    }

    /// Sends a part of the n-th request, without its last byte.
    pub(super) fn send_but_last(&mut self, n: usize, send: Send) -> Result<(), Failure> {
        let (request, _) = self.work.pair(n);
        let part = &request[..request.len().saturating_sub(1)];
        send(&mut self.stream, part).map_err(|error| not_sent(&error))
    }

    /// Waits for bytes that must not come yet.
    pub(super) fn nothing_yet(&mut self, wait: Duration) -> Result<(), Failure> {
        let mut got = Vec::new();
        self.stream.overhear(&mut got, wait);
        if got.is_empty() {
            Ok(())
        } else {
            Err(too_early(&got))
        }
    }

    /// Sends the n-th request, or what is left of it, in a way of its own, and reads its answer. (A dialog sends its request
    /// itself.)
    pub(super) fn ask_with(&mut self, n: usize, send: Send) -> Result<Answer, Failure> {
        let waited = Waited::new(self.timeout, self.stop);
        match &mut self.protocol {
            Protocol::InOrder(wire) => {
                let (request, expected) = self.work.pair(n);
                send(&mut self.stream, request).map_err(|error| not_sent(&error))?;
                let mut got = Vec::new();
                let (len, last) = read(&mut self.stream, &mut **wire, &waited, &mut got, expected)?;
                self.rest = got.split_off(len);
                self.over = last;
                if last {
                    more(&self.rest)?;
                }
                let field = |name| wire.field(&got, expected, name);
                Ok(Answer {
                    body: wire
                        .body(&got, expected)
                        .and_then(|body| decoded(body, field("content-encoding").as_deref())),
                    date: field("date"),
                    shown: got,
                })
            }
            Protocol::Dialog(dialog) => {
                let mut talk = Talk {
                    stream: &mut self.stream,
                    dialog: &mut **dialog,
                    rest: &mut self.rest,
                    seen: Vec::new(),
                };
                self.over = talk.ask(&waited)?;
                let kept = dialog.kept().cloned().unwrap_or_default();
                Ok(Answer {
                    shown: kept.text(),
                    date: kept.field("date").map(<[u8]>::to_vec),
                    body: decoded(kept.body.clone(), kept.field("content-encoding")),
                })
            }
        }
    }

    /// Checks that nothing follows an answer.
    pub(super) fn nothing_more(&mut self) -> Result<(), Failure> {
        if let Protocol::Dialog(dialog) = &mut self.protocol {
            let mut talk = Talk {
                stream: &mut self.stream,
                dialog: &mut **dialog,
                rest: &mut self.rest,
                seen: Vec::new(),
            };
            return talk.nothing_more();
        }
        if self.rest.is_empty() {
            self.stream.overhear(&mut self.rest, QUIET);
        }
        more(&self.rest)
    }
}

/// A body without its content coding; none where that cannot be undone.
fn decoded(body: Vec<u8>, encoding: Option<&[u8]>) -> Option<Vec<u8>> {
    match Coding::named(encoding) {
        None => Some(body),
        Some(coding) => coding.decode(&body, LONGEST).ok(),
    }
}

/// The fault of what follows an answer.
fn more(rest: &[u8]) -> Result<(), Failure> {
    if rest.is_empty() {
        return Ok(());
    }
    let more = show::bytes(rest);
    Err((
        FaultKind::Unasked,
        format!("more than one answer: {more} followed it"),
    ))
}

pub(super) fn not_sent(error: &io::Error) -> Failure {
    let what = format!("it could not be sent ({error}): does the server still listen there?");
    (FaultKind::Died, what)
}

/// The fault of bytes that came before the request was whole.
fn too_early(got: &[u8]) -> Failure {
    let what = format!(
        "an answer before its last byte was sent: it cannot have been read\n  expected nothing yet\n  got      {}",
        show::bytes(got)
    );
    (FaultKind::Unasked, what)
}

/// How long an answer may take.
struct Waited<'a> {
    timeout: Duration,
    deadline: Instant,
    stop: &'a AtomicBool,
}

impl<'a> Waited<'a> {
    fn new(timeout: Duration, stop: &'a AtomicBool) -> Self {
        Self {
            timeout,
            deadline: Instant::now() + timeout,
            stop,
        }
    }

    /// Reads some bytes. Returns whether the server has closed.
    fn read(&self, stream: &mut Channel, got: &mut Vec<u8>) -> Result<bool, Failure> {
        loop {
            let left = self.deadline.saturating_duration_since(Instant::now());
            return match stream.read_more(got, left.min(LONGEST_WAIT)) {
                // An answer without an end has hung, too.
                Ok(false) if left.is_zero() => Err(self.hung(got, "more bytes came all the time")),
                Ok(closed) => stream.broken().map_or(Ok(closed), Err),
                Err(_) if left > LONGEST_WAIT && !self.stop.load(Ordering::Relaxed) => continue,
                Err(error) => Err(self.hung(got, &error.to_string())),
            };
        }
    }

    fn hung(&self, got: &[u8], why: &str) -> Failure {
        let (seconds, got) = (self.timeout.as_secs_f64(), show::bytes(got));
        let what = format!("no whole answer within {seconds} s ({why}), of which it had sent {got}");
        (FaultKind::Hung, what)
    }
}

/// Reads an answer to its end. Returns its length, and whether the connection ended with it.
fn read(
    stream: &mut Channel,
    wire: &mut dyn Wire,
    waited: &Waited<'_>,
    got: &mut Vec<u8>,
    expected: &[u8],
) -> Result<(usize, bool), Failure> {
    let (mut progress, mut from) = (Progress::Start, 0);
    loop {
        let closed = waited.read(stream, got)?;
        if got.len() > LONGEST_ANSWER {
            let what = format!("more than {LONGEST_ANSWER} bytes and no end of its answer; it had sent");
            return Err((FaultKind::Wrong, format!("{what} {}", show::bytes(got))));
        }
        if from >= got.len() && !closed {
            continue;
        }
        match wire.judge(&got[from.min(got.len())..], expected, &mut progress, closed) {
            Judged::Right { len, last, .. } => return Ok((from + len, last || closed)),
            Judged::Wrong { why } => {
                return Err((FaultKind::Wrong, format!("a wrong answer:\n  {why}")));
            }
            Judged::Partial { .. } if closed => return Err(closed_early(got)),
            Judged::Partial { taken, skip, .. } => from += taken + skip,
        }
    }
}

fn closed_early(got: &[u8]) -> Failure {
    let got = show::bytes(got);
    let what = format!("the server closed before its answer was whole, of which it had sent {got}");
    (FaultKind::ClosedEarly, what)
}

/// A connection that is a dialog.
struct Talk<'a> {
    stream: &'a mut Channel,
    dialog: &'a mut dyn Dialog,
    rest: &'a mut Vec<u8>,
    /// All that was received since the request, for errors.
    seen: Vec<u8>,
}

impl Talk<'_> {
    /// Asks once. Returns whether the connection takes no further requests.
    fn ask(&mut self, waited: &Waited<'_>) -> Result<bool, Failure> {
        let (mut sent, mut news) = (false, News::default());
        loop {
            self.pay();
            if !sent && self.dialog.room(0) > 0 {
                let (mut out, now) = (Vec::new(), Times { intended: 0, sent: 0 });
                self.dialog.send(0, now, &mut out);
                self.write(&out);
                sent = true;
                // What came before is no part of the answer.
                self.seen.clear();
            }
            let before = self.seen.len();
            let closed = waited.read(self.stream, &mut self.seen)?;
            // Something of TLS alone.
            if self.seen.len() == before && !closed {
                continue;
            }
            self.rest.extend_from_slice(&self.seen[before..]);
            self.take(&mut news)?;
            if !news.taken_back.is_empty() {
                let what = "the server ended the connection (GOAWAY, or a refused stream) before it answered"
                    .to_owned();
                return Err((FaultKind::ClosedEarly, what));
            }
            if !news.answered.is_empty() {
                self.pay();
                return Ok(closed || news.ending);
            }
            if closed {
                return Err(closed_early(&self.seen));
            }
        }
    }

    /// Takes what was received.
    fn take(&mut self, news: &mut News) -> Result<(), Failure> {
        news.clear();
        let taken = self.dialog.take(0, self.rest, news);
        if taken.is_err() {
            // Why it ends.
            self.pay();
        }
        let taken = taken.map_err(|Breach { kind, why }| match kind {
            BreachKind::Answer(place) => (FaultKind::Wrong, format!("a wrong answer ({place}):\n  {why}")),
            BreachKind::Protocol => (FaultKind::Wrong, format!("a wrong answer:\n  {why}")),
            BreachKind::Unasked => (
                FaultKind::Unasked,
                format!("more than one answer: {why} followed it"),
            ),
            BreachKind::Ended => {
                let got = show::bytes(&self.seen);
                (
                    FaultKind::ClosedEarly,
                    format!("{why}; of which it had sent {got}"),
                )
            }
        })?;
        self.rest.drain(..taken.len);
        Ok(())
    }

    /// Sends what is owed.
    fn pay(&mut self) {
        let mut out = Vec::new();
        self.dialog.owed(0, &mut out);
        self.write(&out);
    }

    fn write(&mut self, bytes: &[u8]) {
        // The next read says what became of a connection that broke.
        let _ = self.stream.write_all(bytes);
    }

    /// Checks that no further answer follows. What the server asks for is no answer.
    fn nothing_more(&mut self) -> Result<(), Failure> {
        let quiet = Instant::now() + QUIET;
        loop {
            let left = quiet.saturating_duration_since(Instant::now());
            // A timeout is the right result, and a close of an idle connection is no fault either.
            if left.is_zero() || !matches!(self.stream.read_more(self.rest, left), Ok(false)) {
                return Ok(());
            }
            self.take(&mut News::default())?;
            self.pay();
        }
    }
}
