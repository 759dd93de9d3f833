//! What the formats share: which contenders are listed, in which order, and what each row says.

use std::cmp::Ordering;

use tare_model::comparison::Comparison;
use tare_model::ids::ContenderId;
use tare_model::metric::{Metric, Mode};
use tare_model::published::Published;
use tare_model::results::{Bound, ContenderResult, Results, State, WorkloadResult};
use tare_model::sweep::SweepResult;

use crate::escape;
use crate::words;

/// One row of the verdict table, in words.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    /// The contender.
    pub contender: &'a ContenderResult,
    /// Its comparison with the baseline on the primary metric.
    pub comparison: Option<&'a Comparison>,
    /// Its rank interval: `1`, `2–4`, or a dash where it is not ranked.
    pub rank: String,
    /// Its role, if it has one: `baseline`, `floor`.
    pub part: Option<&'static str>,
    /// Whether it is what the others are compared with.
    pub is_baseline: bool,
    /// The primary metric with its interval.
    pub figure: String,
    /// The ratio to the baseline with its interval.
    pub ratio: String,
    /// The verdict in words.
    pub verdict: String,
}

/// A published figure with ours beside it, both as ratios to another contender.
#[derive(Debug, Clone)]
pub struct Beside<'a> {
    /// What was published.
    pub published: &'a Published,
    /// What it is divided by: the reference of its metric, or another figure that the manifest names.
    pub over: &'a Published,
    /// Its value divided by that one's.
    pub theirs: f64,
    /// Our ratio to the same contender.
    pub ours: Option<Ours>,
    /// Whether it is the reference itself.
    pub reference: bool,
    /// Whether it is divided by another figure than the reference.
    pub further: bool,
}

impl Beside<'_> {
    /// Our ratio with its interval and metric, `1` of the reference itself, or a dash.
    pub(crate) fn ours_in_words(&self) -> String {
        match &self.ours {
            Some(_) if self.reference => "1".to_owned(),
            Some(ours) => {
                let ratio = words::ratio_and_interval(ours.ratio, ours.limits);
                format!("{ratio}, {}", ours.metric.title())
            }
            None => NONE.to_owned(),
        }
    }

    /// `node.js, one core (node)`, with the other contender if it is not divided by the reference.
    pub fn label(&self) -> String {
        let label = escape::one_line(&self.published.label);
        let over = if self.further {
            format!(", over {}", self.over.contender)
        } else {
            String::new()
        };
        format!("{label} ({}{over})", self.published.contender)
    }
}

/// Our ratio beside a published one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ours {
    /// Its metric: the published one if we have it, else the primary metric.
    pub metric: Metric,
    /// The ratio to the reference.
    pub ratio: f64,
    /// Its interval, if the reference is our baseline.
    pub limits: Option<(f64, f64)>,
}

/// Stands for a missing value.
pub const NONE: &str = "–";

/// Whether a run has nothing to show.
pub(crate) fn nothing_measured(results: &Results) -> bool {
    results.workloads.is_empty() && results.explanations.is_empty() && results.benchmarks.is_none()
}

/// The cases that were not begun, in sentences. Benchmarks name theirs themselves.
pub(crate) fn not_measured(results: &Results) -> Vec<String> {
    match results.benchmarks {
        Some(_) => Vec::new(),
        None => words::not_measured(&results.not_measured),
    }
}

/// Contenders with figures, best first: by rank interval, then by the primary metric, then by name.
pub fn measured(result: &WorkloadResult) -> Vec<&ContenderResult> {
    let mut list: Vec<_> = result
        .contenders
        .iter()
        .filter(|c| c.state == State::Measured)
        .collect();
    list.sort_by(|a, b| {
        place(result, a)
            .partial_cmp(&place(result, b))
            .unwrap_or(Ordering::Equal)
    });
    list
}

