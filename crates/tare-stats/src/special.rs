//! The few special functions that intervals need: ln Γ, the incomplete beta function, quantiles drawn from it, and Φ.

/// ln Γ(x) for x > 0, to about 14 digits (Lanczos' series with g = 7 and nine terms).
pub(crate) fn ln_gamma(x: f64) -> f64 {
    const SERIES: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let series = SERIES
        .iter()
        .zip(1u8..)
        .fold(0.999_999_999_999_809_9, |sum, (term, k)| {
            sum + term / (x + f64::from(k))
        });
    let t = x + 7.5;
    0.5 * std::f64::consts::TAU.ln() + (x + 0.5) * t.ln() - t + series.ln()
}

/// The regularised incomplete beta function I_x(a, b) for a, b > 0 and x from 0 to 1.
pub(crate) fn beta_share(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    // The fraction converges fast below the mean of the distribution; above it the mirror image serves.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_share(1.0 - x, b, a);
    }
    let ln_front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    ln_front.exp() * beta_fraction(x, a, b) / a
}

/// The continued fraction of I_x(a, b) (Abramowitz and Stegun 26.5.8), evaluated by Lentz' method.
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    let tiny = 1e-300;
    let guard = |value: f64| if value.abs() < tiny { tiny } else { value };
    let (mut c, mut d) = (1.0, 1.0 / guard(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for step in 1..2000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / guard(1.0 + term * d);
            c = guard(1.0 + term / c);
            change = c * d;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

/// The quantile `p` of the beta distribution, by bisection.
pub(crate) fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if beta_share(middle, a, b) < p {
            low = middle
        } else {
            high = middle
        }
    }
    0.5 * (low + high)
}

/// The t for which |T| ≤ t with probability `confidence`, T Student's with `freedom` degrees (need not be whole).
pub fn student_two_sided(confidence: f64, freedom: f64) -> f64 {
    // P(|T| > t) = I_x(ν/2, 1/2) with x = ν/(ν + t²).
    let x = beta_quantile(1.0 - confidence, 0.5 * freedom, 0.5);
    (freedom * (1.0 - x) / x).sqrt()
}

/// Φ(x), the chance that a standard normal value is at most x, to 7.5·10⁻⁸ (Abramowitz and Stegun, Handbook of
/// Mathematical Functions, 26.2.17).
pub(crate) fn normal_share(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let series = [
        1.330_274_429,
        -1.821_255_978,
        1.781_477_937,
        -0.356_563_782,
        0.319_381_530,
    ]
    .into_iter()
    .fold(0.0, |sum, factor| (sum + factor) * t);
    let beyond = (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt() * series;
    if x < 0.0 { beyond } else { 1.0 - beyond }
}

/// The upper bound on a rate of which `hits` in `trials` were seen, with this confidence (one-sided, exact:
/// Clopper and Pearson, Biometrika 26, 1934).
pub fn rate_upper(hits: u32, trials: u32, confidence: f64) -> f64 {
    if hits >= trials {
        return 1.0;
    }
    beta_quantile(confidence, f64::from(hits) + 1.0, f64::from(trials - hits))
}

/// The chance of `hits` or more in `trials` where each has this `rate`.
pub fn binomial_tail(hits: u32, trials: u32, rate: f64) -> f64 {
    match hits {
        0 => 1.0,
        _ if hits > trials => 0.0,
        _ => beta_share(rate, f64::from(hits), f64::from(trials - hits) + 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_is_as_tabulated() {
        // Φ at 0, 1, 1.281552 (0.9), 1.959964 (0.975), 3.
        for (x, share) in [
            (0.0, 0.5),
            (1.0, 0.841_344_75),
            (1.281_551_57, 0.9),
            (1.959_963_98, 0.975),
            (3.0, 0.998_650_10),
        ] {
            assert!((normal_share(x) - share).abs() < 1e-7, "{x}");
            assert!((normal_share(-x) - (1.0 - share)).abs() < 1e-7, "-{x}");
        }
        assert_eq!((normal_share(-60.0), normal_share(60.0)), (0.0, 1.0));
    }

    #[test]
    fn gamma_of_whole_and_half_numbers() {
        let mut factorial = 1.0f64;
        for n in 1..60 {
            assert!((ln_gamma(f64::from(n)) - factorial.ln()).abs() < 1e-11, "{n}");
            factorial *= f64::from(n);
        }
        assert!((ln_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 1e-13);
    }

    #[test]
    fn the_beta_share_is_a_binomial_tail() {
        // I_p(k, n − k + 1) = P(Bin(n, p) ≥ k).
        let tail = |n: u32, k: u32, p: f64| -> f64 {
            let choose = |j: u32| (1..=j).fold(1.0, |c, i| c * f64::from(n + 1 - i) / f64::from(i));
            (k..=n)
                .map(|j| choose(j) * p.powi(j as i32) * (1.0 - p).powi((n - j) as i32))
                .sum()
        };
        for (n, k, p) in [(10, 3, 0.2), (10, 9, 0.5), (40, 1, 0.01), (40, 25, 0.7)] {
            let share = beta_share(p, f64::from(k), f64::from(n - k + 1));
            assert!((share - tail(n, k, p)).abs() < 1e-12, "{n} {k} {p}");
            assert_eq!(binomial_tail(k, n, p), share);
        }
    }

    #[test]
    fn tabled_quantiles() {
        // Student's t, two-sided, from the printed tables.
        for (confidence, freedom, t) in [(0.95, 1.0, 12.706), (0.99, 4.0, 4.604), (0.99, 30.0, 2.750)] {
            assert!(
                (student_two_sided(confidence, freedom) - t).abs() < 6e-4,
                "{freedom}"
            );
        }
        // None in n: 1 − (1 − c)^(1/n).
        assert!((rate_upper(0, 300, 0.99) - (1.0 - 0.01f64.powf(1.0 / 300.0))).abs() < 1e-12);
        assert_eq!(rate_upper(5, 5, 0.99), 1.0);
        assert_eq!((binomial_tail(0, 5, 0.1), binomial_tail(6, 5, 0.1)), (1.0, 0.0));
    }
}
