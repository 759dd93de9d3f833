//! Running a small command for its output.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::process::describe_exit;

const POLL: Duration = Duration::from_millis(2);
/// The most bytes of output that are read.
const MOST: u64 = 64 * 1024;

/// The output of a command on both streams, in the order of its writes. It is killed after `limit`.
///
/// # Errors
/// A sentence on what went wrong.
pub(crate) fn output(argv: &[String], limit: Duration) -> Result<String, String> {
    let name = argv.join(" ");
    let (program, arguments) = argv
        .split_first()
        .ok_or_else(|| "the command is empty".to_owned())?;
    // Not a pipe: a grandchild could keep it open after the end, and a child that fills it would never end.
    let (mut file, out, err) =
        scratch().map_err(|error| format!("could not make a scratch file: {error}"))?;
    let child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(err)
        .spawn()
        .map_err(|error| format!("`{name}` could not be started: {error}"))?;
    wait(child, &name, limit)?;
    let mut bytes = Vec::new();
    file.rewind()
        .and_then(|()| file.take(MOST).read_to_end(&mut bytes))
        .map_err(|error| format!("what `{name}` printed could not be read: {error}"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn scratch() -> io::Result<(File, File, File)> {
    let file = tempfile::tempfile()?;
    let (out, err) = (file.try_clone()?, file.try_clone()?);
    Ok((file, out, err))
}

fn wait(mut child: Child, name: &str, limit: Duration) -> Result<(), String> {
    let began = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("`{name}` ended with {}", describe_exit(status))),
            Ok(None) if began.elapsed() < limit => thread::sleep(POLL),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("`{name}` did not end within {} s", limit.as_secs_f64()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, limit: Duration) -> Result<String, String> {
        output(&["sh", "-c", script].map(str::to_owned), limit)
    }

    #[test]
    fn both_outputs_are_read_in_order() {
        let minute = Duration::from_secs(60);
        assert_eq!(sh("echo a; echo b >&2; echo c", minute).unwrap(), "a\nb\nc\n");
        assert!(sh("exit 3", minute).unwrap_err().contains("exit status 3"));
        let nothing = output(&["/nowhere/program".to_owned()], minute).unwrap_err();
        assert!(nothing.contains("could not be started"), "{nothing}");
    }

    #[test]
    fn one_that_does_not_end_is_ended() {
        let error = sh("exec sleep 60", Duration::from_millis(20)).unwrap_err();
        assert!(error.contains("did not end within 0.02 s"), "{error}");
    }
}
