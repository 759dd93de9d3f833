//! From a's cost to b's, layer by layer, and whether the layers add up to the gap.

use tare_model::estimate::Estimate;
use tare_model::evidence::{Look, Observed};
use tare_model::explanation::{Closure, Layer, LayerCost, Sides};

use crate::costs::{Costs, paired, per_round};
use crate::sides::estimate;

/// The way from one cost to the other.
#[derive(Debug, Clone)]
pub(crate) struct Way {
    /// Rounds in which both were measured without recording.
    pub rounds: u32,
    /// The gap between them.
    pub gap: Option<Estimate>,
    /// The layers' parts; empty where there are no stacks of both.
    pub layers: Vec<LayerCost>,
    /// The sum of the parts against the gap.
    pub closure: Option<Closure>,
}

/// The way from a to b. The gap is measured in slices in which nothing was recorded, the parts in the sampled slices of
/// the same rounds, so whether they add up is a real check.
pub(crate) fn waterfall(plain: &Sides<&Observed>, costs: &Sides<Costs>) -> Way {
    let rounds = plain.map(|subject| per_round(subject, Look::Plain));
    let pairs = match (&rounds.a, &rounds.b) {
        (Some(a), Some(b)) => paired(a, b),
        _ => Vec::new(),
    };
    let differences: Vec<f64> = pairs.iter().map(|(a, b)| b - a).collect();
    let gap = estimate(&differences);
    let layers: Vec<LayerCost> = Layer::ALL
        .into_iter()
        .filter_map(|layer| part(layer, costs))
        .collect();
    let closure = gap.and_then(|gap| closure(gap, &rounds, costs, &layers));
    Way {
        rounds: differences.len() as u32,
        gap,
        layers,
        closure,
    }
}

fn part(layer: Layer, costs: &Sides<Costs>) -> Option<LayerCost> {
    let (a, b) = (costs.a.as_ref()?, costs.b.as_ref()?);
    let of = |costs: &Costs| costs.by_round(|stack| stack.layer == layer);
    let differences: Vec<f64> = paired(&of(a), &of(b)).into_iter().map(|(a, b)| b - a).collect();
    let mean = |costs: &Costs| costs.of_stacks(|stack| stack.layer == layer);
    Some(LayerCost {
        layer,
        cost: Sides::new(Some(mean(a)), Some(mean(b)), costs.floor.as_ref().map(mean)),
        delta: estimate(&differences).map(nothing_is_sure)?,
    })
}

/// If neither has any in any round, the zero is exact.
fn nothing_is_sure(delta: Estimate) -> Estimate {
    match (delta.estimate, delta.low) {
        (0.0, None) => Estimate {
            estimate: 0.0,
            low: Some(0.0),
            high: Some(0.0),
        },
        _ => delta,
    }
}

/// Per round: the gap less what the parts of that round add up to.
fn closure(
    gap: Estimate,
    plain: &Sides<Vec<(u32, f64)>>,
    costs: &Sides<Costs>,
    layers: &[LayerCost],
) -> Option<Closure> {
    let (a, b) = (costs.a.as_ref()?, costs.b.as_ref()?);
    let whole = paired(&a.by_round(|_| true), &b.by_round(|_| true));
    let parts: f64 = layers.iter().map(|layer| layer.delta.estimate).sum();
    let of_a = over_rounds(plain.a.as_ref()?, &a.by_round(|_| true));
    let of_b = over_rounds(plain.b.as_ref()?, &b.by_round(|_| true));
    let rests: Vec<f64> = paired(&of_a, &of_b).into_iter().map(|(a, b)| b - a).collect();
    let rest = estimate(&rests).filter(|_| !whole.is_empty())?;
    let named: f64 = layers
        .iter()
        .filter(|layer| layer.layer != Layer::Unknown)
        .map(|layer| layer.delta.estimate)
        .sum();
    let proven = gap
        .low
        .zip(gap.high)
        .is_some_and(|(low, high)| low > 0.0 || high < 0.0);
    Some(Closure {
        parts,
        rest,
        closes: rest
            .low
            .zip(rest.high)
            .is_none_or(|(low, high)| low <= 0.0 && 0.0 <= high),
        explained: proven.then(|| (1.0 - ((gap.estimate - named) / gap.estimate).abs()).max(0.0)),
        seen: Sides::new(
            Some(a.seen),
            Some(b.seen),
            costs.floor.as_ref().map(|costs| costs.seen),
        ),
    })
}

