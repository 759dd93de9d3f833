//! Sys: what the kernel says of this machine, and the system calls that several rooms need.
//!
//! - [`affinity`]: the cores that a thread may run on.
//! - [`clock`]: CPU time.
//! - [`limits`]: limits of this process that can be raised, and the precision of its sleep.
//! - [`network`]: network namespaces.
//! - [`proc`]: numbers in files under `/proc`.
//! - [`resources`]: what this machine has: open files, ports, memory, buffers.
//! - [`tcp`]: what was lost on the way.
//!
//! This room knows no other. It must not know what a schedule needs, or what is done with an answer.

#![warn(unreachable_pub)]

pub mod affinity;
pub mod clock;
pub mod limits;
pub mod network;
pub mod proc;
pub mod resources;
pub mod tcp;

use std::io;

/// The result of a system call that returns 0 on success.
fn check(returned: libc::c_int) -> io::Result<()> {
    if returned == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}
