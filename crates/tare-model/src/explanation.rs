//! Why one contender is slower than another: computed from [`crate::evidence`], never stored.
//!
//! All costs are CPU seconds per operation; all differences are `b` minus `a`.

use std::fmt;

use crate::estimate::Estimate;
use crate::ids::ContenderId;
use crate::metric::Mode;

/// The answer to one question.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The workload's name.
    pub workload: String,
    /// The case.
    pub case: String,
    /// How it was driven.
    pub mode: Mode,
    /// At which size, where the case is swept.
    pub size: Option<u64>,
    /// When the evidence was collected, in seconds since 1970 (UTC).
    pub made: i64,
    /// The first of the two.
    pub a: ContenderId,
    /// The second.
    pub b: ContenderId,
    /// The least program that does the job.
    pub floor: Option<ContenderId>,
    /// Rounds that hold both.
    pub rounds: u32,
    /// The chance that an interval misses what it estimates.
    pub alpha: f64,
    /// Cost of an operation, for a, b and the floor.
    pub cost: Sides<Estimate>,
    /// The gap, from slices without any recording.
    pub gap: Option<Estimate>,
    /// The steps from a to b, layer by layer; empty unless both have stacks.
    pub layers: Vec<LayerCost>,
    /// Whether the parts add up to the gap.
    pub closure: Option<Closure>,
    /// Findings, the largest first.
    pub findings: Vec<Finding>,
    /// Counts per operation, and other readings of both.
    pub counts: Vec<Count>,
    /// Functions, the largest difference in cost first.
    pub functions: Vec<FunctionCost>,
    /// Stacks of each side, for flame graphs.
    pub flames: Vec<Flame>,
    /// Cost of the instrumentation.
    pub instrumentations: Vec<Instrumentation>,
    /// What could not be collected, and a hint.
    pub notes: Vec<String>,
}

/// A value for a, b and the floor; none where it is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sides<T> {
    /// Of the first.
    pub a: Option<T>,
    /// Of the second.
    pub b: Option<T>,
    /// Of the floor.
    pub floor: Option<T>,
}

/// Where time is spent, in categories that apply to any language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The kernel's sockets and its network.
    Network,
    /// The rest of the kernel: other system calls, page faults, context switches.
    Kernel,
    /// Allocating and freeing memory.
    Allocation,
    /// Garbage collection.
    Collection,
    /// The language's runtime: compiler, interpreter, scheduler, event loop.
    Runtime,
    /// Reading and writing the wire protocol.
    Protocol,
    /// Encoding values to bytes and decoding them.
    Encoding,
    /// The contender's own code.
    Application,
    /// Not attributed.
    Unknown,
}

/// One layer's share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayerCost {
    /// Which.
    pub layer: Layer,
    /// Its cost on each side.
    pub cost: Sides<f64>,
    /// Cost of b minus cost of a.
    pub delta: Estimate,
}

/// The sum of the layers, compared with the measured gap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closure {
    /// The sum over all layers.
    pub parts: f64,
    /// The measured gap minus that sum.
    pub rest: Estimate,
    /// Whether the rest cannot be distinguished from zero.
    pub closes: bool,
    /// The share of the gap that named layers explain; none where the gap cannot be distinguished from zero.
    pub explained: Option<f64>,
    /// CPU time of the samples over the CPU time that the kernel accounted in the same slices, for a, b and the floor.
    pub seen: Sides<f64>,
}

/// A sentence, its evidence, and its size.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule that found it (docs/explain.md).
    pub rule: Rule,
    /// The sentence.
    pub text: String,
    /// What shows it.
    pub evidence: String,
    /// Its share of the gap, where that is known.
    pub size: Option<f64>,
}

/// The rules that produce findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// One makes more system calls of a kind.
    Calls,
    /// A function appears under its own name on one side only.
    OwnName,
    /// A function costs more on one side.
    Function,
    /// Runtime work with a known cause costs more on one side.
    Cause,
    /// They use different numbers of cores.
    Cores,
    /// One allocates more, or collects more.
    Garbage,
    /// Time is spent waiting, off the cores.
    Waiting,
    /// Processes are started per operation.
    Starts,
    /// One uses more memory.
    Memory,
    /// One has more context switches.
    Switches,
    /// One has more page faults.
    Faults,
    /// A layer makes up a large part of the gap.
    Layer,
}

/// One count of each side.
#[derive(Debug, Clone, PartialEq)]
pub struct Count {
    /// What is counted: `write calls`, `cores used`.
    pub name: String,
    /// Its unit.
    pub unit: Unit,
    /// For a, b and the floor.
    pub value: Sides<f64>,
}

