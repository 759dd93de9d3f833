//! A workload's case in one mode, as the document has it.

use serde_json::Value;
use tare_model::{placement, results as model};

use super::claims::{self, Claim};
use super::comparison::Comparison;
use super::contender::{Contender, contender};
use super::published::Published;
use super::typed;
use crate::view;

/// One workload's case in one mode.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Workload {
    /// The workload.
    pub name: String,
    /// One line on the job.
    pub summary: String,
    /// The case.
    pub case: String,
    /// One line on the case.
    pub case_summary: String,
    /// What the size counts, if the case is swept over sizes.
    pub sweep: Option<String>,
    /// The size, if it is.
    pub size: Option<u64>,
    /// `capacity`, `cost` or `batch`.
    pub mode: &'static str,
    /// Rate, connections, depth and so on.
    pub driving: Value,
    /// Which cores each side had.
    pub placement: Placement,
    /// The metric that α is spent on.
    pub primary: &'static str,
    /// The floor contender.
    pub floor: Option<String>,
    /// The contender that ratios are against.
    pub baseline: Option<String>,
    /// Rounds measured.
    pub rounds: u32,
    /// Launches measured.
    pub launches: u32,
    /// Every contender that was meant to take part.
    pub contenders: Vec<Contender>,
    /// Verdicts.
    pub comparisons: Vec<Comparison>,
    /// Published figures.
    pub published: Vec<Published>,
    /// What the reproduced report found, and whether it holds.
    pub findings: Vec<Claim>,
}

impl From<&model::WorkloadResult> for Workload {
    fn from(result: &model::WorkloadResult) -> Self {
        Self {
            name: result.workload.clone(),
            summary: result.summary.clone(),
            case: result.case.clone(),
            case_summary: result.case_summary.clone(),
            sweep: result.sweep.clone(),
            size: result.size,
            mode: result.mode.name(),
            driving: typed::driving(&result.driving),
            placement: Placement {
                contender: result.placement.contender.clone(),
                load: result.placement.load.clone(),
                shared: result.placement.shared(),
                services: result.placement.services.clone(),
                services_on: result.placement.services_on.as_ref().map(Node::from),
                agents: result.placement.agents.iter().map(Node::from).collect(),
            },
            primary: result.primary.name(),
            floor: result.floor.as_ref().map(ToString::to_string),
            baseline: result.baseline.as_ref().map(ToString::to_string),
            rounds: result.rounds,
            launches: result.launches,
            contenders: result
                .contenders
                .iter()
                .map(|one| contender(result, one))
                .collect(),
            comparisons: comparisons(result),
            published: result.published.iter().map(Published::from).collect(),
            findings: result
                .claims
                .iter()
                .map(|claim| claims::claim(result, claim))
                .collect(),
        }
    }
}

/// Which cores each side had.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Placement {
    /// The contender's.
    pub contender: Vec<u32>,
    /// The load's.
    pub load: Vec<u32>,
    /// Whether they share any. Such results are not comparable with separate-core results.
    pub shared: bool,
    /// Services that ran on the load's cores and were never paused; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<String>,
    /// The machine that the services ran on, where that was another; absent if it was this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub services_on: Option<Node>,
    /// The machines that drove the load, where those were others; absent if this one did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<Node>,
}

/// A machine that took part.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Node {
    /// What it was called when the run was started.
    pub name: String,
    /// Its host name.
    pub host: String,
    /// Its CPU model.
    pub cpu: String,
    /// The cores that tare could use there.
    pub cores: u32,
}

impl From<&placement::Node> for Node {
    fn from(node: &placement::Node) -> Self {
        Self {
            name: node.name.clone(),
            host: node.host.clone(),
            cpu: node.cpu.clone(),
            cores: node.cores,
        }
    }
}

/// The [valid](view::valid) comparisons.
fn comparisons(result: &model::WorkloadResult) -> Vec<Comparison> {
    let said = result.comparisons.iter().filter(|c| view::valid(result, c));
    said.map(Comparison::from).collect()
}
