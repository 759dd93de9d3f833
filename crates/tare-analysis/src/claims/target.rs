//! What a claim asks of a figure, and whether an interval supports it.

use tare_model::claim::{Relation, Standing};
use tare_model::estimate::Estimate;

/// The values of a figure for which a claim is true.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Target {
    /// The least of them.
    low: f64,
    /// The largest of them.
    high: f64,
    /// Below this, the other is the better one, where the first was claimed to be.
    opposite: f64,
}

impl Target {
    /// What a relation asks. `margin`: a lead within it does not count, as a ratio minus one.
    pub(super) fn of(relation: &Relation, margin: f64) -> Self {
        let behind = 1.0 / (1.0 + margin);
        let ahead = |at_least: f64| Self {
            low: if at_least > 1.0 { at_least } else { 1.0 + margin },
            high: f64::INFINITY,
            opposite: behind,
        };
        let around = |value: f64, within: f64, opposite| Self {
            low: value / (1.0 + within),
            high: value * (1.0 + within),
            opposite,
        };
        match *relation {
            Relation::Faster { at_least }
            | Relation::MoreThanIn { at_least, .. }
            | Relation::FallsWithSize { at_least } => ahead(at_least),
            Relation::Same { within } => around(1.0, within, f64::NEG_INFINITY),
            Relation::Between { low, high } => Self {
                low,
                high,
                opposite: if low >= 1.0 { behind } else { f64::NEG_INFINITY },
            },
            Relation::About { lead, within } => around(lead, within, behind),
            Relation::Extra { seconds, within } => around(seconds, within, 0.0),
            Relation::ExtraPerUnit { at_most } => Self {
                low: -at_most,
                high: at_most,
                opposite: f64::NEG_INFINITY,
            },
        }
    }

    /// Whether an interval supports the claim.
    pub(super) fn judge(&self, figure: &Estimate) -> Standing {
        let Some((low, high)) = figure.low.zip(figure.high) else {
            return Standing::Inconclusive;
        };
        if self.low <= low && high <= self.high {
            Standing::Holds
        } else if high >= self.low && low <= self.high {
            Standing::Inconclusive
        } else if high < self.opposite {
            Standing::Opposite
        } else {
            Standing::Fails
        }
    }

