//! Functions: those on one side only, those that cost more, and those that run for a known cause.

use std::collections::BTreeMap;

use tare_model::explanation::{Finding, Layer, Rule};

use super::matter::{Matter, Of, finding, percent, time, times};
use crate::costs::{Costs, StackCost};
use crate::functions::{self, Row, Table};
use crate::layers::Say;

/// A function on one side only is reported from this part of the gap on, by its own cost …
const ALONE: f64 = 0.02;
/// … or from this part on, with everything that it calls.
const ALONE_WITH_CALLEES: f64 = 0.15;
/// Below this part of that cost, the other side does not have the function.
const ABSENT: f64 = 0.02;
/// A function on both sides is reported from this part of the gap on; across languages, where hardly any is on both, from
/// the second.
const DEARER: f64 = 0.15;
const ACROSS: f64 = 0.2;
/// A cause is reported from this part of the gap on.
const CAUSE: f64 = 0.05;
/// Where every program begins.
const EVERYWHERE: [&str; 6] = [
    "main",
    "_start",
    "start_thread",
    "clone3",
    "__libc_start_main",
    "__libc_start_call_main",
];
/// The most functions of a kind that are reported.
const MOST: usize = 3;

/// A table's row on a function: its name, its file, its costs.
type Candidate<'t> = (&'t (String, String), &'t Row, f64);

/// A function under its own name on one side only, if both are in one language: on the other side it was inlined, or is not used.
pub(super) fn own_name(matter: &Matter<'_>) -> Vec<Finding> {
    let Some((cheap, dear, of_cheap, of_dear)) = tables(matter, true) else {
        return Vec::new();
    };
    let gap = matter.gap().abs();
    let whole = dear.costs.map_or(0.0, Costs::whole);
    let alone = |(key, row): (&_, &Row)| -> bool {
        let there = of_cheap.get(key).map_or(0.0, |row: &Row| row.total);
        let weighty = row.own >= ALONE * gap || row.total >= ALONE_WITH_CALLEES * gap;
        // What everything passes through is where a program begins, which is no finding.
        weighty && there <= ABSENT * row.total && row.total < 0.9 * whole && is_a_programs(key, row)
    };
    let mut found: Vec<Candidate<'_>> = of_dear
        .iter()
        .filter(|(key, row)| alone((*key, *row)))
        .map(|(key, row)| (key, row, row.total))
        .collect();
    found.sort_by(|x, y| y.1.own.total_cmp(&x.1.own).then(y.2.total_cmp(&x.2)));
    found.truncate(MOST);
    found
        .into_iter()
        .map(|candidate| stands_alone(matter, (&cheap, &dear), candidate))
        .collect()
}

fn stands_alone(matter: &Matter<'_>, (cheap, dear): (&Of<'_>, &Of<'_>), found: Candidate<'_>) -> Finding {
    let ((name, image), row, total) = found;
    let with = if total > 1.2 * row.own {
        format!(", {} with what it calls", time(total))
    } else {
        String::new()
    };
    let share = matter
        .share(total)
        .map_or(String::new(), |share| format!("{} of the gap: ", percent(share)));
    let text = format!(
        "`{name}` stands under its own name in the hot path of {}, and not at all in that of {}: it was not inlined \
         there, or is not used here ({share}{} in itself{with})",
        dear.name,
        cheap.name,
        time(row.own)
    );
    finding(
        Rule::OwnName,
        text,
        format!("sampled stacks; it is in {image}"),
        Some(total),
    )
}

/// A function that costs more on one side.
pub(super) fn function(matter: &Matter<'_>) -> Vec<Finding> {
    let same = same_language(matter);
    let Some((cheap, dear, of_cheap, of_dear)) = tables(matter, false) else {
        return Vec::new();
    };
    let least = if same { DEARER } else { ACROSS } * matter.gap().abs();
    let more = |(key, row): (&'_ (String, String), &'_ Row)| -> Option<f64> {
        let there = of_cheap.get(key).map_or(0.0, |row: &Row| row.own);
        let known = !same || there > ABSENT * row.own;
        let delta = row.own - there;
        (known && delta >= least && is_a_programs(key, row)).then_some(delta)
    };
    let rows = of_dear
        .iter()
        .filter_map(|(key, row)| Some((key, row, more((key, row))?)));
    let mut found: Vec<Candidate<'_>> = rows.collect();
    found.sort_by(|x, y| y.2.total_cmp(&x.2));
    found.truncate(MOST);
    let say = |((name, image), row, delta): Candidate<'_>| {
        let there = row.own - delta;
        let than = if there > 0.0 {
            format!("{} times what it costs {}", times(row.own / there), cheap.name)
        } else {
            format!("where {} has none of it", cheap.name)
        };
        let share = matter.share(delta).map_or(String::new(), percent);
        let text = format!(
            "{share} of the gap is one function, `{name}`: {} of {}, {than}",
            time(row.own),
            dear.name
        );
        finding(
            Rule::Function,
            text,
            format!("sampled stacks, its own time; it is in {image}"),
            Some(delta),
        )
    };
    found.into_iter().map(say).collect()
}

