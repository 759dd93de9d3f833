//! Evidence of where a group's time goes: the kernel's counters, sampled stacks, recorded system calls, and what
//! garbage collectors and compilers at run time log.
//!
//! Stacks and calls come from `perf`, which attaches to a frozen group and follows all that it starts ([`recorder`]);
//! what it recorded is read back as text by `perf script` ([`script`]). Where it cannot be had, [`ability`] says why,
//! and what would change that; all else is collected without it.

pub mod ability;
pub mod collector;
pub mod compiler;
pub mod counters;
pub mod recorder;
pub mod script;
mod symbols;
pub mod syscalls;

#[cfg(test)]
#[path = "../../../../fuzz/harness.rs"]
pub(crate) mod harness;
