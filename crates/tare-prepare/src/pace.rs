//! How the time for commands is divided: runs in a slice, rounds in a block.

use std::time::Duration;

/// Seconds. Shorter slices were autocorrelated in trials in process, and storing them would take as long as they do.
const SLICE: f64 = 0.010;
/// The most runs in a slice.
const MOST_RUNS: f64 = 20.0;
/// Blocks in a budget. Enough of them that the first look at the results comes early, and so few that
/// what correlates rounds lies within a block.
const BLOCKS: f64 = 40.0;
/// The most rounds of a block.
const MOST_ROUNDS: f64 = 1000.0;
/// The most rounds of a block, where the number of runs is fixed.
const FIXED_ROUNDS: u32 = 20;
/// The fewest blocks, where the number of runs is fixed and can be divided so.
const FIXED_BLOCKS: u32 = 10;
/// The budget where none is given; without any, blocks are as long as with this one.
const USUAL: Duration = Duration::from_secs(60);
/// The budget of a single command, which is compared with nothing.
const ALONE: Duration = Duration::from_secs(5);

/// What was asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Wish {
    /// Exactly this number of runs of each.
    pub runs: Option<u32>,
    /// At least this number of runs of each, even if it is decided before.
    pub least_runs: Option<u32>,
    /// At most this number of runs of each, decided or not.
    pub most_runs: Option<u32>,
    /// Until every question is decided.
    pub until_decided: bool,
    /// The longest that it may take.
    pub budget: Option<Duration>,
}

/// How the time is divided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pace {
    /// The longest that it may take; none: until decided, or until the blocks are measured.
    pub budget: Option<Duration>,
    /// The number of blocks; none: as many as the budget holds.
    pub launches: Option<u32>,
    /// The number of blocks that are measured, even if everything is decided before.
    pub least: u32,
    /// Rounds of a block.
    pub rounds: u32,
    /// Runs in a slice.
    pub runs_in_slice: u32,
}

impl Pace {
    /// From how long one run took, by entrant (the floor last) and size; `commands`: the number of entrants without the
    /// floor.
    pub(crate) fn of(wish: Wish, commands: usize, walls: &[Vec<Duration>]) -> Self {
        if let Some(runs) = wish.runs {
            let rounds = block_of(runs);
            return Self {
                budget: None,
                launches: Some(runs / rounds),
                least: runs / rounds,
                rounds,
                runs_in_slice: 1,
            };
        }
        let usual = if commands > 1 { USUAL } else { ALONE };
        let budget = (!wish.until_decided).then(|| wish.budget.unwrap_or(usual));
        let all = || walls.iter().flatten().map(Duration::as_secs_f64);
        let slowest = walls
            .iter()
            .take(commands)
            .flatten()
            .map(Duration::as_secs_f64)
            .fold(0.0, f64::max);
        let runs_in_slice = (SLICE / slowest.max(1e-6)).ceil().clamp(1.0, MOST_RUNS);
        let round = all().sum::<f64>() * runs_in_slice;
        let block = budget.unwrap_or(usual).as_secs_f64() / BLOCKS;
        let pace = Self {
            budget,
            launches: None,
            least: 1,
            rounds: (block / round.max(1e-6)).round().clamp(1.0, MOST_ROUNDS) as u32,
            runs_in_slice: runs_in_slice as u32,
        };
        pace.between(wish, all().sum())
    }

    /// The same with the fewest and the most runs that were asked for; `once`: how long one run of each takes, in seconds.
    fn between(self, wish: Wish, once: f64) -> Self {
        let (least, most) = (wish.least_runs.unwrap_or(1), wish.most_runs);
        let mut pace = self;
        if let Some(most) = most {
            // Of few runs, blocks are short: an interval is made of blocks.
            pace.runs_in_slice = pace.runs_in_slice.clamp(1, (most / FIXED_BLOCKS).max(1));
            let each = most / pace.runs_in_slice / FIXED_BLOCKS;
            let fits =
                |rounds: &u32| most / (rounds * pace.runs_in_slice) * (rounds * pace.runs_in_slice) >= least;
            let rounds = (1..=pace.rounds.min(each.max(1))).rev().find(fits);
            pace.rounds = rounds.unwrap_or_else(|| {
                // As many as that come only one by one.
                pace.runs_in_slice = 1;
                1
            });
            pace.launches = Some(most / (pace.rounds * pace.runs_in_slice));
        }
        pace.least = least.div_ceil(pace.rounds * pace.runs_in_slice);
        // A budget that nobody set gives way to what somebody asked for.
        if wish.budget.is_none() {
            let needed = Duration::from_secs_f64(1.5 * once * f64::from(least));
            pace.budget = pace.budget.map(|budget| budget.max(needed));
        }
        pace
    }
}

