//! Which benchmarks a pass measures, and for how many rounds.
//!
//! Budget goes where doubt is: once each has some launches, two passes of three are only for those that can be decided in the
//! time left, if they go on as they did. All of this may look at results, since the sequences and the e-values hold at any
//! moment that is chosen by looking (docs/statistics.md, many benchmarks).

/// The least number of launches that a verdict rests on.
pub(super) const LEAST_PASSES: u32 = 3;

/// Passes of all that are open, before any is preferred: what fewer launches predict is little.
const FIRST_PASSES: u32 = 6;

/// After these, every so many passes are of all that are open: what looked hopeless may have been bad luck.
const EVERY: u32 = 3;

/// The number of passes that a budget is divided among. Among a hundred benchmarks the interval of 20 launches of one round is
/// less than half as wide as that of 6 launches of three.
const AIMED_PASSES: u32 = 20;

/// The most rounds of a launch. The centre of four is robust against one burst of noise; further ones are better launches.
const MOST_ROUNDS: u32 = 4;

/// The least rounds of a launch where layouts are drawn: the spread within launches shows what layout adds.
const LAYOUT_ROUNDS: u32 = 2;

/// A benchmark that is open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Open {
    /// Its group.
    pub group: usize,
    /// What one launch of it takes, in seconds.
    pub launch: f64,
    /// Launches that a verdict is predicted to take; none where it is too far away, or unknown.
    pub needed: Option<u32>,
}

impl Open {
    /// The time until its verdict.
    fn time_needed(&self) -> Option<f64> {
        Some(f64::from(self.needed?) * self.launch)
    }
}

/// Time for passes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Time {
    /// What is left, in seconds.
    pub left: f64,
    /// What a pass takes before its first round: layouts are built.
    pub apart: f64,
    /// A round of all benchmarks.
    pub round: f64,
}

/// Rounds of a launch. `most`: the most passes, where each has layouts of its own.
pub(super) fn rounds(time: Time, most: Option<u32>) -> u32 {
    let aimed = f64::from(most.unwrap_or(AIMED_PASSES).clamp(1, AIMED_PASSES));
    let in_passes = |passes: f64| (time.left - passes * time.apart) / (passes * time.round.max(1e-9));
    let least = match most {
        Some(2..) if in_passes(f64::from(FIRST_PASSES)) >= f64::from(LAYOUT_ROUNDS) => LAYOUT_ROUNDS,
        _ => 1,
    };
    (in_passes(aimed).max(0.0) as u32).clamp(least, MOST_ROUNDS)
}

/// The groups that the next pass measures, in the order of the plan. Empty: nothing fits in the time left.
pub(super) fn takers(pass: u32, open: &[Open], time: Time) -> Vec<usize> {
    let left = time.left - time.apart;
    let of_all = pass < FIRST_PASSES || pass.is_multiple_of(EVERY);
    let mut chosen = if of_all { Vec::new() } else { promising(open, left) };
    if chosen.is_empty() {
        chosen = fitting(pass, open, left);
    }
    chosen.sort_unstable();
    chosen
}

/// Those that can be decided in the time left, those that take the least time first.
fn promising(open: &[Open], left: f64) -> Vec<usize> {
    let mut nearest: Vec<(f64, &Open)> = open
        .iter()
        .filter_map(|one| Some((one.time_needed()?, one)))
        .collect();
    nearest.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sum = 0.0;
    let mut fits = |needed: f64| {
        sum += needed;
        sum <= left
    };
    let chosen = nearest.into_iter().take_while(|(needed, _)| fits(*needed));
    chosen.map(|(_, one)| one.group).collect()
}

/// As many as fit: as long as there is no verdict, the first of the plan; later those that are nearest to one.
fn fitting(pass: u32, open: &[Open], left: f64) -> Vec<usize> {
    let mut order: Vec<&Open> = open.iter().collect();
    if pass >= LEAST_PASSES {
        order.sort_by_key(|one| one.needed.unwrap_or(u32::MAX));
    }
    let mut sum = 0.0;
    let mut fits = |one: &&Open| {
        let with = sum + one.launch;
        let fits = with <= left;
        if fits {
            sum = with;
        }
        fits
    };
    order.retain(|one| fits(one));
    order.into_iter().map(|one| one.group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(group: usize, launch: f64, needed: Option<u32>) -> Open {
        Open {
            group,
            launch,
            needed,
        }
    }

    fn time(left: f64) -> Time {
        Time {
            left,
            apart: 0.0,
            round: 1.0,
        }
    }

    #[test]
    fn a_larger_budget_has_more_passes_before_it_has_longer_launches() {
        let of = |left: f64, most: Option<u32>| rounds(time(left), most);
        assert_eq!((of(6.0, None), of(39.0, None)), (1, 1));
        assert_eq!((of(40.0, None), of(79.0, None), of(1e9, None)), (2, 3, 4));
        assert_eq!(of(f64::INFINITY, None), 4);
        // Eight layouts: no more than eight launches.
        assert_eq!(
            (of(11.0, Some(8)), of(12.0, Some(8)), of(32.0, Some(8))),
            (1, 2, 4)
        );
        let building = Time {
            apart: 4.0,
            ..time(40.0)
        };
        assert_eq!(rounds(building, Some(8)), 2);
        assert_eq!(rounds(building, Some(1)), 4);
    }

    #[test]
    fn at_first_all_have_launches() {
        let all = [open(0, 1.0, None), open(1, 1.0, Some(1)), open(3, 1.0, None)];
        assert_eq!(takers(0, &all, time(3.0)), [0, 1, 3]);
        assert_eq!(takers(5, &all, time(100.0)), [0, 1, 3]);
        // Without a verdict yet, the first.
        assert_eq!(takers(2, &all, time(2.0)), [0, 1]);
        assert_eq!(takers(2, &all, time(0.5)), [] as [usize; 0]);
    }

    #[test]
    fn later_those_that_can_be_decided_and_at_times_all() {
        let all = [
            open(0, 1.0, None),
            open(1, 1.0, Some(9)),
            open(2, 1.0, Some(2)),
            open(3, 3.0, Some(4)),
        ];
        assert_eq!(takers(7, &all, time(20.0)), [1, 2]);
        assert_eq!(takers(8, &all, time(10.0)), [2]);
        assert_eq!(takers(9, &all, time(20.0)), [0, 1, 2, 3]);
        // None can be decided: those that fit, the nearest first.
        assert_eq!(takers(7, &all, time(1.5)), [2]);
        assert_eq!(takers(9, &all, time(2.5)), [1, 2]);
        assert_eq!(takers(7, &[open(0, 1.0, None)], time(1.0)), [0]);
    }

    #[test]
    fn layouts_take_their_time() {
        let slow = Time {
            apart: 5.0,
            ..time(6.0)
        };
        assert_eq!(takers(4, &[open(0, 1.0, None), open(1, 1.0, None)], slow), [0]);
    }
}
