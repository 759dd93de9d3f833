//! `workload.toml`: the job, its cases, how it is driven, and the exchanges that must come out right.

use std::path::PathBuf;

pub use super::driving::{MAX_CONNECTIONS, yields};
use super::driving::{RawDriving, take_modes};
use super::error::ManifestError;
use super::fields::{check_name, choose, contender_id, distinct, maybe_phrase, mode, phrase};
use super::job::{take_exchanges, take_job};
use super::take::List;
use super::toml::{Node, Source, Spot, Table, Take, read};
use super::{Case, Exchange, Job, PlacementKind, Sources, TARE_DEFAULT, Workload};
use crate::ids::ContenderId;
use crate::metric::Mode;

/// A workload's file as it was written (schema 1), every value with its line.
#[derive(Debug, Clone)]
pub(super) struct RawWorkload {
    pub file: String,
    pub summary: Spot<String>,
    pub source: Option<Spot<String>>,
    pub job: Spot<Job>,
    pub floor: Option<Spot<ContenderId>>,
    pub cases: Vec<RawCase>,
    pub modes: Vec<RawDriving>,
    pub exchanges: Vec<Spot<Exchange>>,
}

/// A case's table as it was written.
#[derive(Debug, Clone)]
pub(super) struct RawCase {
    pub name: String,
    pub summary: Spot<String>,
    pub placement: Spot<PlacementKind>,
    pub baseline: Spot<ContenderId>,
    /// None: all of the workload's.
    pub modes: Option<Spot<Vec<Spot<Mode>>>>,
}

/// Reads a workload's manifest. `file` is what errors call it, `name` the workload's name.
/// Errors: everything that is wrong with it. Whether floor and baselines exist is for the lab to say.
pub fn parse(bytes: &[u8], file: &str, name: &str, folder: PathBuf) -> Result<Workload, ManifestError> {
    parse_raw(bytes, file).map(|raw| raw.resolve(name, folder))
}

/// The same, with the lines kept.
pub(super) fn parse_raw(bytes: &[u8], file: &str) -> Result<RawWorkload, ManifestError> {
    read(bytes, file, |root| {
        let summary = phrase(root, "summary");
        let source = maybe_phrase(root, "source");
        let job = take_job(root);
        let floor = root
            .optional::<String>("floor")
            .and_then(|text| contender_id(root.source, &text));
        let cases = take_cases(root);
        let modes = take_modes(root);
        let exchanges = take_exchanges(root);
        let (cases, (modes, names)) = (cases?, modes?);
        check_case_modes(root.source, &cases, &names);
        Some(RawWorkload {
            file: root.source.file().to_owned(),
            summary: summary?,
            source,
            job: job?,
            floor,
            cases,
            modes,
            exchanges,
        })
    })
}

fn take_cases(root: &Table) -> Option<Vec<RawCase>> {
    let cases = root.required::<Table>("cases")?;
    let entries = cases.value.entries();
    if entries.is_empty() {
        let hint = "for example `[cases.one-core]`";
        root.source.hinted(
            cases.line,
            "`cases`: expected at least one case, found none",
            hint,
        );
    }
    Some(
        entries
            .into_iter()
            .filter_map(|(name, node)| take_case(root.source, name, node))
            .collect(),
    )
}

fn take_case(source: &Source, name: String, node: Node) -> Option<RawCase> {
    check_name(source, "case", &name, node.line);
    let table = Table::take(node)?;
    let summary = phrase(&table, "summary");
    let placement = table.required::<String>("placement");
    let baseline = table.required::<String>("baseline");
    let modes = table.optional::<List<String>>("modes");
    table.finish();
    let placements = PlacementKind::ALL.map(|kind| (kind.name(), kind));
    let placement = placement.and_then(|name| choose(source, "placement", &name, &placements));
    let baseline = baseline.and_then(|text| contender_id(source, &text));
    Some(RawCase {
        name,
        summary: summary?,
        placement: placement?,
        baseline: baseline?,
        modes: modes.map(|modes| take_case_modes(&table, modes)),
    })
}

