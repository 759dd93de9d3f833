//! What disturbed a contender's slices, and which verdicts are withheld because of it.

use tare_model::late::Lateness;
use tare_model::results as model;

/// Noise around a contender's slices.
#[derive(Debug, Clone, serde::Serialize)]
#[allow(missing_docs)] // the names are those of `model::Covariates`
pub(super) struct Covariates {
    pub steal: f64,
    pub pressure: Option<f64>,
    pub contender_busy: f64,
    pub load_busy: f64,
    pub load_cpu_per_op: f64,
    pub switches_per_op: f64,
    /// The generator's lateness, median and 99.9th percentile, in seconds (cost mode).
    pub lag: Option<Lag>,
}

/// How late the generator sent.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Lag {
    /// Median, in seconds.
    pub p50: f64,
    /// 99.9th percentile, in seconds.
    pub p999: f64,
}

/// What is withheld because the generator was late.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Late {
    /// Latencies without a verdict.
    pub metrics: Vec<&'static str>,
    /// Whether the rate was kept nevertheless.
    pub rate_kept: bool,
    /// Why.
    pub reason: String,
}

impl Covariates {
    pub(super) fn new(covariates: &model::Covariates) -> Self {
        Self {
            steal: covariates.steal.0,
            pressure: covariates.pressure.map(|share| share.0),
            contender_busy: covariates.contender_busy.0,
            load_busy: covariates.load_busy.0,
            load_cpu_per_op: covariates.load_cpu_per_op.0,
            switches_per_op: covariates.switches_per_op,
            lag: covariates.lag.map(|(p50, p999)| Lag {
                p50: p50.0,
                p999: p999.0,
            }),
        }
    }
}

impl From<&Lateness> for Late {
    fn from(late: &Lateness) -> Self {
        Self {
            metrics: late.withheld.iter().map(|metric| metric.name()).collect(),
            rate_kept: late.kept,
            reason: late.why.clone(),
        }
    }
}
