//! `workload.toml`: the job, its cases, how it is driven, and the exchanges that must come out right.

use std::path::PathBuf;

use super::case::{RawCase, take_cases};
pub use super::driving::{MAX_CONNECTIONS, yields, yields_in_process};
use super::driving::{RawDriving, take_modes};
use super::error::ManifestError;
use super::fields::{contender_id, maybe_phrase, phrase};
use super::in_process::check_drivings;
use super::job::{take_exchanges, take_job};
use super::toml::{Source, Spot, read};
use super::{Defaults, Exchange, Job, Sources, TARE_DEFAULT, Workload};
use crate::ids::ContenderId;

/// A workload's file as it was written (schema 1), every value with its line.
#[derive(Debug, Clone)]
pub(super) struct RawWorkload {
    pub file: String,
    pub summary: Spot<String>,
    pub source: Option<Spot<String>>,
    pub job: Option<Spot<Job>>,
    pub floor: Option<Spot<ContenderId>>,
    pub cases: Vec<RawCase>,
    pub modes: Vec<RawDriving>,
    pub exchanges: Vec<Spot<Exchange>>,
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
        let given = root.has("job");
        let job = take_job(root);
        let floor = root
            .optional::<String>("floor")
            .and_then(|text| contender_id(root.source, &text));
        let cases = take_cases(root);
        let modes = take_modes(root);
        let exchanges = take_exchanges(root);
        let (modes, names) = modes.unwrap_or_default();
        let cases = cases?;
        cases
            .iter()
            .for_each(|case| case.check_modes(root.source, &names));
        let raw = RawWorkload {
            file: root.source.file().to_owned(),
            summary: summary?,
            source,
            job,
            floor,
            cases,
            modes,
            exchanges,
        };
        // A job that is there and wrong has been told.
        if raw.job.is_some() == given {
            check_complete(root.source, &raw, &names);
        }
        Some(raw)
    })
}

/// Every case needs a job and a mode, its own or the workload's.
fn check_complete(source: &Source, raw: &RawWorkload, names: &[String]) {
    for case in &raw.cases {
        if raw.job.is_none() && !case.has_job {
            let text = format!(
                "the case `{}` has no job, and the workload has none for all",
                case.name
            );
            let hint = format!(
                "add `[cases.{}.job]`, or `job = {{ kind = \"…\" }}` at the top",
                case.name
            );
            source.hinted(case.line, text, hint);
        }
        let job = case.job.as_ref().or(raw.job.as_ref());
        if let Some(job) = job.filter(|job| job.value.needs_size() && case.sweep.is_none()) {
            let text = format!(
                "the case `{}` has no `sweep`, which alone gives its job a size",
                case.name
            );
            let hint = "for example `sweep = { name = \"bytes\", sizes = [13, 1024] }` in the case; or write the \
                        number where the job has `{size}`, or leaves `bytes` or `rows` out";
            source.hinted(job.line, text, hint);
        }
        if names.is_empty() && case.own_modes.is_none() {
            let text = format!(
                "the case `{}` has no mode, and the workload has none for all",
                case.name
            );
            source.hinted(case.line, text, "for example `[modes.cost]`");
        }
        let drivings = case.own_modes.as_ref().map_or(&raw.modes, |(own, _)| own);
        let own = case.job.as_ref();
        if let Some(job) = own.or(raw.job.as_ref().filter(|_| !case.has_job)) {
            check_drivings(source, case, &job.value, drivings);
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
            cases: self.cases.iter().map(|case| case.resolve(self)).collect(),
            defaults: Defaults {
                job: self.job.as_ref().map(|job| job.value.clone()),
                floor: self.floor.as_ref().map(|floor| floor.value.clone()),
                modes: self.modes.iter().map(RawDriving::resolve).collect(),
                exchanges: self
                    .exchanges
                    .iter()
                    .map(|exchange| exchange.value.clone())
                    .collect(),
            },
            gives: Vec::new(),
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
        note("job".into(), self.job.as_ref().map_or(0, |spot| spot.line));
        note("floor".into(), self.floor.as_ref().map_or(0, |spot| spot.line));
        self.cases.iter().for_each(|case| case.sources(&mut note));
        for driving in &self.modes {
            driving.sources("", &mut note);
        }
        for (index, exchange) in self.exchanges.iter().enumerate() {
            note(format!("exchanges[{index}]"), exchange.line);
        }
        sources
    }
}
