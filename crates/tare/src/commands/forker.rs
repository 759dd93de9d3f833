//! The process that starts a CGI program for each request (started by tare itself).

use std::ffi::OsString;

use crate::context::Context;
use crate::failure::Failure;

/// Start a CGI program for each request (started by tare itself)
#[derive(Debug, Clone, clap::Args)]
pub struct ForkerArgs {
    /// The program, and the variables that it gets
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Serves until tare ends.
pub fn run(_: &Context, args: &ForkerArgs) -> Result<u8, Failure> {
    tare_host::forker::serve(&args.words).map_err(Failure::outside)?;
    Ok(0)
}
