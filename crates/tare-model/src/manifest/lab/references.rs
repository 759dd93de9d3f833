//! References to contenders in the manifest of a workload and in what its report published.

use crate::ids::ContenderId;
use crate::manifest::contender::Contender;
use crate::manifest::error::{ManifestError, Problem};
use crate::manifest::sources::Sources;
use crate::manifest::suite::{REPORT, Suite};
use crate::manifest::words::near_or_all;
use crate::manifest::workload::Workload;
use crate::metric::Mode;

/// The contenders of a workload.
pub(super) struct Known<'k> {
    pub contenders: &'k [Result<Contender, ManifestError>],
    /// Names of those whose manifests cannot be read.
    pub broken: &'k [String],
}

impl Known<'_> {
    /// Problems of the floor and the baselines: they must exist, and take part in their cases.
    pub(super) fn check(&self, file: &str, workload: &Workload, sources: &Sources) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut check = |key: String, id: Option<&ContenderId>, case: Option<&str>| {
            // A case without the key has that of the workload, which is checked once.
            let (Some(line), Some(id)) = (sources.line(&key), id) else {
                return;
            };
            if let Some((text, hint)) = self.fault(id, case) {
                let problem = Problem::whole(file, format!("`{key}`: {text}")).at(line);
                problems.push(Problem { hint, ..problem });
            }
        };
        check("floor".to_owned(), workload.defaults.floor.as_ref(), None);
        for case in &workload.cases {
            let key = |key: &str| format!("cases.{}.{key}", case.name);
            check(key("floor"), case.floor.as_ref(), Some(&case.name));
            check(key("baseline"), Some(&case.baseline), Some(&case.name));
        }
        let suites = workload.suites.iter().filter(|suite| suite.same_as.is_none());
        problems.extend(suites.flat_map(|suite| self.check_suite(file, suite, sources)));
        problems.sort_by_key(|problem| problem.line);
        problems
    }

    /// Problems of the contenders that a suite names: each must take part in every case of its part.
    fn check_suite(&self, file: &str, suite: &Suite, sources: &Sources) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (index, part) in suite.parts.iter().enumerate() {
            for (at, id) in part.contenders.iter().enumerate() {
                let key = format!("suites.{}.parts[{index}].contenders", suite.name);
                let line = sources.line(&format!("{key}[{at}]")).unwrap_or(1);
                let faults = part.cases.iter().filter_map(|case| self.fault_of_name(id, case));
                problems.extend(faults.take(1).map(|(text, hint)| Problem {
                    hint,
                    ..Problem::whole(file, format!("`{key}`: {text}")).at(line)
                }));
            }
        }
        problems
    }

    /// Why the suite `report` does not measure what was published of a contender, and a hint; nothing where there is no
    /// such suite.
    pub(super) fn unreported(
        &self,
        workload: &Workload,
        (case, mode): (&str, Mode),
        id: &ContenderId,
    ) -> Option<(String, Option<String>)> {
        let suite = workload.suites.iter().find(|suite| suite.name == REPORT)?;
        let of_case = workload.case(case)?;
        let mut readable = self.contenders.iter().flatten();
        let contender = readable.find(|contender| contender.id == *id);
        let by_default = contender.is_none_or(|contender| contender.by_default);
        let measured = suite.part(case).is_some_and(|part| {
            part.measures(id, by_default) && part.narrowed(of_case).modes.contains(&mode)
        });
        let text =
            format!("the suite `{REPORT}` does not measure `{id}` in the case `{case}`, mode `{mode}`");
        let hint =
            format!("add it to a part of `[suites.{REPORT}]` in workload.toml, or no run will judge this");
        (!measured).then_some((text, Some(hint)))
    }

    /// What is wrong with a name that stands for all variants, where it has none.
    fn fault_of_name(&self, id: &ContenderId, case: &str) -> Option<(String, Option<String>)> {
        let readable = self.contenders.iter().flatten();
        let meant: Vec<&Contender> = readable.filter(|contender| id.means(&contender.id)).collect();
        let takes_part = |contender: &&Contender| contender.cases.iter().any(|own| own == case);
        match meant.as_slice() {
            some if some.iter().any(takes_part) => None,
            [first, ..] => self.fault(&first.id, Some(case)),
            [] => self.fault(id, None),
        }
    }

    /// What is wrong with a reference to a contender, and a hint.
    pub(super) fn fault(&self, id: &ContenderId, case: Option<&str>) -> Option<(String, Option<String>)> {
        let readable = || self.contenders.iter().flatten();
        if let Some(found) = readable().find(|contender| contender.id == *id) {
            let case = case.filter(|case| !found.cases.iter().any(|own| own == case))?;
            let place = found.sources.get("cases");
            let hint = format!(
                "its cases are {} ({})",
                found.cases.join(", "),
                place.as_deref().unwrap_or("its manifest")
            );
            let text = format!("the contender `{id}` does not take part in the case `{case}`");
            return Some((text, Some(hint)));
        }
        // What is wrong with its manifest is reported elsewhere, once.
        if self.broken.contains(&id.name) {
            return None;
        }
        let ids: Vec<String> = readable().map(|contender| contender.id.to_string()).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let text = format!("there is no contender `{id}`");
        Some((text, Some(near_or_all(&id.to_string(), "there are", &ids))))
    }
}
