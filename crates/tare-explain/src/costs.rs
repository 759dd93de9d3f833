//! From samples to costs: what each stack costs per operation.
//!
//! The kernel's accounts give the CPU per operation of each sampled slice, and a stack has a share of the slice's samples:
//! its cost is that share of that CPU. A stack's cost is the mean over rounds of its
//! cost in each, so costs of stacks add up to the mean cost of an operation. Costs are never normalised, so those of two
//! contenders can be subtracted.

use std::collections::BTreeMap;

use tare_model::evidence::{Look, Observed};
use tare_model::explanation::Layer;

use crate::layers::{Decision, Function, Rules, Say};
use crate::names;

/// The cost of each stack of a contender.
#[derive(Debug, Clone)]
pub(crate) struct Costs {
    /// Its language, by name.
    pub language: String,
    /// Rounds that have samples, in order.
    pub rounds: Vec<u32>,
    /// Functions; stacks refer to them by index.
    pub functions: Vec<Function>,
    /// What the rules say of a stack with each of them innermost.
    pub says: Vec<Say>,
    /// The stacks.
    pub stacks: Vec<StackCost>,
    /// CPU time of the samples over that of the kernel's accounts, in the same slices.
    pub seen: f64,
}

/// The cost of one stack in one round.
#[derive(Debug, Clone)]
pub(crate) struct StackCost {
    /// The round.
    pub round: u32,
    /// Functions, innermost first.
    pub functions: Vec<usize>,
    /// Its layer.
    pub layer: Layer,
    /// The cause of its time, if a rule has one, and the function that has it, by place in the stack.
    pub cause: Option<(&'static str, usize)>,
    /// CPU seconds per operation, in that round.
    pub seconds: f64,
}

impl StackCost {
    /// The cause by itself.
    pub(crate) fn named_cause(&self) -> Option<&'static str> {
        self.cause.map(|(cause, _)| cause)
    }
}

impl Costs {
    /// From the evidence of a contender; none if no slice has samples.
    pub(crate) fn of(subject: &Observed) -> Option<Self> {
        let nanos = nanos_by_round(subject);
        let per_op: BTreeMap<u32, f64> = per_round(subject, Look::Sampled).into_iter().collect();
        let accounted: f64 = subject.of(Look::Sampled).map(|glance| glance.cpu.0).sum();
        let rounds: Vec<u32> = per_op
            .keys()
            .copied()
            .filter(|round| nanos.contains_key(round))
            .collect();
        if rounds.is_empty() {
            return None;
        }
        let rules = Rules::of(&subject.languages);
        let (functions, places) = functions(subject);
        let says: Vec<_> = functions.iter().map(|function| rules.say(function)).collect();
        let mut stacks = Vec::new();
        for stack in &subject.profile.stacks {
            let Some(cost) = per_op.get(&stack.round).zip(nanos.get(&stack.round)) else {
                continue;
            };
            let stack_functions: Vec<usize> =
                stack.frames.iter().map(|&frame| places[frame as usize]).collect();
            let kernel = stack_functions
                .first()
                .is_some_and(|&first| functions[first].image == "[kernel]");
            let said = stack_functions.iter().map(|&function| says[function]);
            let Decision { mut layer, cause } = Rules::decide(said, kernel);
            let thread = subject.profile.threads.get(stack.thread as usize);
            if let Some(whole) = thread.and_then(|name| rules.thread(name)).filter(|_| !kernel) {
                layer = whole;
            }
            stacks.push(StackCost {
                round: stack.round,
                functions: stack_functions,
                layer,
                cause,
                seconds: cost.0 * stack.nanos as f64 / *cost.1 as f64,
            });
        }
        let total: u64 = nanos.values().sum();
        Some(Self {
            language: subject.languages.first().cloned().unwrap_or_default(),
            rounds,
            functions,
            says,
            stacks,
            seen: total as f64 / 1e9 / accounted.max(f64::MIN_POSITIVE),
        })
    }

    /// The mean over rounds of what some stacks cost together.
    pub(crate) fn of_stacks(&self, wanted: impl Fn(&StackCost) -> bool) -> f64 {
        let wanted = self.stacks.iter().filter(|stack| wanted(stack));
        // The sum of no numbers is -0.0.
        let sum = wanted.fold(0.0, |sum, stack| sum + stack.seconds);
        sum / self.rounds.len() as f64
    }

