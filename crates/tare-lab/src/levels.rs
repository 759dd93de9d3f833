//! The number of connections at which a contender does best. It is chosen in the pilot and then fixed; it is never the
//! maximum of the measured rounds.

use tare_analysis::{LEVEL_ROUNDS, median};
use tare_model::metric::Metric;
use tare_model::record::Phase;
use tare_model::units::Seconds;

use crate::experiment::Experiment;
use crate::group::GroupState;
use crate::sink::SinkError;

/// The most rounds at each level.
const MOST_ROUNDS: u32 = 12;

/// The part of the time until the launch's rounds end that the pilot may take beyond its least rounds.
const SHARE: f64 = 0.2;

/// A level whose median is closer to the best than so many standard errors may be the best.
const CONTESTED: f64 = 2.0;

/// The variance of a median over that of a mean.
const OF_A_MEDIAN: f64 = 1.57;

/// What an entrant did at a level in one slice.
#[derive(Debug, Clone, Copy)]
struct Tried {
    level: u32,
    entrant: usize,
    /// The logarithm of its throughput.
    log: f64,
}

impl Experiment<'_> {
    /// Chooses each entrant's level in every mode that offers several, for each size by itself. `deadline`: when the launch's
    /// rounds end.
    pub(crate) fn set_levels(
        &mut self,
        group: &mut GroupState<'_>,
        deadline: Seconds,
    ) -> Result<(), SinkError> {
        let now = self.rig.now();
        let until = Seconds(now.0 + SHARE * (deadline.0 - now.0));
        for arena in 0..group.arenas.len() {
            if group.plan.mode_of(arena).driving.connections.len() > 1 {
                self.set_levels_of(group, arena, until)?;
            }
        }
        Ok(())
    }

    /// Some rounds at all levels, and more at those that may be somebody's best. A contender that is measured at the wrong one is
    /// so in every launch, and no interval shows it.
    fn set_levels_of(
        &mut self,
        group: &mut GroupState<'_>,
        arena: usize,
        until: Seconds,
    ) -> Result<(), SinkError> {
        let mut tried: Vec<Tried> = Vec::new();
        let mut levels = group.plan.mode_of(arena).driving.connections.clone();
        for round in 0..MOST_ROUNDS {
            if round >= LEVEL_ROUNDS {
                levels = contested(&tried, group.levels[arena].len());
                if levels.is_empty() || self.rig.now() >= until {
                    break;
                }
            }
            self.random.shuffle(&mut levels);
            for &level in &levels {
                self.try_level(group, arena, level, &mut tried)?;
            }
        }
        for entrant in 0..group.levels[arena].len() {
            if let Some((level, _)) = best(&medians(&tried, entrant)) {
                group.levels[arena][entrant] = level;
            }
        }
        Ok(())
    }

    fn try_level(
        &mut self,
        group: &mut GroupState<'_>,
        arena: usize,
        level: u32,
        tried: &mut Vec<Tried>,
    ) -> Result<(), SinkError> {
        let plan = group.plan;
        group.levels[arena].fill(level);
        let before = group.arenas[arena].slices.len();
        let number = group.next_pilot_round(arena);
        self.round(
            group,
            0,
            self.round_of(plan, arena, Phase::Pilot, number, LEVEL_ROUNDS),
        )?;
        let slices = &group.arenas[arena].slices[before..];
        tried.extend(slices.iter().filter_map(|slice| {
            let value = slice.reading.value(Metric::Throughput)?;
            Some(Tried {
                level,
                entrant: slice.entrant,
                // A slice without an answer is worse than any with one.
                log: value.max(f64::MIN_POSITIVE).ln(),
            })
        }));
        Ok(())
    }
}

/// An entrant's logarithms at a level.
fn logs(tried: &[Tried], entrant: usize, level: u32) -> Vec<f64> {
    let mine = tried
        .iter()
        .filter(|one| (one.entrant, one.level) == (entrant, level));
    mine.map(|one| one.log).collect()
}

