//! One generator process of a fleet, from within.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use tare_load::{Length, Load, Schedule, Target, limits};
use tare_remote::message::ToAgent;

use super::message::Message;
use super::outcome::GeneratorOutcome;

/// Source addresses that each process has to itself: more than one process can use.
pub(super) const SOURCES: u32 = 64;

/// How often progress is reported.
const PROGRESS_EVERY: Duration = Duration::from_secs(1);

/// One of the processes of a fleet.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    /// Its number, from 0.
    pub number: u32,
    /// Whether it reports its right answers once a second.
    pub progress: bool,
}

impl Member {
    /// What this process is to do: the first line of its standard input.
    ///
    /// # Errors
    /// There is no such line.
    pub fn order() -> io::Result<ToAgent> {
        let mut line = String::new();
        io::stdin().read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    }

    /// Takes part in a fleet over standard input and output: opens its connections, reports that, waits until all
    /// members have done so, drives its load, and reports what it saw. Sets `cancel` when its input ends.
    ///
    /// Returns false if its input ended before the load began: another member failed, or the fleet is gone.
    ///
    /// # Errors
    /// If standard output cannot be written to.
    pub fn take_part(
        self,
        load: &mut Load,
        target: Target,
        schedule: &Schedule,
        length: Length,
        cancel: &'static AtomicBool,
    ) -> io::Result<bool> {
        // Raises the limit of open files; the process that started this one has checked the other limits.
        limits::most_of_one_process();
        let go = watch(cancel);
        let mut target = target.from_source(self.number * SOURCES);
        if let Err(failed) = load.connect(&mut target, schedule.connections(), cancel) {
            say(&Message::Ended(Box::new(failed.into())))?;
            return Ok(true);
        }
        say(&Message::Ready)?;
        if go.recv().is_err() {
            return Ok(false);
        }
        say(&Message::Began)?;
        let outcome = self.drive(load, &mut target, schedule, length, cancel);
        say(&Message::Ended(Box::new(outcome)))?;
        Ok(true)
    }

    fn drive(
        self,
        load: &mut Load,
        target: &mut Target,
        schedule: &Schedule,
        length: Length,
        cancel: &AtomicBool,
    ) -> GeneratorOutcome {
        let onlooker = load.answer_counter();
        thread::scope(|scope| {
            let (over, ended) = channel::<()>();
            if self.progress {
                scope.spawn(move || {
                    while ended.recv_timeout(PROGRESS_EVERY) == Err(RecvTimeoutError::Timeout) {
                        // A fleet that is gone is noticed by the end of the input.
                        let _ = say(&Message::SoFar(onlooker.answers()));
                    }
                });
            }
            let outcome = load.run(target, schedule, length, cancel).into();
            // Ends the reports at once: none may follow the last message.
            drop(over);
            outcome
        })
    }
}

/// Watches the input: tells when the load is to begin, and sets `cancel` at its end, which is the end of the load, also while
/// connections are being opened.
fn watch(cancel: &'static AtomicBool) -> Receiver<()> {
    let (tell, go) = channel();
    thread::spawn(move || {
        let mut line = String::new();
        while io::stdin().read_line(&mut line).is_ok_and(|read| read > 0) {
            if matches!(serde_json::from_str(&line), Ok(ToAgent::Go)) {
                let _ = tell.send(());
            }
            line.clear();
        }
        cancel.store(true, Ordering::Relaxed);
    });
    go
}

/// Sends a message. A reader that is gone is no error: the end of the input says so.
pub(super) fn say(message: &Message) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out
        .write_all(message.line().as_bytes())
        .and_then(|()| out.flush())
    {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}
