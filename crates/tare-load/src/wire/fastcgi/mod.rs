//! FastCGI 1.0, as a web server speaks it to a responder: records over one connection that is kept open, one request at
//! a time on it.
//!
//! The id of each request is its own among the few of a job, so that an answer sent twice, or the one to another
//! request, is not taken for the answer that is due.

mod records;

pub(crate) use records::request;

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;

use super::cgi::{Answer, Judge};
use super::http1::{Demands, parse_cgi, row_in};
use super::{Judged, Progress, Wire};
use crate::show;
use records::{Kind, Record};

/// So much of what a responder says to its standard error is kept, to be shown beside what is wrong.
const KEPT_ERRORS: usize = 2048;

/// Answers of a responder. What is expected of each is its request's id, two bytes, most significant first.
#[derive(Debug)]
pub struct FastCgi {
    judge: Judge,
    from: Peer,
}

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peer {
    /// A program that speaks FastCGI.
    Responder,
    /// What starts a CGI program for each request: its application status is the program's as `wait` has it, and its
    /// stream of errors says in its own words what is wrong.
    Forker,
}

/// An answer that is being taken.
#[derive(Debug, Default)]
pub struct Midway {
    /// The record that was begun.
    record: Option<Record>,
    answer: Answer,
    /// Bytes of output so far.
    output: u64,
    /// Whether the stream of its output was ended.
    output_ended: bool,
    errors: Vec<u8>,
}

/// What became of received bytes.
enum Step {
    Again,
    /// So many bytes after those that were taken are needed.
    More(usize),
    End,
}

impl FastCgi {
    /// Answers that must be as demanded.
    pub(crate) fn new(demands: Arc<Demands>, from: Peer) -> Self {
        Self {
            judge: Judge::new(demands),
            from,
        }
    }

    /// Answers of a responder with this body; none: any, and the same as the first.
    pub fn of_body(body: Option<&[u8]>) -> Self {
        Self::new(Arc::new(Demands::bytes(body)), Peer::Responder)
    }

    /// Goes on in `bytes` at `at`, which moves behind what was taken.
    fn step(
        &mut self,
        midway: &mut Midway,
        bytes: &[u8],
        at: &mut usize,
        id: [u8; 2],
    ) -> Result<Step, String> {
        let rest = &bytes[*at..];
        let Some(mut record) = midway.record.take() else {
            let Some(header) = rest.first_chunk() else {
                return Ok(Step::More(records::HEADER));
            };
            let record = Record::read(header, id).and_then(|record| midway.admit(record));
            midway.record = Some(record.map_err(|why| not_fastcgi(&why, bytes, *at))?);
            *at += records::HEADER;
            return Ok(Step::Again);
        };
        if record.kind == Kind::End {
            let Some(end) = rest.get(..record.left()) else {
                midway.record = Some(record);
                return Ok(Step::More(record.left()));
            };
            match self.from {
                Peer::Responder => {
                    records::judge_end(end).map_err(|why| not_fastcgi(&why, bytes, *at))?;
                }
                Peer::Forker => midway.judge_program(records::status(end))?,
            }
            *at += end.len();
            return Ok(Step::End);
        }
        let content = record.take(rest);
        *at += content.len() + record.skip(&rest[content.len()..]);
        match record.kind {
            Kind::Output => {
                midway.output += content.len() as u64;
                self.judge.feed(&mut midway.answer, content)?;
            }
            _ => midway.keep_error(content),
        }
        let left = record.left();
        midway.record = (left > 0).then_some(record);
        // The rest of a record may come in any pieces.
        Ok(if left > 0 { Step::More(1) } else { Step::Again })
    }

    /// All that can be taken of `bytes`.
    fn take(
        &mut self,
        midway: &mut Midway,
        bytes: &[u8],
        id: [u8; 2],
    ) -> Result<(usize, Option<usize>), String> {
        let mut at = 0;
        loop {
            match self.step(midway, bytes, &mut at, id)? {
                Step::Again => {}
                Step::More(need) => return Ok((at, Some(need))),
                Step::End => return Ok((at, None)),
            }
        }
    }
}

impl Midway {
    /// Whether a record may stand here.
    fn admit(&mut self, record: Record) -> Result<Record, String> {
        if record.kind == Kind::Output {
            if self.output_ended {
                return Err("a record of output after the output's end".to_owned());
            }
            self.output_ended = record.is_empty();
        }
        Ok(record)
    }

    fn keep_error(&mut self, text: &[u8]) {
        let room = KEPT_ERRORS - self.errors.len().min(KEPT_ERRORS);
        self.errors.extend_from_slice(&text[..text.len().min(room)]);
    }

    /// Judges how a CGI program ended.
    fn judge_program(&self, status: u32) -> Result<(), String> {
        if !self.errors.is_empty() {
            return Err(String::from_utf8_lossy(&self.errors).into_owned());
        }
        if status == 0 {
            return Ok(());
        }
        // As `signal: 11 (SIGSEGV)` or `exit status: 3`.
        let status = ExitStatus::from_raw(status.cast_signed()).to_string();
        let status = status.replacen(": ", " ", 1);
        Err(format!(
            "the program ended with {status}, after {} bytes of output",
            self.output
        ))
    }

    /// What is wrong, and what the responder said of it.
    fn wrong(&self, why: String, from: Peer) -> Judged {
        let said = match self.errors.is_empty() || from == Peer::Forker {
            true => String::new(),
            false => format!("\n  its standard error: {}", show::bytes(&self.errors)),
        };
        Judged::Wrong {
            why: format!("{why}{said}"),
        }
    }
}

#[cold]
fn not_fastcgi(why: &str, bytes: &[u8], at: usize) -> String {
    format!(
        "no FastCGI answer: {why} at byte {at}\n  expected records of a FastCGI responder\n  got      {}",
        show::window(bytes, at)
    )
}

impl Wire for FastCgi {
    fn judge(&mut self, bytes: &[u8], expected: &[u8], progress: &mut Progress, _closed: bool) -> Judged {
        let mut midway = match std::mem::take(progress) {
            Progress::FastCgi(midway) => *midway,
            _ => Midway::default(),
        };
        let id = expected.first_chunk().copied().unwrap_or_default();
        match self.take(&mut midway, bytes, id) {
            Ok((taken, Some(need))) => {
                *progress = Progress::FastCgi(Box::new(midway));
                Judged::Partial { taken, need, skip: 0 }
            }
            Ok((len, None)) => match self.judge.finish(std::mem::take(&mut midway.answer)) {
                Ok(whole) => Judged::Right {
                    len,
                    last: false,
                    whole,
                },
                Err(why) => midway.wrong(why, self.from),
            },
            Err(why) => midway.wrong(why, self.from),
        }
    }

    fn sample(&mut self, share: f64) {
        self.judge.sample(share);
    }

    fn fork(&self) -> Box<dyn Wire> {
        Box::new(Self {
            judge: self.judge.fork(),
            from: self.from,
        })
    }
}

/// The id of the row that a whole answer holds.
pub(crate) fn row(bytes: &[u8], rows: u32) -> Option<u64> {
    let output = records::output(bytes)?;
    let head = parse_cgi(&output).ok()?;
    row_in(&output[head.end..], rows)
}

#[cfg(test)]
mod tests;
