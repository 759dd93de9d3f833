//! Whole commands against each other: what is asked for becomes a plan and the rig that carries it out.
//!
//! A [`CommandsRequest`] has the commands as [`Entries`], which [`Texts`] with parameters make or a caller makes by itself,
//! and [`CommandRules`]. [`CommandsJob::new`] refuses what cannot be measured before anything runs;
//! [`CommandsJob::plan`] makes a plan in blocks of rounds, of how long the commands take.

mod entry;
pub(crate) mod error;
mod job;
mod names;
mod outputs;
mod place;
mod plan;
mod range;
mod request;
pub(crate) mod spec;
mod texts;
mod words;

use tare_host::groups::Grouping;
use tare_host::machine;
use tare_model::results::Machine;

pub use entry::{Entries, Entry, Numbers, Parameter, Texts};
pub use error::CommandsError;
pub use job::CommandsJob;
pub(crate) use job::keep_to;
pub use outputs::Outputs;
pub(crate) use place::place;
pub use place::{folder, revision};
pub use request::{CommandHints, CommandRules, CommandsRequest};
pub use words::words;

/// The machine, as results of commands describe it.
pub fn machine(grouping: &Grouping) -> Machine {
    Machine {
        freezer: "none: one command at a time".to_owned(),
        accounting: "wait4".to_owned(),
        ..machine::machine(grouping)
    }
}
