//! A provisional interval from the rounds of one launch, or of two: the t sequence over blocks of rounds.
//!
//! Neighbouring rounds of the same processes may hold together: a contender has good and bad phases. So blocks of rounds
//! stand where launches stand otherwise. Within a launch the rounds d have the Huber centre μ and the robust standard
//! deviation s; the value of a block is μ plus what its own clipped scores ψ((d − μ)/s) move that centre by (one step of
//! Newton), so that a burst moves a block no further than it moves a centre. The values of the blocks have the sequence of
//! [`crate::tseq`].
//!
//! Blocks that a minute can afford are too short to be independent, and so few values do not show how far they are from
//! that. So their variance is multiplied by (1 + r)/(1 − r), which is what dependence of the first order (AR(1)) does to
//! the mean of many. r is estimated, with the bias of short series taken out, together with [`BELIEF_BLOCKS`] invented
//! blocks whose correlation is [`BELIEF`]: with few blocks this belief decides, with many the data do. Both numbers were
//! found by simulation ([`crate::simulate`]): they are such that rounds correlated at 0.8 miss the truth as rarely as α
//! says, and it costs independent rounds 70% of width at 8 blocks, and 20% at 50.
//!
//! The length of a block depends on the number of rounds alone, never on their values. It says nothing about other starts
//! of the same programs, so it is provisional.

use crate::huber::{self, CLIP, clipped};
use crate::interval::Interval;
use crate::tseq;

/// Blocks never become more than this: with more rounds they become longer.
const MOST_BLOCKS: usize = 64;

/// The correlation of neighbouring blocks that is assumed beforehand.
const BELIEF: f64 = 0.7;

/// The number of blocks that this belief weighs as much as.
const BELIEF_BLOCKS: f64 = 20.0;

/// No correlation beyond this is assumed: a few blocks cannot show it.
const MOST_CORRELATED: f64 = 0.95;

/// How far ahead a prediction looks, in blocks.
const HORIZON: usize = 10_000;

/// The blocks of some rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Blocks {
    /// Rounds in a block.
    length: usize,
    /// Rounds in all, those of unfinished blocks included.
    rounds: usize,
    /// The values of the blocks, launch by launch.
    values: Vec<f64>,
}

impl Blocks {
    /// The blocks of the differences (log units) of each launch's rounds; `least`: rounds in a block as long as there are
    /// few. No block reaches over the end of a launch, and an unfinished one is not used yet.
    ///
    /// None if a difference is not finite.
    pub fn of(launches: &[Vec<f64>], least: usize) -> Option<Self> {
        if launches
            .iter()
            .flatten()
            .any(|difference| !difference.is_finite())
        {
            return None;
        }
        let rounds = launches.iter().map(Vec::len).sum();
        let length = length(rounds, least.max(1));
        let values = launches.iter().flat_map(|launch| block_values(launch, length));
        Some(Self {
            length,
            rounds,
            values: values.collect(),
        })
    }

    /// The mean of the blocks: of one launch, the Huber centre of the rounds in them. None before the first.
    pub fn centre(&self) -> Option<f64> {
        (!self.values.is_empty()).then(|| mean(&self.values))
    }

    /// The interval at any time, with the chance `alpha` (strictly between 0 and 1) of ever missing the truth of these
    /// launches. None with fewer than three blocks, and for an `alpha` of 0.3% or less with three.
    pub fn interval(&self, alpha: f64) -> Option<Interval> {
        let radius = tseq::radius(self.values.len(), alpha)?;
        Some(Interval::around(self.centre()?, radius * self.spread()?))
    }

    /// About how many more rounds until the interval lies on one side of ±`margin` (log units) or inside, if centre and
    /// spread stay what they are; with too few blocks for a spread, until there is an interval.
    pub fn more_rounds(&self, alpha: f64, margin: f64) -> Option<u32> {
        let distance = self.centre().map_or(0.0, |centre| (centre.abs() - margin).abs());
        let spread = self.spread();
        let decided = |&n: &usize| {
            tseq::radius(n, alpha)
                .is_some_and(|radius| spread.is_none_or(|spread| radius * spread < distance))
        };
        let blocks = (self.values.len().max(1)..=HORIZON).find(decided)?;
        Some((blocks * self.length).saturating_sub(self.rounds).max(1) as u32)
    }

    /// The standard deviation of independent values whose mean would be as uncertain as that of these.
    fn spread(&self) -> Option<f64> {
        let (mean, sd) = tseq::mean_and_sd(&self.values)?;
        let r = self.correlation(mean, sd);
        let inflated = sd * ((1.0 + r) / (1.0 - r)).sqrt();
        Some(inflated.hypot(tseq::LEAST_SPREAD))
    }