/// Work of runtimes for a known cause.
pub(super) fn cause(matter: &Matter<'_>) -> Vec<Finding> {
    let (cheap, dear) = matter.cheap_and_dear();
    let Some((of_cheap, of_dear)) = cheap.costs.zip(dear.costs).filter(|_| matter.proven()) else {
        return Vec::new();
    };
    let mut causes: Vec<&'static str> = of_dear.stacks.iter().filter_map(StackCost::named_cause).collect();
    causes.sort_unstable();
    causes.dedup();
    let mut found = Vec::new();
    for cause in causes {
        let cost = |costs: &Costs| costs.of_stacks(|stack| stack.named_cause() == Some(cause));
        let (less, more) = (cost(of_cheap), cost(of_dear));
        let size = more - less;
        let Some(share) = matter.share(size).filter(|share| *share >= CAUSE) else {
            continue;
        };
        let text = format!(
            "{cause}: {} of {}, {} of {}; {} of the gap",
            time(more),
            dear.name,
            if less > 0.0 {
                time(less)
            } else {
                "nothing".to_owned()
            },
            cheap.name,
            percent(share)
        );
        let callers = callers(of_dear, cause);
        let from = if callers.is_empty() {
            String::new()
        } else {
            format!("; reached from {}, as far as stacks go", callers.join(", "))
        };
        let evidence = format!(
            "sampled stacks that end in {}{from}",
            deciders(of_dear, cause).join(", ")
        );
        found.push(finding(Rule::Cause, text, evidence, Some(size)));
    }
    found
}

/// The functions that give stacks a cause, the most expensive first.
fn deciders(costs: &Costs, cause: &str) -> Vec<String> {
    dearest(costs, cause, |stack| stack.functions.get(stack.cause?.1).copied())
}

/// The functions of the program itself that such stacks were reached from: work of a runtime is caused by its callers.
fn callers(costs: &Costs, cause: &str) -> Vec<String> {
    let a_programs = |function: usize| {
        let theirs = [Layer::Protocol, Layer::Encoding, Layer::Application];
        let own = matches!(costs.says[function], Say::Layer(layer, None) if theirs.contains(&layer));
        let name = costs.functions[function].name.as_str();
        own && !name.is_empty() && !EVERYWHERE.contains(&name) && !is_data(name)
    };
    dearest(costs, cause, |stack| {
        let mut outer = stack.functions.iter().skip(stack.cause?.1 + 1).copied();
        outer.find(|&function| a_programs(function))
    })
}

/// Whether a name is that of a constructor of Haskell, which is on a stack as an argument: `GHC.ForeignPtr.PlainPtr`.
fn is_data(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default();
    name.contains('.') && last.starts_with(|c: char| c.is_ascii_uppercase())
}

/// The names that stacks of a cause point at, the most expensive first: at most four.
fn dearest(costs: &Costs, cause: &str, at: impl Fn(&StackCost) -> Option<usize>) -> Vec<String> {
    let mut by_name: BTreeMap<&str, f64> = BTreeMap::new();
    for stack in costs
        .stacks
        .iter()
        .filter(|stack| stack.named_cause() == Some(cause))
    {
        if let Some(function) = at(stack) {
            *by_name.entry(&costs.functions[function].name).or_default() += stack.seconds;
        }
    }
    let mut names: Vec<(&str, f64)> = by_name.into_iter().collect();
    names.sort_by(|x, y| y.1.total_cmp(&x.1));
    let most = names.into_iter().take(4);
    most.map(|(name, _)| format!("`{name}`")).collect()
}

fn same_language(matter: &Matter<'_>) -> bool {
    let both = matter.costs.a.as_ref().zip(matter.costs.b.as_ref());
    both.is_some_and(|(a, b)| a.language == b.language)
}

/// The costs of functions of the cheaper and the dearer side; none if the gap is not proven, or only one has stacks.
fn tables<'a>(matter: &Matter<'a>, same_language_only: bool) -> Option<(Of<'a>, Of<'a>, Table, Table)> {
    if !matter.proven() || (same_language_only && !same_language(matter)) {
        return None;
    }
    let (cheap, dear) = matter.cheap_and_dear();
    let (of_cheap, of_dear) = (functions::of(cheap.costs?), functions::of(dear.costs?));
    Some((cheap, dear, of_cheap, of_dear))
}

