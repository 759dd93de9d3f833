//! Net costs: the part above the floor.

use tare_model::estimate::Estimate;
use tare_model::metric::Metric;
use tare_model::record::ArenaRecord;
use tare_model::results::ContenderResult;
use tare_stats::net;

use crate::convert::as_estimate;
use crate::field::{Field, Pairing};
use crate::values::Values;

/// Whether a part of a metric can be the floor's: only additive costs.
fn adds_up(metric: Metric) -> bool {
    matches!(metric, Metric::CpuPerOp | Metric::TimePerOp | Metric::Duration)
}

/// Fills in each contender's part above the floor.
pub(crate) fn estimate(
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

/// The ratio of nets; none without a floor, or where the baseline's net cannot be distinguished from zero.
pub(crate) fn ratio(values: &Values, pair: Pairing, floor: Option<usize>) -> Option<Estimate> {
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