    /// The correlation of neighbouring blocks: what these show, made up for its bias of −(1 + 3r)/n, and the belief.
    /// Between two launches a step counts as correlation, so that launches that differ have a wide interval.
    fn correlation(&self, mean: f64, sd: f64) -> f64 {
        let count = self.values.len() as f64;
        let squares = sd * sd * (count - 1.0);
        let lagged: f64 = self
            .values
            .windows(2)
            .map(|pair| (pair[0] - mean) * (pair[1] - mean))
            .sum();
        let seen = if squares > 0.0 { lagged / squares } else { 0.0 };
        let unbiased = seen + (1.0 + 3.0 * seen.max(0.0)) / count;
        let weighed = (count * unbiased + BELIEF_BLOCKS * BELIEF) / (count + BELIEF_BLOCKS);
        weighed.clamp(0.0, MOST_CORRELATED)
    }
}

/// Rounds in a block: `least`, doubled until there are no more than [`MOST_BLOCKS`].
fn length(rounds: usize, least: usize) -> usize {
    let mut length = least;
    while rounds / length > MOST_BLOCKS {
        length *= 2;
    }
    length
}

/// The values of a launch's whole blocks.
fn block_values(launch: &[f64], length: usize) -> Vec<f64> {
    let used = &launch[..launch.len() - launch.len() % length];
    // Blocks of one round are few: the scale of three rounds is next to nothing where two of them are alike by chance, and
    // to clip by it would hide how far off the third is.
    let scale = huber::robust_sd(used).filter(|scale| *scale > 0.0 && length > 1);
    match (huber::centre(used), scale) {
        (Some(centre), Some(scale)) => clipped_values(used, length, centre, scale),
        _ => used.chunks(length).map(mean).collect(),
    }
}

