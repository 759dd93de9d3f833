//! What the suites of a workload refer to: its cases, their modes and sizes, and each other.

use super::case::Case;
use super::source::Source;
use super::sources::Sources;
use super::suite::{DEFAULT, FULL, Part, Suite};
use super::words::{list, near_or_all};

/// Gives each suite that is the same as another the parts of that one.
pub(super) fn resolve(source: &Source, suites: &mut [Suite], cases: &[Case], sources: &Sources) {
    let mut known: Vec<Suite> = suites.to_vec();
    known.push(Suite::full(cases));
    for suite in suites {
        let Some(other) = suite.same_as.clone() else {
            continue;
        };
        let key = format!("suites.{}.same_as", suite.name);
        let line = sources.line(&key).unwrap_or(1);
        match known.iter().find(|one| one.name == other) {
            Some(found) if found.same_as.is_none() => suite.parts.clone_from(&found.parts),
            Some(found) => {
                let text = format!("`{key}`: `{other}` is itself the same as another suite");
                let hint = found.same_as.as_ref().filter(|last| **last != suite.name);
                let hint = hint.map(|last| format!("write `same_as = \"{last}\"`"));
                source.problem(line, text, hint);
            }
            None => {
                let names: Vec<&str> = known.iter().map(|one| one.name.as_str()).collect();
                let text = format!("`{key}`: there is no suite `{other}`");
                source.hinted(line, text, near_or_all(&other, "there are", &names));
            }
        }
    }
}

/// Reports what the parts of suites name and the workload does not have. Contenders are checked with the lab.
pub(super) fn check(source: &Source, suites: &[Suite], cases: &[Case], sources: &Sources) {
    for suite in suites.iter().filter(|suite| suite.same_as.is_none()) {
        let mut earlier: Vec<&str> = Vec::new();
        for (index, part) in suite.parts.iter().enumerate() {
            let of = OfPart {
                source,
                sources,
                path: format!("suites.{}.parts[{index}]", suite.name),
            };
            of.check(part, cases, &mut earlier);
        }
    }
}

/// One part of a suite, and where it is written.
struct OfPart<'s> {
    source: &'s Source,
    sources: &'s Sources,
    path: String,
}

impl OfPart<'_> {
    fn check<'p>(&self, part: &'p Part, cases: &[Case], earlier: &mut Vec<&'p str>) {
        if part.cases.is_empty() {
            let hint = "name the cases in order of importance";
            self.report("cases", "expected at least one case, found none", hint);
        }
        for name in &part.cases {
            if earlier.contains(&name.as_str()) {
                let text = format!("the case `{name}` is in the suite already");
                let hint = "a suite measures a case once: put its modes and contenders into one part";
                self.report("cases", &text, hint);
            }
            earlier.push(name);
            match cases.iter().find(|case| case.name == *name) {
                Some(case) => self.check_case(part, case),
                None => {
                    let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
                    let text = format!("the workload has no case `{name}`");
                    self.report("cases", &text, &near_or_all(name, "its cases are", &names));
                }
            }
        }
    }

    fn check_case(&self, part: &Part, case: &Case) {
        for mode in part.modes.iter().filter(|mode| case.driving(**mode).is_none()) {
            let text = format!("the case `{}` has no mode `{mode}`", case.name);
            let known = case.drivings.iter().map(|driving| driving.mode.name());
            self.report("modes", &text, &format!("its modes are {}", list(known)));
        }
        let Some(sweep) = &case.sweep else {
            if !part.sizes.is_empty() {
                let text = format!("the case `{}` has no sizes", case.name);
                self.report(
                    "sizes",
                    &text,
                    "leave the key out, or put the case into another part",
                );
            }
            return;
        };
        for size in part.sizes.iter().filter(|size| !sweep.sizes.contains(size)) {
            let text = format!("the case `{}` has no size {size}", case.name);
            let known: Vec<String> = sweep.sizes.iter().map(u64::to_string).collect();
            self.report("sizes", &text, &format!("its sizes are {}", known.join(", ")));
        }
    }

    fn report(&self, key: &str, text: &str, hint: &str) {
        let key = format!("{}.{key}", self.path);
        let line = self.sources.line(&key).unwrap_or(1);
        self.source.hinted(line, format!("`{key}`: {text}"), hint);
    }
}

/// Notes that tare's defaults hold for the suites that need no manifest.
pub(super) fn note_defaults(suites: &[Suite], sources: &mut Sources) {
    let names = [DEFAULT, FULL].into_iter();
    for name in names.filter(|name| suites.iter().all(|suite| suite.name != *name)) {
        sources.default_of(format!("suites.{name}"));
    }
}
