//! The typical value of a few noisy ones: Huber's M-estimate of location, and the robust scale that it rests on.
//!
//! P. J. Huber, "Robust estimation of a location parameter", Annals of Mathematical Statistics 35 (1964). Values
//! further than 1.5 robust standard deviations away pull no harder than one at that distance, so a burst moves the
//! centre only a little, and nothing is dropped.

/// Scores are clipped at this many robust standard deviations (96% efficient where the noise is Gaussian).
pub(crate) const CLIP: f64 = 1.5;

/// 1/Φ⁻¹(3/4): makes the median absolute deviation of Gaussian values estimate their standard deviation.
const MAD_TO_SD: f64 = 1.482_602_218_505_602;

/// The clipped score ψ.
pub(crate) fn clipped(score: f64) -> f64 {
    score.clamp(-CLIP, CLIP)
}

/// The median; of an even number of values the mean of the middle two. None if there are none or one is NaN.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    if sorted.is_empty() || sorted.iter().any(|value| value.is_nan()) {
        return None;
    }
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        1 => Some(sorted[middle]),
        _ => Some(0.5 * (sorted[middle - 1] + sorted[middle])),
    }
}

/// The median absolute deviation from the median, as it is (not scaled to a standard deviation).
pub(crate) fn mad(values: &[f64]) -> Option<f64> {
    let centre = median(values)?;
    let deviations: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
    median(&deviations)
}

/// The robust standard deviation: 1.4826 times the median absolute deviation. Zero where more than half of the
/// values are equal.
pub(crate) fn robust_sd(values: &[f64]) -> Option<f64> {
    mad(values).map(|mad| mad * MAD_TO_SD)
}

/// Huber's centre: the μ with Σ ψ((x − μ)/s) = 0, s the robust standard deviation.
///
/// None if there are no values or one is not finite. The median where s is zero.
pub fn centre(values: &[f64]) -> Option<f64> {
    if values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let start = median(values)?;
    let scale = robust_sd(values)?;
    if scale <= 0.0 {
        return Some(start);
    }
    Some(solve(values, start, scale))
}

/// What one value contributes to the spread of the centre: the centre of n values has this standard deviation over √n
/// (s·√E[ψ²] over the share that is not clipped, Huber 1964). Zero where more than half of the values are equal.
pub(crate) fn scatter(values: &[f64]) -> Option<f64> {
    let (centre, scale) = (centre(values)?, robust_sd(values)?);
    if scale <= 0.0 {
        return Some(0.0);
    }
    let (_, free) = scores(values, centre, scale);
    let squares: f64 = values
        .iter()
        .map(|value| clipped((value - centre) / scale).powi(2))
        .sum();
    let count = values.len() as f64;
    // One degree of freedom is the centre's.
    Some(scale * (squares / (count - 1.0).max(1.0)).sqrt() * count / free.max(1) as f64)
}

/// Newton's steps on a falling, piecewise linear sum, kept inside a bracket that shrinks with every step. The end
/// is reached exactly once the set of clipped values stays the same.
fn solve(values: &[f64], start: f64, scale: f64) -> f64 {
    let (mut low, mut high) = values.iter().fold((start, start), |(low, high), &value| {
        (low.min(value), high.max(value))
    });
    let mut at = start;
    for _ in 0..200 {
        let (sum, free) = scores(values, at, scale);
        if sum == 0.0 || high - low <= f64::EPSILON * scale {
            break;
        }
        if sum > 0.0 {
            low = at
        } else {
            high = at
        }
        let newton = at + scale * sum / free as f64;
        let next = if newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        if (next - at).abs() <= f64::EPSILON * scale {
            break;
        }
        at = next;
    }
    at
}

