//! Whole commands: each run is a process of its own, started, timed, and ended with all that it started.
//!
//! The kernel reports what a run cost when the process is waited for (wait4(2)): the exact CPU time of it and of all its
//! children that were waited for in turn, so no cgroup is needed and nothing is polled.

use std::ffi::{CString, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::thread;
use std::time::{Duration, Instant};

use tare_model::units::{Bytes, Seconds};

use crate::error::{HostError, Result};
use crate::interrupt;
use crate::spawn::{self, Account, Image, Stream};
use crate::sys;

/// How often to check whether a process has ended, if the kernel has no descriptor for that (before 5.3).
const LOOK_EVERY: Duration = Duration::from_micros(200);

/// How long a program may stay open for writing.
const BUSY: Duration = Duration::from_secs(2);

/// A command to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandSpec {
    /// The program and its arguments. No shell, unless this is one.
    pub argv: Vec<String>,
    /// Variables on top of tare's own environment.
    pub env: Vec<(String, String)>,
    /// Its working folder; none: tare's own.
    pub cwd: Option<PathBuf>,
    /// A file for its standard input, read from the beginning in each run; none: empty.
    pub input: Option<PathBuf>,
    /// A file for its standard output, emptied before each run; none: it is discarded.
    pub output: Option<PathBuf>,
    /// A file for its standard error; it may be the same file, which then has both in the order of the writes. It is opened
    /// once and emptied before the clock starts, so that logging costs a command without errors nothing.
    pub errors: Option<PathBuf>,
}

/// A command that is ready to be run any number of times.
#[derive(Debug)]
pub struct Command {
    image: Image,
    /// The file for its standard error.
    errors: Option<File>,
}

/// How a run went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// From before its start to after its end.
    pub wall: Duration,
    /// User CPU time, of it and of its children that were waited for. The kernel splits the exact sum by its ticks.
    pub user: Seconds,
    /// System CPU time, likewise.
    pub system: Seconds,
    /// The peak resident memory of one process of its tree; none if it is not above tare's own, below which it cannot be
    /// measured (see [`shadow`]).
    pub peak: Option<Bytes>,
    /// Context switches of the tree.
    pub switches: u64,
    /// How it ended.
    pub end: End,
    /// Whether it left processes running, which were killed.
    pub left: bool,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// By itself.
    Exit(ExitStatus),
    /// Killed because it took too long.
    Late,
    /// Killed because a person asked to stop.
    Interrupted,
}

/// Peak memory below this cannot be measured: it is tare's own peak, and the child begins in tare's memory.
pub fn shadow() -> Bytes {
    spawn::own_peak()
}

/// The program of a name, as execvp(3) finds it: a path if it has a slash, else the first on `PATH`.
pub fn find(program: &str, cwd: Option<&Path>) -> Option<PathBuf> {
    let runs = |path: &PathBuf| {
        let data = std::fs::metadata(path);
        data.is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    };
    if program.contains('/') {
        let path = match cwd {
            Some(cwd) => cwd.join(program),
            None => PathBuf::from(program),
        };
        return Some(path).filter(runs);
    }
    let list = std::env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/local/bin:/usr/bin:/bin"));
    std::env::split_paths(&list)
        .map(|folder| folder.join(program))
        .find(runs)
}

