//! Starting a command by `posix_spawn` and waiting for its end with an account of its whole tree: the unsafe part of
//! [`crate::command`].
//!
//! `posix_spawn` starts a child that borrows tare's memory until its exec (as vfork does), so a start costs the same
//! however large tare is; `fork` would copy its page tables first.

#![allow(unsafe_code)]

use std::ffi::CString;
use std::io;
use std::mem;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::ptr;

use tare_model::units::{Bytes, Seconds};

/// The source or target of a standard stream of a command.
#[derive(Debug)]
pub(crate) enum Stream {
    /// An open descriptor of tare's, such as that of `/dev/null`.
    Open(OwnedFd),
    /// A file, opened anew for each run: read from its beginning, or emptied and written.
    File(CString),
}

/// A command in the form that the kernel takes. Made once; each start is a few system calls.
#[derive(Debug)]
pub(crate) struct Image {
    program: CString,
    argv: Vec<CString>,
    env: Vec<CString>,
    cwd: Option<CString>,
    /// Standard input, output and error.
    streams: [Stream; 3],
}

/// The kernel's account of a process that has ended and of all its children that were waited for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Account {
    pub status: ExitStatus,
    pub user: Seconds,
    pub system: Seconds,
    /// The peak resident memory of one process of the tree. The child begins in tare's own memory, so this is never
    /// below tare's own peak.
    pub peak: Bytes,
    pub switches: u64,
}

impl Image {
    /// Of a program (its path), its arguments (the first is its name), its environment (`NAME=value`), its folder.
    ///
    /// # Errors
    /// If a text holds a NUL.
    pub(crate) fn new(
        program: &Path,
        argv: &[String],
        env: &[Vec<u8>],
        cwd: Option<&Path>,
        streams: [Stream; 3],
    ) -> io::Result<Self> {
        let text = |bytes: &[u8]| CString::new(bytes).map_err(io::Error::from);
        let path = |path: &Path| text(path.as_os_str().as_encoded_bytes());
        Ok(Self {
            program: path(program)?,
            argv: argv
                .iter()
                .map(|word| text(word.as_bytes()))
                .collect::<io::Result<_>>()?,
            env: env.iter().map(|entry| text(entry)).collect::<io::Result<_>>()?,
            cwd: cwd.map(path).transpose()?,
            streams,
        })
    }

    /// Starts it, in a session of its own; its process id.
    ///
    /// # Errors
    /// Those of `posix_spawn`, including those of its exec.
    pub(crate) fn start(&self) -> io::Result<u32> {
        let mut attributes = Attributes::new()?;
        let mut actions = Actions::new()?;
        self.redirect(&mut actions)?;
        let argv = pointers(&self.argv);
        let env = pointers(&self.env);
        let mut pid: libc::pid_t = 0;
        // SAFETY: all pointers are to strings and structures that outlive the call; both lists end with a null.
        let failed = unsafe {
            libc::posix_spawn(
                &mut pid,
                self.program.as_ptr(),
                &actions.0,
                &attributes.0,
                argv.as_ptr().cast(),
                env.as_ptr().cast(),
            )
        };
        attributes.done();
        actions.done();
        number(failed).map(|()| pid as u32)
    }

    fn redirect(&self, actions: &mut Actions) -> io::Result<()> {
        for (target, stream) in self.streams.iter().enumerate() {
            let target = target as libc::c_int;
            match stream {
                Stream::Open(descriptor) => actions.duplicate(descriptor.as_raw_fd(), target)?,
                Stream::File(path) if target == 0 => actions.open(path, target, libc::O_RDONLY)?,
                Stream::File(path) => {
                    actions.open(path, target, libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC)?;
                }
            }
        }
        match &self.cwd {
            Some(cwd) => actions.enter(cwd),
            None => Ok(()),
        }
    }
}

fn pointers(texts: &[CString]) -> Vec<*const libc::c_char> {
    texts
        .iter()
        .map(|text| text.as_ptr())
        .chain([ptr::null()])
        .collect()
}

/// The attributes of a start: a session of its own, and default handling of the signals that tare ignores.
struct Attributes(libc::posix_spawnattr_t);

impl Attributes {
    fn new() -> io::Result<Self> {
        // SAFETY: zeroed storage is what posix_spawnattr_init is to be given, and it fills it in.
        let mut attributes = unsafe { mem::zeroed() };
        // SAFETY: the pointer is to a local.
        number(unsafe { libc::posix_spawnattr_init(&mut attributes) })?;
        // SAFETY: a signal set is plain bits; all pointers are to locals.
        unsafe {
            let mut signals: libc::sigset_t = mem::zeroed();
            libc::sigemptyset(&mut signals);
            number(libc::posix_spawnattr_setsigmask(&mut attributes, &signals))?;
            // Ignored signals stay ignored through an exec: SIGPIPE since Rust's start-up, the others in a spawner.
            let ignored = [
                libc::SIGPIPE,
                libc::SIGINT,
                libc::SIGTERM,
                libc::SIGHUP,
                libc::SIGQUIT,
                libc::SIGTSTP,
            ];
            for signal in ignored {
                libc::sigaddset(&mut signals, signal);
            }
            number(libc::posix_spawnattr_setsigdefault(&mut attributes, &signals))?;
            let flags = libc::POSIX_SPAWN_SETSID as libc::c_int
                | libc::POSIX_SPAWN_SETSIGMASK as libc::c_int
                | libc::POSIX_SPAWN_SETSIGDEF as libc::c_int;
            number(libc::posix_spawnattr_setflags(
                &mut attributes,
                flags as libc::c_short,
            ))?;
        }
        Ok(Self(attributes))
    }

