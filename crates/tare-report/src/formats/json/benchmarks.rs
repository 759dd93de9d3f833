//! Benchmarks that were judged together, as the document has them.

use serde::Serialize;
use tare_model::benchmark as model;
use tare_model::benchmark::Standing;
use tare_model::figure::Better;
use tare_model::settings::Many;

use super::figure::Range;

/// Benchmarks that were judged together.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Benchmarks {
    /// What `alpha` bounds: `discoveries` (a false discovery rate) or `family` (the chance of any false verdict).
    bounds: &'static str,
    /// The bound.
    alpha: f64,
    /// What counts as equivalent, as a ratio minus one.
    margin: f64,
    /// The benchmarks, in the order of their listing.
    list: Vec<Benchmark>,
    /// What the spread between launches consists of; null where layouts were not drawn.
    layout: Option<Layout>,
}

/// A benchmark.
#[derive(Debug, Clone, Serialize)]
struct Benchmark {
    harness: String,
    program: String,
    name: String,
    /// `judged`, `described`, `added`, `removed`, `rewritten` or `failed`.
    standing: &'static str,
    /// The side that failed, and how; absent where none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<Failed>,
    rounds: u32,
    launches: u32,
    /// What it measures, the first quantity is what it is judged by.
    figures: Vec<Figure>,
}

/// How a benchmark failed.
#[derive(Debug, Clone, Serialize)]
struct Failed {
    side: String,
    kind: &'static str,
    detail: String,
}

/// One quantity of a benchmark.
#[derive(Debug, Clone, Serialize)]
struct Figure {
    /// `time`, `throughput`, `bytes`, `allocations` or `custom`.
    quantity: &'static str,
    /// `s`, `B`, an empty text for counts; of a throughput what is counted a second; of a custom quantity its own.
    unit: String,
    /// Which of several results of the benchmark; empty for the only one.
    part: String,
    /// `less` or `more`; null if the unit does not say.
    better: Option<&'static str>,
    before: Option<Range>,
    after: Option<Range>,
    /// After divided by before.
    ratio: Option<Range>,
    /// Error rate of the ratio's interval.
    alpha: f64,
    /// `worse`, `better`, `equivalent` or `inconclusive`; null where nothing is judged.
    verdict: Option<&'static str>,
    /// How coarsely the harness printed it, as a share; null if that does not matter.
    coarse: Option<f64>,
    /// Each launch's ratio.
    centres: Vec<f64>,
}

/// What the spread between launches consists of, as shares.
#[derive(Debug, Clone, Serialize)]
struct Layout {
    layouts: u32,
    between: f64,
    within: f64,
    largest: f64,
}

impl From<&model::Benchmarks> for Benchmarks {
    fn from(found: &model::Benchmarks) -> Self {
        Self {
            bounds: match found.many {
                Many::Discoveries => "discoveries",
                Many::Family => "family",
            },
            alpha: found.alpha,
            margin: found.margin,
            list: found.list.iter().map(Benchmark::from).collect(),
            layout: found.layout.map(|spread| Layout {
                layouts: spread.layouts,
                between: spread.between,
                within: spread.within,
                largest: spread.largest,
            }),
        }
    }
}

impl From<&model::BenchmarkResult> for Benchmark {
    fn from(one: &model::BenchmarkResult) -> Self {
        Self {
            harness: one.harness.clone(),
            program: one.program.clone(),
            name: one.name.clone(),
            standing: one.standing.name(),
            fault: match &one.standing {
                Standing::Failed { side, fault } => Some(Failed {
                    side: side.clone(),
                    kind: fault.kind.name(),
                    detail: fault.detail.clone(),
                }),
                _ => None,
            },
            rounds: one.rounds,
            launches: one.launches,
            figures: one.figures.iter().map(Figure::from).collect(),
        }
    }
}

impl From<&model::FigureResult> for Figure {
    fn from(figure: &model::FigureResult) -> Self {
        Self {
            quantity: figure.quantity.name(),
            unit: figure.quantity.unit().to_owned(),
            part: figure.part.clone(),
            better: figure.quantity.better().map(|better| match better {
                Better::Less => "less",
                Better::More => "more",
            }),
            before: figure.before.as_ref().map(Range::from),
            after: figure.after.as_ref().map(Range::from),
            // JSON has no number for a change from nothing.
            ratio: figure
                .ratio
                .filter(|ratio| ratio.estimate.is_finite())
                .as_ref()
                .map(Range::from),
            alpha: figure.alpha,
            verdict: figure.verdict().map(model::Change::name),
            coarse: figure.coarse,
            centres: figure.centres.clone(),
        }
    }
}
