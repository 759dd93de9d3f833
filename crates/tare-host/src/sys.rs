//! System calls that the standard library has no safe form of. This room's unsafe code is here and in `spawn.rs`.

#![allow(unsafe_code)]

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::mem;
use std::net::TcpListener;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tare_model::units::Seconds;
use tare_sys::affinity::CoreSet;
use tare_sys::clock;

pub use tare_sys::affinity::{affinity, set_affinity};
pub use tare_sys::limits::raise_open_files;

/// Sends a signal to one process. Signal 0 checks whether it exists.
pub fn kill(pid: u32, signal: i32) -> io::Result<()> {
    let pid = i32::try_from(pid).map_err(|_| io::Error::from_raw_os_error(libc::ESRCH))?;
    if pid <= 0 {
        // 0 and negative numbers would mean whole process groups.
        return Err(io::Error::from_raw_os_error(libc::ESRCH));
    }
    // SAFETY: kill takes two integers and touches no memory of ours.
    check(unsafe { libc::kill(pid, signal) })
}

/// Sends a signal to every process of a POSIX process group at once.
pub(crate) fn killpg(group: u32, signal: i32) -> io::Result<()> {
    let group = i32::try_from(group).map_err(|_| io::Error::from_raw_os_error(libc::ESRCH))?;
    if group <= 1 {
        // killpg(0) would mean our own group, and killpg(1) everything.
        return Err(io::Error::from_raw_os_error(libc::ESRCH));
    }
    // SAFETY: killpg takes two integers and touches no memory of ours.
    check(unsafe { libc::killpg(group, signal) })
}

/// CPU time of one process since its start: of all its threads, ended ones included, without its children. None if it is
/// gone.
pub fn process_clock(pid: u32) -> Option<Seconds> {
    clock::process_cpu(pid).map(seconds)
}

/// The monotonic clock (CLOCK_MONOTONIC), which perf stamps its records with.
pub fn monotonic() -> Seconds {
    seconds(clock::monotonic())
}

fn seconds(time: Duration) -> Seconds {
    Seconds(time.as_secs_f64())
}

/// Clock ticks per second that `/proc/PID/stat` and `/proc/stat` count in.
pub fn ticks_per_second() -> f64 {
    // SAFETY: sysconf takes an integer.
    unsafe { libc::sysconf(libc::_SC_CLK_TCK) as f64 }
}

/// The effective user.
pub fn user() -> u32 {
    // SAFETY: geteuid takes nothing and cannot fail.
    unsafe { libc::geteuid() }
}

/// Takes the lock of a file without waiting; false if another process holds it. The lock ends when the file is closed,
/// however the process ends.
pub(crate) fn try_lock(file: &File) -> io::Result<bool> {
    // SAFETY: the descriptor is open while `file` is borrowed.
    match check(unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) }) {
        Ok(()) => Ok(true),
        Err(error) if error.raw_os_error() == Some(libc::EWOULDBLOCK) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Makes the queue of a listening socket as long as the system allows.
pub(crate) fn lengthen_queue(listener: &TcpListener) -> io::Result<()> {
    // SAFETY: the descriptor is open while `listener` is borrowed; the kernel cuts the length to its own limit.
    check(unsafe { libc::listen(listener.as_raw_fd(), libc::c_int::MAX) })
}

/// Makes descendants of this process that lose their parent its own children.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    // SAFETY: prctl takes integers here and touches no memory of ours.
    check(unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) })
}

/// The hard limits of open files and of processes, as high as a program that tare starts may raise its own. Of processes no
/// more than there are ids: podman lowers its own limit to that.
pub(crate) fn hard_limits() -> (u64, u64) {
    let of = |resource| {
        let mut limit = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: the call gets a pointer to a local. It fails for an unknown resource only.
        unsafe { libc::getrlimit(resource, &mut limit) };
        limit.rlim_max
    };
    let ids = tare_sys::proc::number("/proc/sys/kernel/pid_max").unwrap_or(u64::MAX);
    (of(libc::RLIMIT_NOFILE), of(libc::RLIMIT_NPROC).min(ids))
}

/// Reaps a child that has ended, without waiting; false if it has not. Only for children that no other code waits for.
pub(crate) fn reap(pid: u32) -> bool {
    // SAFETY: a null pointer says that the status is not wanted.
    let reaped = unsafe { libc::waitpid(pid as libc::pid_t, std::ptr::null_mut(), libc::WNOHANG) };
    reaped != 0
}

/// What a child does between fork and exec.
#[derive(Debug, Default)]
pub(crate) struct Birth {
    /// `cgroup.procs` files, open for writing: the child writes itself into each, so that nothing escapes.
    pub joins: Vec<File>,
    /// The cores that it may run on; empty: those of its parent.
    pub cores: Vec<u32>,
    /// Whether it ignores the terminal's signals (the guard).
    pub deaf: bool,
}

