//! How many rounds a launch should have, given what launches and rounds take and how they vary.

use crate::huber::{centre, median, scatter};
use crate::mser::MIN_ROUNDS;

/// The least and the greatest number of rounds that is chosen for a launch: fewer would not show a drift.
pub const BOUNDS: (usize, usize) = (MIN_ROUNDS, 40);

/// The spread of fewer launches says next to nothing.
pub const LEAST_LAUNCHES: usize = 3;

/// The number of rounds of a launch that makes an interval narrow soonest. `pairs`: for each pair of contenders the log
/// differences of each launch's rounds; `cost`: what a launch takes apart from its rounds, in rounds. None with fewer than
/// three launches.
///
/// The centre of a launch of n rounds has the variance b² + w²/n, where b is the spread between launches and w that of a round.
/// Between six launches and twelve, as many as most runs have, a sequence's half width falls as 1/L, since its radius does by
/// more than 1/√L. So the L that reach a width are in proportion to √(b² + w²/n), and take L·(c + n) rounds' time. The product
/// is least where 2b²·n² + w²·n = c·w², which is at most c. Both are medians over pairs, since every pair has the same rounds.
pub fn best(pairs: &[Vec<Vec<f64>>], cost: f64) -> Option<f64> {
    let spreads: Vec<Spread> = pairs.iter().filter_map(|launches| Spread::of(launches)).collect();
    let over = |part: fn(&Spread) -> f64| median(&spreads.iter().map(part).collect::<Vec<f64>>());
    let between = over(|spread| spread.centres)? - over(|spread| spread.explained)?;
    let within = over(|spread| spread.within)?;
    Some(least(between.max(0.0), within, cost))
}

/// The root of 2b²·n² + w²·n − c·w², in the form that holds without a spread between launches, too.
fn least(between: f64, within: f64, cost: f64) -> f64 {
    if within <= 0.0 {
        return 0.0;
    }
    let ratio = 8.0 * cost * between / within;
    2.0 * cost / (1.0 + (1.0 + ratio).sqrt())
}

/// Variances of one pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Of a round.
    within: f64,
    /// Of the launches' centres.
    pub centres: f64,
    /// That part of it which the rounds' own variance explains.
    pub explained: f64,
}

impl Spread {
    /// Of the log differences of each launch's rounds; none with fewer than three launches.
    pub fn of(launches: &[Vec<f64>]) -> Option<Self> {
        let parts: Vec<(f64, f64, f64)> = launches
            .iter()
            .filter_map(|rounds| Some((centre(rounds)?, scatter(rounds)?.powi(2), rounds.len() as f64)))
            .collect();
        let count = parts.len() as f64;
        let mean = |value: fn(&(f64, f64, f64)) -> f64| parts.iter().map(value).sum::<f64>() / count;
        let middle = mean(|part| part.0);
        let squares: f64 = parts.iter().map(|part| (part.0 - middle).powi(2)).sum();
        (parts.len() >= LEAST_LAUNCHES).then(|| Self {
            within: mean(|part| part.1),
            centres: squares / (count - 1.0),
            explained: mean(|part| part.1 / part.2),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::prng::Prng;

    /// Pairs of some launches of some rounds, with these spreads.
    fn measured(
        seed: u64,
        (pairs, launches, rounds): (usize, usize, usize),
        b: f64,
        w: f64,
    ) -> Vec<Vec<Vec<f64>>> {
        let mut prng = Prng::new(seed);
        let mut launch = |pair: usize| {
            let start = pair as f64 + b * prng.normal();
            (0..rounds).map(|_| start + w * prng.normal()).collect()
        };
        (0..pairs)
            .map(|pair| (0..launches).map(|_| launch(pair)).collect())
            .collect()
    }

    #[test]
    fn it_finds_the_number_that_the_formula_has() {
        for (b, w, cost) in [(0.02f64, 0.04, 16.0), (0.01, 0.05, 25.0), (0.02, 0.02, 100.0)] {
            let product = |n: f64| (b * b + w * w / n).sqrt() * (cost + n);
            let found = best(&measured(1, (9, 40, 20), b, w), cost).unwrap();
            let numbers = (1..=100_u32).map(f64::from);
            let expected = numbers.min_by(|one, other| product(*one).total_cmp(&product(*other)));
            let expected = expected.unwrap();
            assert!((found / expected).ln().abs() < 0.25, "{found} for {expected}");
        }
    }

    #[test]
    fn a_launch_has_at_most_the_rounds_that_it_costs() {
        let alike = vec![vec![vec![0.1, 0.2, 0.3]; 4]; 2];
        assert_eq!(best(&alike, 10.0), Some(10.0), "launches that do not vary");
        let alike = vec![vec![vec![0.1; 3]; 4]; 2];
        assert_eq!(best(&alike, 10.0), Some(0.0), "nor do rounds");
    }

    #[test]
    fn two_launches_are_too_few() {
        assert_eq!(best(&measured(1, (9, 2, 20), 0.01, 0.03), 10.0), None);
        assert_eq!(best(&[], 10.0), None);
    }

    #[test]
    fn neither_sign_nor_size_of_a_difference_matters() {
        let data = measured(3, (4, 5, 12), 0.01, 0.03);
        let moved = |of: &dyn Fn(f64) -> f64| -> Vec<Vec<Vec<f64>>> {
            let launches = |launches: &Vec<Vec<f64>>| {
                let rounds = |rounds: &Vec<f64>| rounds.iter().map(|value| of(*value)).collect();
                launches.iter().map(rounds).collect()
            };
            data.iter().map(launches).collect()
        };
        let plain = best(&data, 10.0).unwrap();
        for found in [
            best(&moved(&|value| -value), 10.0),
            best(&moved(&|value| value + 0.7), 10.0),
        ] {
            assert!((found.unwrap() - plain).abs() < 1e-6 * plain);
        }
    }
}