/// The sort key of contenders; smaller is better. Contenders without a rank come last.
fn place<'a>(result: &WorkloadResult, contender: &'a ContenderResult) -> (u32, u32, f64, &'a ContenderId) {
    let rank = rank(result, contender).unwrap_or((u32::MAX, u32::MAX));
    let value = contender
        .metrics
        .get(&result.primary)
        .map(|figure| figure.estimate);
    let value = match value {
        Some(value) if result.primary.more_is_better() => -value,
        Some(value) => value,
        None => f64::INFINITY,
    };
    (rank.0, rank.1, value, &contender.id)
}

/// The rank interval on the primary metric; none if it is not ranked.
pub fn rank(result: &WorkloadResult, contender: &ContenderResult) -> Option<(u32, u32)> {
    rank_on(contender, result.primary)
}

/// The rank interval on a metric; none if it is not ranked, as a figure that is [the generator's](not_its_own) never is.
pub(crate) fn rank_on(contender: &ContenderResult, metric: Metric) -> Option<(u32, u32)> {
    let ranks = contender.ranks.get(&metric).copied();
    ranks.filter(|_| not_its_own(contender, metric).is_none())
}

/// Why a contender's figure on a metric is the generator's rather than its own, and has no verdict.
pub(crate) fn not_its_own(contender: &ContenderResult, metric: Metric) -> Option<&'static str> {
    if contender.bound == Some(Bound::Load) && metric == Metric::Throughput {
        return Some(words::bound(Bound::Load));
    }
    contender.late_on(metric).then_some(words::LATE)
}

/// Whether a contender can be the best by a metric: its figure is its own, and it is not the floor of commands, which is
/// only the cost of starting a process.
pub fn competes(result: &WorkloadResult, contender: &ContenderResult, metric: Metric) -> bool {
    let start = result.mode == Mode::Command && result.floor.as_ref() == Some(&contender.id);
    !start && not_its_own(contender, metric).is_none()
}

/// Contenders without figures, in the order of the run.
pub(crate) fn without_figures(result: &WorkloadResult) -> Vec<&ContenderResult> {
    result
        .contenders
        .iter()
        .filter(|c| c.state != State::Measured)
        .collect()
}

/// The rows of the verdict table, best first.
pub fn rows(result: &WorkloadResult) -> Vec<Row<'_>> {
    measured(result)
        .into_iter()
        .map(|contender| row(result, contender))
        .collect()
}

fn row<'a>(result: &'a WorkloadResult, contender: &'a ContenderResult) -> Row<'a> {
    let is_baseline = result.baseline.as_ref() == Some(&contender.id);
    let comparison = primary_comparison(result, &contender.id).filter(|_| !is_baseline);
    let (ratio, verdict) = match comparison {
        Some(c) => (
            words::ratio_and_interval(c.ratio, words::limits(c)),
            words::verdict(c),
        ),
        None if is_baseline => ("1".to_owned(), "the baseline".to_owned()),
        None => (NONE.to_owned(), uncompared(result, contender).to_owned()),
    };
    let figure = contender.metrics.get(&result.primary);
    Row {
        contender,
        comparison,
        rank: rank(result, contender).map_or(NONE.to_owned(), words::span),
        part: part(result, &contender.id),
        is_baseline,
        figure: figure.map_or(NONE.to_owned(), |figure| words::estimate(result.primary, figure)),
        ratio,
        verdict,
    }
}

fn uncompared(result: &WorkloadResult, contender: &ContenderResult) -> &'static str {
    let baseline = result.baseline.as_ref().and_then(|id| result.contender(id));
    let late = baseline.filter(|baseline| baseline.late_on(result.primary));
    match (not_its_own(contender, result.primary), late) {
        (Some(why), _) => why,
        (None, Some(_)) => words::LATE,
        (None, None) => "not compared",
    }
}

/// `baseline`, `floor`, `floor and baseline`, or none.
pub fn part(result: &WorkloadResult, id: &ContenderId) -> Option<&'static str> {
    let floor = result.floor.as_ref() == Some(id);
    let baseline = result.baseline.as_ref() == Some(id);
    match (floor, baseline) {
        (true, true) => Some("floor and baseline"),
        (true, false) => Some("floor"),
        (false, true) => Some("baseline"),
        (false, false) => None,
    }
}

