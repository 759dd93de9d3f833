//! How long a run of one launch takes that is to tell something soon.

use std::time::Duration;

use tare_model::metric::Mode;

use crate::choose::ChosenCase;

/// The least time for a case in one mode: ten contenders start and warm up in half of it, and the other half holds the 30
/// rounds of a second each that a provisional interval takes to be of use.
const LEAST: Duration = Duration::from_secs(60);

/// For each contender beyond those.
const EACH: Duration = Duration::from_secs(6);

/// The time for one launch of each case in the modes that are asked for (none: those of the case).
pub fn quick_budget(chosen: &[ChosenCase], modes: &[Mode]) -> Duration {
    let of = |one: &ChosenCase| {
        let modes = if modes.is_empty() {
            one.case.modes.len()
        } else {
            modes.len()
        };
        time_for(one.contenders.len(), modes.max(1) as u32 * sizes(one))
    };
    chosen.iter().map(of).sum()
}

/// The time for so many contenders in each of so many arenas.
fn time_for(contenders: usize, arenas: u32) -> Duration {
    LEAST.max(EACH * contenders as u32) * arenas
}

/// The sizes that need rounds of their own; in process they are so short that all of them fit.
fn sizes(one: &ChosenCase) -> u32 {
    match &one.case.sweep {
        Some(sweep) if one.case.job.in_process().is_none() => sweep.sizes.len() as u32,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_contenders_take_a_minute_and_more_of_them_more() {
        for (contenders, arenas, seconds) in [
            (1, 1, 60),
            (2, 1, 60),
            (10, 1, 60),
            (15, 1, 90),
            (10, 2, 120),
            (12, 5, 360),
        ] {
            assert_eq!(time_for(contenders, arenas), Duration::from_secs(seconds));
        }
    }
}
