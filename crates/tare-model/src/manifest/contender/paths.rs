//! `[paths]`: where a contender answers the requests of a case, if it is elsewhere than the case says.

use std::collections::BTreeMap;

use toml_edit::Value;

use crate::manifest::http::check_path;
use crate::manifest::job::Job;
use crate::manifest::keys::{Kind, Taken};
use crate::manifest::node::Take;
use crate::manifest::source::Spot;
use crate::manifest::table::Table;
use crate::manifest::words::{near_or_all, short};
use crate::manifest::workload::Workload;
use crate::manifest::write::text;

/// `[paths]`; with the cases whose job is one request by HTTP, and the path of each.
pub(super) struct PathsKind(pub Vec<(String, String)>);

/// The cases of a workload in which a contender may have a path of its own. Of several requests it would have several.
pub(super) fn of(workload: &Workload) -> Vec<(String, String)> {
    let path = |job: &Job| match job {
        Job::Http(http) if http.then.is_empty() => Some(http.path.clone()),
        _ => None,
    };
    let cases = workload.cases.iter();
    cases
        .filter_map(|case| Some((case.name.clone(), path(&case.job)?)))
        .collect()
}

impl Kind for PathsKind {
    type Value = BTreeMap<String, String>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Self::Value>> {
        let paths = table.get::<Table>(key, must)?;
        let mut value = BTreeMap::new();
        for (case, node) in paths.value.entries() {
            let line = node.line;
            let usual = self.usual(&paths.value, &case, line);
            let Some(path) = String::take(node) else { continue };
            let path = Spot { value: path, line };
            check_path(&paths.value, &case, &path);
            let size = |text: &str| text.contains("{size}");
            if usual.is_some_and(|usual| size(usual) != size(&path.value)) {
                let text =
                    format!("`paths.{case}`: `{{size}}` must stand in it if it does in the case's own path");
                table.source.problem(line, text, None);
            }
            value.insert(case, path.value);
        }
        Some(paths.map(|_| value).into())
    }

    fn show(&self, value: &Self::Value) -> Vec<(String, Value)> {
        let line = |(case, path): (&String, &String)| (format!(".{case}"), text(path));
        value.iter().map(line).collect()
    }
}

impl PathsKind {
    /// The path that a case has for all contenders. Reports a name that is no such case.
    fn usual(&self, paths: &Table, case: &str, line: u32) -> Option<&str> {
        let known = self.0.iter().find(|(name, _)| name == case);
        if known.is_none() {
            let text = format!("`paths`: `{}` is no case with one request by HTTP", short(case));
            let names: Vec<&str> = self.0.iter().map(|(name, _)| name.as_str()).collect();
            let hint = match names.as_slice() {
                [] => "leave it out: the workload has no such case".to_owned(),
                names => near_or_all(case, "there are", names),
            };
            paths.source.hinted(line, text, hint);
        }
        known.map(|(_, path)| path.as_str())
    }
}
