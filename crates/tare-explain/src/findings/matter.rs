//! What the rules look at, and the words that their sentences share.

use tare_model::evidence::Evidence;
use tare_model::explanation::{Finding, Rule, Sides};
use tare_model::metric::Mode;
use tare_model::units::Seconds;

use crate::costs::Costs;
use crate::counts::{Counted, Side};
use crate::waterfall::Way;

/// What rules look at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matter<'a> {
    /// The evidence.
    pub evidence: &'a Evidence,
    /// The costs of stacks, of the sides that have stacks.
    pub costs: &'a Sides<Costs>,
    /// What was counted.
    pub counted: &'a Counted,
    /// The way from a to b.
    pub way: &'a Way,
}

/// One side, and what is known of it.
#[derive(Debug, Clone)]
pub(crate) struct Of<'a> {
    /// Its id, as people write it.
    pub name: String,
    /// What its stacks cost.
    pub costs: Option<&'a Costs>,
    /// What was counted of it.
    pub side: Option<&'a Side>,
}

impl<'a> Matter<'a> {
    /// The one that costs less, then the other.
    pub(crate) fn cheap_and_dear(&self) -> (Of<'a>, Of<'a>) {
        let (a, b) = self.sides();
        if self.gap() >= 0.0 { (a, b) } else { (b, a) }
    }

    /// a, then b.
    pub(crate) fn sides(&self) -> (Of<'a>, Of<'a>) {
        let a = Of {
            name: self.evidence.a.to_string(),
            costs: self.costs.a.as_ref(),
            side: self.counted.0.a.as_ref(),
        };
        let b = Of {
            name: self.evidence.b.to_string(),
            costs: self.costs.b.as_ref(),
            side: self.counted.0.b.as_ref(),
        };
        (a, b)
    }

    /// b's cost less a's; 0 where it is not known.
    pub(crate) fn gap(&self) -> f64 {
        self.way.gap.map_or(0.0, |gap| gap.estimate)
    }

    /// Whether the gap can be distinguished from zero: only then can anything be a part of it.
    pub(crate) fn proven(&self) -> bool {
        let ends = self.way.gap.and_then(|gap| gap.low.zip(gap.high));
        ends.is_some_and(|(low, high)| low > 0.0 || high < 0.0)
    }

    /// A size as a part of the gap; none where there is none.
    pub(crate) fn share(&self, size: f64) -> Option<f64> {
        self.proven().then(|| size / self.gap().abs())
    }

    /// Whether contenders are driven at full load; otherwise they idle for lack of requests.
    pub(crate) fn driven_hard(&self) -> bool {
        self.evidence.mode != Mode::Cost
    }

    /// `1.40 µs of the 3.10 µs`: what a part is of the gap.
    pub(crate) fn of_the_gap(&self, size: f64) -> String {
        match self.share(size) {
            Some(_) => format!("{} of the {}", time(size), time(self.gap().abs())),
            None => time(size),
        }
    }
}

/// A time with its unit.
pub(super) fn time(seconds: f64) -> String {
    Seconds(seconds).to_string()
}

/// A count per operation, with three digits.
pub(super) fn count(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v if v >= 0.095 => format!("{v:.2}"),
        v if v > 0.0 => format!("{v:.4}"),
        _ => "0".to_owned(),
    }
}

/// `12`, `1.9`: how many times one is the other.
pub(super) fn times(ratio: f64) -> String {
    if ratio >= 9.95 {
        format!("{ratio:.0}")
    } else {
        format!("{ratio:.1}")
    }
}

/// A share in per cent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// Whether two counts differ by at least an amount, and by a factor.
pub(super) fn differ(x: f64, y: f64, least: f64, ratio: f64) -> bool {
    let (low, high) = if x < y { (x, y) } else { (y, x) };
    high - low >= least && high >= ratio * low
}

pub(super) fn finding(rule: Rule, text: String, evidence: String, size: Option<f64>) -> Finding {
    Finding {
        rule,
        text,
        evidence,
        size,
    }
}
