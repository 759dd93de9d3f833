//! `tare run --resume RUN`: further launches of what a stored run has.

use tare_host::machine;
use tare_prepare::resume::{Earlier, Here};
use tare_prepare::{Request, Supervision};
use tare_store::Store;

use crate::failure::Failure;

pub use tare_prepare::resume::{settings, take_over};

/// Reads the run, and refuses one that cannot be continued.
pub fn earlier(
    supervision: &Supervision,
    request: Request,
    which: &str,
    revision: Option<&str>,
) -> Result<Earlier, Failure> {
    let store = Store::open_existing(supervision.state.join("results.sqlite")).map_err(Failure::outside)?;
    let run = store.run(which).map_err(Failure::usage)?;
    let machine = machine::machine(&supervision.grouping);
    let here = Here {
        machine: &machine,
        revision,
    };
    Ok(Earlier::of(run, request, here)?)
}
