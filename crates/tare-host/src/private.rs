//! Files for a run that nobody else may read, such as keys. They are removed with it; what a killed run left is swept by the
//! next.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::error::{HostError, Result};

/// A folder of this user's own (mode 0700), with files of mode 0600. Dropping it removes it.
#[derive(Debug)]
pub struct PrivateFolder {
    path: PathBuf,
}

impl PrivateFolder {
    /// Makes the folder with these files, in place of what an earlier run left there.
    ///
    /// # Errors
    /// What could not be written.
    pub fn make(path: &Path, files: &[(&str, &str)]) -> Result<Self> {
        sweep(path)?;
        DirBuilder::new()
            .mode(0o700)
            .create(path)
            .map_err(HostError::on("create the folder", path))?;
        let folder = Self {
            // Whoever reads it is in another folder.
            path: path.canonicalize().map_err(HostError::on("find", path))?,
        };
        for (name, text) in files {
            let file = folder.file(name);
            write(&file, text).map_err(HostError::on("write", &file))?;
        }
        Ok(folder)
    }

    /// The absolute path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // What cannot be removed now is swept by the next run.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes such a folder, if there is one.
///
/// # Errors
/// It cannot be removed.
pub fn sweep(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(HostError::on("remove", path)(error)),
        _ => Ok(()),
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn nobody_else_may_read_it_and_nothing_of_it_stays() {
        let state = tempfile::tempdir().unwrap();
        let path = state.path().join("tls");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("old"), "of a killed run").unwrap();
        let folder = PrivateFolder::make(&path, &[("key.pem", "secret")]).unwrap();
        let file = folder.file("key.pem");
        assert_eq!(fs::read_to_string(&file).unwrap(), "secret");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(&file)), (0o700, 0o600));
        assert!(!path.join("old").exists(), "what was there before is gone");
        drop(folder);
        assert!(!path.exists());
        sweep(&path).unwrap();
    }
}
