//! What tare-stats yields, as the types of the results.

use tare_model::estimate::Estimate;
use tare_model::sweep::{BreakEven, Cheaper};
use tare_stats::sizes as lines;

/// A figure and its interval.
pub(crate) fn as_estimate(found: &tare_stats::estimate::Estimate) -> Estimate {
    Estimate {
        estimate: found.value,
        low: found.interval.map(|interval| interval.low),
        high: found.interval.map(|interval| interval.high),
    }
}

fn cheaper(which: lines::Cheaper) -> Cheaper {
    match which {
        lines::Cheaper::First => Cheaper::A,
        lines::Cheaper::Second => Cheaper::B,
    }
}

/// Where two contenders break even.
pub(crate) fn break_even(set: lines::BreakEven) -> BreakEven {
    match set {
        lines::BreakEven::Nowhere { cheaper: which } => BreakEven::Nowhere {
            cheaper: cheaper(which),
        },
        lines::BreakEven::Between { low, high, below } => BreakEven::Between {
            low,
            high,
            below: cheaper(below),
        },
        lines::BreakEven::UpTo { high, above } => BreakEven::UpTo {
            high,
            above: cheaper(above),
        },
        lines::BreakEven::From { low, below } => BreakEven::From {
            low,
            below: cheaper(below),
        },
        lines::BreakEven::Outside { low, high, within } => BreakEven::Outside {
            low,
            high,
            within: cheaper(within),
        },
        lines::BreakEven::Everywhere => BreakEven::Everywhere,
    }
}
