//! Two contenders on one metric: centres within epochs, a sequence across them, a verdict.

use tare_model::record::ArenaRecord;
use tare_model::results::{Comparison, Verdict};
use tare_stats::interval::Interval;
use tare_stats::verdict::{self, Judgement};
use tare_stats::{huber, selfnorm, tseq};

use super::net;
use super::values::Values;

/// Which two, at which α.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pairing {
    pub a: usize,
    pub b: usize,
    pub alpha: f64,
}

/// What the data say of ln(a/b).
struct Finding {
    centre: f64,
    interval: Option<Interval>,
    centres: Vec<f64>,
    rounds: u32,
    provisional: bool,
    needed: Option<u32>,
}

impl Pairing {
    /// The comparison; none where the two were never measured in one round.
    pub fn compare(self, arena: &ArenaRecord, values: &Values) -> Option<Comparison> {
        let margin = (1.0 + arena.margin).ln();
        let finding = self.find(values, margin)?;
        let judged = verdict::judge(finding.interval, margin);
        Some(Comparison {
            a: arena.entrants[self.a].id.clone(),
            b: arena.entrants[self.b].id.clone(),
            metric: values.metric,
            primary: values.metric == arena.primary,
            ratio: finding.centre.exp(),
            low: finding.interval.map(|interval| interval.low.exp()),
            high: finding.interval.map(|interval| interval.high.exp()),
            alpha: self.alpha,
            margin: arena.margin,
            rounds: finding.rounds,
            epochs: finding.centres.len() as u32,
            provisional: finding.provisional,
            verdict: in_words(judged, values.metric.more_is_better()),
            needed: (judged == Judgement::Undecided).then_some(finding.needed).flatten(),
            centres: finding.centres.iter().map(|centre| centre.exp()).collect(),
            net_ratio: net::ratio(arena, values, self),
        })
    }

    /// The interval of ln(a/b) alone.
    pub fn interval(self, values: &Values, margin: f64) -> Option<Interval> {
        self.find(values, margin)?.interval
    }

    fn find(self, values: &Values, margin: f64) -> Option<Finding> {
        let by_epoch: Vec<Vec<f64>> =
            (0..values.rounds.len()).map(|epoch| values.differences(epoch, self.a, self.b)).collect();
        let centres: Vec<f64> = by_epoch.iter().filter_map(|differences| huber::centre(differences)).collect();
        if centres.len() > 1 {
            return Some(self.over_epochs(&by_epoch, centres, margin));
        }
        self.within_one_epoch(values, by_epoch.into_iter().find(|differences| !differences.is_empty())?, margin)
    }

    fn over_epochs(self, by_epoch: &[Vec<f64>], centres: Vec<f64>, margin: f64) -> Finding {
        Finding {
            centre: centres.iter().sum::<f64>() / centres.len() as f64,
            interval: tseq::interval(&centres, self.alpha),
            rounds: by_epoch.iter().map(|differences| differences.len() as u32).sum(),
            provisional: false,
            needed: tseq::epochs_needed(&centres, self.alpha, margin),
            centres,
        }
    }

    fn within_one_epoch(self, values: &Values, differences: Vec<f64>, margin: f64) -> Option<Finding> {
        let pilot = values.pilot_differences(self.a, self.b);
        let sequence = selfnorm::Sequence::from_pilot(&pilot, self.alpha);
        let centre = huber::centre(&differences)?;
        Some(Finding {
            centre,
            interval: sequence.as_ref().and_then(|sequence| sequence.interval(&differences)),
            rounds: differences.len() as u32,
            provisional: true,
            needed: sequence.and_then(|sequence| sequence.rounds_needed(&differences, margin)),
            centres: vec![centre],
        })
    }
}

fn in_words(judgement: Judgement, more_is_better: bool) -> Verdict {
    match (judgement, more_is_better) {
        (Judgement::Within, _) => Verdict::DeadHeat,
        (Judgement::Undecided, _) => Verdict::Undecided,
        (Judgement::Above, true) | (Judgement::Below, false) => Verdict::Faster,
        (Judgement::Above, false) | (Judgement::Below, true) => Verdict::Slower,
    }
}
