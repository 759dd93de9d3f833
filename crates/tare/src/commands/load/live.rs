//! A line with the answers so far, once a second, on a terminal.

use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tare_model::units::PerSecond;

use crate::context::Context;

/// Updates the line until it is dropped.
pub struct Live {
    over: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Whether to show it: standard error is a terminal, and not with --quiet.
pub fn wanted(context: &Context) -> bool {
    !context.common.quiet && context.redraws
}

/// Shows the line. `answers`: the number of correct answers so far.
pub fn show(answers: impl Fn() -> u64 + Send + 'static) -> Live {
    let (over, ended) = channel::<()>();
    let thread = thread::spawn(move || {
        let (began, mut before) = (Instant::now(), (Instant::now(), 0));
        while ended.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
            let now = (Instant::now(), answers());
            write(&line(began.elapsed(), before.1, now.1, now.0 - before.0));
            before = now;
        }
        write("");
    });
    Live {
        over: Some(over),
        thread: Some(thread),
    }
}

/// `12 s   345,678 answers   45,678/s`: the rate since the line before.
fn line(since: Duration, before: u64, now: u64, between: Duration) -> String {
    let rate = now.saturating_sub(before) as f64 / between.as_secs_f64().max(1e-9);
    format!(
        "{:>4.0} s   {now} answers   {}",
        since.as_secs_f64(),
        PerSecond(rate)
    )
}

/// Replaces the line (CSI K clears to its end).
fn write(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = write!(err, "\r{text}\x1b[K").and_then(|()| err.flush());
}

impl Drop for Live {
    fn drop(&mut self) {
        self.over = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_the_rate_since_the_one_before() {
        let text = line(Duration::from_secs(12), 1000, 3000, Duration::from_secs(2));
        assert!(text.starts_with("  12 s   3000 answers   "), "{text}");
        assert!(text.ends_with(&PerSecond(1000.0).to_string()), "{text}");
    }
}
