//! Several questions at once: how α is divided, and which places a contender may have.
//!
//! Bonferroni throughout: it holds for dependent comparisons, and these share the floor, the baseline and the machine.

/// α for each of the K − 1 comparisons of `contenders` (baseline counted) with the baseline.
pub fn against_baseline(alpha: f64, contenders: usize) -> f64 {
    alpha / contenders.saturating_sub(1).max(1) as f64
}

/// α for each of the K(K − 1)/2 pairs of a ranking.
pub fn for_ranking(alpha: f64, contenders: usize) -> f64 {
    let pairs = contenders * contenders.saturating_sub(1) / 2;
    alpha / pairs.max(1) as f64
}

/// The first and the last place that each of `contenders` may have: [1 + those surely better, K − those surely
/// worse].
///
/// `surely_better(i, j)` says whether i is surely better than j; it is asked for every ordered pair.
pub fn rank_intervals(contenders: usize, surely_better: impl Fn(usize, usize) -> bool) -> Vec<(u32, u32)> {
    let place = |i: usize| {
        let others = || (0..contenders).filter(move |&j| j != i);
        let better = others().filter(|&j| surely_better(j, i)).count();
        let worse = others().filter(|&j| surely_better(i, j)).count();
        (1 + better as u32, (contenders - worse) as u32)
    };
    (0..contenders).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_is_shared_out() {
        assert_eq!(against_baseline(0.06, 4), 0.02);
        assert_eq!(for_ranking(0.06, 4), 0.01);
        for few in [0, 1, 2] {
            assert_eq!(against_baseline(0.05, few), 0.05);
            assert_eq!(for_ranking(0.05, few), 0.05);
        }
    }

    #[test]
    fn ties_are_shown_as_ties() {
        // Intervals on a line: 0 clearly first, 1 and 2 overlap, 3 overlaps only with 2.
        let spans = [(0.0, 1.0), (2.0, 4.0), (3.0, 6.0), (5.0, 8.0)];
        let better = |i: usize, j: usize| spans[i].1 < spans[j].0;
        assert_eq!(rank_intervals(4, better), [(1, 1), (2, 3), (2, 4), (3, 4)]);
        assert_eq!(rank_intervals(3, |_, _| false), [(1, 3); 3]);
        assert_eq!(rank_intervals(0, |_, _| false), []);
    }
}
