//! Benchmarks of two revisions, judged together: what `tare bench` says.

use crate::estimate::Estimate;
use crate::fault::Fault;
use crate::figure::Quantity;
use crate::settings::Many;

/// What the entrant of the earlier side is called.
pub const BEFORE: &str = "before";

/// What the entrant of the later side is called, or of the only one.
pub const AFTER: &str = "after";

/// Benchmarks that were judged together.
#[derive(Debug, Clone, PartialEq)]
pub struct Benchmarks {
    /// What is bounded over all of them.
    pub many: Many,
    /// The bound: a false discovery rate, or a chance.
    pub alpha: f64,
    /// What counts as equivalent, as a ratio minus one (0.01 for 1%).
    pub margin: f64,
    /// The benchmarks, in the order of their listing.
    pub list: Vec<BenchmarkResult>,
    /// What the spread between launches consists of, where layouts were drawn.
    pub layout: Option<LayoutSpread>,
}

/// A benchmark at one revision or two.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchmarkResult {
    /// The harness.
    pub harness: String,
    /// What runs it: a package, a target.
    pub program: String,
    /// Its name; unique in its program.
    pub name: String,
    /// Whether it is judged, and if not, why not.
    pub standing: Standing,
    /// What it measures, the primary quantity first (all of its parts). Empty where there is no sample.
    pub figures: Vec<FigureResult>,
    /// Rounds measured.
    pub rounds: u32,
    /// Launches (blocks of rounds, each with layouts of its own where they are drawn).
    pub launches: u32,
}

/// Whether a benchmark is judged.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// It is.
    Judged,
    /// There is only one revision: it is described.
    Described,
    /// It is only there after the change.
    Added,
    /// It is only there before the change.
    Removed,
    /// Its own sources differ between the sides. It has figures, and these a verdict, only if it was measured nevertheless,
    /// because somebody asked for that.
    Rewritten,
    /// It failed on a side.
    Failed {
        /// Which: `before`, `after`.
        side: String,
        /// How.
        fault: Fault,
    },
}

/// One quantity of a benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureResult {
    /// What was measured.
    pub quantity: Quantity,
    /// Which of several results of the benchmark; empty for the only one.
    pub part: String,
    /// The earlier side.
    pub before: Option<Estimate>,
    /// The later side, or the only one.
    pub after: Option<Estimate>,
    /// After divided by before.
    pub ratio: Option<Estimate>,
    /// Error rate of the ratio's interval: that of a discovery, or of all that is none. 0 of what is counted, which has no
    /// interval.
    pub alpha: f64,
    /// The verdict; none where nothing is judged: one side, or a unit that does not say which way is better.
    pub change: Option<Change>,
    /// Whether figures were printed so coarsely that a difference of the margin cannot be seen: the step as a share of the
    /// figure.
    pub coarse: Option<f64>,
    /// Each launch's ratio: the interval is computed from these.
    pub centres: Vec<f64>,
}

/// The verdict on a figure after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// Worse by more than the margin.
    Worse,
    /// Better by more than the margin.
    Better,
    /// Within the margin.
    Equivalent,
    /// The data are not sufficient yet.
    Inconclusive,
}

/// What the spread of a benchmark's ratio between launches consists of, at the median over benchmarks (standard deviations
/// as shares).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayoutSpread {
    /// Layouts per side that were drawn.
    pub layouts: u32,
    /// Between launches.
    pub between: f64,
    /// What rounds within launches let expect between launches.
    pub within: f64,
    /// The largest part of one benchmark that is layout: what is between launches beyond rounds.
    pub largest: f64,
}

impl Change {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Change::Worse => "worse",
            Change::Better => "better",
            Change::Equivalent => "equivalent",
            Change::Inconclusive => "inconclusive",
        }
    }
}

impl Standing {
    /// The name used in documents.
    pub fn name(&self) -> &'static str {
        match self {
            Standing::Judged => "judged",
            Standing::Described => "described",
            Standing::Added => "added",
            Standing::Removed => "removed",
            Standing::Rewritten => "rewritten",
            Standing::Failed { .. } => "failed",
        }
    }
}

impl FigureResult {
    /// Both ends of the ratio's interval.
    pub fn limits(&self) -> Option<(f64, f64)> {
        let ratio = self.ratio?;
        ratio.low.zip(ratio.high)
    }

    /// The verdict as far as the data support it: what is timed needs an interval, what is counted has none.
    pub fn verdict(&self) -> Option<Change> {
        let supported = self.quantity.counted() || self.limits().is_some();
        self.change
            .map(|change| if supported { change } else { Change::Inconclusive })
    }
}

impl BenchmarkResult {
    /// The figures that it is judged by: its first quantity, all of its parts.
    pub fn primary(&self) -> impl Iterator<Item = &FigureResult> {
        let first = self.figures.first().map(|first| &first.quantity);
        let figures = self.figures.iter();
        figures.filter(move |figure| Some(&figure.quantity) == first)
    }

    /// The verdict on it: of several parts the worst, or if none is worse, the best. None if it is not judged.
    pub fn verdict(&self) -> Option<Change> {
        let verdicts: Vec<Change> = self.primary().filter_map(FigureResult::verdict).collect();
        let order = [
            Change::Worse,
            Change::Better,
            Change::Inconclusive,
            Change::Equivalent,
        ];
        order.into_iter().find(|change| verdicts.contains(change))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(change: Change, limits: Option<(f64, f64)>) -> FigureResult {
        FigureResult {
            quantity: Quantity::Time,
            part: String::new(),
            before: None,
            after: None,
            ratio: Some(Estimate {
                estimate: 1.2,
                low: limits.map(|l| l.0),
                high: limits.map(|l| l.1),
            }),
            alpha: 0.05,
            change: Some(change),
            coarse: None,
            centres: Vec::new(),
        }
    }

    #[test]
    fn a_benchmark_of_several_parts_is_as_its_worst() {
        let sure = Some((1.1, 1.3));
        let mut benchmark = BenchmarkResult {
            harness: "go".into(),
            program: "rank".into(),
            name: "Rank".into(),
            standing: Standing::Judged,
            figures: vec![
                time(Change::Equivalent, sure),
                time(Change::Better, sure),
                FigureResult {
                    quantity: Quantity::Allocations,
                    ..time(Change::Worse, None)
                },
            ],
            rounds: 1,
            launches: 1,
        };
        assert_eq!(benchmark.primary().count(), 2, "allocations are another quantity");
        assert_eq!(benchmark.verdict(), Some(Change::Better));
        benchmark.figures.insert(0, time(Change::Worse, sure));
        assert_eq!(benchmark.verdict(), Some(Change::Worse));
        benchmark.figures.clear();
        assert_eq!(benchmark.verdict(), None);
    }

    #[test]
    fn what_is_timed_needs_an_interval() {
        assert_eq!(time(Change::Worse, None).verdict(), Some(Change::Inconclusive));
        let counted = FigureResult {
            quantity: Quantity::Bytes,
            ..time(Change::Worse, None)
        };
        assert_eq!(counted.verdict(), Some(Change::Worse));
    }
}
