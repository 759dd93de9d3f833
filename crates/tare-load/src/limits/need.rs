//! What connections need of a machine.

use tare_sys::resources;

use crate::address::{Address, PER_SOURCE};
use crate::schedule::Schedule;

/// Descriptors that are open besides connections: standard streams, event queues, logs, the store, with some to spare.
pub(super) const OTHER_FILES: u64 = 64;

/// The backlog that a batch's server is expected to listen with.
pub(super) const BACKLOG: u64 = 4096;

/// The ends of a connection over loopback that this machine holds.
pub(super) const ENDS: u64 = 2;

/// Memory of the generator for a connection, with some to spare: 50,000 connections took under 2 KiB each
/// (`benches/scale.py`).
const GENERATOR: u64 = 2 << 10;

/// Memory of the generator for the TLS of a connection, beyond that, with some to spare for records in parts: 2,000
/// connections took under 4 KiB each (`tests/weight.rs`).
const SECURED: u64 = 8 << 10;

/// Memory of the kernel for each end of a connection: `tcp_sock` 2368, the socket's inode 832, the file 192, its name 192,
/// the event queue's entry 128 bytes (`/proc/slabinfo` of a 6.18 on x86-64), rounded up to a page.
const KERNEL: u64 = 4 << 10;

/// What connections need of a machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Need {
    pub(super) connections: u64,
    /// Connections that one process holds.
    pub(super) per_process: u64,
    /// Connections from one source address to one destination: each takes a port.
    pub(super) per_source: u64,
    /// The ends of a connection that this machine holds.
    ends: u64,
    /// Whether they are TCP connections.
    pub(super) tcp: bool,
    /// Memory of the generator for what secures a connection.
    secured: u64,
}

impl Need {
    /// Of a schedule that one process drives.
    pub(super) fn of(schedule: &Schedule, address: &Address) -> Self {
        let connections = u64::from(schedule.connections());
        let mut need = Self::of_connections(connections, address);
        if let Schedule::Batch { connections, .. } = *schedule
            && address.source(0).is_some()
        {
            // Each program has a source address of its own.
            need.per_source = u64::from(connections);
        }
        need
    }

    /// Of a schedule that this number of processes drive together.
    pub(super) fn shared(schedule: &Schedule, address: &Address, processes: u32) -> Self {
        let whole = Self::of(schedule, address);
        let share = whole.connections.div_ceil(u64::from(processes.max(1)));
        Self {
            per_process: share,
            per_source: whole.per_source.min(share),
            ..whole
        }
    }

    /// Of the connections that this number of targets hold at the same time, `level` each.
    pub(super) fn of_targets(level: u32, targets: u32, address: &Address) -> Self {
        let one = Self::of_connections(u64::from(level), address);
        let all = one.connections * u64::from(targets.max(1));
        Self {
            connections: all,
            per_process: all,
            ..one
        }
    }

    fn of_connections(connections: u64, address: &Address) -> Self {
        Self {
            connections,
            per_process: connections,
            // Where source addresses can be chosen, there are several.
            per_source: match address.source(0) {
                Some(_) => connections.min(u64::from(PER_SOURCE)),
                None => connections,
            },
            ends: match address.ip() {
                Some(to) if !to.ip().is_loopback() => 1,
                _ => ENDS,
            },
            tcp: address.ip().is_some(),
            secured: 0,
        }
    }

    /// The same over TLS.
    pub(super) fn secured(self) -> Self {
        Self {
            secured: SECURED,
            ..self
        }
    }

    /// Open files of one process.
    pub(super) fn files_of_process(&self) -> u64 {
        self.per_process + OTHER_FILES
    }

    /// Open files of all processes.
    pub(super) fn files(&self) -> u64 {
        self.connections * self.ends
    }

    /// Pages of TCP buffers, one at each end, if the server answers on all connections at once.
    pub(super) fn tcp_pages(&self) -> u64 {
        self.connections * self.ends
    }

    /// Bytes of memory, without the server's own.
    pub(super) fn memory(&self) -> u64 {
        memory(self.connections, self.ends) + self.connections * self.secured
    }
}

/// Bytes of memory for connections of which this machine holds this number of ends each.
pub(super) fn memory(connections: u64, ends: u64) -> u64 {
    connections * (GENERATOR + KERNEL * ends)
}

/// The number of connections that may be opened before the server has answered on them: a few less than fit into the listen
/// queue of a contender with a backlog of 4096. The kernel would drop one more and try it again a second later, and a batch
/// would show that second.
pub(crate) fn unanswered_at_most() -> u32 {
    let backlog = resources::backlog().min(BACKLOG);
    (backlog - backlog / 32).max(1) as u32
}
