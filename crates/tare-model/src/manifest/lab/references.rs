//! References to contenders in the manifest of a workload and in what its report published.

use crate::ids::ContenderId;
use crate::manifest::contender::Contender;
use crate::manifest::error::{ManifestError, Problem};
use crate::manifest::sources::Sources;
use crate::manifest::words::near_or_all;
use crate::manifest::workload::Workload;

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
        problems.sort_by_key(|problem| problem.line);
        problems
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
