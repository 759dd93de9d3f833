//! What a run is expected to do, before it starts.

use tare_model::estimate::PRECISE;
use tare_model::forecast::{Forecast, GroupForecast, ModeForecast};
use tare_model::metric::Mode;
use tare_model::units::Seconds;
use tare_stats::rounds::LEAST_LAUNCHES;
use tare_stats::{multiplicity, tseq};

use crate::budget::equal_share;
use crate::group::GroupState;
use crate::plan::{Group, Plan, Rules};
use crate::turns::{self, Share, Stand};

/// The standard deviation of a pair's log ratio from launch to launch, by the way of driving: the medians over the runs in
/// docs/results, on two cores of a virtual machine.
fn typical_spread(mode: Mode, in_process: bool) -> f64 {
    match mode {
        _ if in_process => 0.026,
        Mode::Cost => 0.037,
        Mode::Capacity => 0.045,
        Mode::Batch => 0.054,
        // Runs of a command and of a benchmark differ as those of a batch do.
        Mode::Command | Mode::Benchmark => 0.054,
    }
}

/// What the plan is expected to do, if nothing is decided before the budget ends.
pub fn forecast(plan: &Plan) -> Forecast {
    let rules = &plan.rules;
    let share = equal_share(rules, &plan.groups);
    let groups = plan.groups.iter().enumerate();
    let states: Vec<GroupState<'_>> = groups
        .map(|(index, group)| GroupState::new(index, group, rules, share))
        .collect();
    let stands: Vec<Stand> = states
        .iter()
        .map(|state| Stand {
            open: state.plan.taking_part() > 0,
            ..state.stand()
        })
        .collect();
    let learned: Vec<f64> = states.iter().map(|state| state.pace.learned()).collect();
    let most: Vec<u32> = plan
        .groups
        .iter()
        .map(|group| most_launches(group, rules))
        .collect();
    let measured = rules
        .budget
        .map(|budget| simulated(rules, (&stands, &learned), (share, &most), budget.0));
    let launches = |index: usize| match &measured {
        Some(measured) => Some(measured[index].0),
        None => rules.launches,
    };
    let length = |index: usize| measured.as_ref().map_or(stands[index].length, |all| all[index].1);
    let groups = plan.groups.iter().enumerate();
    let groups: Vec<GroupForecast> = groups
        .map(|(index, group)| GroupForecast {
            workload: group.workload.clone(),
            case: group.case.clone(),
            sizes: group.sweep.as_ref().map(|sweep| sweep.sizes.len()),
            in_process: group.in_process,
            contenders: group.taking_part(),
            launches: launches(index),
            least: stands[index].least,
            launch: Seconds(length(index)),
            needs: Seconds(stands[index].time_for(stands[index].aimed)),
            needs_at_least: Seconds(f64::from(stands[index].least) * stands[index].shortest),
            stored: group.expected.as_ref().map(|expected| expected.runs),
            modes: group
                .modes
                .iter()
                .map(|mode| of_mode(group, mode.driving.mode, launches(index), rules))
                .collect(),
        })
        .collect();
    let fits = groups.iter().all(|group| group.launches != Some(0));
    Forecast {
        budget: rules.budget,
        enough: (!fits).then(|| Seconds(groups.iter().map(|group| group.needs.0).sum())),
        groups,
    }
}

/// The number of launches of each group, and how long one of them takes, if nothing is decided and the lengths are as
/// expected: at first, and of launches that learned from those before them.
fn simulated(
    rules: &Rules,
    (expected, learned): (&[Stand], &[f64]),
    (equal, most): (Share, &[u32]),
    budget: f64,
) -> Vec<(u32, f64)> {
    let in_order = rules.in_order();
    let mut stands = expected.to_vec();
    let mut shares = vec![equal; stands.len()];
    let mut left = budget;
    loop {
        let next = if in_order {
            turns::next(&stands, left)
        } else {
            let open = (0..stands.len()).filter(|&index| stands[index].open);
            open.min_by_key(|&index| stands[index].own)
        };
        let Some(next) = next else { break };
        if in_order && stands[next].own == 0 {
            shares[next] = turns::share(&stands, next, left);
        }
        let stand = &mut stands[next];
        let cut = |length: f64| length.min(shares[next].aimed.max(stand.shortest));
        let longest = cut(expected[next].length);
        let has_learned = stand.launches as usize >= LEAST_LAUNCHES;
        let length = if has_learned { cut(learned[next]) } else { longest };
        let first = if stand.own == 0 { stand.first } else { 0.0 };
        if stand.own >= most[next] || (stand.own > 0 && left < 0.9 * longest) || left <= 0.0 {
            stand.open = false;
            continue;
        }
        left -= length + first;
        stand.own += 1;
        stand.launches += 1;
        stand.length = longest;
    }
    stands.iter().map(|stand| (stand.own, stand.length)).collect()
}

/// The number of launches after which a group ends: as many as were asked for; of a contender that is compared with nothing as
/// many as describe it.
fn most_launches(group: &Group, rules: &Rules) -> u32 {
    let asked = rules.launches.unwrap_or(u32::MAX);
    if group.lone().is_none() {
        return asked;
    }
    let described = |mode: &Mode| {
        let (spread, _) = spread(group, *mode);
        let precise =
            |n: &usize| half_width(*n, group.alpha(rules), spread).is_some_and(|width| width <= PRECISE);
        (1..1000).find(precise).map_or(u32::MAX, |n| n as u32)
    };
    let modes = group.modes.iter().map(|mode| mode.driving.mode);
    modes
        .map(|mode| described(&mode))
        .max()
        .unwrap_or(u32::MAX)
        .min(asked)
}

/// The spread of a mode, and whether it is a typical one.
fn spread(group: &Group, mode: Mode) -> (f64, bool) {
    let stored = group.expected.as_ref().and_then(|expected| {
        let mut modes = expected.spread.iter();
        modes.find(|(of, _)| *of == mode).map(|(_, spread)| *spread)
    });
    (
        stored.unwrap_or_else(|| typical_spread(mode, group.in_process)),
        stored.is_none(),
    )
}

fn half_width(launches: usize, alpha: f64, spread: f64) -> Option<f64> {
    let radius = tseq::radius(launches, alpha)?;
    Some((radius * spread.hypot(tseq::LEAST_SPREAD)).exp_m1())
}

fn of_mode(group: &Group, mode: Mode, launches: Option<u32>, rules: &Rules) -> ModeForecast {
    let (spread, typical) = spread(group, mode);
    let rivals = group.rivals();
    let rivals = rivals.filter(|&entrant| group.entrants[entrant].fault.is_none());
    let alpha = multiplicity::against_baseline(group.alpha(rules), rivals.count());
    // Within one launch, intervals come from its rounds.
    let launches = launches.filter(|_| !rules.one_launch()).unwrap_or(0);
    ModeForecast {
        mode,
        spread,
        typical,
        half_width: half_width(launches as usize, alpha, spread),
    }
}