impl Command {
    /// Prepares a command. `marker`: the variable by which a process group finds its processes.
    ///
    /// # Errors
    /// [`HostError::Other`] if there is no such program; [`HostError::Os`] if one of its files cannot be opened.
    pub fn new(plan: &CommandSpec, marker: (&str, &str)) -> Result<Self> {
        let name = plan.argv.first().map_or("", String::as_str);
        let program = find(name, plan.cwd.as_deref()).ok_or_else(|| not_found(name))?;
        let input = match &plan.input {
            Some(path) => {
                File::open(path).map_err(HostError::on("read the input", path))?;
                file(path)?
            }
            None => Stream::Open(nothing()?),
        };
        let errors = plan.errors.as_deref().map(log).transpose()?;
        let output = match &plan.output {
            Some(path) if plan.output != plan.errors => file(path)?,
            Some(_) => shared(errors.as_ref())?,
            None => Stream::Open(nothing()?),
        };
        let env = environment(&plan.env, marker);
        let streams = [input, output, shared(errors.as_ref())?];
        let image = Image::new(&program, &plan.argv, &env, plan.cwd.as_deref(), streams)
            .map_err(HostError::on("prepare", name))?;
        Ok(Self { image, errors })
    }

    /// Runs it once, for at most `timeout`, and kills what is left of it.
    ///
    /// # Errors
    /// [`HostError::Os`] if it cannot be started or waited for.
    pub fn run(&self, timeout: Duration) -> Result<Run> {
        self.empty()
            .map_err(HostError::on("empty the log of", "the command"))?;
        let shadow = spawn::own_peak();
        let (pid, began) = self.started().map_err(HostError::on("start", "the command"))?;
        let early = until_end(pid, began, timeout).map_err(HostError::on("wait for", "the command"))?;
        let ended = Instant::now();
        if early.is_some() {
            end(pid);
        }
        let reaped = spawn::reap(pid, true).map_err(HostError::on("wait for", "the command"))?;
        let account = reaped.expect("a wait that blocks returns an account");
        let mut run = measured(&account, ended - began, shadow);
        run.end = early.unwrap_or(run.end);
        // It did not wait for the processes that are left in its POSIX process group.
        run.left = sys::killpg(pid, 0).is_ok();
        if run.left {
            end(pid);
        }
        Ok(run)
    }

    /// Starts it; its id, and when it began. A program that was just written may be open for writing for a moment still, in a process
    /// that was forked meanwhile.
    fn started(&self) -> io::Result<(u32, Instant)> {
        let first = Instant::now();
        loop {
            let began = Instant::now();
            match self.image.start() {
                Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && first.elapsed() < BUSY => {
                    thread::sleep(Duration::from_millis(1));
                }
                other => return other.map(|pid| (pid, began)),
            }
        }
    }

    /// Removes what an earlier run wrote to its standard error.
    fn empty(&self) -> io::Result<()> {
        match &self.errors {
            Some(file) if file.metadata()?.len() > 0 => file.set_len(0),
            _ => Ok(()),
        }
    }
}

fn measured(account: &Account, wall: Duration, shadow: Bytes) -> Run {
    Run {
        wall,
        user: account.user,
        system: account.system,
        peak: Some(account.peak).filter(|peak| *peak > shadow),
        switches: account.switches,
        end: End::Exit(account.status),
        left: false,
    }
}

/// Waits until the process has ended; returns why it has to be killed, if it has not.
fn until_end(pid: u32, began: Instant, timeout: Duration) -> io::Result<Option<End>> {
    let descriptor = spawn::end_of(pid);
    loop {
        let left = timeout.saturating_sub(began.elapsed());
        let ended = match &descriptor {
            Some(descriptor) => sys::wait_readable(descriptor.as_fd(), left)?,
            None => ended_meanwhile(pid)?,
        };
        if ended {
            return Ok(None);
        }
        if interrupt::asked() {
            return Ok(Some(End::Interrupted));
        }
        if began.elapsed() >= timeout {
            return Ok(Some(End::Late));
        }
    }
}

/// Whether it has ended; sleeps shortly if not. Reads its state, without reaping it.
fn ended_meanwhile(pid: u32) -> io::Result<bool> {
    let dead = crate::procfs::stat(pid).is_none_or(|stat| stat.is_dead());
    if !dead {
        thread::sleep(LOOK_EVERY);
    }
    Ok(dead)
}

