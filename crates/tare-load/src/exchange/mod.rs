//! Fixed exchanges: bytes sent, and exactly the expected bytes back. Checked before anything is timed, and never timed.
//! [`first_answer`] checks a job's own requests, [`other_ways`] the same sent in other ways that mean the same, and [`rows`]
//! yields what one answer holds of a database.

mod channel;
mod first;
mod link;
mod rows;
mod stream;
mod ways;

use std::io::{self, ErrorKind, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::Exchange;

use crate::address::Address;
use crate::show;
pub use first::first_answer;
pub use rows::rows;
use stream::Stream;
pub use ways::other_ways;

/// How long to wait for bytes that were not asked for: long enough for a server that answers twice, and short enough for
/// dozens of exchanges.
const QUIET: Duration = Duration::from_millis(50);

/// The longest wait between two looks at the stop flag.
const LONGEST_WAIT: Duration = Duration::from_millis(50);

/// What came back in an exchange.
struct Seen {
    got: Vec<u8>,
    /// Whether the server closed (or reset) the connection.
    closed: bool,
}

/// Checks a fixed exchange with a server: sends its bytes, at once or one by one, and expects exactly its answer,
/// nothing after it, and a close if (and only if) it says so.
///
/// # Errors
/// A fault that shows what was sent, expected and received: `Wrong`, `Unasked`, `Hung` (no whole answer, or no close,
/// within `timeout`), `ClosedEarly`, `Died` (nothing listens); `Instrument` where `stop` was set meanwhile.
pub fn check(
    address: &Address,
    exchange: &Exchange,
    timeout: Duration,
    stop: &AtomicBool,
) -> Result<(), Fault> {
    let seen = converse(address, exchange, timeout, stop);
    unless_stopped(stop)?;
    let seen = seen.map_err(|error| not_reached(address, exchange, &error))?;
    judge(exchange, &seen, timeout).map_err(|(kind, what)| {
        let text = format!(
            "{address}: the exchange `{}`: {what}\n  sent     {}\n  {}",
            exchange.name,
            show::bytes(exchange.send.as_bytes()),
            show::difference(exchange.expect.as_bytes(), &seen.got)
        );
        Fault::new(kind, text)
    })
}

/// Ends an interrupted check: what was seen until then says nothing about the server.
fn unless_stopped(stop: &AtomicBool) -> Result<(), Fault> {
    if stop.load(Ordering::Relaxed) {
        return Err(Fault::new(FaultKind::Instrument, "interrupted during the check"));
    }
    Ok(())
}

fn not_reached(address: &Address, exchange: &Exchange, error: &io::Error) -> Fault {
    let text = format!(
        "{address}: the exchange `{}` could not begin ({error}): does the server still listen there?",
        exchange.name
    );
    Fault::new(FaultKind::Died, text)
}

fn judge(exchange: &Exchange, seen: &Seen, timeout: Duration) -> Result<(), (FaultKind, String)> {
    let (expected, got) = (exchange.expect.as_bytes(), &seen.got[..]);
    let fault = |kind, what: String| Err((kind, what));
    if !expected.starts_with(&got[..got.len().min(expected.len())]) {
        return fault(FaultKind::Wrong, "a wrong answer".to_owned());
    }
    if got.len() > expected.len() {
        return fault(FaultKind::Unasked, "more than was asked for".to_owned());
    }
    match (got.len() == expected.len(), seen.closed) {
        (false, true) => fault(
            FaultKind::ClosedEarly,
            "the server closed before its answer was whole".to_owned(),
        ),
        (false, false) => fault(
            FaultKind::Hung,
            format!("no whole answer within {} s", timeout.as_secs_f64()),
        ),
        (true, false) if exchange.closes => fault(
            FaultKind::Hung,
            format!("the connection was not closed within {} s", timeout.as_secs_f64()),
        ),
        (true, true) if !exchange.closes => fault(
            FaultKind::ClosedEarly,
            "the server closed a connection that was to stay open".to_owned(),
        ),
        _ => Ok(()),
    }
}

fn converse(
    address: &Address,
    exchange: &Exchange,
    timeout: Duration,
    stop: &AtomicBool,
) -> io::Result<Seen> {
    let mut stream = Stream::connect(address, timeout)?;
    let mut writer = stream.try_clone()?;
    thread::scope(|scope| {
        // A thread of its own: a server may answer before it has read everything. If it closes meanwhile, the reader sees
        // it.
        scope.spawn(move || {
            let bytes = exchange.send.as_bytes();
            let pieces = bytes.chunks(if exchange.dribble { 1 } else { bytes.len().max(1) });
            pieces
                .into_iter()
                .try_for_each(|piece| writer.write_all(piece))
                .ok();
        });
        let seen = listen(&mut stream, exchange, timeout, stop);
        // Frees the writer if the server has stopped reading.
        stream.shut();
        seen
    })
}

/// Reads until the answer is whole and the connection is closed or quiet, or the time is over, or `stop` is set.
fn listen(
    stream: &mut Stream,
    exchange: &Exchange,
    timeout: Duration,
    stop: &AtomicBool,
) -> io::Result<Seen> {
    let mut seen = Seen {
        got: Vec::new(),
        closed: false,
    };
    let deadline = Instant::now() + timeout;
    let mut buffer = vec![0; 64 << 10];
    let enough = |seen: &Seen| seen.got.len() >= exchange.expect.len();
    while !seen.closed && seen.got.len() <= exchange.expect.len() {
        let quiet = enough(&seen) && !exchange.closes;
        let left = if quiet {
            QUIET
        } else {
            deadline.saturating_duration_since(Instant::now())
        };
        if left.is_zero() || stop.load(Ordering::Relaxed) {
            break;
        }
        stream.set_read_timeout(left.min(LONGEST_WAIT))?;
        match stream.read(&mut buffer) {
            Ok(0) => seen.closed = true,
            Ok(len) => seen.got.extend_from_slice(&buffer[..len]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                if quiet {
                    break;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // A server that closes with unread bytes resets the connection; what it sent before that was already read.
            Err(_) => seen.closed = true,
        }
    }
    Ok(seen)
}
