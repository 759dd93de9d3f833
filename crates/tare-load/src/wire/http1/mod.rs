//! HTTP/1.x answers (RFC 9112): those to each request of a job by themselves, in a [`Lane`].

mod answer;
mod body;
mod head;
mod lane;
mod partial;
mod template;

#[cfg(test)]
pub(super) use answer::parse;
pub(crate) use partial::PartialAnswer;

use std::sync::Arc;

use super::{Judged, Progress, Wire};
use crate::check::{Checker, Expectation};
use lane::Lane;

/// Answers to HTTP requests. The answer that a request expects is the number of its lane in two bytes, most significant
/// first; of a job with one request it is empty.
#[derive(Debug)]
pub(crate) struct Http1 {
    lanes: Vec<Lane>,
}

impl Http1 {
    /// Answers to requests with these methods, at least one, in their order.
    pub(crate) fn new<M: AsRef<str>>(requests: impl IntoIterator<Item = (M, Expectation)>) -> Self {
        let lane = |(method, expected): (M, _)| Lane::new(method.as_ref(), Checker::new(Arc::new(expected)));
        Self {
            lanes: requests.into_iter().map(lane).collect(),
        }
    }

    /// What the n-th request of `count` expects.
    pub(crate) fn expected(n: usize, count: usize) -> Vec<u8> {
        match count {
            1 => Vec::new(),
            _ => (n as u16).to_be_bytes().to_vec(),
        }
    }
}

/// The number of the lane of an expected answer.
#[inline]
fn number(expected: &[u8]) -> usize {
    match expected {
        [high, low] => usize::from(u16::from_be_bytes([*high, *low])),
        _ => 0,
    }
}

impl Wire for Http1 {
    #[inline]
    fn judge(&mut self, bytes: &[u8], expected: &[u8], progress: &mut Progress, closed: bool) -> Judged {
        self.lanes[number(expected)].judge(bytes, progress, closed)
    }

    fn sample(&mut self, share: f64) {
        self.lanes.iter_mut().for_each(|lane| lane.sample(share));
    }

    fn body(&self, answer: &[u8], expected: &[u8]) -> Option<Vec<u8>> {
        let parsed = self.lanes[number(expected)].parse(answer)?;
        Some(parsed.content(answer))
    }

    fn field(&self, answer: &[u8], expected: &[u8], name: &str) -> Option<Vec<u8>> {
        let parsed = self.lanes[number(expected)].parse(answer)?;
        parsed.head.value(answer, name).map(<[u8]>::to_vec)
    }

    fn fork(&self) -> Box<dyn Wire> {
        Box::new(Self {
            lanes: self.lanes.iter().map(Lane::fork).collect(),
        })
    }
}

#[cfg(test)]
mod tests;
