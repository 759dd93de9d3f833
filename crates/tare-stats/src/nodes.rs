//! Launches on several machines (*nodes*), which end in any order.
//!
//! What a pair of contenders differs by is not the same on every node, even if all are of one model. The question is what
//! it is on the run's nodes on average, each with the same weight. A launch is no unit of inference for that: nodes that
//! are faster have more launches, so that the mean of all launches leans to them as long as the run goes on. A *unit* is
//! the mean of one launch on each node: the first launches of all nodes, their second ones, and so on. What the nodes differ
//! by is the same in each unit, so units scatter only as launches on one node do, and a sequence over them
//! ([`crate::tseq`]) holds for the mean over these nodes. Nothing is said of other nodes.
//!
//! The launches of a node are numbered in their own order, and no launch is passed over, so the order in which those of
//! different nodes end has no say in what a unit is.

/// The units that are whole. `centres`: of each launch its node, by number, and its centre, in any order that keeps the
/// order of launches on a node. Every node from 0 to `nodes` − 1 is in each unit; launches beyond the last whole unit wait.
pub fn units(nodes: usize, centres: &[(usize, f64)]) -> Vec<f64> {
    let mut of_node = vec![Vec::new(); nodes];
    for &(node, centre) in centres {
        of_node[node].push(centre);
    }
    let whole = of_node.iter().map(Vec::len).min().unwrap_or(0);
    let mean = |unit: usize| of_node.iter().map(|centres| centres[unit]).sum::<f64>() / nodes as f64;
    (0..whole).map(mean).collect()
}

/// The same without the nodes that are gone: those that are left answer for themselves.
pub fn units_left(left: &[bool], centres: &[(usize, f64)]) -> Vec<f64> {
    let mut number = vec![None; left.len()];
    let mut count = 0;
    for (node, _) in left.iter().enumerate().filter(|(_, left)| **left) {
        number[node] = Some(count);
        count += 1;
    }
    let kept = centres
        .iter()
        .filter_map(|&(node, centre)| Some((number[node]?, centre)));
    units(count, &kept.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_one_launch_of_each_node() {
        let centres = [(0, 1.0), (0, 3.0), (1, 5.0), (0, 9.0), (1, 7.0)];
        assert_eq!(units(2, &centres), [3.0, 5.0]);
        assert_eq!(units(3, &centres), [0.0; 0], "the third has none yet");
        assert_eq!(units(0, &[]), [0.0; 0]);
        assert_eq!(units_left(&[true, false], &centres), [1.0, 3.0, 9.0]);
    }

    #[test]
    fn the_order_of_different_nodes_does_not_matter() {
        let one = [(0, 1.0), (1, 2.0), (0, 3.0), (1, 4.0)];
        let other = [(1, 2.0), (1, 4.0), (0, 1.0), (0, 3.0)];
        assert_eq!(units(2, &one), units(2, &other));
    }
}