/// The largest block that divides a number of runs and leaves ten blocks; one where none does.
fn block_of(runs: u32) -> u32 {
    let fits = |block: &u32| runs.is_multiple_of(*block) && runs / block >= FIXED_BLOCKS;
    (1..=FIXED_ROUNDS).rev().find(fits).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(wish: Wish, millis: &[f64]) -> Pace {
        let wall = |millis: &f64| vec![Duration::from_secs_f64(millis / 1e3)];
        Pace::of(wish, 2, &millis.iter().map(wall).collect::<Vec<_>>())
    }

    #[test]
    fn blocks_fit_the_budget() {
        let of = |wish: Wish, millis: &[f64]| {
            let pace = pace(wish, millis);
            (pace.rounds, pace.runs_in_slice)
        };
        let usual = Wish::default();
        let long = Wish {
            budget: Some(Duration::from_secs(600)),
            ..usual
        };
        let endless = Wish {
            until_decided: true,
            ..usual
        };
        assert_eq!(of(usual, &[50.0, 50.0, 1.0]), (15, 1));
        assert_eq!(of(usual, &[1.0, 1.0, 0.5]), (60, 10));
        assert_eq!(of(usual, &[5000.0, 5000.0, 1.0]), (1, 1));
        assert_eq!(of(long, &[5000.0, 2000.0, 1.0]), (2, 1));
        assert_eq!(pace(endless, &[50.0, 50.0, 1.0]).budget, None);
        assert_eq!(
            Pace::of(usual, 1, &[vec![Duration::from_millis(50)]]).budget,
            Some(ALONE)
        );
    }

    #[test]
    fn the_fewest_and_the_most_runs_are_kept_to() {
        let walls = [0.3, 5.0, 50.0, 5000.0];
        for wall in walls {
            for (least, most) in [
                (1, 1),
                (5, 5),
                (1, 10),
                (37, 37),
                (36, 37),
                (10, 100),
                (99, 1000),
                (1, 100_000),
            ] {
                let wish = Wish {
                    least_runs: Some(least),
                    most_runs: Some(most),
                    ..Wish::default()
                };
                let pace = pace(wish, &[wall, wall]);
                let block = pace.rounds * pace.runs_in_slice;
                let launches = pace.launches.unwrap();
                assert!(launches * block <= most, "{wall} {least} {most}: {pace:?}");
                assert!(
                    pace.least * block >= least && pace.least <= launches,
                    "{wall} {least} {most}: {pace:?}"
                );
                // Enough blocks for an interval, where there are as many runs.
                assert!(
                    launches >= most.min(FIXED_BLOCKS),
                    "{wall} {least} {most}: {pace:?}"
                );
            }
        }
        let wish = Wish {
            least_runs: Some(100),
            ..Wish::default()
        };
        let slow = pace(wish, &[5000.0, 5000.0]);
        assert_eq!((slow.least, slow.rounds), (100, 1));
        assert_eq!(
            slow.budget,
            Some(Duration::from_secs(1500)),
            "the usual minute holds six"
        );
        let told = Wish {
            budget: Some(Duration::from_secs(7)),
            ..wish
        };
        assert_eq!(pace(told, &[5000.0, 5000.0]).budget, told.budget);
    }

    #[test]
    fn a_number_of_runs_is_kept_to() {
        let expected = [
            (100, 10, 10),
            (1000, 50, 20),
            (37, 37, 1),
            (3, 3, 1),
            (25, 25, 1),
            (30, 10, 3),
        ];
        for (runs, blocks, rounds) in expected {
            let wish = Wish {
                runs: Some(runs),
                ..Wish::default()
            };
            let pace = pace(wish, &[1.0, 1.0]);
            assert_eq!((pace.launches, pace.rounds), (Some(blocks), rounds), "{runs}");
            assert_eq!(blocks * rounds, runs);
        }
    }
}
