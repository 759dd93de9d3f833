//! Leads and extras: how the comparison of two contenders changes from one case to another, or from one size to another.
//!
//! **Two leads.** A lead is a log ratio of two contenders, one value a launch. Between two cases, whose launches are
//! independent, launch i of the one is paired with launch i of the other, in the order of measurement: the difference of the
//! two is one value a pair. Where both are Gaussian, so are the differences, independent and with one variance, whatever the
//! two variances are; so the t sequence ([`tseq`]) over the pairs is as valid as over launches. The pairs never change as
//! launches are added, and Ville's bound is on the whole series of pairs, so it does not matter how many launches either
//! case is ahead when somebody looks. Compared with two intervals at α/2 each, whose ends are subtracted, this is narrower by
//! a factor of √2 and more. Between two sizes of one case, both leads are of the same launch and are paired as they are.
//!
//! **Two extras.** What one contender costs more than another at one size, and at another size, in the same launch: the
//! change of that, divided by the units of size between them, has the t sequence too. It is the mean slope between the two
//! sizes, whatever the shape between: no line is needed.
//!
//! A lead has the least spread of one pair of starts, [`LEAST_SPREAD`]; a difference of two leads has that of two.

use crate::mean::Mean;
use crate::net::hidden;
use crate::tseq::{self, LEAST_SPREAD};

/// The costs of two contenders in one launch, on the linear scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Costs {
    /// The contender.
    pub a: f64,
    /// The one that it is compared with.
    pub b: f64,
}

/// The mean of first − second over `pairs` of leads (log units), with its interval at `alpha`. None without pairs, or where
/// a lead is not finite.
pub fn change(pairs: &[(f64, f64)], alpha: f64) -> Option<Mean> {
    let changes: Vec<f64> = pairs.iter().map(|(first, second)| first - second).collect();
    estimate(&changes, alpha, LEAST_SPREAD * 2f64.sqrt())
}

/// The mean over launches of the change of a − b from the smaller size to the larger, per unit of size; `launches` are
/// (at the smaller, at the larger), `units` the difference of the sizes. None without launches, without a difference of
/// sizes, or where a cost is not finite.
pub fn extra_per_unit(launches: &[(Costs, Costs)], units: f64, alpha: f64) -> Option<Mean> {
    if units <= 0.0 {
        return None;
    }
    let extra = |costs: &Costs| costs.a - costs.b;
    let changes = launches
        .iter()
        .map(|(small, large)| (extra(large) - extra(small)) / units);
    let part = |cost: fn(&(Costs, Costs)) -> f64| hidden(launches.iter().map(cost));
    let parts = [
        part(|launch| launch.0.a),
        part(|launch| launch.0.b),
        part(|launch| launch.1.a),
        part(|launch| launch.1.b),
    ];
    let spread = parts.into_iter().fold(0.0f64, f64::hypot) / units;
    estimate(&changes.collect::<Vec<f64>>(), alpha, spread)
}

fn estimate(values: &[f64], alpha: f64, spread: f64) -> Option<Mean> {
    if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    Some(Mean {
        value: values.iter().sum::<f64>() / values.len() as f64,
        interval: tseq::interval_with_spread(values, alpha, spread),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_leads_by_hand() {
        // Differences 0.2, 0.3, 0.4: mean 0.3, s = 0.1; radius 6.2114 at n = 3 and α = 5%.
        let found = change(&[(0.5, 0.3), (0.6, 0.3), (0.6, 0.2)], 0.05).unwrap();
        assert!((found.value - 0.3).abs() < 1e-12);
        let half = 6.2114 * 0.1f64.hypot(LEAST_SPREAD * 2f64.sqrt());
        let interval = found.interval.unwrap();
        assert!(
            (interval.high - 0.3 - half).abs() < 1e-4 && (0.3 - interval.low - half).abs() < 1e-4,
            "{interval:?}"
        );
        assert_eq!(change(&[(0.5, 0.3), (0.6, 0.3)], 0.05).unwrap().interval, None);
        assert_eq!(change(&[], 0.05), None);
        assert_eq!(change(&[(f64::NAN, 0.0); 3], 0.05), None);
    }

    #[test]
    fn a_change_of_extras_is_per_unit() {
        // 4 − 1 = 3 at the smaller size, 10 − 2 = 8 at the larger, 50 units on: 0.1 a unit.
        let at = |a, b| Costs { a, b };
        let launches = [
            (at(4.0, 1.0), at(10.0, 2.0)),
            (at(4.1, 1.1), at(10.1, 2.1)),
            (at(3.9, 0.9), at(9.9, 1.9)),
        ];
        let found = extra_per_unit(&launches, 50.0, 0.05).unwrap();
        assert!((found.value - 0.1).abs() < 1e-12);
        // All three are alike, so that what is left is the least spread of the four starts.
        let hidden = [4.0f64, 1.0, 10.0, 2.0].into_iter().fold(0.0f64, f64::hypot) * LEAST_SPREAD / 50.0;
        let interval = found.interval.unwrap();
        assert!(
            (interval.high - 0.1 - 6.2114 * hidden).abs() < 1e-6,
            "{interval:?}"
        );
        assert_eq!(extra_per_unit(&launches, 0.0, 0.05), None);
        assert_eq!(extra_per_unit(&[], 50.0, 0.05), None);
    }
}
