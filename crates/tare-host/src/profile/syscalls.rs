//! Names of system calls by their numbers on this machine's architecture: those that servers and runtimes use.

/// The name of a system call; none if it is not on the list.
pub fn name(number: i64) -> Option<&'static str> {
    TABLE
        .iter()
        .find(|(known, _)| *known == number)
        .map(|(_, name)| *name)
}

/// Whether a call returns a count of bytes that it moved.
pub(crate) fn moves_bytes(name: &str) -> bool {
    MOVES.contains(&name)
}

const MOVES: [&str; 15] = [
    "read",
    "write",
    "readv",
    "writev",
    "pread64",
    "pwrite64",
    "preadv",
    "pwritev",
    "recvfrom",
    "sendto",
    "recvmsg",
    "sendmsg",
    "sendfile",
    "splice",
    "copy_file_range",
];

macro_rules! table {
    ($($name:ident = $number:ident),* $(,)?) => {
        &[$((libc::$number, stringify!($name))),*]
    };
}

const TABLE: &[(i64, &str)] = table![
    read = SYS_read,
    write = SYS_write,
    readv = SYS_readv,
    writev = SYS_writev,
    pread64 = SYS_pread64,
    pwrite64 = SYS_pwrite64,
    preadv = SYS_preadv,
    pwritev = SYS_pwritev,
    openat = SYS_openat,
    close = SYS_close,
    fstat = SYS_fstat,
    newfstatat = SYS_newfstatat,
    statx = SYS_statx,
    lseek = SYS_lseek,
    mmap = SYS_mmap,
    munmap = SYS_munmap,
    mprotect = SYS_mprotect,
    madvise = SYS_madvise,
    mremap = SYS_mremap,
    brk = SYS_brk,
    rt_sigaction = SYS_rt_sigaction,
    rt_sigprocmask = SYS_rt_sigprocmask,
    rt_sigreturn = SYS_rt_sigreturn,
    sigaltstack = SYS_sigaltstack,
    tgkill = SYS_tgkill,
    kill = SYS_kill,
    ioctl = SYS_ioctl,
    fcntl = SYS_fcntl,
    dup = SYS_dup,
    dup3 = SYS_dup3,
    pipe2 = SYS_pipe2,
    socket = SYS_socket,
    socketpair = SYS_socketpair,
    bind = SYS_bind,
    listen = SYS_listen,
    accept = SYS_accept,
    accept4 = SYS_accept4,
    connect = SYS_connect,
    shutdown = SYS_shutdown,
    getsockname = SYS_getsockname,
    getpeername = SYS_getpeername,
    setsockopt = SYS_setsockopt,
    getsockopt = SYS_getsockopt,
    sendto = SYS_sendto,
    recvfrom = SYS_recvfrom,
    sendmsg = SYS_sendmsg,
    recvmsg = SYS_recvmsg,
    sendmmsg = SYS_sendmmsg,
    recvmmsg = SYS_recvmmsg,
    sendfile = SYS_sendfile,
    splice = SYS_splice,
    copy_file_range = SYS_copy_file_range,
    epoll_create1 = SYS_epoll_create1,
    epoll_ctl = SYS_epoll_ctl,
    epoll_pwait = SYS_epoll_pwait,
    epoll_pwait2 = SYS_epoll_pwait2,
    ppoll = SYS_ppoll,
    pselect6 = SYS_pselect6,
    eventfd2 = SYS_eventfd2,
    timerfd_settime = SYS_timerfd_settime,
    timer_settime = SYS_timer_settime,
    io_uring_setup = SYS_io_uring_setup,
    io_uring_enter = SYS_io_uring_enter,
    io_uring_register = SYS_io_uring_register,
    futex = SYS_futex,
    sched_yield = SYS_sched_yield,
    sched_getaffinity = SYS_sched_getaffinity,
    sched_setaffinity = SYS_sched_setaffinity,
    getcpu = SYS_getcpu,
    nanosleep = SYS_nanosleep,
    clock_gettime = SYS_clock_gettime,
    clock_nanosleep = SYS_clock_nanosleep,
    gettimeofday = SYS_gettimeofday,
    getpid = SYS_getpid,
    gettid = SYS_gettid,
    getrusage = SYS_getrusage,
    getrandom = SYS_getrandom,
    membarrier = SYS_membarrier,
    prctl = SYS_prctl,
    prlimit64 = SYS_prlimit64,
    uname = SYS_uname,
    clone = SYS_clone,
    clone3 = SYS_clone3,
    execve = SYS_execve,
    wait4 = SYS_wait4,
    waitid = SYS_waitid,
    exit = SYS_exit,
    exit_group = SYS_exit_group,
    set_robust_list = SYS_set_robust_list,
    set_tid_address = SYS_set_tid_address,
    rseq = SYS_rseq,
    restart_syscall = SYS_restart_syscall,
    fsync = SYS_fsync,
    fdatasync = SYS_fdatasync,
    ftruncate = SYS_ftruncate,
    unlinkat = SYS_unlinkat,
    getdents64 = SYS_getdents64,
    readlinkat = SYS_readlinkat,
    faccessat = SYS_faccessat,
    faccessat2 = SYS_faccessat2,
    getcwd = SYS_getcwd,
];

/// Calls that only older architectures have.
#[cfg(target_arch = "x86_64")]
const OLDER: &[(i64, &str)] = table![
    open = SYS_open,
    stat = SYS_stat,
    lstat = SYS_lstat,
    access = SYS_access,
    poll = SYS_poll,
    select = SYS_select,
    epoll_wait = SYS_epoll_wait,
    epoll_create = SYS_epoll_create,
    pipe = SYS_pipe,
    dup2 = SYS_dup2,
    fork = SYS_fork,
    vfork = SYS_vfork,
    readlink = SYS_readlink,
    unlink = SYS_unlink,
    arch_prctl = SYS_arch_prctl,
    getuid = SYS_getuid,
    alarm = SYS_alarm,
    eventfd = SYS_eventfd,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[(i64, &str)] = &[];

/// The name of a system call, including those that only older architectures have; the bare number if it is on neither
/// list.
pub(crate) fn name_or_number(number: i64) -> String {
    let older = || {
        OLDER
            .iter()
            .find(|(known, _)| *known == number)
            .map(|(_, name)| *name)
    };
    match name(number).or_else(older) {
        Some(name) => name.to_owned(),
        None => format!("system call {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_names() {
        assert_eq!(name_or_number(libc::SYS_write), "write");
        assert_eq!(name_or_number(libc::SYS_execve), "execve");
        assert_eq!(name_or_number(99_999), "system call 99999");
        assert!(moves_bytes("sendto") && !moves_bytes("futex"));
    }

    #[test]
    fn every_call_that_moves_bytes_is_on_the_list() {
        for call in MOVES {
            assert!(TABLE.iter().any(|(_, name)| *name == call), "{call}");
        }
    }

    #[test]
    fn no_number_has_two_names() {
        let mut numbers: Vec<i64> = TABLE.iter().chain(OLDER).map(|(number, _)| *number).collect();
        let all = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), all);
    }
}
