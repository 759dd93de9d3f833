//! A checkout to find benchmarks in, and a job that is ready to be sampled.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use tare_host::groups::Backing;
use tare_lab::plan::Plan;
use tare_lab::rig::{Pacing, Rig, SliceOrder, SliceOutcome, Who};
use tare_model::driving::ConnectionUse;
use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::SliceReading;
use tare_model::metric::Metric;
use tare_model::record::EntrantRecord;
use tare_model::settings::Many;
use tare_model::units::{PerSecond, Seconds};
use tare_prepare::bench::{
    BenchJob, BenchPlaces, BenchRequest, BenchRules, BenchmarksFrom, Compared, Entry, Given,
};
use tare_prepare::{Event, Helpers, PrepareError, Progress, Supervision};
use tare_rig::benchmarks::BenchRig;

use crate::diff::git;
use crate::lab::PATIENCE;

pub(super) struct Quiet;

impl Progress for Quiet {
    fn event(&self, _: &Event<'_>) {}
}

/// A checkout, and a state folder beside it.
pub(super) struct Checkout {
    pub(super) folder: tempfile::TempDir,
    pub(super) supervision: Supervision,
}

impl Checkout {
    pub(super) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("tare-bench-").tempdir().unwrap();
        let me = env!("CARGO_BIN_EXE_tare");
        let words = |word: &str| vec![OsString::from(me), word.into()];
        let helpers = Helpers {
            guard: words("__guard"),
            forker: Vec::new(),
            spawner: words("__spawn"),
        };
        let state = folder.path().join("state");
        let supervision = Supervision::begin(state, "a test", Some(Backing::Plain), helpers, &Quiet).unwrap();
        fs::create_dir(folder.path().join("mine")).unwrap();
        git(&folder.path().join("mine"), &["init", "--quiet"]);
        Self { folder, supervision }
    }

    pub(super) fn root(&self) -> PathBuf {
        self.folder.path().join("mine")
    }

    pub(super) fn write(&self, path: &str, text: &str) -> &Self {
        use std::os::unix::fs::PermissionsExt;
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    pub(super) fn remove(&self, path: &str) -> &Self {
        fs::remove_file(self.root().join(path)).unwrap();
        self
    }

    pub(super) fn commit(&self, message: &str) -> &Self {
        git(&self.root(), &["add", "--all"]);
        git(&self.root(), &["commit", "--quiet", "-m", message]);
        self
    }

    pub(super) fn job_in(&self, within: &str, request: BenchRequest) -> Result<BenchJob, PrepareError> {
        let places = BenchPlaces {
            here: &self.root().join(within),
            own: &self.root().join(".tare"),
        };
        BenchJob::new(request, places, &self.supervision, &Quiet)
    }

    pub(super) fn job(&self, request: BenchRequest) -> BenchJob {
        self.job_in("", request).unwrap_or_else(|error| panic!("{error}"))
    }
}

pub(super) fn request(compared: Compared) -> BenchRequest {
    BenchRequest {
        compared,
        harnesses: Vec::new(),
        only: None,
        rewritten: false,
        rules: BenchRules {
            layouts: 1,
            budget: Some(Duration::from_secs(60)),
            margin: 0.01,
            alpha: 0.05,
            many: Many::Discoveries,
            seed: 7,
            timeout: PATIENCE,
            build_timeout: PATIENCE,
            cores: None,
        },
    }
}

/// A script of the tree, at the last commit and the one before.
pub(super) fn script(name: &str) -> BenchRequest {
    let program = Some(Given {
        name: "bench".to_owned(),
        path: name.into(),
    });
    BenchRequest {
        harnesses: vec!["generic".to_owned()],
        ..request(two(program))
    }
}

/// The same script, of the tree as it is.
pub(super) fn here() -> Compared {
    Compared::Here {
        program: Some(Given {
            name: "bench".to_owned(),
            path: "bench.sh".into(),
        }),
    }
}

pub(super) fn two(program: Option<Given>) -> Compared {
    Compared::Revisions {
        revisions: "HEAD~1..HEAD".to_owned(),
        from: BenchmarksFrom::Later,
        setup: None,
        program,
    }
}

pub(super) fn names(job: &BenchJob) -> Vec<String> {
    job.entries().into_iter().map(|entry| entry.name).collect()
}

pub(super) fn entry(job: &BenchJob, name: &str) -> Entry {
    let mut entries = job.entries().into_iter();
    entries.find(|entry| entry.name == name).unwrap()
}

/// A plan, and the rig that carries it out.
pub(super) struct Ready {
    pub(super) plan: Plan,
    pub(super) rig: BenchRig,
}

impl Ready {
    pub(super) fn of(job: &mut BenchJob) -> Self {
        let (plan, rig) = job.plan(&Quiet).unwrap();
        Self { plan, rig }
    }

    pub(super) fn group(&self, name: &str) -> usize {
        let mut groups = self.plan.groups.iter();
        groups.position(|group| group.case == name).unwrap()
    }

    pub(super) fn entrant(&self, name: &str, entrant: usize) -> &EntrantRecord {
        &self.plan.groups[self.group(name)].entrants[entrant]
    }

    pub(super) fn fault(&self, name: &str, entrant: usize) -> Option<FaultKind> {
        self.entrant(name, entrant).fault.as_ref().map(|fault| fault.kind)
    }

    pub(super) fn slice(&mut self, name: &str, entrant: usize) -> SliceOutcome {
        let order = SliceOrder {
            pacing: Pacing::Job,
            length: Seconds(0.0),
            rate: PerSecond(0.0),
            connections: 1,
            depth: 1,
            programs: 1,
            requests: 1,
            usage: ConnectionUse::default(),
            size: None,
        };
        let group = self.group(name);
        self.rig.slice(Who { group, entrant }, &order)
    }

    pub(super) fn reading(&mut self, name: &str, entrant: usize) -> SliceReading {
        let outcome = self.slice(name, entrant);
        assert_eq!(outcome.fault, None);
        outcome.reading.unwrap()
    }

    pub(super) fn time(&mut self, name: &str, entrant: usize) -> f64 {
        self.reading(name, entrant).value(Metric::TimePerOp).unwrap()
    }

    pub(super) fn slice_fault(&mut self, name: &str, entrant: usize) -> Fault {
        self.slice(name, entrant).fault.unwrap()
    }
}
