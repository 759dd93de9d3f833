//! TLS from a client's side, without I/O: received bytes in, plain bytes out, and the other way round.
//!
//! A [`Client`] is what all connections to a server have in common, a [`Session`] is one connection. rustls makes the
//! handshake, checks the certificate and derives keys. The records of an open connection are opened and sealed here
//! (`direction.rs`), in the caller's own buffers: rustls allocates for each record it takes and each it makes, and a load has
//! one of both with every answer.
//!
//! This room knows no sockets, no schedules and no protocols beyond their names in ALPN.

#![warn(unreachable_pub)]

mod alert;
mod authority;
mod client;
mod direction;
mod handshake;
mod later;
mod records;
mod session;
mod sessions;
mod trouble;
mod trust;

pub use authority::Issued;
pub use client::{BadTls, Client, ClientOptions, Protocol};
pub use session::{Secured, Session, Step};
pub use trust::Trust;

#[cfg(test)]
mod tests;
