//! `[cases.NAME]`: contenders that are compared with each other, in one placement, doing one job.

use toml_edit::{Array, Value};

use super::driving::{ModeDriving, ModesKind};
use super::exchange::{Exchange, ExchangesKind};
use super::fields::{check_case_name, check_name, distinct, mode, phrase, within};
use super::job::{Job, JobKind};
use super::keys::{Keys, Kind, Taken, field};
use super::kinds::{IdKind, Maybe, OneOf, PhraseKind, TruthKind, one};
use super::node::{Node, Take};
use super::scheme::{misfit, scheme_kind};
use super::sources::{Layer, Sources};
use super::table::Table;
use super::take::List;
use super::words::list;
use super::write::{text, texts};
use crate::ids::ContenderId;
use crate::metric::Mode;
use crate::scheme::Scheme;

/// The most sizes of a sweep: more would leave no time for any of them.
const MAX_SIZES: usize = 64;

/// One case: a group of contenders that are compared with each other, in one placement.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// One line.
    pub summary: String,
    /// Which cores the contender gets.
    pub placement: PlacementKind,
    /// The contender that ratios compare with by default.
    pub baseline: ContenderId,
    /// What goes over the wire, and how answers are checked.
    pub job: Job,
    /// How the load speaks to its contenders; none: in clear, as the job has it.
    pub scheme: Option<Scheme>,
    /// The least program that gives the right answers.
    pub floor: Option<ContenderId>,
    /// Exchanges that every contender must get right before it is timed.
    pub exchanges: Vec<Exchange>,
    /// The modes that it can be driven in; at least one.
    pub drivings: Vec<ModeDriving>,
    /// Modes that are run by default.
    pub modes: Vec<Mode>,
    /// Names of the services that must run beside its contenders (`services/NAME/service.toml`).
    pub services: Vec<String>,
    /// Whether what its contenders ask of its services is counted, and held against their answers: those services then run
    /// for this case alone.
    pub counted: bool,
    /// The size parameter that it is swept over.
    pub sweep: Option<Sweep>,
}

/// A size parameter and the values that are measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// What is counted, in the plural: `bytes`, `fields`, `rows`.
    pub name: String,
    /// The sizes, rising; at least two.
    pub sizes: Vec<u64>,
}

/// Which cores a contender gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlacementKind {
    /// One core of its own; the load on others.
    #[default]
    OneCore,
    /// Every core; the load shares them if there are too few to set some aside.
    AllCores,
}

/// What a case inherits from its workload where its own table is silent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Defaults {
    /// What goes over the wire, and how answers are checked.
    pub job: Option<Job>,
    /// The least program that gives the right answers.
    pub floor: Option<ContenderId>,
    /// Modes in the order of the manifest.
    pub modes: Vec<ModeDriving>,
    /// Exchanges that every contender must get right before it is timed.
    pub exchanges: Vec<Exchange>,
}

impl PlacementKind {
    /// All placements.
    pub const ALL: [PlacementKind; 2] = [PlacementKind::OneCore, PlacementKind::AllCores];

    /// The name used in manifests.
    pub fn name(self) -> &'static str {
        match self {
            PlacementKind::OneCore => "one-core",
            PlacementKind::AllCores => "all-cores",
        }
    }
}

impl Sweep {
    /// The largest size: 1 TiB, if it counts bytes.
    pub(super) const MAX_SIZE: u64 = 1 << 40;
}

impl Case {
    /// How this mode drives the job, if the case has the mode.
    pub fn driving(&self, mode: Mode) -> Option<&ModeDriving> {
        self.drivings.iter().find(|driving| driving.mode == mode)
    }

    /// How the load speaks to contenders that say nothing of it themselves; none where nothing goes over a socket.
    pub fn scheme(&self) -> Option<Scheme> {
        self.scheme.or(self.job.scheme())
    }

    /// Why it cannot be done by a scheme, with a hint.
    pub(super) fn misfit(&self, scheme: Scheme) -> Option<(String, String)> {
        misfit(scheme, &self.name, &self.job, !self.exchanges.is_empty())
    }
}