/// By round: cost when nothing was recorded, less cost when stacks were.
fn over_rounds(plain: &[(u32, f64)], sampled: &[(u32, f64)]) -> Vec<(u32, f64)> {
    let of = |round: u32| {
        sampled
            .iter()
            .find(|(known, _)| *known == round)
            .map(|(_, value)| *value)
    };
    plain
        .iter()
        .filter_map(|(round, plain)| Some((*round, plain - of(*round)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::fixture::{Made, subject};

    fn way(a: &Made, b: &Made) -> Way {
        let (a, b) = (subject("a", "c", a), subject("b", "c", b));
        let costs = Sides::new(Costs::of(&a), Costs::of(&b), None);
        waterfall(&Sides::new(Some(&a), Some(&b), None), &costs)
    }

    fn delta(way: &Way, layer: Layer) -> f64 {
        way.layers
            .iter()
            .find(|part| part.layer == layer)
            .unwrap()
            .delta
            .estimate
    }

    #[test]
    fn parts_add_up_and_lie_where_they_were_put() {
        let a = Made {
            cpu: 10e-6,
            stacks: vec![(vec!["main"], 1)],
            ..Made::default()
        };
        let b = Made {
            cpu: 16e-6,
            stacks: vec![(vec!["main"], 10), (vec!["malloc", "main"], 6)],
            ..Made::default()
        };
        let way = way(&a, &b);
        let gap = way.gap.unwrap();
        assert!((gap.estimate - 6e-6).abs() < 0.2e-6, "{gap:?}");
        assert!((delta(&way, Layer::Allocation) - 6e-6).abs() < 0.2e-6);
        assert!(delta(&way, Layer::Application).abs() < 0.2e-6);
        let closure = way.closure.unwrap();
        assert!(closure.closes, "{closure:?}");
        assert!(closure.explained.unwrap() > 0.95, "{closure:?}");
        assert!((closure.seen.a.unwrap() - 1.0).abs() < 0.05, "{closure:?}");
    }

    #[test]
    fn what_no_rule_knows_is_not_explained() {
        let a = Made {
            cpu: 10e-6,
            stacks: vec![(vec!["main"], 1)],
            ..Made::default()
        };
        let b = Made {
            cpu: 20e-6,
            stacks: vec![(vec!["main"], 1), (vec![""], 1)],
            ..Made::default()
        };
        let explained = way(&a, &b).closure.unwrap().explained.unwrap();
        assert!(explained < 0.1, "{explained}");
    }

    #[test]
    fn being_looked_into_is_no_part_of_the_gap() {
        // b costs 2 µs more when its stacks are sampled: that is the rest, and it is distinguishable from zero.
        let a = Made {
            cpu: 10e-6,
            ..Made::default()
        };
        let b = Made {
            cpu: 15e-6,
            sampled: 2e-6,
            ..Made::default()
        };
        let closure = way(&a, &b).closure.unwrap();
        assert!(!closure.closes, "{closure:?}");
        assert!((closure.rest.estimate + 2e-6).abs() < 0.3e-6, "{closure:?}");
    }

    #[test]
    fn the_same_thing_twice_has_no_gap_to_explain() {
        let way = way(
            &Made::default(),
            &Made {
                seed: 7,
                ..Made::default()
            },
        );
        let gap = way.gap.unwrap();
        assert!(gap.low.unwrap() < 0.0 && gap.high.unwrap() > 0.0, "{gap:?}");
        assert_eq!(way.closure.unwrap().explained, None);
    }

    #[test]
    fn without_stacks_there_is_the_gap_alone() {
        let none = Made {
            stacks: vec![],
            ..Made::default()
        };
        let way = way(
            &none,
            &Made {
                cpu: 20e-6,
                ..none.clone()
            },
        );
        assert!(way.gap.is_some() && way.closure.is_none() && way.layers.is_empty());
    }
}
