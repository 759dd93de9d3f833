//! Two named pipes between the two processes of one contender.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use crate::error::{HostError, Result};
use crate::keeper::Keeper;
use crate::sys;

/// The folder, under the lab's state, of all pipes.
const FOLDER: &str = "pipes";

/// A pair of pipes, in a folder that only their owner may enter. Dropping it takes their names away; whoever has
/// them open keeps them.
#[derive(Debug)]
pub struct Pair {
    folder: PathBuf,
    /// Open both ways, so that neither side finds a pipe closed, or waits for an end of it, before both are there.
    held: Vec<File>,
}

/// The server's ends.
#[derive(Debug)]
pub struct ServerEnds {
    /// Where it reads requests.
    pub input: File,
    /// Where it writes answers.
    pub output: File,
}

impl Pair {
    /// Makes a pair for a group of processes.
    ///
    /// # Errors
    /// [`HostError::Os`] where it cannot be made or opened.
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

    /// The pipe that requests go through.
    pub fn requests(&self) -> PathBuf {
        self.folder.join("requests")
    }

    /// The pipe that answers go through.
    pub fn answers(&self) -> PathBuf {
        self.folder.join("answers")
    }

    /// The ends that the server is started with.
    ///
    /// # Errors
    /// [`HostError::Os`] where they cannot be opened.
    pub fn server(&self) -> Result<ServerEnds> {
        let (requests, answers) = (self.requests(), self.answers());
        let input = File::open(&requests).map_err(HostError::on("open the pipe", &requests))?;
        let output = OpenOptions::new().write(true).open(&answers);
        let output = output.map_err(HostError::on("open the pipe", &answers))?;
        Ok(ServerEnds { input, output })
    }

    /// Both sides are there: from now on each sees when the other ends.
    pub fn let_go(&mut self) {
        self.held.clear();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Takes away what a killed tare left of its pipes.
pub(crate) fn sweep(state: &Path) {
    let _ = fs::remove_dir_all(pipes_folder(state));
}

fn pipes_folder(state: &Path) -> PathBuf {
    state.join(FOLDER)
}