/// What the keys are checked against.
struct Context<'c> {
    /// Showing: what the workload has for all cases is not shown again.
    defaults: Option<&'c Defaults>,
    modes: ModeNamesKind,
    /// Whether the case has tables of modes of its own; `by_default` then names those that are run by default.
    own_modes: bool,
}

/// The keys of a case, in the order in which `tare show` prints them.
fn keys<'c>(context: Context<'c>) -> Keys<'c, Case> {
    let Context {
        defaults,
        modes,
        own_modes,
    } = context;
    let mut keys = Keys::<Case>::new();
    keys.must(field!(summary), PhraseKind);
    keys.must(
        field!(placement),
        OneOf("placement", &PlacementKind::ALL, PlacementKind::name),
    );
    keys.must(field!(baseline), IdKind);
    let names = if own_modes { "by_default" } else { "modes" };
    keys.may(field!(modes as names), modes).shown_as("modes");
    keys.may(field!(job), JobKind)
        .shown_if(move |case| defaults.is_none_or(|own| own.job.as_ref() != Some(&case.job)));
    keys.may(field!(scheme), scheme_kind());
    keys.may(field!(floor), Maybe(IdKind))
        .shown_if(move |case| defaults.is_none_or(|own| own.floor != case.floor));
    keys.may(field!(services), ServicesKind)
        .shown_if(|case| !case.services.is_empty());
    keys.may(field!(counted), TruthKind).shown_if(|case| case.counted);
    keys.may(field!(sweep), Maybe(SweepKind));
    if own_modes {
        keys.may(field!(drivings as "modes"), ModesKind)
            .shown_as("modes.")
            .shown_if(move |case| defaults.is_none_or(|own| own.modes != case.drivings));
    }
    keys.may(field!(exchanges), ExchangesKind)
        .shown_if(move |case| defaults.is_none_or(|own| own.exchanges != case.exchanges));
    keys
}

/// The modes that are run by default, by name.
struct ModeNamesKind {
    /// Those that there are, broken ones included.
    known: Vec<String>,
    /// `case` or `workload`.
    of: &'static str,
}

/// Names of services.
struct ServicesKind;

/// `sweep`: a name and sizes.
struct SweepKind;

impl Kind for ModeNamesKind {
    type Value = Vec<Mode>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Vec<Mode>>> {
        let (source, path) = (table.source, table.path(key));
        let names = table.get::<List<String>>(key, must)?;
        if names.value.0.is_empty() {
            let text = format!("`{path}`: expected at least one mode, found none");
            source.hinted(names.line, text, "leave the key out for all modes");
        }
        distinct(source, &path, &names.value.0);
        let modes = names.value.0.iter().filter_map(|name| mode(source, name));
        let modes: Vec<_> = modes.collect();
        let of = self.of;
        for mode in &modes {
            if !self.known.iter().any(|known| known == mode.value.name()) {
                let text = format!("the {of} has no mode `{}`", mode.value);
                let hint = format!(
                    "add `[modes.{}]`, or choose from: {}",
                    mode.value,
                    list(self.known.iter().map(String::as_str))
                );
                source.hinted(mode.line, text, hint);
            }
        }
        let modes = modes.into_iter().map(|mode| mode.value).collect();
        Some(names.map(|_| modes).into())
    }

    fn show(&self, value: &Vec<Mode>) -> Vec<(String, Value)> {
        let names: Vec<String> = value.iter().map(ToString::to_string).collect();
        one(texts(&names))
    }
}

impl Kind for ServicesKind {
    type Value = Vec<String>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Vec<String>>> {
        let names = table.get::<List<String>>(key, must)?;
        distinct(table.source, &table.path(key), &names.value.0);
        for name in &names.value.0 {
            check_name(table.source, "service", &name.value, name.line);
        }
        Some(names.map(List::values).into())
    }

    fn show(&self, value: &Vec<String>) -> Vec<(String, Value)> {
        one(texts(value))
    }
}

