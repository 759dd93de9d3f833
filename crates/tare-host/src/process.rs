//! A contender's process: in its group, on its cores, with its output in a file.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tare_model::fault::{Fault, FaultKind};
use tare_model::units::Seconds;
use tare_sys::network::Namespace;

use crate::error::HostError;
use crate::fifo::ServerEnds;
use crate::groups::ProcessGroup;
use crate::signals::signal_name;
use crate::sys::{self, Birth};
use crate::talk::Talk;

/// How many of a log's last bytes are read for an error message.
const TAIL_BYTES: u64 = 16 * 1024;
/// How long a killed process may take to end.
const REAP_WITHIN: Duration = Duration::from_secs(1);

/// How to start a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessSpec {
    /// The command, placeholders replaced. No shell.
    pub argv: Vec<String>,
    /// Variables on top of tare's own environment.
    pub env: BTreeMap<String, String>,
    /// Its working folder.
    pub cwd: PathBuf,
    /// The cores that it may run on; empty: all of tare's.
    pub cores: Vec<u32>,
    /// The file that receives its standard output and error; overwritten.
    pub log: PathBuf,
}

/// The first process of a group.
pub(crate) trait Leader: fmt::Debug + Send {
    /// Its id.
    fn id(&self) -> u32;

    /// How it ended, if it has.
    fn ended(&mut self) -> Option<ExitStatus>;

    /// The network namespace that it is in, where that is not tare's.
    fn network(&self) -> Option<&Namespace> {
        None
    }
}

impl Leader for Child {
    fn id(&self) -> u32 {
        Child::id(self)
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        // try_wait fails only for a child that was waited for elsewhere, which does not happen.
        self.try_wait().ok().flatten()
    }
}

/// A started process and everything that it starts. Dropping it ends them all.
#[derive(Debug)]
pub struct Process {
    spec: ProcessSpec,
    leader: Box<dyn Leader>,
    group: ProcessGroup,
    /// Further processes that were started into the group.
    companions: Vec<(ProcessSpec, Child)>,
    /// The process whose CPU time is counted apart from the others: its name and id.
    apart: Option<(String, u32)>,
}

/// A process's standard input and output. Its standard error goes to its log.
enum Streams {
    /// Input empty, output to the log.
    Log,
    /// Both are pipes to tare.
    Talk,
    /// These named pipes.
    Ends(ServerEnds),
    /// Input is a listening socket, output to the log.
    Listener(TcpListener),
}

impl Process {
    /// Starts a command in a group: in its own session, with empty standard input and the highest limit of open files.
    ///
    /// # Errors
    /// `DiedAtStart` if the program cannot be run, `Instrument` if the log or the group fails.
    pub fn start(group: ProcessGroup, spec: ProcessSpec) -> Result<Self, Fault> {
        let child = spawn(&group, &spec, Streams::Log)?;
        Ok(Self::new(group, spec, Box::new(child)))
    }

    /// Like [`Process::start`], with its standard input and output connected to tare; only its standard error is logged.
    ///
    /// # Errors
    /// As [`Process::start`].
    pub fn start_talking(group: ProcessGroup, spec: ProcessSpec) -> Result<(Self, Talk), Fault> {
        let mut child = spawn(&group, &spec, Streams::Talk)?;
        let ends = child.stdin.take().zip(child.stdout.take());
        let (input, output) = ends.expect("both were asked for");
        let process = Self::new(group, spec, Box::new(child));
        Ok((process, Talk::new(input, output)))
    }

    /// Like [`Process::start`], with a listening socket as its standard input, as FastCGI defines it. Tare closes its own
    /// copy, so that the socket closes with the process.
    ///
    /// # Errors
    /// As [`Process::start`].
    pub fn start_listening(
        group: ProcessGroup,
        spec: ProcessSpec,
        listener: TcpListener,
    ) -> Result<Self, Fault> {
        let child = spawn(&group, &spec, Streams::Listener(listener))?;
        Ok(Self::new(group, spec, Box::new(child)))
    }

    /// Starts another process in the same group, with these ends as its standard input and output.
    ///
    /// # Errors
    /// As [`Process::start`].
    pub fn accompany(&mut self, spec: ProcessSpec, ends: ServerEnds) -> Result<(), Fault> {
        let child = spawn(&self.group, &spec, Streams::Ends(ends))?;
        self.companions.push((spec, child));
        Ok(())
    }

