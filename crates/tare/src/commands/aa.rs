//! `tare __aa`: one of the two processes of the doctor's A/A test.

use clap::{Args, ValueEnum};
use tare_rig::doctor::program;

use crate::context::Context;
use crate::failure::Failure;

/// Be one of the two processes of the doctor's A/A test (started by tare itself)
#[derive(Debug, Clone, Args)]
pub struct AaArgs {
    #[arg(value_enum)]
    pub role: AaRole,
    pub port: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AaRole {
    Probe,
    Serve,
}

/// Serves until it is ended; the exit status.
pub fn run(_: &Context, args: &AaArgs) -> Result<u8, Failure> {
    let served = match (args.role, args.port) {
        (AaRole::Probe, _) => program::probe(),
        (AaRole::Serve, Some(port)) => program::serve(port),
        (AaRole::Serve, None) => return Err(Failure::usage("a server needs a port")),
    };
    served.map(|()| 0).map_err(Failure::outside)
}
