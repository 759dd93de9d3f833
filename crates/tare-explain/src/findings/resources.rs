//! What contenders hold and use: cores, memory, garbage, switches, faults, and idle time.

use tare_model::explanation::{Finding, Layer, Rule};
use tare_model::units::Bytes;

use super::matter::{Matter, Of, count, differ, finding, percent, times};
use crate::costs::Costs;
use crate::counts::Side;
use crate::layers::fits;

/// Cores used differ by at least a quarter of one, and by a quarter.
const CORES: (f64, f64) = (0.25, 1.25);
/// A contender off the cores for this share of the time waits.
const WAITS: f64 = 0.5;
/// From this difference on, one waits and the other does not.
const WAITS_MORE: f64 = 0.25;
/// A contender that was ready and had no core for this share of its time on cores is held up.
const QUEUED: f64 = 0.25;
/// Memory differs by at least 16 MiB, and by half.
const MEMORY: (f64, f64) = (16.0 * 1024.0 * 1024.0, 1.5);
/// Allocation per operation differs by at least 64 bytes, and by half.
const ALLOCATED: (f64, f64) = (64.0, 1.5);
/// The least part of the gap for allocation and collection together.
const GARBAGE: f64 = 0.1;
/// Switches and faults differ by at least one in twenty operations, and by a quarter.
const EVENTS: (f64, f64) = (0.05, 1.25);

/// Different numbers of cores: used, or needed but not available, if the load shares them. In an open loop, at one rate for
/// all, the cores used would only repeat the cost.
pub(super) fn cores(matter: &Matter<'_>) -> Vec<Finding> {
    let (a, b) = matter.sides();
    let Some((x, y)) = Cores::of(&a).zip(Cores::of(&b)).filter(|_| matter.driven_hard()) else {
        return Vec::new();
    };
    let of = matter.evidence.cores;
    let differ = |one: fn(&Cores) -> f64| differ(one(&x), one(&y), CORES.0, CORES.1);
    let text = if of < 2 {
        return Vec::new();
    } else if differ(|cores| cores.used) {
        format!(
            "{} uses {:.2} cores, {} {:.2}, of {of} that each may use",
            a.name, x.used, b.name, y.used
        )
    } else if differ(|cores| cores.wanted) {
        format!(
            "{} could use {:.2} cores and has {:.2}, {} could use {:.2} and has {:.2}, of {of} that each may use and \
             shares with others",
            a.name, x.wanted, x.used, b.name, y.wanted, y.used
        )
    } else {
        return Vec::new();
    };
    let working = |of: &Of<'_>| {
        of.side
            .and_then(|side| side.working)
            .map_or(String::new(), |n| format!("{n:.1}"))
    };
    let evidence = format!(
        "CPU time, and time ready to run without a core, over wall time of plain slices; threads that worked: {} and {}",
        working(&a),
        working(&b)
    );
    vec![finding(Rule::Cores, text, evidence, None)]
}

/// Cores on average.
struct Cores {
    used: f64,
    /// Including those that its threads waited for.
    wanted: f64,
}

impl Cores {
    fn of(of: &Of<'_>) -> Option<Self> {
        let side = of.side?;
        let used = side.cores?;
        Some(Self {
            used,
            wanted: used * (1.0 + side.queued.unwrap_or(0.0)),
        })
    }
}

