//! A job's requests, sent in other ways that mean the same (RFC 9112): one byte at a time, with names of header fields in
//! lower case, and again over a connection. A server that reads requests answers all of them alike; one that only looks for
//! a beginning that it knows, takes what one read brings for a request, or leaves the body unread, does not.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use tare_model::fault::Fault;

use super::link::{Failure, Link};
use super::{QUIET, unless_stopped};
use crate::address::Address;
use crate::job::Work;

/// The wait after a byte, so that most of them are read by themselves. No verdict depends on it.
const BETWEEN: Duration = Duration::from_micros(50);

/// The bytes at the beginning of a request that are sent one at a time, and as many at its end: a large body takes too long.
const SPLIT: usize = 1024;

/// A way to send a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Split,
    LowerCase,
    Again,
}

impl Way {
    /// How it is told.
    fn told(self) -> &'static str {
        match self {
            Self::Split => "sent one byte at a time",
            Self::LowerCase => "sent with names of header fields in lower case",
            Self::Again => "sent again over its connection",
        }
    }
}

/// Checks the answers to a job's requests that are sent in other ways that mean the same; each is judged in full, and nothing may
/// follow it. Nothing is sent of a job that is not done over HTTP/1.1.
///
/// # Errors
/// As [`first_answer`](super::first_answer), with how the request was sent.
pub fn other_ways(address: &Address, work: &Work, timeout: Duration, stop: &AtomicBool) -> Result<(), Fault> {
    for (number, _) in work.trials.iter().enumerate().filter(|(_, trial)| trial.http1) {
        for way in [Way::Split, Way::LowerCase, Way::Again] {
            let result = Link::connect(address, work, timeout, stop).and_then(|link| ask(link, number, way));
            unless_stopped(stop)?;
            result.map_err(|(kind, what)| {
                let (request, told) = (work.requests.show(number as u32), way.told());
                Fault::new(kind, format!("{address}: the request {request}, {told}: {what}"))
            })?;
        }
    }
    Ok(())
}

fn ask(mut link: Link<'_>, number: usize, way: Way) -> Result<(), Failure> {
    match way {
        Way::Split => {
            link.send_but_last(number, dribble)?;
            link.nothing_yet(QUIET)?;
            link.ask_with(number, |stream, request| stream.write_all(last_byte(request)))?;
        }
        Way::LowerCase => {
            link.ask_with(number, |stream, request| stream.write_all(&lower_case(request)))?;
        }
        Way::Again => {
            link.ask(number)?;
            if link.is_over() {
                return Ok(());
            }
            link.ask(number)?;
        }
    }
    link.nothing_more()
}

fn last_byte(request: &[u8]) -> &[u8] {
    &request[request.len().saturating_sub(1)..]
}

/// Sends bytes one at a time; of many only those at both ends.
fn dribble(stream: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    let (begin, rest) = bytes.split_at(bytes.len().min(SPLIT));
    let (middle, end) = rest.split_at(rest.len().saturating_sub(SPLIT));
    let one_by_one = |stream: &mut dyn Write, bytes: &[u8]| {
        bytes.chunks(1).try_for_each(|byte| {
            thread::sleep(BETWEEN);
            stream.write_all(byte)
        })
    };
    one_by_one(stream, begin)?;
    stream.write_all(middle)?;
    one_by_one(stream, end)
}

/// A request with the names of its header fields in lower case.
fn lower_case(request: &[u8]) -> Vec<u8> {
    let mut bytes = request.to_vec();
    let head = request.windows(4).position(|end| end == b"\r\n\r\n").unwrap_or(0);
    let mut at = request
        .iter()
        .position(|&byte| byte == b'\n')
        .map_or(head, |end| end + 1);
    while at < head {
        let line = &mut bytes[at..];
        let len = line
            .iter()
            .position(|&byte| byte == b'\n')
            .unwrap_or(line.len() - 1);
        let name = line[..len].iter().position(|&byte| byte == b':').unwrap_or(0);
        line[..name].make_ascii_lowercase();
        at += len + 1;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_alone_become_lower_case() {
        let request = b"POST /A HTTP/1.1\r\nHost: X\r\nX-Odd:A:B\r\n\r\nBody: A\r\n\r\n";
        let expected = b"POST /A HTTP/1.1\r\nhost: X\r\nx-odd:A:B\r\n\r\nBody: A\r\n\r\n";
        assert_eq!(lower_case(request), expected);
        assert_eq!(lower_case(b"GET / HTTP/1.1\r\n\r\n"), b"GET / HTTP/1.1\r\n\r\n");
        assert_eq!(lower_case(b""), b"");
    }

    #[test]
    fn what_is_split_is_whole() {
        for len in [0, 1, 100, SPLIT, SPLIT + 1, 2 * SPLIT + 7] {
            let bytes: Vec<u8> = (0..len).map(|n| n as u8).collect();
            let mut sent = Vec::new();
            dribble(&mut sent, &bytes).unwrap();
            assert_eq!(sent, bytes);
        }
    }
}
