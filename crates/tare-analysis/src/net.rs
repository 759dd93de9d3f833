//! The tare: what is above the floor.

use tare_model::metric::Metric;
use tare_model::record::ArenaRecord;
use tare_model::results::{ContenderResult, Estimate};
use tare_stats::net;

use super::Field;
use super::compare::Pairing;
use super::values::Values;

/// Metrics of which a part can be the floor's: costs that add up.
fn adds_up(metric: Metric) -> bool {
    matches!(metric, Metric::CpuPerOp | Metric::TimePerOp | Metric::Duration)
}

/// Fills in each contender's part above the floor.
pub(super) fn estimate(
    arena: &ArenaRecord,
    values: &Values,
    field: &Field,
    contenders: &mut [ContenderResult],
) {
    let Some(floor) = field.floor.filter(|_| adds_up(values.metric)) else {
        return;
    };
    let base = values.centres(floor);
    for &entrant in field.measured.iter().filter(|entrant| **entrant != floor) {
        let gross = values.centres(entrant);
        let pairs: Vec<(f64, f64)> = gross
            .iter()
            .zip(&base)
            .filter_map(|(a, b)| Some(((*a)?, (*b)?)))
            .collect();
        if let Some(found) = net::net(&pairs, arena.alpha) {
            contenders[entrant].net.insert(values.metric, as_estimate(&found));
        }
    }
}

/// The ratio of nets; none without a floor, or where the baseline's net cannot be told from zero.
pub(super) fn ratio(values: &Values, pair: Pairing, floor: Option<usize>) -> Option<Estimate> {
    let floor = floor.filter(|floor| adds_up(values.metric) && *floor != pair.a && *floor != pair.b)?;
    let (of_a, of_b, of_floor) = (
        values.centres(pair.a),
        values.centres(pair.b),
        values.centres(floor),
    );
    let launches: Vec<net::Gross> = (0..of_a.len())
        .filter_map(|launch| {
            Some(net::Gross {
                a: of_a[launch]?,
                floor: of_floor[launch]?,
                b: of_b[launch]?,
            })
        })
        .collect();
    net::ratio(&launches, pair.alpha)
        .ok()
        .map(|found| as_estimate(&found))
}

pub(super) fn as_estimate(found: &tare_stats::estimate::Estimate) -> Estimate {
    Estimate {
        estimate: found.value,
        low: found.interval.map(|interval| interval.low),
        high: found.interval.map(|interval| interval.high),
    }
}