/// More allocated, more collected.
pub(super) fn garbage(matter: &Matter<'_>) -> Vec<Finding> {
    let (cheap, dear) = matter.cheap_and_dear();
    let allocated = |of: &Of<'_>| of.side.and_then(|side| side.allocated);
    let (less, more) = (allocated(&cheap), allocated(&dear));
    let bound = |of: &Of<'_>| of.side.is_some_and(|side| side.at_most);
    let factor = less
        .zip(more)
        .filter(|_| !bound(&dear))
        .filter(|(less, more)| more > less && differ(*less, *more, ALLOCATED.0, ALLOCATED.1));
    let of_layers =
        |costs: &Costs| costs.of_stacks(|stack| matches!(stack.layer, Layer::Allocation | Layer::Collection));
    let both = dear.costs.zip(cheap.costs);
    let size = both.map(|(dear, cheap)| of_layers(dear) - of_layers(cheap));
    let large = size
        .and_then(|size| matter.share(size))
        .is_some_and(|share| share >= GARBAGE);
    if factor.is_none() && !large {
        return Vec::new();
    }
    let mut parts = Vec::new();
    if let Some((less, more)) = factor {
        // From an upper bound on the smaller one follows a lower bound on the factor.
        let (least, most) = if bound(&cheap) {
            ("at least ", "at most ")
        } else {
            ("", "")
        };
        parts.push(format!(
            "{} allocates {} per operation, {least}{} times as much as {} ({most}{})",
            dear.name,
            Bytes(more as u64),
            times(more / less.max(1.0)),
            cheap.name,
            Bytes(less as u64)
        ));
    }
    parts.extend(collecting(&cheap, &dear));
    if let Some(size) = size.filter(|_| large) {
        parts.push(format!(
            "allocation and collection together are {}",
            matter.of_the_gap(size)
        ));
    }
    let evidence =
        "the collector's own log, where there is one; sampled stacks in allocators and collectors".to_owned();
    vec![finding(
        Rule::Garbage,
        parts.join("; "),
        evidence,
        size.filter(|_| large),
    )]
}

/// The share of collections in the CPU time, from 1% on.
fn collecting(cheap: &Of<'_>, dear: &Of<'_>) -> Option<String> {
    let of_collection = |of: &Of<'_>| {
        let collection = |costs: &Costs| costs.of_stacks(|stack| stack.layer == Layer::Collection);
        of.costs.map(|costs| collection(costs) / costs.whole())
    };
    let (of_dear, of_cheap) = of_collection(dear).zip(of_collection(cheap))?;
    (of_dear.max(of_cheap) >= 0.01).then(|| {
        format!(
            "garbage collection is {} of the CPU of {}, {} of that of {}",
            percent(of_dear),
            dear.name,
            percent(of_cheap),
            cheap.name
        )
    })
}

/// Time in which no core is used: under full load, the contender waits for something.
pub(super) fn waiting(matter: &Matter<'_>) -> Vec<Finding> {
    let (a, b) = matter.sides();
    let mut found = Vec::new();
    let off = |of: &Of<'_>| of.side.and_then(|side| side.off);
    if let Some((x, y)) = off(&a).zip(off(&b)).filter(|_| matter.driven_hard()) {
        let evidence =
            "wall time of plain slices in which it neither ran nor waited for a core, over the cores that it could use".to_owned();
        let text = if x.min(y) >= WAITS {
            Some(format!(
                "both wait: {} of the duration of {} is neither on a core nor waiting for one, {} of that of {}",
                percent(x),
                a.name,
                percent(y),
                b.name
            ))
        } else if (x - y).abs() >= WAITS_MORE {
            let (more, less, of_more, of_less) = if x > y { (&a, &b, x, y) } else { (&b, &a, y, x) };
            Some(format!(
                "{} waits: {} of its duration is neither on a core nor waiting for one, {} of that of {}",
                more.name,
                percent(of_more),
                percent(of_less),
                less.name
            ))
        } else {
            None
        };
        found.extend(text.map(|text| finding(Rule::Waiting, text, evidence, None)));
    }
    for of in [&a, &b] {
        let queued = of
            .side
            .and_then(|side| side.queued)
            .filter(|queued| *queued >= QUEUED);
        found.extend(queued.map(|queued| {
            let text = format!(
                "threads of {} are ready to run and wait for a core, for {} of the time that they have one",
                of.name,
                percent(queued)
            );
            finding(
                Rule::Waiting,
                text,
                "the kernel's schedstat of its threads, plain slices".to_owned(),
                None,
            )
        }));
    }
    found
}