    /// Starts another process in the same group as [`Process::start`] does, whose CPU time is counted apart.
    ///
    /// # Errors
    /// As [`Process::start`].
    pub fn accompany_apart(&mut self, spec: ProcessSpec, name: &str) -> Result<(), Fault> {
        let child = spawn(&self.group, &spec, Streams::Log)?;
        self.apart = Some((name.to_owned(), child.id()));
        self.companions.push((spec, child));
        Ok(())
    }

    /// Counts the CPU time of its first process apart from what that process starts.
    pub fn count_apart(&mut self, name: &str) {
        self.apart = Some((name.to_owned(), self.pid()));
    }

    /// The name of the process that is counted apart, and the CPU time that it used since its start: of its own threads,
    /// without its children. The group's CPU time includes it. None if there is no such process, or not any more.
    pub fn apart(&self) -> Option<(&str, Seconds)> {
        let (name, pid) = self.apart.as_ref()?;
        Some((name, sys::process_clock(*pid)?))
    }

    /// A group that was started in another way, with its first process.
    pub(crate) fn new(group: ProcessGroup, spec: ProcessSpec, leader: Box<dyn Leader>) -> Self {
        Self {
            spec,
            leader,
            group,
            companions: Vec::new(),
            apart: None,
        }
    }

    /// Its id.
    pub fn pid(&self) -> u32 {
        self.leader.id()
    }

    /// The network namespace that it is in, where that is not tare's.
    pub fn network(&self) -> Option<&Namespace> {
        self.leader.network()
    }

    /// Its group.
    pub fn group(&self) -> &ProcessGroup {
        &self.group
    }

    /// What it was started with.
    pub fn spec(&self) -> &ProcessSpec {
        &self.spec
    }

