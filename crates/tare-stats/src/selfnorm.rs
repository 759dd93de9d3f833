//! A provisional interval from the rounds of one launch: the clipped self-normalised confidence sequence.
//!
//! Measured in random order, a round's difference is symmetric around the truth δ given all rounds before it. So is
//! its clipped score, and for symmetric scores Yᵢ with S = ΣYᵢ and V = ΣYᵢ², exp(λS − λ²V/2) is a
//! supermartingale for every λ and any tails (de la Peña, Annals of Probability 27, 1999). Mixed over λ ~
//! N(0, 1/ρ) and bounded by Ville's inequality (Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49,
//! 2021) that gives, for all rounds at once,
//!
//! ```text
//! |S(δ)| ≤ √( (V(δ) + ρ)·ln( (V(δ) + ρ)/(α²ρ) ) )         ρ = t_opt / (−2 ln α + ln(1 − 2 ln α))
//! ```
//!
//! The scale in the score comes from pilot rounds, which are not used again. Dependent rounds (a contender
//! with good and bad phases) are not symmetric given the past, so scores are summed in clusters that are long enough to
//! be nearly independent, and the cluster sums are the Yᵢ.
//!
//! It says nothing about other starts of the same program, so it is provisional.

use crate::huber::{self, clipped};
use crate::interval::Interval;
use crate::verdict::{Judgement, Side, Sign, log_margin};

/// Pilot rounds that a sequence should be given.
pub const PILOT_ROUNDS: usize = 64;

/// The V (about: rounds) at which the sequence is narrowest.
const BEST_AT: f64 = 60.0;

/// What the pilot rounds show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pilot {
    /// Robust standard deviation of a round's difference.
    pub scale: f64,
    /// Autocorrelation of the clipped scores at lag one.
    pub autocorrelation: f64,
    /// Rounds in a cluster.
    pub cluster: usize,
}

/// The rounds so far, with an interval that is valid after any of them.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundSequence {
    pilot: Pilot,
    rounds: Vec<f64>,
}

/// Where a value lies relative to the confidence set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Below,
    Inside,
    Above,
}

impl Pilot {
    /// Estimates scale and clusters from pilot differences (log units).
    ///
    /// None with fewer than 8, with one that is not finite, and where more than half are equal (no scale).
    pub fn from_rounds(differences: &[f64]) -> Option<Self> {
        let centre = huber::centre(differences).filter(|_| differences.len() >= 8)?;
        let scale = huber::robust_sd(differences).filter(|&scale| scale > 0.0)?;
        let scores: Vec<f64> = differences
            .iter()
            .map(|d| clipped((d - centre) / scale))
            .collect();
        let squares: f64 = scores.iter().map(|score| score * score).sum();
        let lagged: f64 = scores.windows(2).map(|pair| pair[0] * pair[1]).sum();
        let autocorrelation = lagged / squares;
        Some(Self {
            scale,
            autocorrelation,
            cluster: cluster(autocorrelation, differences.len()),
        })
    }

    /// The factor by which autocorrelation multiplies the rounds needed; 1 without autocorrelation.
    fn inflation(&self) -> f64 {
        let r = self.autocorrelation.clamp(0.0, 0.95);
        (1.0 + r) / (1.0 - r)
    }
}

/// b = ⌈1.5(1 + r)/(1 − r)⌉ with r half a standard error above what the pilot showed: 1.5 times the variance of a
/// sum of AR(1) values over that of independent ones.
fn cluster(autocorrelation: f64, pilot_rounds: usize) -> usize {
    let r = (autocorrelation + 0.5 / (pilot_rounds as f64).sqrt()).clamp(-0.95, 0.97);
    (1.5 * (1.0 + r) / (1.0 - r)).ceil() as usize
}

/// −2 ln α + ln(1 − 2 ln α).
fn price(alpha: f64) -> f64 {
    let bits = -2.0 * alpha.ln();
    bits + bits.ln_1p()
}

impl RoundSequence {
    /// A sequence without rounds yet.
    pub fn new(pilot: Pilot) -> Self {
        Self {
            pilot,
            rounds: Vec::new(),
        }
    }

    /// Adds the difference of one more round, which must be finite (log units; no pilot round).
    pub fn push(&mut self, difference: f64) {
        self.rounds.push(difference);
    }

    /// Rounds so far. An unfinished cluster at the end is not used yet.
    pub fn rounds(&self) -> usize {
        self.rounds.len()
    }

    /// What the pilot showed.
    pub fn pilot(&self) -> Pilot {
        self.pilot
    }

    /// The interval at any time, with the chance `alpha` (strictly between 0 and 1) of ever missing the truth.
    ///
    /// None while the set is unbounded on a side: too few rounds.
    pub fn interval(&self, alpha: f64) -> Option<Interval> {
        let used = self.used();
        let centre = self.root(used)?;
        let beyond = 2.0 * huber::CLIP * self.pilot.scale;
        let (low, high) = used
            .iter()
            .fold((centre, centre), |(low, high), &d| (low.min(d), high.max(d)));
        Some(Interval {
            low: self.end(centre, low - beyond, Place::Below, alpha)?,
            high: self.end(centre, high + beyond, Place::Above, alpha)?,
        })
    }

