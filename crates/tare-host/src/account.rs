//! Two readings of a paused group, and their difference.

use std::fs;
use std::time::Instant;

use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::HostReading;
use tare_model::units::{Seconds, Share};

use crate::error::Result;
use crate::groups::{Memory, ProcessGroup};
use crate::procfs::Threads;
use crate::sys;

/// CPU time that a group may use between its freezing and its next thaw. In 100 freezes of a spinning tree on a
/// loaded machine, the highest was 32 µs; a contender that really runs on uses CPU in all of the other slices.
pub const FROZEN_ALLOWANCE: Seconds = Seconds(0.002);

/// The state of a group and of the machine around it at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Snapshot {
    /// When it was taken.
    pub at: Instant,
    /// CPU time of the group since it was made.
    pub cpu: Seconds,
    /// Its resident memory.
    pub memory: Memory,
    /// What its living threads did.
    pub threads: Threads,
    /// Time stolen by the hypervisor since boot, over all cores.
    pub steal: Seconds,
    /// Time in which some task of the machine waited for a CPU, if the kernel reports it.
    pub pressure: Option<Seconds>,
}

impl Snapshot {
    /// Reads all of it. Call this while the group is paused: then its CPU time does not change while it is read.
    ///
    /// # Errors
    /// If the group's CPU time cannot be read.
    pub fn take(group: &ProcessGroup) -> Result<Self> {
        Ok(Self {
            at: Instant::now(),
            cpu: group.cpu()?,
            memory: group.memory(),
            threads: group.threads(),
            steal: steal(),
            pressure: pressure(),
        })
    }
}

/// What the host measured between two readings of the paused group. `thawed` is the wall time from the thaw to the
/// freeze, `cores` the number of cores that the contender had.
pub fn reading(before: &Snapshot, after: &Snapshot, thawed: Seconds, cores: usize) -> HostReading {
    let cpu = since(before.cpu, after.cpu);
    let wall = after.at.duration_since(before.at).as_secs_f64();
    let pressure = before
        .pressure
        .zip(after.pressure)
        .map(|(before, after)| share(since(before, after).0, wall));
    HostReading {
        cpu,
        // Never more than all: two of the kernel's clocks.
        compilers: Seconds(
            since(before.threads.compilers, after.threads.compilers)
                .0
                .min(cpu.0),
        ),
        thawed,
        busy: share(cpu.0, thawed.0 * cores as f64),
        memory: after.memory.now,
        memory_peak: after.memory.peak,
        // Threads that ended take their count with them.
        switches: after.threads.switches.saturating_sub(before.threads.switches),
        steal: since(before.steal, after.steal),
        pressure,
    }
}

/// Checks that a group was paused from its freezing (`frozen`) to the reading before its next thaw (`later`).
///
/// # Errors
/// `NotPaused` with how much CPU time it used.
pub fn kept_still(group: &str, frozen: &Snapshot, later: &Snapshot) -> std::result::Result<(), Fault> {
    let used = since(frozen.cpu, later.cpu);
    if used <= FROZEN_ALLOWANCE {
        return Ok(());
    }
    Err(Fault::new(
        FaultKind::NotPaused,
        format!(
            "it used {used} of CPU time while its group {group} was paused for {}, so it would disturb the others while \
             they are measured\n\nhint: one of its processes left the group; cgroups prevent that, SIGSTOP may not",
            Seconds::from_duration(later.at.duration_since(frozen.at))
        ),
    ))
}

fn since(before: Seconds, after: Seconds) -> Seconds {
    // Never negative: without cgroups, the CPU time of a child that nobody waited for is lost.
    Seconds((after.0 - before.0).max(0.0))
}

fn share(part: f64, whole: f64) -> Share {
    Share(if whole > 0.0 {
        (part / whole).clamp(0.0, 1.0)
    } else {
        0.0
    })
}

