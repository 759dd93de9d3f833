//! A contender of a workload, as the document has it.

use std::collections::BTreeMap;

use tare_model::estimate::Estimate;
use tare_model::histogram::Histogram;
use tare_model::metric::Metric;
use tare_model::results as model;
use tare_model::subject::Contained;
use tare_model::units::Seconds;

use super::figure::Range;
use super::levels::Level;
use super::noise::{Covariates, Late};
use super::pairs::Pairs;
use super::spread::Spread;
use crate::tails;
use crate::view;

/// Quantiles that the document gives of all latencies.
const QUANTILES: [f64; 9] = [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.9999];

/// A contender.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Contender {
    /// `name` or `name@variant`, as comparisons refer to it.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its variant.
    pub variant: Option<String>,
    /// Its language.
    pub language: String,
    /// One line on how it does the job.
    pub summary: String,
    /// `idiomatic`, `tuned`, `reference` or `floor`.
    pub style: &'static str,
    /// What it stands in for.
    pub stands_in_for: Option<String>,
    /// Versions of its tools.
    pub versions: Pairs,
    /// The container that it ran in; absent if it ran in none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<Container>,
    /// How the load spoke to it, as the scheme of a URL; absent if in clear, as its job has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<String>,
    /// `measured`, `not-steady`, `wrong`, `failed` or `skipped`.
    pub state: &'static str,
    /// Why it has no figures.
    pub reason: Option<String>,
    /// The kind of its fault.
    pub fault: Option<&'static str>,
    /// What limited its throughput.
    pub bound: Option<&'static str>,
    /// Its throughput at each number of connections that was tried; absent if there was one only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<Level>,
    /// Latencies without a verdict; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<Late>,
    /// Figures by metric.
    pub metrics: BTreeMap<&'static str, Figure>,
    /// How many more answers per slice each latency needs for a figure; absent if none are missing.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub answers_wanting: BTreeMap<&'static str, u64>,
    /// The part above the floor, by metric.
    pub net: BTreeMap<&'static str, Figure>,
    /// The spread of its runs; for whole commands only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<Spread>,
    /// First and last rank that it may have, by metric.
    pub rank: BTreeMap<&'static str, [u32; 2]>,
    /// All its latencies; null if none were counted.
    pub latency: Option<Latency>,
    /// Request counts: `sent` = `valid` + `invalid` + `lost`.
    pub requests: RequestCounts,
    /// Share of answers whose bytes were all checked.
    pub checked: f64,
    /// Noise around its slices.
    pub covariates: Covariates,
    /// What the services of its case used meanwhile, by name: not included in its own figures. Absent if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub services: BTreeMap<String, Service>,
    /// Notes on it for the reader.
    pub flags: Vec<String>,
}

impl From<&model::ContenderResult> for Contender {
    fn from(contender: &model::ContenderResult) -> Self {
        let rank = |metric| view::rank_on(contender, metric).map(|(low, high)| [low, high]);
        Self {
            id: contender.id.to_string(),
            name: contender.id.name.clone(),
            variant: contender.id.variant.clone(),
            language: contender.subject.language().to_owned(),
            summary: contender.summary.clone(),
            style: contender.subject.style(),
            stands_in_for: contender.subject.stands_in_for().map(str::to_owned),
            versions: Pairs(contender.subject.versions().to_vec()),
            container: contender.subject.container().map(Container::from),
            scheme: contender.subject.scheme().map(str::to_owned),
            state: contender.state.name(),
            reason: contender.fault.as_ref().map(|fault| fault.detail.clone()),
            fault: contender.fault.as_ref().map(|fault| fault.kind.name()),
            bound: contender.bound.map(model::Bound::name),
            levels: contender.levels.iter().map(Level::from).collect(),
            late: contender.late.as_ref().map(Late::from),
            metrics: figures(&contender.metrics),
            answers_wanting: BTreeMap::new(),
            net: figures(&contender.net),
            spread: contender.spread.as_ref().map(Spread::from),
            rank: contender
                .ranks
                .keys()
                .filter_map(|&m| Some((m.name(), rank(m)?)))
                .collect(),
            latency: latency(&contender.latency),
            requests: RequestCounts {
                sent: contender.requests.sent,
                valid: contender.requests.valid,
                invalid: contender.requests.invalid,
                lost: contender.requests.lost,
            },
            checked: contender.checked.0,
            covariates: Covariates::new(&contender.covariates),
            services: contender.services.iter().map(service).collect(),
            flags: contender.flags.clone(),
        }
    }
}

