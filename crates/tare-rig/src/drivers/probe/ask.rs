//! The probe protocol: a command, its answer, and everything that can be wrong with it.

use std::time::{Duration, Instant};

use tare_host::groups::Memory;
use tare_host::talk::{Heard, Talk};
use tare_model::fault::{Fault, FaultKind};
use tare_model::units::{Bytes, Seconds};

use crate::driver::{Abort, DriverContext, Reply};

/// The most bytes of an answer to `run`, and of one to a message.
const LONGEST_RUN: usize = 4096;

/// How much a process may grow while it answers a message.
const MOST_GROWTH: Bytes = Bytes(1 << 30);

/// How long to wait for the end of a process whose output has closed: if it ends, that is the cause.
const DEATH_WITHIN: Duration = Duration::from_secs(1);

/// The answer to `run`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ran {
    /// Iterations asked for.
    pub n: u64,
    /// By the contender's clock, in nanoseconds.
    pub nanos: u64,
    /// Its checksum.
    pub sum: u32,
    /// The round trip: from before the command was sent until its answer arrived.
    pub took: Duration,
}

/// A question, and the limits of its answer.
struct Question<'q> {
    line: &'q str,
    wait: Duration,
    /// The most bytes of the answer.
    longest: usize,
    /// The resident memory at which waiting ends; none: no limit.
    most: Option<Bytes>,
}

/// Runs n iterations.
pub(crate) fn run(
    talk: &mut Talk,
    context: &mut DriverContext<'_>,
    n: u64,
    size: Option<u64>,
    wait: Duration,
) -> Result<Ran, Abort> {
    let command = command("run", n, size);
    let question = Question {
        line: &command,
        wait,
        longest: LONGEST_RUN,
        most: None,
    };
    let (text, took) = ask(talk, context, &question)?;
    match parse_run(&text) {
        Some((nanos, sum)) => Ok(Ran { n, nanos, sum, took }),
        None => Err(not_understood(&command, &text, "ok NANOS CHECKSUM")),
    }
}

/// Asks for the whole result of an input, in hex.
pub(crate) fn show(
    talk: &mut Talk,
    context: &mut DriverContext<'_>,
    input: u64,
    size: Option<u64>,
    longest: usize,
) -> Result<String, Abort> {
    let command = command("show", input, size);
    let question = Question {
        line: &command,
        wait: context.group.timeout,
        longest: longest.max(LONGEST_RUN),
        most: None,
    };
    let (text, _) = ask(talk, context, &question)?;
    match parse_show(&text) {
        Some(hex) => Ok(hex.to_owned()),
        None => Err(not_understood(&command, &text, "ok HEX")),
    }
}

/// Asks `word argument` about a message. The answer may be a refusal, and must not take 1 GiB more memory.
pub(crate) fn message(
    talk: &mut Talk,
    context: &mut DriverContext<'_>,
    (word, argument): (&str, &str),
    longest: usize,
) -> Result<Reply, Abort> {
    let command = format!("{word} {argument}");
    let before = context.process.group().memory();
    let most = allowed(before);
    let question = Question {
        line: &command,
        wait: context.group.timeout,
        longest: longest.max(LONGEST_RUN),
        most: Some(most),
    };
    let (text, _) = ask(talk, context, &question)?;
    if text.len() > question.longest {
        return Err(too_long(&question, &text));
    }
    // It may have taken too much between two checks, and returned it.
    let peak = context.process.group().memory().peak;
    if peak > most {
        return Err(too_much(&command, peak, most));
    }
    match (parse_show(&text), parse_error(&text)) {
        (Some(hex), _) => Ok(Reply::Ok(hex.to_owned())),
        (None, Some(why)) => Ok(Reply::Refused(shown(why))),
        (None, None) => Err(not_understood(&command, &text, "ok HEX` or `error WHY")),
    }
}

/// The memory that a process with this much may grow to.
fn allowed(before: Memory) -> Bytes {
    Bytes(before.peak.0.max(before.now.0 + MOST_GROWTH.0))
}

/// Why waiting for an answer ended.
enum GivenUp {
    Died,
    Interrupted,
    TooMuch(Bytes),
}

fn given_up(context: &mut DriverContext<'_>, question: &Question) -> Option<GivenUp> {
    if context.process.died(FaultKind::Died).is_some() {
        return Some(GivenUp::Died);
    }
    if context.cancel.load(std::sync::atomic::Ordering::SeqCst) {
        return Some(GivenUp::Interrupted);
    }
    let most = question.most?;
    let now = context.process.group().memory().now;
    (now > most).then_some(GivenUp::TooMuch(now))
}

