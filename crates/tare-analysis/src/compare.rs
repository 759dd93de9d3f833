//! Two contenders on one metric: centres within launches, a sequence across them, a verdict.

use tare_model::comparison::{Comparison, Verdict};
use tare_model::record::ArenaRecord;
use tare_stats::verdict::{self, Sign};
use tare_stats::{Interval, huber, multiplicity, tseq};

use crate::field::{Field, Pairing};
use crate::net;
use crate::provisional::Provisional;
use crate::values::Values;

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
    provisional: Option<Provisional>,
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
            net_ratio: net::ratio(values, self, floor),
        })
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
        let rounds = by_launch.iter().map(|differences| differences.len() as u32).sum();
        let log_ratio = centres.iter().sum::<f64>() / centres.len() as f64;
        match centres.as_slice() {
            [] => None,
            [_] => {
                let pilot = values.pilot_differences(self.a, self.b);
                let sequence = Provisional::of(&pilot, &by_launch[0], self.alpha);
                let interval = sequence.interval;
                Some(LogRatio {
                    log_ratio,
                    interval,
                    centres,
                    rounds,
                    provisional: Some(sequence),
                })
            }
            _ => {
                let interval = tseq::interval_with_spread(&centres, self.alpha, tseq::LEAST_SPREAD);
                Some(LogRatio {
                    log_ratio,
                    interval,
                    centres,
                    rounds,
                    provisional: None,
                })
            }
        }
    }

    /// Predicted number of further launches (provisional: rounds) until a verdict, if the data continue as before.
    fn needed(self, found: &LogRatio, margin: f64) -> Option<u32> {
        match &found.provisional {
            Some(sequence) => sequence.rounds_needed(found.log_ratio, margin),
            None => tseq::more_launches(
                &found.centres,
                self.alpha,
                verdict::log_margin(margin),
                tseq::LEAST_SPREAD,
            ),
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
