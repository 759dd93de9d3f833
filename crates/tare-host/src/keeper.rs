//! The keeper: makes groups, and sees that each is known to the guard and on disk before it exists.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use sha2::{Digest, Sha256};

use crate::error::{HostError, Result};
use crate::groups::{Group, Grouping, is_group_name};
use crate::guard::Guard;
use crate::lock::Lock;

/// Makes the groups of one run.
#[derive(Debug)]
pub struct Keeper {
    grouping: Grouping,
    state: PathBuf,
    prefix: String,
    next: AtomicU32,
    registry: Arc<Registry>,
}

/// Who has to know of every group: the guard, and the state folder for the next start.
#[derive(Debug)]
struct Registry {
    folder: PathBuf,
    guard: Option<Mutex<Guard>>,
}

/// A group's entry in the registry.
#[derive(Debug)]
pub(crate) struct Ticket {
    registry: Arc<Registry>,
    name: String,
}

impl Keeper {
    /// A keeper for one run (`run`: the run's id, letters, digits and dashes). Without a guard, groups are ended by
    /// their drop and by the next start's [`crate::guard::sweep`] only: for tests and for commands that start nothing
    /// for long.
    ///
    /// # Errors
    /// [`HostError::Os`] where the registry's folder cannot be made, [`HostError::Other`] where `run` is no id.
    pub fn new(lock: &Lock, run: &str, grouping: Grouping, guard: Option<Guard>) -> Result<Self> {
        let folder = registry_folder(lock.state());
        fs::create_dir_all(&folder).map_err(HostError::on("create the folder", &folder))?;
        let prefix = format!("{}{run}-", lab_prefix(lock.state()));
        if !is_group_name(&prefix) {
            return Err(HostError::Other(format!(
                "`{run}` is no run's id: letters, digits and dashes only"
            )));
        }
        Ok(Self {
            grouping,
            state: lock.state().to_owned(),
            prefix,
            next: AtomicU32::new(1),
            registry: Arc::new(Registry {
                folder,
                guard: guard.map(Mutex::new),
            }),
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

    /// A new empty group.
    ///
    /// # Errors
    /// [`HostError::Os`] where it cannot be made or registered, [`HostError::Other`] where the guard is gone.
    pub fn group(&self) -> Result<Group> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}{number}", self.prefix);
        // Registered first: a tare killed in between leaves an entry without a group, never the other way round.
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

impl Registry {
    fn enter(registry: &Arc<Self>, name: &str, line: &str) -> Result<Ticket> {
        let path = registry.folder.join(name);
        fs::write(&path, line).map_err(HostError::on("write", &path))?;
        let ticket = Ticket {
            registry: Arc::clone(registry),
            name: name.to_owned(),
        };
        match registry.tell(&format!("+{line}")) {
            Ok(()) => Ok(ticket),
            Err(error) => {
                ticket.give_back();
                Err(error)
            }
        }
    }

    fn tell(&self, line: &str) -> Result<()> {
        match &self.guard {
            None => Ok(()),
            Some(guard) => guard
                .lock()
                .expect("no thread panics while it holds this")
                .tell(line),
        }
    }
}

impl Ticket {
    /// The group is gone for good.
    pub(crate) fn give_back(self) {
        // A guard that is gone has nothing to end; what cannot be removed is swept at the next start.
        let _ = self.registry.tell(&format!("-{}", self.name));
        let _ = fs::remove_file(self.registry.folder.join(&self.name));
    }
}

/// The folder that names every group that may be alive, one file each.
pub(crate) fn registry_folder(state: &Path) -> PathBuf {
    state.join("groups")
}

/// What the names of this lab's groups begin with: `tare-` and eight hexadecimal digits of its path's hash.
pub(crate) fn lab_prefix(state: &Path) -> String {
    let path = state.canonicalize().unwrap_or_else(|_| state.to_owned());
    let hash = Sha256::digest(path.as_os_str().as_encoded_bytes());
    format!("tare-{}-", hex(&hash[..4]))
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
