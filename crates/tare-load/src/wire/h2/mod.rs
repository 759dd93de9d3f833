//! HTTP/2 (RFC 9113) over connections of its own, in clear by prior knowledge: frames, streams, windows, header compression.
//!
//! A server is given large windows, so that it never waits for this side; that it keeps to them is checked. Header
//! compression is what servers use it as: with a table of the usual size. Requests are sent once the server's SETTINGS are
//! known, so that no more streams are opened than it allows.

mod answer;
mod connection;
mod fields;
mod frame;
mod heads;
mod hpack;
mod request;
mod shared;
mod streams;
mod trouble;
mod uploads;

pub(crate) use fields::{Manner, OF_CONNECTIONS};
pub(crate) use hpack::encode;

use std::sync::Arc;

use super::dialog::{Breach, Dialog, KeptAnswer, News, Taken, Times};
use crate::check::{Checker, Expectation};
use connection::Connection;
use heads::Heads;
use request::Request;
use shared::Shared;

/// The window that servers are given: half of the largest one. It is refilled at its half.
const WINDOW: u32 = (1 << 30) - 1;

/// A request, repeated over HTTP/2.
#[derive(Debug)]
pub(crate) struct H2 {
    shared: Shared,
    connections: Vec<Connection>,
}

impl H2 {
    /// A request with this method, whose fields `block` holds.
    pub(crate) fn new(
        method: &str,
        block: Vec<u8>,
        body: Vec<u8>,
        expected: Expectation,
        manner: Manner,
    ) -> Self {
        Self {
            shared: Shared {
                request: Arc::new(Request::new(block, body)),
                heads: Heads::new(manner),
                checker: Checker::new(Arc::new(expected)),
                to_head: method == "HEAD",
                window: WINDOW,
                depth: 1,
            },
            connections: Vec::new(),
        }
    }
}

impl Dialog for H2 {
    fn resize(&mut self, n: usize, depth: u32) {
        self.shared.depth = depth;
        self.connections.resize_with(n, Connection::default);
        let connections = self.connections.iter_mut();
        connections.for_each(|connection| connection.streams.resize(depth));
    }

    fn begin(&mut self, conn: usize) {
        self.connections[conn] = Connection::begin(self.shared.depth, self.shared.window);
    }

    fn owed(&mut self, conn: usize, out: &mut Vec<u8>) {
        self.connections[conn].owed(&self.shared, out);
    }

    #[inline]
    fn room(&self, conn: usize) -> u32 {
        self.connections[conn].room(self.shared.depth)
    }

    #[inline]
    fn send(&mut self, conn: usize, times: Times, out: &mut Vec<u8>) {
        if let Some(kept) = &mut self.shared.heads.kept {
            *kept = KeptAnswer::default();
        }
        self.connections[conn].send(&self.shared, times, out);
    }

    #[inline]
    fn take(&mut self, conn: usize, bytes: &[u8], news: &mut News) -> Result<Taken, Breach> {
        self.connections[conn].take(&mut self.shared, bytes, news)
    }

    fn take_back(&mut self, conn: usize) -> Option<Vec<u64>> {
        self.connections[conn].take_back()
    }

    fn oldest(&self, conn: usize) -> Option<u64> {
        self.connections[conn].streams.oldest().map(|stream| stream.sent)
    }

    fn waiting(&self, conn: usize) -> String {
        self.connections[conn].waiting()
    }

    fn greeting(&self) -> &'static str {
        "its SETTINGS"
    }

    fn sample(&mut self, share: f64) {
        self.shared.checker.sample(share);
    }

    fn keep_answers(&mut self) {
        self.shared.heads.kept = Some(KeptAnswer::default());
    }

    fn kept(&self) -> Option<&KeptAnswer> {
        self.shared.heads.kept.as_ref()
    }

    fn fork(&self) -> Box<dyn Dialog> {
        let shared = &self.shared;
        Box::new(Self {
            shared: Shared {
                request: shared.request.clone(),
                heads: shared.heads.fork(),
                checker: shared.checker.fork(),
                ..*shared
            },
            connections: Vec::new(),
        })
    }
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
