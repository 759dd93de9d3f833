//! `evidence`, `subjects`: one row each. What a subject has thousands of is kept as texts of lines with tabs between
//! (`subject_lines`):
//!
//! | text | a line |
//! |---|---|
//! | `glances` | look, round, ops, thawed, cpu, memory, voluntary, involuntary, minor, major, processes |
//! | `threads` | the glance by its place, name, cpu, waited |
//! | `calls` | the glance by its place, name, count, bytes |
//! | `names` | a name of a thread of the profile |
//! | `frames` | 1 if its own, image, symbol |
//! | `compiled` | methods, bytes: one line, where it is known |
//! | `stacks` | round, thread, nanoseconds, frames with blanks between |

use std::fmt::Write;
use std::str::FromStr;

use rusqlite::{Connection, OptionalExtension, Result, Row};
use tare_model::evidence::{
    Calls, Collector, Compiled, Counters, Evidence, Frame, Glance, Look, Profile, Stack, Subject, ThreadTime,
};
use tare_model::fault::{Fault, FaultKind};
use tare_model::units::{Bytes, Seconds};

use crate::sql::{all, bad, bits, count, insert, parse, parse_some, real};

/// Keeps the evidence of one question.
pub(crate) fn keep(connection: &Connection, run: i64, evidence: &Evidence) -> Result<()> {
    let key = insert(
        connection,
        "evidence",
        &[
            ("run", &run),
            ("made", &evidence.made),
            ("workload", &evidence.workload),
            ("case_name", &evidence.case),
            ("mode", &evidence.mode.name()),
            ("size", &evidence.size.map(bits)),
            ("a", &evidence.a.to_string()),
            ("b", &evidence.b.to_string()),
            ("floor", &evidence.floor.as_ref().map(ToString::to_string)),
            ("cores", &evidence.cores),
        ],
    )?;
    for (place, note) in (0i64..).zip(&evidence.notes) {
        insert(
            connection,
            "evidence_notes",
            &[("evidence", &key), ("place", &place), ("note", note)],
        )?;
    }
    for (place, subject) in (0i64..).zip(&evidence.subjects) {
        keep_subject(connection, key, place, subject)?;
    }
    Ok(())
}

fn keep_subject(connection: &Connection, evidence: i64, place: i64, subject: &Subject) -> Result<()> {
    let collector = subject.collector.as_ref();
    let key = insert(
        connection,
        "subjects",
        &[
            ("evidence", &evidence),
            ("place", &place),
            ("contender", &subject.id.to_string()),
            ("languages", &subject.languages.join(",")),
            ("instrumentation", &subject.instrumentation),
            ("symbols", &subject.symbols),
            (
                "fault_kind",
                &subject.fault.as_ref().map(|fault| fault.kind.name()),
            ),
            ("fault", &subject.fault.as_ref().map(|fault| &fault.detail)),
            ("collections", &collector.map(|told| bits(told.collections))),
            ("allocated", &collector.map(|told| bits(told.allocated))),
            ("paused", &collector.map(|told| told.paused.0)),
            ("ops", &collector.map(|told| bits(told.ops))),
        ],
    )?;
    let compiled = subject.compiled.iter();
    let compiled = compiled.map(|told| ("compiled", format!("{}\t{}\n", told.methods, told.bytes)));
    for (what, lines) in subject_lines(subject).into_iter().chain(compiled) {
        insert(
            connection,
            "subject_lines",
            &[("subject", &key), ("what", &what), ("lines", &lines)],
        )?;
    }
    Ok(())
}

/// What there may be much of: as lines of text, by what they are.
fn subject_lines(subject: &Subject) -> [(&'static str, String); 6] {
    [
        (
            "glances",
            lines(&subject.glances, |_, glance| glance_line(glance)),
        ),
        (
            "threads",
            parts(
                &subject.glances,
                |glance| &glance.counters.threads,
                |thread| format!("{}\t{}\t{}", escaped(&thread.name), thread.cpu.0, thread.waited.0),
            ),
        ),
        (
            "calls",
            parts(
                &subject.glances,
                |glance| &glance.calls,
                |call| format!("{}\t{}\t{}", escaped(&call.name), call.count, call.bytes),
            ),
        ),
        ("names", lines(&subject.profile.threads, |_, name| escaped(name))),
        (
            "frames",
            lines(&subject.profile.frames, |_, frame| {
                format!(
                    "{}\t{}\t{}",
                    u8::from(frame.own),
                    escaped(&frame.image),
                    escaped(&frame.symbol)
                )
            }),
        ),
        (
            "stacks",
            lines(&subject.profile.stacks, |_, stack| stack_line(stack)),
        ),
    ]
}

fn lines<T>(all: &[T], line: impl Fn(usize, &T) -> String) -> String {
    let mut text = String::new();
    for (place, one) in all.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line(place, one));
    }
    text
}

