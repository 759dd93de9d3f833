//! `[cases.NAME]`: contenders that are compared with each other, in one placement, doing one job.

use super::driving::{RawDriving, take_modes};
use super::fields::{check_case_name, check_name, choose, contender_id, distinct, mode, phrase, within64};
use super::job::{take_exchanges, take_job};
use super::take::List;
use super::toml::{Node, Source, Spot, Table, Take};
use super::words::list;
use super::workload::RawWorkload;
use super::{Case, Exchange, Job, PlacementKind, Sweep};
use crate::ids::ContenderId;
use crate::metric::Mode;

/// No parameter of a job is larger than this: 1 TiB, were it bytes.
const MAX_SIZE: u64 = 1 << 40;
/// More sizes than this leave no time for any of them.
const MAX_SIZES: usize = 64;

/// A case's table as it was written.
#[derive(Debug, Clone)]
pub(super) struct RawCase {
    pub name: String,
    pub line: u32,
    pub summary: Spot<String>,
    pub placement: Spot<PlacementKind>,
    pub baseline: Spot<ContenderId>,
    pub floor: Option<Spot<ContenderId>>,
    pub job: Option<Spot<Job>>,
    /// Whether it says its job, be that right or wrong.
    pub has_job: bool,
    pub exchanges: Vec<Spot<Exchange>>,
    /// Names of the modes that are run by default; none: all of them.
    pub modes: Option<Spot<Vec<Spot<Mode>>>>,
    /// Modes of its own, with the names of broken ones; none: the workload's.
    pub own_modes: Option<OwnModes>,
    pub services: Option<Spot<Vec<String>>>,
    pub sweep: Option<Spot<Sweep>>,
}

/// Takes `[cases]`: at least one.
pub(super) fn take_cases(root: &Table) -> Option<Vec<RawCase>> {
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
    check_case_name(source, &name, node.line);
    let line = node.line;
    let table = Table::take(node)?;
    let summary = phrase(&table, "summary");
    let placement = table.required::<String>("placement");
    let baseline = table.required::<String>("baseline");
    let floor = table.optional::<String>("floor");
    let has_job = table.has("job");
    let job = take_job(&table);
    let exchanges = take_exchanges(&table);
    let (modes, own_modes) = take_either_modes(&table);
    let services = table
        .optional::<List<String>>("services")
        .map(|names| take_services(&table, names));
    let sweep = table
        .optional::<Table>("sweep")
        .and_then(|sweep| take_sweep(&sweep));
    table.finish();
    let placements = PlacementKind::ALL.map(|kind| (kind.name(), kind));
    let placement = placement.and_then(|name| choose(source, "placement", &name, &placements));
    let baseline = baseline.and_then(|text| contender_id(source, &text));
    Some(RawCase {
        name,
        line,
        summary: summary?,
        placement: placement?,
        baseline: baseline?,
        floor: floor.and_then(|text| contender_id(source, &text)),
        job,
        has_job,
        exchanges,
        modes,
        own_modes,
        services,
        sweep,
    })
}

type Names = Spot<Vec<Spot<Mode>>>;

/// Modes, and the names of all that were there, broken ones included.
type OwnModes = (Vec<RawDriving>, Vec<String>);

/// `modes`: a list of names; or tables of the case's own, and `by_default` the names.
fn take_either_modes(table: &Table) -> (Option<Names>, Option<OwnModes>) {
    let (key, own) = match table.holds_table("modes") {
        true => ("by_default", take_modes(table)),
        false => ("modes", None),
    };
    let names = table.optional::<List<String>>(key);
    (names.map(|names| take_mode_names(table, key, names)), own)
}

