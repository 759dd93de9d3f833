//! Servers that run already: what is asked for becomes a load of one of them, or a plan to compare several.

mod awake;
pub(crate) mod error;
#[cfg(test)]
mod fuzz;
mod kept;
mod one;
mod request;
mod several;
mod target;
mod there;
mod url;

pub use awake::Waiting;
pub use error::ServersError;
pub use one::{Generators, ServerLoad};
pub use request::{Comparison, InFlight, LoadRequest, Requests};
pub use several::{ServersJob, machine};
