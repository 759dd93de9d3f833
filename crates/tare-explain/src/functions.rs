//! The functions whose cost differs most.

use std::collections::BTreeMap;

use tare_model::explanation::{FunctionCost, Layer, Sides};

use crate::costs::Costs;
use crate::layers::{Function, Say};

/// The number of rows of a table.
const MOST: usize = 60;

/// The costs of each function of one side: its own, that with everything it calls, and the layer of most of its own time.
pub(crate) type Table = BTreeMap<(String, String), Row>;

/// One function of one side.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    /// Its own cost.
    pub own: f64,
    /// Its cost with everything that it calls.
    pub total: f64,
    /// Whether a rule has a cause for it, which is then reported instead.
    pub caused: bool,
    layers: BTreeMap<Layer, f64>,
}

impl Row {
    /// The layer of most of its own time; of the time of what it calls, if it has none of its own.
    pub(crate) fn layer(&self) -> Layer {
        let most = self.layers.iter().max_by(|x, y| x.1.total_cmp(y.1));
        most.map_or(Layer::Unknown, |(layer, _)| *layer)
    }
}

/// Of one side.
pub(crate) fn of(costs: &Costs) -> Table {
    let rounds = costs.rounds.len() as f64;
    let mut rows: Vec<Row> = vec![Row::default(); costs.functions.len()];
    let mut counted = vec![usize::MAX; costs.functions.len()];
    for (number, stack) in costs.stacks.iter().enumerate() {
        let seconds = stack.seconds / rounds;
        if let Some(&first) = stack.functions.first() {
            rows[first].own += seconds;
            *rows[first].layers.entry(stack.layer).or_default() += seconds;
        }
        for &function in &stack.functions {
            // A recursive function is in a stack several times, and costs once.
            if counted[function] != number {
                counted[function] = number;
                rows[function].total += seconds;
            }
        }
    }
    let named = costs.functions.iter().zip(&costs.says).zip(rows);
    let mut table = Table::new();
    for ((function, say), row) in named {
        let known = table.entry(key(function)).or_default();
        known.caused |= matches!(say, Say::Pass(Some(_)) | Say::Layer(_, Some(_)));
        known.own += row.own;
        known.total += row.total;
        for (layer, seconds) in row.layers {
            *known.layers.entry(layer).or_default() += seconds;
        }
    }
    table
}

fn key(function: &Function) -> (String, String) {
    let name = if function.name.is_empty() {
        "(no name)"
    } else {
        &function.name
    };
    (name.to_owned(), function.image.clone())
}

/// The functions whose own cost differs most between a and b.
pub(crate) fn table(costs: &Sides<Costs>) -> Vec<FunctionCost> {
    let tables = Sides::new(costs.a.as_ref(), costs.b.as_ref(), costs.floor.as_ref()).map(of);
    let mut keys: Vec<&(String, String)> = [&tables.a, &tables.b]
        .into_iter()
        .flatten()
        .flat_map(Table::keys)
        .collect();
    keys.sort_unstable();
    keys.dedup();
    let row = |key: &(String, String)| {
        let of = |table: &Option<Table>, value: &dyn Fn(&Row) -> f64| {
            table.as_ref().map(|table| table.get(key).map_or(0.0, value))
        };
        let sides = |value: &dyn Fn(&Row) -> f64| {
            Sides::new(
                of(&tables.a, value),
                of(&tables.b, value),
                of(&tables.floor, value),
            )
        };
        let found = [&tables.b, &tables.a]
            .into_iter()
            .flatten()
            .filter_map(|table| table.get(key));
        let heaviest = found.max_by(|x, y| x.own.total_cmp(&y.own));
        FunctionCost {
            name: key.0.clone(),
            image: key.1.clone(),
            layer: heaviest.map_or(Layer::Unknown, Row::layer),
            own: sides(&|row| row.own),
            total: sides(&|row| row.total),
        }
    };
    let mut rows: Vec<FunctionCost> = keys.into_iter().map(row).collect();
    let weight = |row: &FunctionCost| (row.own.b.unwrap_or(0.0) - row.own.a.unwrap_or(0.0)).abs();
    rows.sort_by(|x, y| weight(y).total_cmp(&weight(x)).then_with(|| x.name.cmp(&y.name)));
    rows.truncate(MOST);
    rows
}
