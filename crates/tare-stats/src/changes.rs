//! Where a series of figures changes its level. It is for runs that were not measured side by side, so the result is a
//! hint at most.
//!
//! The series is cut into segments of constant level so that the sum of squared deviations, in units of the noise, and
//! a penalty for each cut is least; the best cuts are found exactly, by dynamic programming over the last one (optimal
//! partitioning: Jackson and others, IEEE Signal Processing Letters 12, 2005). The noise is that of the differences of
//! neighbours, of which changes of level are few: robustly, by their median absolute deviation. A deviation counts for
//! at most three times the noise (as in Fearnhead and Rigaill, JASA 114, 2019), so that a single odd run is no change.

use crate::huber;

/// Fewer values than this give no estimate of the noise.
pub const LEAST: usize = 6;

/// The shortest level: fewer values may be one odd run.
const SEGMENT: usize = 3;

/// A deviation counts for this many times the noise at most.
const CLIP: f64 = 3.0;

/// The first indices of the levels after the first, in log units of which equal differences mean the same. None in a
/// series that is too short, or has no noise.
pub fn changes(values: &[f64]) -> Vec<usize> {
    let differences: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let noise = huber::robust_sd(&differences).map(|sd| sd / 2f64.sqrt());
    let Some(noise) = noise.filter(|noise| *noise > 0.0 && values.len() >= LEAST) else {
        return Vec::new();
    };
    // Schwarz's criterion has (ln n) for a level; as much again for where it begins, and a half for the noise's own.
    let penalty = 2.5 * (values.len() as f64).ln() + 2.0;
    let mut best: Vec<(f64, usize)> = vec![(0.0, 0)];
    for end in 1..=values.len() {
        let cost = |begin: usize| {
            (
                best[begin].0 + deviation(&values[begin..end], noise) + penalty,
                begin,
            )
        };
        let begins = (0..=end.saturating_sub(SEGMENT)).filter(|&begin| begin == 0 || begin >= SEGMENT);
        let least = begins.map(cost).min_by(|a, b| a.0.total_cmp(&b.0));
        best.push(least.expect("0 is always among them"));
    }
    let mut found = Vec::new();
    let mut end = values.len();
    while end > 0 {
        end = best[end].1;
        found.push(end);
    }
    found.retain(|&begin| begin > 0);
    found.reverse();
    found
}

/// Squared deviations from the segment's centre, each clipped.
fn deviation(segment: &[f64], noise: f64) -> f64 {
    let mut sorted = segment.to_vec();
    sorted.sort_by(f64::total_cmp);
    let median = (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0;
    let centre = huber::centre(segment).unwrap_or(median);
    let square = |value: &f64| ((value - centre) / noise).abs().min(CLIP).powi(2);
    segment.iter().map(square).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::prng::Prng;

    const SEED: u64 = 20_261_122;

    fn series(prng: &mut Prng, levels: &[(usize, f64)]) -> Vec<f64> {
        let level = |&(count, level): &(usize, f64)| vec![level; count];
        let levels = levels.iter().flat_map(level).collect::<Vec<f64>>();
        levels
            .into_iter()
            .map(|level| level + 0.01 * prng.normal())
            .collect()
    }

    #[test]
    fn a_change_of_level_is_found_where_it_is() {
        let mut right = 0;
        for trial in 0..100 {
            let mut prng = Prng::part(SEED, trial);
            let found = changes(&series(&mut prng, &[(12, 0.0), (10, 0.06), (9, 0.02)]));
            let near = |found: usize, at: usize| found.abs_diff(at) <= 1;
            right += u32::from(matches!(found.as_slice(), [a, b] if near(*a, 12) && near(*b, 22)));
        }
        assert!(right >= 80, "{right} of 100, seed {SEED}");
    }

    #[test]
    fn where_nothing_changes_little_is_found() {
        let mut prng = Prng::new(SEED);
        let count = |values: &[f64]| u32::from(!changes(values).is_empty());
        let (mut quiet, mut odd) = (0, 0);
        for _ in 0..200 {
            let mut values = series(&mut prng, &[(30, 0.0)]);
            quiet += count(&values);
            // One run disturbed by the machine.
            values[17] += 0.3;
            odd += count(&values);
        }
        assert!(quiet <= 16 && odd <= 20, "{quiet} and {odd} of 200, seed {SEED}");
    }

    #[test]
    fn too_few_and_too_equal_say_nothing() {
        assert_eq!(changes(&[]), []);
        assert_eq!(changes(&[1.0, 1.1, 5.0, 5.1, 5.0]), []);
        assert_eq!(changes(&[1.0; 20]), []);
    }
}