/// The container of a contender.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Container {
    /// The engine and its runtime, with their versions.
    pub engine: String,
    /// The image's id.
    pub image: String,
    /// The images that it begins with or copies from, and their digests.
    pub bases: Pairs,
    /// Of these, those that are not the registry's of their name, and in what they differ.
    #[serde(skip_serializing_if = "Pairs::is_empty")]
    pub substitutes: Pairs,
}

impl From<&Contained> for Container {
    fn from(container: &Contained) -> Self {
        Self {
            engine: container.engine.clone(),
            image: container.image.clone(),
            bases: Pairs(container.bases.clone()),
            substitutes: Pairs(container.substitutes.clone()),
        }
    }
}

/// A figure on a metric.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Figure {
    /// `s`, `1/s` or `bytes`.
    pub unit: &'static str,
    /// The figure and its interval.
    #[serde(flatten)]
    pub value: Range,
}

/// Latencies of all slices.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Latency {
    /// How many.
    pub count: u64,
    /// Their mean, in seconds.
    pub mean: Option<f64>,
    /// The longest, in seconds.
    pub max: f64,
    /// Quantiles with at least ten answers beyond them.
    pub quantiles: Vec<Quantile>,
}

/// A quantile.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Quantile {
    /// Which, 0 to 1.
    pub q: f64,
    /// Its value in seconds.
    pub seconds: f64,
}

/// Where every request went.
#[derive(Debug, Clone, serde::Serialize)]
#[allow(missing_docs)] // the names are those of `tare_model::measure::RequestCounts`
pub(super) struct RequestCounts {
    pub sent: u64,
    pub valid: u64,
    pub invalid: u64,
    pub lost: u64,
}

/// What a service used while a contender was measured.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Service {
    /// CPU time per right answer of the contender, in seconds.
    pub cpu_per_op: f64,
}

/// A contender, with the fields that need its workload's rounds.
pub(super) fn contender(result: &model::WorkloadResult, contender: &model::ContenderResult) -> Contender {
    let wanting = tails::needs(result, contender).into_iter();
    Contender {
        answers_wanting: wanting.map(|(metric, more)| (metric.name(), more)).collect(),
        ..Contender::from(contender)
    }
}

fn figures(metrics: &BTreeMap<Metric, Estimate>) -> BTreeMap<&'static str, Figure> {
    let figure = |(metric, estimate): (&Metric, &Estimate)| {
        let figure = Figure {
            unit: metric.unit(),
            value: Range::from(estimate),
        };
        (metric.name(), figure)
    };
    metrics.iter().map(figure).collect()
}

fn service(cost: &model::ServiceCost) -> (String, Service) {
    let cpu_per_op = cost.cpu_per_op.0;
    (cost.name.clone(), Service { cpu_per_op })
}

fn latency(histogram: &Histogram) -> Option<Latency> {
    let count = histogram.count();
    let enough = |q: &f64| count as f64 * (1.0 - q) >= 10.0 - 1e-6;
    let quantile = |q: f64| {
        Some(Quantile {
            q,
            seconds: Seconds::from_nanos(histogram.quantile(q)?).0,
        })
    };
    (count > 0).then(|| Latency {
        count,
        mean: histogram.mean().map(|nanos| nanos / 1e9),
        max: Seconds::from_nanos(histogram.max()).0,
        quantiles: QUANTILES
            .into_iter()
            .filter(enough)
            .filter_map(quantile)
            .collect(),
    })
}
