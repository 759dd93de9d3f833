//! The first answers to a job's own requests, checked before anything is timed: each in full, and all of them for what
//! only several answers show: whether dates are fresh and go on, and whether rows are drawn at random.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use tare_model::fault::{Fault, FaultKind};

use super::stream::Stream;
use super::{LONGEST_WAIT, QUIET, unless_stopped};
use crate::address::Address;
use crate::check::{Draws, date, row};
use crate::job::Work;
use crate::show;
use crate::wire::{Judged, Progress, Wire};

/// The most seconds between a date and this machine's clock: dates are cut to whole seconds, and servers renew them once a
/// second.
const FRESH: i64 = 2;

/// The time after which a date should be another.
const GOES_ON: Duration = Duration::from_millis(1100);

/// The time after which a date must be another: a server that renews it once a second may be late.
const STANDS_STILL: Duration = Duration::from_millis(3000);

/// The number of rows that are asked for.
const DRAWS: u32 = 750;

/// The number of connections over which rows are asked for.
const CONNECTIONS: usize = 4;

/// The chance that honest draws fail the test.
const ALARM: f64 = 5e-10;

/// The most bytes that are kept of an answer without an end: 512 MiB, twice the largest body.
const LONGEST_ANSWER: usize = 512 << 20;

/// A fault before the address and the request are added to its text.
type Failure = (FaultKind, String);

/// Checks the answer to the first request of a job, sent once: it is judged in full, and nothing may follow it. If the job
/// expects a date, it must be within 2 s of this machine's clock and, with `dates_go_on`, another one within 3 s. If the job
/// expects random rows, 750 rows are asked for over four connections and must look drawn at random. Works for every job.
///
/// # Errors
/// As [`check`](super::check).
pub fn first_answer(
    address: &Address,
    work: &Work,
    timeout: Duration,
    dates_go_on: bool,
    stop: &AtomicBool,
) -> Result<(), Fault> {
    let mut wire = work.wire.fork();
    // Here each byte of each answer is checked, however large it is.
    wire.sample(1.0);
    let mut asker = Asker {
        address,
        work,
        timeout,
        dates_go_on,
        stop,
        wire,
    };
    let result = asker.all();
    unless_stopped(stop)?;
    result.map_err(|(kind, what)| {
        let request = work.requests.show(0);
        Fault::new(kind, format!("{address}: the request {request}: {what}"))
    })
}

/// Asks a server for its answers, one after another.
struct Asker<'a> {
    address: &'a Address,
    work: &'a Work,
    timeout: Duration,
    dates_go_on: bool,
    stop: &'a AtomicBool,
    wire: Box<dyn Wire>,
}

/// A right answer.
struct Answer {
    bytes: Vec<u8>,
    len: usize,
    /// Whether the connection has ended with it.
    last: bool,
    /// When it was asked for and received, in seconds since 1970.
    asked: i64,
    received: i64,
}

