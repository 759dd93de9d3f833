//! What is timed, or measured in a unit of the benchmark's own: centres within launches, a sequence across them.

use tare_model::benchmark::{Change, FigureResult};
use tare_model::estimate::Estimate;
use tare_model::figure::Better;
use tare_stats::verdict::{self, Sign};
use tare_stats::{Interval, fdr, huber, mean, tseq};

use super::samples::Series;
use crate::convert::as_estimate;
use crate::median::median;

/// A question: is a figure after the change worse or better than before, by more than the margin?
pub(super) struct Question {
    /// The log ratio of each launch, after against before.
    pub centres: Vec<f64>,
    /// The margin in log units: that of the run, and what a coarse step may hide besides.
    margin: f64,
    /// The step of the figures as a share of them, where it is larger than the margin.
    coarse: Option<f64>,
}

impl Question {
    pub(super) fn of(series: &Series, margin: f64) -> Self {
        let launches = series.differences();
        let coarse = coarse(series, margin);
        Self {
            centres: launches
                .iter()
                .filter_map(|rounds| huber::centre(rounds))
                .collect(),
            margin: verdict::log_margin(margin) + coarse.map_or(0.0, f64::ln_1p),
            coarse,
        }
    }

    /// Against "it changed by no more than the margin", as the logarithm of an e-value.
    pub(super) fn evidence(&self) -> f64 {
        fdr::log_evidence(&self.centres, self.margin, tseq::LEAST_SPREAD).unwrap_or(f64::NEG_INFINITY)
    }

    fn interval(&self, alpha: f64) -> Option<Interval> {
        tseq::interval_with_spread(&self.centres, alpha, tseq::LEAST_SPREAD)
    }

    /// Where the interval at `alpha` lies. Figures that are equal as far as they were printed may differ by a step.
    fn sign(&self, alpha: f64) -> Sign {
        match verdict::judge(self.interval(alpha), self.margin.exp_m1()).verdict {
            Sign::Within if self.coarse.is_some() => Sign::Inconclusive,
            sign => sign,
        }
    }

    fn ratio(&self, alpha: f64) -> Option<Estimate> {
        let mean = mean_of(&self.centres)?;
        let interval = self.interval(alpha).map(|interval| interval.exp());
        Some(Estimate {
            estimate: mean.exp(),
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
        })
    }
}

/// The figure, with intervals at `alpha`. `judged`: whether it has a verdict, where its unit says which way is better.
pub(super) fn figure(series: &Series, question: &Question, alpha: f64, judged: bool) -> FigureResult {
    let better = series.quantity.better().filter(|_| judged);
    FigureResult {
        quantity: series.quantity.clone(),
        part: series.part.clone(),
        before: side(series, 0, alpha),
        after: side(series, 1, alpha),
        ratio: question.ratio(alpha),
        alpha,
        change: better.map(|better| change(question.sign(alpha), better)),
        coarse: question.coarse,
        centres: question.centres.iter().map(|centre| centre.exp()).collect(),
    }
}

/// How many further launches it would take until a verdict at `alpha`, if they went on as they did; none where that cannot
/// be known, or is too far away. What is coarse is never equivalent, however many there are.
pub(super) fn needed(result: &FigureResult, margin: f64) -> Option<u32> {
    if result.coarse.is_some() {
        return None;
    }
    let logs: Vec<f64> = result.centres.iter().map(|centre| centre.ln()).collect();
    let margin = verdict::log_margin(margin);
    tseq::more_launches(&logs, result.alpha, margin, tseq::LEAST_SPREAD)
}

fn change(sign: Sign, better: Better) -> Change {
    match (sign, better) {
        (Sign::Within, _) => Change::Equivalent,
        (Sign::Inconclusive, _) => Change::Inconclusive,
        (Sign::Above, Better::Less) | (Sign::Below, Better::More) => Change::Worse,
        (Sign::Above, Better::More) | (Sign::Below, Better::Less) => Change::Better,
    }
}

/// The typical figure of a side. Of a unit whose values have no logarithm, the median, without an interval.
fn side(series: &Series, side: usize, alpha: f64) -> Option<Estimate> {
    match mean::over_launches(&series.of_side(side), alpha) {
        Some(found) => Some(as_estimate(&found)),
        None => median(series.values(side)).map(|estimate| Estimate {
            estimate,
            low: None,
            high: None,
        }),
    }
}

/// The step of the figures as a share of the smaller side, where it is larger than the margin.
fn coarse(series: &Series, margin: f64) -> Option<f64> {
    let sides = [0, 1].map(|side| median(series.values(side)));
    let least = sides.into_iter().flatten().reduce(f64::min)?;
    let share = series.step? / least;
    (share > margin && share.is_finite()).then_some(share)
}

fn mean_of(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
