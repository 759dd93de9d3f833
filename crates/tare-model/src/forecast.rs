//! What a run is expected to do, before it starts.

use crate::fault::Fault;
use crate::metric::Mode;
use crate::units::Seconds;

/// What a run is expected to do if nothing is decided early.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// The longest that it may measure; none: until decided.
    pub budget: Option<Seconds>,
    /// Its groups, in the order in which they are begun.
    pub groups: Vec<GroupForecast>,
    /// The budget that would hold all groups; none where this one does, or without a budget.
    pub enough: Option<Seconds>,
}

/// What is expected of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupForecast {
    /// The workload's name.
    pub workload: String,
    /// The case.
    pub case: String,
    /// The number of sizes, where the case is swept.
    pub sizes: Option<usize>,
    /// Whether contenders time their own loops.
    pub in_process: bool,
    /// How many contenders take part.
    pub contenders: usize,
    /// How many launches fit; none: as many as it takes. Zero: it is not begun.
    pub launches: Option<u32>,
    /// The least number of launches that an interval rests on.
    pub least: u32,
    /// How long one takes.
    pub launch: Seconds,
    /// The time that it needs for as many launches as are aimed at.
    pub needs: Seconds,
    /// The time without which it has no interval.
    pub needs_at_least: Seconds,
    /// The number of stored runs that its lengths and spreads are known from; none: from the plan, and typical ones.
    pub stored: Option<u32>,
    /// What is expected of each mode.
    pub modes: Vec<ModeForecast>,
}

/// What is expected of a mode of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModeForecast {
    /// The mode.
    pub mode: Mode,
    /// The standard deviation of a pair's log ratio from launch to launch (of a lone contender: of its figure).
    pub spread: f64,
    /// Whether that is a typical one, not known from stored runs.
    pub typical: bool,
    /// How far the interval of a pair (of a lone contender: of its figure) is expected to reach to each side, as a share; none
    /// with too few launches.
    pub half_width: Option<f64>,
}

/// What passes over benchmarks are expected to do if nothing is decided early.
#[derive(Debug, Clone, PartialEq)]
pub struct PassesForecast {
    /// The longest that it may measure; none: until decided.
    pub budget: Option<Seconds>,
    /// Whether two sides are compared; else one is described.
    pub compared: bool,
    /// In the order in which they are listed.
    pub benchmarks: Vec<BenchmarkForecast>,
    /// What the round of each takes that shows how long it is.
    pub first: Seconds,
    /// Rounds of a launch.
    pub rounds: u32,
    /// How long a pass takes: a launch of each.
    pub pass: Seconds,
    /// How many whole passes fit; none: as many as it takes.
    pub passes: Option<u32>,
    /// The budget that holds all; none where this one does, or without a budget.
    pub enough: Option<Seconds>,
}

/// What is expected of a benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchmarkForecast {
    /// What runs it.
    pub program: String,
    /// Its name.
    pub name: String,
    /// What a round of it took; none: it was not tried.
    pub round: Option<Seconds>,
    /// Whether it is measured.
    pub planned: Planned,
}

/// Whether a benchmark is measured.
#[derive(Debug, Clone, PartialEq)]
pub enum Planned {
    /// It is.
    Measured,
    /// The budget does not hold it.
    LeftOut,
    /// One of its sides is not there, or fails: which, and why.
    Not {
        /// The side.
        side: String,
        /// Why.
        fault: Fault,
    },
}
