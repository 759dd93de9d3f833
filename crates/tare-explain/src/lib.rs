//! Why is one contender slower than another? Evidence in, sentences with sizes out (docs/explain.md).
//!
//! The way of a sample through this room: its functions get `names` that people can read, its stack a layer
//! (`layers`), and its time becomes a cost per operation (`costs`). Costs of two contenders become a `waterfall`
//! over layers that is compared with the gap measured in the same rounds, and `findings` name the causes.
//!
//! This room must not know processes, files or how anything was recorded. It prints nothing and asks no clock.

#![warn(unreachable_pub)]
#![forbid(unsafe_code)]

mod costs;
mod counts;
mod findings;
mod flames;
mod functions;
mod layers;
mod names;
mod sides;
mod waterfall;

use tare_model::estimate::Estimate;
use tare_model::evidence::{Evidence, Look, Observed};
use tare_model::explanation::{Explanation, Instrumentation, Sides};

use costs::Costs;
use counts::Counted;
use sides::{estimate, flat};

pub use sides::ALPHA;

/// What the evidence says.
pub fn explain(evidence: &Evidence) -> Explanation {
    let plain = Sides::new(
        evidence.plain(&evidence.a),
        evidence.plain(&evidence.b),
        evidence.floor.as_ref().and_then(|id| evidence.plain(id)),
    );
    let ids = Sides::new(Some(&evidence.a), Some(&evidence.b), evidence.floor.as_ref());
    let costs = flat(ids.map(|id| evidence.seen(id).and_then(Costs::of)));
    let counted = Counted::of(evidence);
    let way = waterfall::waterfall(&plain, &costs);
    let gap = way.gap;
    let matter = findings::Matter {
        evidence,
        costs: &costs,
        counted: &counted,
        way: &way,
    };
    Explanation {
        workload: evidence.workload.clone(),
        case: evidence.case.clone(),
        mode: evidence.mode,
        size: evidence.size,
        made: evidence.made,
        a: evidence.a.clone(),
        b: evidence.b.clone(),
        floor: evidence.floor.clone(),
        rounds: way.rounds,
        alpha: ALPHA,
        cost: flat(plain.map(|subject| mean(&costs::per_round(subject, Look::Plain)))),
        gap,
        findings: findings::findings(&matter),
        counts: counted.rows(),
        functions: functions::table(&costs),
        flames: flames::flames(evidence, &costs),
        instrumentations: evidence
            .subjects
            .iter()
            .filter_map(|subject| instrumentation(evidence, subject))
            .collect(),
        notes: notes(evidence, &costs),
        layers: way.layers,
        closure: way.closure,
    }
}

fn mean(rounds: &[(u32, f64)]) -> Option<Estimate> {
    estimate(&rounds.iter().map(|(_, value)| *value).collect::<Vec<_>>())
}

/// The cost of a contender's instrumentation: its instrumented slices against its plain ones, round by round.
fn instrumentation(evidence: &Evidence, subject: &Observed) -> Option<Instrumentation> {
    let words = subject.instrumentation.clone()?;
    let plain = costs::per_round(evidence.plain(&subject.id)?, Look::Plain);
    let instrumented = costs::per_round(subject, Look::Plain);
    let ratios: Vec<f64> = costs::paired(&plain, &instrumented)
        .into_iter()
        .map(|(plain, instrumented)| (instrumented / plain).ln())
        .collect();
    let ratio = estimate(&ratios)?;
    Some(Instrumentation {
        id: subject.id.clone(),
        words,
        ratio: Estimate {
            estimate: ratio.estimate.exp(),
            low: ratio.low.map(f64::exp),
            high: ratio.high.map(f64::exp),
        },
    })
}

/// What could not be collected, which contenders did not last, and which code has no names.
fn notes(evidence: &Evidence, costs: &Sides<Costs>) -> Vec<String> {
    let mut notes = evidence.notes.clone();
    for subject in &evidence.subjects {
        if let Some(fault) = &subject.fault {
            let first = fault.detail.lines().next().unwrap_or_default();
            notes.push(format!(
                "{} did not last ({}: {first}); its figures are from the time before",
                subject.id,
                fault.kind.name()
            ));
        }
    }
    let sides = [(&evidence.a, &costs.a), (&evidence.b, &costs.b)];
    for (id, costs) in sides {
        let nameless = costs.as_ref().map_or(0.0, Costs::nameless);
        if nameless >= NAMELESS {
            notes.push(format!(
                "{:.0}% of the samples of {id} are in code without names{}",
                nameless * 100.0,
                evidence.seen(id).map_or_else(String::new, hint)
            ));
        }
    }
    notes
}