/// Sends a command and waits for its answer; returns the line and the round trip.
fn ask(
    talk: &mut Talk,
    context: &mut DriverContext<'_>,
    question: &Question,
) -> Result<(String, Duration), Abort> {
    let command = question.line;
    nothing_unasked(talk, || format!("before it was asked `{}`", shown(command)))?;
    let asked = Instant::now();
    let mut why = None;
    let heard = talk.ask(command, asked + question.wait, question.longest, || {
        why = given_up(context, question);
        why.is_some()
    });
    match heard.map_err(unreadable)? {
        Heard::Line { text, at } => {
            let took = at.duration_since(asked);
            // Shows the answer too: it may be a late greeting, followed by the true answer.
            nothing_unasked(talk, || {
                format!("after its answer `{}` to `{}`", shown(&text), shown(command))
            })?;
            Ok((text, took))
        }
        Heard::GivenUp => Err(match (why, question.most) {
            (Some(GivenUp::Died), _) => closed(context, command, ""),
            (Some(GivenUp::TooMuch(found)), Some(most)) => too_much(command, found, most),
            _ => Abort::Interrupted,
        }),
        Heard::Closed(part) => Err(closed(context, command, &part)),
        Heard::Late(part) => Err(late(command, question.wait, &part)),
        Heard::TooLong(part) => Err(too_long(question, &part)),
    }
}

/// Checks that it has said nothing unasked.
pub(crate) fn nothing_unasked(talk: &mut Talk, when: impl FnOnce() -> String) -> Result<(), Abort> {
    match talk.unasked().map_err(unreadable)? {
        None => Ok(()),
        Some(text) => Err(Abort::fault(
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

fn closed(context: &mut DriverContext<'_>, command: &str, part: &str) -> Abort {
    context.process.dies_within(DEATH_WITHIN, FaultKind::Died);
    let before = match part {
        "" => "without an answer".to_owned(),
        part => format!("after `{}`", shown(part)),
    };
    Abort::fault(
        FaultKind::ClosedEarly,
        format!("asked `{}`, it closed its output {before}", shown(command)),
    )
}

fn late(command: &str, wait: Duration, part: &str) -> Abort {
    let so_far = match part {
        "" => String::new(),
        part => format!(
            "; so far it has said `{}`, without the end of the line",
            shown(part)
        ),
    };
    Abort::fault(
        FaultKind::Hung,
        format!(
            "asked `{}`, it has not answered within {}{so_far}",
            shown(command),
            Seconds::from_duration(wait)
        ),
    )
}

fn too_much(command: &str, found: Bytes, most: Bytes) -> Abort {
    Abort::fault(
        FaultKind::Wrong,
        format!(
            "asked `{}`, it came to have {found} of memory, of which it may have {most}: it is to refuse or bound what \
             would take it {MOST_GROWTH} more",
            shown(command)
        ),
    )
}

fn too_long(question: &Question, answer: &str) -> Abort {
    let expected = format!("one line of at most {} characters", question.longest);
    not_understood(question.line, answer, &expected)
}

fn not_understood(command: &str, answer: &str, expected: &str) -> Abort {
    let command = shown(command);
    let text = match answer.strip_prefix("error") {
        Some(why) => format!("asked `{command}`, it answered `error`: {}", shown(why.trim())),
        None => format!(
            "asked `{command}`, it answered `{}`, expected `{expected}`",
            shown(answer)
        ),
    };
    Abort::fault(FaultKind::Wrong, text)
}

fn unreadable(error: std::io::Error) -> Abort {
    Abort::Fault(Fault::new(
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

/// The reason after `error`, possibly empty.
fn parse_error(line: &str) -> Option<&str> {
    let why = line.strip_prefix("error")?;
    (why.is_empty() || why.starts_with(' ')).then(|| why.trim())
}

/// The first 120 characters, with control characters escaped.
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
    fn answers_are_parsed_strictly() {
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
    fn memory_may_grow_to_its_earlier_peak() {
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
        let abort = late(&long, Duration::from_secs(1), "");
        let Abort::Fault(fault) = abort else {
            panic!("{abort:?}")
        };
        assert!(
            fault.detail.contains("…`, it has not answered within 1.00 s"),
            "{fault}"
        );
    }
}
