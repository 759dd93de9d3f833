//! Whether a time that a contender tells can be true: held against the round trip, and against its accounts.

use std::time::Duration;

use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::HostReading;
use tare_model::units::Seconds;

use super::ask::Ran;

/// The time told and the round trip may differ by this share of the trip …
const SHARE: f64 = 0.02;
/// … and this much, which two wake-ups and two short messages take.
const FIXED: f64 = 50e-6;

/// What accounts may be off by: 32 µs were seen between a freeze and its end (`tare_host::account`), and a clock tick
/// where children are counted in those.
const ACCOUNTS: f64 = 2e-3;

/// So many iterations take longer than the resolution of any clock.
const NEVER_ZERO: u64 = 1 << 16;

/// What is to be said of one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Told {
    /// It can be true.
    Plausible,
    /// It is shorter than the round trip by more than is allowed: perhaps somebody woke up late.
    Short,
    /// It is longer than the round trip, or zero: it cannot be true.
    Impossible,
}

/// Holds the time told against the round trip; `late`: the part of it in which somebody was seen to wait for a core.
pub(crate) fn told(ran: &Ran, late: Duration) -> Told {
    let (took, nanos) = (ran.took.as_secs_f64(), ran.nanos as f64 / 1e9);
    let allowed = took * SHARE + FIXED;
    match () {
        () if ran.nanos == 0 && ran.n >= NEVER_ZERO => Told::Impossible,
        () if nanos > took + allowed => Told::Impossible,
        () if nanos + allowed + late.as_secs_f64() < took => Told::Short,
        () => Told::Plausible,
    }
}

/// A time that cannot be true, in words.
pub(crate) fn impossible(ran: &Ran) -> Fault {
    let text = match ran.nanos {
        0 => format!(
            "it told a time of zero for {} iterations, whose round trip took {}",
            ran.n,
            trip(ran)
        ),
        _ => format!(
            "it told {} for {} iterations, but their round trip took only {}: its clock is not a monotonic one, or it \
             counts more than the loop",
            time(ran),
            ran.n,
            trip(ran)
        ),
    };
    Fault::new(FaultKind::Implausible, text)
}

/// A time that was too short again and again, in words.
pub(crate) fn too_short(ran: &Ran, times: u32) -> Fault {
    let what = match ran.nanos {
        0 => "a time of zero".to_owned(),
        _ => time(ran).to_string(),
    };
    Fault::new(
        FaultKind::Implausible,
        format!(
            "it told {what} for {} iterations, but their round trip took {}, {times} times in a row, over twice \
             as many each time, and it was not for want of a core: its clock must go around the whole loop, and it must answer at once\n\nhint: they may \
             differ by 2% and 50 µs",
            ran.n,
            trip(ran)
        ),
    )
}

fn time(ran: &Ran) -> Seconds {
    Seconds::from_nanos(ran.nanos)
}

fn trip(ran: &Ran) -> Seconds {
    Seconds::from_duration(ran.took)
}

/// The round trips of one slice, summed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sums {
    /// Times told.
    pub told: f64,
    /// Round trips.
    pub took: f64,
    /// What its threads and ours waited for a core meanwhile: as long, another thread of its may have had one.
    pub waited: f64,
}

impl Sums {
    /// With one more.
    pub fn add(&mut self, ran: &Ran) {
        self.told += ran.nanos as f64 / 1e9;
        self.took += ran.took.as_secs_f64();
    }
}

/// What so many cores give in a time, and what accounts may be off by.
fn most(cores: usize, wall: f64) -> f64 {
    cores as f64 * wall * (1.0 + SHARE) + ACCOUNTS
}

/// Holds the CPU time of a slice against its wall time: nobody uses more than the cores give.
pub(crate) fn kept_its_cores(accounts: &HostReading, cores: usize) -> Result<(), Fault> {
    if accounts.cpu.0 <= most(cores, accounts.thawed.0) {
        return Ok(());
    }
    let text = format!(
        "it used {} of CPU time in {} on {cores} of the cores, more than they have: it has left the cores that it was \
         given",
        accounts.cpu, accounts.thawed
    );
    Err(Fault::new(FaultKind::Implausible, text))
}