/// Memory held, switches, faults.
pub(super) fn held(matter: &Matter<'_>) -> Vec<Finding> {
    let memory = memory(matter);
    let switches = events(
        matter,
        Rule::Switches,
        "switches context",
        &|side| side.switches.map(|(own, forced)| own + forced),
        &["__schedule", "schedule", "schedule_*"],
    );
    let faults = events(
        matter,
        Rule::Faults,
        "faults on fresh memory",
        &|side| side.faults.map(|(minor, major)| minor + major),
        &["*exc_page_fault*", "handle_mm_fault", "do_mem_abort"],
    );
    [memory, switches, faults].into_iter().flatten().collect()
}

fn memory(matter: &Matter<'_>) -> Option<Finding> {
    let (a, b) = matter.sides();
    let held = |of: &Of<'_>| of.side.and_then(|side| side.memory);
    let (x, y) = held(&a).zip(held(&b))?;
    if !differ(x, y, MEMORY.0, MEMORY.1) {
        return None;
    }
    let (more, less, high, low) = if x > y { (a, b, x, y) } else { (b, a, y, x) };
    let text = format!(
        "{} holds {}, {} times as much as {} ({})",
        more.name,
        Bytes(high as u64),
        times(high / low.max(1.0)),
        less.name,
        Bytes(low as u64)
    );
    Some(finding(
        Rule::Memory,
        text,
        "resident memory at the end of plain slices, median".to_owned(),
        None,
    ))
}

/// Events per operation of which one has more, and what the kernel's functions for them cost.
fn events(
    matter: &Matter<'_>,
    rule: Rule,
    does: &str,
    value: &dyn Fn(&Side) -> Option<f64>,
    through: &[&str],
) -> Option<Finding> {
    let (cheap, dear) = matter.cheap_and_dear();
    let (less, more) = (value(cheap.side?)?, value(dear.side?)?);
    if !differ(less, more, EVENTS.0, EVENTS.1) {
        return None;
    }
    let cost = |costs: &Costs| {
        costs.through(|function| {
            function.image == "[kernel]" && through.iter().any(|pattern| fits(pattern, &function.name))
        })
    };
    let size = dear
        .costs
        .zip(cheap.costs)
        .map(|(dear, cheap)| cost(dear) - cost(cheap))
        .filter(|size| *size > 0.0);
    let (first, second, high, low) = if more > less {
        (dear, cheap, more, less)
    } else {
        (cheap, dear, less, more)
    };
    let mut text = format!(
        "{} {does} {} times per operation, {} {}",
        first.name,
        count(high),
        second.name,
        count(low)
    );
    if let Some(size) = size {
        text.push_str(&format!(": {}", matter.of_the_gap(size)));
    }
    Some(finding(
        rule,
        text,
        "the kernel's counts, plain slices; sampled stacks through it".to_owned(),
        size,
    ))
}

#[cfg(test)]
mod tests {
    use tare_model::evidence::Collector;
    use tare_model::explanation::{Finding, Rule};
    use tare_model::units::Seconds;

    use crate::findings::fixture::{Made, found};

    fn of(rule: Rule, all: &[Finding]) -> Vec<&Finding> {
        all.iter().filter(|finding| finding.rule == rule).collect()
    }

    #[test]
    fn one_core_against_two() {
        let single = Made {
            cores: 0.99,
            ..Made::default()
        };
        let both = Made {
            cores: 1.97,
            ..Made::default()
        };
        let all = found(&single, &both);
        let text = &of(Rule::Cores, &all)[0].text;
        assert_eq!(text, "a uses 0.99 cores, b 1.97, of 2 that each may use");
        assert!(of(Rule::Cores, &found(&single, &single)).is_empty());
        let held_up = Made {
            queued: 1.25,
            ..single.clone()
        };
        let all = found(&single, &held_up);
        let text = &of(Rule::Cores, &all)[0].text;
        assert!(
            text.starts_with("a could use 0.99 cores and has 0.99, b could use 2.23 and has 0.99"),
            "{text}"
        );
    }

