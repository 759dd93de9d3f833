//! Calls of an engine: short commands, run to their end.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{HostError, Result};
use crate::groups::ProcessGroup;
use crate::process::describe_exit;
use crate::sys::{self, Birth};

const POLL: Duration = Duration::from_millis(2);
/// The most bytes that are read of what an engine prints.
const MOST: u64 = 64 * 1024;

/// What a call printed, and how it ended.
#[derive(Debug)]
pub(super) struct Said {
    pub status: ExitStatus,
    /// Its standard output, without the line's end.
    pub out: String,
    /// Its standard error, likewise.
    pub err: String,
}

impl Said {
    /// How it failed, with the last lines that it printed.
    pub(super) fn failure(&self) -> String {
        let lines: Vec<&str> = self.err.lines().collect();
        let last = lines[lines.len().saturating_sub(5)..].join("\n    ");
        let how = describe_exit(self.status);
        if last.is_empty() {
            how
        } else {
            format!("{how}\n    {last}")
        }
    }
}

/// Runs a command that prints little, with its output in scratch files: a child of its own could keep a pipe open.
pub(super) fn call(mut command: Command, limit: Duration) -> Result<Said> {
    let scratch = || tempfile::tempfile().map_err(HostError::on("make", "a scratch file"));
    let (mut out, mut err) = (scratch()?, scratch()?);
    let same = |file: &File| file.try_clone().map_err(HostError::on("open", "a scratch file"));
    command.stdout(same(&out)?).stderr(same(&err)?);
    let status = run(command, None, limit, None)?;
    let text = |file: &mut File| read(file).map_err(HostError::on("read", "a scratch file"));
    Ok(Said {
        status,
        out: text(&mut out)?,
        err: text(&mut err)?,
    })
}

fn read(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(MOST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

/// Runs a command to its end, in a group if one is given: what it leaves running there (conmon) ends with the group.
///
/// # Errors
/// It cannot be started, takes longer than `limit`, or `cancel` was set meanwhile.
pub(super) fn run(
    command: Command,
    group: Option<&ProcessGroup>,
    limit: Duration,
    cancel: Option<&AtomicBool>,
) -> Result<ExitStatus> {
    let words = command.get_args().map(|word| word.to_string_lossy().into());
    let words: Vec<String> = words.collect();
    let program = command.get_program().to_owned();
    let mut child = spawn(command, group)?;
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(HostError::on("wait for", &program))? {
            return Ok(status);
        }
        let cancelled = cancel.is_some_and(|cancel| cancel.load(Ordering::SeqCst));
        if cancelled || began.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            if cancelled {
                return Err(HostError::Other(
                    "interrupted while an image was fetched".to_owned(),
                ));
            }
            return Err(HostError::Other(format!(
                "`{} {}` did not end within {} s, and was killed",
                program.display(),
                words.join(" "),
                limit.as_secs()
            )));
        }
        thread::sleep(POLL);
    }
}

/// Starts a command, in a group if one is given.
pub(super) fn spawn(mut command: Command, group: Option<&ProcessGroup>) -> Result<Child> {
    let program = command.get_program().to_owned();
    let mut birth = Birth::default();
    if let Some(group) = group {
        let (name, value) = group.marker();
        command.env(name, value);
        birth.joins = group.joins()?;
    }
    command.stdin(Stdio::null());
    sys::prepare(&mut command, birth).map_err(HostError::on("prepare", &program))?;
    let child = command.spawn().map_err(HostError::on("start", &program))?;
    if let Some(group) = group {
        group.born(child.id());
    }
    Ok(child)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, limit: Duration) -> Result<Said> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        call(command, limit)
    }

    #[test]
    fn output_and_errors_are_apart() {
        let said = sh("echo yes; echo no >&2; exit 3", Duration::from_secs(60)).unwrap();
        assert_eq!((said.out.as_str(), said.err.as_str()), ("yes", "no"));
        assert_eq!(said.failure(), "exit status 3\n    no");
        let silent = sh("exit 4", Duration::from_secs(60)).unwrap();
        assert_eq!(silent.failure(), "exit status 4");
    }

    #[test]
    fn one_that_hangs_is_ended() {
        let error = sh("exec sleep 60", Duration::from_millis(20))
            .unwrap_err()
            .to_string();
        assert!(error.contains("did not end within"), "{error}");
    }
}
