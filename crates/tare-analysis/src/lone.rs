//! A contender that is compared with nothing: how well its own figure is known.

use tare_model::record::ArenaRecord;

use crate::values::Values;

/// How far the interval of an entrant's primary figure reaches to each side, as a share of the figure. None while it has no
/// interval.
pub fn own_half_width(arena: &ArenaRecord, entrant: usize) -> Option<f64> {
    let values = Values::of(arena, arena.primary);
    let found = tare_stats::mean::over_launches(&values.of_entrant(entrant), arena.alpha)?;
    let interval = found.interval?;
    Some((interval.high / interval.low).sqrt() - 1.0)
}