/// A contender's comparison with the baseline on the primary metric.
pub fn primary_comparison<'a>(result: &'a WorkloadResult, id: &ContenderId) -> Option<&'a Comparison> {
    comparison(result, id, result.primary)
}

/// A contender's comparison with the baseline on a metric, if it is [valid].
pub fn comparison<'a>(
    result: &'a WorkloadResult,
    id: &ContenderId,
    metric: Metric,
) -> Option<&'a Comparison> {
    let baseline = result.baseline.as_ref()?;
    let mut found = result
        .comparisons
        .iter()
        .filter(|c| c.a == *id && c.b == *baseline && c.metric == metric);
    found.find(|c| valid(result, c))
}

/// Whether a comparison is valid: both contenders have figures, and neither figure is a generator-limited throughput or a
/// latency of a late generator.
pub fn valid(result: &WorkloadResult, comparison: &Comparison) -> bool {
    let own = |c: &ContenderResult| c.state == State::Measured && not_its_own(c, comparison.metric).is_none();
    [&comparison.a, &comparison.b]
        .into_iter()
        .all(|id| result.contender(id).is_some_and(own))
}

/// The comparisons that the verdict table shows.
pub fn shown(result: &WorkloadResult) -> Vec<&Comparison> {
    rows(result)
        .into_iter()
        .filter_map(|row| row.comparison)
        .collect()
}

/// What these verdicts are based on, in one sentence, and `name: …` for each exception.
pub fn grounds(comparisons: &[&Comparison]) -> Option<(String, Vec<String>)> {
    let first = comparisons.iter().max_by_key(|c| (c.rounds, c.launches))?;
    let common = words::grounds(first);
    let different = comparisons.iter().filter(|c| words::grounds(c) != common);
    let exceptions = different
        .map(|c| format!("{}: {}", c.a, words::grounds(c)))
        .collect();
    Some((common, exceptions))
}

/// What the verdicts of the table are based on, in sentences; none if nothing is compared.
pub(crate) fn foundations(result: &WorkloadResult) -> Vec<String> {
    let shown = shown(result);
    let Some((common, exceptions)) = grounds(&shown) else {
        return Vec::new();
    };
    let all = words::percent(alpha_in_all(&shown));
    let count = words::counted(shown.len() as u64, "comparison");
    let mut sentences = vec![format!("Each verdict: {common} ({count}: α {all} in all).")];
    sentences.extend(exceptions.iter().map(|text| format!("But {text}.")));
    sentences
}

/// The chance of any false declaration among these comparisons: the sum of their shares.
pub(crate) fn alpha_in_all(comparisons: &[&Comparison]) -> f64 {
    comparisons.iter().map(|c| c.alpha).sum()
}

/// Metrics that any measured contender has, in the order of the tables, the primary one first.
pub fn metrics(result: &WorkloadResult) -> Vec<Metric> {
    let has = |metric: &Metric| {
        result
            .contenders
            .iter()
            .any(|c| c.state == State::Measured && c.metrics.contains_key(metric))
    };
    let mut list: Vec<Metric> = Metric::ALL.into_iter().filter(has).collect();
    list.sort_by_key(|&metric| metric != result.primary);
    list
}

/// The metrics of [`metrics`] without the primary one.
pub(crate) fn secondary_metrics(result: &WorkloadResult) -> Vec<Metric> {
    let mut list = metrics(result);
    list.retain(|&metric| metric != result.primary);
    list
}

/// The heading of a column of ratios: `ratio to node`, or `ratio` without a baseline.
pub fn against(result: &WorkloadResult) -> String {
    let baseline = result.baseline.as_ref();
    baseline.map_or("ratio".to_owned(), |id| format!("ratio to {id}"))
}

/// A contender's figure on a metric without its interval, or a dash.
pub fn figure(contender: &ContenderResult, metric: Metric) -> String {
    let figure = contender.metrics.get(&metric);
    figure.map_or(NONE.to_owned(), |figure| words::show(metric, figure.estimate))
}

/// What limited a contender's throughput, or a dash.
pub fn bound(contender: &ContenderResult) -> &'static str {
    contender.bound.map_or(NONE, words::bound)
}