/// Their mean is the Huber centre of all.
fn clipped_values(rounds: &[f64], length: usize, centre: f64, scale: f64) -> Vec<f64> {
    let scores: Vec<f64> = rounds.iter().map(|round| (round - centre) / scale).collect();
    let free = scores.iter().filter(|score| score.abs() < CLIP).count().max(1);
    let step = scale * rounds.len() as f64 / free as f64;
    let clipped: Vec<f64> = scores.into_iter().map(clipped).collect();
    clipped
        .chunks(length)
        .map(|block| centre + step * mean(block))
        .collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::prng::Prng;

    fn blocks(rounds: &[f64]) -> Blocks {
        Blocks::of(&[rounds.to_vec()], 4).unwrap()
    }

    fn normal(prng: &mut Prng, count: usize) -> Vec<f64> {
        (0..count).map(|_| prng.normal()).collect()
    }

    #[test]
    fn blocks_become_longer_with_the_rounds() {
        for (rounds, expected) in [
            (0, 4),
            (12, 4),
            (259, 4),
            (260, 8),
            (519, 8),
            (520, 16),
            (100_000, 2048),
        ] {
            assert_eq!(length(rounds, 4), expected, "{rounds}");
        }
        assert_eq!((length(64, 1), length(65, 1)), (1, 2));
    }

    #[test]
    fn an_interval_by_hand() {
        // Blocks of one round, none of which is clipped (median 0.02, robust sd 0.0297, most 1.35 of them):
        // values −0.02, 0, 0.02, 0.04, 0.06; mean 0.02, sd 0.0316228.
        // Lagged products about 0.02, in 10⁻⁴: 8 + 0 + 0 + 8 = 16 of squares 40: 0.4; + (1 + 1.2)/5 = 0.84.
        // r = (5·0.84 + 14)/25 = 0.728; (1.728/0.272) = 6.35294; sd·2.52050 = 0.0797053, with 0.0015: 0.0797194.
        // Radius for 5 at 5%: (√501/0.05)^0.4 = 11.5 (447.66^0.4 = 11.494); x = 10.494/(1 − 11.494/501) = 10.740;
        // √(4·10.740/5) = 2.9313.
        let rounds = [-0.02, 0.0, 0.02, 0.04, 0.06];
        let interval = Blocks::of(&[rounds.to_vec()], 1).unwrap().interval(0.05).unwrap();
        assert!(
            (interval.high - 0.02 - 0.0797194 * 2.9313).abs() < 1e-4,
            "{interval:?}"
        );
        assert!((interval.low + interval.high - 0.04).abs() < 1e-12);
    }

    #[test]
    fn there_is_an_interval_from_the_third_block_on() {
        let mut prng = Prng::new(3);
        let rounds = normal(&mut prng, 16);
        assert_eq!(blocks(&rounds[..11]).interval(0.05), None);
        assert!(blocks(&rounds[..12]).interval(0.05).is_some());
        // Eight comparisons at 5% in all; with twenty the fourth block is needed.
        assert!(blocks(&rounds[..12]).interval(0.05 / 8.0).is_some());
        assert_eq!(blocks(&rounds[..12]).interval(0.05 / 20.0), None);
        assert!(blocks(&rounds).interval(0.05 / 20.0).is_some());
        assert_eq!(blocks(&[]).centre(), None);
        assert_eq!(Blocks::of(&[vec![f64::NAN]], 4), None);
    }

    #[test]
    fn an_unfinished_block_waits() {
        let mut prng = Prng::new(9);
        let rounds = normal(&mut prng, 83);
        assert_eq!(
            blocks(&rounds).interval(0.05),
            blocks(&rounds[..80]).interval(0.05)
        );
        let two = [rounds[..10].to_vec(), rounds[10..20].to_vec()];
        assert_eq!(
            Blocks::of(&two, 4).unwrap().values.len(),
            4,
            "none reaches over a launch"
        );
    }

    #[test]
    fn the_centre_is_hubers_and_a_burst_moves_a_block_a_little() {
        let mut prng = Prng::new(4);
        let mut rounds = normal(&mut prng, 40);
        let before = blocks(&rounds);
        assert!((before.centre().unwrap() - huber::centre(&rounds).unwrap()).abs() < 1e-12);
        rounds[7] += 1000.0;
        let (calm, burst) = (
            before.interval(0.05).unwrap(),
            blocks(&rounds).interval(0.05).unwrap(),
        );
        assert!(burst.width() < 1.5 * calm.width(), "{calm:?} {burst:?}");
    }

    #[test]
    fn equal_rounds_have_the_least_spread() {
        let interval = blocks(&[0.1; 12]).interval(0.05).unwrap();
        assert!((interval.width() / 2.0 - 6.2114 * 0.0015).abs() < 1e-5);
    }

    #[test]
    fn it_follows_shift_and_scale() {
        for seed in 1..=100 {
            let mut prng = Prng::new(seed);
            let count = 12 + prng.below(300);
            let rounds = normal(&mut prng, count);
            let moved: Vec<f64> = rounds.iter().map(|value| 5.0 - 3.0 * value).collect();
            let (one, other) = (blocks(&rounds), blocks(&moved));
            assert!(
                (other.centre().unwrap() - (5.0 - 3.0 * one.centre().unwrap())).abs() < 1e-9,
                "seed {seed}"
            );
            let ratio = other.spread().unwrap() / one.spread().unwrap();
            // The least spread, 0.15%, does not scale.
            assert!((ratio - 3.0).abs() < 1e-3, "seed {seed}: {ratio}");
        }
    }

    #[test]
    fn rounds_that_hold_together_have_a_wider_interval() {
        let mut wider = 0;
        for seed in 1..=50 {
            let mut prng = Prng::new(seed);
            let mut state = 0.0;
            let mut rounds = Vec::new();
            for _ in 0..200 {
                state = 0.8 * state + 0.6 * prng.normal();
                rounds.push(state);
            }
            let together = blocks(&rounds).interval(0.05).unwrap().width();
            prng.shuffle(&mut rounds);
            wider += u32::from(together > 1.5 * blocks(&rounds).interval(0.05).unwrap().width());
        }
        assert!(wider >= 45, "{wider} of 50 (seeds 1 to 50)");
    }

    #[test]
    fn launches_that_differ_have_a_wide_interval() {
        let mut prng = Prng::new(8);
        let calm: Vec<f64> = (0..20).map(|_| 0.01 * prng.normal()).collect();
        let shifted: Vec<f64> = calm.iter().map(|value| value + 0.1).collect();
        let same = Blocks::of(&[calm.clone(), calm.clone()], 4).unwrap();
        let other = Blocks::of(&[calm, shifted], 4).unwrap();
        let width = |blocks: &Blocks| blocks.interval(0.05).unwrap().width();
        assert!(width(&other) > 5.0 * width(&same));
        assert!(other.interval(0.05).unwrap().contains(0.05));
    }

    #[test]
    fn predictions_come_true_if_nothing_changes() {
        // Too few for a spread: the rounds of three blocks.
        assert_eq!(blocks(&[0.1; 5]).more_rounds(0.05, 0.01), Some(7));
        assert_eq!(blocks(&[]).more_rounds(0.05, 0.01), Some(12));
        let mut prng = Prng::new(2);
        let some: Vec<f64> = (0..16).map(|_| 0.05 + 0.02 * prng.normal()).collect();
        let few = blocks(&some);
        let needed = few.more_rounds(0.05, 0.01).unwrap();
        let (n, distance) = (4 + needed as usize / 4, few.centre().unwrap().abs() - 0.01);
        let reach = |n| tseq::radius(n, 0.05).unwrap() * few.spread().unwrap();
        assert!(
            needed > 0 && reach(n) < distance && reach(n - 1) >= distance,
            "{needed}"
        );
    }
}
