//! Progress of passes over benchmarks: how many are decided, how many are open, how much time is left.

use tare_lab::sink::Done;
use tare_model::benchmark::{BenchmarkResult, Change};
use tare_report::words::{counted, grouped, list};

/// The first round of a benchmark, which shows how long one takes.
pub(super) fn tried(name: &str) -> String {
    format!("first round: {name}")
}

/// A pass begins.
pub(super) fn began(pass: u32, open: usize, rounds: u32) -> String {
    format!(
        "pass {pass}: {}, {} each",
        counted(open as u64, "benchmark"),
        counted(u64::from(rounds), "round")
    )
}

/// How benchmarks stand after a pass: `2 slower, 1 faster, 34 equivalent, 64 open`, and at the end why it is the end.
pub(super) fn standing(results: &[Option<BenchmarkResult>], done: &[Option<Done>]) -> String {
    let verdicts: Vec<Change> = results
        .iter()
        .flatten()
        .filter_map(BenchmarkResult::verdict)
        .collect();
    let count = |change: Change| verdicts.iter().filter(|verdict| **verdict == change).count();
    let open = done.iter().filter(|done| done.is_none()).count();
    let parts = [
        (count(Change::Worse), "slower"),
        (count(Change::Better), "faster"),
        (count(Change::Equivalent), "equivalent"),
        (open, "open"),
    ];
    let some = parts.into_iter().filter(|(count, _)| *count > 0);
    let mut texts: Vec<String> = some
        .map(|(count, word)| format!("{} {word}", grouped(count as u64)))
        .collect();
    if open == 0 {
        texts.push(why(done));
    }
    texts.join(", ")
}

/// Why the benchmarks are done with.
fn why(done: &[Option<Done>]) -> String {
    let reasons = [
        (Done::Interrupted, "interrupted"),
        (Done::Budget, "the budget holds no further pass"),
        (Done::Launches, "all requested layouts are measured"),
        (
            Done::LeftOut,
            "some are not measured: the budget does not hold them",
        ),
    ];
    let found = reasons.iter().filter(|(reason, _)| done.contains(&Some(*reason)));
    let texts: Vec<String> = found.map(|(_, text)| (*text).to_owned()).collect();
    if texts.is_empty() {
        "every question is answered".to_owned()
    } else {
        list(&texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_with_the_reason_for_the_end() {
        assert_eq!(standing(&[], &[None, None]), "2 open");
        assert_eq!(standing(&[], &[None, Some(Done::Decided)]), "1 open");
        let ended = [Some(Done::Budget), Some(Done::Decided), Some(Done::LeftOut)];
        assert_eq!(
            standing(&[], &ended),
            "the budget holds no further pass and some are not measured: the budget does not hold them"
        );
        assert_eq!(
            standing(&[], &[Some(Done::Decided)]),
            "every question is answered"
        );
    }
}