/// The sum of the clipped scores around `at`, and how many are not clipped.
fn scores(values: &[f64], at: f64, scale: f64) -> (f64, usize) {
    values.iter().fold((0.0, 0), |(sum, free), value| {
        let score = (value - at) / scale;
        (sum + clipped(score), free + usize::from(score.abs() < CLIP))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::prng::Prng;

    #[test]
    fn medians_of_odd_and_even_counts() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[1.0, f64::NAN]), None);
        assert_eq!(mad(&[1.0, 2.0, 3.0, 4.0, 100.0]), Some(1.0));
    }

    #[test]
    fn the_centre_by_hand() {
        // median 2, MAD 1, s = 1.4826; 100 is clipped at +1.5. With four free values the equation is
        // (0 + 1 + 2 + 3 − 4μ)/s + 1.5 = 0, so μ = 1.5 + 1.5·s/4; all four then are within 1.5·s = 2.224.
        let expected = 1.5 + 1.5 * 1.482_602_218_505_602 / 4.0;
        assert!((centre(&[0.0, 1.0, 2.0, 3.0, 100.0]).unwrap() - expected).abs() < 1e-12);
        // Nothing clipped: the mean.
        assert!((centre(&[1.0, 2.0, 4.0, 4.5]).unwrap() - 2.875).abs() < 1e-12);
    }

    #[test]
    fn degenerate_inputs() {
        assert_eq!(centre(&[]), None);
        assert_eq!(centre(&[7.0]), Some(7.0));
        assert_eq!(centre(&[7.0, 9.0]), Some(8.0));
        assert_eq!(centre(&[5.0, 5.0, 5.0, 900.0]), Some(5.0));
        assert_eq!(centre(&[1.0, f64::INFINITY]), None);
    }

    #[test]
    fn a_burst_moves_it_by_a_bounded_amount() {
        let quiet: Vec<f64> = (0..9).map(|i| f64::from(i) * 0.01).collect();
        let near = centre(&[&quiet[..], &[1.0]].concat()).unwrap();
        let far = centre(&[&quiet[..], &[1e9]].concat()).unwrap();
        assert_eq!(near, far);
        assert!(far < 0.06, "{far}");
    }

    #[test]
    fn it_solves_its_equation_and_follows_shift_and_scale() {
        for seed in 1..=300u64 {
            let mut prng = Prng::new(seed);
            let count = 2 + prng.below(30);
            let values: Vec<f64> = (0..count).map(|_| prng.student2()).collect();
            let mu = centre(&values).unwrap();
            let scale = robust_sd(&values).unwrap();
            let (sum, _) = scores(&values, mu, scale);
            assert!(sum.abs() < 1e-9, "seed {seed}: the scores sum to {sum}");
            let moved: Vec<f64> = values.iter().map(|value| 3.0 - 7.0 * value).collect();
            let expected = 3.0 - 7.0 * mu;
            let tolerance = 1e-9 * (1.0 + expected.abs());
            assert!(
                (centre(&moved).unwrap() - expected).abs() < tolerance,
                "seed {seed}"
            );
        }
    }

    #[test]
    fn the_spread_of_a_centre_is_what_many_centres_show() {
        let mut prng = Prng::new(5);
        for heavy in [false, true] {
            let mut launch = || -> Vec<f64> {
                (0..20)
                    .map(|_| if heavy { prng.student2() } else { prng.normal() })
                    .collect()
            };
            let launches: Vec<Vec<f64>> = (0..2000).map(|_| launch()).collect();
            let seen: f64 = launches.iter().map(|of| centre(of).unwrap().powi(2)).sum();
            let said: f64 = launches
                .iter()
                .map(|of| scatter(of).unwrap().powi(2) / 20.0)
                .sum();
            assert!((said / seen).ln().abs() < 0.15, "{said} for {seen}");
        }
    }

    /// The log ratio of two contenders changes its sign, and nothing else, when they are swapped.
    #[test]
    fn centres_are_antisymmetric() {
        let rounds = [(1.0f64, 2.0f64), (1.1, 2.0), (1.0, 2.3), (40.0, 2.0)];
        let there = centre(&rounds.map(|(a, b)| (a / b).ln())).unwrap();
        let back = centre(&rounds.map(|(a, b)| (b / a).ln())).unwrap();
        assert!((there + back).abs() < 1e-12 && there < 0.0);
        assert_eq!(centre(&[0.0f64.ln()]), None);
    }
}
