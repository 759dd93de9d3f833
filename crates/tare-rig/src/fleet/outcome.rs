//! What a generator saw, and what several saw together.

use tare_load::{Cause, LoadFault};
use tare_model::fault::Fault;
use tare_model::measure::LoadReading;
use tare_model::units::{Bytes, Seconds, Share};

/// How a load ended.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneratorOutcome {
    /// What was measured until its end.
    pub reading: LoadReading,
    /// What was wrong, if something was.
    pub fault: Option<Fault>,
    /// Whether a person ended it.
    pub interrupted: bool,
}

impl From<Result<LoadReading, LoadFault>> for GeneratorOutcome {
    fn from(result: Result<LoadReading, LoadFault>) -> Self {
        match result {
            Ok(reading) => Self {
                reading,
                fault: None,
                interrupted: false,
            },
            Err(failed) => failed.into(),
        }
    }
}

impl From<LoadFault> for GeneratorOutcome {
    fn from(failed: LoadFault) -> Self {
        Self {
            reading: *failed.reading,
            interrupted: failed.cause == Cause::Interrupted,
            fault: match failed.cause {
                Cause::Fault(fault) => Some(fault),
                Cause::Interrupted => None,
            },
        }
    }
}

/// Adds up what several generators saw. The longest wall time and the busiest core count. Retransmits and overflows are
/// counted for a whole machine, so `machine` says what becomes of those of two: the higher one (`u64::max`) where the generators share a
/// machine, and their sum where they do not. The first fault is the fault of all.
pub(super) fn join<'o>(
    parts: impl IntoIterator<Item = &'o GeneratorOutcome>,
    machine: fn(u64, u64) -> u64,
) -> GeneratorOutcome {
    let mut all = LoadReading::default();
    let (mut whole, mut fault, mut stopped) = (0.0, None, false);
    for GeneratorOutcome {
        reading,
        fault: own,
        interrupted,
    } in parts
    {
        all.wall = Seconds(all.wall.0.max(reading.wall.0));
        all.answers += reading.answers;
        all.requests.sent += reading.requests.sent;
        all.requests.valid += reading.requests.valid;
        all.requests.invalid += reading.requests.invalid;
        all.requests.lost += reading.requests.lost;
        all.unsent += reading.unsent;
        all.latency.merge(&reading.latency);
        all.lag.merge(&reading.lag);
        all.bytes_out = Bytes(all.bytes_out.0 + reading.bytes_out.0);
        all.bytes_in = Bytes(all.bytes_in.0 + reading.bytes_in.0);
        all.cpu = Seconds(all.cpu.0 + reading.cpu.0);
        all.busy = Share(all.busy.0.max(reading.busy.0));
        all.reopened += reading.reopened;
        all.programs.extend(&reading.programs);
        all.retransmits = machine(all.retransmits, reading.retransmits);
        all.overflows = machine(all.overflows, reading.overflows);
        if let Some(tls) = &reading.tls {
            all.tls.get_or_insert_default().merge(tls);
        }
        all.streams = all.streams.into_iter().chain(reading.streams).min();
        whole += reading.checked.0 * reading.requests.valid as f64;
        fault = fault.or_else(|| own.clone());
        stopped |= interrupted;
    }
    all.checked = match all.requests.valid {
        0 => Share(1.0),
        right => Share(whole / right as f64),
    };
    GeneratorOutcome {
        reading: all,
        fault,
        interrupted: stopped,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use tare_model::fault::FaultKind;
    use tare_model::measure::RequestCounts;

    pub(crate) fn outcome(fault: Option<Fault>) -> GeneratorOutcome {
        let mut reading = LoadReading {
            wall: Seconds(1.25),
            answers: 3,
            cpu: Seconds(0.5),
            busy: Share(0.25),
            checked: Share(0.5),
            reopened: 2,
            retransmits: 9,
            unsent: 11,
            programs: vec![Seconds(1.0)],
            ..LoadReading::default()
        };
        reading.requests = RequestCounts {
            sent: 5,
            valid: 3,
            invalid: 1,
            lost: 1,
        };
        [1_000, 2_000, 3_000_000]
            .iter()
            .for_each(|&nanos| reading.latency.record(nanos));
        GeneratorOutcome {
            reading,
            fault,
            interrupted: false,
        }
    }

    #[test]
    fn parts_add_up() {
        let fault = Fault::new(FaultKind::Wrong, "x".to_owned());
        let parts = [outcome(None), outcome(Some(fault.clone()))];
        let all = join(&parts, u64::max);
        assert_eq!(
            (
                all.reading.requests.sent,
                all.reading.answers,
                all.reading.reopened
            ),
            (10, 6, 4)
        );
        assert_eq!((all.reading.latency.count(), all.reading.retransmits), (6, 9));
        assert_eq!(all.reading.unsent, 22);
        assert_eq!(all.reading.programs, [Seconds(1.0), Seconds(1.0)]);
        assert_eq!(
            (all.reading.checked, all.reading.wall),
            (Share(0.5), Seconds(1.25))
        );
        assert_eq!(all.fault, Some(fault));
        let apart = join(&parts, u64::saturating_add);
        assert_eq!((apart.reading.retransmits, apart.interrupted), (18, false));
    }
}