fn take_mode_names(table: &Table, key: &str, modes: Spot<List<String>>) -> Names {
    let path = table.path(key);
    if modes.value.0.is_empty() {
        let text = format!("`{path}`: expected at least one mode, found none");
        table
            .source
            .hinted(modes.line, text, "leave the key out for all modes");
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

fn take_services(table: &Table, names: Spot<List<String>>) -> Spot<Vec<String>> {
    distinct(table.source, &table.path("services"), &names.value.0);
    for name in &names.value.0 {
        check_name(table.source, "service", &name.value, name.line);
    }
    names.map(|names| names.0.into_iter().map(|name| name.value).collect())
}

fn take_sweep(sweep: &Spot<Table>) -> Option<Spot<Sweep>> {
    let table = &sweep.value;
    let name = phrase(table, "name");
    let sizes = table.required::<List<i64>>("sizes");
    table.finish();
    let (sizes, path) = (sizes?, table.path("sizes"));
    let found = sizes.value.0.len();
    if !(2..=MAX_SIZES).contains(&found) {
        let text = format!("`{path}`: expected 2 to {MAX_SIZES} sizes, found {found}");
        table
            .source
            .hinted(sizes.line, text, "a line needs two points, a check of it a third");
    }
    let each = sizes.value.0.iter();
    let values: Option<Vec<u64>> = each
        .map(|size| within64(table.source, &path, size, MAX_SIZE))
        .collect();
    let values = values?;
    if !values.is_sorted_by(|a, b| a < b) {
        let text = format!("`{path}`: expected sizes that rise, found {values:?}");
        table.source.problem(sizes.line, text, None);
    }
    Some(Spot {
        value: Sweep {
            name: name?.value,
            sizes: values,
        },
        line: sweep.line,
    })
}

impl RawCase {
    /// Whether there are the modes that it names.
    pub fn check_modes(&self, source: &Source, names: &[String]) {
        let (whose, names) = match &self.own_modes {
            Some((_, own)) => ("case", &own[..]),
            None => ("workload", names),
        };
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        for mode in self.modes.iter().flat_map(|modes| &modes.value) {
            if !known.contains(&mode.value.name()) {
                let text = format!("the {whose} has no mode `{}`", mode.value);
                let hint = format!(
                    "add `[modes.{}]`, or choose from: {}",
                    mode.value,
                    list(known.clone())
                );
                source.hinted(mode.line, text, hint);
            }
        }
    }

    /// Whether it is driven in this mode.
    pub fn has_mode(&self, mode: Mode) -> bool {
        let named = |modes: &Names| modes.value.iter().any(|named| named.value == mode);
        self.modes.as_ref().is_none_or(named)
    }

    /// The domain type: what it does not say is the workload's.
    pub fn resolve(&self, workload: &RawWorkload) -> Case {
        let drivings = self.own_modes.as_ref().map_or(&workload.modes, |(own, _)| own);
        let all = || drivings.iter().map(|driving| driving.mode).collect();
        let some = |modes: &Names| modes.value.iter().map(|mode| mode.value).collect();
        let job = self.job.as_ref().or(workload.job.as_ref());
        let floor = self.floor.as_ref().or(workload.floor.as_ref());
        // Exchanges belong to the job that they are of.
        let exchanges = match self.job.is_some() || !self.exchanges.is_empty() {
            true => &self.exchanges,
            false => &workload.exchanges,
        };
        Case {
            name: self.name.clone(),
            summary: self.summary.value.clone(),
            placement: self.placement.value,
            baseline: self.baseline.value.clone(),
            // Whoever reads a workload without a job for some case has refused it.
            job: job.map_or(Job::Doubling, |job| job.value.clone()),
            floor: floor.map(|floor| floor.value.clone()),
            exchanges: exchanges.iter().map(|exchange| exchange.value.clone()).collect(),
            drivings: drivings.iter().map(RawDriving::resolve).collect(),
            modes: self.modes.as_ref().map_or_else(all, some),
            services: self
                .services
                .as_ref()
                .map(|names| names.value.clone())
                .unwrap_or_default(),
            sweep: self.sweep.as_ref().map(|sweep| sweep.value.clone()),
        }
    }

    /// Notes the line of each of its values; 0 where nobody wrote it.
    pub fn sources(&self, note: &mut impl FnMut(String, u32)) {
        let key = |key: &str| format!("cases.{}.{key}", self.name);
        note(key("summary"), self.summary.line);
        note(key("placement"), self.placement.line);
        note(key("baseline"), self.baseline.line);
        note(key("modes"), self.modes.as_ref().map_or(0, |spot| spot.line));
        let own = [
            ("job", self.job.as_ref().map(|spot| spot.line)),
            ("floor", self.floor.as_ref().map(|spot| spot.line)),
            ("services", self.services.as_ref().map(|spot| spot.line)),
            ("sweep", self.sweep.as_ref().map(|spot| spot.line)),
        ];
        for (name, line) in own {
            line.into_iter().for_each(|line| note(key(name), line));
        }
        for driving in self.own_modes.iter().flat_map(|(own, _)| own) {
            driving.sources(&key(""), note);
        }
        for (index, exchange) in self.exchanges.iter().enumerate() {
            note(key(&format!("exchanges[{index}]")), exchange.line);
        }
    }
}