    /// By what factor an interval has to narrow around its estimate until it says whether the claim is true; infinite where it
    /// never would.
    pub(super) fn narrowing(&self, figure: &Estimate) -> f64 {
        let at = figure.estimate;
        let Some((low, high)) = figure.low.zip(figure.high) else {
            return f64::INFINITY;
        };
        let over = |reach: f64, room: f64| {
            if room > 0.0 { reach / room } else { f64::INFINITY }
        };
        if at < self.low {
            over(high - at, self.low - at)
        } else if at > self.high {
            over(at - low, at - self.high)
        } else {
            over(at - low, at - self.low).max(over(high - at, self.high - at))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Standing::{Fails, Holds, Inconclusive, Opposite};

    fn held(relation: Relation, expected: &[(f64, f64, Standing)]) {
        let target = Target::of(&relation, 0.01);
        for &(low, high, standing) in expected {
            let figure = Estimate {
                estimate: (low + high) / 2.0,
                low: Some(low),
                high: Some(high),
            };
            assert_eq!(target.judge(&figure), standing, "{relation:?} {low} to {high}");
        }
        let none = Estimate {
            estimate: 1.0,
            low: None,
            high: None,
        };
        assert_eq!(target.judge(&none), Inconclusive);
    }

    #[test]
    fn how_much_narrower_an_interval_has_to_be() {
        let same = Target::of(&Relation::Same { within: 0.25 }, 0.01);
        let of = |target: &Target, estimate: f64, low: f64, high: f64| {
            let factor = target.narrowing(&Estimate {
                estimate,
                low: Some(low),
                high: Some(high),
            });
            (factor * 1e6).round() / 1e6
        };
        // 1. Within the target, both ends count; 2. beyond it, the one that is on its side.
        assert_eq!(of(&same, 1.0, 0.5, 1.25), 2.5);
        assert_eq!(of(&same, 1.75, 0.75, 1.75), 2.0);
        assert_eq!(of(&same, 0.6, 0.5, 1.0), 2.0);
        // 3. At an end no interval is narrow enough. 4. Upwards there is no end.
        assert_eq!(of(&same, 1.25, 1.0, 1.5), f64::INFINITY);
        let ahead = Target::of(&Relation::Faster { at_least: 1.5 }, 0.01);
        assert_eq!(of(&ahead, 2.0, 1.0, 4.0), 2.0);
        let none = Estimate {
            estimate: 1.0,
            low: None,
            high: None,
        };
        assert_eq!(same.narrowing(&none), f64::INFINITY);
    }

    #[test]
    fn a_lead_beyond_the_margin() {
        let expected = [
            (1.2, 1.3, Holds),
            (1.011, 1.05, Holds),
            (1.005, 1.05, Inconclusive),
            (0.995, 1.005, Fails),
            (0.9, 1.005, Fails),
            (0.7, 0.8, Opposite),
        ];
        held(Relation::Faster { at_least: 1.0 }, &expected);
        held(Relation::FallsWithSize { at_least: 1.0 }, &expected);
        let other = Relation::MoreThanIn {
            case: "other".to_owned(),
            at_least: 1.0,
        };
        held(other, &expected);
    }

    #[test]
    fn a_lead_by_a_factor() {
        held(
            Relation::Faster { at_least: 1.5 },
            &[
                (1.6, 2.0, Holds),
                (1.4, 1.6, Inconclusive),
                (1.2, 1.4, Fails),
                (0.98, 1.4, Fails),
                (0.5, 0.6, Opposite),
            ],
        );
    }

    #[test]
    fn the_same() {
        held(
            Relation::Same { within: 0.1 },
            &[
                (0.95, 1.05, Holds),
                (0.92, 1.09, Holds),
                (0.95, 1.15, Inconclusive),
                (1.15, 1.2, Fails),
                // Neither was claimed to be ahead, so there is no opposite.
                (0.5, 0.6, Fails),
            ],
        );
    }

    #[test]
    fn between_two_factors() {
        held(
            Relation::Between { low: 2.0, high: 3.0 },
            &[
                (2.1, 2.9, Holds),
                (1.9, 2.1, Inconclusive),
                (2.9, 3.1, Inconclusive),
                (1.5, 3.5, Inconclusive),
                (1.2, 1.9, Fails),
                (3.1, 3.9, Fails),
                (0.4, 0.6, Opposite),
            ],
        );
        // One that may be behind has no opposite.
        held(
            Relation::Between { low: 0.8, high: 1.2 },
            &[(0.5, 0.6, Fails), (0.9, 1.1, Holds)],
        );
    }

    #[test]
    fn about_a_published_factor() {
        held(
            Relation::About {
                lead: 1.57,
                within: 0.15,
            },
            &[
                (1.4, 1.8, Holds),
                (1.3, 1.5, Inconclusive),
                (1.7, 1.9, Inconclusive),
                (1.82, 1.9, Fails),
                (1.1, 1.3, Fails),
                (0.8, 0.9, Opposite),
            ],
        );
    }

    #[test]
    fn an_extra_and_a_slope_in_seconds() {
        held(
            Relation::Extra {
                seconds: 4e-6,
                within: 0.25,
            },
            &[
                (3.3e-6, 4.9e-6, Holds),
                (3.0e-6, 4.9e-6, Inconclusive),
                (0.2e-6, 0.4e-6, Fails),
                (5.1e-6, 6e-6, Fails),
                (-2e-6, -1e-6, Opposite),
            ],
        );
        held(
            Relation::ExtraPerUnit { at_most: 1e-10 },
            &[
                (-0.1e-10, 0.6e-10, Holds),
                (0.6e-10, 1.2e-10, Inconclusive),
                (1.2e-10, 1.4e-10, Fails),
                (-1.4e-10, -1.2e-10, Fails),
            ],
        );
    }
}
