//! What the connections of one load core share.

use std::sync::Arc;

use super::heads::Heads;
use super::request::Request;
use crate::check::Checker;

/// What the connections of one load core share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) request: Arc<Request>,
    pub(super) heads: Heads,
    pub(super) checker: Checker,
    /// Whether the method is HEAD: answers have no body, whatever length they announce.
    pub(super) to_head: bool,
    /// The window that a server is given, on each connection and each stream.
    pub(super) window: u32,
    pub(super) depth: u32,
}
