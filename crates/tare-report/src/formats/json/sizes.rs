//! Cost as a function of size, as the document has it.

use serde::Serialize;
use tare_model::estimate::Estimate;
use tare_model::sweep as model;

use super::figure::Range;

/// A case over its sizes.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Sweep {
    /// The workload.
    pub workload: String,
    /// The case.
    pub case: String,
    /// `capacity`, `cost` or `batch`.
    pub mode: &'static str,
    /// What the size counts: `bytes`.
    pub name: String,
    /// The sizes, rising.
    pub sizes: Vec<u64>,
    /// The cost that is a function of size, in seconds.
    pub metric: &'static str,
    /// Whether α was spent on that metric.
    pub primary: bool,
    /// The contender that the others are compared with.
    pub baseline: Option<String>,
    /// Chance of a false statement on a contender's line.
    pub alpha: f64,
    /// Chance of any false statement on which is cheaper at a measured size, over all pairs and sizes.
    pub alpha_at_sizes: f64,
    /// Rounds at each size.
    pub rounds: u32,
    /// Launches used.
    pub launches: u32,
    /// From blocks of rounds of one launch.
    pub provisional: bool,
    /// The contenders with figures at every size.
    pub contenders: Vec<Costs>,
    /// Each of them against the baseline.
    pub pairs: Vec<AgainstBaseline>,
}

/// A figure at a size.
#[derive(Debug, Clone, Serialize)]
pub(super) struct FigureAtSize {
    /// The size.
    pub size: f64,
    /// The figure.
    #[serde(flatten)]
    pub value: Range,
}

/// A contender's costs.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Costs {
    /// Which.
    pub contender: String,
    /// Its cost at each size.
    pub costs: Vec<FigureAtSize>,
    /// `holds`, `open`, `bent` or `untested`.
    pub linear: &'static str,
    /// Its line; null if cost is not a line or was not tested.
    pub line: Option<Line>,
    /// The departures that refute a line, or the largest departure from one that is not refuted.
    pub departures: Vec<FigureAtSize>,
}

/// cost = fixed + `per_unit` · size.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Line {
    /// The cost at size 0.
    pub fixed: Range,
    /// What each unit of size adds.
    pub per_unit: Range,
}

/// A contender against the baseline: differences are `a`'s cost minus `b`'s.
#[derive(Debug, Clone, Serialize)]
pub(super) struct AgainstBaseline {
    /// The contender.
    pub a: String,
    /// The baseline.
    pub b: String,
    /// Chance of a false statement at any one size.
    pub alpha: f64,
    /// What it costs more at each measured size.
    pub extra: Vec<FigureAtSize>,
    /// Which is shown to be cheaper at each of these sizes, by the ratio measured there: `a`, `b`, or null.
    pub cheaper: Vec<Option<&'static str>>,
    /// Neighbouring sizes at which a different one is shown to be cheaper: between them the two break even.
    pub turns: Vec<Turn>,
    /// The difference of the lines; null if one of them is missing.
    pub line: Option<Line>,
    /// Where the lines cross; null if at no size of 0 or more.
    pub crossing: Option<f64>,
    /// The sizes at which neither is shown to be cheaper; null if that is not known.
    pub break_even: Option<BreakEvenSet>,
    /// From which duration of a request on an extra cost is less than a share of it.
    pub affordable: Vec<Affordable>,
}

/// Two measured sizes between which the cheaper one changes.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Turn {
    /// The smaller size.
    pub low: f64,
    /// The larger size.
    pub high: f64,
    /// `a` or `b`: which is cheaper at the smaller size.
    pub below: &'static str,
}

/// A set of sizes. What is not part of its shape is null.
#[derive(Debug, Clone, Serialize)]
pub(super) struct BreakEvenSet {
    /// `nowhere`, `between`, `up-to`, `from`, `outside` or `everywhere`.
    pub shape: &'static str,
    /// Its lower end (of `outside`: the gap's).
    pub low: Option<f64>,
    /// Its upper end (likewise).
    pub high: Option<f64>,
    /// `a` or `b`: which is cheaper below `low` (`between`, `from`), within the gap (`outside`), at every size
    /// (`nowhere`), or above `high` (`up-to`).
    pub cheaper: Option<&'static str>,
}

/// When an extra cost is affordable.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Affordable {
    /// The size of the extra cost; null: it is the fixed part of the lines' difference.
    pub size: Option<u64>,
    /// The extra cost.
    pub extra: Range,
    /// Durations by share.
    pub from: Vec<AffordableFrom>,
}