/// Whether a function is one that a person wrote and could change: not the kernel's, not a runtime's, with a name, and
/// without a known cause, which other rules report.
fn is_a_programs((name, image): &(String, String), row: &Row) -> bool {
    image != "[kernel]"
        && name != "(no name)"
        && !row.caused
        && !EVERYWHERE.contains(&name.as_str())
        && matches!(
            row.layer(),
            Layer::Application | Layer::Encoding | Layer::Protocol
        )
}

#[cfg(test)]
mod tests {
    use tare_model::explanation::Rule;

    use crate::findings::fixture::{Made, found, found_in};

    #[test]
    fn a_function_that_was_not_inlined() {
        let inlined = Made {
            stacks: vec![(vec!["main"], 10)],
            ..Made::default()
        };
        let named = Made {
            cpu: 14e-6,
            stacks: vec![(vec!["main"], 10), (vec!["comma_sep", "main"], 4)],
            ..Made::default()
        };
        let all = found(&inlined, &named);
        let finding = all.iter().find(|finding| finding.rule == Rule::OwnName).unwrap();
        assert!(
            finding
                .text
                .starts_with("`comma_sep` stands under its own name in the hot path of b"),
            "{finding:?}"
        );
        assert!((finding.size.unwrap() - 4e-6).abs() < 0.3e-6, "{finding:?}");
        // Across languages every function is on one side only.
        let other = found_in(("c", &inlined), ("go", &named));
        assert!(
            other.iter().all(|finding| finding.rule != Rule::OwnName),
            "{other:?}"
        );
    }

    #[test]
    fn a_function_that_costs_more() {
        let a = Made {
            stacks: vec![(vec!["main"], 8), (vec!["burn", "main"], 2)],
            ..Made::default()
        };
        let b = Made {
            cpu: 16e-6,
            stacks: vec![(vec!["main"], 8), (vec!["burn", "main"], 8)],
            ..Made::default()
        };
        let all = found(&a, &b);
        let finding = all.iter().find(|finding| finding.rule == Rule::Function).unwrap();
        assert!(
            finding.text.contains("of the gap is one function, `burn`"),
            "{finding:?}"
        );
        assert!((finding.size.unwrap() - 6e-6).abs() < 0.4e-6, "{finding:?}");
        let same = found(&a, &Made { seed: 9, ..a.clone() });
        assert!(
            same.iter().all(|finding| finding.rule != Rule::Function),
            "{same:?}"
        );
    }

    #[test]
    fn copies_are_told_as_that_and_once() {
        let a = Made::default();
        let b = Made {
            cpu: 15e-6,
            stacks: vec![
                (vec!["main"], 10),
                (vec!["__memmove_avx_unaligned_erms", "main"], 5),
            ],
            ..Made::default()
        };
        let all = found(&a, &b);
        let finding = all.iter().find(|finding| finding.rule == Rule::Cause).unwrap();
        assert!(finding.text.starts_with("copies of memory: "), "{finding:?}");
        assert!((finding.size.unwrap() - 5e-6).abs() < 0.3e-6, "{finding:?}");
        let mut others = all.iter().filter(|finding| finding.rule != Rule::Cause);
        assert!(others.all(|finding| !finding.text.contains("memmove")), "{all:?}");
    }

    #[test]
    fn a_runtimes_known_reason() {
        let a = Made {
            stacks: vec![(vec!["Main_run_info"], 10)],
            ..Made::default()
        };
        let b = Made {
            cpu: 15e-6,
            stacks: vec![
                (vec!["Main_run_info"], 10),
                (
                    vec!["stg_ap_pp_fast", "stg_upd_frame_info", "CommaSep_commaSep_info"],
                    4,
                ),
                (vec!["stg_ap_pp_fast"], 1),
            ],
            ..Made::default()
        };
        let all = found_in(("haskell", &a), ("haskell", &b));
        let finding = all.iter().find(|finding| finding.rule == Rule::Cause).unwrap();
        assert!(
            finding.text.starts_with("functions applied by the runtime"),
            "{finding:?}"
        );
        assert!(
            finding
                .evidence
                .contains("`stg_ap_pp_fast`; reached from `CommaSep.commaSep`"),
            "{finding:?}"
        );
        assert!((finding.size.unwrap() - 5e-6).abs() < 0.3e-6, "{finding:?}");
    }
}
