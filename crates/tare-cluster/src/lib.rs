//! Commands on the machines of a cluster (*nodes*), by an engine that people run already: ssh, or Slurm.
//!
//! A node gets a folder with what its commands need, runs one command at a time, and hands a file of that folder back. An
//! engine says nothing on whether a command did what it was for: Slurm may run a job again that had finished, and says 0 of
//! one whose node was lost. So whoever asks looks at what was handed back ([`follow`]), and asks again for what is missing.
//!
//! - `target`: which engine and which nodes a person named.
//! - `engine`: what an engine does; `ssh` and `slurm` are the two.
//! - `attached`: a command on a node with which somebody here talks.
//! - `follow`: the commands of all nodes, until each has done what it was for, or cannot.
//! - `words`: commands for a shell on another machine.

#![warn(unreachable_pub)]

mod attached;
mod engine;
mod error;
mod follow;
mod slurm;
mod ssh;
mod target;
mod words;

pub use attached::Attached;
pub use engine::{Engine, Files, Packed, Running};
pub use error::ClusterError;
pub use follow::{Event, Next, Outcome, Part, follow};
pub use slurm::Slurm;
pub use ssh::Ssh;
pub use target::{Target, is_host};
