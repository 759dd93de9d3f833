//! One run per lab folder at a time.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::{HostError, Result};
use crate::sys;

/// The lock of a lab's state folder, held until it is dropped or the process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    state: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the file `lock` in the state folder (made if missing), and writes its holder into it. `command` is what the user
    /// typed.
    ///
    /// # Errors
    /// [`HostError::Held`] with its holder; [`HostError::Os`] if the folder cannot be written.
    pub fn take(state: &Path, command: &str) -> Result<Self> {
        fs::create_dir_all(state).map_err(HostError::on("create the folder", state))?;
        let path = state.join("lock");
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(HostError::on("open the lock", &path))?;
        if !sys::try_lock(&file).map_err(HostError::on("lock", &path))? {
            return Err(HostError::Held {
                holder: holder(&path),
                lock: path.display().to_string(),
            });
        }
        let text = format!("pid {}\ncommand {command}\n", std::process::id());
        file.set_len(0)
            .and_then(|()| file.write_all(text.as_bytes()))
            .map_err(HostError::on("write to the lock", &path))?;
        Ok(Self {
            state: state.to_owned(),
            _file: file,
        })
    }

    /// The state folder that it locks.
    pub fn state(&self) -> &Path {
        &self.state
    }
}

/// `process 123, started 12 s ago: tare run doubling`, from a lock file.
fn holder(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
    // The holder writes the file once, at its start.
    let age = fs::metadata(path)
        .and_then(|data| data.modified())
        .ok()
        .and_then(|written| written.elapsed().ok());
    format!(
        "process {}, started {} s ago: `{}`",
        value("pid ").unwrap_or("unknown"),
        age.map_or_else(|| "?".to_owned(), |age| age.as_secs().to_string()),
        value("command ").unwrap_or("?"),
    )
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn the_second_fails_with_the_holder_and_the_third_gets_it() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("lab/.tare");
        let first = Lock::take(&state, "tare run doubling").unwrap();
        // A lock of flock(2) belongs to the open file, so a second open in one process conflicts as well.
        let error = Lock::take(&state, "tare check").unwrap_err().to_string();
        for part in [
            format!("process {}", std::process::id()),
            "tare run doubling".to_owned(),
            "hint:".to_owned(),
        ] {
            assert!(error.contains(&part), "{error}");
        }
        drop(first);
        // A process that another test has just forked holds the open file until it becomes another program.
        let until = Instant::now() + Duration::from_secs(60);
        while Lock::take(&state, "tare check").is_err() {
            assert!(Instant::now() < until, "the lock is held still");
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_leftover_file_is_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(
            folder.path().join("lock"),
            "pid 1\ncommand a much longer text than the next one\n",
        )
        .unwrap();
        let _lock = Lock::take(folder.path(), "tare").unwrap();
        let text = fs::read_to_string(folder.path().join("lock")).unwrap();
        assert_eq!(text, format!("pid {}\ncommand tare\n", std::process::id()));
    }
}