/// Holds the times of a slice against its CPU time: what was used beyond the time told, on all cores at once, was used
/// outside the round trips, or while the loop's thread was not let in (a compiler or a collector may hold a core for some
/// milliseconds).
pub(crate) fn too_short_for_its_cpu(sums: &Sums, accounts: &HostReading, cores: usize) -> Option<Fault> {
    let outside = (accounts.thawed.0 - sums.took).max(0.0);
    (accounts.cpu.0 > most(cores, sums.told + outside + sums.waited)).then(|| {
        let text = format!(
            "it told {} for iterations whose round trips took {}, and used {} of CPU time meanwhile, and that not for the \
             first time: the time is too short for its CPU",
            Seconds(sums.told),
            Seconds(sums.took),
            accounts.cpu
        );
        Fault::new(FaultKind::Implausible, text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(nanos: u64, took_nanos: u64) -> Ran {
        Ran {
            n: 1000,
            nanos,
            sum: 0,
            took: Duration::from_nanos(took_nanos),
        }
    }

    #[test]
    fn two_percent_and_fifty_microseconds_either_way() {
        // Of 10 ms: 200 µs + 50 µs.
        let of = |nanos| told(&ran(nanos, 10_000_000), Duration::ZERO);
        assert_eq!(of(9_751_000), Told::Plausible);
        assert_eq!(of(9_749_000), Told::Short);
        assert_eq!(of(10_249_000), Told::Plausible);
        assert_eq!(of(10_251_000), Told::Impossible);
        let late = Duration::from_millis(5);
        assert_eq!(told(&ran(4_800_000, 10_000_000), late), Told::Plausible);
        assert_eq!(told(&ran(4_700_000, 10_000_000), late), Told::Short);
    }

    #[test]
    fn zero_is_a_time_only_for_next_to_nothing() {
        let of = |n, nanos| {
            let ran = Ran {
                n,
                ..ran(nanos, 60_000)
            };
            told(&ran, Duration::ZERO)
        };
        assert_eq!(of(1, 0), Told::Short);
        assert_eq!(of(1, 20_000), Told::Plausible);
        assert_eq!(of(NEVER_ZERO, 0), Told::Impossible);
        assert!(
            impossible(&ran(0, 60_000))
                .detail
                .contains("a time of zero for 1000 iterations")
        );
    }

    #[test]
    fn cpu_time_tells_on_a_clock_that_is_slow() {
        let accounts = |cpu: f64, thawed: f64| HostReading {
            cpu: Seconds(cpu),
            thawed: Seconds(thawed),
            ..HostReading::default()
        };
        let sums = |told: f64, took: f64| Sums {
            told,
            took,
            waited: 0.0,
        };
        let audit = too_short_for_its_cpu;
        let honest = sums(0.0108, 0.011);
        assert_eq!(audit(&honest, &accounts(0.0112, 0.0115), 1), None);
        let half = audit(&sums(0.0054, 0.011), &accounts(0.011, 0.0115), 1).unwrap();
        assert!(half.detail.contains("too short for its CPU"), "{half}");
        // A compiler had the core between the loop's end and the answer.
        let held_up = Sums {
            waited: 0.004,
            ..sums(0.0108, 0.015)
        };
        assert_eq!(audit(&held_up, &accounts(0.0152, 0.0155), 1), None);
        // It slept, or a core was not to be had: that is for the round trip to judge.
        assert_eq!(audit(&sums(0.0054, 0.011), &accounts(0.0055, 0.0115), 1), None);
        // A collector beside the loop, on the second core.
        assert_eq!(audit(&honest, &accounts(0.0215, 0.0115), 2), None);
        assert_eq!(kept_its_cores(&accounts(0.0215, 0.0115), 2), Ok(()));
        let escaped = kept_its_cores(&accounts(0.0215, 0.0115), 1).unwrap_err();
        assert!(escaped.detail.contains("left the cores"), "{escaped}");
    }
}
