//! Two contenders on one metric, and the verdict on them.

use crate::estimate::Estimate;
use crate::ids::ContenderId;
use crate::metric::{Metric, Mode};

/// The verdict on two contenders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// `a` is better than `b` by more than the margin.
    Faster,
    /// `a` is worse than `b` by more than the margin.
    Slower,
    /// The difference is within the margin.
    Equivalent,
    /// The data are not sufficient yet.
    Inconclusive,
}

/// Two contenders on one node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnNode {
    /// The node, as its place in [`RunInfo::nodes`](crate::results::RunInfo::nodes).
    pub node: u32,
    /// a's value over b's.
    pub ratio: f64,
}

/// Two contenders on one metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The contender.
    pub a: ContenderId,
    /// The contender that it is compared with.
    pub b: ContenderId,
    /// How both were driven.
    pub mode: Mode,
    /// The metric.
    pub metric: Metric,
    /// Whether the metric is the primary one, which α is spent on; the others are labelled secondary.
    pub primary: bool,
    /// a's value over b's.
    pub ratio: f64,
    /// Lower end of the ratio's interval.
    pub low: Option<f64>,
    /// Upper end of the ratio's interval.
    pub high: Option<f64>,
    /// Error rate of this comparison.
    pub alpha: f64,
    /// The margin, as a ratio minus one (0.01 for 1%).
    pub margin: f64,
    /// Rounds used.
    pub rounds: u32,
    /// Launches used; of commands, blocks of rounds.
    pub launches: u32,
    /// Whether it rests on blocks of rounds, since there are too few launches for an interval over them.
    pub provisional: bool,
    /// The verdict.
    pub verdict: Verdict,
    /// Predicted number of further launches (of a single launch: rounds) until a verdict; none if there is one, or if none can
    /// be expected.
    pub needed: Option<u32>,
    /// Each launch's centre, as a ratio: the interval is computed from these.
    pub centres: Vec<f64>,
    /// The ratio on each node, where launches of several are taken together; else empty.
    pub by_node: Vec<OnNode>,
    /// The ratio of nets (what is above the floor); none where the baseline's net cannot be distinguished
    /// from zero.
    pub net_ratio: Option<Estimate>,
}

impl Comparison {
    /// Whether [`Self::needed`] counts rounds.
    pub fn in_rounds(&self) -> bool {
        self.provisional && self.launches <= 1
    }
}

impl Verdict {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Equivalent => "equivalent",
            Verdict::Inconclusive => "inconclusive",
        }
    }
}
