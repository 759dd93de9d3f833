//! Cost as a function of size, as the document has it.

use serde::Serialize;
use tare_model::results::Estimate;
use tare_model::sweep as model;

/// A case over its sizes.
#[derive(Debug, Clone, Serialize)]
pub struct Sweep {
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
    /// What the others are compared with.
    pub baseline: Option<String>,
    /// Chance of a false statement on a contender's line.
    pub alpha: f64,
    /// Chance that who is cheaper at the measured sizes is told falsely, of all pairs at all sizes together.
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
    pub pairs: Vec<Pair>,
}

/// A figure and its interval, in seconds (of departures: a share).
#[derive(Debug, Clone, Serialize)]
pub struct Value {
    /// The figure.
    pub estimate: f64,
    /// The interval's lower end.
    pub low: Option<f64>,
    /// The interval's upper end.
    pub high: Option<f64>,
}

/// A figure at a size.
#[derive(Debug, Clone, Serialize)]
pub struct At {
    /// The size.
    pub size: f64,
    /// The figure.
    #[serde(flatten)]
    pub value: Value,
}

/// A contender's costs.
#[derive(Debug, Clone, Serialize)]
pub struct Costs {
    /// Which.
    pub contender: String,
    /// Its cost at each size.
    pub costs: Vec<At>,
    /// `holds`, `open`, `bent` or `untested`.
    pub linear: &'static str,
    /// Its line; null where cost is none or was not tested.
    pub line: Option<Line>,
    /// The departures that refute a line; the largest departure of one that stands.
    pub departures: Vec<At>,
}

/// cost = fixed + `per_unit` · size.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// The cost at size 0.
    pub fixed: Value,
    /// What each unit of size adds.
    pub per_unit: Value,
}

/// A contender against the baseline: differences are `a`'s cost minus `b`'s.
#[derive(Debug, Clone, Serialize)]
pub struct Pair {
    /// The contender.
    pub a: String,
    /// The baseline.
    pub b: String,
    /// Chance of a false statement at any one size.
    pub alpha: f64,
    /// What it costs more at each measured size.
    pub extra: Vec<At>,
    /// Which surely is the cheaper at each of these sizes, by the ratio measured there: `a`, `b`, or null.
    pub cheaper: Vec<Option<&'static str>>,
    /// Neighbours among the sizes at which one surely is, where it is not the same one: between them they break even.
    pub turns: Vec<Turn>,
    /// The difference of the lines; null where one of them is missing.
    pub line: Option<Line>,
    /// Where the lines cross; null if at no size of 0 or more.
    pub crossing: Option<f64>,
    /// The sizes at which neither surely is the cheaper; null where that cannot be told.
    pub break_even: Option<BreakEven>,
    /// From which duration of a request on an extra cost is less than a share of it.
    pub affordable: Vec<Affordable>,
}

/// Two measured sizes between which the cheaper one changes.
#[derive(Debug, Clone, Serialize)]
pub struct Turn {
    /// The lesser.
    pub low: f64,
    /// The larger.
    pub high: f64,
    /// `a` or `b`: which is cheaper at the lesser.
    pub below: &'static str,
}

/// A set of sizes. What is not part of its shape is null.
#[derive(Debug, Clone, Serialize)]
pub struct BreakEven {
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

/// When an extra cost may be afforded.
#[derive(Debug, Clone, Serialize)]
pub struct Affordable {
    /// The size that the extra cost is that of; null: the fixed part of the lines' difference.
    pub size: Option<u64>,
    /// The extra cost.
    pub extra: Value,
    /// Durations by share.
    pub from: Vec<Duration>,
}

/// The duration from which on an extra cost is at most a share of it.
#[derive(Debug, Clone, Serialize)]
pub struct Duration {
    /// The share, 0 to 1.
    pub share: f64,
    /// The duration, in seconds.
    #[serde(flatten)]
    pub duration: Value,
}

impl From<&Estimate> for Value {
    fn from(estimate: &Estimate) -> Self {
        Self {
            estimate: estimate.estimate,
            low: estimate.low,
            high: estimate.high,
        }
    }
}

impl From<&model::AtSize> for At {
    fn from(at: &model::AtSize) -> Self {
        Self {
            size: at.size,
            value: Value::from(&at.figure),
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
            pairs: sweep.pairs.iter().map(Pair::from).collect(),
        }
    }
}

impl From<&model::SizeCosts> for Costs {
    fn from(costs: &model::SizeCosts) -> Self {
        let (linear, departures) = match &costs.line {
            Ok(line) if line.holds => ("holds", vec![At::from(&line.departure)]),
            Ok(line) => ("open", vec![At::from(&line.departure)]),
            Err(model::NoLine::Bent { departures }) => ("bent", departures.iter().map(At::from).collect()),
            Err(_) => ("untested", Vec::new()),
        };
        Self {
            contender: costs.id.to_string(),
            costs: costs.points.iter().map(At::from).collect(),
            linear,
            line: costs.line.as_ref().ok().map(|line| Line {
                fixed: Value::from(&line.fixed),
                per_unit: Value::from(&line.per_unit),
            }),
            departures,
        }
    }
}

impl From<&model::SizePair> for Pair {
    fn from(pair: &model::SizePair) -> Self {
        let lines = pair.lines.as_ref();
        Self {
            a: pair.a.to_string(),
            b: pair.b.to_string(),
            alpha: pair.alpha,
            extra: pair.extra.iter().map(At::from).collect(),
            cheaper: pair
                .cheaper
                .iter()
                .map(|told| told.map(model::Cheaper::name))
                .collect(),
            turns: pair.turns().iter().map(Turn::from).collect(),
            line: lines.map(|lines| Line {
                fixed: Value::from(&lines.fixed),
                per_unit: Value::from(&lines.per_unit),
            }),
            crossing: lines.and_then(|lines| lines.crossing),
            break_even: lines
                .and_then(|lines| lines.break_even.as_ref())
                .map(BreakEven::from),
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

impl From<&model::BreakEven> for BreakEven {
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
        let from = |(share, duration): &(f64, Estimate)| Duration {
            share: *share,
            duration: Value::from(duration),
        };
        Self {
            size: match row.of {
                model::ExtraOf::Fixed => None,
                model::ExtraOf::Size(size) => Some(size),
            },
            extra: Value::from(&row.extra),
            from: row.from.iter().map(from).collect(),
        }
    }
}
