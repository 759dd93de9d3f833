//! The common rate of the cost mode: half of the slowest contender's capacity.

use tare_analysis::median;
use tare_model::fault::{Fault, FaultKind};
use tare_model::metric::{Metric, Mode};
use tare_model::record::{ArenaRecord, Phase};
use tare_model::units::PerSecond;

use crate::experiment::Experiment;
use crate::group::GroupState;
use crate::sink::{Event, SinkError};

/// A contender whose capacity is less than this part of the group's median is far outside: a rate that it can sustain
/// would leave the others almost idle.
const FAR_OUTSIDE: f64 = 1.0 / 20.0;

/// The largest part of a contender's capacity that a fixed rate may use: beyond it queues grow without limit.
const SUSTAINABLE: f64 = 0.9;

impl Experiment<'_> {
    /// Sets the rate of each cost mode from the capacities seen in the warm-up, and excludes
    /// contenders that cannot sustain it.
    pub(crate) fn set_rates(&mut self, group: &mut GroupState<'_>) -> Result<(), SinkError> {
        for mode in 0..group.plan.modes.len() {
            if group.plan.modes[mode].driving.mode == Mode::Cost {
                self.set_rate(group, mode)?;
            }
        }
        Ok(())
    }

    /// All sizes have the same rate: the costs of a server also depend on how idle it is.
    fn set_rate(&mut self, group: &mut GroupState<'_>, mode: usize) -> Result<(), SinkError> {
        let arenas = group.plan.arenas_of(mode);
        let capacities = capacities(group, arenas.start);
        let Some(rate) = group.rates[arenas.start].or_else(|| common_rate(&capacities)) else {
            return Ok(());
        };
        let beyond = |capacity: &f64| capacity * SUSTAINABLE < rate.0;
        for (entrant, capacity) in capacities.into_iter().filter(|(_, capacity)| beyond(capacity)) {
            let fault = cannot_sustain(PerSecond(capacity), rate);
            let who = group.who(entrant);
            for arena in arenas.clone() {
                group.fail_in(arena, entrant, 0, &fault);
                self.sink.event(&Event::Failed {
                    who,
                    arena: Some(arena),
                    launch: 1,
                    fault: &fault,
                })?;
            }
            if !group.alive().contains(&entrant) {
                self.stop_one(who)?;
            }
        }
        for arena in arenas {
            group.rates[arena] = Some(rate);
            group.arenas[arena].driving.set_rate(rate);
            self.sink.event(&Event::Rate {
                group: group.index,
                arena,
                rate,
                record: &group.arenas[arena],
            })?;
        }
        Ok(())
    }
}

/// Half of the least capacity that is not far outside, to two significant digits. Two, so that reports read well.
fn common_rate(capacities: &[(usize, f64)]) -> Option<PerSecond> {
    let all: Vec<f64> = capacities.iter().map(|(_, capacity)| *capacity).collect();
    let least = median(all.clone())? * FAR_OUTSIDE;
    let slowest = all
        .into_iter()
        .filter(|capacity| *capacity >= least)
        .min_by(f64::total_cmp)?;
    Some(PerSecond(two_digits(slowest / 2.0)))
}

fn two_digits(value: f64) -> f64 {
    let unit = 10f64.powf(value.log10().floor() - 1.0);
    (value / unit).floor() * unit
}

/// Each live entrant's median throughput over the last ten warm-up slices, at the size where that is least: of those
/// that settled, if any did.
fn capacities(group: &GroupState<'_>, arena: usize) -> Vec<(usize, f64)> {
    let all: Vec<(usize, f64)> = group
        .alive_in(arena)
        .into_iter()
        .filter_map(|entrant| Some((entrant, capacity(group, entrant)?)))
        .collect();
    let steady: Vec<(usize, f64)> = all
        .iter()
        .copied()
        .filter(|(entrant, _)| settled(group, *entrant))
        .collect();
    if steady.is_empty() { all } else { steady }
}

fn capacity(group: &GroupState<'_>, entrant: usize) -> Option<f64> {
    let warmed = &group.arenas[group.plan.arenas_of(0)];
    let at_each = warmed.iter().filter_map(|arena| capacity_in(arena, entrant));
    at_each.min_by(f64::total_cmp)
}

fn capacity_in(arena: &ArenaRecord, entrant: usize) -> Option<f64> {
    let slices = arena
        .slices_of(0, Phase::WarmUp)
        .filter(|slice| slice.entrant == entrant);
    let mut last: Vec<f64> = slices
        .filter_map(|slice| slice.reading.value(Metric::Throughput))
        .collect();
    median(last.split_off(last.len().saturating_sub(10)))
}

fn settled(group: &GroupState<'_>, entrant: usize) -> bool {
    let records = group.arenas[0].launches.iter().flat_map(|launch| &launch.steady);
    records
        .filter(|record| record.entrant == entrant)
        .all(|record| record.steady)
}

fn cannot_sustain(capacity: PerSecond, rate: PerSecond) -> Fault {
    let text = format!(
        "cannot sustain the common rate: it answered {capacity} in the warm-up, the rate is {rate}; to include it in this \
         comparison, set a lower one with --rate"
    );
    Fault::new(FaultKind::OutOfReach, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_slowest_that_is_not_far_outside() {
        let rate = |values: &[f64]| {
            let pairs: Vec<(usize, f64)> = values.iter().copied().enumerate().collect();
            common_rate(&pairs).map(|rate| rate.0)
        };
        assert_eq!(rate(&[150_000.0, 25_300.0, 110_000.0]), Some(12_000.0));
        assert_eq!(rate(&[150_000.0, 4_000.0, 110_000.0]), Some(55_000.0));
        assert_eq!(rate(&[7.0]), Some(3.5));
        assert_eq!(rate(&[]), None);
    }
}
