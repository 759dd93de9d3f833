//! A job's own requests, asked before anything is timed: each answer is judged in full, and what only several can
//! tell: whether dates are fresh and go on, whether rows are drawn at random.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use tare_model::fault::{Fault, FaultKind};

use super::stream::Stream;
use super::{LONGEST_WAIT, QUIET, unless_stopped};
use crate::address::Address;
use crate::job::{FindRow, Work};
use crate::show;
use crate::wire::http1::{self, Draws, date};
use crate::wire::{Judged, Progress, Wire};

/// How far a date may be from this machine's clock, in seconds: it is cut to whole ones, and servers renew it once a
/// second.
const FRESH: i64 = 2;

/// After so long a date should be another, and after so long it must be: what renews it once a second may be late.
const GOES_ON: Duration = Duration::from_millis(1100);
const STANDS_STILL: Duration = Duration::from_millis(3000);

/// Rows that are asked for, over how many connections, and the chance that honest draws are found wanting.
const DRAWS: u32 = 750;
const CONNECTIONS: usize = 4;
const ALARM: f64 = 5e-10;

/// The most that is kept of an answer that has no end: 512 MiB, twice the largest body.
const LONGEST_ANSWER: usize = 512 << 20;

type Told = (FaultKind, String);

/// Checks a job's first request, sent once: its answer is judged in full, and nothing comes after it. Where the job
/// demands a date, it must be true to 2 s and, where `dates_go_on` is asked for, another within 3 s; where it demands random rows, 750 are asked for
/// over four connections, and must look drawn at random. Works for every job.
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
    // Here each byte of each answer counts, however large.
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
        let request = work.pool.show(0);
        Fault::new(kind, format!("{address}: the request {request}: {what}"))
    })
}

/// Asks one server for its answers, one after another.
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
    fn all(&mut self) -> Result<(), Told> {
        let mut stream = None;
        let mut first = self.ask(&mut stream)?;
        let answered = Instant::now();
        nothing_more(&mut stream, &mut first)?;
        if let Some((rows, find)) = self.work.trial.rows {
            self.draw(rows, find)?;
        }
        if self.work.trial.dated {
            self.dates(&first, answered)?;
        }
        Ok(())
    }

    /// Asks once, over a connection that may still be open from before.
    fn ask(&mut self, kept: &mut Option<Stream>) -> Result<Answer, Told> {
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

    /// Reads an answer to its end; its length, and whether the connection ended with it.
    fn read(
        &mut self,
        stream: &mut Stream,
        got: &mut Vec<u8>,
        expected: &[u8],
    ) -> Result<(usize, bool), Told> {
        let deadline = Instant::now() + self.timeout;
        let (mut progress, mut from) = (Progress::Start, 0);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let closed = match stream.read_more(got, left.min(LONGEST_WAIT)) {
                // Also of one that goes on and on.
                Ok(false) if left.is_zero() => return Err(self.hung(got, "more came all the time")),
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

    fn hung(&self, got: &[u8], why: &str) -> Told {
        let (seconds, got) = (self.timeout.as_secs_f64(), show::bytes(got));
        let what = format!("no whole answer within {seconds} s ({why}), of which it had sent {got}");
        (FaultKind::Hung, what)
    }

    /// Asks for many rows, over several connections in turn.
    fn draw(&mut self, rows: u32, find: FindRow) -> Result<(), Told> {
        let mut draws = Draws::new(rows, DRAWS, ALARM);
        let mut streams: [Option<Stream>; CONNECTIONS] = Default::default();
        for n in 0..DRAWS as usize {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let answer = self.ask(&mut streams[n % CONNECTIONS])?;
            let drawn = match find(&answer.bytes[..answer.len], rows) {
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

    /// Judges the date of the first answer, which came at `answered`, and whether later ones go on from it.
    fn dates(&mut self, first: &Answer, answered: Instant) -> Result<(), Told> {
        let before = date_of(first)?;
        let mut wait = GOES_ON;
        while self.dates_go_on {
            self.pause(wait.saturating_sub(answered.elapsed()));
            let last_chance = answered.elapsed() >= STANDS_STILL;
            let later = self.ask(&mut None)?;
            if date_of(&later)? > before || self.stop.load(Ordering::Relaxed) {
                break;
            }
            if last_chance {
                return Err(wrong_date(&later, "it was the same 3 s before: dates must go on"));
            }
            wait = answered.elapsed() + LONGEST_WAIT;
        }
        Ok(())
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

/// The date of an answer, which must be fresh.
fn date_of(answer: &Answer) -> Result<i64, Told> {
    let bytes = &answer.bytes[..answer.len];
    // Right answers have been parsed, and have the field, since the job demands it.
    let parsed = http1::parse(bytes, false, true).ok();
    let value = parsed.and_then(|parsed| parsed.field(bytes, "date").map(<[u8]>::to_vec));
    let Some(seconds) = value.and_then(|value| date::parse(&value)) else {
        let why = "it is no date such as `Sat, 21 Nov 2026 20:00:00 GMT`";
        return Err(wrong_date(answer, why));
    };
    match (answer.asked - FRESH..=answer.received + FRESH).contains(&seconds) {
        true => Ok(seconds),
        false => {
            let off = seconds - answer.received;
            let side = if off < 0 { "behind" } else { "ahead of" };
            let why = format!(
                "it is {} s {side} this machine's clock; 2 s are allowed",
                off.abs()
            );
            Err(wrong_date(answer, &why))
        }
    }
}

fn wrong_date(answer: &Answer, why: &str) -> Told {
    let got = show::bytes(&answer.bytes[..answer.len]);
    (
        FaultKind::Wrong,
        format!("a wrong answer:\n  its Date: {why}\n  got      {got}"),
    )
}

fn nothing_more(stream: &mut Option<Stream>, answer: &mut Answer) -> Result<(), Told> {
    if answer.bytes.len() == answer.len
        && !answer.last
        && let Some(stream) = stream
    {
        // Quiet is what is hoped for; a close of an idle connection is no fault either.
        let _ = stream.read_more(&mut answer.bytes, QUIET);
    }
    match answer.bytes.len() > answer.len {
        true => Err((
            FaultKind::Unasked,
            format!(
                "more than one answer: {} followed it",
                show::bytes(&answer.bytes[answer.len..])
            ),
        )),
        false => Ok(()),
    }
}
