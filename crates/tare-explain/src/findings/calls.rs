//! System calls: which side makes more of them, and what they cost.

use tare_model::explanation::{Finding, Rule};

use super::matter::{Matter, Of, count, differ, finding};
use crate::costs::Costs;
use crate::counts::{FAMILIES, STARTS};
use crate::layers::{Function, fits};

/// Counts per operation differ by at least this …
const LEAST: f64 = 0.05;
/// … and by this factor: below, batches of another size or luck may be the cause.
const RATIO: f64 = 1.25;
/// A smaller part of the gap is not reported.
const SHARE: f64 = 0.03;
/// From one process started per hundred operations on.
const STARTED: f64 = 0.01;

/// More calls of a kind on one side.
pub(super) fn calls(matter: &Matter<'_>) -> Vec<Finding> {
    let (cheap, dear) = matter.cheap_and_dear();
    FAMILIES
        .iter()
        .filter_map(|(name, family)| of_family(matter, (&cheap, &dear), name, family))
        .collect()
}

fn of_family(
    matter: &Matter<'_>,
    (cheap, dear): (&Of<'_>, &Of<'_>),
    name: &str,
    family: &[&str],
) -> Option<Finding> {
    let (less, more) = (
        cheap.side.filter(|side| side.traced)?,
        dear.side.filter(|side| side.traced)?,
    );
    let (few, many) = (less.count(family), more.count(family));
    if !differ(few, many, LEAST, RATIO) {
        return None;
    }
    // If stacks were sampled, they give the size of the difference.
    let cost = |of: &Of<'_>| of.costs.map(|costs| through(costs, family));
    let size = cost(dear).zip(cost(cheap)).map(|(dear, cheap)| dear - cheap);
    let share = size.and_then(|size| matter.share(size));
    if share.is_some_and(|share| share.abs() < SHARE) {
        return None;
    }
    // The subject is the side that makes more, which need not be the dearer one.
    let (first, second, x, y) = if many >= few {
        (dear, cheap, many, few)
    } else {
        (cheap, dear, few, many)
    };
    let mut text = format!(
        "{} makes {} {name} calls per operation where {} makes {}",
        first.name,
        count(x),
        second.name,
        count(y)
    );
    if let Some(size) = size.filter(|size| *size > 0.0) {
        text.push_str(&format!(": {}", matter.of_the_gap(size)));
    }
    let evidence = format!(
        "recorded calls of {}; their cost by the stacks that pass through them",
        family.join(", ")
    );
    Some(finding(
        Rule::Calls,
        text,
        evidence,
        size.filter(|size| *size > 0.0),
    ))
}

/// The cost of stacks that pass through the kernel's or the C library's functions for these calls.
fn through(costs: &Costs, family: &[&str]) -> f64 {
    costs.through(|function| family.iter().any(|call| serves(function, call)))
}

fn serves(function: &Function, call: &str) -> bool {
    const FORMS: [&str; 13] = [
        "__x64_sys_?",
        "__arm64_sys_?",
        "__do_sys_?",
        "__se_sys_?",
        "ksys_?",
        "__sys_?",
        "___sys_?",
        "do_?",
        "do_sys_?",
        "?",
        "__?",
        "__libc_?",
        "__GI___libc_?",
    ];
    if function.own || function.name.is_empty() {
        return false;
    }
    let mut forms = FORMS.iter();
    forms.any(|form| {
        form.split_once('?')
            .is_some_and(|(head, _)| function.name.strip_prefix(head) == Some(call))
    })
}

