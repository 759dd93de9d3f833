//! The figures of a benchmark's samples, by quantity, launch, round and side.

use std::collections::BTreeMap;

use tare_model::benchmark::BEFORE;
use tare_model::figure::{Figure, Quantity};
use tare_model::metric::Metric;
use tare_model::record::{ArenaRecord, Phase, SliceRecord};

/// The value of each side in a round: before, after.
type Round = [Option<f64>; 2];

/// One quantity of a benchmark, or one part of it.
pub(super) struct Series {
    pub quantity: Quantity,
    pub part: String,
    /// The coarsest step that it was printed in.
    pub step: Option<f64>,
    /// By launch and round.
    launches: BTreeMap<u32, BTreeMap<u32, Round>>,
}

/// Everything that the measured rounds of a benchmark yielded.
pub(super) struct Samples {
    /// The quantity that it is judged by.
    pub primary: Option<Quantity>,
    /// The primary quantity first, else as it was printed.
    pub series: Vec<Series>,
}

pub(super) fn of(arena: &ArenaRecord) -> Samples {
    let earlier: Vec<bool> = arena.entrants.iter().map(|one| one.id.name == BEFORE).collect();
    let mut all: Vec<Series> = Vec::new();
    for slice in arena.slices.iter().filter(|slice| slice.phase == Phase::Round) {
        let side = usize::from(!earlier[slice.entrant]);
        let figures = &slice.reading.figures;
        for figure in figures {
            put(&mut all, slice, side, figure);
        }
        let timed = |figure: &Figure| figure.quantity == Quantity::Time;
        let own = slice.reading.value(Metric::TimePerOp);
        if let Some(value) = own.filter(|_| !figures.iter().any(timed)) {
            put(&mut all, slice, side, &Figure::time(value));
        }
    }
    let primary = primary(&all);
    all.sort_by_key(|series| Some(&series.quantity) != primary.as_ref());
    Samples { primary, series: all }
}

fn put(all: &mut Vec<Series>, slice: &SliceRecord, side: usize, figure: &Figure) {
    let same = |series: &Series| series.quantity == figure.quantity && series.part == figure.part;
    let at = all.iter().position(same).unwrap_or_else(|| {
        all.push(Series {
            quantity: figure.quantity.clone(),
            part: figure.part.clone(),
            step: None,
            launches: BTreeMap::new(),
        });
        all.len() - 1
    });
    let series = &mut all[at];
    series.step = match (series.step, figure.step) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    };
    let launch = series.launches.entry(slice.launch).or_default();
    launch.entry(slice.round).or_default()[side] = Some(figure.value);
}

/// The quantity that a benchmark is judged by: its time; where it gives none, the first that is measured and says which way
/// is better; else what is counted.
fn primary(all: &[Series]) -> Option<Quantity> {
    let first = |which: fn(&Quantity) -> bool| {
        let mut quantities = all.iter().map(|series| &series.quantity);
        quantities.find(|quantity| which(quantity))
    };
    let found = first(|quantity| *quantity == Quantity::Time)
        .or_else(|| first(|quantity| !quantity.counted() && quantity.better().is_some()))
        .or_else(|| first(Quantity::counted));
    found.cloned()
}

impl Series {
    /// ln(after) − ln(before) of each round in which both have one, by launch; without launches that have none.
    pub(super) fn differences(&self) -> Vec<Vec<f64>> {
        let of_round = |round: &Round| Some(round[1]?.ln() - round[0]?.ln());
        let launches = self.launches.values();
        let differences = launches.map(|rounds| rounds.values().filter_map(of_round).collect());
        differences
            .filter(|rounds: &Vec<f64>| !rounds.is_empty())
            .collect()
    }

    /// The values of a side by launch.
    pub(super) fn of_side(&self, side: usize) -> Vec<Vec<f64>> {
        let launches = self.launches.values();
        launches
            .map(|rounds| rounds.values().filter_map(|round| round[side]).collect())
            .collect()
    }

    /// All values of a side.
    pub(super) fn values(&self, side: usize) -> Vec<f64> {
        self.of_side(side).concat()
    }
}
