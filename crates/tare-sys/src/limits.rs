//! Limits of this process that it may raise, and the precision of its sleep.

#![allow(unsafe_code)]

use std::io;

/// Raises the soft limit of open files to the hard one, for the calling process. Returns the limit that then holds. Makes
/// system calls only and neither allocates nor locks, so it may be used between fork and exec.
pub fn raise_open_files() -> u64 {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: both calls get a pointer to a local. A limit that cannot be raised stays as it is.
    unsafe {
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit);
        let before = limit.rlim_cur;
        limit.rlim_cur = limit.rlim_max;
        if libc::setrlimit(libc::RLIMIT_NOFILE, &limit) != 0 {
            return before;
        }
    }
    limit.rlim_cur
}

/// Wakes the calling thread from sleep to the nanosecond (prctl(2), `PR_SET_TIMERSLACK`; the default is 50 µs).
///
/// # Errors
/// What the kernel says.
pub fn sleep_precisely() -> io::Result<()> {
    // SAFETY: PR_SET_TIMERSLACK takes a plain number.
    crate::check(unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1 as libc::c_ulong) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_raised_once_and_stay() {
        let raised = raise_open_files();
        assert!(raised > 0);
        assert_eq!(raise_open_files(), raised);
        sleep_precisely().unwrap();
    }
}