/// The duration from which on an extra cost is at most a share of it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct AffordableFrom {
    /// The share, 0 to 1.
    pub share: f64,
    /// The duration, in seconds.
    #[serde(flatten)]
    pub duration: Range,
}

impl From<&model::AtSize> for FigureAtSize {
    fn from(at: &model::AtSize) -> Self {
        Self {
            size: at.size,
            value: Range::from(&at.figure),
        }
    }
}

impl From<&model::SweepResult> for Sweep {
    fn from(sweep: &model::SweepResult) -> Self {
        Self {
            workload: sweep.workload.clone(),
            case: sweep.case.clone(),
            mode: sweep.mode.name(),
            name: sweep.name.clone(),
            sizes: sweep.sizes.clone(),
            metric: sweep.metric.name(),
            primary: sweep.primary,
            baseline: sweep.baseline.as_ref().map(ToString::to_string),
            alpha: sweep.alpha,
            alpha_at_sizes: sweep.alpha_at_sizes(),
            rounds: sweep.rounds,
            launches: sweep.launches,
            provisional: sweep.provisional,
            contenders: sweep.contenders.iter().map(Costs::from).collect(),
            pairs: sweep.pairs.iter().map(AgainstBaseline::from).collect(),
        }
    }
}

impl From<&model::SizeCosts> for Costs {
    fn from(costs: &model::SizeCosts) -> Self {
        let (linear, departures) = match &costs.line {
            Ok(line) if line.holds => ("holds", vec![FigureAtSize::from(&line.departure)]),
            Ok(line) => ("open", vec![FigureAtSize::from(&line.departure)]),
            Err(model::NoLine::Bent { departures }) => {
                ("bent", departures.iter().map(FigureAtSize::from).collect())
            }
            Err(_) => ("untested", Vec::new()),
        };
        Self {
            contender: costs.id.to_string(),
            costs: costs.points.iter().map(FigureAtSize::from).collect(),
            linear,
            line: costs.line.as_ref().ok().map(|line| Line {
                fixed: Range::from(&line.fixed),
                per_unit: Range::from(&line.per_unit),
            }),
            departures,
        }
    }
}

impl From<&model::SizePair> for AgainstBaseline {
    fn from(pair: &model::SizePair) -> Self {
        let lines = pair.lines.as_ref();
        Self {
            a: pair.a.to_string(),
            b: pair.b.to_string(),
            alpha: pair.alpha,
            extra: pair.extra.iter().map(FigureAtSize::from).collect(),
            cheaper: pair
                .cheaper
                .iter()
                .map(|side| side.map(model::Cheaper::name))
                .collect(),
            turns: pair.turns().iter().map(Turn::from).collect(),
            line: lines.map(|lines| Line {
                fixed: Range::from(&lines.fixed),
                per_unit: Range::from(&lines.per_unit),
            }),
            crossing: lines.and_then(|lines| lines.crossing),
            break_even: lines
                .and_then(|lines| lines.break_even.as_ref())
                .map(BreakEvenSet::from),
            affordable: pair.affordable.iter().map(Affordable::from).collect(),
        }
    }
}

impl From<&model::Turn> for Turn {
    fn from(turn: &model::Turn) -> Self {
        Self {
            low: turn.low,
            high: turn.high,
            below: turn.below.name(),
        }
    }
}

impl From<&model::BreakEven> for BreakEvenSet {
    fn from(set: &model::BreakEven) -> Self {
        let (low, high, cheaper) = match *set {
            model::BreakEven::Nowhere { cheaper } => (None, None, Some(cheaper)),
            model::BreakEven::Between { low, high, below } => (Some(low), Some(high), Some(below)),
            model::BreakEven::UpTo { high, above } => (None, Some(high), Some(above)),
            model::BreakEven::From { low, below } => (Some(low), None, Some(below)),
            model::BreakEven::Outside { low, high, within } => (Some(low), Some(high), Some(within)),
            model::BreakEven::Everywhere => (None, None, None),
        };
        Self {
            shape: set.name(),
            low,
            high,
            cheaper: cheaper.map(model::Cheaper::name),
        }
    }
}

impl From<&model::Affordable> for Affordable {
    fn from(row: &model::Affordable) -> Self {
        let from = |(share, duration): &(f64, Estimate)| AffordableFrom {
            share: *share,
            duration: Range::from(duration),
        };
        Self {
            size: match row.of {
                model::ExtraOf::Fixed => None,
                model::ExtraOf::Size(size) => Some(size),
            },
            extra: Range::from(&row.extra),
            from: row.from.iter().map(from).collect(),
        }
    }
}
