//! Servers that run already: what is asked for becomes a load of one of them, or a plan to compare several.

mod agent;
mod agents;
mod asked;
mod awake;
pub(crate) mod error;
#[cfg(test)]
mod fuzz;
mod kept;
mod one;
mod part;
mod request;
mod scheme;
mod secure;
mod several;
mod standing;
mod target;
pub(crate) mod team;
mod there;
mod url;

pub use agent::{AgentLimits, AgentLoad, AgentRefusal, AgentStand};
pub use agents::{AgentShare, AgentsLoad};
pub use awake::Waiting;
pub use error::ServersError;
pub use one::{Generators, ServerLoad};
pub use request::{
    Authorities, Comparison, Files, HttpVersion, InFlight, LoadRequest, Requests, TlsRequest, Whereabouts,
};
pub use several::{ServersJob, machine};
pub use standing::{served, standing_generator};
