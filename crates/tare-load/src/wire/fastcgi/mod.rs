//! FastCGI 1.0, as a web server speaks it to a responder: records over a connection that is kept open, one request at a
//! time.
//!
//! Each request of a job has an id of its own, so that an answer that is sent twice, or that answers another request, is
//! not taken for the answer that is due.

mod records;

pub(crate) use records::request;

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;

use super::{Judged, Progress, Wire, cgi};
use crate::check::Expectation;
use crate::show;
use records::{Kind, Record};

/// The number of bytes of a responder's standard error that are kept, to be shown with what is wrong.
const KEPT_ERRORS: usize = 2048;

/// Answers of a responder. The expected answer of a job is the id of its request: two bytes, most significant first.
#[derive(Debug)]
pub(crate) struct FastCgi {
    judge: cgi::Judge,
    from: Peer,
}

/// What answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peer {
    /// A program that speaks FastCGI.
    Responder,
    /// The forker, which starts a CGI program for each request. Its application status is the status of the program as
    /// `wait` gives it, and its error stream is a message of its own.
    Forker,
}

/// The part of an answer that was taken.
#[derive(Debug, Default)]
pub(crate) struct PartialAnswer {
    /// The record whose end has not come yet.
    record: Option<Record>,
    answer: cgi::PartialAnswer,
    /// Bytes of output so far.
    output: u64,
    /// Whether the output stream has ended.
    output_ended: bool,
    errors: Vec<u8>,
}

/// What became of received bytes.
enum Step {
    Again,
    /// This number of bytes after those that were taken is needed.
    More(usize),
    End,
}

impl FastCgi {
    pub(crate) fn new(expected: Arc<Expectation>, from: Peer) -> Self {
        Self {
            judge: cgi::Judge::new(expected),
            from,
        }
    }

    /// Takes the next part of `bytes` from `at`, which moves past it.
    fn step(
        &mut self,
        partial: &mut PartialAnswer,
        bytes: &[u8],
        at: &mut usize,
        id: [u8; 2],
    ) -> Result<Step, String> {
        let rest = &bytes[*at..];
        let Some(mut record) = partial.record.take() else {
            let Some(header) = rest.first_chunk() else {
                return Ok(Step::More(records::HEADER));
            };
            let record = Record::read(header, id).and_then(|record| partial.admit(record));
            partial.record = Some(record.map_err(|why| not_fastcgi(&why, bytes, *at))?);
            *at += records::HEADER;
            return Ok(Step::Again);
        };
        if record.kind == Kind::End {
            let Some(end) = rest.get(..record.left()) else {
                partial.record = Some(record);
                return Ok(Step::More(record.left()));
            };
            match self.from {
                Peer::Responder => {
                    records::judge_end(end).map_err(|why| not_fastcgi(&why, bytes, *at))?;
                }
                Peer::Forker => partial.judge_program(records::status(end))?,
            }
            *at += end.len();
            return Ok(Step::End);
        }
        let content = record.take(rest);
        *at += content.len() + record.skip(&rest[content.len()..]);
        match record.kind {
            Kind::Output => {
                partial.output += content.len() as u64;
                self.judge.feed(&mut partial.answer, content)?;
            }
            _ => partial.keep_error(content),
        }
        let left = record.left();
        partial.record = (left > 0).then_some(record);
        // The rest of a record may come in pieces of any size.
        Ok(if left > 0 { Step::More(1) } else { Step::Again })
    }

    /// Takes all that can be taken of `bytes`. Returns its length, and the number of bytes after it that are needed; none:
    /// the answer is whole.
    fn take(
        &mut self,
        partial: &mut PartialAnswer,
        bytes: &[u8],
        id: [u8; 2],
    ) -> Result<(usize, Option<usize>), String> {
        let mut at = 0;
        loop {
            match self.step(partial, bytes, &mut at, id)? {
                Step::Again => {}
                Step::More(need) => return Ok((at, Some(need))),
                Step::End => return Ok((at, None)),
            }
        }
    }
}

impl PartialAnswer {
    /// Checks that a record may stand here.
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
        // `signal: 11 (SIGSEGV)` or `exit status: 3`, without the colon.
        let status = ExitStatus::from_raw(status.cast_signed()).to_string();
        let status = status.replacen(": ", " ", 1);
        Err(format!(
            "the program ended with {status}, after {} bytes of output",
            self.output
        ))
    }

    /// What is wrong, with the standard error of the responder.
    fn wrong(&self, mut why: String, from: Peer) -> Judged {
        if !self.errors.is_empty() && from == Peer::Responder {
            why += &format!("\n  its standard error: {}", show::bytes(&self.errors));
        }
        Judged::Wrong { why }
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
        let mut partial = match std::mem::take(progress) {
            Progress::FastCgi(partial) => *partial,
            _ => PartialAnswer::default(),
        };
        let id = expected.first_chunk().copied().unwrap_or_default();
        match self.take(&mut partial, bytes, id) {
            Ok((taken, Some(need))) => {
                *progress = Progress::FastCgi(Box::new(partial));
                Judged::Partial { taken, need, skip: 0 }
            }
            Ok((len, None)) => match self.judge.finish(std::mem::take(&mut partial.answer)) {
                Ok(whole) => Judged::Right {
                    len,
                    last: false,
                    whole,
                },
                Err(why) => partial.wrong(why, self.from),
            },
            Err(why) => partial.wrong(why, self.from),
        }
    }

    fn sample(&mut self, share: f64) {
        self.judge.sample(share);
    }

    fn body(&self, answer: &[u8], _expected: &[u8]) -> Option<Vec<u8>> {
        let mut output = records::output(answer)?;
        let head = cgi::parse(&output).ok()?;
        Some(output.split_off(head.end))
    }

    fn fork(&self) -> Box<dyn Wire> {
        Box::new(Self {
            judge: self.judge.fork(),
            from: self.from,
        })
    }
}

#[cfg(test)]
mod tests;
