//! What agents on other machines drive: how that ends.

use tare_report::words;
use tare_rig::fleet::Crew;

use crate::failure::Failure;

/// What a reader should know of slices that were driven again.
pub fn repeated(crew: &Crew) -> Vec<String> {
    match crew.voids() {
        0 => Vec::new(),
        voids => vec![format!(
            "{} driven again, since the agents did not begin together",
            words::counted(u64::from(voids), "slice")
        )],
    }
}

/// Why the agents drive nothing more.
pub fn lost(crew: &Crew) -> Option<Failure> {
    let error = crew.broken()?;
    let failure = Failure::outside(error);
    Some(match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    })
}

/// Fails if a run ended early since its agents were lost: what it measured until then is kept.
pub fn refuse_lost(lost: Option<Failure>, run: &str) -> Result<(), Failure> {
    let Some(failure) = lost else { return Ok(()) };
    let goes_on = format!("what was measured before is kept: `tare run --resume {run}` goes on with it");
    let hint = match &failure.hint {
        Some(hint) => format!("{hint} {goes_on}"),
        None => goes_on,
    };
    Err(failure.hint(hint))
}
