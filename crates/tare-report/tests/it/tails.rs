//! Latencies that slices hold too few answers for.

use tare_model::histogram::Histogram;
use tare_model::metric::{Metric, Mode};
use tare_model::results::{State, WorkloadResult};
use tare_report::tails;

use crate::fixture;

/// One contender with this many answers, and with figures for the median and for p90.
fn result(answers: u64, rounds: u32) -> WorkloadResult {
    let mut result = fixture::one_core();
    let mut latency = Histogram::new();
    (0..answers).for_each(|_| latency.record(1000));
    result.contenders.truncate(1);
    let only = &mut result.contenders[0];
    (only.state, only.latency) = (State::Measured, latency);
    only.metrics.remove(&Metric::LatencyP99);
    only.metrics.remove(&Metric::LatencyP999);
    let known = *only.metrics.values().next().expect("the fixture has figures");
    only.metrics.insert(Metric::LatencyP50, known);
    only.metrics.insert(Metric::LatencyP90, known);
    WorkloadResult {
        mode: Mode::Cost,
        rounds,
        ..result
    }
}

#[test]
fn missing_percentiles_are_named_with_the_number_of_answers() {
    let text = tails::sentence(&result(8000, 10)).expect("p99 takes 5000 answers a slice");
    assert!(
        text.contains("has 800 answers")
            && text.contains("4,200 more for p99 latency")
            && text.contains("49,200 more for p99.9 latency")
            && !text.contains("median"),
        "{text}"
    );
}

#[test]
fn with_enough_answers_or_in_other_modes_nothing_is_said() {
    assert_eq!(tails::sentence(&result(100_000, 2)), None);
    let batch = WorkloadResult {
        mode: Mode::Batch,
        ..result(8000, 10)
    };
    assert_eq!(tails::sentence(&batch), None);
}
