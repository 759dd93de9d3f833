//! Reading a recording: the text of `perf script`, line by line.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use tare_model::evidence::{Calls, Frame, Profile, Stack};

use super::symbols::Symbols;
use super::syscalls;
use crate::error::{HostError, Result};

/// Symbols are cut after this many characters.
const LONGEST_SYMBOL: usize = 300;
/// Lines between two checks for an interrupt.
const LOOK_EVERY: u32 = 4096;

/// A span of time (CLOCK_MONOTONIC, in seconds) and its round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// The round.
    pub round: u32,
    /// When it began.
    pub from: f64,
    /// When it ended.
    pub to: f64,
}

/// A recording to read.
#[derive(Debug, Clone, Copy)]
pub struct Recording<'a> {
    /// The program.
    pub perf: &'a Path,
    /// The file that it wrote.
    pub data: &'a Path,
    /// The spans that count; everything else is left out.
    pub windows: &'a [Window],
    /// Set when a person asks to stop.
    pub cancel: &'a AtomicBool,
}

/// The calls in a window, and how many records of calls were lost because a buffer was full.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Called {
    /// By name.
    pub calls: Vec<Calls>,
    /// Lost records, over all windows.
    pub lost: u64,
}

/// Reads stacks. `own`: the folder that the contender's build filled.
///
/// # Errors
/// If `perf script` cannot be run or fails.
pub fn stacks(recording: Recording<'_>, own: &Path) -> Result<Profile> {
    let mut reader = StackReader::new(recording.windows, own);
    let fields = "comm,pid,tid,time,period,event,ip,sym,dso";
    lines(recording, &["--no-inline", "-F", fields], |line| {
        reader.line(line)
    })?;
    Ok(reader.finish())
}

/// Reads calls.
///
/// # Errors
/// As [`stacks`].
pub fn calls(recording: Recording<'_>) -> Result<Called> {
    let mut reader = CallReader::new(recording.windows);
    lines(recording, &["--show-lost-events", "-F", "time,trace"], |line| {
        reader.line(line)
    })?;
    Ok(reader.finish())
}

fn lines(recording: Recording<'_>, arguments: &[&str], mut take: impl FnMut(&str)) -> Result<()> {
    let trouble = || HostError::on("run", recording.perf);
    let mut child = Command::new(recording.perf)
        .arg("script")
        .arg("-i")
        .arg(recording.data)
        .arg("--ns")
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(trouble())?;
    let mut output = BufReader::new(child.stdout.take().expect("it was asked for"));
    let (mut line, mut number) = (Vec::new(), 0u32);
    let read = loop {
        line.clear();
        match output.read_until(b'\n', &mut line) {
            Ok(0) => break Ok(()),
            Ok(_) => take(String::from_utf8_lossy(&line).trim_end_matches('\n')),
            Err(error) => break Err(trouble()(error)),
        }
        number = number.wrapping_add(1);
        if number.is_multiple_of(LOOK_EVERY) && recording.cancel.load(Ordering::SeqCst) {
            let _ = child.kill();
            break Err(HostError::Other("interrupted".to_owned()));
        }
    };
    drop(output);
    let status = child.wait().map_err(trouble())?;
    read?;
    if status.success() {
        return Ok(());
    }
    Err(HostError::Other(format!(
        "`{} script -i {}` failed: {status}",
        recording.perf.display(),
        recording.data.display()
    )))
}

fn window_of(windows: &[Window], time: f64) -> Option<u32> {
    let holds = |window: &&Window| window.from <= time && time <= window.to;
    windows.iter().find(holds).map(|window| window.round)
}

/// Builds a profile from lines.
struct StackReader {
    windows: Vec<Window>,
    own: PathBuf,
    /// Symbol tables of the contender's own files, each read once.
    tables: HashMap<String, Option<Symbols>>,
    frames: HashMap<Frame, u32>,
    threads: HashMap<String, u32>,
    stacks: HashMap<(u32, u32, Vec<u32>), u64>,
    sample: Option<Sample>,
}

/// A sample whose stack is being read; without a round, it is left out.
struct Sample {
    round: Option<u32>,
    thread: String,
    nanos: u64,
    frames: Vec<u32>,
}

impl StackReader {
    fn new(windows: &[Window], own: &Path) -> Self {
        Self {
            windows: windows.to_vec(),
            own: own.to_owned(),
            tables: HashMap::new(),
            frames: HashMap::new(),
            threads: HashMap::new(),
            stacks: HashMap::new(),
            sample: None,
        }
    }

    /// A heading begins a sample, lines that begin with blanks are its frames, an empty line ends it.
    fn line(&mut self, line: &str) {
        if line.trim().is_empty() {
            self.end_sample();
        } else if line.starts_with('\t') {
            let Some(sample) = self.sample.as_mut().filter(|sample| sample.round.is_some()) else {
                return;
            };
            let Some(frame) = parse_frame(line, &self.own, &mut self.tables) else {
                return;
            };
            let next = self.frames.len() as u32;
            sample.frames.push(*self.frames.entry(frame).or_insert(next));
        } else {
            self.end_sample();
            self.sample = parse_heading(line).map(|(thread, time, nanos)| Sample {
                round: window_of(&self.windows, time),
                thread: thread.to_owned(),
                nanos,
                frames: Vec::new(),
            });
        }
    }

    fn end_sample(&mut self) {
        let Some(sample) = self.sample.take() else { return };
        let Some(round) = sample.round else { return };
        let next = self.threads.len() as u32;
        let thread = *self.threads.entry(sample.thread).or_insert(next);
        *self.stacks.entry((round, thread, sample.frames)).or_default() += sample.nanos;
    }

