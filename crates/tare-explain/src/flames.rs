//! Stacks for flame graphs: of each side, and of the difference both ways where stacks align.

use std::collections::BTreeMap;

use tare_model::evidence::Evidence;
use tare_model::explanation::{Flame, Sides};

use crate::costs::Costs;

/// Stacks that cost less than this part of an operation are too narrow to be seen.
const NARROW: f64 = 0.0005;

type Folded = BTreeMap<Vec<String>, f64>;

/// A graph of each side that has stacks; of two in the same language, the difference as b has it and as a has it.
pub(crate) fn flames(evidence: &Evidence, costs: &Sides<Costs>) -> Vec<Flame> {
    let (a, b) = (costs.a.as_ref().map(folded), costs.b.as_ref().map(folded));
    let mut flames = Vec::new();
    for (id, folded) in [(&evidence.a, &a), (&evidence.b, &b)] {
        flames.extend(
            folded
                .as_ref()
                .map(|folded| alone(format!("{id}, CPU per operation"), folded)),
        );
    }
    let same = costs
        .a
        .as_ref()
        .zip(costs.b.as_ref())
        .is_some_and(|(a, b)| a.language == b.language);
    if let Some((of_a, of_b)) = a.zip(b).filter(|_| same) {
        let (a, b) = (&evidence.a, &evidence.b);
        flames.push(difference(
            format!("{b} as drawn, against {a} by colour"),
            &of_a,
            &of_b,
        ));
        flames.push(difference(
            format!("{a} as drawn, against {b} by colour"),
            &of_b,
            &of_a,
        ));
    }
    flames
}

fn folded(costs: &Costs) -> Folded {
    let mut folded = Folded::new();
    for stack in &costs.stacks {
        let names = stack.functions.iter().rev().map(|&function| {
            let function = &costs.functions[function];
            if function.name.is_empty() {
                format!("[{}]", function.image)
            } else {
                function.name.clone()
            }
        });
        *folded.entry(names.collect()).or_default() += stack.seconds / costs.rounds.len() as f64;
    }
    folded
}

fn narrow(folded: &Folded) -> f64 {
    folded.values().sum::<f64>() * NARROW
}

fn alone(title: String, folded: &Folded) -> Flame {
    let least = narrow(folded);
    let wide = folded.iter().filter(|(_, seconds)| **seconds >= least);
    Flame {
        title,
        difference: false,
        stacks: wide
            .map(|(stack, seconds)| (stack.clone(), *seconds, *seconds))
            .collect(),
    }
}

fn difference(title: String, from: &Folded, to: &Folded) -> Flame {
    let least = narrow(to);
    let wide = to.iter().filter(|(_, seconds)| **seconds >= least);
    let before = |stack: &Vec<String>| from.get(stack).copied().unwrap_or(0.0);
    Flame {
        title,
        difference: true,
        stacks: wide
            .map(|(stack, seconds)| (stack.clone(), before(stack), *seconds))
            .collect(),
    }
}
