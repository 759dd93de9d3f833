//! Tare's own processes beside the one that measures, and what is held while they run.

use std::path::PathBuf;

use tare_host::error::HostError;
use tare_host::groups::Backing;
use tare_model::manifest::Lab;
use tare_prepare::{Helpers, Preparation, PrepareError, Supervision};

use crate::context::Context;
use crate::failure::Failure;

/// The word that makes tare's binary a [spawner](tare_host::spawner).
pub const SPAWNER: &str = "__spawn";

/// The lab that a command works on, and what is held meanwhile.
pub struct Supervised<'c> {
    pub lab: Lab,
    pub supervision: Supervision,
    context: &'c Context,
}

/// The lab, its state folder locked.
pub fn lab(context: &Context) -> Result<Supervised<'_>, Failure> {
    let lab = context.lab()?;
    let supervision = begin(context, context.state()?, forced()?)?;
    Ok(Supervised {
        lab,
        supervision,
        context,
    })
}

impl Supervised<'_> {
    pub fn preparation(&self) -> Preparation<'_> {
        Preparation {
            lab: &self.lab,
            supervision: &self.supervision,
            progress: self.context,
        }
    }
}

/// Locks the state folder, ends what a killed run left behind, and starts the guard. `forced`: how processes are held;
/// none: in the best way that works here.
pub fn begin(context: &Context, state: PathBuf, forced: Option<Backing>) -> Result<Supervision, Failure> {
    let command: Vec<String> = std::env::args().collect();
    let me = me()?;
    let helpers = Helpers {
        guard: vec![me.clone().into(), "__guard".into()],
        forker: vec![me.display().to_string(), "__forker".to_owned()],
        spawner: vec![me.into(), SPAWNER.into()],
    };
    let begun = Supervision::begin(state, &command.join(" "), forced, helpers, context);
    begun.map_err(|error| match error {
        PrepareError::State(error) => cannot_take(context, &error),
        other => other.into(),
    })
}

/// The failure of taking the state folder.
pub fn cannot_take(context: &Context, error: &HostError) -> Failure {
    let failure = Failure::outside(error);
    match error {
        HostError::Os { .. } => failure.hint(context.cannot_keep()),
        // It has its hint.
        _ => failure,
    }
}

/// How processes are held, where the environment variable TARE_HOLD says (`v2`, `v1`, `plain`): for tests, and for
/// machines whose best way does not work well.
pub fn forced() -> Result<Option<Backing>, Failure> {
    match std::env::var("TARE_HOLD").as_deref() {
        Err(_) | Ok("") => Ok(None),
        Ok(tag) => Backing::from_tag(tag).map(Some).ok_or_else(|| {
            let tags = Backing::ALL.map(Backing::tag).join(", ");
            Failure::usage(format!("TARE_HOLD is `{tag}`: expected one of {tags}"))
        }),
    }
}

/// Tare's own binary. Where its file was replaced meanwhile (by an update, or a build), the process that runs it still
/// has it.
fn me() -> Result<PathBuf, Failure> {
    let path =
        std::env::current_exe().map_err(|error| Failure::outside(format!("cannot find tare: {error}")))?;
    Ok(if path.exists() {
        path
    } else {
        "/proc/self/exe".into()
    })
}
