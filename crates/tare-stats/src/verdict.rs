//! From an interval and a margin to a verdict.
//!
//! Signs only: which of "below" and "above" is the better one depends on the metric, and is the caller's to say.

use crate::interval::Interval;

/// Where the whole interval of a log ratio lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sign {
    /// Below −margin.
    Below,
    /// Above the margin.
    Above,
    /// Inside ±margin: equivalent.
    Within,
    /// Not decided yet.
    Inconclusive,
}

/// Where the whole interval lies relative to zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Below zero.
    Below,
    /// Above zero.
    Above,
    /// It holds zero, or there is no interval.
    Astride,
}

/// A verdict, and whether the interval excludes zero: "faster, perhaps by less than 1%" is `Inconclusive` with a
/// side, "equivalent, 0.6% faster" is `Within` with a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Judgement {
    /// Against the margin.
    pub verdict: Sign,
    /// Against zero.
    pub side: Side,
}

impl Judgement {
    /// Whether the question of the margin is answered.
    pub fn decided(self) -> bool {
        self.verdict != Sign::Inconclusive
    }
}

/// The margin in log units: ln(1 + margin), `margin` a ratio minus one (0.01 for 1%).
pub fn log_margin(margin: f64) -> f64 {
    margin.ln_1p()
}

/// Judges the interval of a log ratio against a margin (a ratio minus one, at least 0). No interval: inconclusive.
///
/// With a margin of 0 nothing is equivalent, since no interval lies inside a point.
pub fn judge(interval: Option<Interval>, margin: f64) -> Judgement {
    let margin = log_margin(margin);
    let Some(Interval { low, high }) = interval else {
        return Judgement {
            verdict: Sign::Inconclusive,
            side: Side::Astride,
        };
    };
    let verdict = if high < -margin {
        Sign::Below
    } else if low > margin {
        Sign::Above
    } else if margin > 0.0 && low >= -margin && high <= margin {
        Sign::Within
    } else {
        Sign::Inconclusive
    };
    let side = if high < 0.0 {
        Side::Below
    } else if low > 0.0 {
        Side::Above
    } else {
        Side::Astride
    };
    Judgement { verdict, side }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_of_an_interval() {
        let m = 0.01f64.ln_1p();
        let cases = [
            ((-0.05, -0.02), Sign::Below, Side::Below),
            ((-0.05, -m), Sign::Inconclusive, Side::Below),
            ((-0.05, 0.001), Sign::Inconclusive, Side::Astride),
            ((-m, m), Sign::Within, Side::Astride),
            ((-0.005, 0.005), Sign::Within, Side::Astride),
            ((0.002, 0.008), Sign::Within, Side::Above),
            ((-0.008, -0.002), Sign::Within, Side::Below),
            ((0.002, 0.03), Sign::Inconclusive, Side::Above),
            ((m, 0.03), Sign::Inconclusive, Side::Above),
            ((0.02, 0.03), Sign::Above, Side::Above),
            ((-0.5, 0.5), Sign::Inconclusive, Side::Astride),
        ];
        for ((low, high), verdict, side) in cases {
            let judged = judge(Some(Interval { low, high }), 0.01);
            assert_eq!(judged, Judgement { verdict, side }, "{low} to {high}");
        }
    }

    #[test]
    fn without_a_margin_nothing_is_equivalent() {
        let point = Interval { low: 0.0, high: 0.0 };
        assert_eq!(judge(Some(point), 0.0).verdict, Sign::Inconclusive);
        let below = Interval {
            low: -0.2,
            high: -0.1,
        };
        assert_eq!(judge(Some(below), 0.0).verdict, Sign::Below);
    }

    #[test]
    fn no_interval_no_verdict() {
        assert!(!judge(None, 0.01).decided());
    }
}
