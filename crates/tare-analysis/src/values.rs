//! One metric's values, by launch, round and entrant.

use tare_model::metric::{Metric, Mode};
use tare_model::record::{ArenaRecord, LaunchRecord, Phase};

/// Round, entrant; none for an entrant without a value in a round.
type Table = Vec<Vec<Option<f64>>>;

/// Values of one metric. Of several nodes a launch is a unit of [`tare_stats::nodes`]: one launch on each, whose values are geometric
/// means, since their logarithms are compared.
pub(crate) struct Values {
    pub metric: Metric,
    /// Launch, round, entrant.
    pub rounds: Vec<Table>,
    /// Rounds in a block of a provisional interval, at the least; none where launches are blocks themselves.
    pub block: Option<usize>,
}

impl Values {
    pub(crate) fn of(arena: &ArenaRecord, metric: Metric) -> Self {
        let launches = arena.launches.iter();
        let tables: Vec<Table> = launches.map(|launch| table(arena, metric, launch)).collect();
        Self {
            metric,
            rounds: units(arena).iter().map(|unit| together(unit, &tables)).collect(),
            block: block(arena.mode),
        }
    }

    /// Those of one node.
    pub(crate) fn of_node(arena: &ArenaRecord, metric: Metric, node: u32) -> Self {
        let launches = arena.launches.iter().filter(|launch| launch.node == node);
        Self {
            metric,
            rounds: launches.map(|launch| table(arena, metric, launch)).collect(),
            block: block(arena.mode),
        }
    }

    /// ln(a) − ln(b) in each round of a launch in which both have a value.
    pub(crate) fn differences(&self, launch: usize, a: usize, b: usize) -> Vec<f64> {
        self.rounds[launch]
            .iter()
            .filter_map(|round| Some(round[a]?.ln() - round[b]?.ln()))
            .collect()
    }

    /// An entrant's centre in each launch: the Huber centre of its logarithms.
    pub(crate) fn centres(&self, entrant: usize) -> Vec<Option<f64>> {
        let centre = |values: Vec<f64>| {
            let logs: Vec<f64> = values.into_iter().map(f64::ln).collect();
            tare_stats::huber::centre(&logs).map(f64::exp)
        };
        self.of_entrant(entrant).into_iter().map(centre).collect()
    }

    /// An entrant's values by launch.
    pub(crate) fn of_entrant(&self, entrant: usize) -> Vec<Vec<f64>> {
        let of_launch =
            |rounds: &Vec<Vec<Option<f64>>>| rounds.iter().filter_map(|round| round[entrant]).collect();
        self.rounds.iter().map(of_launch).collect()
    }
}

/// Rounds in the shortest block of a provisional interval. A batch is a whole job of half a second or more, which is as
/// long as several slices of the other modes; the runs of a command are fresh starts, and a launch is a block of them.
pub fn block(mode: Mode) -> Option<usize> {
    match mode {
        Mode::Capacity | Mode::Cost => Some(4),
        Mode::Batch => Some(1),
        Mode::Command | Mode::Benchmark => None,
    }
}

/// The nodes that have a launch, in order.
pub(crate) fn nodes(arena: &ArenaRecord) -> Vec<u32> {
    let mut nodes: Vec<u32> = arena.launches.iter().map(|launch| launch.node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// The places of the launches of each unit: with one node each launch by itself.
fn units(arena: &ArenaRecord) -> Vec<Vec<usize>> {
    let of: Vec<u32> = arena.launches.iter().map(|launch| launch.node).collect();
    tare_stats::nodes::units(&of)
}

/// The launches of a unit as one.
fn together(unit: &[usize], launches: &[Table]) -> Table {
    if let [alone] = unit {
        return launches[*alone].clone();
    }
    let tables: Vec<&Table> = unit.iter().map(|&launch| &launches[launch]).collect();
    let rounds = tables.iter().map(|table| table.len()).min().unwrap_or(0);
    let entrants = |round: usize| tables.iter().map(|table| table[round].len()).min().unwrap_or(0);
    let value =
        |round: usize, entrant: usize| geometric_mean(tables.iter().map(|table| table[round][entrant]));
    (0..rounds)
        .map(|round| {
            (0..entrants(round))
                .map(|entrant| value(round, entrant))
                .collect()
        })
        .collect()
}

/// None unless all have a value.
fn geometric_mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let logs: Vec<f64> = values.map(|value| value.map(f64::ln)).collect::<Option<_>>()?;
    Some((logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

fn table(arena: &ArenaRecord, metric: Metric, launch: &LaunchRecord) -> Table {
    let entrants = arena.entrants.len();
    let mut rounds = Table::new();
    for slice in arena.slices_of(launch.number, Phase::Round) {
        let round = slice.round as usize;
        if rounds.len() <= round {
            rounds.resize(round + 1, vec![None; entrants]);
        }
        rounds[round][slice.entrant] = slice.reading.value(metric);
    }
    rounds
}

/// Number of launches with at least one measured round; of several nodes, on each of them.
pub(crate) fn launches(arena: &ArenaRecord) -> u32 {
    let measured = |launch: &LaunchRecord| arena.slices_of(launch.number, Phase::Round).next().is_some();
    let measured: Vec<bool> = arena.launches.iter().map(measured).collect();
    let counted = units(arena).into_iter();
    counted
        .filter(|unit| unit.iter().all(|&launch| measured[launch]))
        .count() as u32
}

/// Number of measured rounds, over all launches.
pub(crate) fn rounds(arena: &ArenaRecord) -> u32 {
    let counted = arena.slices.iter().filter(|slice| slice.phase == Phase::Round);
    let mut seen: Vec<(u32, u32)> = counted.map(|slice| (slice.launch, slice.round)).collect();
    seen.sort_unstable();
    seen.dedup();
    seen.len() as u32
}

/// Whether a contender has a slice of a measured round.
pub(crate) fn has_rounds(arena: &ArenaRecord, entrant: usize) -> bool {
    arena
        .slices
        .iter()
        .any(|slice| slice.entrant == entrant && slice.phase == Phase::Round)
}
