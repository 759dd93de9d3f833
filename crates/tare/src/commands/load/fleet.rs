//! A load by several generator processes of this machine. [`tare_rig::fleet`] runs them.

use tare_host::interrupt;
use tare_prepare::servers::{Generators, LoadRequest, ServerLoad};
use tare_remote::Part;
use tare_rig::fleet::{Fleet, FleetError, Together};

use super::{Outcome, is_awake, live};
use crate::commands::generator;
use crate::context::Context;
use crate::failure::Failure;

/// Drives a load of a server by several processes; returns what they saw together.
pub fn drive(
    context: &Context,
    url: &str,
    request: &LoadRequest,
    (load, generators): (&ServerLoad, &Generators),
) -> Result<Outcome, Failure> {
    let whole = request.part(url, load, generators.processes, is_awake(generators))?;
    let whole = Part {
        progress: live::wanted(context),
        ..whole
    };
    let fleet = Fleet::here(generator::command()?, &whole.of_processes()).map_err(failed)?;
    Ok(run(fleet, whole.progress)?.all)
}

/// Runs a fleet, with a line of progress if it is `shown`.
pub fn run(fleet: Fleet, shown: bool) -> Result<Together, Failure> {
    let answers = fleet.answers();
    let mut live = None;
    let together = fleet.run(interrupt::asked, || {
        live = shown.then(|| live::show(move || answers.total()));
    });
    drop(live);
    together.map_err(failed)
}

/// Why a fleet has no outcome, with what helps.
pub fn failed(error: FleetError) -> Failure {
    let failure = Failure::outside(&error);
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