/// From this share on, samples without a name get a note.
const NAMELESS: f64 = 0.1;

fn hint(subject: &Observed) -> String {
    match &subject.symbols {
        Some(symbols) => format!("\n\nhint: {symbols} would give it names"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use tare_model::fault::{Fault, FaultKind};
    use tare_model::ids::ContenderId;

    use super::*;
    use crate::findings::fixture::{Made, evidence, subject};

    #[test]
    fn the_gap_is_that_of_contenders_as_they_always_are() {
        let mut asked = evidence(
            ("c", &Made::default()),
            (
                "java",
                &Made {
                    cpu: 20e-6,
                    ..Made::default()
                },
            ),
        );
        // Instrumented, b costs a tenth more, and only that one has stacks.
        let mut instrumented = subject(
            "b",
            "java",
            &Made {
                cpu: 22e-6,
                seed: 5,
                ..Made::default()
            },
        );
        instrumented.instrumentation = Some("JAVA_TOOL_OPTIONS=-x".to_owned());
        asked.subjects[1].profile = Default::default();
        asked.subjects.push(instrumented);
        let found = explain(&asked);
        assert!(
            (found.gap.unwrap().estimate - 10e-6).abs() < 0.2e-6,
            "{:?}",
            found.gap
        );
        let ratio = found.instrumentations[0].ratio;
        assert!(
            (ratio.estimate - 1.1).abs() < 0.01 && ratio.low.unwrap() > 1.05,
            "{ratio:?}"
        );
        let closure = found.closure.unwrap();
        assert!(
            (closure.parts - 12e-6).abs() < 0.2e-6 && !closure.closes,
            "{closure:?}"
        );
    }

    #[test]
    fn the_floor_has_a_column() {
        let mut asked = evidence(
            ("c", &Made::default()),
            (
                "c",
                &Made {
                    cpu: 20e-6,
                    ..Made::default()
                },
            ),
        );
        asked.subjects.push(subject(
            "least",
            "c",
            &Made {
                cpu: 3e-6,
                ..Made::default()
            },
        ));
        asked.floor = Some(ContenderId::plain("least"));
        let found = explain(&asked);
        assert!((found.cost.floor.unwrap().estimate - 3e-6).abs() < 0.1e-6);
        let floors: f64 = found.layers.iter().filter_map(|part| part.cost.floor).sum();
        assert!((floors - 3e-6).abs() < 0.1e-6, "{floors}");
        assert!(found.counts.iter().any(|count| count.value.floor.is_some()));
    }

    #[test]
    fn who_dies_in_the_middle_is_explained_up_to_there() {
        let mut asked = evidence(
            ("c", &Made::default()),
            (
                "c",
                &Made {
                    cpu: 20e-6,
                    ..Made::default()
                },
            ),
        );
        let dead = &mut asked.subjects[1];
        dead.glances.retain(|glance| glance.round < 5);
        dead.profile.stacks.retain(|stack| stack.round < 5);
        dead.fault = Some(Fault::new(
            FaultKind::Died,
            "it ended by itself: exit status 7\nmore",
        ));
        let found = explain(&asked);
        assert_eq!(found.rounds, 5);
        assert!((found.gap.unwrap().estimate - 10e-6).abs() < 0.2e-6);
        assert!(!found.layers.is_empty());
        assert!(
            found.notes[0].starts_with("b did not last (died: it ended by itself: exit status 7)"),
            "{:?}",
            found.notes
        );
    }

    #[test]
    fn who_has_no_names_is_told_what_would_give_some() {
        let stripped = Made {
            cpu: 20e-6,
            stacks: vec![(vec!["main"], 8), (vec![""], 2)],
            ..Made::default()
        };
        let mut asked = evidence(("c", &Made::default()), ("c", &stripped));
        asked.subjects[1].symbols = Some("a build that does not strip".to_owned());
        let notes = explain(&asked).notes.concat();
        assert!(
            notes.contains("20% of the samples of b") && notes.contains("a build that does not strip"),
            "{notes}"
        );
    }

    #[test]
    fn nothing_seen_is_nothing_said() {
        let mut asked = evidence(("c", &Made::default()), ("c", &Made::default()));
        asked.subjects.clear();
        let found = explain(&asked);
        assert!(
            found.gap.is_none() && found.cost.a.is_none() && found.findings.is_empty() && found.rounds == 0
        );
    }
}
