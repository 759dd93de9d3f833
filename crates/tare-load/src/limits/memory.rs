//! What connections cost in memory.

/// The generator's own part, with room: 50,000 connections took under 2 KiB each (`benches/scale.py`).
const GENERATOR: u64 = 2 << 10;

/// The kernel's part of each end: `tcp_sock` 2368, the socket's inode 832, the file 192, its name 192, the event queue's
/// entry 128 bytes (`/proc/slabinfo` of a 6.18 on x86-64), rounded up to a page.
const KERNEL: u64 = 4 << 10;

/// Bytes for so many connections of which this machine holds so many ends each. A server's own part comes on top.
pub(super) fn of(connections: u64, ends: u64) -> u64 {
    connections * (GENERATOR + KERNEL * ends)
}