/// Kills a command's POSIX process group.
fn end(pid: u32) {
    // It may have ended in the meantime.
    let _ = sys::killpg(pid, libc::SIGKILL);
}

fn environment(more: &[(String, String)], marker: (&str, &str)) -> Vec<Vec<u8>> {
    let entry = |name: &[u8], value: &[u8]| [name, b"=", value].concat();
    let replaced = |name: &OsString| {
        let is = |other: &str| name.as_bytes() == other.as_bytes();
        is(marker.0) || more.iter().any(|(other, _)| is(other))
    };
    let own = std::env::vars_os().filter(|(name, _)| !replaced(name));
    let own = own.map(|(name, value)| entry(name.as_bytes(), &value.into_vec()));
    let more = more
        .iter()
        .map(|(name, value)| entry(name.as_bytes(), value.as_bytes()));
    own.chain(more)
        .chain([entry(marker.0.as_bytes(), marker.1.as_bytes())])
        .collect()
}

fn nothing() -> Result<OwnedFd> {
    let null = File::options().read(true).write(true).open("/dev/null");
    Ok(null.map_err(HostError::on("open", "/dev/null"))?.into())
}

/// A file that every writer appends to.
fn log(path: &Path) -> Result<File> {
    let file = File::options().append(true).create(true).mode(0o600).open(path);
    file.map_err(HostError::on("open", path))
}

/// A further handle of a log; without one, a handle of `/dev/null`.
fn shared(log: Option<&File>) -> Result<Stream> {
    let descriptor = match log {
        Some(log) => log
            .try_clone()
            .map_err(HostError::on("open again", "a log"))?
            .into(),
        None => nothing()?,
    };
    Ok(Stream::Open(descriptor))
}

fn file(path: &Path) -> Result<Stream> {
    // The command may run in another folder than tare does.
    let whole = std::path::absolute(path).map_err(HostError::on("find", path))?;
    let text = CString::new(whole.as_os_str().as_bytes())
        .map_err(|error| HostError::on("open", path)(error.into()))?;
    Ok(Stream::File(text))
}

