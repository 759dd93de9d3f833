//! The words of the protocol: a command, its answer, and everything that can be wrong with that.

use std::time::{Duration, Instant};

use tare_host::groups::Memory;
use tare_host::talk::{Heard, Talk};
use tare_model::fault::{Fault, FaultKind};
use tare_model::units::{Bytes, Seconds};

use crate::driver::{At, Stop};

/// The most bytes of an answer to `run`, and of one to a message.
const LONGEST_RUN: usize = 4096;

/// The most that a process may grow by while it answers a message.
const MOST_GROWTH: Bytes = Bytes(1 << 30);

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

/// What a word about messages was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// `ok`, with the hex digits behind it.
    Ok(String),
    /// `error`, with the reason, safe to be shown.
    Refused(String),
}

/// What is asked, and what of the answer is waited for.
struct Question<'q> {
    line: &'q str,
    wait: Duration,
    /// The most bytes.
    longest: usize,
    /// The resident memory at which it is given up; none: it may have what it likes.
    most: Option<Bytes>,
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
    let question = Question {
        line: &command,
        wait,
        longest: LONGEST_RUN,
        most: None,
    };
    let (text, took) = ask(talk, at, &question)?;
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
    let question = Question {
        line: &command,
        wait: at.group.timeout,
        longest: longest.max(LONGEST_RUN),
        most: None,
    };
    let (text, _) = ask(talk, at, &question)?;
    match parse_show(&text) {
        Some(hex) => Ok(hex.to_owned()),
        None => Err(not_understood(&command, &text, "ok HEX")),
    }
}

/// Asks `word argument`, which is about a message; the answer may be a refusal, and must not take 1 GiB.
pub(crate) fn message(
    talk: &mut Talk,
    at: &mut At<'_>,
    (word, argument): (&str, &str),
    longest: usize,
) -> Result<Said, Stop> {
    let command = format!("{word} {argument}");
    let before = at.process.group().memory();
    let most = allowed(before);
    let question = Question {
        line: &command,
        wait: at.group.timeout,
        longest: longest.max(LONGEST_RUN),
        most: Some(most),
    };
    let (text, _) = ask(talk, at, &question)?;
    if text.len() > question.longest {
        return Err(too_long(&question, &text));
    }
    // It may have had, and given back, between two looks what is too much.
    let peak = at.process.group().memory().peak;
    if peak > most {
        return Err(too_much(&command, peak, most));
    }
    match (parse_show(&text), parse_error(&text)) {
        (Some(hex), _) => Ok(Said::Ok(hex.to_owned())),
        (None, Some(why)) => Ok(Said::Refused(shown(why))),
        (None, None) => Err(not_understood(&command, &text, "ok HEX` or `error WHY")),
    }
}

/// What a process that has so much may come to have.
fn allowed(before: Memory) -> Bytes {
    Bytes(before.peak.0.max(before.now.0 + MOST_GROWTH.0))
}

/// Why an answer is waited for no longer.
enum GivenUp {
    Died,
    Interrupted,
    TooMuch(Bytes),
}

fn given_up(at: &mut At<'_>, question: &Question) -> Option<GivenUp> {
    if at.process.died(FaultKind::Died).is_some() {
        return Some(GivenUp::Died);
    }
    if at.cancel.load(std::sync::atomic::Ordering::SeqCst) {
        return Some(GivenUp::Interrupted);
    }
    let most = question.most?;
    let now = at.process.group().memory().now;
    (now > most).then_some(GivenUp::TooMuch(now))
}

