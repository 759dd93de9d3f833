//! Two contenders on one metric, as the document has them.

use tare_model::comparison as model;

use crate::words;

/// Two contenders on one metric.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Comparison {
    /// The contender.
    pub a: String,
    /// What it is compared with.
    pub b: String,
    /// On what.
    pub metric: &'static str,
    /// Whether α was spent on it.
    pub primary: bool,
    /// a's value over b's.
    pub ratio: f64,
    /// The interval's lower end.
    pub low: Option<f64>,
    /// The interval's upper end.
    pub high: Option<f64>,
    /// Chance of a false declaration.
    pub alpha: f64,
    /// What counts as equivalent, as a ratio minus one.
    pub margin: f64,
    /// Rounds used.
    pub rounds: u32,
    /// Launches used.
    pub launches: u32,
    /// From rounds of too few launches for a verdict over launches.
    pub provisional: bool,
    /// `faster`, `slower`, `equivalent` or `inconclusive`: `faster` means that `a` is the better.
    pub verdict: &'static str,
    /// More rounds predicted until it is decided.
    pub rounds_needed: Option<u32>,
    /// More launches predicted until it is decided.
    pub launches_needed: Option<u32>,
    /// Each launch's centre, as ratios.
    pub centres: Vec<f64>,
    /// The ratio on each node; absent in a run of one machine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_node: Vec<OnNode>,
    /// The ratio of what is above the floor.
    pub net_ratio: Option<Ratio>,
}

impl From<&model::Comparison> for Comparison {
    fn from(c: &model::Comparison) -> Self {
        let (rounds_needed, launches_needed) = needed(c);
        Self {
            a: c.a.to_string(),
            b: c.b.to_string(),
            metric: c.metric.name(),
            primary: c.primary,
            ratio: c.ratio,
            low: c.low,
            high: c.high,
            alpha: c.alpha,
            margin: c.margin,
            rounds: c.rounds,
            launches: c.launches,
            provisional: c.provisional,
            verdict: words::decided(c).name(),
            rounds_needed,
            launches_needed,
            centres: c.centres.clone(),
            by_node: c.by_node.iter().map(OnNode::from).collect(),
            net_ratio: c.net_ratio.map(|net| Ratio {
                ratio: net.estimate,
                low: net.low,
                high: net.high,
            }),
        }
    }
}

/// A ratio on a node.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct OnNode {
    /// The node's place in `run.nodes`, from 0.
    pub node: u32,
    /// a's value over b's.
    pub ratio: f64,
}

impl From<&model::OnNode> for OnNode {
    fn from(on: &model::OnNode) -> Self {
        let model::OnNode { node, ratio } = *on;
        Self { node, ratio }
    }
}

/// A ratio and its interval.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Ratio {
    /// The ratio.
    pub ratio: f64,
    /// The interval's lower end.
    pub low: Option<f64>,
    /// The interval's upper end.
    pub high: Option<f64>,
}

/// More rounds and more launches: a prediction in launches is turned into rounds by the rounds a launch had so far. Of a
/// single launch, it is one in rounds.
fn needed(c: &model::Comparison) -> (Option<u32>, Option<u32>) {
    if c.in_rounds() {
        return (c.needed, None);
    }
    let an_launch = f64::from(c.rounds) / f64::from(c.launches.max(1));
    let rounds = c
        .needed
        .map(|launches| (f64::from(launches) * an_launch).ceil() as u32);
    (rounds, c.needed)
}