/// Whether there is a bound to show in any of these rows.
pub(crate) fn any_bound(rows: &[Row<'_>]) -> bool {
    rows.iter().any(|row| row.contender.bound.is_some())
}

/// Whether there are services to show in any of these rows.
pub(crate) fn any_services(rows: &[Row<'_>]) -> bool {
    rows.iter().any(|row| !row.contender.services.is_empty())
}

/// Why a contender has no figures: all that was recorded.
pub fn reason(contender: &ContenderResult) -> &str {
    let fault = contender.fault.as_ref();
    fault.map_or("no reason was recorded", |fault| &fault.detail)
}

/// Published figures with ours beside them, metric by metric, each divided by its reference: our baseline if the report
/// has it, else the first contender that it names. Then the further ratios that the manifest asks for.
pub fn beside(result: &WorkloadResult) -> Vec<Beside<'_>> {
    let mut list = Vec::new();
    for metric in Metric::ALL {
        let figures: Vec<&Published> = result.published.iter().filter(|p| p.metric == metric).collect();
        let reference = figures
            .iter()
            .find(|p| result.baseline.as_ref() == Some(&p.contender));
        let Some(&reference) = reference.or(figures.first()) else {
            continue;
        };
        list.extend(figures.iter().map(|published| Beside {
            reference: std::ptr::eq(*published, reference),
            ..over(result, published, reference)
        }));
        for published in &figures {
            let named = |id: &ContenderId| figures.iter().find(|other| other.contender == *id);
            let others = published.over.iter().filter_map(named);
            list.extend(others.map(|other| Beside {
                further: true,
                ..over(result, published, other)
            }));
        }
    }
    list
}

fn over<'a>(result: &WorkloadResult, published: &'a Published, other: &'a Published) -> Beside<'a> {
    Beside {
        published,
        over: other,
        theirs: published.value / other.value,
        ours: ours(result, &published.contender, &other.contender, published.metric),
        reference: false,
        further: false,
    }
}

fn ours(
    result: &WorkloadResult,
    a: &ContenderId,
    reference: &ContenderId,
    published: Metric,
) -> Option<Ours> {
    let ours = [published, result.primary].into_iter();
    ours.filter(|metric| metric.more_is_better() == published.more_is_better())
        .find_map(|metric| our_ratio(result, a, reference, metric))
}

fn our_ratio(
    result: &WorkloadResult,
    a: &ContenderId,
    reference: &ContenderId,
    metric: Metric,
) -> Option<Ours> {
    if let Some(found) = comparison(result, a, metric).filter(|c| c.b == *reference) {
        return Some(Ours {
            metric,
            ratio: found.ratio,
            limits: words::limits(found),
        });
    }
    let value = |id| {
        let contender = result.contender(id).filter(|c| c.state == State::Measured)?;
        contender.metrics.get(&metric).map(|figure| figure.estimate)
    };
    Some(Ours {
        metric,
        ratio: value(a)? / value(reference)?,
        limits: None,
    })
}

/// A short name for files and anchors: `doubling-one-core-cost`, `http-boundary-capacity-64`.
pub fn slug(result: &WorkloadResult) -> String {
    let size = result.size.map_or(String::new(), |size| format!("-{size}"));
    plain(&format!(
        "{}-{}-{}{size}",
        result.workload, result.case, result.mode
    ))
}

/// The same for a case over its sizes: `http-boundary-capacity-by-bytes`.
pub fn sweep_slug(sweep: &SweepResult) -> String {
    plain(&format!(
        "{}-{}-{}-by-{}",
        sweep.workload, sweep.case, sweep.mode, sweep.name
    ))
}

/// Letters, digits and dashes, for files and anchors.
pub(crate) fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}

/// CPU time that the services of its case used per right answer of a contender: `postgresql 25.3 µs`.
pub fn services(contender: &ContenderResult) -> String {
    let costs = contender.services.iter();
    let costs: Vec<String> = costs
        .map(|cost| format!("{} {}", escape::one_line(&cost.name), cost.cpu_per_op))
        .collect();
    if costs.is_empty() {
        NONE.to_owned()
    } else {
        costs.join(", ")
    }
}