/// Sends a command and waits for the line that answers it; the line, and the round trip.
fn ask(talk: &mut Talk, at: &mut At<'_>, question: &Question) -> Result<(String, Duration), Stop> {
    let command = question.line;
    nothing_unasked(talk, || format!("before it was asked `{}`", shown(command)))?;
    let asked = Instant::now();
    let mut why = None;
    let heard = talk.ask(command, asked + question.wait, question.longest, || {
        why = given_up(at, question);
        why.is_some()
    });
    match heard.map_err(unreadable)? {
        Heard::Line { text, at } => {
            let took = at.duration_since(asked);
            // The answer is shown too: it may be a greeting that came late, and what follows the true answer.
            nothing_unasked(talk, || {
                format!("after its answer `{}` to `{}`", shown(&text), shown(command))
            })?;
            Ok((text, took))
        }
        Heard::GivenUp => Err(match (why, question.most) {
            (Some(GivenUp::Died), _) => closed(at, command, ""),
            (Some(GivenUp::TooMuch(found)), Some(most)) => too_much(command, found, most),
            _ => Stop::Interrupted,
        }),
        Heard::Closed(part) => Err(closed(at, command, &part)),
        Heard::Late(part) => Err(late(command, question.wait, &part)),
        Heard::TooLong(part) => Err(too_long(question, &part)),
    }
}

/// Whatever it has said that nobody asked for.
pub(crate) fn nothing_unasked(talk: &mut Talk, when: impl FnOnce() -> String) -> Result<(), Stop> {
    match talk.unasked().map_err(unreadable)? {
        None => Ok(()),
        Some(text) => Err(Stop::fault(
            FaultKind::Unasked,
            format!(
                "{} it said `{}`, which nobody had asked for\n\nhint: standard output is for answers, one line each; \
                 anything else goes to standard error",
                when(),
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
        format!("asked `{}`, it closed its output {before}", shown(command)),
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
            "asked `{}`, it has not answered within {}{so_far}",
            shown(command),
            Seconds::from_duration(wait)
        ),
    )
}

fn too_much(command: &str, found: Bytes, most: Bytes) -> Stop {
    Stop::fault(
        FaultKind::Wrong,
        format!(
            "asked `{}`, it came to have {found} of memory, of which it may have {most}: it is to refuse or bound what \
             would take it {MOST_GROWTH} more",
            shown(command)
        ),
    )
}

fn too_long(question: &Question, answer: &str) -> Stop {
    let expected = format!("one line of at most {} characters", question.longest);
    not_understood(question.line, answer, &expected)
}

fn not_understood(command: &str, answer: &str, expected: &str) -> Stop {
    let command = shown(command);
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

/// The reason behind `error`, which may be none.
fn parse_error(line: &str) -> Option<&str> {
    let why = line.strip_prefix("error")?;
    (why.is_empty() || why.starts_with(' ')).then(|| why.trim())
}

/// The first 120 characters, those escaped that would disturb a terminal.
fn shown(text: &str) -> String {
    let mut letters = text.chars();
    let mut out: String = letters.by_ref().take(120).flat_map(char::escape_debug).collect();
    if letters.next().is_some() {
        out.push('…');
    }
    out
}

#[cfg(test)]
pub(crate) mod fuzz;
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
        for (line, why) in [
            ("error", Some("")),
            ("error no", Some("no")),
            ("errors", None),
            ("ok", None),
        ] {
            assert_eq!(parse_error(line), why, "{line}");
        }
    }

    #[test]
    fn what_it_once_had_it_may_have_again() {
        let of = |now: u64, peak: u64| {
            let before = Memory {
                now: Bytes(now << 30),
                peak: Bytes(peak << 30),
            };
            allowed(before).0 >> 30
        };
        assert_eq!((of(0, 0), of(1, 1), of(1, 5)), (1, 2, 5));
    }

    #[test]
    fn a_long_command_is_shown_by_its_beginning() {
        let long = format!("read {}", "ab".repeat(1000));
        assert_eq!(shown(&long).chars().count(), 121);
        let told = late(&long, Duration::from_secs(1), "");
        let Stop::Fault(fault) = told else {
            panic!("{told:?}")
        };
        assert!(
            fault.detail.contains("…`, it has not answered within 1.00 s"),
            "{fault}"
        );
    }
}