    #[test]
    fn more_garbage() {
        let collector = |allocated| Collector {
            collections: 5,
            allocated,
            paused: Seconds(0.01),
            ops: 1000,
        };
        let a = Made {
            collector: Some(collector(100_000)),
            stacks: vec![(vec!["main"], 10)],
            ..Made::default()
        };
        let b = Made {
            cpu: 14e-6,
            collector: Some(collector(1_200_000)),
            stacks: vec![
                (vec!["main"], 10),
                (vec!["evacuate"], 3),
                (vec!["malloc", "main"], 1),
            ],
            ..Made::default()
        };
        let all = crate::findings::fixture::found_in(("haskell", &a), ("haskell", &b));
        let finding = of(Rule::Garbage, &all)[0];
        for words in [
            "b allocates 1.17 KiB per operation, 12 times as much as a (100 B)",
            "garbage collection is 21% of the CPU of b",
        ] {
            assert!(finding.text.contains(words), "{finding:?}");
        }
        assert!((finding.size.unwrap() - 4e-6).abs() < 0.3e-6, "{finding:?}");
    }

    #[test]
    fn at_most_so_much_garbage() {
        let collector = |collections, allocated| {
            Some(Collector {
                collections,
                allocated,
                paused: Seconds(0.0),
                ops: 1000,
            })
        };
        let never = Made {
            collector: collector(0, 100_000),
            ..Made::default()
        };
        let often = Made {
            cpu: 14e-6,
            collector: collector(5, 1_200_000),
            ..Made::default()
        };
        let all = found(&never, &often);
        let text = &of(Rule::Garbage, &all)[0].text;
        assert_eq!(
            text,
            "b allocates 1.17 KiB per operation, at least 12 times as much as a (at most 100 B)"
        );
        let dear = Made {
            collector: collector(0, 1_200_000),
            ..often
        };
        assert!(
            of(Rule::Garbage, &found(&never, &dear)).is_empty(),
            "at most is not more"
        );
    }

    #[test]
    fn waiting() {
        let asleep = Made {
            cores: 0.29,
            ..Made::default()
        };
        let all = found(&asleep, &asleep);
        assert!(
            of(Rule::Waiting, &all)[0]
                .text
                .starts_with("both wait: 71% of the duration of a"),
            "{all:?}"
        );
        let awake = Made {
            cores: 0.98,
            ..Made::default()
        };
        let all = found(&awake, &asleep);
        assert!(
            of(Rule::Waiting, &all)[0].text.starts_with("b waits: 71%"),
            "{all:?}"
        );
        assert!(of(Rule::Waiting, &found(&awake, &awake)).is_empty());
        let queued = Made {
            cores: 0.98,
            queued: 0.6,
            ..Made::default()
        };
        let all = found(&awake, &queued);
        assert!(
            of(Rule::Waiting, &all)[0]
                .text
                .contains("threads of b are ready to run"),
            "{all:?}"
        );
    }

    #[test]
    fn memory_switches_and_faults() {
        let little = Made::default();
        let much = Made {
            cpu: 12e-6,
            memory: 200 << 20,
            switches: 2.0,
            faults: 1.0,
            stacks: vec![
                (vec!["main"], 10),
                (vec!["k:__schedule"], 1),
                (vec!["k:clear_page", "k:asm_exc_page_fault"], 1),
            ],
            ..Made::default()
        };
        let all = found(&little, &much);
        assert_eq!(
            of(Rule::Memory, &all)[0].text,
            "b holds 200 MiB, 20 times as much as a (10.0 MiB)"
        );
        let switches = of(Rule::Switches, &all)[0];
        assert!(
            switches
                .text
                .starts_with("b switches context 2.00 times per operation, a 0"),
            "{switches:?}"
        );
        assert!((switches.size.unwrap() - 1e-6).abs() < 0.2e-6);
        assert!(
            of(Rule::Faults, &all)[0]
                .text
                .contains("b faults on fresh memory 1.00 times per operation")
        );
        for rule in [Rule::Memory, Rule::Switches, Rule::Faults] {
            assert!(of(rule, &found(&little, &little)).is_empty());
        }
    }
}
