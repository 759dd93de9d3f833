//! Cost as a function of size, for a case measured at several sizes. Part of `Results`; computed from slices, never
//! stored.

use crate::estimate::Estimate;
use crate::ids::ContenderId;
use crate::metric::{Metric, Mode};
use crate::placement::Placement;

/// A case in one mode, over all its sizes. The verdicts at each size are entries of their own.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepResult {
    /// The workload's name.
    pub workload: String,
    /// The case.
    pub case: String,
    /// How it was driven.
    pub mode: Mode,
    /// What is counted, in the plural: `bytes`, `fields`, `rows`.
    pub name: String,
    /// The sizes, rising.
    pub sizes: Vec<u64>,
    /// The cost metric.
    pub metric: Metric,
    /// Whether it is the primary metric, which α is spent on.
    pub primary: bool,
    /// The contender that the others are compared with.
    pub baseline: Option<ContenderId>,
    /// Cores of contender and load.
    pub placement: Placement,
    /// Error rate of the statements on one contender's line; each pair has its own.
    pub alpha: f64,
    /// Rounds measured at each size (the least of them), over all launches.
    pub rounds: u32,
    /// Launches measured.
    pub launches: u32,
    /// Whether it rests on blocks of rounds of a single launch.
    pub provisional: bool,
    /// The contenders with figures at every size, in the order of the run.
    pub contenders: Vec<SizeCosts>,
    /// Each of them against the baseline.
    pub pairs: Vec<SizePair>,
}

/// A figure at a size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AtSize {
    /// The size.
    pub size: f64,
    /// The figure.
    pub figure: Estimate,
}

/// One contender's costs over sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct SizeCosts {
    /// Which.
    pub id: ContenderId,
    /// Its cost at each size.
    pub points: Vec<AtSize>,
    /// The line through them, or why there is none.
    pub line: Result<SizeLine, NoLine>,
}

/// cost = fixed + per unit · size.
#[derive(Debug, Clone, PartialEq)]
pub struct SizeLine {
    /// The cost at size 0.
    pub fixed: Estimate,
    /// Cost per unit of size.
    pub per_unit: Estimate,
    /// The line with its intervals, at rising sizes from the smallest to the largest.
    pub curve: Vec<AtSize>,
    /// The size whose cost departs most from the line, and the departure as a share (0.02: 2% above).
    pub departure: AtSize,
    /// Whether every size is shown to lie within 5% of the line; if not, none is shown to lie beyond.
    pub holds: bool,
}

/// Why there is no line.
#[derive(Debug, Clone, PartialEq)]
pub enum NoLine {
    /// Too few sizes to test whether cost is linear.
    FewSizes {
        /// How many there are.
        found: u32,
        /// How many are needed.
        needed: u32,
    },
    /// Too few launches to test whether cost is linear.
    FewLaunches {
        /// How many there are.
        found: u32,
        /// How many are needed.
        needed: u32,
    },
    /// A single launch, with too few rounds at each size for blocks of rounds to replace launches.
    FewRounds {
        /// How many there are.
        found: u32,
        /// How many are needed.
        needed: u32,
    },
    /// Cost is shown not to be linear: at these sizes it departs by more than 5% from the best line.
    Bent {
        /// Those sizes, with the departure of the cost as a share.
        departures: Vec<AtSize>,
    },
}

/// A contender against the baseline, over sizes: differences are its cost minus the baseline's.
#[derive(Debug, Clone, PartialEq)]
pub struct SizePair {
    /// The contender.
    pub a: ContenderId,
    /// The baseline.
    pub b: ContenderId,
    /// Error rate of the statements on the pair at any one size.
    pub alpha: f64,
    /// The extra cost at each measured size, without a line through the sizes.
    pub extra: Vec<AtSize>,
    /// Which of the two is shown to be cheaper at each of these sizes, by their ratio: a launch in which the whole machine
    /// is slow blurs a difference in seconds, but not a ratio.
    pub cheaper: Vec<Option<Cheaper>>,
    /// The difference of their lines, where both have one.
    pub lines: Option<LineDifference>,
    /// The durations of a request from which on the extra cost is affordable.
    pub affordable: Vec<Affordable>,
}

