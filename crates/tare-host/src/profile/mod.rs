//! Evidence of where a group's time goes: the kernel's counters, sampled stacks, recorded system calls, and the
//! logs of garbage collectors and JIT compilers.
//!
//! Stacks and calls come from `perf`, which attaches to a paused group and follows everything that it starts
//! ([`recorder`]); `perf script` turns its recording into text ([`script`]). If perf is not available, [`ability`] says why,
//! with a hint; everything else is collected without it.

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
