//! A command on a node with which somebody here talks: lines in, lines out. It ends when its input does.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::engine::{tail, unstarted};
use crate::error::ClusterError;

/// How long a command may take to end once its input has.
const ENDING: Duration = Duration::from_secs(5);

/// A command on a node. Dropping it ends it.
#[derive(Debug)]
pub struct Attached {
    node: String,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    log: PathBuf,
}

impl Attached {
    /// Starts it. `log`: where its other output goes.
    pub(crate) fn start(node: &str, argv: &[String], log: &Path) -> Result<Self, ClusterError> {
        let said = std::fs::File::create(log).map_err(|error| ClusterError::File {
            path: log.to_owned(),
            error,
        })?;
        let mut command = Command::new(&argv[0]);
        command.args(&argv[1..]).stderr(said);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for whoever talks with it, who may still need it.
        command.process_group(0);
        let mut child = command.spawn().map_err(|error| unstarted(&command, error))?;
        let (tell, lines) = channel();
        if let Some(output) = child.stdout.take() {
            // It ends with the command's output. Lines that nobody hears are dropped.
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    let _ = tell.send(line);
                }
            });
        }
        Ok(Self {
            node: node.to_owned(),
            input: child.stdin.take(),
            child,
            lines,
            log: log.to_owned(),
        })
    }

    /// Where what it is told goes. What it does not take any more, it says nothing to.
    pub fn input(&mut self) -> impl Write {
        self.input.as_mut().expect("it is ended by dropping it")
    }

    /// The next line that it says.
    ///
    /// # Errors
    /// It says none in time, or has ended: with its last lines.
    pub fn line(&mut self, within: Duration, what: &'static str) -> Result<String, ClusterError> {
        let failed = |status: String| ClusterError::Step {
            node: self.node.clone(),
            what,
            status,
            said: tail(&self.log),
        };
        match self.lines.recv_timeout(within) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(failed(format!("no answer within {} s", within.as_secs()))),
            Err(RecvTimeoutError::Disconnected) => {
                let status = self.child.wait();
                Err(failed(status.map_or_else(
                    |error| error.to_string(),
                    |status| status.to_string(),
                )))
            }
        }
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.input = None;
        let until = Instant::now() + ENDING;
        while Instant::now() < until {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attached(script: &str, log: &Path) -> Attached {
        let argv = ["sh", "-c", script].map(str::to_owned);
        Attached::start("n1", &argv, log).unwrap()
    }

    #[test]
    fn a_command_is_talked_with_until_its_input_ends() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let mut cat = attached("cat", &log);
        writeln!(cat.input(), "hello").unwrap();
        assert_eq!(cat.line(Duration::from_secs(60), "talking").unwrap(), "hello");
        drop(cat);
        let mut gone = attached("echo alas >&2; exit 7", &log);
        let error = gone
            .line(Duration::from_secs(60), "talking")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("n1: talking failed") && error.contains('7') && error.contains("alas"),
            "{error}"
        );
    }
}
