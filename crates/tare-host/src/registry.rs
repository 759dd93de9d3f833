//! The registry: names every process group and every container that may be alive, on disk and to the guard process, so
//! that whatever cleans up after tare can find it.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};

use sha2::{Digest, Sha256};

use crate::error::{HostError, Result};
use crate::hex::hex;
use crate::lock::Lock;
use crate::sys::{self, Birth};

/// The guard process, seen from tare. When tare ends in any way, the pipe closes and the guard ends every registered
/// group. Dropping this waits until the guard has done so.
#[derive(Debug)]
pub struct Guard {
    child: Child,
    pipe: Option<ChildStdin>,
}

impl Guard {
    /// Starts the guard. `argv` is tare's own binary with the hidden argument that leads to [`crate::guard::serve`].
    /// The guard has a session of its own and ignores the terminal's signals from before its first instruction on.
    ///
    /// # Errors
    /// [`HostError::Os`] if it cannot be started.
    pub fn start(lock: &Lock, argv: &[OsString]) -> Result<Self> {
        let folder = registry_folder(lock.state());
        fs::create_dir_all(&folder).map_err(HostError::on("create the folder", &folder))?;
        let (program, arguments) = argv
            .split_first()
            .ok_or_else(|| HostError::Other("the guard needs a command".to_owned()))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            // It removes the registry's entries along with the groups: they are files in its working folder.
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            // Not tare's: a program that reads tare's errors to their end must not wait for the guard.
            .stderr(Stdio::null());
        let birth = Birth {
            deaf: true,
            ..Birth::default()
        };
        sys::prepare(&mut command, birth).map_err(HostError::on("prepare", "the guard"))?;
        let mut child = command
            .spawn()
            .map_err(HostError::on("start the guard", program))?;
        let pipe = child.stdin.take();
        Ok(Self { child, pipe })
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    fn send(&mut self, line: &str) -> Result<()> {
        let pipe = self.pipe.as_mut().expect("taken on drop only");
        // One write of less than PIPE_BUF bytes: a line arrives whole or not at all.
        pipe.write_all(format!("{line}\n").as_bytes()).map_err(|error| {
            HostError::Other(format!(
                "the guard process {} is gone ({error}), so nothing would end the contenders if tare were killed\n\n\
                 hint: start the run again; find out what ended the guard",
                self.child.id()
            ))
        })
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.pipe.take());
        let _ = self.child.wait();
    }
}

/// The registry of one run: a file for each group in the state folder, for the next start, and a line to the guard.
#[derive(Debug)]
pub(crate) struct Registry {
    folder: PathBuf,
    guard: Option<Mutex<Guard>>,
}

/// A group's entry in the registry.
#[derive(Debug)]
pub(crate) struct Ticket {
    registry: Arc<Registry>,
    name: String,
}

impl Registry {
    /// Opens the registry of a lab.
    ///
    /// # Errors
    /// [`HostError::Os`] if its folder cannot be made.
    pub(crate) fn open(lock: &Lock, guard: Option<Guard>) -> Result<Arc<Self>> {
        let folder = registry_folder(lock.state());
        fs::create_dir_all(&folder).map_err(HostError::on("create the folder", &folder))?;
        Ok(Arc::new(Self {
            folder,
            guard: guard.map(Mutex::new),
        }))
    }

    /// Registers a group by its name and its line (see `ProcessGroup::line`).
    ///
    /// # Errors
    /// [`HostError::Os`] if the file cannot be written, [`HostError::Other`] if the guard is gone.
    pub(crate) fn enter(registry: &Arc<Self>, name: &str, line: &str) -> Result<Ticket> {
        let path = registry.folder.join(name);
        fs::write(&path, line).map_err(HostError::on("write", &path))?;
        let ticket = Ticket {
            registry: Arc::clone(registry),
            name: name.to_owned(),
        };
        match registry.send(&format!("+{line}")) {
            Ok(()) => Ok(ticket),
            Err(error) => {
                ticket.give_back();
                Err(error)
            }
        }
    }

    fn send(&self, line: &str) -> Result<()> {
        match &self.guard {
            None => Ok(()),
            Some(guard) => guard
                .lock()
                .expect("no thread panics while it holds this")
                .send(line),
        }
    }
}

impl Ticket {
    /// The name of what is registered.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Removes the entry: the group is gone for good.
    pub(crate) fn give_back(self) {
        // A guard that is gone has nothing to end; what cannot be removed is swept at the next start.
        let _ = self.registry.send(&format!("-{}", self.name));
        let _ = fs::remove_file(self.registry.folder.join(&self.name));
    }
}

/// The folder that names every group that may be alive, one file each.
pub(crate) fn registry_folder(state: &Path) -> PathBuf {
    state.join("groups")
}

/// The prefix of the names of this lab's groups: `tare-` and eight hexadecimal digits of its path's hash.
pub(crate) fn lab_prefix(state: &Path) -> String {
    let path = state.canonicalize().unwrap_or_else(|_| state.to_owned());
    let hash = Sha256::digest(path.as_os_str().as_encoded_bytes());
    format!("tare-{}-", hex(&hash[..4]))
}

/// Whether a name is one that tare gives: letters, digits and dashes behind `tare-`.
pub(crate) fn is_group_name(name: &str) -> bool {
    name.starts_with("tare-") && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}