/// Prepares a command: own session, groups joined, cores set, soft limit of open files raised to the hard one.
pub(crate) fn prepare(command: &mut Command, birth: Birth) -> io::Result<()> {
    let set = CoreSet::new(&birth.cores)?;
    let parent = std::process::id() as libc::pid_t;
    let work = move || -> io::Result<()> {
        for file in &birth.joins {
            // SAFETY: the buffer is one static byte; "0" stands for the writing process.
            if unsafe { libc::write(file.as_raw_fd(), b"0".as_ptr().cast(), 1) } != 1 {
                return Err(io::Error::last_os_error());
            }
        }
        if !birth.cores.is_empty() {
            set.apply()?;
        }
        // SAFETY: setsid takes nothing; in a fresh child it cannot fail.
        check(unsafe { libc::setsid() }.min(0))?;
        if birth.deaf {
            ignore_endings();
        }
        raise_open_files();
        // Without cgroups a process can be found only from its exec on: if tare was killed before that, its cleanup may
        // have missed this one. SAFETY: getppid takes nothing, and cannot fail.
        if unsafe { libc::getppid() } != parent {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure makes plain system calls only: it neither allocates nor locks.
    unsafe { command.pre_exec(work) };
    Ok(())
}

fn ignore_endings() {
    for signal in [
        libc::SIGINT,
        libc::SIGTERM,
        libc::SIGHUP,
        libc::SIGQUIT,
        libc::SIGTSTP,
    ] {
        // SAFETY: SIG_IGN installs no code of ours.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

/// The free bytes of the file system of a path; none if it does not report them.
pub(crate) fn free_space(path: &Path) -> Option<u64> {
    let path = CString::new(path.as_os_str().as_bytes()).ok()?;
    // SAFETY: statvfs is a struct of integers, for which zeros are a valid value.
    let mut found: libc::statvfs = unsafe { mem::zeroed() };
    // SAFETY: the text ends in a NUL and lives across the call, as does `found`.
    check(unsafe { libc::statvfs(path.as_ptr(), &mut found) }).ok()?;
    Some(found.f_bavail * found.f_frsize)
}

static ASKED: AtomicBool = AtomicBool::new(false);
static HURRIED: AtomicBool = AtomicBool::new(false);

/// Whether an interrupt came, and whether a second one did. See [`crate::interrupt`].
pub(crate) fn interrupt_flags() -> (&'static AtomicBool, &'static AtomicBool) {
    (&ASKED, &HURRIED)
}

extern "C" fn note_interrupt(_signal: libc::c_int) {
    // Atomic stores are all that a signal handler may do here.
    if ASKED.swap(true, Ordering::SeqCst) {
        HURRIED.store(true, Ordering::SeqCst);
    }
}

/// Notes SIGINT and SIGTERM in flags instead of ending the process.
pub(crate) fn note_interrupts() -> io::Result<()> {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: sigaction is a plain structure, for which zeros are a valid value; the handler only stores atomics.
        unsafe {
            let mut action: libc::sigaction = mem::zeroed();
            action.sa_sigaction = note_interrupt as *const () as usize;
            action.sa_flags = libc::SA_RESTART;
            check(libc::sigaction(signal, &action, std::ptr::null_mut()))?;
        }
    }
    Ok(())
}

/// Makes a named pipe that only its owner may open.
pub(crate) fn make_fifo(path: &Path) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: the pointer is to a string that ends with a NUL and outlives the call.
    check(unsafe { libc::mkfifo(path.as_ptr(), 0o600) })
}

/// Waits until a descriptor can be read or has ended; false if that took too long. Waits are whole milliseconds, rounded
/// up.
pub(crate) fn wait_readable(descriptor: BorrowedFd<'_>, at_most: Duration) -> io::Result<bool> {
    wait_for(libc::POLLIN, descriptor, at_most)
}

/// Waits until a descriptor can be written to or has no reader any more; likewise.
pub(crate) fn wait_writable(descriptor: BorrowedFd<'_>, at_most: Duration) -> io::Result<bool> {
    wait_for(libc::POLLOUT, descriptor, at_most)
}

fn wait_for(events: libc::c_short, descriptor: BorrowedFd<'_>, at_most: Duration) -> io::Result<bool> {
    let mut one = libc::pollfd {
        fd: descriptor.as_raw_fd(),
        events,
        revents: 0,
    };
    let millis = at_most.as_nanos().div_ceil(1_000_000);
    // SAFETY: the pointer is to one local structure, and the count says one.
    let ready = unsafe { libc::poll(&mut one, 1, millis.min(1 << 30) as libc::c_int) };
    match ready {
        0.. => Ok(ready > 0),
        _ => match io::Error::last_os_error() {
            // A signal ended the wait: the caller checks its clock and waits again.
            error if error.kind() == io::ErrorKind::Interrupted => Ok(false),
            error => Err(error),
        },
    }
}

fn check(returned: libc::c_int) -> io::Result<()> {
    match returned {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Whether a program that does not set SO_REUSEADDR (the standard library's listeners always do) can bind a port on every
/// address. Contenders listen on 127.0.0.1 or on all.
pub(crate) fn can_bind(port: u16) -> bool {
    // SAFETY: plain system calls; the address is a local that outlives the call, the descriptor is closed.
    unsafe {
        let socket = libc::socket(libc::AF_INET, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0);
        if socket < 0 {
            return false;
        }
        let mut address: libc::sockaddr_in = std::mem::zeroed();
        address.sin_family = libc::AF_INET as libc::sa_family_t;
        address.sin_port = port.to_be();
        let size = std::mem::size_of::<libc::sockaddr_in>() as libc::socklen_t;
        let bound = libc::bind(socket, std::ptr::from_ref(&address).cast(), size) == 0;
        libc::close(socket);
        bound
    }
}