/// Lines of what each glance has several of, each after the glance's place.
fn parts<T>(glances: &[Glance], of: impl Fn(&Glance) -> &Vec<T>, line: impl Fn(&T) -> String) -> String {
    let mut text = String::new();
    for (place, glance) in glances.iter().enumerate() {
        for one in of(glance) {
            let _ = writeln!(text, "{place}\t{}", line(one));
        }
    }
    text
}

fn glance_line(glance: &Glance) -> String {
    let counters = &glance.counters;
    format!(
        "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
        glance.look.name(),
        glance.round,
        glance.ops,
        glance.thawed.0,
        glance.cpu.0,
        glance.memory.0,
        counters.voluntary,
        counters.involuntary,
        counters.minor,
        counters.major,
        counters.processes
    )
}

fn stack_line(stack: &Stack) -> String {
    let frames: Vec<String> = stack.frames.iter().map(u32::to_string).collect();
    format!(
        "{}\t{}\t{}\t{}",
        stack.round,
        stack.thread,
        stack.nanos,
        frames.join(" ")
    )
}

/// A text without tabs and ends of lines.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\t', "\\t")
        .replace('\n', "\\n")
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match (c, if c == '\\' { rest.next() } else { None }) {
            (_, Some('t')) => out.push('\t'),
            (_, Some('n')) => out.push('\n'),
            (_, Some(other)) => out.push(other),
            (c, None) => out.push(c),
        }
    }
    out
}

/// All evidence of a run, in the order in which it was collected.
pub(crate) fn read(connection: &Connection, run: i64) -> Result<Vec<Evidence>> {
    let heads = all(
        connection,
        "SELECT * FROM evidence WHERE run = ?1 ORDER BY evidence",
        [run],
        |row| Ok((row.get::<_, i64>("evidence")?, head(row)?)),
    )?;
    let with_parts = |(key, mut evidence): (i64, Evidence)| {
        evidence.notes = all(
            connection,
            "SELECT note FROM evidence_notes WHERE evidence = ?1 ORDER BY place",
            [key],
            |row| row.get(0),
        )?;
        evidence.subjects = subjects(connection, key)?;
        Ok(evidence)
    };
    heads.into_iter().map(with_parts).collect()
}

fn head(row: &Row) -> Result<Evidence> {
    let size: Option<i64> = row.get("size")?;
    Ok(Evidence {
        workload: row.get("workload")?,
        case: row.get("case_name")?,
        mode: parse(row, "mode")?,
        size: size.map(i64::cast_unsigned),
        made: row.get("made")?,
        cores: row.get("cores")?,
        a: parse(row, "a")?,
        b: parse(row, "b")?,
        floor: parse_some(row, "floor")?,
        subjects: Vec::new(),
        notes: Vec::new(),
    })
}

fn subjects(connection: &Connection, evidence: i64) -> Result<Vec<Subject>> {
    all(
        connection,
        "SELECT * FROM subjects WHERE evidence = ?1 ORDER BY place",
        [evidence],
        |row| {
            let key: i64 = row.get("subject")?;
            let text = |what: &str| -> Result<String> {
                connection
                    .prepare_cached("SELECT lines FROM subject_lines WHERE subject = ?1 AND what = ?2")?
                    .query_row((key, what), |row| row.get(0))
            };
            subject(row, text)
        },
    )
}