fn take_case_modes(table: &Table, modes: Spot<List<String>>) -> Spot<Vec<Spot<Mode>>> {
    let path = table.path("modes");
    if modes.value.0.is_empty() {
        let text = format!("`{path}`: expected at least one mode, found none");
        table.source.hinted(
            modes.line,
            text,
            "leave the key out for all modes of the workload",
        );
    }
    distinct(table.source, &path, &modes.value.0);
    modes.map(|names| {
        names
            .0
            .iter()
            .filter_map(|name| mode(table.source, name))
            .collect()
    })
}

fn check_case_modes(source: &Source, cases: &[RawCase], names: &[String]) {
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    for mode in cases
        .iter()
        .filter_map(|case| case.modes.as_ref())
        .flat_map(|modes| &modes.value)
    {
        if !known.contains(&mode.value.name()) {
            let text = format!("the workload has no mode `{}`", mode.value);
            let hint = format!(
                "add `[modes.{}]`, or choose from: {}",
                mode.value,
                super::words::list(known.clone())
            );
            source.hinted(mode.line, text, hint);
        }
    }
}

impl RawWorkload {
    /// The domain type.
    pub fn resolve(&self, name: &str, folder: PathBuf) -> Workload {
        Workload {
            name: name.to_owned(),
            folder,
            summary: self.summary.value.clone(),
            source: self.source.as_ref().map(|source| source.value.clone()),
            job: self.job.value.clone(),
            floor: self.floor.as_ref().map(|floor| floor.value.clone()),
            cases: self.cases.iter().map(|case| self.resolve_case(case)).collect(),
            modes: self.modes.iter().map(RawDriving::resolve).collect(),
            exchanges: self
                .exchanges
                .iter()
                .map(|exchange| exchange.value.clone())
                .collect(),
        }
    }

    fn resolve_case(&self, case: &RawCase) -> Case {
        let all = || self.modes.iter().map(|driving| driving.mode).collect();
        let some = |modes: &Spot<Vec<Spot<Mode>>>| modes.value.iter().map(|mode| mode.value).collect();
        Case {
            name: case.name.clone(),
            summary: case.summary.value.clone(),
            placement: case.placement.value,
            baseline: case.baseline.value.clone(),
            modes: case.modes.as_ref().map_or_else(all, some),
        }
    }

    /// Where each value came from, by the keys that `render` shows.
    pub fn sources(&self) -> Sources {
        let mut sources = Sources::new();
        let mut note = |key: String, line: u32| {
            let place = match line {
                0 => TARE_DEFAULT.to_owned(),
                line => format!("{}:{line}", self.file),
            };
            sources.push((key, place));
        };
        note("summary".into(), self.summary.line);
        note("source".into(), self.source.as_ref().map_or(0, |spot| spot.line));
        note("job".into(), self.job.line);
        note("floor".into(), self.floor.as_ref().map_or(0, |spot| spot.line));
        for case in &self.cases {
            let key = |key: &str| format!("cases.{}.{key}", case.name);
            note(key("summary"), case.summary.line);
            note(key("placement"), case.placement.line);
            note(key("baseline"), case.baseline.line);
            note(key("modes"), case.modes.as_ref().map_or(0, |spot| spot.line));
        }
        for driving in &self.modes {
            let key = |key: &str| format!("modes.{}.{key}", driving.mode);
            note(key("primary"), driving.primary.line);
            note(key("connections"), driving.connections.line);
            note(key("depth"), driving.depth.line);
            note(key("programs"), driving.programs.line);
            note(key("requests"), driving.requests.line);
        }
        for (index, exchange) in self.exchanges.iter().enumerate() {
            note(format!("exchanges[{index}]"), exchange.line);
        }
        sources
    }
}
