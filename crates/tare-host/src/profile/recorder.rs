//! `perf record` beside a group: attached while the group is paused, switched on and off around slices.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tare_model::fault::FaultKind;

use crate::error::{HostError, Result};
use crate::keeper::Keeper;
use crate::process::{Process, ProcessSpec};
use crate::sys;

/// Samples per second on each busy core. Not a round number, so that they do not beat with timers.
const FREQUENCY: u32 = 1999;

/// How long perf may take to acknowledge a command: it first attaches to every thread on every core.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);
/// How long it may take to write the rest and end.
const END_WITHIN: Duration = Duration::from_secs(20);

/// What to record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Stacks, at regular steps of CPU time.
    Stacks,
    /// Every return from a system call.
    Calls,
}

/// What a recorder needs.
#[derive(Debug)]
pub struct Place<'a> {
    /// The program.
    pub perf: &'a Path,
    /// Makes the group that it runs in, so that it cannot outlive tare.
    pub keeper: &'a Keeper,
    /// The cores that it may use: not the contender's.
    pub cores: &'a [u32],
    /// An existing folder for what it writes.
    pub folder: &'a Path,
}

/// A running recorder, switched off at first. Dropping it ends it.
#[derive(Debug)]
pub struct Recorder {
    process: Process,
    control: File,
    answers: File,
    data: PathBuf,
}

impl Recorder {
    /// Attaches to processes, which may be paused, and to everything that they start later. `name`: the name of its files.
    ///
    /// # Errors
    /// If perf cannot be started or refuses, with its message.
    pub fn attach(place: &Place<'_>, what: What, pids: &[u32], name: &str) -> Result<Self> {
        let data = place.folder.join(format!("{name}.data"));
        let (control, control_path) = pipe(place.folder, &format!("{name}.control"))?;
        let (answers, answers_path) = pipe(place.folder, &format!("{name}.answers"))?;
        let spec = ProcessSpec {
            argv: command(place.perf, what, pids, &data, (&control_path, &answers_path)),
            env: std::collections::BTreeMap::new(),
            cwd: place.folder.to_owned(),
            cores: place.cores.to_vec(),
            log: place.folder.join(format!("{name}.log")),
        };
        let started = Process::start(place.keeper.group()?, spec);
        let process = started.map_err(|fault| HostError::Other(fault.detail))?;
        let mut recorder = Self {
            process,
            control,
            answers,
            data,
        };
        // It reads the pipe only after it has attached: so its answer shows that. Its events were off until then, too.
        recorder.tell("disable")?;
        Ok(recorder)
    }

    /// Starts recording.
    ///
    /// # Errors
    /// If perf does not answer.
    pub fn on(&mut self) -> Result<()> {
        self.tell("enable")
    }

    /// Stops recording.
    ///
    /// # Errors
    /// If perf does not answer.
    pub fn off(&mut self) -> Result<()> {
        self.tell("disable")
    }

    /// Ends it; returns the file of its recording, which exists even if all processes had died before.
    ///
    /// # Errors
    /// If it does not end, or left no file.
    pub fn finish(mut self) -> Result<PathBuf> {
        let _ = sys::kill(self.process.pid(), libc::SIGINT);
        if self
            .process
            .dies_within(END_WITHIN, FaultKind::Instrument)
            .is_none()
        {
            return Err(self.failed("it did not end when it was asked to"));
        }
        match fs::metadata(&self.data) {
            Ok(file) if file.len() > 0 => Ok(self.data.clone()),
            _ => Err(self.failed("it left no record")),
        }
    }

    fn tell(&mut self, word: &str) -> Result<()> {
        let sent = self.control.write_all(format!("{word}\n").as_bytes());
        sent.map_err(HostError::on("write to", self.data.with_extension("control")))?;
        let began = Instant::now();
        let mut heard = Vec::new();
        while !heard.windows(3).any(|bytes| bytes == b"ack") {
            if self.process.ended().is_some() {
                return Err(self.failed("it ended by itself"));
            }
            if began.elapsed() > ANSWER_WITHIN {
                return Err(self.failed(&format!("it did not answer `{word}`")));
            }
            self.hear(&mut heard)?;
        }
        Ok(())
    }

    fn hear(&mut self, heard: &mut Vec<u8>) -> Result<()> {
        const STEP: Duration = Duration::from_millis(20);
        let trouble = || HostError::on("read from", self.data.with_extension("answers"));
        if sys::wait_readable(self.answers.as_fd(), STEP).map_err(trouble())? {
            let mut bytes = [0; 64];
            let count = self
                .answers
                .read(&mut bytes)
                .map_err(HostError::on("read from", &self.data))?;
            heard.extend_from_slice(&bytes[..count]);
        }
        Ok(())
    }

    fn failed(&self, what: &str) -> HostError {
        HostError::Other(format!(
            "perf could not record: {what}\n{}\n\nhint: see that `{}` works by itself",
            self.process.log_words(5),
            self.process.spec().argv.join(" ")
        ))
    }
}

fn pipe(folder: &Path, name: &str) -> Result<(File, PathBuf)> {
    let path = folder.join(name);
    let _ = fs::remove_file(&path);
    sys::make_fifo(&path).map_err(HostError::on("make the pipe", &path))?;
    // Open for reading and writing: so neither side waits for the other, or finds the pipe closed.
    let both = OpenOptions::new().read(true).write(true).open(&path);
    Ok((both.map_err(HostError::on("open the pipe", &path))?, path))
}

fn command(perf: &Path, what: What, pids: &[u32], data: &Path, pipes: (&Path, &Path)) -> Vec<String> {
    let pids: Vec<String> = pids.iter().map(u32::to_string).collect();
    let mut argv = vec![perf.display().to_string(), "record".to_owned()];
    let mut say = |words: &[&str]| argv.extend(words.iter().map(|word| (*word).to_owned()));
    match what {
        What::Stacks => say(&["-e", "cpu-clock", "-F", &FREQUENCY.to_string(), "-g"]),
        // Every core has a buffer of its own; a full one loses records, which perf reports.
        What::Calls => say(&["-e", "raw_syscalls:sys_exit", "-m", "8M"]),
    }
    // The clock that tare uses; no copies in the home folder; events off until they are switched on.
    say(&["-k", "mono", "-N", "-B", "-D", "-1", "-p", &pids.join(",")]);
    let (control, answers) = (pipes.0.display(), pipes.1.display());
    say(&["--control", &format!("fifo:{control},{answers}")]);
    say(&["-o", &data.display().to_string()]);
    argv
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_recorded_is_in_the_command() {
        let paths = (Path::new("c"), Path::new("a"));
        let stacks = command(Path::new("/p"), What::Stacks, &[7, 9], Path::new("d"), paths).join(" ");
        assert_eq!(
            stacks,
            "/p record -e cpu-clock -F 1999 -g -k mono -N -B -D -1 -p 7,9 --control fifo:c,a -o d"
        );
        let calls = command(Path::new("/p"), What::Calls, &[7], Path::new("d"), paths).join(" ");
        assert!(
            calls.starts_with("/p record -e raw_syscalls:sys_exit -m 8M -k mono"),
            "{calls}"
        );
    }
}
