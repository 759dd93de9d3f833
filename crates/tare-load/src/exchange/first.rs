//! The first answers to a job's own requests, checked before anything is timed: each in full, and all of them for what
//! only several answers show: whether dates are fresh and go on, and whether rows are drawn at random.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use tare_model::fault::{Fault, FaultKind};

use super::link::{Answer, Failure, Link};
use super::{LONGEST_WAIT, unless_stopped};
use crate::address::Address;
use crate::check::{Draws, date, rows};
use crate::job::{Trial, Work};
use crate::show;

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

/// Checks the answer to the first request of a job, sent once, and where several are sent in turn to each of them: it is
/// judged in full, and nothing may follow it. If a date is expected, it must be within 2 s of this machine's clock. If random
/// rows are expected, 750 rows are asked for over four connections and must look drawn at random. A `thorough` check also asks
/// for odd numbers of rows, where a request has a number of them, and sees that dates go on: another one within 3 s. Works for
/// every job.
///
/// # Errors
/// As [`check`](super::check).
pub fn first_answer(
    address: &Address,
    work: &Work,
    timeout: Duration,
    thorough: bool,
    stop: &AtomicBool,
) -> Result<(), Fault> {
    let mut dates_go_on = thorough;
    for (number, trial) in work.trials.iter().enumerate() {
        let asker = Asker {
            address,
            work,
            number,
            timeout,
            thorough,
            dates_go_on,
            stop,
        };
        let result = asker.all(trial);
        unless_stopped(stop)?;
        result.map_err(|(kind, what)| {
            let request = work.requests.show(number as u32);
            Fault::new(kind, format!("{address}: the request {request}: {what}"))
        })?;
        // Once is enough: one program answers all of them.
        dates_go_on &= !trial.dated;
    }
    Ok(())
}

/// Asks a server for its answers, one after another.
struct Asker<'a> {
    address: &'a Address,
    work: &'a Work,
    /// The number of the request.
    number: usize,
    timeout: Duration,
    thorough: bool,
    /// Whether dates must go on.
    dates_go_on: bool,
    stop: &'a AtomicBool,
}

/// A right answer, with when it was asked for and received, in seconds since 1970.
struct Timed {
    answer: Answer,
    asked: i64,
    received: i64,
}

impl Asker<'_> {
    fn all(&self, trial: &Trial) -> Result<(), Failure> {
        let mut link = None;
        let first = self.ask(&mut link)?;
        let answered = Instant::now();
        if let Some(mut link) = link {
            link.nothing_more()?;
        }
        if let Some(rows) = trial.rows {
            self.draw(rows)?;
        }
        if self.thorough {
            trial.also.iter().try_for_each(|odd| self.also(odd))?;
        }
        if trial.dated {
            self.dates(&first, answered)?;
        }
        Ok(())
    }

    /// Asks a further request once.
    fn also(&self, work: &Work) -> Result<(), Failure> {
        let asked =
            Link::connect(self.address, work, self.timeout, self.stop).and_then(|mut link| link.ask(0));
        asked.map(drop).map_err(|(kind, what)| {
            let request = work.requests.show(0);
            (kind, format!("then the request {request}: {what}"))
        })
    }

    /// Asks once, over the connection of an earlier answer if it is still open.
    fn ask<'l>(&'l self, kept: &mut Option<Link<'l>>) -> Result<Timed, Failure> {
        let asked = now();
        let mut link = match kept.take() {
            Some(link) => link,
            None => Link::connect(self.address, self.work, self.timeout, self.stop)?,
        };
        let answer = link.ask(self.number)?;
        if !link.is_over() {
            *kept = Some(link);
        }
        Ok(Timed {
            answer,
            asked,
            received: now(),
        })
    }

    /// Asks for many rows, over several connections in turn.
    fn draw(&self, rows: u32) -> Result<(), Failure> {
        let mut draws = Draws::new(rows, DRAWS, ALARM);
        let mut links: [Option<Link<'_>>; CONNECTIONS] = Default::default();
        let (mut rows_seen, mut turn) = (0, 0);
        while rows_seen < DRAWS as usize {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let answer = self.ask(&mut links[turn % CONNECTIONS])?.answer;
            turn += 1;
            let found = answer.body.and_then(|body| rows::read(&body)).unwrap_or_default();
            rows_seen += found.len();
            let drawn = if found.is_empty() {
                Err("the answer holds no row".to_owned())
            } else {
                found.iter().try_for_each(|(id, _)| draws.add(*id))
            };
            drawn.map_err(|why| {
                let answer = show::bytes(&answer.shown);
                (
                    FaultKind::Wrong,
                    format!("a wrong answer:\n  {why}\n  got      {answer} last"),
                )
            })?;
        }
        Ok(())
    }

    /// Checks the date of the first answer, which came at `answered`, and that later dates go on from it.
    fn dates(&self, first: &Timed, answered: Instant) -> Result<(), Failure> {
        let before = self.date_of(first)?;
        let mut wait = GOES_ON;
        if !self.dates_go_on {
            return Ok(());
        }
        loop {
            self.pause(wait.saturating_sub(answered.elapsed()));
            let last_chance = answered.elapsed() >= STANDS_STILL;
            let later = self.ask(&mut None)?;
            if self.date_of(&later)? > before || self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            if last_chance {
                return Err(wrong_date(&later, "it was the same 3 s before: dates must go on"));
            }
            wait = answered.elapsed() + LONGEST_WAIT;
        }
    }

    /// The date of an answer, which must be fresh.
    fn date_of(&self, answer: &Timed) -> Result<i64, Failure> {
        let value = answer.answer.date.as_deref();
        let Some(seconds) = value.and_then(date::parse) else {
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

fn wrong_date(answer: &Timed, why: &str) -> Failure {
    let got = show::bytes(&answer.answer.shown);
    (
        FaultKind::Wrong,
        format!("a wrong answer:\n  its Date: {why}\n  got      {got}"),
    )
}
