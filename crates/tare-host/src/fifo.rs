//! Two named pipes between the two processes of one contender.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use crate::error::{HostError, Result};
use crate::keeper::Keeper;
use crate::sys;

/// The folder, under the lab's state, of all pipes.
const FOLDER: &str = "pipes";

/// A pair of pipes, in a folder that only their owner may enter. Dropping it removes their names; a process that has
/// them open keeps them.
#[derive(Debug)]
pub struct PipePair {
    folder: PathBuf,
    /// Open for reading and writing, so that neither side finds a pipe closed, or waits for the other, before both have
    /// opened it.
    held: Vec<File>,
}

/// The ends of the server.
#[derive(Debug)]
pub struct ServerEnds {
    /// It reads requests here.
    pub input: File,
    /// It writes answers here.
    pub output: File,
}

impl PipePair {
    /// Makes a pair for a group of processes.
    ///
    /// # Errors
    /// [`HostError::Os`] if it cannot be made or opened.
    pub fn make(keeper: &Keeper, group: &str) -> Result<Self> {
        let folder = pipes_folder(keeper.state()).join(group);
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true).mode(0o700);
        builder
            .create(&folder)
            .map_err(HostError::on("create the folder", &folder))?;
        let mut pair = Self {
            folder,
            held: Vec::new(),
        };
        for path in [pair.requests(), pair.answers()] {
            sys::make_fifo(&path).map_err(HostError::on("make the pipe", &path))?;
            let both = OpenOptions::new().read(true).write(true).open(&path);
            pair.held
                .push(both.map_err(HostError::on("open the pipe", &path))?);
        }
        Ok(pair)
    }

    /// The pipe of the requests.
    pub fn requests(&self) -> PathBuf {
        self.folder.join("requests")
    }

    /// The pipe of the answers.
    pub fn answers(&self) -> PathBuf {
        self.folder.join("answers")
    }

    /// The ends that the server is started with.
    ///
    /// # Errors
    /// [`HostError::Os`] if they cannot be opened.
    pub fn server(&self) -> Result<ServerEnds> {
        let (requests, answers) = (self.requests(), self.answers());
        let input = File::open(&requests).map_err(HostError::on("open the pipe", &requests))?;
        let output = OpenOptions::new().write(true).open(&answers);
        let output = output.map_err(HostError::on("open the pipe", &answers))?;
        Ok(ServerEnds { input, output })
    }

    /// Closes tare's own ends, once both sides have opened theirs: from then on each sees when the other ends.
    pub fn let_go(&mut self) {
        self.held.clear();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Drop for PipePair {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Removes the pipes that a killed tare left.
pub(crate) fn sweep(state: &Path) {
    let _ = fs::remove_dir_all(pipes_folder(state));
}

fn pipes_folder(state: &Path) -> PathBuf {
    state.join(FOLDER)
}
