//! Whether a time that a contender reports is plausible: compared with the round trip and with its accounts.

use std::time::Duration;

use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::HostReading;
use tare_model::units::Seconds;

use super::ask::Ran;

/// The reported time and the round trip may differ by this share of the trip …
const SHARE: f64 = 0.02;
/// … and by this much, in seconds, which two wake-ups and two short messages take.
const FIXED: f64 = 50e-6;

/// The error of accounts, in seconds: up to 32 µs of CPU time were seen during a freeze (`tare_host::account`), and children
/// may be counted in clock ticks.
const ACCOUNTS: f64 = 2e-3;

/// This many iterations take longer than the resolution of any clock.
const NEVER_ZERO: u64 = 1 << 16;

/// The judgement of one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Plausibility {
    /// It can be true.
    Plausible,
    /// It is shorter than the round trip by more than is allowed; perhaps a thread woke up late.
    Short,
    /// It is longer than the round trip, or zero: it cannot be true.
    Impossible,
}

/// Compares the reported time with the round trip. `late`: the part of the trip in which a thread waited for a core.
pub(crate) fn plausibility(ran: &Ran, late: Duration) -> Plausibility {
    let (took, nanos) = (ran.took.as_secs_f64(), ran.nanos as f64 / 1e9);
    let allowed = took * SHARE + FIXED;
    let zero = ran.nanos == 0 && ran.n >= NEVER_ZERO;
    if zero || nanos > took + allowed {
        Plausibility::Impossible
    } else if nanos + allowed + late.as_secs_f64() < took {
        Plausibility::Short
    } else {
        Plausibility::Plausible
    }
}

/// The fault of an impossible time.
pub(crate) fn impossible(ran: &Ran) -> Fault {
    let text = match ran.nanos {
        0 => format!(
            "it reported a time of zero for {} iterations, whose round trip took {}",
            ran.n,
            trip(ran)
        ),
        _ => format!(
            "it reported {} for {} iterations, but their round trip took only {}: its clock is not monotonic, or it \
             times more than the loop",
            time(ran),
            ran.n,
            trip(ran)
        ),
    };
    Fault::new(FaultKind::Implausible, text)
}

/// The fault of a time that was too short several times in a row.
pub(crate) fn too_short(ran: &Ran, times: u32) -> Fault {
    let what = match ran.nanos {
        0 => "a time of zero".to_owned(),
        _ => time(ran).to_string(),
    };
    Fault::new(
        FaultKind::Implausible,
        format!(
            "it reported {what} for {} iterations, but their round trip took {}: the time was too short {times} times in a \
             row, with twice the iterations each time, and no thread waited for a core: its clock must time the whole loop, \
             and it must answer at once\n\nhint: the two may differ by 2% and 50 µs",
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

/// Sums over the round trips of one slice, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sums {
    /// Reported times.
    pub reported: f64,
    /// Round trips.
    pub took: f64,
    /// How long its threads and tare's waited for a core: for that long, another of its threads may have had one.
    pub waited: f64,
}

impl Sums {
    /// Adds a round trip.
    pub(super) fn add(&mut self, ran: &Ran) {
        self.reported += ran.nanos as f64 / 1e9;
        self.took += ran.took.as_secs_f64();
    }
}

/// The most CPU time that cores give in a time, with the error of accounts.
fn most(cores: usize, wall: f64) -> f64 {
    cores as f64 * wall * (1.0 + SHARE) + ACCOUNTS
}

/// Checks that the CPU time of a slice is no more than its cores give in its wall time.
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

/// Compares the times of a slice with its CPU time. CPU time beyond the reported time, on all cores at once, must have been
/// used outside of the round trips, or while the loop's thread waited (a compiler or a collector may hold a core for some
/// milliseconds).
pub(crate) fn too_short_for_its_cpu(sums: &Sums, accounts: &HostReading, cores: usize) -> Option<Fault> {
    let outside = (accounts.thawed.0 - sums.took).max(0.0);
    (accounts.cpu.0 > most(cores, sums.reported + outside + sums.waited)).then(|| {
        let text = format!(
            "it reported {} for iterations whose round trips took {}, and used {} of CPU time in them, and not for the \
             first time: the time is too short for its CPU",
            Seconds(sums.reported),
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
        let of = |nanos| plausibility(&ran(nanos, 10_000_000), Duration::ZERO);
        assert_eq!(of(9_751_000), Plausibility::Plausible);
        assert_eq!(of(9_749_000), Plausibility::Short);
        assert_eq!(of(10_249_000), Plausibility::Plausible);
        assert_eq!(of(10_251_000), Plausibility::Impossible);
        let late = Duration::from_millis(5);
        assert_eq!(
            plausibility(&ran(4_800_000, 10_000_000), late),
            Plausibility::Plausible
        );
        assert_eq!(
            plausibility(&ran(4_700_000, 10_000_000), late),
            Plausibility::Short
        );
    }

    #[test]
    fn zero_is_plausible_for_very_few_iterations() {
        let of = |n, nanos| {
            let ran = Ran {
                n,
                ..ran(nanos, 60_000)
            };
            plausibility(&ran, Duration::ZERO)
        };
        assert_eq!(of(1, 0), Plausibility::Short);
        assert_eq!(of(1, 20_000), Plausibility::Plausible);
        assert_eq!(of(NEVER_ZERO, 0), Plausibility::Impossible);
        assert!(
            impossible(&ran(0, 60_000))
                .detail
                .contains("a time of zero for 1000 iterations")
        );
    }

    #[test]
    fn cpu_time_reveals_a_clock_that_is_slow() {
        let accounts = |cpu: f64, thawed: f64| HostReading {
            cpu: Seconds(cpu),
            thawed: Seconds(thawed),
            ..HostReading::default()
        };
        let sums = |reported: f64, took: f64| Sums {
            reported,
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
        // It slept, or waited for a core: the round trip covers that.
        assert_eq!(audit(&sums(0.0054, 0.011), &accounts(0.0055, 0.0115), 1), None);
        // A collector beside the loop, on the second core.
        assert_eq!(audit(&honest, &accounts(0.0215, 0.0115), 2), None);
        assert_eq!(kept_its_cores(&accounts(0.0215, 0.0115), 2), Ok(()));
        let escaped = kept_its_cores(&accounts(0.0215, 0.0115), 1).unwrap_err();
        assert!(escaped.detail.contains("left the cores"), "{escaped}");
    }
}