    fn finish(mut self) -> Profile {
        self.end_sample();
        let stack = |((round, thread, frames), nanos)| Stack {
            round,
            thread,
            frames,
            nanos,
        };
        let mut stacks: Vec<Stack> = self.stacks.into_iter().map(stack).collect();
        stacks.sort_unstable_by(|x, y| (x.round, x.thread, &x.frames).cmp(&(y.round, y.thread, &y.frames)));
        Profile {
            frames: in_order(self.frames),
            threads: in_order(self.threads),
            stacks,
        }
    }
}

fn in_order<T>(numbered: HashMap<T, u32>) -> Vec<T> {
    let mut all: Vec<(T, u32)> = numbered.into_iter().collect();
    all.sort_unstable_by_key(|(_, number)| *number);
    all.into_iter().map(|(value, _)| value).collect()
}

/// `server  2519/2519  23129.242493101:     500250 cpu-clock: `: thread, time, nanoseconds. A thread's name may hold
/// anything, so the line is parsed from its end.
fn parse_heading(line: &str) -> Option<(&str, f64, u64)> {
    let rest = line.trim_end().strip_suffix(':')?;
    let (rest, _event) = rest.rsplit_once(char::is_whitespace)?;
    let (rest, period) = rest.trim_end().rsplit_once(char::is_whitespace)?;
    let (rest, time) = rest
        .trim_end()
        .strip_suffix(':')?
        .rsplit_once(char::is_whitespace)?;
    let (name, _ids) = rest.trim_end().rsplit_once(char::is_whitespace)?;
    Some((name.trim(), time.parse().ok()?, period.parse().ok()?))
}

/// `ffffffff816b62b7 rw_verify_area ([kernel.kallsyms])`; for a program, the offset in its file. A local function of
/// the contender, which has no symbol, is named after the symbol before it.
fn parse_frame(line: &str, own: &Path, tables: &mut HashMap<String, Option<Symbols>>) -> Option<Frame> {
    let (address, rest) = line.trim_start().split_once(' ')?;
    let address = u64::from_str_radix(address, 16).ok()?;
    let rest = rest.trim_end().strip_suffix(')')?;
    let rest = rest.strip_suffix(" (deleted)").unwrap_or(rest);
    let (symbol, image) = match rest.rsplit_once(" (") {
        Some((symbol, image)) => (symbol, image),
        None => ("", rest.strip_prefix('(')?),
    };
    let own = Path::new(image).starts_with(own);
    let mut symbol = if symbol == "[unknown]" { "" } else { symbol };
    if symbol.is_empty() && own {
        let table = tables
            .entry(image.to_owned())
            .or_insert_with(|| Symbols::read(Path::new(image)));
        symbol = table
            .as_ref()
            .and_then(|table| table.before(address))
            .unwrap_or_default();
    }
    Some(Frame {
        symbol: symbol.chars().take(LONGEST_SYMBOL).collect(),
        own,
        image: short_image(address, image),
    })
}

/// The file without its folders. On every 64-bit Linux the upper half of the addresses is the kernel's.
fn short_image(address: u64, image: &str) -> String {
    if address >> 63 == 1 {
        return "[kernel]".to_owned();
    }
    let name = image.rsplit('/').next().unwrap_or(image);
    let map = name.starts_with("perf-") && name.ends_with(".map");
    if map || image.starts_with("[JIT]") || image.starts_with("//anon") {
        return "[jit]".to_owned();
    }
    name.to_owned()
}

/// Counts calls from lines.
struct CallReader {
    windows: Vec<Window>,
    counts: HashMap<i64, (u64, u64)>,
    lost: u64,
}

impl CallReader {
    fn new(windows: &[Window]) -> Self {
        Self {
            windows: windows.to_vec(),
            counts: HashMap::new(),
            lost: 0,
        }
    }

    fn line(&mut self, line: &str) {
        if let Some(lost) = parse_lost(line) {
            self.lost += lost;
            return;
        }
        let Some((time, number, returned)) = parse_call(line) else {
            return;
        };
        let new_process = [libc::SYS_clone, libc::SYS_clone3].contains(&number);
        // A call that makes a process returns twice: with 0 in the new process.
        if window_of(&self.windows, time).is_none() || (new_process && returned == 0) {
            return;
        }
        let (count, bytes) = self.counts.entry(number).or_default();
        *count += 1;
        *bytes += u64::try_from(returned).unwrap_or(0);
    }

    fn finish(self) -> Called {
        let call = |(number, (count, bytes)): (i64, (u64, u64))| {
            let name = syscalls::name_or_number(number);
            let bytes = if syscalls::moves_bytes(&name) { bytes } else { 0 };
            Calls { name, count, bytes }
        };
        let mut calls: Vec<Calls> = self.counts.into_iter().map(call).collect();
        calls.sort_unstable_by(|x, y| (y.count, &x.name).cmp(&(x.count, &y.name)));
        Called {
            calls,
            lost: self.lost,
        }
    }
}

/// ` 23129.245001024: NR 1 = 13`: time, number, result.
fn parse_call(line: &str) -> Option<(f64, i64, i64)> {
    let (time, rest) = line.trim_start().split_once(':')?;
    let rest = rest.trim_start().strip_prefix("NR ")?;
    let (number, returned) = rest.split_once(" = ")?;
    Some((
        time.trim().parse().ok()?,
        number.parse().ok()?,
        returned.trim().parse().ok()?,
    ))
}

/// A line on lost records: `… PERF_RECORD_LOST id:12 lost:34`.
fn parse_lost(line: &str) -> Option<u64> {
    let (_, rest) = line.split_once("PERF_RECORD_LOST")?;
    let (_, count) = rest.rsplit_once("lost")?;
    count
        .trim_start_matches([':', ' ', '='])
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests;
