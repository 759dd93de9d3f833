//! From a contender that can be run to the command that starts it.

use std::collections::BTreeMap;

use tare_host::process::Launch;
use tare_host::substitute;
use tare_model::fault::{Fault, FaultKind};

use crate::rig::{RigGroup, Runnable};

/// The command with the values that are known only now (`more`) in their places.
pub(crate) fn launch(
    group: &RigGroup,
    runnable: &Runnable,
    more: &[(&str, String)],
) -> Result<Launch, Fault> {
    let mut values = runnable.values.clone();
    values.extend(
        more.iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone())),
    );
    let unfit = |error: substitute::BadPlaceholder| Fault::new(FaultKind::DiedAtStart, error.to_string());
    let argv = substitute::substitute(&runnable.run, &values).map_err(unfit)?;
    let mut env = BTreeMap::new();
    for (name, value) in &runnable.env {
        let value = substitute::substitute_word(value, &values).map_err(unfit)?;
        env.insert(name.clone(), value);
    }
    Ok(Launch {
        argv,
        env,
        cwd: runnable.cwd.clone(),
        cores: group.placement.contender.clone(),
        log: runnable.log.clone(),
    })
}