    fn done(&mut self) {
        // SAFETY: it was initialised, and is not used after this.
        unsafe { libc::posix_spawnattr_destroy(&mut self.0) };
    }
}

/// What the child does before its exec.
struct Actions(libc::posix_spawn_file_actions_t);

impl Actions {
    fn new() -> io::Result<Self> {
        // SAFETY: zeroed storage is what the init function is to be given, and it fills it in.
        let mut actions = unsafe { mem::zeroed() };
        // SAFETY: the pointer is to a local.
        number(unsafe { libc::posix_spawn_file_actions_init(&mut actions) })?;
        Ok(Self(actions))
    }

    fn duplicate(&mut self, from: libc::c_int, to: libc::c_int) -> io::Result<()> {
        // SAFETY: the structure was initialised; descriptors are integers.
        number(unsafe { libc::posix_spawn_file_actions_adddup2(&mut self.0, from, to) })
    }

    fn open(&mut self, path: &CString, to: libc::c_int, flags: libc::c_int) -> io::Result<()> {
        // SAFETY: the structure was initialised; the path is copied by the call.
        number(unsafe {
            libc::posix_spawn_file_actions_addopen(&mut self.0, to, path.as_ptr(), flags, 0o600)
        })
    }

    fn enter(&mut self, folder: &CString) -> io::Result<()> {
        // SAFETY: the structure was initialised; the path is copied by the call.
        number(unsafe { libc::posix_spawn_file_actions_addchdir_np(&mut self.0, folder.as_ptr()) })
    }

    fn done(&mut self) {
        // SAFETY: it was initialised, and is not used after this.
        unsafe { libc::posix_spawn_file_actions_destroy(&mut self.0) };
    }
}

/// These functions return the error instead of setting `errno`.
fn number(returned: libc::c_int) -> io::Result<()> {
    match returned {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

/// A descriptor that becomes readable when the process ends; none if the kernel has none (before Linux 5.3).
pub(crate) fn end_of(pid: u32) -> Option<OwnedFd> {
    // SAFETY: the call takes integers and returns a new descriptor or -1.
    let descriptor = unsafe { libc::syscall(libc::SYS_pidfd_open, pid as libc::pid_t, 0) };
    // SAFETY: nothing else owns the descriptor.
    (descriptor >= 0).then(|| unsafe { OwnedFd::from_raw_fd(descriptor as libc::c_int) })
}

/// Waits for a child to end; without `block`, returns none while it runs. A signal to tare does not end the wait.
///
/// # Errors
/// If it is not a child of tare's.
pub(crate) fn reap(pid: u32, block: bool) -> io::Result<Option<Account>> {
    let options = if block { 0 } else { libc::WNOHANG };
    loop {
        let mut status = 0;
        // SAFETY: rusage is plain numbers, for which zeros are valid; both pointers are to locals.
        let (reaped, usage) = unsafe {
            let mut usage: libc::rusage = mem::zeroed();
            (
                libc::wait4(pid as libc::pid_t, &mut status, options, &mut usage),
                usage,
            )
        };
        match reaped {
            0 => return Ok(None),
            -1 => match io::Error::last_os_error() {
                error if error.kind() == io::ErrorKind::Interrupted => {}
                error => return Err(error),
            },
            _ => return Ok(Some(account(status, &usage))),
        }
    }
}

fn account(status: libc::c_int, usage: &libc::rusage) -> Account {
    let seconds = |time: libc::timeval| Seconds(time.tv_sec as f64 + time.tv_usec as f64 / 1e6);
    Account {
        status: ExitStatus::from_raw(status),
        user: seconds(usage.ru_utime),
        system: seconds(usage.ru_stime),
        peak: Bytes(usage.ru_maxrss.max(0) as u64 * 1024),
        switches: (usage.ru_nvcsw + usage.ru_nivcsw).max(0) as u64,
    }
}

/// The peak resident memory of tare itself so far.
pub(crate) fn own_peak() -> Bytes {
    // SAFETY: rusage is plain numbers, for which zeros are valid; the pointer is to a local.
    let usage = unsafe {
        let mut usage: libc::rusage = mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    Bytes(usage.ru_maxrss.max(0) as u64 * 1024)
}
