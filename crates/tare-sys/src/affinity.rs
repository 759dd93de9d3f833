//! The cores that a thread may run on.

#![allow(unsafe_code)]

use std::io;
use std::mem;

use crate::check;

/// A set of cores.
#[derive(Clone, Copy)]
pub struct CoreSet(libc::cpu_set_t);

impl CoreSet {
    /// A set of these cores.
    ///
    /// # Errors
    /// `EINVAL` for a core that no set can hold (1024 and up).
    pub fn new(cores: &[u32]) -> io::Result<Self> {
        // SAFETY: cpu_set_t is a plain bit array, for which zeros are a valid value.
        let mut set: libc::cpu_set_t = unsafe { mem::zeroed() };
        for &core in cores {
            if core >= libc::CPU_SETSIZE as u32 {
                return Err(io::Error::from_raw_os_error(libc::EINVAL));
            }
            // SAFETY: the index is below CPU_SETSIZE.
            unsafe { libc::CPU_SET(core as usize, &mut set) };
        }
        Ok(Self(set))
    }

    /// Lets the calling thread, and those that it starts, run on these cores only. Makes one system call and neither
    /// allocates nor locks, so it may be used between fork and exec.
    ///
    /// # Errors
    /// What the kernel says; `EINVAL` where none of the cores is available.
    pub fn apply(&self) -> io::Result<()> {
        // SAFETY: the pointer and the size belong to the set.
        check(unsafe { libc::sched_setaffinity(0, mem::size_of_val(&self.0), &self.0) })
    }
}

/// The cores that the calling thread may run on, in ascending order.
///
/// # Errors
/// What the kernel says, where it has more cores than a set can hold (1024).
pub fn affinity() -> io::Result<Vec<u32>> {
    let mut set = CoreSet::new(&[])?.0;
    // SAFETY: the pointer and the size belong to `set`.
    check(unsafe { libc::sched_getaffinity(0, mem::size_of_val(&set), &mut set) })?;
    // SAFETY: the index is below CPU_SETSIZE.
    let cores = (0..libc::CPU_SETSIZE as u32).filter(|&core| unsafe { libc::CPU_ISSET(core as usize, &set) });
    Ok(cores.collect())
}

/// Lets the calling thread, and those that it starts, run on these cores only.
///
/// # Errors
/// What the kernel says; `EINVAL` where none of the cores is available.
pub fn set_affinity(cores: &[u32]) -> io::Result<()> {
    CoreSet::new(cores)?.apply()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_pinned_and_others_are_not() {
        let before = affinity().unwrap();
        let last = before.last().copied().unwrap();
        let pinned = std::thread::spawn(move || {
            set_affinity(&[last]).unwrap();
            affinity().unwrap()
        });
        assert_eq!(pinned.join().unwrap(), [last]);
        assert_eq!(affinity().unwrap(), before);
    }

    #[test]
    fn cores_that_cannot_be_are_refused() {
        for cores in [&[][..], &[1023], &[5000]] {
            let error = set_affinity(cores).unwrap_err();
            assert_eq!(error.raw_os_error(), Some(libc::EINVAL), "{cores:?}");
        }
    }
}
