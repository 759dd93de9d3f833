//! The rows of a database that one answer holds.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tare_model::fault::Fault;

use super::link::Link;
use super::unless_stopped;
use crate::address::Address;
use crate::check::rows::read;
use crate::job::Work;

/// Asks the first request of a job once, judges the answer in full, and returns the rows that it holds: their ids and
/// numbers. Answers without rows have none.
///
/// # Errors
/// As [`check`](super::check).
pub fn rows(
    address: &Address,
    work: &Work,
    timeout: Duration,
    stop: &AtomicBool,
) -> Result<Vec<(u64, u64)>, Fault> {
    let answer = Link::connect(address, work, timeout, stop).and_then(|mut link| link.ask(0));
    unless_stopped(stop)?;
    let answer = answer.map_err(|(kind, what)| {
        let request = work.requests.show(0);
        Fault::new(kind, format!("{address}: the request {request}: {what}"))
    })?;
    Ok(answer.body.and_then(|body| read(&body)).unwrap_or_default())
}
