//! The ways of driving a contender, and the choice among them by the job. A further way is a file here that implements
//! [`Driver`], and an arm in [`start`].

mod contained;
mod forker;
mod front;
mod pipe;
pub(crate) mod probe;
mod resident;
pub(crate) mod sockets;

use std::sync::atomic::AtomicBool;

use tare_host::keeper::Keeper;
use tare_host::process::Process;
use tare_model::fault::Fault;
use tare_model::manifest::Job;

use crate::contender::{RigGroup, Runnable};
use crate::driver::Driver;

/// Starts a contender and waits until it is ready. It is left running.
pub(crate) fn start(
    keeper: &Keeper,
    cancel: &AtomicBool,
    group: &RigGroup,
    runnable: &Runnable,
) -> Result<(Process, Box<dyn Driver>), Fault> {
    match &group.job {
        Job::Probe(_) => probe::start(keeper, cancel, group, runnable),
        Job::Pipe(_) => pipe::start(keeper, cancel, group, runnable),
        Job::Doubling | Job::Lines { .. } | Job::Http(_) | Job::Grpc(_) | Job::WebSocket(_) => {
            sockets::start(keeper, cancel, group, runnable)
        }
    }
}
