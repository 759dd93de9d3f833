//! Services: their state, made once and cached by content, and a fresh copy of it for each process.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use tare_model::fault::{Fault, FaultKind};

use crate::build::copy::{copy_whole, hand_over};
use crate::build::{self, Recipe};
use crate::error::HostError;
use crate::keeper::Keeper;
use crate::ordinary::Ordinary;

/// A service whose state has been made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// The copy of the service's folder: `{src}`.
    pub src: PathBuf,
    /// What `prepare` made. A service without a process is used from here, read-only.
    pub state: PathBuf,
    /// What `prepare` printed.
    pub log: PathBuf,
    /// Whether it was cached.
    pub cached: bool,
    ordinary: Ordinary,
}

/// Makes a service's state, unless it was made before from the same folder, steps and tools. It is in
/// `services/NAME-KEY/` under the state folder, or in a folder that its user can reach. `recipe.contender` is its name.
///
/// # Errors
/// `NoService` with the step that failed and its last lines; `Instrument` if the state folder fails or `cancel` was set.
pub fn prepare(
    keeper: &Keeper,
    ordinary: &Ordinary,
    recipe: &Recipe,
    cancel: &AtomicBool,
) -> Result<Prepared, Fault> {
    let steps = recipe.steps.iter().map(|step| prefixed(ordinary, step));
    let recipe = Recipe {
        steps: steps.collect(),
        ..recipe.clone()
    };
    let unfit = |fault: Fault| no_service(&recipe.contender, "could not be prepared", fault);
    let hash = build::hash(&recipe).map_err(unfit)?;
    let folder = ordinary
        .base
        .join(format!("{}-{}", recipe.contender, &hash[..12]));
    let owner = ordinary.way.owner();
    let built = build::make(keeper, &folder, &hash, owner, &recipe, cancel).map_err(unfit)?;
    Ok(Prepared {
        src: built.src,
        state: built.out,
        log: built.log,
        cached: built.cached,
        ordinary: ordinary.clone(),
    })
}

/// Turns a fault into one of the service, except tare's own faults and missing tools.
pub fn no_service(name: &str, what: &str, fault: Fault) -> Fault {
    match fault.kind {
        FaultKind::Instrument | FaultKind::MissingTool => fault,
        _ => Fault::new(
            FaultKind::NoService,
            format!("the service `{name}` {what}: {}", fault.detail),
        ),
    }
}

impl Prepared {
    /// A copy of the state for one process, which replaces an earlier one of the same number: so no run sees what another
    /// did to it, or what a killed process left half done.
    ///
    /// # Errors
    /// [`HostError::Os`] if it cannot be copied.
    pub fn fresh(&self, number: usize) -> Result<Fresh, HostError> {
        let place = self.state.parent().unwrap_or(Path::new("."));
        let folder = place.join(format!("live-{number}"));
        clear(&folder)?;
        copy_whole(&self.state, &folder)?;
        if let Some(owner) = self.ordinary.way.owner() {
            hand_over(&folder, owner)?;
        }
        Ok(Fresh { folder })
    }

    /// A command as the service's user runs it.
    pub fn command(&self, argv: &[String]) -> Vec<String> {
        prefixed(&self.ordinary, argv)
    }
}

/// A copy of a service's state, removed when this is dropped.
#[derive(Debug)]
pub struct Fresh {
    folder: PathBuf,
}

impl Fresh {
    /// Its path: `{state}` of the process.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        // What is left is cleared before the next copy.
        let _ = clear(&self.folder);
    }
}

fn clear(folder: &Path) -> Result<(), HostError> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(HostError::on("clear", folder))?;
    }
    Ok(())
}

fn prefixed(ordinary: &Ordinary, argv: &[String]) -> Vec<String> {
    let mut words = ordinary.way.prefix();
    words.extend_from_slice(argv);
    words
}