/// Time stolen since boot: the eighth number of the first line of `/proc/stat`, in clock ticks (proc(5)).
pub fn steal() -> Seconds {
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    Seconds(parse_steal(&text).unwrap_or(0) as f64 / sys::ticks_per_second())
}

fn parse_steal(stat: &str) -> Option<u64> {
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    line.split_ascii_whitespace().nth(7)?.parse().ok()
}

/// Time since boot in which some task waited for a CPU; none if the kernel has no pressure stall information.
pub fn pressure() -> Option<Seconds> {
    parse_pressure(&fs::read_to_string("/proc/pressure/cpu").ok()?)
}

fn parse_pressure(text: &str) -> Option<Seconds> {
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let micros: u64 = line.split_once("total=")?.1.trim().parse().ok()?;
    Some(Seconds(micros as f64 / 1e6))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tare_model::units::Bytes;

    fn at(offset_ms: u64, base: Instant) -> Snapshot {
        Snapshot {
            at: base + Duration::from_millis(offset_ms),
            cpu: Seconds(1.0),
            memory: Memory {
                now: Bytes(10),
                peak: Bytes(20),
            },
            threads: Threads {
                switches: 100,
                compilers: Seconds(0.5),
            },
            steal: Seconds(5.0),
            pressure: Some(Seconds(2.0)),
        }
    }

    #[test]
    fn a_reading_is_the_difference_of_two() {
        let base = Instant::now();
        let before = at(0, base);
        let mut after = at(200, base);
        after.cpu = Seconds(1.1);
        after.threads.switches = 150;
        after.threads.compilers = Seconds(0.54);
        after.steal = Seconds(5.01);
        after.pressure = Some(Seconds(2.05));
        let reading = reading(&before, &after, Seconds(0.1), 2);
        assert!((reading.cpu.0 - 0.1).abs() < 1e-9);
        assert!((reading.busy.0 - 0.5).abs() < 1e-9);
        assert_eq!(
            (reading.switches, reading.memory, reading.memory_peak),
            (50, Bytes(10), Bytes(20))
        );
        assert!((reading.compilers.0 - 0.04).abs() < 1e-9);
        assert!((reading.steal.0 - 0.01).abs() < 1e-9);
        assert!((reading.pressure.unwrap().0 - 0.25).abs() < 1e-9);
    }

    #[test]
    fn nothing_goes_below_zero_or_over_one() {
        let base = Instant::now();
        let (mut before, after) = (at(0, base), at(0, base));
        before.cpu = Seconds(2.0);
        before.threads.switches = 101;
        let reading = reading(&before, &after, Seconds(0.0), 1);
        assert_eq!((reading.cpu, reading.switches), (Seconds(0.0), 0));
        assert_eq!((reading.busy, reading.pressure), (Share(0.0), Some(Share(0.0))));
    }

    #[test]
    fn one_that_runs_while_frozen_is_found_out() {
        let base = Instant::now();
        let mut later = at(50, base);
        assert_eq!(kept_still("g", &at(0, base), &later), Ok(()));
        later.cpu = Seconds(1.05);
        let fault = kept_still("g", &at(0, base), &later).unwrap_err();
        assert_eq!(fault.kind, FaultKind::NotPaused);
        assert!(fault.detail.contains("50.0 ms of CPU time"), "{fault}");
    }

    #[test]
    fn the_kernels_lines_are_read() {
        let stat = "cpu  2522 0 1828 172178 321 0 41 87 0 0\ncpu0 1 1 1 1 1 1 1 1 1 1";
        assert_eq!(parse_steal(stat), Some(87));
        assert_eq!(parse_steal("cpu0 1"), None);
        let psi = "some avg10=0.92 avg60=0.67 avg300=0.38 total=4952006\nfull avg10=0.00 total=0";
        assert_eq!(parse_pressure(psi), Some(Seconds(4.952006)));
        assert_eq!(parse_pressure(""), None);
    }
}
