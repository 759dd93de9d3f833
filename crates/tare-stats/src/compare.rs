//! Two contenders on one metric: from paired slices to an interval, a verdict and what is still needed.

use crate::interval::Interval;
use crate::tseq;
use crate::tseq::LEAST_SPREAD;
use crate::verdict::{self, Judgement};

/// What is known of the log ratio of two contenders after some launches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// The mean of the launches' centres.
    pub log_ratio: f64,
    /// The anytime-valid interval of the log ratio; none while there are too few launches.
    pub interval: Option<Interval>,
    /// Where the interval lies relative to the margin and to zero.
    pub judgement: Judgement,
    /// How many more launches a verdict takes if the spread stays as it is; none if there is one, or if it cannot be predicted.
    pub more_launches: Option<u32>,
}

/// Compares by the centres of the launches, at `alpha` (for this comparison: see [`crate::multiplicity`]) and
/// `margin` (a ratio minus one). None without launches.
pub fn over_launches(centres: &[f64], alpha: f64, margin: f64) -> Option<Comparison> {
    if centres.is_empty() {
        return None;
    }
    let interval = tseq::interval_with_spread(centres, alpha, LEAST_SPREAD);
    let judgement = verdict::judge(interval, margin);
    let more = || tseq::more_launches(centres, alpha, verdict::log_margin(margin), LEAST_SPREAD);
    Some(Comparison {
        log_ratio: centres.iter().sum::<f64>() / centres.len() as f64,
        interval,
        judgement,
        more_launches: if judgement.decided() { None } else { more() },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Side, Verdict};

    #[test]
    fn a_clear_case_and_an_open_one() {
        let clear = over_launches(&[0.0953, 0.0951, 0.0955], 0.05, 0.01).unwrap();
        assert_eq!(clear.judgement.verdict, Verdict::Above);
        assert_eq!(clear.more_launches, None);
        let open = over_launches(&[0.02, 0.03, 0.025], 0.05, 0.01).unwrap();
        assert_eq!(open.judgement.verdict, Verdict::Inconclusive);
        assert_eq!(open.judgement.side, Side::Astride);
        assert!(open.more_launches.is_some_and(|more| more > 0));
        assert_eq!(over_launches(&[], 0.05, 0.01), None);
    }
}
