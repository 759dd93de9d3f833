//! `tare __aa`: one of the two processes of the doctor's A/A test.

use tare_rig::doctor::program;

use crate::args::{AaArgs, AaRole};
use crate::failure::Failure;

/// Serves until it is ended; the exit status.
pub fn run(args: &AaArgs) -> Result<u8, Failure> {
    let served = match (args.role, args.port) {
        (AaRole::Probe, _) => program::probe(),
        (AaRole::Serve, Some(port)) => program::serve(port),
        (AaRole::Serve, None) => return Err(Failure::usage("a server needs a port")),
    };
    served.map(|()| 0).map_err(Failure::outside)
}