impl Kind for SweepKind {
    type Value = Sweep;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Sweep>> {
        let sweep = table.get::<Table>(key, must)?;
        let (table, line) = (sweep.value, sweep.line);
        let name = phrase(&table, "name");
        let sizes = table.required::<List<i64>>("sizes");
        table.finish();
        let (sizes, path) = (sizes?, table.path("sizes"));
        let found = sizes.value.0.len();
        if !(2..=MAX_SIZES).contains(&found) {
            let text = format!("`{path}`: expected 2 to {MAX_SIZES} sizes, found {found}");
            let hint = "a line needs two points, a check of it a third";
            table.source.hinted(sizes.line, text, hint);
        }
        let each = sizes.value.0.iter();
        let values = each.map(|size| within(table.source, &path, size, Sweep::MAX_SIZE));
        let values: Vec<_> = values.collect();
        let values = values.into_iter().map(|size| Some(size?.value));
        let values = values.collect::<Option<Vec<u64>>>()?;
        if !values.is_sorted_by(|a, b| a < b) {
            let text = format!("`{path}`: expected sizes that rise, found {values:?}");
            table.source.problem(sizes.line, text, None);
        }
        let value = Sweep {
            name: name?.value,
            sizes: values,
        };
        Some(Taken {
            value,
            line,
            parts: Vec::new(),
        })
    }

    fn show(&self, value: &Sweep) -> Vec<(String, Value)> {
        let sizes: Array = value.sizes.iter().map(|size| *size as i64).collect();
        vec![
            (".name".to_owned(), text(&value.name)),
            (".sizes".to_owned(), sizes.into()),
        ]
    }
}

/// A case as its table was read, and what the table has.
pub(super) struct CaseTable {
    pub case: Case,
    pub line: u32,
    /// Whether it has a job, right or wrong.
    pub has_job: bool,
    /// Whether it has tables of modes of its own, right or wrong.
    pub own_modes: bool,
}

/// Takes `[cases]`: at least one. What a case leaves out it has from `defaults`.
pub(super) fn take_cases(root: &Table, defaults: &Defaults, sources: &mut Sources) -> Option<Vec<CaseTable>> {
    let cases = root.required::<Table>("cases")?;
    let entries = cases.value.entries();
    if entries.is_empty() {
        let text = "`cases`: expected at least one case, found none";
        root.source
            .hinted(cases.line, text, "for example `[cases.one-core]`");
    }
    let of_workload = root.peek_keys("modes");
    let cases = entries
        .into_iter()
        .filter_map(|(name, node)| take_case(name, node, &of_workload, defaults, sources));
    Some(cases.collect())
}

fn take_case(
    name: String,
    node: Node,
    of_workload: &[String],
    defaults: &Defaults,
    sources: &mut Sources,
) -> Option<CaseTable> {
    check_case_name(node.source, &name, node.line);
    let line = node.line;
    let table = Table::take(node)?;
    let own_modes = table.holds_table("modes");
    let modes = if own_modes {
        ModeNamesKind {
            known: table.peek_keys("modes"),
            of: "case",
        }
    } else {
        ModeNamesKind {
            known: of_workload.to_vec(),
            of: "workload",
        }
    };
    let keys = keys(Context {
        defaults: None,
        modes,
        own_modes,
    });
    let mut case = Case {
        name,
        ..Case::default()
    };
    let whole = keys.read(&table, Layer::Own, &mut case, sources);
    table.finish();
    whole?;
    let said = |key: &str| sources.line(&table.path(key)).is_some();
    if !said("floor") {
        case.floor.clone_from(&defaults.floor);
    }
    if !own_modes {
        case.drivings.clone_from(&defaults.modes);
    }
    if !said("modes") {
        case.modes = case.drivings.iter().map(|driving| driving.mode).collect();
    }
    if !said("job") {
        // Exchanges belong to the job that they are of.
        if case.exchanges.is_empty() {
            case.exchanges.clone_from(&defaults.exchanges);
        }
        if let Some(job) = &defaults.job {
            case.job.clone_from(job);
        }
    }
    Some(CaseTable {
        case,
        line,
        has_job: table.has("job"),
        own_modes,
    })
}

impl Case {
    /// Its keys and values, as `tare show` prints them after `cases.NAME.`.
    pub(super) fn shown(&self, defaults: &Defaults) -> Vec<(String, Value)> {
        let modes = ModeNamesKind {
            known: Vec::new(),
            of: "case",
        };
        keys(Context {
            defaults: Some(defaults),
            modes,
            own_modes: true,
        })
        .show(self)
    }
}