    /// Whether the sequence at `alpha` holds this difference now.
    pub(crate) fn covers(&self, delta: f64, alpha: f64) -> bool {
        self.place(delta, alpha) == Place::Inside
    }

    /// The judgement of the interval at `alpha` against a margin (a ratio minus one, at least 0), without computing its ends.
    pub fn judge(&self, alpha: f64, margin: f64) -> Judgement {
        let margin = log_margin(margin);
        let bounded = self.bounded(alpha);
        let [low, zero, high] = [-margin, 0.0, margin].map(|delta| self.place(delta, alpha));
        let verdict = match (low, high) {
            (Place::Above, _) if bounded => Sign::Below,
            (_, Place::Below) if bounded => Sign::Above,
            (Place::Below, Place::Above) if bounded => Sign::Within,
            _ => Sign::Inconclusive,
        };
        let side = match zero {
            Place::Above if bounded => Side::Below,
            Place::Below if bounded => Side::Above,
            _ => Side::Astride,
        };
        Judgement { verdict, side }
    }

    /// Whether there are enough rounds for any interval: whether a δ that clips every score is excluded.
    fn bounded(&self, alpha: f64) -> bool {
        let far = self.used().iter().copied().reduce(f64::min);
        far.is_some_and(|least| {
            self.place(least - 2.0 * huber::CLIP * self.pilot.scale, alpha) == Place::Below
        })
    }

    /// About how many rounds in all until an interval at `alpha` lies `distance` (log units) away from its centre:
    /// 8 + 9.5(σ/distance)² at α = 5%, more for smaller α and for autocorrelated rounds.
    pub fn rounds_needed(&self, alpha: f64, distance: f64) -> Option<u32> {
        let needed = rounds_needed(self.pilot.scale, distance, alpha)? * self.pilot.inflation();
        (needed < f64::from(u32::MAX)).then(|| needed.ceil() as u32)
    }

    fn used(&self) -> &[f64] {
        let whole = self.rounds.len() - self.rounds.len() % self.pilot.cluster;
        &self.rounds[..whole]
    }

    /// Where the sum of scores is zero: the Huber centre for the pilot's scale, by bisection.
    fn root(&self, used: &[f64]) -> Option<f64> {
        let sum = |delta: f64| {
            used.iter()
                .map(|d| clipped((d - delta) / self.pilot.scale))
                .sum::<f64>()
        };
        let low = used.iter().copied().reduce(f64::min)?;
        let high = used.iter().copied().reduce(f64::max)?;
        Some(bisect(low, high, |delta| sum(delta) > 0.0))
    }

    /// The end of the set between its centre and a point where every score is clipped.
    fn end(&self, centre: f64, far: f64, outside: Place, alpha: f64) -> Option<f64> {
        if self.place(far, alpha) != outside {
            return None;
        }
        Some(bisect(centre, far, |delta| {
            self.place(delta, alpha) == Place::Inside
        }))
    }

    fn place(&self, delta: f64, alpha: f64) -> Place {
        let (mut sum, mut squares) = (0.0, 0.0);
        for cluster in self.used().chunks(self.pilot.cluster) {
            let score: f64 = cluster
                .iter()
                .map(|d| clipped((d - delta) / self.pilot.scale))
                .sum();
            sum += score;
            squares += score * score;
        }
        let rho = BEST_AT / price(alpha);
        let bound = ((squares + rho) * ((squares + rho) / (alpha * alpha * rho)).ln()).sqrt();
        if sum > bound {
            Place::Below
        } else if sum < -bound {
            Place::Above
        } else {
            Place::Inside
        }
    }
}

/// 8 + 9.5(σ/δ)² rounds at α = 5%, the second part in proportion to the sequence's price at other α. None if
/// the distance is zero or not known.
pub fn rounds_needed(sd: f64, distance: f64, alpha: f64) -> Option<f64> {
    let needed = 8.0 + 9.5 * (sd / distance).powi(2) * price(alpha) / price(0.05);
    needed.is_finite().then_some(needed)
}

