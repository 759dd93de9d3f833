//! The words of the protocol: a command, its answer, and everything that can be wrong with that.

use std::time::{Duration, Instant};

use tare_host::talk::{Heard, Talk};
use tare_model::fault::{Fault, FaultKind};
use tare_model::units::Seconds;

use crate::driver::{At, Stop};

/// The most bytes of an answer to `run`.
const LONGEST_RUN: usize = 4096;

/// After its output has closed, how long a process may take to have ended: then its end is the cause.
const DEATH_WITHIN: Duration = Duration::from_secs(1);

/// What `run` was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ran {
    /// Iterations asked for.
    pub n: u64,
    /// By the contender's clock, in nanoseconds.
    pub nanos: u64,
    /// Its checksum.
    pub sum: u32,
    /// From before the command was sent until its answer was here.
    pub took: Duration,
}

/// Asks for n iterations.
pub(crate) fn run(
    talk: &mut Talk,
    at: &mut At<'_>,
    n: u64,
    size: Option<u64>,
    wait: Duration,
) -> Result<Ran, Stop> {
    let command = command("run", n, size);
    let (text, took) = ask(talk, at, &command, wait, LONGEST_RUN)?;
    match parse_run(&text) {
        Some((nanos, sum)) => Ok(Ran { n, nanos, sum, took }),
        None => Err(not_understood(&command, &text, "ok NANOS CHECKSUM")),
    }
}

/// Asks for the whole result of an input, in hex.
pub(crate) fn show(
    talk: &mut Talk,
    at: &mut At<'_>,
    input: u64,
    size: Option<u64>,
    longest: usize,
) -> Result<String, Stop> {
    let command = command("show", input, size);
    let wait = at.group.timeout;
    let (text, _) = ask(talk, at, &command, wait, longest.max(LONGEST_RUN))?;
    match parse_show(&text) {
        Some(hex) => Ok(hex.to_owned()),
        None => Err(not_understood(&command, &text, "ok HEX")),
    }
}

/// Sends a command and waits for the line that answers it; the line, and the round trip.
fn ask(
    talk: &mut Talk,
    at: &mut At<'_>,
    command: &str,
    wait: Duration,
    longest: usize,
) -> Result<(String, Duration), Stop> {
    nothing_unasked(talk, &format!("before it was asked `{command}`"))?;
    let asked = Instant::now();
    if talk.say(command).is_err() {
        return Err(closed(at, command, ""));
    }
    let mut died = false;
    let heard = talk.hear(asked + wait, longest, || {
        died = at.process.died(FaultKind::Died).is_some();
        died || at.cancel.load(std::sync::atomic::Ordering::SeqCst)
    });
    match heard.map_err(unreadable)? {
        Heard::Line { text, at } => {
            let took = at.duration_since(asked);
            nothing_unasked(talk, &format!("after its answer to `{command}`"))?;
            Ok((text, took))
        }
        Heard::GivenUp if died => Err(closed(at, command, "")),
        Heard::GivenUp => Err(Stop::Interrupted),
        Heard::Closed(part) => Err(closed(at, command, &part)),
        Heard::Late(part) => Err(late(command, wait, &part)),
        Heard::TooLong(part) => Err(not_understood(command, &part, "one line that ends")),
    }
}

/// Whatever it has said that nobody asked for.
pub(crate) fn nothing_unasked(talk: &mut Talk, when: &str) -> Result<(), Stop> {
    match talk.unasked().map_err(unreadable)? {
        None => Ok(()),
        Some(text) => Err(Stop::fault(
            FaultKind::Unasked,
            format!(
                "{when} it said `{}`, which nobody had asked for\n\nhint: standard output is for answers, one line \
                 each; anything else goes to standard error",
                shown(&text)
            ),
        )),
    }
}

fn closed(at: &mut At<'_>, command: &str, part: &str) -> Stop {
    at.process.dies_within(DEATH_WITHIN, FaultKind::Died);
    let before = match part {
        "" => "without an answer".to_owned(),
        part => format!("after `{}`", shown(part)),
    };
    Stop::fault(
        FaultKind::ClosedEarly,
        format!("asked `{command}`, it closed its output {before}"),
    )
}

fn late(command: &str, wait: Duration, part: &str) -> Stop {
    let so_far = match part {
        "" => String::new(),
        part => format!(
            "; so far it has said `{}`, without the end of the line",
            shown(part)
        ),
    };
    Stop::fault(
        FaultKind::Hung,
        format!(
            "asked `{command}`, it has not answered within {}{so_far}",
            Seconds::from_duration(wait)
        ),
    )
}

fn not_understood(command: &str, answer: &str, expected: &str) -> Stop {
    let text = match answer.strip_prefix("error") {
        Some(why) => format!("asked `{command}`, it answered `error`: {}", shown(why.trim())),
        None => format!(
            "asked `{command}`, it answered `{}`, expected `{expected}`",
            shown(answer)
        ),
    };
    Stop::fault(FaultKind::Wrong, text)
}

fn unreadable(error: std::io::Error) -> Stop {
    Stop::Fault(Fault::new(
        FaultKind::Instrument,
        format!("cannot read a contender's output: {error}"),
    ))
}

fn command(word: &str, number: u64, size: Option<u64>) -> String {
    match size {
        None => format!("{word} {number}"),
        Some(size) => format!("{word} {number} {size}"),
    }
}

fn parse_run(line: &str) -> Option<(u64, u32)> {
    let mut words = line.strip_prefix("ok ")?.split(' ');
    let (nanos, sum) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some((nanos, sum))
}

fn parse_show(line: &str) -> Option<&str> {
    let hex = line.strip_prefix("ok")?;
    match hex.strip_prefix(' ') {
        Some(hex) if !hex.contains(' ') => Some(hex),
        None if hex.is_empty() => Some(""),
        _ => None,
    }
}

/// The first 120 characters, those escaped that would disturb a terminal.
fn shown(text: &str) -> String {
    let mut out: String = text.chars().take(120).flat_map(char::escape_debug).collect();
    if text.chars().count() > 120 {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_to_the_letter() {
        assert_eq!(parse_run("ok 12 4294967295"), Some((12, u32::MAX)));
        for bad in [
            "",
            "ok",
            "ok 1",
            "ok 1 2 3",
            "ok  1 2",
            "ok 1 2 ",
            "ok -1 2",
            "ok 1 4294967296",
            "ok 1.5 2",
            "okay 1 2",
            "OK 1 2",
            "12 34",
            "ok 1 2\r",
        ] {
            assert_eq!(parse_run(bad), None, "{bad}");
        }
        assert_eq!(parse_show("ok 7b7d"), Some("7b7d"));
        assert_eq!(parse_show("ok "), Some(""));
        assert_eq!(parse_show("ok"), Some(""));
        for bad in ["okay", "7b", "ok 7b 7d", "error no"] {
            assert_eq!(parse_show(bad), None, "{bad}");
        }
    }
}