    /// What some stacks cost together in each round.
    pub(crate) fn by_round(&self, wanted: impl Fn(&StackCost) -> bool) -> Vec<(u32, f64)> {
        let mut sums: BTreeMap<u32, f64> = self.rounds.iter().map(|&round| (round, 0.0)).collect();
        for stack in self.stacks.iter().filter(|stack| wanted(stack)) {
            *sums.entry(stack.round).or_default() += stack.seconds;
        }
        sums.into_iter().collect()
    }

    /// The cost of an operation.
    pub(crate) fn whole(&self) -> f64 {
        self.of_stacks(|_| true)
    }

    /// The cost of stacks that have one of these functions at any place.
    pub(crate) fn through(&self, wanted: impl Fn(&Function) -> bool) -> f64 {
        let these: Vec<bool> = self.functions.iter().map(wanted).collect();
        self.of_stacks(|stack| stack.functions.iter().any(|&function| these[function]))
    }

    /// The share of time in code that has no name.
    pub(crate) fn nameless(&self) -> f64 {
        let innermost = |stack: &StackCost| stack.functions.first().map(|&first| &self.functions[first]);
        let nameless = |stack: &StackCost| innermost(stack).is_none_or(|function| function.name.is_empty());
        self.of_stacks(nameless) / self.whole().max(f64::MIN_POSITIVE)
    }
}

/// CPU per operation of each slice of a kind, by round.
pub(crate) fn per_round(subject: &Observed, look: Look) -> Vec<(u32, f64)> {
    let glances = subject
        .of(look)
        .filter(|glance| glance.ops > 0 && glance.cpu.0 > 0.0);
    glances
        .map(|glance| (glance.round, glance.cpu.0 / glance.ops as f64))
        .collect()
}

/// The values of the rounds that both have.
pub(crate) fn paired(a: &[(u32, f64)], b: &[(u32, f64)]) -> Vec<(f64, f64)> {
    let of_b: BTreeMap<u32, f64> = b.iter().copied().collect();
    a.iter()
        .filter_map(|(round, a)| Some((*a, *of_b.get(round)?)))
        .collect()
}

fn nanos_by_round(subject: &Observed) -> BTreeMap<u32, u64> {
    let mut nanos: BTreeMap<u32, u64> = BTreeMap::new();
    for stack in &subject.profile.stacks {
        *nanos.entry(stack.round).or_default() += stack.nanos;
    }
    nanos.retain(|_, nanos| *nanos > 0);
    nanos
}

/// The functions of a profile by their readable names, each once, and which of them each frame is. A function may have
/// been compiled several times.
fn functions(subject: &Observed) -> (Vec<Function>, Vec<usize>) {
    let mut known: BTreeMap<Function, usize> = BTreeMap::new();
    let mut functions = Vec::new();
    let place = |frame: &tare_model::evidence::Frame| {
        let function = Function {
            name: names::readable(&frame.symbol, &frame.image, &subject.languages),
            image: frame.image.clone(),
            own: frame.own,
        };
        *known.entry(function.clone()).or_insert_with(|| {
            functions.push(function);
            functions.len() - 1
        })
    };
    let places = subject.profile.frames.iter().map(place).collect();
    (functions, places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::fixture::{Made, subject};

    #[test]
    fn costs_of_stacks_add_up_to_the_cost_of_an_operation() {
        // 1000 operations in 10 ms of CPU: 10 µs each, three quarters of it in one function.
        let made = Made {
            stacks: vec![(vec!["burn", "main"], 3), (vec!["main"], 1)],
            ..Made::default()
        };
        let costs = Costs::of(&subject("a", "c", &made)).unwrap();
        assert!(
            (costs.whole() - 10e-6).abs() < 0.05e-6,
            "its noise is half a per cent"
        );
        let burn = costs.through(|function| function.name == "burn");
        assert!((burn / costs.whole() - 0.75).abs() < 1e-3);
        let rounds = costs.by_round(|_| true);
        let mean = rounds.iter().map(|(_, seconds)| seconds).sum::<f64>() / rounds.len() as f64;
        assert!((mean / costs.whole() - 1.0).abs() < 1e-9);
        assert_eq!(costs.nameless(), 0.0);
    }

    #[test]
    fn rounds_are_paired_by_their_numbers() {
        let pairs = paired(
            &[(0, 1.0), (1, 2.0), (3, 4.0)],
            &[(1, 20.0), (2, 30.0), (3, 40.0)],
        );
        assert_eq!(pairs, [(2.0, 20.0), (4.0, 40.0)]);
    }
}