/// The unit of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Events per operation.
    PerOperation,
    /// Bytes per operation.
    BytesPerOperation,
    /// Seconds per operation.
    SecondsPerOperation,
    /// Bytes.
    Bytes,
    /// A plain number.
    Number,
    /// A share of a whole.
    Share,
}

/// What one function costs.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionCost {
    /// Its readable name.
    pub name: String,
    /// The file that it is in.
    pub image: String,
    /// Its layer.
    pub layer: Layer,
    /// Its own cost.
    pub own: Sides<f64>,
    /// Its cost with everything that it calls, as far as the stacks reach.
    pub total: Sides<f64>,
}

/// A flame graph's stacks.
#[derive(Debug, Clone, PartialEq)]
pub struct Flame {
    /// The graph's title.
    pub title: String,
    /// Whether each stack has the cost of both sides.
    pub difference: bool,
    /// The stacks, outermost frame first, each with two costs: the second sets the width, both set the colour.
    pub stacks: Vec<(Vec<String>, f64, f64)>,
}

/// What instrumentation cost a contender.
#[derive(Debug, Clone, PartialEq)]
pub struct Instrumentation {
    /// Which contender.
    pub id: ContenderId,
    /// How it was instrumented, in words.
    pub words: String,
    /// Its cost with instrumentation over its cost without.
    pub ratio: Estimate,
}

impl Layer {
    /// All, in the order of the waterfall.
    pub const ALL: [Layer; 9] = [
        Layer::Network,
        Layer::Kernel,
        Layer::Allocation,
        Layer::Collection,
        Layer::Runtime,
        Layer::Protocol,
        Layer::Encoding,
        Layer::Application,
        Layer::Unknown,
    ];

    /// Its name in rules and documents.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Network => "network",
            Layer::Kernel => "kernel",
            Layer::Allocation => "allocation",
            Layer::Collection => "collection",
            Layer::Runtime => "runtime",
            Layer::Protocol => "protocol",
            Layer::Encoding => "encoding",
            Layer::Application => "application",
            Layer::Unknown => "unknown",
        }
    }

    /// Its name for readers.
    pub fn title(self) -> &'static str {
        match self {
            Layer::Network => "kernel: network",
            Layer::Kernel => "kernel: all else",
            Layer::Allocation => "allocation",
            Layer::Collection => "garbage collection",
            Layer::Runtime => "runtime, JIT, interpreter",
            Layer::Protocol => "protocol",
            Layer::Encoding => "encoding",
            Layer::Application => "application",
            Layer::Unknown => "unknown",
        }
    }

    /// The layer of a name.
    pub fn of(name: &str) -> Option<Self> {
        Layer::ALL.into_iter().find(|layer| layer.name() == name)
    }
}

impl Rule {
    /// All.
    pub const ALL: [Rule; 12] = [
        Rule::Calls,
        Rule::OwnName,
        Rule::Function,
        Rule::Cause,
        Rule::Cores,
        Rule::Garbage,
        Rule::Waiting,
        Rule::Starts,
        Rule::Memory,
        Rule::Switches,
        Rule::Faults,
        Rule::Layer,
    ];

    /// Its name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Calls => "calls",
            Rule::OwnName => "own-name",
            Rule::Function => "function",
            Rule::Cause => "cause",
            Rule::Cores => "cores",
            Rule::Garbage => "garbage",
            Rule::Waiting => "waiting",
            Rule::Starts => "starts",
            Rule::Memory => "memory",
            Rule::Switches => "switches",
            Rule::Faults => "faults",
            Rule::Layer => "layer",
        }
    }
}

impl Unit {
    /// Its name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Unit::PerOperation => "per operation",
            Unit::BytesPerOperation => "bytes per operation",
            Unit::SecondsPerOperation => "seconds per operation",
            Unit::Bytes => "bytes",
            Unit::Number => "number",
            Unit::Share => "share",
        }
    }
}

impl<T> Sides<T> {
    /// From the value of each side.
    pub fn new(a: Option<T>, b: Option<T>, floor: Option<T>) -> Self {
        Self { a, b, floor }
    }

    /// a's and b's, where both are known.
    pub fn both(self) -> Option<(T, T)> {
        self.a.zip(self.b)
    }

    /// Applies a function to each side.
    pub fn map<U>(self, change: impl Fn(T) -> U) -> Sides<U> {
        Sides {
            a: self.a.map(&change),
            b: self.b.map(&change),
            floor: self.floor.map(&change),
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.title())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_survive_their_names() {
        for layer in Layer::ALL {
            assert_eq!(Layer::of(layer.name()), Some(layer));
        }
        assert_eq!(Layer::of("crust"), None);
    }
}
