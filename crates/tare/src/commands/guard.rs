//! The process that ends everything of a tare that dies (started by tare itself).

use crate::context::Context;
use crate::failure::Failure;

/// End everything of a tare that dies (started by tare itself)
#[derive(Debug, Clone, clap::Args)]
pub struct GuardArgs {}

/// Serves until tare ends.
pub fn run(_: &Context, _: &GuardArgs) -> Result<u8, Failure> {
    Ok(u8::from(tare_host::guard::serve() != 0))
}