/// Processes started per operation: CGI.
pub(super) fn starts(matter: &Matter<'_>) -> Vec<Finding> {
    let (cheap, dear) = matter.cheap_and_dear();
    let programs = |of: &Of<'_>| {
        of.side
            .filter(|side| side.traced)
            .map(|side| side.count(&["execve"]))
    };
    let forks = |of: &Of<'_>| of.side.map_or(0.0, |side| side.count(&STARTS[1..]));
    let Some((few, many)) = programs(&cheap).zip(programs(&dear)) else {
        return Vec::new();
    };
    let (few, many) = (few.max(forks(&cheap)), many.max(forks(&dear)));
    if many < STARTED || !differ(few, many, STARTED, 2.0) {
        return Vec::new();
    }
    let size = dear
        .costs
        .zip(cheap.costs)
        .map(|(dear, cheap)| starting(dear) - starting(cheap));
    let mut text = format!(
        "{} starts {} processes per operation, {} {}",
        dear.name,
        count(many),
        cheap.name,
        count(few)
    );
    if let Some(size) = size.filter(|size| *size > 0.0) {
        text.push_str(&format!(
            ": making, loading and ending them is {}",
            matter.of_the_gap(size)
        ));
    }
    let evidence =
        "recorded calls of execve, clone, fork and vfork; stacks through exec, fork, exit and the loader";
    vec![finding(
        Rule::Starts,
        text,
        evidence.to_owned(),
        size.filter(|size| *size > 0.0),
    )]
}

fn starting(costs: &Costs) -> f64 {
    const THERE: [&str; 12] = [
        "*execve*",
        "load_elf_binary",
        "bprm_*",
        "kernel_clone",
        "copy_process",
        "do_exit",
        "do_group_exit",
        "exit_mmap",
        "wait_task_zombie",
        "mmput",
        "_dl_*",
        "dl_main",
    ];
    costs.through(|function| {
        let kernel_or_loader = function.image == "[kernel]" || function.image.starts_with("ld-linux");
        kernel_or_loader && THERE.iter().any(|pattern| fits(pattern, &function.name))
    })
}

#[cfg(test)]
mod tests {
    use tare_model::explanation::Rule;

    use crate::findings::fixture::{Made, found};

    #[test]
    fn twice_the_writes() {
        let one = Made {
            calls: vec![("write", 1.0), ("read", 1.0)],
            stacks: vec![(vec!["k:ksys_write", "write", "main"], 2), (vec!["main"], 8)],
            ..Made::default()
        };
        let two = Made {
            cpu: 12e-6,
            calls: vec![("write", 2.0), ("read", 1.0)],
            stacks: vec![(vec!["k:ksys_write", "write", "main"], 4), (vec!["main"], 8)],
            ..Made::default()
        };
        let all = found(&one, &two);
        let calls: Vec<_> = all.iter().filter(|finding| finding.rule == Rule::Calls).collect();
        let [finding] = calls.as_slice() else {
            panic!("{all:?}")
        };
        assert!(
            finding
                .text
                .starts_with("b makes 2.00 write calls per operation where a makes 1.00: 2.0"),
            "{finding:?}"
        );
        assert!((finding.size.unwrap() - 2e-6).abs() < 0.2e-6, "{finding:?}");
        // The other way round, b still makes more.
        let turned = found(&two, &one);
        assert!(
            turned
                .iter()
                .any(|finding| finding.text.starts_with("a makes 2.00 write calls")),
            "{turned:?}"
        );
        assert!(
            found(
                &one,
                &Made {
                    seed: 3,
                    ..one.clone()
                }
            )
            .iter()
            .all(|finding| finding.rule != Rule::Calls)
        );
    }

    #[test]
    fn a_process_for_each_operation() {
        let resident = Made::default();
        let cgi = Made {
            cpu: 500e-6,
            calls: vec![("execve", 1.0), ("clone", 1.0)],
            stacks: vec![
                (vec!["k:load_elf_binary", "k:bprm_execve"], 6),
                (vec!["k:exit_mmap", "k:do_exit"], 3),
                (vec!["main"], 1),
            ],
            ..Made::default()
        };
        let all = found(&resident, &cgi);
        let finding = all.iter().find(|finding| finding.rule == Rule::Starts).unwrap();
        assert!(
            finding
                .text
                .contains("b starts 1.00 processes per operation, a 0: making"),
            "{finding:?}"
        );
        assert!((finding.size.unwrap() - 450e-6).abs() < 20e-6, "{finding:?}");
    }
}
