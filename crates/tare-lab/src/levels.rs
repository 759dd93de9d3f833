//! The number of connections at which a contender does best. It is chosen in the pilot and then fixed; it is never the
//! maximum of the measured rounds.

use tare_analysis::{LEVEL_ROUNDS, median};
use tare_model::metric::Metric;
use tare_model::record::Phase;

use crate::experiment::Experiment;
use crate::group::GroupState;
use crate::sink::SinkError;

impl Experiment<'_> {
    /// Chooses each entrant's level in every mode that offers several, for each size by itself.
    pub(crate) fn set_levels(&mut self, group: &mut GroupState<'_>) -> Result<(), SinkError> {
        for arena in 0..group.arenas.len() {
            if group.plan.mode_of(arena).driving.connections.len() > 1 {
                self.set_levels_of(group, arena)?;
            }
        }
        Ok(())
    }

    fn set_levels_of(&mut self, group: &mut GroupState<'_>, arena: usize) -> Result<(), SinkError> {
        let plan = group.plan;
        let driving = &plan.mode_of(arena).driving;
        let mut tried: Vec<(u32, usize, f64)> = Vec::new();
        let mut number = group.next_pilot_round(arena);
        for _ in 0..LEVEL_ROUNDS {
            let mut levels = driving.connections.clone();
            self.random.shuffle(&mut levels);
            for level in levels {
                group.levels[arena].fill(level);
                let before = group.arenas[arena].slices.len();
                self.round(
                    group,
                    0,
                    self.round_of(plan, arena, Phase::Pilot, number, LEVEL_ROUNDS),
                )?;
                number += 1;
                let slices = &group.arenas[arena].slices[before..];
                let values = slices.iter().filter_map(|slice| {
                    slice
                        .reading
                        .value(Metric::Throughput)
                        .map(|value| (level, slice.entrant, value))
                });
                tried.extend(values);
            }
        }
        for entrant in 0..group.levels[arena].len() {
            if let Some(level) = best(&tried, entrant) {
                group.levels[arena][entrant] = level;
            }
        }
        Ok(())
    }
}

/// The level with the highest median.
fn best(tried: &[(u32, usize, f64)], entrant: usize) -> Option<u32> {
    let mut levels: Vec<u32> = tried
        .iter()
        .filter(|(_, who, _)| *who == entrant)
        .map(|(level, ..)| *level)
        .collect();
    levels.sort_unstable();
    levels.dedup();
    let at = |level: u32| {
        let mine = tried
            .iter()
            .filter(|(at, who, _)| *who == entrant && *at == level);
        median(mine.map(|(.., value)| *value).collect())
    };
    levels
        .into_iter()
        .max_by(|a, b| at(*a).unwrap_or(0.0).total_cmp(&at(*b).unwrap_or(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_level_is_the_one_with_the_highest_median() {
        let tried = [
            (16, 0, 1.0),
            (64, 0, 3.0),
            (16, 0, 9.0),
            (64, 0, 3.0),
            (16, 0, 1.0),
            (64, 1, 99.0),
        ];
        assert_eq!(best(&tried, 0), Some(64));
        assert_eq!(best(&tried, 2), None);
    }
}