/// The point between `from`, where `holds` is true, and `to`, where it is false, at which it changes.
fn bisect(mut from: f64, mut to: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (from + to);
        if middle == from || middle == to {
            break;
        }
        if holds(middle) { from = middle } else { to = middle }
    }
    0.5 * (from + to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::prng::Prng;

    const UNCLUSTERED: Pilot = Pilot {
        scale: 1.0,
        autocorrelation: 0.0,
        cluster: 1,
    };

    fn sequence(pilot: Pilot, rounds: &[f64]) -> RoundSequence {
        let mut sequence = RoundSequence::new(pilot);
        rounds.iter().for_each(|&d| sequence.push(d));
        sequence
    }

    #[test]
    fn clusters_by_hand() {
        // r = 0 + 0.0625: 1.5·1.0625/0.9375 = 1.7. r = 0.8625: 1.5·1.8625/0.1375 = 20.3. r = −0.4375: 0.59.
        assert_eq!(cluster(0.0, 64), 2);
        assert_eq!(cluster(0.8, 64), 21);
        assert_eq!(cluster(-0.5, 64), 1);
        assert_eq!(cluster(1.0, 64), 99);
    }

    #[test]
    fn an_end_by_hand() {
        // 100 rounds of ±0.5 in turn: at δ = 0, S = 0, V = 25. At δ with |δ| < 1 nothing is clipped:
        // S = −100δ, V = 25 + 100δ². ρ = 60/(5.9915 + ln 6.9915) = 7.5604. The end solves
        // 100δ = √((V + ρ) ln((V + ρ)/(0.0025·ρ))): δ = 0.1708 gives V + ρ = 35.48, ln(1877.1) = 7.5375,
        // √267.4 = 16.35; δ = 0.1634 gives 35.23, 7.5305, 16.288; δ = 0.16286: 16.287.
        let rounds: Vec<f64> = (0..100).map(|i| if i % 2 == 0 { 0.5 } else { -0.5 }).collect();
        let interval = sequence(UNCLUSTERED, &rounds).interval(0.05).unwrap();
        assert!((interval.high - 0.16287).abs() < 1e-4, "{interval:?}");
        assert!((interval.low + interval.high).abs() < 1e-9);
    }

    #[test]
    fn too_few_rounds_give_no_interval() {
        assert_eq!(sequence(UNCLUSTERED, &[]).interval(0.05), None);
        assert_eq!(sequence(UNCLUSTERED, &[0.1, 0.2, 0.3]).interval(0.05), None);
        assert_eq!(Pilot::from_rounds(&[0.1, 0.2, 0.3]), None);
        assert_eq!(Pilot::from_rounds(&[0.1; 64]), None);
    }

    #[test]
    fn an_unfinished_cluster_waits() {
        let pilot = Pilot {
            cluster: 4,
            ..UNCLUSTERED
        };
        let mut prng = Prng::new(9);
        let rounds: Vec<f64> = (0..83).map(|_| prng.normal()).collect();
        let whole = sequence(pilot, &rounds[..80]).interval(0.05);
        assert!(whole.is_some());
        assert_eq!(sequence(pilot, &rounds).interval(0.05), whole);
    }

    #[test]
    fn the_ends_bound_the_set_and_follow_shift_scale_and_alpha() {
        for seed in 1..=60u64 {
            let mut prng = Prng::new(seed);
            let pilot: Vec<f64> = (0..64).map(|_| prng.student2()).collect();
            let pilot = Pilot::from_rounds(&pilot).unwrap();
            let rounds: Vec<f64> = (0..60 + prng.below(200)).map(|_| prng.student2()).collect();
            let given = sequence(pilot, &rounds);
            let Some(interval) = given.interval(0.05) else {
                continue;
            };
            let width = interval.width();
            for step in 0..400 {
                let delta = interval.low - width + 3.0 * width * f64::from(step) / 399.0;
                let clear = (delta - interval.low).abs().min((delta - interval.high).abs()) > 1e-9 * width;
                let agree = given.covers(delta, 0.05) == interval.contains(delta);
                assert!(!clear || agree, "seed {seed}: {delta} against {interval:?}");
            }
            for margin in [0.0, 0.05, 0.2, 0.5, 2.0] {
                let judged = crate::verdict::judge(Some(interval), margin);
                assert_eq!(
                    given.judge(0.05, margin),
                    judged,
                    "seed {seed}, margin {margin}: {interval:?}"
                );
            }
            let narrower = given.interval(0.2).unwrap();
            assert!(
                interval.low <= narrower.low && narrower.high <= interval.high,
                "seed {seed}"
            );
            let scaled = Pilot {
                scale: 3.0 * pilot.scale,
                ..pilot
            };
            let moved: Vec<f64> = rounds.iter().map(|d| 5.0 - 3.0 * d).collect();
            let mirrored = sequence(scaled, &moved).interval(0.05).unwrap();
            assert!(
                (mirrored.low - (5.0 - 3.0 * interval.high)).abs() < 1e-8,
                "seed {seed}"
            );
        }
    }

    #[test]
    fn predictions_are_of_the_right_size() {
        // σ/δ = 4: 8 + 9.5·16 = 160 rounds.
        assert_eq!(rounds_needed(0.04, 0.01, 0.05), Some(160.0));
        assert_eq!(rounds_needed(0.04, 0.0, 0.05), None);
        let mut when = Vec::new();
        for seed in 1..=40 {
            let mut prng = Prng::new(seed);
            let mut rounds = RoundSequence::new(UNCLUSTERED);
            while rounds.covers(0.0, 0.05) {
                rounds.push(0.25 + prng.normal());
            }
            when.push(rounds.rounds() as f64);
        }
        let median = huber::median(&when).unwrap();
        assert!(
            median > 80.0 && median < 240.0,
            "{median} against 160 predicted (seeds 1 to 40)"
        );
    }
}
