//! Whether the cases that count what is asked of their services can.

use crate::asked::Asked;
use crate::manifest::case::Case;
use crate::manifest::error::Problem;
use crate::manifest::job::Job;
use crate::manifest::sources::Sources;
use crate::manifest::workload::Workload;

/// What is wrong with `counted` of a workload's cases. `counts`: whether a service of this name can be asked what it did.
pub(super) fn check(
    file: &str,
    workload: &Workload,
    sources: &Sources,
    counts: impl Fn(&str) -> bool,
) -> Vec<Problem> {
    let counted = workload.cases.iter().filter(|case| case.counted);
    let faulty = counted.filter_map(|case| {
        let key = format!("cases.{}.counted", case.name);
        let (what, hint) = flaw(case, &counts)?;
        let problem = Problem::whole(file, format!("`{key}`: {what}"));
        Some(problem.at(sources.line(&key)?).hint(hint))
    });
    faulty.collect()
}

fn flaw(case: &Case, counts: impl Fn(&str) -> bool) -> Option<(&'static str, &'static str)> {
    if matches!(&case.job, Job::Http(http) if !http.then.is_empty()) {
        return Some((
            "its requests are sent in turn, and each may need something else of a database",
            "make each request a case of its own",
        ));
    }
    let first = case.sweep.as_ref().and_then(|sweep| sweep.sizes.first());
    let job = first.map_or_else(|| case.job.clone(), |size| case.job.at_size(*size));
    if job.asked() == Asked::default() {
        return Some((
            "its answers need nothing of a database",
            "answers of the kinds world, world-list, world-updates and fortunes do",
        ));
    }
    (!case.services.iter().any(|name| counts(name))).then_some((
        "none of its services can be asked what it did",
        "name a service with `[counts]`, such as `postgresql`",
    ))
}
