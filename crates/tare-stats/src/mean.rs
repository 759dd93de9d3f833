//! A mean over launches, and the one of a contender's values on a metric.

use crate::interval::Interval;
use crate::{huber, tseq};

/// A mean (or a ratio of means) on its linear scale, and the interval of the true one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Its interval; none while there are too few launches.
    pub interval: Option<Interval>,
}

/// The geometric mean over launches of each launch's typical value, and its anytime-valid interval at `alpha`.
///
/// `launches` holds the slices' values of each launch on their linear scale. The typical value of a launch is the
/// Huber centre of its logarithms; launches without slices are left out. None if no launch has a typical value, or if a
/// value is not positive and finite: a value without a logarithm is an error upstream, which must not be hidden.
pub fn over_launches(launches: &[Vec<f64>], alpha: f64) -> Option<Mean> {
    let centres = centres(launches)?;
    let mean = centres.iter().sum::<f64>() / centres.len() as f64;
    Some(Mean {
        value: mean.exp(),
        interval: tseq::interval_with_spread(&centres, alpha, tseq::LEAST_SPREAD)
            .map(|interval| interval.exp()),
    })
}

/// Each launch's Huber centre in log units; none as for [`over_launches`].
pub fn centres(launches: &[Vec<f64>]) -> Option<Vec<f64>> {
    let sound = |value: &f64| value.is_finite() && *value > 0.0;
    if !launches.iter().flatten().all(sound) {
        return None;
    }
    let centre =
        |slices: &Vec<f64>| huber::centre(&slices.iter().map(|value| value.ln()).collect::<Vec<_>>());
    let centres: Vec<f64> = launches.iter().filter_map(centre).collect();
    (!centres.is_empty()).then_some(centres)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_geometric_mean_of_medians_by_hand() {
        // Two values have their mean as Huber centre: √(1·4) = 2 and √(2·32) = 8; √(2·8) = 4.
        let two = over_launches(&[vec![1.0, 4.0], vec![2.0, 32.0]], 0.05).unwrap();
        assert!((two.value - 4.0).abs() < 1e-12);
        assert_eq!(two.interval, None);
        // Centres 2, 4, 8: mean ln 4, s = ln 2, radius 6.2114 at n = 3.
        let three = over_launches(&[vec![2.0], vec![4.0], vec![8.0], vec![]], 0.05).unwrap();
        let interval = three.interval.unwrap();
        let factor = (6.2114 * 2f64.ln()).exp();
        assert!((three.value - 4.0).abs() < 1e-12);
        assert!((interval.high / (4.0 * factor) - 1.0).abs() < 1e-3);
        assert!((interval.low / (4.0 / factor) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn what_has_no_logarithm_is_no_figure() {
        assert_eq!(over_launches(&[], 0.05), None);
        assert_eq!(over_launches(&[vec![]], 0.05), None);
        assert_eq!(over_launches(&[vec![1.0, 0.0]], 0.05), None);
        assert_eq!(over_launches(&[vec![1.0], vec![f64::NAN]], 0.05), None);
    }
}
