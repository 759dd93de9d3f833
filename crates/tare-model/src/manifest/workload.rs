//! `workload.toml`: the job, its cases, how it is driven, and the exchanges that must come out right.

use std::path::PathBuf;

use toml_edit::Value;

use super::case::{Case, Defaults, take_cases};
use super::complete;
use super::document::read;
use super::driving::{CountKind, ModesKind};
pub use super::driving::{yields, yields_in_process};
use super::error::ManifestError;
use super::exchange::ExchangesKind;
use super::job::JobKind;
use super::keys::{Keys, field};
use super::kinds::{IdKind, Maybe, PhraseKind};
use super::sources::{Layer, Sources};
use super::suite::{DEFAULT, FULL, Suite, SuitesKind};
use super::suites;

/// The last place in a tour.
const MAX_PLACE: u32 = 1000;

/// A workload: a job whose answers can be checked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Workload {
    /// Its folder's name.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// One line on the job.
    pub summary: String,
    /// The report that it reproduces.
    pub source: Option<String>,
    /// Cases in the order of the manifest; at least one.
    pub cases: Vec<Case>,
    /// What cases have by default.
    pub defaults: Defaults,
    /// The suites of its manifest. [`Workload::all_suites`] has those that need none as well.
    pub suites: Vec<Suite>,
    /// Its place in the tour, from 1: what `tare run` measures where no workload is named.
    pub tour: Option<u32>,
    /// Placeholders that the services of its cases give, in order. In a case without the service they are empty.
    pub gives: Vec<String>,
}

/// The keys of `workload.toml` besides `cases`, in the order in which `tare show` prints them: it prints the cases
/// between the two tables.
fn keys<'c>() -> [Keys<'c, Workload>; 2] {
    let (mut first, mut last) = (Keys::<Workload>::new(), Keys::<Workload>::new());
    first.must(field!(summary), PhraseKind);
    first.may(field!(source), Maybe(PhraseKind));
    first.may(field!(defaults.job as "job"), Maybe(JobKind));
    first.may(field!(defaults.floor as "floor"), Maybe(IdKind));
    first.may(field!(tour), Maybe(CountKind(MAX_PLACE)));
    first.may(field!(suites), SuitesKind).shown_as("suites.");
    last.may(field!(defaults.modes as "modes"), ModesKind)
        .shown_as("modes.");
    last.may(field!(defaults.exchanges as "exchanges"), ExchangesKind);
    [first, last]
}

/// Reads a workload's manifest. `file` is what errors call it, `name` the workload's name.
/// Errors: everything that is wrong with it. Whether its floor and baselines exist is not checked here.
pub fn parse(bytes: &[u8], file: &str, name: &str, folder: PathBuf) -> Result<Workload, ManifestError> {
    parse_with_sources(bytes, file, name, folder).map(|(workload, _)| workload)
}

/// The same, with where each value came from.
pub(super) fn parse_with_sources(
    bytes: &[u8],
    file: &str,
    name: &str,
    folder: PathBuf,
) -> Result<(Workload, Sources), ManifestError> {
    read(bytes, file, |root| {
        let mut workload = Workload {
            name: name.to_owned(),
            folder,
            ..Workload::default()
        };
        let mut sources = Sources::default();
        let read = keys().map(|keys| keys.read(root, Layer::Own, &mut workload, &mut sources));
        let cases = take_cases(root, &workload.defaults, &mut sources);
        let (cases, whole) = (cases?, read.into_iter().collect::<Option<Vec<()>>>());
        whole?;
        // A wrong job is reported already, and leaves nothing to check.
        if workload.defaults.job.is_some() == root.has("job") {
            let has_modes = !root.peek_keys("modes").is_empty();
            for case in &cases {
                complete::check(root.source, case, &workload.defaults, has_modes, &sources);
            }
        }
        workload.cases = cases.into_iter().map(|table| table.case).collect();
        suites::check(root.source, &workload.suites, &workload.cases, &sources);
        suites::resolve(root.source, &mut workload.suites, &workload.cases, &sources);
        suites::note_defaults(&workload.suites, &mut sources);
        Some((workload, sources))
    })
}

impl Workload {
    /// The case of this name.
    pub fn case(&self, name: &str) -> Option<&Case> {
        self.cases.iter().find(|case| case.name == name)
    }

    /// Its suites: those of its manifest in their order, `default` before them where they have none, and `full`.
    pub fn all_suites(&self) -> Vec<Suite> {
        let mut all = self.suites.clone();
        let full = Suite::full(&self.cases);
        if all.iter().all(|suite| suite.name != DEFAULT) {
            let default = Suite {
                name: DEFAULT.to_owned(),
                same_as: Some(FULL.to_owned()),
                ..full.clone()
            };
            all.insert(0, default);
        }
        all.push(full);
        all
    }

    /// The suite of this name.
    pub fn suite(&self, name: &str) -> Option<Suite> {
        self.all_suites().into_iter().find(|suite| suite.name == name)
    }

    /// Its keys and values, as `tare show` prints them.
    pub(super) fn shown(&self) -> Vec<(String, Value)> {
        let [first, last] = keys();
        let cases = self.cases.iter().flat_map(|case| {
            let line = |(key, value)| (format!("cases.{}.{key}", case.name), value);
            case.shown(&self.defaults).into_iter().map(line)
        });
        let suites = Workload {
            suites: self.all_suites(),
            ..self.clone()
        };
        let mut shown = first.show(&suites);
        shown.extend(cases);
        shown.extend(last.show(self));
        shown
    }
}
