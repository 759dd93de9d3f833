//! The folder for the output of runs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{PrepareError, Result};

/// A folder for the output of runs, which is removed with this.
#[derive(Debug)]
pub struct Outputs(PathBuf);

impl Outputs {
    /// Makes it in the state folder.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn make(state: &Path) -> Result<Self> {
        let folder = state.join("time");
        match fs::create_dir_all(&folder) {
            Ok(()) => Ok(Self(folder)),
            Err(source) => Err(PrepareError::Folder { folder, source }),
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.0
    }
}

impl Drop for Outputs {
    fn drop(&mut self) {
        // What is left of it is overwritten by the next run.
        let _ = fs::remove_dir_all(&self.0);
    }
}
