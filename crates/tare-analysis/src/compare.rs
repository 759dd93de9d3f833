//! Two contenders on one metric: centres within launches, a sequence across them, a verdict.

use tare_model::comparison::{Comparison, OnNode, Verdict};
use tare_model::metric::Metric;
use tare_model::record::ArenaRecord;
use tare_stats::provisional::Blocks;
use tare_stats::verdict::{self, Sign};
use tare_stats::{Interval, huber, multiplicity, tseq};

use crate::field::{Field, Pairing};
use crate::net;
use crate::values::{self, Values};

/// Each contender against the baseline on one metric, at α over the number of such comparisons.
pub(crate) fn with_baseline(arena: &ArenaRecord, field: &Field, values: &Values) -> Vec<Comparison> {
    let takers = field.on(values.metric);
    let Some(b) = field.baseline.filter(|baseline| takers.contains(baseline)) else {
        return Vec::new();
    };
    let alpha = multiplicity::against_baseline(arena.alpha, takers.len());
    let others = takers.iter().copied().filter(|a| *a != b);
    others
        .filter_map(|a| Pairing { a, b, alpha }.compare(arena, values, field.floor))
        .collect()
}

/// The estimate of ln(a/b).
struct LogRatio {
    log_ratio: f64,
    interval: Option<Interval>,
    centres: Vec<f64>,
    rounds: u32,
    /// The blocks of rounds that the interval is from as long as there are too few launches for one.
    provisional: Option<Blocks>,
}

impl Pairing {
    /// The comparison; none where the two were never measured in the same round.
    pub(crate) fn compare(
        self,
        arena: &ArenaRecord,
        values: &Values,
        floor: Option<usize>,
    ) -> Option<Comparison> {
        let found = self.find(values)?;
        let judgement = verdict::judge(found.interval, arena.margin);
        let inconclusive = !judgement.decided();
        Some(Comparison {
            a: arena.entrants[self.a].id.clone(),
            b: arena.entrants[self.b].id.clone(),
            mode: arena.mode,
            metric: values.metric,
            primary: values.metric == arena.primary,
            ratio: found.log_ratio.exp(),
            low: found.interval.map(|interval| interval.low.exp()),
            high: found.interval.map(|interval| interval.high.exp()),
            alpha: self.alpha,
            margin: arena.margin,
            rounds: found.rounds,
            launches: found.centres.len() as u32,
            provisional: found.provisional.is_some(),
            verdict: in_words(judgement.verdict, values.metric.more_is_better()),
            needed: inconclusive.then(|| self.needed(&found, arena.margin)).flatten(),
            centres: found.centres.iter().map(|centre| centre.exp()).collect(),
            by_node: self.by_node(arena, values.metric),
            net_ratio: net::ratio(values, self, floor),
        })
    }

    /// The ratio on each node; nothing where there is one.
    fn by_node(self, arena: &ArenaRecord, metric: Metric) -> Vec<OnNode> {
        let nodes = values::nodes(arena);
        if nodes.len() < 2 {
            return Vec::new();
        }
        let on = |node: u32| {
            let found = self.find(&Values::of_node(arena, metric, node))?;
            let ratio = found.log_ratio.exp();
            Some(OnNode { node, ratio })
        };
        nodes.into_iter().filter_map(on).collect()
    }

    /// The interval of ln(a/b) alone.
    pub(crate) fn interval(self, values: &Values) -> Option<Interval> {
        self.find(values)?.interval
    }

    fn find(self, values: &Values) -> Option<LogRatio> {
        let launches = 0..values.rounds.len();
        let mut by_launch: Vec<Vec<f64>> = launches
            .map(|launch| values.differences(launch, self.a, self.b))
            .collect();
        by_launch.retain(|differences| !differences.is_empty());
        let centres: Vec<f64> = by_launch
            .iter()
            .filter_map(|differences| huber::centre(differences))
            .collect();
        if centres.is_empty() {
            return None;
        }
        let over_launches = tseq::interval_with_spread(&centres, self.alpha, tseq::LEAST_SPREAD);
        let provisional = match (over_launches, values.block) {
            (None, Some(block)) => Blocks::of(&by_launch, block),
            _ => None,
        };
        let within = provisional
            .as_ref()
            .and_then(|blocks| blocks.interval(self.alpha));
        // A provisional interval is around the mean of its blocks, which is of whole blocks only.
        let blocks = provisional.as_ref().filter(|_| within.is_some());
        let mean = centres.iter().sum::<f64>() / centres.len() as f64;
        Some(LogRatio {
            log_ratio: blocks.and_then(Blocks::centre).unwrap_or(mean),
            interval: over_launches.or(within),
            rounds: by_launch.iter().map(|differences| differences.len() as u32).sum(),
            centres,
            provisional,
        })
    }

    /// Predicted number of further launches (of a single launch: rounds) until a verdict, if the data continue as before.
    fn needed(self, found: &LogRatio, margin: f64) -> Option<u32> {
        let margin = verdict::log_margin(margin);
        match (&found.provisional, found.centres.as_slice()) {
            (Some(blocks), [_]) => blocks.more_rounds(self.alpha, margin),
            _ => tseq::more_launches(&found.centres, self.alpha, margin, tseq::LEAST_SPREAD),
        }
    }
}

fn in_words(sign: Sign, more_is_better: bool) -> Verdict {
    match (sign, more_is_better) {
        (Sign::Within, _) => Verdict::Equivalent,
        (Sign::Inconclusive, _) => Verdict::Inconclusive,
        (Sign::Above, true) | (Sign::Below, false) => Verdict::Faster,
        (Sign::Above, false) | (Sign::Below, true) => Verdict::Slower,
    }
}
