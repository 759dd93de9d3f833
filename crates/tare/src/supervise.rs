//! Tare's own processes beside the one that measures, and what is held while they run.

use std::path::{Path, PathBuf};

use tare_host::error::HostError;
use tare_host::groups::Backing;
use tare_model::manifest::Lab;
use tare_model::settings::SuiteFolders;
use tare_prepare::suites::{self, Foreign};
use tare_prepare::{Choice as Chosen, Helpers, Preparation, PrepareError, Supervision};

use tare_report::escape;

use crate::args::Choice;
use crate::context::Context;
use crate::failure::Failure;

/// The word that makes tare's binary a [spawner](tare_host::spawner).
pub const SPAWNER: &str = "__spawn";

/// The lab that a command works on, and what is held meanwhile.
pub struct Supervised<'c> {
    pub lab: Lab,
    pub supervision: Supervision,
    /// The folders of another suite that it was made of.
    pub folders: Option<SuiteFolders>,
    context: &'c Context,
}

/// The lab, its state folder locked.
pub fn lab(context: &Context) -> Result<Supervised<'_>, Failure> {
    let lab = context.lab()?;
    let supervision = begin(context, context.state()?, forced()?)?;
    Ok(Supervised {
        lab,
        supervision,
        folders: None,
        context,
    })
}

/// The lab that words choose from, its state folder locked, and what they choose: of folders of another suite, the lab that is
/// made of them.
pub fn chosen<'c>(context: &'c Context, words: &Choice) -> Result<(Supervised<'c>, Chosen), Failure> {
    let foreign = words.foreign()?;
    if foreign.is_empty() {
        return Ok((lab(context)?, words.choice()));
    }
    let own = context.kept()?;
    let supervision = begin(context, own.clone(), forced()?)?;
    let (lab, folders, choice) = of_folders(context, words, &foreign, &own)?;
    let supervised = Supervised {
        lab,
        supervision,
        folders: Some(folders),
        context,
    };
    Ok((supervised, choice))
}

/// The same, where nothing is started, so that nothing is locked; and the state folder.
pub fn looked_at(context: &Context, words: &Choice) -> Result<(Lab, PathBuf, Chosen), Failure> {
    let foreign = words.foreign()?;
    if foreign.is_empty() {
        return Ok((context.lab()?, context.state()?, words.choice()));
    }
    let own = context.kept()?;
    let (lab, _, choice) = of_folders(context, words, &foreign, &own)?;
    Ok((lab, own, choice))
}

/// No lab yet, and the folder for results locked: what is measured has its manifests elsewhere.
pub fn without_lab(context: &Context) -> Result<Supervised<'_>, Failure> {
    let own = context.kept()?;
    let supervision = begin(context, own.clone(), forced()?)?;
    Ok(Supervised {
        lab: Lab::new(own),
        supervision,
        folders: None,
        context,
    })
}

/// The lab of a stored run, its state folder locked.
pub fn resumed<'c>(context: &'c Context, which: &str) -> Result<Supervised<'c>, Failure> {
    let run = context.store()?.run(which).map_err(Failure::usage)?;
    let folders = run
        .info
        .settings
        .contenders
        .and_then(|contenders| contenders.folders);
    let Some(folders) = folders else {
        return lab(context);
    };
    let own = context.kept()?;
    let supervision = begin(context, own.clone(), forced()?)?;
    Ok(Supervised {
        lab: suites::known_lab(&folders.lab, &own)?,
        supervision,
        folders: Some(folders),
        context,
    })
}

/// The lab of other suites' folders, what it was made of, and what is chosen of it.
fn of_folders(
    context: &Context,
    words: &Choice,
    foreign: &[Foreign],
    own: &Path,
) -> Result<(Lab, SuiteFolders, Chosen), Failure> {
    let mut choice = words.choice();
    let made = suites::lab(foreign, &words.tests, &choice, own)?;
    for (id, why) in &made.left_out {
        context.say(escape::visible(&format!("left out: {id}: {why}")));
    }
    choice.workloads = vec![made.workload];
    // What they name is not in the lab.
    choice.except = Vec::new();
    let folders = SuiteFolders {
        lab: made.key,
        named: words.folders().iter().map(|folder| folder.word.clone()).collect(),
    };
    Ok((made.lab, folders, choice))
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