/// An entrant's median at each level that it was tried at, rising.
fn medians(tried: &[Tried], entrant: usize) -> Vec<(u32, f64)> {
    let mut levels: Vec<u32> = tried
        .iter()
        .filter(|one| one.entrant == entrant)
        .map(|one| one.level)
        .collect();
    levels.sort_unstable();
    levels.dedup();
    levels
        .into_iter()
        .filter_map(|level| Some((level, median(logs(tried, entrant, level))?)))
        .collect()
}

/// The level with the highest median.
fn best(medians: &[(u32, f64)]) -> Option<(u32, f64)> {
    medians.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))
}

/// The levels that may be the best of any entrant, where more than one may be.
fn contested(tried: &[Tried], entrants: usize) -> Vec<u32> {
    let mut levels: Vec<u32> = (0..entrants)
        .flat_map(|entrant| contested_by(tried, entrant))
        .collect();
    levels.sort_unstable();
    levels.dedup();
    levels
}

fn contested_by(tried: &[Tried], entrant: usize) -> Vec<u32> {
    let medians = medians(tried, entrant);
    let Some((_, highest)) = best(&medians) else {
        return Vec::new();
    };
    let variance = variance(tried, entrant, &medians);
    let count = |level: u32| logs(tried, entrant, level).len() as f64;
    let open = |&&(level, median): &&(u32, f64)| {
        let error = (OF_A_MEDIAN * variance * 2.0 / count(level)).sqrt();
        highest - median < CONTESTED * error
    };
    let open: Vec<u32> = medians.iter().filter(open).map(|(level, _)| *level).collect();
    // One of them is the best itself.
    if open.len() > 1 { open } else { Vec::new() }
}

/// The variance of an entrant's logarithms within a level, from all levels: a few slices of one do not show it.
fn variance(tried: &[Tried], entrant: usize, medians: &[(u32, f64)]) -> f64 {
    let (mut squares, mut freedom) = (0.0, 0.0);
    for &(level, _) in medians {
        let logs = logs(tried, entrant, level);
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        squares += logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>();
        freedom += logs.len() as f64 - 1.0;
    }
    squares / f64::max(freedom, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(of: &[(u32, usize, f64)]) -> Vec<Tried> {
        let one = |&(level, entrant, value): &(u32, usize, f64)| Tried {
            level,
            entrant,
            log: value.ln(),
        };
        of.iter().map(one).collect()
    }

    #[test]
    fn the_best_level_is_the_one_with_the_highest_median() {
        let tried = tried(&[
            (16, 0, 1.0),
            (64, 0, 3.0),
            (16, 0, 9.0),
            (64, 0, 3.0),
            (16, 0, 1.0),
            (64, 1, 99.0),
        ]);
        assert_eq!(best(&medians(&tried, 0)).map(|best| best.0), Some(64));
        assert_eq!(best(&medians(&tried, 2)), None);
    }

    /// A contender at its rate at each of three levels, in rounds with this noise.
    fn rounds(rates: [f64; 3], noise: &[f64]) -> Vec<(u32, usize, f64)> {
        let levels = [4, 16, 64].into_iter().zip(rates);
        levels
            .flat_map(|(level, rate)| noise.iter().map(move |noise| (level, 0, rate * noise)))
            .collect()
    }

    #[test]
    fn levels_that_noise_hides_are_contested() {
        let quiet = tried(&rounds([250.0, 210.0, 100.0], &[0.99, 1.0, 1.01]));
        assert_eq!(contested(&quiet, 1), [0; 0]);
        let noisy = tried(&rounds([250.0, 210.0, 100.0], &[0.85, 1.0, 1.2]));
        assert_eq!(contested(&noisy, 1), [4, 16], "64 is out");
        let more = [0.85, 1.0, 1.2].repeat(4);
        assert_eq!(
            contested(&tried(&rounds([250.0, 210.0, 100.0], &more)), 1),
            [0; 0]
        );
        assert_eq!(contested(&[], 3), [0; 0]);
    }

    #[test]
    fn a_slice_without_an_answer_is_no_reason_to_go_on() {
        let dead = tried(&rounds(
            [250.0, f64::MIN_POSITIVE, f64::MIN_POSITIVE],
            &[0.99, 1.0, 1.01],
        ));
        assert_eq!(contested(&dead, 1), [0; 0]);
        assert_eq!(best(&medians(&dead, 0)).map(|best| best.0), Some(4));
    }
}