fn subject(row: &Row, text: impl Fn(&str) -> Result<String>) -> Result<Subject> {
    let languages: String = row.get("languages")?;
    let glances = text("glances")?;
    let mut glances = each(row, &glances, glance)?;
    for (place, thread) in each(row, &text("threads")?, thread)? {
        let glance = glances
            .get_mut(place)
            .ok_or_else(|| bad(row, "languages", &"a thread of no glance"))?;
        glance.counters.threads.push(thread);
    }
    for (place, call) in each(row, &text("calls")?, call)? {
        let glance = glances
            .get_mut(place)
            .ok_or_else(|| bad(row, "languages", &"a call of no glance"))?;
        glance.calls.push(call);
    }
    let profile = Profile {
        frames: each(row, &text("frames")?, frame)?,
        threads: each(row, &text("names")?, |line| Some(unescaped(line)))?,
        stacks: each(row, &text("stacks")?, stack)?,
    };
    let known = |stack: &Stack| {
        let frames = stack
            .frames
            .iter()
            .all(|&frame| (frame as usize) < profile.frames.len());
        frames && (stack.thread as usize) < profile.threads.len()
    };
    if !profile.stacks.iter().all(known) {
        return Err(bad(row, "languages", &"a stack of functions that are not kept"));
    }
    Ok(Subject {
        id: parse(row, "contender")?,
        languages: languages.split(',').map(str::to_owned).collect(),
        instrumentation: row.get("instrumentation")?,
        symbols: row.get("symbols")?,
        glances,
        profile,
        collector: collector(row)?,
        compiled: each(row, &text("compiled").optional()?.unwrap_or_default(), compiled)?.pop(),
        fault: fault(row)?,
    })
}

fn collector(row: &Row) -> Result<Option<Collector>> {
    if row.get::<_, Option<i64>>("collections")?.is_none() {
        return Ok(None);
    }
    Ok(Some(Collector {
        collections: count(row, "collections")?,
        allocated: count(row, "allocated")?,
        paused: Seconds(real(row, "paused")?),
        ops: count(row, "ops")?,
    }))
}

fn fault(row: &Row) -> Result<Option<Fault>> {
    let Some(name) = row.get::<_, Option<String>>("fault_kind")? else {
        return Ok(None);
    };
    let kind = FaultKind::from_name(&name).ok_or_else(|| bad(row, "fault_kind", &"no such kind of fault"))?;
    let detail: Option<String> = row.get("fault")?;
    Ok(Some(Fault::new(kind, detail.unwrap_or_default())))
}

/// Each line of a text; an error names the first that makes no sense.
fn each<T>(row: &Row, text: &str, read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>> {
    let one = |line: &str| {
        read(line).ok_or_else(|| bad(row, "languages", &format!("the line {line:?} of its evidence")))
    };
    text.lines().map(one).collect()
}

fn next<'l, T: FromStr>(words: &mut impl Iterator<Item = &'l str>) -> Option<T> {
    words.next()?.parse().ok()
}

fn glance(line: &str) -> Option<Glance> {
    let words = &mut line.split('\t');
    Some(Glance {
        look: Look::of(words.next()?)?,
        round: next(words)?,
        ops: next(words)?,
        thawed: Seconds(next(words)?),
        cpu: Seconds(next(words)?),
        memory: Bytes(next(words)?),
        counters: Counters {
            voluntary: next(words)?,
            involuntary: next(words)?,
            minor: next(words)?,
            major: next(words)?,
            processes: next(words)?,
            threads: Vec::new(),
        },
        calls: Vec::new(),
    })
}

fn thread(line: &str) -> Option<(usize, ThreadTime)> {
    let words = &mut line.split('\t');
    let place = next(words)?;
    let thread = ThreadTime {
        name: unescaped(words.next()?),
        cpu: Seconds(next(words)?),
        waited: Seconds(next(words)?),
    };
    Some((place, thread))
}

fn call(line: &str) -> Option<(usize, Calls)> {
    let words = &mut line.split('\t');
    let place = next(words)?;
    let call = Calls {
        name: unescaped(words.next()?),
        count: next(words)?,
        bytes: next(words)?,
    };
    Some((place, call))
}

fn frame(line: &str) -> Option<Frame> {
    let mut words = line.splitn(3, '\t');
    Some(Frame {
        own: words.next()? == "1",
        image: unescaped(words.next()?),
        symbol: unescaped(words.next()?),
    })
}

fn compiled(line: &str) -> Option<Compiled> {
    let words = &mut line.split('\t');
    Some(Compiled {
        methods: next(words)?,
        bytes: next(words)?,
    })
}

fn stack(line: &str) -> Option<Stack> {
    let words = &mut line.split('\t');
    let (round, thread, nanos) = (next(words)?, next(words)?, next(words)?);
    let frames: Option<Vec<u32>> = words
        .next()?
        .split_ascii_whitespace()
        .map(|word| word.parse().ok())
        .collect();
    Some(Stack {
        round,
        thread,
        frames: frames?,
        nanos,
    })
}
