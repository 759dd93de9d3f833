//! The connections that one load core drives.

use std::io;

use tare_model::tls::TlsReading;

use crate::address::Address;
use crate::conn::{Conn, PendingRequest, State};
use crate::job::RequestPool;
use crate::reactor::{Poll, Socket};
use crate::wire::Protocol;

/// The connections that one load core drives, and what it has learned of the server.
pub(crate) struct ConnectionPool {
    pub(crate) poll: Poll,
    pub(crate) conns: Vec<Conn>,
    pub(crate) protocol: Protocol,
    /// What was seen of TLS since it was last taken.
    pub(crate) tls: Option<TlsReading>,
    rng: fastrand::Rng,
    pending: Vec<PendingRequest>,
    depth: usize,
    /// The most requests on a connection; `u32::MAX`: no limit.
    limit: u32,
    /// The request that was sent last, where they are sent in turn.
    last: u32,
    /// Connections before this one are opened or done.
    next_to_open: usize,
}

impl ConnectionPool {
    pub(crate) fn new(protocol: Protocol, seed: u64) -> io::Result<Self> {
        Ok(Self {
            poll: Poll::new()?,
            conns: Vec::new(),
            protocol,
            tls: None,
            pending: Vec::new(),
            depth: 1,
            limit: u32::MAX,
            // So that load cores are not all at the same request.
            last: (seed >> 33) as u32,
            rng: fastrand::Rng::with_seed(seed),
            next_to_open: 0,
        })
    }

    /// Changes its size to `n` connections with up to `depth` requests outstanding each; none is outstanding now. `source`
    /// gives the number of the source address of a new connection by its index, where source addresses are chosen.
    pub(crate) fn resize(&mut self, n: usize, depth: u32, source: impl Fn(usize) -> u32) {
        self.conns.truncate(n);
        let new = self.conns.len()..n;
        self.conns.extend(new.map(|index| Conn::new(source(index))));
        self.fit(depth);
    }

    /// Changes the size of the rings to `depth` requests each.
    pub(crate) fn fit(&mut self, depth: u32) {
        self.depth = depth.max(1) as usize;
        self.pending.clear();
        match &mut self.protocol {
            Protocol::InOrder(_) => self
                .pending
                .resize(self.conns.len() * self.depth, PendingRequest::default()),
            // It holds outstanding requests itself.
            Protocol::Dialog(dialog) => dialog.resize(self.conns.len(), depth.max(1)),
        }
        self.next_to_open = 0;
        for conn in &mut self.conns {
            conn.rewind();
            conn.proven = conn.state != State::Ready;
        }
    }

    /// Limits the requests on each connection from now on, those that are open included; none: no limit.
    pub(crate) fn limit(&mut self, requests: Option<u32>) {
        self.limit = requests.unwrap_or(u32::MAX);
        for conn in &mut self.conns {
            conn.left = match requests {
                Some(most) => conn.left.min(most),
                None => u32::MAX,
            };
        }
    }

    /// The number of the request that is sent next.
    #[inline]
    pub(crate) fn next_request(&mut self, requests: &RequestPool) -> u32 {
        requests.next(&mut self.rng, &mut self.last)
    }

    /// A connection with its ring.
    #[inline]
    pub(crate) fn at(&mut self, index: usize) -> (&mut Conn, &mut [PendingRequest]) {
        let ring = &mut self.pending[index * self.depth..(index + 1) * self.depth];
        (&mut self.conns[index], ring)
    }

    /// The next connection that must be opened.
    pub(crate) fn next_unopened(&mut self) -> Option<usize> {
        while let Some(conn) = self.conns.get(self.next_to_open) {
            if matches!(conn.state, State::New | State::Stale) {
                return Some(self.next_to_open);
            }
            self.next_to_open += 1;
        }
        None
    }

    /// Begins to open a connection.
    pub(crate) fn open(&mut self, index: usize, address: &Address, apart: bool, now: u64) -> io::Result<()> {
        let conn = &mut self.conns[index];
        let source = if apart { address.source(conn.program) } else { None };
        let socket = Socket::connect(address, source)?;
        self.poll.add(&socket, index)?;
        conn.socket = Some(socket);
        conn.left = self.limit;
        conn.state = State::Opening;
        conn.progress = now;
        Ok(())
    }

    /// Tries again later to open a connection that could not be opened now.
    pub(crate) fn look_again(&mut self, index: usize) {
        self.next_to_open = self.next_to_open.min(index);
    }

    /// Whether connections are dialogs.
    pub(crate) fn talks(&self) -> bool {
        matches!(self.protocol, Protocol::Dialog(_))
    }

    /// Requests outstanding.
    pub(crate) fn outstanding(&self) -> u64 {
        self.conns.iter().map(|conn| u64::from(conn.in_flight)).sum()
    }
}

impl Drop for ConnectionPool {
    fn drop(&mut self) {
        self.conns.iter_mut().for_each(Conn::end_tls);
    }
}
