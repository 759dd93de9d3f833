//! Remote: how a load is driven from other machines.
//!
//! A *conductor*, the `tare load` that a person started, connects to *agents*, one on each machine. Both prove that they know
//! a common [`Key`]; then they exchange [`message`]s over a [`Link`], which notices when the other side is gone. What an agent
//! may be told to load is [`Allowed`].
//!
//! - `frame`: where a message ends in received bytes (sans-IO, bounded).
//! - `seal`: that a message is of somebody who knows the key, and neither repeated nor left out.
//! - `greeting`: versions, and the proof of the key, both ways.
//! - [`holding`]: a service that another machine holds, over pipes.
//!
//! Nothing is encrypted. This room must not know how a load is driven or what a figure means: what generators say passes
//! through as text.

#![warn(unreachable_pub)]

mod allow;
mod bytes;
mod frame;
#[cfg(test)]
mod fuzz;
mod greeting;
pub mod holding;
mod key;
mod link;
mod listener;
pub mod message;
mod part;
mod seal;
mod slices;

pub use allow::{Allowed, BadNetwork};
pub use bytes::Bytes;
pub use greeting::{GreetingError, PROTOCOL};
pub use key::{Key, KeyError};
pub use link::{ConnectError, Link, Lost, Receiver, Sender, connect};
pub use listener::{Arrival, Claim, Listener};
pub use part::{InFlight, Part, Refill, Requests, Server, Tls, share};
pub use slices::{Pacing, Served, ServedJob, Slice, Standing};