    /// How the process ended, if it has; its children may live on.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.leader.ended()
    }

    /// A fault if it, or a companion, has ended: of several, one that failed. Callers ask this between slices.
    pub fn died(&mut self, kind: FaultKind) -> Option<Fault> {
        let own = self.ended().map(|status| (&self.spec, status));
        let companions = self.companions.iter_mut();
        let others = companions.filter_map(|(spec, child)| Some((&*spec, child.try_wait().ok().flatten()?)));
        let ends: Vec<_> = own.into_iter().chain(others).collect();
        let failed = ends.iter().find(|(_, status)| !status.success());
        let (spec, status) = failed.or(ends.first())?;
        Some(death(kind, spec, *status))
    }

    /// Like [`Process::died`], but waits up to `limit`, for a caller that has seen a sign of the end: a process's pipes
    /// close before it has ended. One that ends well may only have lost the other, whose failure is seen a moment later.
    pub fn dies_within(&mut self, limit: Duration, kind: FaultKind) -> Option<Fault> {
        let began = Instant::now();
        while !self.has_failed() && !self.all_ended() && began.elapsed() < limit {
            thread::sleep(Duration::from_millis(1));
        }
        self.died(kind)
    }

    /// Whether it or a companion has ended otherwise than well.
    fn has_failed(&mut self) -> bool {
        let failed = |status: Option<ExitStatus>| status.is_some_and(|status| !status.success());
        let own = self.ended();
        let mut companions = self.companions.iter_mut();
        failed(own) || companions.any(|(_, child)| failed(child.try_wait().ok().flatten()))
    }

    /// Whether it and all companions have ended.
    pub(crate) fn all_ended(&mut self) -> bool {
        let companions = self.companions.iter_mut();
        let ended = companions.fold(true, |all, (_, child)| {
            child.try_wait().is_ok_and(|status| status.is_some()) && all
        });
        self.ended().is_some() && ended
    }

    /// The ids of it and of its companions, without those that have ended.
    pub(crate) fn living(&mut self) -> Vec<u32> {
        let own = self.ended().is_none().then(|| self.pid());
        let companions = self.companions.iter_mut();
        let others = companions.filter_map(|(_, child)| child.try_wait().ok()?.is_none().then(|| child.id()));
        own.into_iter().chain(others).collect()
    }

    /// The last lines of its output.
    pub fn log_tail(&self, lines: usize) -> String {
        tail(&self.spec.log, lines)
    }

    /// The last lines of its output, indented under a heading with the log's path.
    pub fn log_words(&self, lines: usize) -> String {
        tail_words(&self.spec.log, lines)
    }

    pub(crate) fn group_mut(&mut self) -> &mut ProcessGroup {
        &mut self.group
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.group.remove();
        // It ended with its group. If even that failed, tare must not hang here: the guard tries again.
        let began = Instant::now();
        while !self.all_ended() && began.elapsed() < REAP_WITHIN {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

fn spawn(group: &ProcessGroup, spec: &ProcessSpec, streams: Streams) -> Result<Child, Fault> {
    let mut command = command(group, spec, streams)?;
    let birth = Birth {
        joins: group.joins()?,
        cores: spec.cores.clone(),
        deaf: false,
    };
    sys::prepare(&mut command, birth).map_err(HostError::on("pin", &spec.argv[0]))?;
    let child = command.spawn().map_err(|error| {
        Fault::new(
            FaultKind::DiedAtStart,
            format!(
                "could not start `{}` in {} on cores {:?}: {error}\n\nhint: `run` in the manifest names the program; \
                 see that the build makes it",
                spec.argv.join(" "),
                spec.cwd.display(),
                spec.cores,
            ),
        )
    })?;
    group.born(child.id());
    Ok(child)
}

fn command(group: &ProcessGroup, spec: &ProcessSpec, streams: Streams) -> Result<Command, Fault> {
    let (program, arguments) = spec
        .argv
        .split_first()
        .ok_or_else(|| Fault::new(FaultKind::DiedAtStart, "the command to run is empty"))?;
    let log = File::create(&spec.log).map_err(HostError::on("create the log", &spec.log))?;
    let same = log
        .try_clone()
        .map_err(HostError::on("open the log", &spec.log))?;
    let (input, output) = match streams {
        Streams::Log => (Stdio::null(), Stdio::from(same)),
        Streams::Talk => (Stdio::piped(), Stdio::piped()),
        Streams::Ends(ends) => (ends.input.into(), ends.output.into()),
        Streams::Listener(listener) => (Stdio::from(OwnedFd::from(listener)), Stdio::from(same)),
    };
    let (name, value) = group.marker();
    let mut command = Command::new(program);
    command
        .args(arguments)
        .envs(&spec.env)
        .env(name, value)
        .current_dir(&spec.cwd)
        .stdin(input)
        .stdout(output)
        .stderr(log);
    Ok(command)
}

fn death(kind: FaultKind, spec: &ProcessSpec, status: ExitStatus) -> Fault {
    let text = format!(
        "`{}` ended by itself: {}\n{}",
        spec.argv.join(" "),
        describe_exit(status),
        tail_words(&spec.log, 20)
    );
    Fault::new(kind, text)
}

/// `exit status 3`, or `signal 9 (SIGKILL)`.
pub fn describe_exit(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => match signal_name(signal) {
            Some(name) => format!("signal {signal} (SIG{name})"),
            None => format!("signal {signal}"),
        },
        (None, None) => status.to_string(),
    }
}

/// The last lines of a file, from its last 16 KiB at most; bytes that are not UTF-8 are replaced.
pub fn tail(path: &Path, lines: usize) -> String {
    let bytes = last_bytes(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

/// Like [`tail`], indented under a heading with the path; one sentence for an empty log.
pub(crate) fn tail_words(path: &Path, lines: usize) -> String {
    let text = tail(path, lines);
    if text.trim().is_empty() {
        return format!("it printed nothing (log {})", path.display());
    }
    format!(
        "the end of its output (log {}):\n    {}",
        path.display(),
        text.replace('\n', "\n    ")
    )
}

fn last_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES)))?;
    let mut bytes = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_is_bounded_in_lines_and_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, "one\ntwo\nthree").unwrap();
        assert_eq!(tail(&path, 2), "two\nthree");
        assert_eq!(tail(&path, 9), "one\ntwo\nthree");
        std::fs::write(&path, [b'x'; 100_000]).unwrap();
        assert_eq!(tail(&path, 2).len() as u64, TAIL_BYTES);
        std::fs::write(&path, b"\xff\n").unwrap();
        assert_eq!(tail(&path, 2), "\u{fffd}");
        assert!(tail_words(&folder.path().join("none"), 2).contains("printed nothing"));
    }
}
