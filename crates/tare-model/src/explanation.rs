//! Why one contender is not as fast as another: computed from [`crate::evidence`], never stored.
//!
//! All costs are CPU seconds per operation; all differences are `b` less `a`.

use std::fmt;

use crate::ids::ContenderId;
use crate::metric::Mode;
use crate::results::Estimate;

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
    /// What an operation costs: of a, b and the floor.
    pub cost: Sides<Estimate>,
    /// The gap, measured in slices in which nothing was recorded.
    pub gap: Option<Estimate>,
    /// The way from a to b; empty where there are no stacks of both.
    pub layers: Vec<LayerCost>,
    /// Whether the parts add up to the gap.
    pub closure: Option<Closure>,
    /// What was found, the weightiest first.
    pub findings: Vec<Finding>,
    /// Counts per operation, and what else was read off both.
    pub counts: Vec<Count>,
    /// Functions, those first whose cost differs most.
    pub functions: Vec<FunctionCost>,
    /// Stacks of each side, for flame graphs.
    pub flames: Vec<Flame>,
    /// What it cost to be looked into.
    pub instrumentations: Vec<Instrumentation>,
    /// What could not be collected, and a hint.
    pub notes: Vec<String>,
}

/// The same thing of a, of b, and of the floor; none where it is not known.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sides<T> {
    /// Of the first.
    pub a: Option<T>,
    /// Of the second.
    pub b: Option<T>,
    /// Of the floor.
    pub floor: Option<T>,
}

/// Where time goes, whatever the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The kernel's sockets and its network.
    Network,
    /// All else that the kernel does: other system calls, page faults, switches.
    Kernel,
    /// Getting memory and giving it back.
    Allocation,
    /// Garbage collection.
    Collection,
    /// What runs the program: compiler, interpreter, scheduler, event loop.
    Runtime,
    /// Reading and writing what goes over the wire.
    Protocol,
    /// Making bytes of values and values of bytes.
    Encoding,
    /// The contender's own code.
    Application,
    /// Nobody knows.
    Unknown,
}

/// One layer's part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayerCost {
    /// Which.
    pub layer: Layer,
    /// What it costs each.
    pub cost: Sides<f64>,
    /// b's less a's.
    pub delta: Estimate,
}

/// The parts held against the whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closure {
    /// The sum over all layers.
    pub parts: f64,
    /// The measured gap less that sum.
    pub rest: Estimate,
    /// Whether the rest cannot be told from nothing.
    pub closes: bool,
    /// The part of the gap that named layers explain; none where the gap cannot be told from nothing.
    pub explained: Option<f64>,
    /// CPU time of the samples over the CPU time that the kernel accounted, in the same slices: of a, b and the floor.
    pub seen: Sides<f64>,
}

/// A sentence, what it rests on, and its size.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule that found it (docs/explain.md).
    pub rule: Rule,
    /// The sentence.
    pub text: String,
    /// Where that is seen.
    pub evidence: String,
    /// How much of the gap it is, where that can be told.
    pub size: Option<f64>,
}

/// The rules that find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// One makes more system calls of a kind.
    Calls,
    /// A function stands under its own name on one side only.
    OwnName,
    /// A function costs more on one side.
    Function,
    /// What runtimes do for a known reason costs more on one side.
    Cause,
    /// They use different numbers of cores.
    Cores,
    /// One allocates more, or collects more.
    Garbage,
    /// Time goes by off the cores.
    Waiting,
    /// Processes are started per operation.
    Starts,
    /// One holds more memory.
    Memory,
    /// One switches more.
    Switches,
    /// One touches more fresh memory.
    Faults,
    /// A layer holds a large part of the gap.
    Layer,
}

/// One count of each side.
#[derive(Debug, Clone, PartialEq)]
pub struct Count {
    /// Of what: `write calls`, `cores used`.
    pub name: String,
    /// Its unit: `per operation`, `bytes`, a blank for none.
    pub unit: Unit,
    /// Of a, b and the floor.
    pub value: Sides<f64>,
}

/// What a count counts in.
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
    /// A number by itself.
    Number,
    /// A part of a whole.
    Share,
}

/// What one function costs.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionCost {
    /// Its name, made readable.
    pub name: String,
    /// The file that it is in.
    pub image: String,
    /// Its layer.
    pub layer: Layer,
    /// In itself.
    pub own: Sides<f64>,
    /// With all that it calls, as far as stacks go.
    pub total: Sides<f64>,
}

/// Stacks to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Flame {
    /// What they are of.
    pub title: String,
    /// Whether each has the cost of both sides.
    pub difference: bool,
    /// The stacks, outermost first, and what each costs: drawn by the last of the two numbers, coloured by both.
    pub stacks: Vec<(Vec<String>, f64, f64)>,
}

/// What it cost a contender to be looked into.
#[derive(Debug, Clone, PartialEq)]
pub struct Instrumentation {
    /// Which contender.
    pub id: ContenderId,
    /// What it was run with.
    pub words: String,
    /// Its cost with that over its cost without.
    pub ratio: Estimate,
}

impl Layer {
    /// All, as the waterfall has them.
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

    /// What people read.
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
    /// Of each side.
    pub fn new(a: Option<T>, b: Option<T>, floor: Option<T>) -> Self {
        Self { a, b, floor }
    }

    /// Both, where both are known.
    pub fn both(self) -> Option<(T, T)> {
        self.a.zip(self.b)
    }

    /// The same after a change of each.
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
