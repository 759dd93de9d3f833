//! A conversation with a process over its standard input and output: line by line, with times and limits.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use crate::sys;

/// Bytes read at once: as many as a pipe holds by default.
const READ: usize = 64 * 1024;
/// Bytes written at once: a pipe that is writable at all takes this many without waiting (pipe(7), PIPE_BUF), and nearly
/// every line is shorter. A second piece would wake the reader twice.
const WRITE: usize = 4096;
/// How often to check whether to go on waiting.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Both ends of a conversation. Dropping it ends the process's input.
#[derive(Debug)]
pub struct Talk {
    /// None once ended.
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// Bytes that arrived and were not consumed yet.
    pending: Vec<u8>,
}

/// The result of waiting for a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A line without its end; bytes that are not UTF-8 are replaced.
    Line {
        /// The line.
        text: String,
        /// When its last byte arrived.
        at: Instant,
    },
    /// Its output has ended; the part of a line that arrived before.
    Closed(String),
    /// No whole line in time; the part that arrived.
    Late(String),
    /// More bytes than a line may have; its beginning.
    TooLong(String),
    /// The caller gave up.
    GivenUp,
}

/// The result of sending a line.
enum Sent {
    All,
    Closed,
    Late,
    GivenUp,
}

impl Talk {
    /// A conversation over these ends.
    pub fn new(input: ChildStdin, output: ChildStdout) -> Self {
        Self {
            input: Some(input),
            output,
            pending: Vec::new(),
        }
    }

    /// Sends a line (without its end) and waits for one of at most `longest` bytes, until `until` or until `enough`, which is
    /// called every 20 ms, returns true. A process that does not read any more is `Closed`; one that has not taken the line
    /// in time is `Late`.
    ///
    /// # Errors
    /// If a pipe cannot be waited for or read.
    pub fn ask(
        &mut self,
        line: &str,
        until: Instant,
        longest: usize,
        mut enough: impl FnMut() -> bool,
    ) -> io::Result<Heard> {
        match self.say(line, until, &mut enough)? {
            Sent::All => self.hear(until, longest, enough),
            Sent::Closed => Ok(Heard::Closed(self.beginning())),
            Sent::Late => Ok(Heard::Late(self.beginning())),
            Sent::GivenUp => Ok(Heard::GivenUp),
        }
    }

    /// Sends a line (without its end) that nothing answers, until `until`; whether the process took it. A short line is taken
    /// whole or not at all.
    ///
    /// # Errors
    /// If the pipe cannot be waited for.
    pub fn tell(&mut self, line: &str, until: Instant) -> io::Result<bool> {
        let sent = self.say(line, until, &mut || false)?;
        Ok(matches!(sent, Sent::All))
    }

    fn say(&mut self, line: &str, until: Instant, enough: &mut impl FnMut() -> bool) -> io::Result<Sent> {
        let Some(input) = self.input.as_mut() else {
            return Ok(Sent::Closed);
        };
        for piece in format!("{line}\n").as_bytes().chunks(WRITE) {
            while !sys::wait_writable(input.as_fd(), LOOK_EVERY)? {
                if enough() {
                    return Ok(Sent::GivenUp);
                }
                if Instant::now() >= until {
                    return Ok(Sent::Late);
                }
            }
            if input.write_all(piece).is_err() {
                return Ok(Sent::Closed);
            }
        }
        Ok(Sent::All)
    }

    /// Ends the process's input. Its output can still be read.
    pub fn end(&mut self) {
        self.input = None;
    }

    fn hear(
        &mut self,
        until: Instant,
        longest: usize,
        mut enough: impl FnMut() -> bool,
    ) -> io::Result<Heard> {
        let mut seen = 0;
        let mut at = Instant::now();
        loop {
            if let Some(end) = self.pending[seen..].iter().position(|&byte| byte == b'\n') {
                let rest = self.pending.split_off(seen + end + 1);
                self.pending.pop();
                let line = std::mem::replace(&mut self.pending, rest);
                let text = String::from_utf8_lossy(&line).into_owned();
                return Ok(Heard::Line { text, at });
            }
            seen = self.pending.len();
            if seen > longest {
                return Ok(Heard::TooLong(self.beginning()));
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Heard::Late(self.beginning()));
            }
            if !sys::wait_readable(self.output.as_fd(), left.min(LOOK_EVERY))? {
                if enough() {
                    return Ok(Heard::GivenUp);
                }
                continue;
            }
            let came = self.read()?;
            at = Instant::now();
            if came == 0 {
                return Ok(Heard::Closed(self.beginning()));
            }
        }
    }

    /// The beginning of output that no question led to, if there is any.
    ///
    /// # Errors
    /// If the pipe cannot be read.
    pub fn unasked(&mut self) -> io::Result<Option<String>> {
        if self.pending.is_empty() && sys::wait_readable(self.output.as_fd(), Duration::ZERO)? {
            self.read()?;
        }
        Ok((!self.pending.is_empty()).then(|| self.beginning()))
    }

    fn read(&mut self) -> io::Result<usize> {
        let mut buffer = [0; READ];
        loop {
            match self.output.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(came) => {
                    self.pending.extend_from_slice(&buffer[..came]);
                    return Ok(came);
                }
            }
        }
    }

    fn beginning(&self) -> String {
        let shown = &self.pending[..self.pending.len().min(200)];
        String::from_utf8_lossy(shown).into_owned()
    }
}