/// Two measured sizes between which the cheaper of a pair changes: it is shown at both, and at no measured size in
/// between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// The smaller size.
    pub low: f64,
    /// The larger size.
    pub high: f64,
    /// The cheaper at the smaller size; at the larger size it is the other.
    pub below: Cheaper,
}

/// The difference of two lines.
#[derive(Debug, Clone, PartialEq)]
pub struct LineDifference {
    /// At size 0.
    pub fixed: Estimate,
    /// Cost per unit of size.
    pub per_unit: Estimate,
    /// The size at which the lines cross, if 0 or more.
    pub crossing: Option<f64>,
    /// The sizes at which neither is shown to be cheaper; none with too few launches.
    pub break_even: Option<BreakEven>,
}

/// Which of a pair costs less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cheaper {
    /// The contender.
    A,
    /// The baseline.
    B,
}

/// The sizes (of 0 and more) at which neither of a pair is shown to be cheaper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BreakEven {
    /// None: one is cheaper at every size.
    Nowhere {
        /// Which.
        cheaper: Cheaper,
    },
    /// From `low` to `high`; below, one is cheaper, above, the other.
    Between {
        /// The least.
        low: f64,
        /// The largest.
        high: f64,
        /// Which is cheaper below.
        below: Cheaper,
    },
    /// Up to `high`; above, one is cheaper.
    UpTo {
        /// The largest.
        high: f64,
        /// Which is cheaper above.
        above: Cheaper,
    },
    /// From `low` on, without an end; below, one is cheaper.
    From {
        /// The least.
        low: f64,
        /// Which is cheaper below.
        below: Cheaper,
    },
    /// All but those from `low` to `high`, where one is cheaper.
    Outside {
        /// Where it begins to be cheaper.
        low: f64,
        /// Where it ceases to be cheaper.
        high: f64,
        /// Which is cheaper between them.
        within: Cheaper,
    },
    /// All sizes: neither is shown to be cheaper anywhere.
    Everywhere,
}

/// What an extra cost refers to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ExtraOf {
    /// The fixed part of the lines' difference.
    Fixed,
    /// The difference of the costs at a measured size.
    Size(u64),
}

/// The durations of a request from which on an extra cost is at most a given share of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Affordable {
    /// What the extra cost refers to.
    pub of: ExtraOf,
    /// The extra cost, in seconds.
    pub extra: Estimate,
    /// For each share, falling, the duration in seconds; from its upper end on, the cost is shown to be affordable.
    pub from: Vec<(f64, Estimate)>,
}

impl Cheaper {
    /// The other of the two.
    pub fn other(self) -> Self {
        match self {
            Cheaper::A => Cheaper::B,
            Cheaper::B => Cheaper::A,
        }
    }

    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Cheaper::A => "a",
            Cheaper::B => "b",
        }
    }
}

impl SizePair {
    /// The changes of the cheaper one at the measured sizes alone, rising: a break-even without a line through them.
    pub fn turns(&self) -> Vec<Turn> {
        let sizes = self.extra.iter().zip(&self.cheaper);
        let known: Vec<(f64, Cheaper)> = sizes
            .filter_map(|(at, cheaper)| Some((at.size, (*cheaper)?)))
            .collect();
        let pairs = known.windows(2).filter(|pair| pair[0].1 != pair[1].1);
        pairs
            .map(|pair| Turn {
                low: pair[0].0,
                high: pair[1].0,
                below: pair[0].1,
            })
            .collect()
    }

    /// The one that is shown to be cheaper at every measured size, if there is one.
    pub fn cheaper_throughout(&self) -> Option<Cheaper> {
        let first = (*self.cheaper.first()?)?;
        let alike = self.cheaper.iter().all(|cheaper| *cheaper == Some(first));
        alike.then_some(first)
    }
}

impl BreakEven {
    /// Which is shown to be cheaper at a size; none where neither is.
    pub fn cheaper_at(&self, size: f64) -> Option<Cheaper> {
        match *self {
            BreakEven::Nowhere { cheaper } => Some(cheaper),
            BreakEven::Between { low, below, .. } if size < low => Some(below),
            BreakEven::Between { high, below, .. } => (size > high).then_some(below.other()),
            BreakEven::UpTo { high, above } => (size > high).then_some(above),
            BreakEven::From { low, below } => (size < low).then_some(below),
            BreakEven::Outside { low, high, within } => (low < size && size < high).then_some(within),
            BreakEven::Everywhere => None,
        }
    }

