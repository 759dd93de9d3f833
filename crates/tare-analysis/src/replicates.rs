//! A contender's costs over sizes, launch by launch.

use std::ops::Range;

use tare_stats::huber;

use crate::values::Values;

/// Number of blocks that the rounds of a single launch are divided into, to replace launches. Blocks are long, so that
/// correlation between rounds stays within them.
const BLOCKS: usize = 8;

/// The least rounds of a block: the centre of fewer is not robust against a burst of noise.
const BLOCK: usize = 4;

/// The least rounds of a single launch.
pub(crate) const LEAST_ROUNDS: usize = BLOCKS * BLOCK;

/// One contender's costs: by replicate, then by size; none for a replicate that lacks a size.
pub(crate) type Replicates = Vec<Option<Vec<f64>>>;

/// The Huber centres of a contender's costs, by launch and size; with a single launch by block and size, where it has enough
/// rounds. `values` are by size, `launches` are those with rounds at each.
pub(crate) fn replicates(values: &[&Values], launches: u32, entrant: usize) -> Replicates {
    if launches != 1 {
        return whole_launches(values, entrant);
    }
    let only = |values: &&Values| {
        let mut launches = values.of_entrant(entrant).into_iter();
        launches.find(|costs| !costs.is_empty())
    };
    let rounds: Vec<Vec<f64>> = values.iter().filter_map(only).collect();
    let least = rounds.iter().map(Vec::len).min().unwrap_or(0);
    if least < LEAST_ROUNDS || rounds.len() < values.len() {
        return Vec::new();
    }
    let part = |block: usize, costs: &Vec<f64>| huber::centre(&costs[block_of(block, costs.len())]);
    (0..BLOCKS)
        .map(|block| rounds.iter().map(|costs| part(block, costs)).collect())
        .collect()
}

/// The same, each launch as a whole, even if there is only one.
pub(crate) fn whole_launches(values: &[&Values], entrant: usize) -> Replicates {
    let by_size: Vec<Vec<Vec<f64>>> = values.iter().map(|values| values.of_entrant(entrant)).collect();
    let launches = by_size.iter().map(Vec::len).min().unwrap_or(0);
    let centre = |size: &Vec<Vec<f64>>, launch: usize| huber::centre(&size[launch]);
    let launch = |launch: usize| by_size.iter().map(|size| centre(size, launch)).collect();
    (0..launches).map(launch).collect()
}

/// The rounds of a block: all rounds are divided as evenly as possible.
fn block_of(block: usize, rounds: usize) -> Range<usize> {
    block * rounds / BLOCKS..(block + 1) * rounds / BLOCKS
}