fn not_found(name: &str) -> HostError {
    HostError::Other(if name.contains('/') {
        format!("there is no program `{name}` that may be run")
    } else {
        format!("there is no program `{name}` on PATH")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    const AGES: Duration = Duration::from_secs(120);

    fn shell(text: &str) -> CommandSpec {
        CommandSpec {
            argv: ["sh", "-c", text].map(str::to_owned).to_vec(),
            env: vec![],
            cwd: None,
            input: None,
            output: None,
            errors: None,
        }
    }

    fn run(plan: &CommandSpec) -> Run {
        let command = Command::new(plan, ("TARE_GROUP", "tare-test-1")).unwrap();
        command.run(AGES).unwrap()
    }

    #[test]
    fn a_program_that_is_still_open_for_writing_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("true");
        std::fs::copy("/bin/true", &program).unwrap();
        let open = File::options().append(true).open(&program).unwrap();
        let plan = CommandSpec {
            argv: vec![program.display().to_string()],
            ..shell("")
        };
        let command = Command::new(&plan, ("TARE_GROUP", "tare-test-1")).unwrap();
        assert_eq!(
            command.image.start().unwrap_err().kind(),
            io::ErrorKind::ExecutableFileBusy
        );
        let closing = thread::spawn(move || {
            thread::sleep(Duration::from_millis(50));
            drop(open);
        });
        assert!(matches!(command.run(AGES).unwrap().end, End::Exit(status) if status.success()));
        closing.join().unwrap();
    }

    #[test]
    fn status_signal_and_time_are_reported() {
        let run_of = |text: &str| run(&shell(text));
        let code = |run: Run| match run.end {
            End::Exit(status) => status,
            other => panic!("{other:?}"),
        };
        assert_eq!(code(run_of("exit 7")).code(), Some(7));
        assert_eq!(code(run_of("kill -9 $$")).signal(), Some(9));
        let slept = run_of("sleep 0.05");
        assert!(
            slept.wall >= Duration::from_millis(50) && !slept.left,
            "{slept:?}"
        );
    }

    #[test]
    fn the_tree_is_counted_where_it_was_waited_for() {
        let spin = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done";
        let alone = run(&shell(":"));
        let child = run(&shell(&format!("(eval '{spin}'); :")));
        let cpu = |run: Run| run.user.0 + run.system.0;
        assert!(cpu(child) > cpu(alone) + 0.005, "{child:?} against {alone:?}");
    }

    #[test]
    fn memory_is_measured_above_the_shadow_and_not_below() {
        let small = run(&shell(":"));
        assert!(small.peak.is_none_or(|peak| peak > Bytes(0)));
        // 64 MiB in a variable of the shell.
        let large = run(&shell("x=$(head -c 67108864 /dev/zero | tr '\\0' x); : \"$x\""));
        let peak = large.peak.expect("more than this test holds itself");
        assert!(peak.0 >= 64 << 20 && peak > shadow(), "{peak:?}");
    }

    #[test]
    fn streams_and_folder_are_as_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("in"), "hello\n").unwrap();
        std::fs::write(path("out"), "something much longer that was there before\n").unwrap();
        let plan = CommandSpec {
            cwd: Some(folder.path().to_owned()),
            input: Some(path("in")),
            output: Some(path("out")),
            errors: Some(path("err")),
            env: vec![("WORD".to_owned(), "from the plan".to_owned())],
            ..shell("cat; pwd; echo \"$WORD $TARE_GROUP\"; echo alas >&2")
        };
        for _ in 0..2 {
            run(&plan);
            let there = folder.path().canonicalize().unwrap();
            let text = std::fs::read_to_string(path("out")).unwrap();
            assert_eq!(
                text,
                format!("hello\n{}\nfrom the plan tare-test-1\n", there.display())
            );
            assert_eq!(std::fs::read_to_string(path("err")).unwrap(), "alas\n");
        }
    }

    #[test]
    fn a_log_of_both_streams_has_them_in_their_order_and_is_emptied_before_each_run() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let plan = |text: &str| CommandSpec {
            output: Some(log.clone()),
            errors: Some(log.clone()),
            ..shell(text)
        };
        let ready = |text: &str| Command::new(&plan(text), ("TARE_GROUP", "tare-test-4")).unwrap();
        let (long, short) = (
            ready("echo first >&2; echo second; echo third >&2"),
            ready("echo alas >&2"),
        );
        for _ in 0..2 {
            long.run(AGES).unwrap();
            assert_eq!(std::fs::read_to_string(&log).unwrap(), "first\nsecond\nthird\n");
            // Another command's log is the same file.
            short.run(AGES).unwrap();
            assert_eq!(std::fs::read_to_string(&log).unwrap(), "alas\n");
        }
    }

    #[test]
    fn what_hangs_is_ended_with_all_that_it_started() {
        let command = Command::new(&shell("sleep 300 & sleep 300"), ("TARE_GROUP", "tare-test-2")).unwrap();
        let began = Instant::now();
        let run = command.run(Duration::from_millis(100)).unwrap();
        assert_eq!(run.end, End::Late);
        assert!(began.elapsed() < Duration::from_secs(60));
        let run = self::run(&shell("sleep 300 & exit 0"));
        assert!(
            run.left && matches!(run.end, End::Exit(status) if status.success()),
            "{run:?}"
        );
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let plan = |name: &str| CommandSpec {
            argv: vec![name.to_owned()],
            ..shell("")
        };
        for name in ["no-such-program-here", "./no-such-program-here"] {
            let error = Command::new(&plan(name), ("TARE_GROUP", "tare-test-3")).unwrap_err();
            assert!(error.to_string().contains(name), "{error}");
        }
        assert!(find("sh", None).is_some());
    }
}
