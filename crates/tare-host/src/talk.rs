//! Talking with a process over its standard input and output, line by line, with a clock.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use crate::sys;

/// Read at once: as much as a pipe holds by default.
const READ: usize = 64 * 1024;
/// Written at once: a pipe that can be written to at all takes so much without a wait (pipe(7), PIPE_BUF), and nearly
/// every line is shorter. Another piece would start the reader twice.
const WRITE: usize = 4096;
/// Between two looks at whether waiting still makes sense.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Both ends of a conversation. Dropping it is the end of the process's input.
#[derive(Debug)]
pub struct Talk {
    /// None: ended.
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// What came and was not taken yet.
    pending: Vec<u8>,
}

/// What came of waiting for a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A line without its end; bytes that are no text are replaced.
    Line {
        /// The line.
        text: String,
        /// When its last byte was here.
        at: Instant,
    },
    /// Its output has come to its end; what came of a line before that.
    Closed(String),
    /// No whole line in time; what came of one.
    Late(String),
    /// More bytes than a line may have; the beginning.
    TooLong(String),
    /// The caller had enough of waiting.
    GivenUp,
}

/// What came of saying a line.
enum Said {
    All,
    Closed,
    Late,
    GivenUp,
}

impl Talk {
    /// Over these ends.
    pub fn new(input: ChildStdin, output: ChildStdout) -> Self {
        Self {
            input: Some(input),
            output,
            pending: Vec::new(),
        }
    }

    /// Sends a line, whose end is added, and waits for one of at most `longest` bytes: until `until`, or until `enough`
    /// says so, which is asked every 20 ms. A process that does not read any more has closed; one that has not taken
    /// the line in time is late.
    ///
    /// # Errors
    /// Where a pipe cannot be waited for or read.
    pub fn ask(
        &mut self,
        line: &str,
        until: Instant,
        longest: usize,
        mut enough: impl FnMut() -> bool,
    ) -> io::Result<Heard> {
        match self.say(line, until, &mut enough)? {
            Said::All => self.hear(until, longest, enough),
            Said::Closed => Ok(Heard::Closed(self.beginning())),
            Said::Late => Ok(Heard::Late(self.beginning())),
            Said::GivenUp => Ok(Heard::GivenUp),
        }
    }

    fn say(&mut self, line: &str, until: Instant, enough: &mut impl FnMut() -> bool) -> io::Result<Said> {
        let Some(input) = self.input.as_mut() else {
            return Ok(Said::Closed);
        };
        for piece in format!("{line}\n").as_bytes().chunks(WRITE) {
            while !sys::wait_writable(input.as_fd(), LOOK_EVERY)? {
                match () {
                    () if enough() => return Ok(Said::GivenUp),
                    () if Instant::now() >= until => return Ok(Said::Late),
                    () => {}
                }
            }
            if input.write_all(piece).is_err() {
                return Ok(Said::Closed);
            }
        }
        Ok(Said::All)
    }

    /// Ends the process's input. What it says then may still be heard.
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

    /// What it has said that nobody has asked for: the beginning of it.
    ///
    /// # Errors
    /// Where the pipe cannot be read.
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
