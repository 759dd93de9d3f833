//! Explanations in the results document.

use serde::Serialize;
use tare_model::explanation as model;

use super::figure::Range;

/// Why one contender is slower than the other. Costs are CPU seconds per operation, differences are b less a.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Explanation {
    /// The workload.
    pub workload: String,
    /// The case.
    pub case: String,
    /// `capacity`, `cost` or `batch`.
    pub mode: &'static str,
    /// The size, if the case is swept.
    pub size: Option<u64>,
    /// When the evidence was collected.
    pub made: String,
    /// The first contender.
    pub a: String,
    /// The second.
    pub b: String,
    /// The floor.
    pub floor: Option<String>,
    /// Rounds that hold both.
    pub rounds: u32,
    /// The chance that an interval misses.
    pub alpha: f64,
    /// What an operation costs each.
    pub cost: Sides<Range>,
    /// The measured gap.
    pub gap: Option<Range>,
    /// The difference from a to b, layer by layer.
    pub layers: Vec<Layer>,
    /// Whether the parts add up.
    pub closure: Option<Closure>,
    /// What was found.
    pub findings: Vec<Cause>,
    /// What was counted.
    pub counts: Vec<Count>,
    /// Functions whose own cost differs most.
    pub functions: Vec<Function>,
    /// What the instrumentation cost.
    pub looked_into: Vec<Instrumentation>,
    /// What could not be collected.
    pub notes: Vec<String>,
}

/// The same figure of each side; null if it is not known.
#[derive(Debug, Clone, Copy, Serialize)]
#[allow(missing_docs)] // the names are those of `model::Sides`
pub(super) struct Sides<T> {
    pub a: Option<T>,
    pub b: Option<T>,
    pub floor: Option<T>,
}

/// A layer's part.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Layer {
    /// Which.
    pub layer: &'static str,
    /// What it costs each.
    pub cost: Sides<f64>,
    /// b's less a's.
    pub delta: Range,
}

/// The parts against the whole.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Closure {
    /// The sum of the parts.
    pub parts: f64,
    /// The gap less that.
    pub rest: Range,
    /// Whether the rest cannot be distinguished from zero.
    pub closes: bool,
    /// The part of the gap that named layers explain.
    pub explained: Option<f64>,
    /// CPU time of the samples over the CPU time that was used.
    pub seen: Sides<f64>,
}

/// A sentence with its size.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Cause {
    /// The rule (docs/explain.md).
    pub rule: &'static str,
    /// The sentence.
    pub text: String,
    /// Where it is seen.
    pub evidence: String,
    /// How much of the gap it is.
    pub size: Option<f64>,
}

/// A count.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Count {
    /// Of what.
    pub name: String,
    /// In what.
    pub unit: &'static str,
    /// Of each.
    pub value: Sides<f64>,
}

/// A function.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Function {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub image: String,
    /// Its layer.
    pub layer: &'static str,
    /// Its own cost.
    pub own: Sides<f64>,
    /// With all that it calls.
    pub total: Sides<f64>,
}

/// What the instrumentation of a contender cost.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Instrumentation {
    /// The contender.
    pub contender: String,
    /// What it was run with.
    pub with: String,
    /// Its cost with instrumentation over its cost without.
    pub ratio: Range,
}

impl<T> From<model::Sides<T>> for Sides<T> {
    fn from(sides: model::Sides<T>) -> Self {
        let model::Sides { a, b, floor } = sides;
        Self { a, b, floor }
    }
}

impl From<&model::Explanation> for Explanation {
    fn from(found: &model::Explanation) -> Self {
        Self {
            workload: found.workload.clone(),
            case: found.case.clone(),
            mode: found.mode.name(),
            size: found.size,
            made: crate::when::iso(found.made),
            a: found.a.to_string(),
            b: found.b.to_string(),
            floor: found.floor.as_ref().map(ToString::to_string),
            rounds: found.rounds,
            alpha: found.alpha,
            cost: found.cost.map(|cost| Range::from(&cost)).into(),
            gap: found.gap.as_ref().map(Range::from),
            layers: found.layers.iter().map(Layer::from).collect(),
            closure: found.closure.as_ref().map(Closure::from),
            findings: found.findings.iter().map(Cause::from).collect(),
            counts: found.counts.iter().map(Count::from).collect(),
            functions: found.functions.iter().map(Function::from).collect(),
            looked_into: found.instrumentations.iter().map(Instrumentation::from).collect(),
            notes: found.notes.clone(),
        }
    }
}

impl From<&model::LayerCost> for Layer {
    fn from(part: &model::LayerCost) -> Self {
        Self {
            layer: part.layer.name(),
            cost: part.cost.into(),
            delta: Range::from(&part.delta),
        }
    }
}

impl From<&model::Closure> for Closure {
    fn from(closure: &model::Closure) -> Self {
        Self {
            parts: closure.parts,
            rest: Range::from(&closure.rest),
            closes: closure.closes,
            explained: closure.explained,
            seen: closure.seen.into(),
        }
    }
}

impl From<&model::Finding> for Cause {
    fn from(finding: &model::Finding) -> Self {
        Self {
            rule: finding.rule.name(),
            text: finding.text.clone(),
            evidence: finding.evidence.clone(),
            size: finding.size,
        }
    }
}

impl From<&model::Count> for Count {
    fn from(count: &model::Count) -> Self {
        Self {
            name: count.name.clone(),
            unit: count.unit.name(),
            value: count.value.into(),
        }
    }
}

impl From<&model::FunctionCost> for Function {
    fn from(function: &model::FunctionCost) -> Self {
        Self {
            name: function.name.clone(),
            image: function.image.clone(),
            layer: function.layer.name(),
            own: function.own.into(),
            total: function.total.into(),
        }
    }
}

impl From<&model::Instrumentation> for Instrumentation {
    fn from(instrumentation: &model::Instrumentation) -> Self {
        Self {
            contender: instrumentation.id.to_string(),
            with: instrumentation.words.clone(),
            ratio: Range::from(&instrumentation.ratio),
        }
    }
}
