//! Preparation: what was asked for becomes a plan that can be run.
//!
//! A [`Request`] selects cases and contenders and says how they are driven. Manifests are read ([`choose()`]), tools
//! found or installed ([`Tools`]), contenders built and services started ([`Preparation`]); the result is a plan for
//! the experiment and the groups of a rig that can carry it out ([`ReadyCases::plan`]).
//!
//! What needs no manifest has requests of its own: whole commands ([`commands`]), a command at two revisions
//! ([`revisions`]), servers that run already ([`servers`]), the benchmarks that a project has ([`bench`]). Checkouts of other suites are read by [`suites`]. A run can be continued ([`resume`]).
//!
//! This room must not know how slices are analysed, kept or shown. It reports what it does as events ([`Progress`]),
//! and never prints or exits.

#![warn(unreachable_pub)]

mod as_built;
pub mod bench;
mod build;
mod certificate;
mod choose;
pub mod commands;
mod error;
mod explain;
mod group;
mod hold;
mod hosts;
mod limits;
mod links;
mod measured;
mod naming;
mod pace;
mod placement;
mod progress;
mod quick;
mod ready;
mod ready_case;
mod request;
pub mod resume;
pub mod revisions;
pub mod servers;
mod services;
pub mod suites;
mod supervision;
mod tools;
mod tour;

pub use choose::{ChosenCase, choose};
pub use error::{Cause, PrepareError, Result};
pub use explain::{Explanation, Question};
pub use hold::{Held, HoldRequest, Holding};
pub use hosts::{Away, HostsError};
pub use measured::{Chosen, measured};
pub use naming::NamingError;
pub use placement::placement;
pub use progress::{BenchStep, Event, Progress};
pub use quick::quick_budget;
pub use ready::{Preparation, Prepared, ReadyCases, outline};
pub use ready_case::ReadyCase;
pub use request::{Choice, Hosts, Request, ServiceHost};
pub use supervision::{Helpers, Supervision};
pub use tools::Tools;
pub use tour::Tour;
