//! Clocks that the standard library lacks.

#![allow(unsafe_code)]

use std::time::Duration;

/// CPU time that the calling thread has used.
pub fn thread_cpu() -> Duration {
    read(libc::CLOCK_THREAD_CPUTIME_ID).unwrap_or_default()
}

/// CPU time of a process since its start: all its threads, including those that ended, without its children. None once
/// the process is gone.
pub fn process_cpu(pid: u32) -> Option<Duration> {
    let mut clock: libc::clockid_t = 0;
    // SAFETY: the pointer is to a local.
    if unsafe { libc::clock_getcpuclockid(pid as libc::pid_t, &mut clock) } != 0 {
        return None;
    }
    read(clock)
}

/// The clock that never goes backwards (`CLOCK_MONOTONIC`), by which perf stamps its records.
pub fn monotonic() -> Duration {
    read(libc::CLOCK_MONOTONIC).unwrap_or_default()
}

fn read(clock: libc::clockid_t) -> Option<Duration> {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a local.
    let failed = unsafe { libc::clock_gettime(clock, &mut time) } != 0;
    (!failed).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_works_uses_cpu_time() {
        let own_cpu = || process_cpu(std::process::id()).unwrap();
        let (thread, process) = (thread_cpu(), own_cpu());
        let begun = monotonic();
        while monotonic() - begun < Duration::from_millis(5) {}
        let (thread, process) = (thread_cpu() - thread, own_cpu() - process);
        assert!(
            thread > Duration::ZERO && process >= thread,
            "{thread:?} {process:?}"
        );
        // Ids end at 2^22 (proc(5), pid_max).
        assert_eq!(process_cpu((1 << 22) + 1), None);
    }
}
