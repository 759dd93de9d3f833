//! The keeper: makes process groups, each registered before it exists.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::{HostError, Result};
use crate::groups::{Grouping, ProcessGroup};
use crate::lock::Lock;
use crate::registry::{Guard, Registry, Ticket, is_group_name, lab_prefix};

/// Makes the process groups of one run.
#[derive(Debug)]
pub struct Keeper {
    grouping: Grouping,
    state: PathBuf,
    prefix: String,
    next: AtomicU32,
    registry: Arc<Registry>,
}

impl Keeper {
    /// A keeper for one run (`run`: the run's id, letters, digits and dashes). Without a guard, only the groups' drop and
    /// the next start's [`crate::guard::sweep`] end them: for tests, and for commands that start nothing for long.
    ///
    /// # Errors
    /// [`HostError::Os`] if the registry's folder cannot be made, [`HostError::Other`] if `run` is not an id.
    pub fn new(lock: &Lock, run: &str, grouping: Grouping, guard: Option<Guard>) -> Result<Self> {
        let registry = Registry::open(lock, guard)?;
        let prefix = format!("{}{run}-", lab_prefix(lock.state()));
        if !is_group_name(&prefix) {
            return Err(HostError::Other(format!(
                "`{run}` is not a run's id: letters, digits and dashes only"
            )));
        }
        Ok(Self {
            grouping,
            state: lock.state().to_owned(),
            prefix,
            next: AtomicU32::new(1),
            registry,
        })
    }

    /// How processes are held here.
    pub fn grouping(&self) -> &Grouping {
        &self.grouping
    }

    /// The lab's state folder.
    pub(crate) fn state(&self) -> &Path {
        &self.state
    }

    /// Registers something that is no group, by a new name of this run. `line`: what the guard needs to end it.
    pub(crate) fn register(&self, line: impl Fn(&str) -> String) -> Result<Ticket> {
        let name = self.name();
        Registry::enter(&self.registry, &name, &line(&name))
    }

    fn name(&self) -> String {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        format!("{}{number}", self.prefix)
    }

    /// A new empty group.
    ///
    /// # Errors
    /// [`HostError::Os`] if it cannot be made or registered, [`HostError::Other`] if the guard is gone.
    pub fn group(&self) -> Result<ProcessGroup> {
        let name = self.name();
        // Registered first: if tare is killed in between, an entry without a group is left, never a group without one.
        let ticket = Registry::enter(&self.registry, &name, &self.grouping.line(&name))?;
        match self.grouping.create(&name) {
            Ok(mut group) => {
                group.set_ticket(ticket);
                Ok(group)
            }
            Err(error) => {
                ticket.give_back();
                Err(error)
            }
        }
    }
}
