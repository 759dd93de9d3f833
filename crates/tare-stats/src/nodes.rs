//! Launches on several machines (*nodes*), which end in any order.
//!
//! What a pair of contenders differs by is not the same on every node, even if all are of one model. The question is what
//! it is on the run's nodes on average, each with the same weight. A launch is no unit of inference for that: nodes that
//! are faster have more launches, so that the mean of all launches leans to them as long as the run goes on. A *unit* is
//! one launch on each node: the first launches of all nodes, their second ones, and so on. A round of a unit is the mean of a
//! round on each node. What the nodes differ by is the same in each round of each unit, so units scatter only as launches on
//! one node do, and a sequence over them ([`crate::tseq`]) holds for the mean over these nodes. Nothing is said of other nodes.
//!
//! The launches of a node are numbered in their own order, and no launch is passed over, so the order in which those of
//! different nodes end has no say in what a unit is.

/// The units that are whole, as places in `of`, which has the node of each launch, in any order that keeps the order of
/// launches on a node. Every node that has a launch is in each unit; launches beyond the last whole unit wait.
pub fn units(of: &[u32]) -> Vec<Vec<usize>> {
    let mut nodes = of.to_vec();
    nodes.sort_unstable();
    nodes.dedup();
    let of_node = |node: &u32| -> Vec<usize> { (0..of.len()).filter(|&place| of[place] == *node).collect() };
    let launches: Vec<Vec<usize>> = nodes.iter().map(of_node).collect();
    let whole = launches.iter().map(Vec::len).min().unwrap_or(0);
    (0..whole)
        .map(|unit| launches.iter().map(|of_node| of_node[unit]).collect())
        .collect()
}

/// The rounds of a unit, from those of its launches (log ratios): as many as the launch with the fewest has.
pub fn rounds(launches: &[&[f64]]) -> Vec<f64> {
    let whole = launches.iter().map(|rounds| rounds.len()).min().unwrap_or(0);
    let mean =
        |round: usize| launches.iter().map(|rounds| rounds[round]).sum::<f64>() / launches.len() as f64;
    (0..whole).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_one_launch_of_each_node() {
        assert_eq!(units(&[0, 0, 1, 0, 1]), [[0, 2], [1, 4]]);
        assert_eq!(units(&[7, 7]), [[0], [1]], "one node: each launch by itself");
        assert_eq!(units(&[]), [[0; 0]; 0]);
    }

    #[test]
    fn the_order_of_different_nodes_does_not_matter() {
        let one = [(0, 1.0), (1, 2.0), (0, 3.0), (1, 4.0)];
        let other = [(1, 2.0), (1, 4.0), (0, 1.0), (0, 3.0)];
        let means = |launches: &[(u32, f64)]| -> Vec<f64> {
            let of: Vec<u32> = launches.iter().map(|launch| launch.0).collect();
            let mean = |unit: Vec<usize>| unit.iter().map(|&place| launches[place].1).sum::<f64>() / 2.0;
            units(&of).into_iter().map(mean).collect()
        };
        assert_eq!(means(&one), [1.5, 3.5]);
        assert_eq!(means(&one), means(&other));
    }

    #[test]
    fn a_round_is_the_mean_of_one_on_each_node() {
        assert_eq!(rounds(&[&[1.0, 2.0, 3.0], &[3.0, 4.0]]), [2.0, 3.0]);
        assert_eq!(rounds(&[&[1.0, 2.0]]), [1.0, 2.0]);
        assert_eq!(rounds(&[]), [0.0; 0]);
    }
}