    /// The sizes at which it changes, rising.
    pub fn ends(&self) -> Vec<f64> {
        match *self {
            BreakEven::Nowhere { .. } | BreakEven::Everywhere => Vec::new(),
            BreakEven::Between { low, high, .. } | BreakEven::Outside { low, high, .. } => vec![low, high],
            BreakEven::UpTo { high, .. } => vec![high],
            BreakEven::From { low, .. } => vec![low],
        }
    }

    /// The name of its shape in documents.
    pub fn name(&self) -> &'static str {
        match self {
            BreakEven::Nowhere { .. } => "nowhere",
            BreakEven::Between { .. } => "between",
            BreakEven::UpTo { .. } => "up-to",
            BreakEven::From { .. } => "from",
            BreakEven::Outside { .. } => "outside",
            BreakEven::Everywhere => "everywhere",
        }
    }
}

/// What a size counts, in the singular: `byte` of `bytes`.
pub fn unit(name: &str) -> &str {
    name.strip_suffix('s').unwrap_or(name)
}

impl SweepResult {
    /// `http/boundary by bytes, capacity`: the entry's title.
    pub fn title(&self) -> String {
        format!("{}/{} by {}, {}", self.workload, self.case, self.name, self.mode)
    }

    /// The unit of size in the singular: `byte`.
    pub fn unit(&self) -> &str {
        unit(&self.name)
    }

    /// Error rate of all statements on which is cheaper, over all pairs and all measured sizes: every size has the same
    /// share of it, for all pairs together.
    pub fn alpha_at_sizes(&self) -> f64 {
        self.alpha * self.sizes.len() as f64
    }

    /// The costs of a contender.
    pub fn costs(&self, id: &ContenderId) -> Option<&SizeCosts> {
        self.contenders.iter().find(|costs| costs.id == *id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(cheaper: &[Option<Cheaper>]) -> SizePair {
        let bare = Estimate {
            estimate: 0.0,
            low: None,
            high: None,
        };
        let sizes = (0i32..).map(|power| 10f64.powi(power));
        let at = |size| AtSize { size, figure: bare };
        SizePair {
            a: ContenderId::plain("a"),
            b: ContenderId::plain("b"),
            alpha: 0.01,
            extra: sizes.take(cheaper.len()).map(at).collect(),
            cheaper: cheaper.to_vec(),
            lines: None,
            affordable: Vec::new(),
        }
    }

    #[test]
    fn the_cheaper_changes_between_the_nearest_sizes_at_which_it_is_known() {
        let (a, b) = (Some(Cheaper::A), Some(Cheaper::B));
        let turns = |cheaper: &[Option<Cheaper>]| -> Vec<(f64, f64, Cheaper)> {
            let turns = pair(cheaper).turns();
            turns
                .iter()
                .map(|turn| (turn.low, turn.high, turn.below))
                .collect()
        };
        assert_eq!(turns(&[b, b, a, a]), [(10.0, 100.0, Cheaper::B)]);
        assert_eq!(turns(&[b, None, a, None]), [(1.0, 100.0, Cheaper::B)]);
        assert_eq!(
            turns(&[a, b, None, a]),
            [(1.0, 10.0, Cheaper::A), (10.0, 1000.0, Cheaper::B)]
        );
        // A size without a known cheaper one does not show a change.
        for none in [&[b, None, b][..], &[None, a], &[None, None], &[]] {
            assert!(turns(none).is_empty(), "{none:?}");
        }
    }

    #[test]
    fn one_is_cheaper_throughout_only_where_it_is_at_every_size() {
        let (a, b) = (Some(Cheaper::A), Some(Cheaper::B));
        assert_eq!(pair(&[b, b, b]).cheaper_throughout(), b);
        for none in [&[b, None, b][..], &[a, b], &[None, None], &[]] {
            assert_eq!(pair(none).cheaper_throughout(), None);
        }
    }
}
