//! The early rounds of a warm-up: how many of them were dearer than what followed. As logarithms.

use crate::huber::median;
use crate::mser::{BATCH, MIN_ROUNDS, TOLERANCE};
use crate::special::student_two_sided;

/// A round this much dearer than the later ones is a compiler at work. In trials HotSpot's first round cost two to four
/// times as much, V8's 1.3 times; those of compiled programs and of CPython differed by up to 10% either way.
pub const DEARER: f64 = 0.1;

/// Of the interval of a batch's excess; one-sided it is at 97.5%.
const CONFIDENCE: f64 = 0.95;

/// The round from which a contender was settled, as far as its rounds can show: after its first rounds that were each over
/// 10% dearer than the median of the second half, and after any later batch of the first half whose mean is shown to be
/// dearer by more than the tolerance. None with too few rounds.
///
/// The machine's share stays in: it cannot be distinguished from a warm-up of all.
pub fn settled(values: &[f64]) -> Option<usize> {
    if values.len() < MIN_ROUNDS {
        return None;
    }
    let (early, late) = halves(values);
    let level = level(values)?;
    let first = early.iter().take_while(|value| is_dear(**value, level)).count();
    let mut batches = early[first..].chunks_exact(BATCH);
    let last = batches.rposition(|batch| is_dearer(batch, late));
    Some(first + last.map_or(0, |index| (index + 1) * BATCH))
}

/// What a round cost when most were over: the median of the second half.
pub fn level(values: &[f64]) -> Option<f64> {
    median(halves(values).1)
}

/// Whether a round is so much above the level as a compiler at work makes it.
pub fn is_dear(value: f64, level: f64) -> bool {
    value > level + DEARER.ln_1p()
}

fn halves(values: &[f64]) -> (&[f64], &[f64]) {
    values.split_at(values.len() / 2)
}

/// Whether the mean of some rounds is shown to be above that of others by more than the tolerance.
fn is_dearer(early: &[f64], late: &[f64]) -> bool {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let squares = |values: &[f64]| {
        let centre = mean(values);
        values.iter().map(|value| (value - centre).powi(2)).sum::<f64>()
    };
    let freedom = (early.len() + late.len()) as f64 - 2.0;
    let variance = (squares(early) + squares(late)) / freedom;
    let error = (variance * (1.0 / early.len() as f64 + 1.0 / late.len() as f64)).sqrt();
    mean(early) - mean(late) - student_two_sided(CONFIDENCE, freedom) * error > TOLERANCE.ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::prng::Prng;

    fn rounds(seed: u64, count: usize, noise: f64, shape: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut prng = Prng::new(seed);
        (0..count)
            .map(|round| shape(round) + noise * prng.normal())
            .collect()
    }

    #[test]
    fn first_rounds_are_counted_one_by_one() {
        for cold in 0..5 {
            let shape = |round| if round < cold { 0.5 } else { 0.0 };
            assert_eq!(settled(&rounds(1, 20, 0.01, shape)), Some(cold));
        }
        assert_eq!(
            settled(&rounds(1, 20, 0.01, |round| if round < 5 { 0.05 } else { 0.0 })),
            Some(5)
        );
    }

    #[test]
    fn a_late_compilation_is_seen_in_its_batch() {
        for seed in 1..=50 {
            let shape = |round| if (6..9).contains(&round) { 0.2 } else { 0.0 };
            assert_eq!(settled(&rounds(seed, 30, 0.01, shape)), Some(10), "seed {seed}");
        }
    }

    #[test]
    fn noise_is_rarely_taken_for_a_warm_up() {
        let late = (1..=500)
            .filter(|&seed| settled(&rounds(seed, 20, 0.03, |_| 1.0)) > Some(1))
            .count();
        assert!(late <= 15, "{late} of 500 (seeds 1 to 500)");
    }

    #[test]
    fn nothing_is_said_of_short_warm_ups() {
        assert_eq!(settled(&rounds(1, 9, 0.01, |_| 0.0)), None);
        assert_eq!((settled(&[]), level(&[])), (None, None));
    }

    #[test]
    fn the_level_is_that_of_the_second_half() {
        let level = level(&[4.0, 4.0, 2.0, 1.0, 9.0]).unwrap();
        assert_eq!(level, 2.0);
        assert!(is_dear(2.11, level) && !is_dear(2.09, level));
    }
}