impl Asker<'_> {
    fn all(&mut self) -> Result<(), Failure> {
        let mut stream = None;
        let mut first = self.ask(&mut stream)?;
        let answered = Instant::now();
        nothing_more(&mut stream, &mut first)?;
        if let Some(rows) = self.work.trial.rows {
            self.draw(rows)?;
        }
        if self.work.trial.dated {
            self.dates(&first, answered)?;
        }
        Ok(())
    }

    /// Asks once, over the connection of an earlier answer if it is still open.
    fn ask(&mut self, kept: &mut Option<Stream>) -> Result<Answer, Failure> {
        let asked = now();
        let (request, expected) = self.work.pair(0);
        let begun = match kept.take() {
            Some(stream) => Ok(stream),
            None => Stream::connect(self.address, self.timeout),
        };
        let begun = begun.and_then(|mut stream| stream.write_all(request).map(|()| stream));
        let mut stream = begun.map_err(|error| {
            let what = format!("it could not be sent ({error}): does the server still listen there?");
            (FaultKind::Died, what)
        })?;
        let mut bytes = Vec::new();
        let (len, last) = self.read(&mut stream, &mut bytes, expected)?;
        if !last {
            *kept = Some(stream);
        }
        Ok(Answer {
            bytes,
            len,
            last,
            asked,
            received: now(),
        })
    }

    /// Reads an answer to its end. Returns its length, and whether the connection ended with it.
    fn read(
        &mut self,
        stream: &mut Stream,
        got: &mut Vec<u8>,
        expected: &[u8],
    ) -> Result<(usize, bool), Failure> {
        let deadline = Instant::now() + self.timeout;
        let (mut progress, mut from) = (Progress::Start, 0);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let closed = match stream.read_more(got, left.min(LONGEST_WAIT)) {
                // An answer without an end has hung, too.
                Ok(false) if left.is_zero() => return Err(self.hung(got, "more bytes came all the time")),
                Ok(closed) => closed,
                Err(_) if left > LONGEST_WAIT && !self.stop.load(Ordering::Relaxed) => continue,
                Err(error) => return Err(self.hung(got, &error.to_string())),
            };
            if got.len() > LONGEST_ANSWER {
                let what = format!("more than {LONGEST_ANSWER} bytes and no end of its answer; it had sent");
                return Err((FaultKind::Wrong, format!("{what} {}", show::bytes(got))));
            }
            if from >= got.len() && !closed {
                continue;
            }
            match self
                .wire
                .judge(&got[from.min(got.len())..], expected, &mut progress, closed)
            {
                Judged::Right { len, last, .. } => return Ok((from + len, last || closed)),
                Judged::Wrong { why } => {
                    return Err((FaultKind::Wrong, format!("a wrong answer:\n  {why}")));
                }
                Judged::Partial { .. } if closed => {
                    let got = show::bytes(got);
                    let what =
                        format!("the server closed before its answer was whole, of which it had sent {got}");
                    return Err((FaultKind::ClosedEarly, what));
                }
                Judged::Partial { taken, skip, .. } => from += taken + skip,
            }
        }
    }

    fn hung(&self, got: &[u8], why: &str) -> Failure {
        let (seconds, got) = (self.timeout.as_secs_f64(), show::bytes(got));
        let what = format!("no whole answer within {seconds} s ({why}), of which it had sent {got}");
        (FaultKind::Hung, what)
    }

    /// Asks for many rows, over several connections in turn.
    fn draw(&mut self, rows: u32) -> Result<(), Failure> {
        let mut draws = Draws::new(rows, DRAWS, ALARM);
        let mut streams: [Option<Stream>; CONNECTIONS] = Default::default();
        for n in 0..DRAWS as usize {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let answer = self.ask(&mut streams[n % CONNECTIONS])?;
            let body = self.wire.body(&answer.bytes[..answer.len]);
            let drawn = match body.and_then(|body| row::id(&body, rows)) {
                Some(id) => draws.add(id),
                None => Err("the answer holds no row".to_owned()),
            };
            drawn.map_err(|why| {
                let answer = show::bytes(&answer.bytes[..answer.len]);
                (
                    FaultKind::Wrong,
                    format!("a wrong answer:\n  {why}\n  got      {answer} last"),
                )
            })?;
        }
        Ok(())
    }

    /// Checks the date of the first answer, which came at `answered`, and that later dates go on from it.
    fn dates(&mut self, first: &Answer, answered: Instant) -> Result<(), Failure> {
        let before = self.date_of(first)?;
        let mut wait = GOES_ON;
        while self.dates_go_on {
            self.pause(wait.saturating_sub(answered.elapsed()));
            let last_chance = answered.elapsed() >= STANDS_STILL;
            let later = self.ask(&mut None)?;
            if self.date_of(&later)? > before || self.stop.load(Ordering::Relaxed) {
                break;
            }
            if last_chance {
                return Err(wrong_date(&later, "it was the same 3 s before: dates must go on"));
            }
            wait = answered.elapsed() + LONGEST_WAIT;
        }
        Ok(())
    }

    /// The date of an answer, which must be fresh.
    fn date_of(&self, answer: &Answer) -> Result<i64, Failure> {
        let value = self.wire.field(&answer.bytes[..answer.len], "date");
        let Some(seconds) = value.and_then(|value| date::parse(&value)) else {
            let why = "it is not a date such as `Sat, 21 Nov 2026 20:00:00 GMT`";
            return Err(wrong_date(answer, why));
        };
        if !(answer.asked - FRESH..=answer.received + FRESH).contains(&seconds) {
            let off = seconds - answer.received;
            let side = if off < 0 { "behind" } else { "ahead of" };
            let why = format!(
                "it is {} s {side} this machine's clock; 2 s are allowed",
                off.abs()
            );
            return Err(wrong_date(answer, &why));
        }
        Ok(seconds)
    }

    fn pause(&self, length: Duration) {
        let begun = Instant::now();
        while begun.elapsed() < length && !self.stop.load(Ordering::Relaxed) {
            thread::sleep(length.saturating_sub(begun.elapsed()).min(LONGEST_WAIT));
        }
    }
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() as i64)
}

fn wrong_date(answer: &Answer, why: &str) -> Failure {
    let got = show::bytes(&answer.bytes[..answer.len]);
    (
        FaultKind::Wrong,
        format!("a wrong answer:\n  its Date: {why}\n  got      {got}"),
    )
}

/// Checks that nothing follows an answer.
fn nothing_more(stream: &mut Option<Stream>, answer: &mut Answer) -> Result<(), Failure> {
    if answer.bytes.len() == answer.len
        && !answer.last
        && let Some(stream) = stream
    {
        // A timeout is the right result, and a close of an idle connection is no fault either.
        let _ = stream.read_more(&mut answer.bytes, QUIET);
    }
    if answer.bytes.len() > answer.len {
        let more = show::bytes(&answer.bytes[answer.len..]);
        return Err((
            FaultKind::Unasked,
            format!("more than one answer: {more} followed it"),
        ));
    }
    Ok(())
}
