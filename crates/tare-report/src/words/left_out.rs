//! Cases that a budget did not hold, in words.

use tare_model::results::{NotMeasured, WhyNot};
use tare_model::units::Seconds;

use super::number::{counted, list};

/// A budget as it is typed, rounded up: `40s`, `14m`, `2h`.
pub fn budget(time: Seconds) -> String {
    match time.0 {
        short if short <= 90.0 => format!("{:.0}s", (short / 10.0).ceil() * 10.0),
        middle if middle <= 6000.0 => format!("{:.0}m", (middle / 60.0).ceil()),
        long => format!("{:.0}h", (long / 3600.0).ceil()),
    }
}

/// How to measure the cases (`http/db`) that a budget held too few launches of.
pub fn left_out(cases: &[String], enough: Seconds) -> String {
    format!(
        "the budget holds too few launches of {}: `tare run {} --budget {}`, with this run's other options, measures {}",
        list(cases),
        cases.join(" "),
        budget(enough),
        if cases.len() == 1 { "it" } else { "them" }
    )
}

/// How to measure the benchmarks (by their names) that a budget held too few passes over.
pub fn benchmarks_left_out(names: &[String], enough: Seconds) -> String {
    const NAMED: usize = 3;
    let named = match names.len() {
        more if more > NAMED => format!("{} and {} more", names[..NAMED].join(", "), more - NAMED),
        _ => list(names),
    };
    format!(
        "the budget holds too few passes over {}: {named}; a further run with `--budget {}` measures them",
        counted(names.len() as u64, "benchmark"),
        budget(enough)
    )
}

/// Which cases were not begun, and why: a sentence for each reason.
pub fn not_measured(cases: &[NotMeasured]) -> Vec<String> {
    let of = |why: WhyNot| {
        let mine = cases.iter().filter(|one| one.why == why);
        let names: Vec<String> = mine.map(|one| format!("{}/{}", one.workload, one.case)).collect();
        let because = match why {
            WhyNot::Budget => "budget",
            WhyNot::Unfinished => "the run was not finished",
        };
        (!names.is_empty()).then(|| format!("Not measured: {} ({because}).", list(&names)))
    };
    [WhyNot::Budget, WhyNot::Unfinished]
        .into_iter()
        .filter_map(of)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_benchmarks_some_are_named() {
        let names: Vec<String> = (1..=5).map(|k| format!("rank Benchmark{k}")).collect();
        assert_eq!(
            benchmarks_left_out(&names, Seconds(700.0)),
            "the budget holds too few passes over 5 benchmarks: rank Benchmark1, rank Benchmark2, rank Benchmark3 and 2 \
             more; a further run with `--budget 12m` measures them"
        );
    }

    #[test]
    fn a_budget_is_rounded_up_and_can_be_typed() {
        let of = |seconds| budget(Seconds(seconds));
        assert_eq!([of(31.0), of(90.0), of(91.0)], ["40s", "90s", "2m"]);
        assert_eq!([of(840.0), of(841.0), of(6001.0)], ["14m", "15m", "2h"]);
    }
}
