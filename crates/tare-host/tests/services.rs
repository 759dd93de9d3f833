//! The state of services: made once by a user that may make it, copied for each process, and made again when necessary.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use common::{Lab, NEVER, possible, until};
use tare_host::build::Recipe;
use tare_host::ordinary::{Ordinary, Way, as_we_are, detect, is_root};
use tare_host::process::{Process, ProcessSpec};
use tare_host::service::{Prepared, prepare};
use tare_model::fault::FaultKind;

fn recipe(folder: &Path, script: &str) -> Recipe {
    let words = ["sh", "-ec", script, "sh", "{state}", "{src}"];
    Recipe {
        workload: "services".to_owned(),
        contender: "db".to_owned(),
        folder: folder.to_owned(),
        steps: vec![words.map(str::to_owned).to_vec()],
        env: BTreeMap::new(),
        values: BTreeMap::new(),
        with: vec![],
        versions: vec![],
        timeout: Duration::from_secs(60),
    }
}

/// A service's folder with a file in it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("seed"), "seed\n").unwrap();
    folder
}

/// Every way to run a service as a user other than root, with a folder for its files.
fn ways(lab: &Lab) -> Vec<(Ordinary, Option<tempfile::TempDir>)> {
    if !is_root() {
        return vec![(as_we_are(lab.path()).unwrap(), None)];
    }
    let near = detect(lab.path()).unwrap();
    // The files of the user `nobody` must be in a folder that every user may enter.
    let far = tempfile::tempdir_in("/var/tmp").unwrap();
    fs::set_permissions(far.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let nobody = Ordinary {
        way: Way::Nobody,
        base: far.path().to_owned(),
    };
    vec![(near, None), (nobody, Some(far))]
}

const SCRIPT: &str = "id -u; mkdir -m 700 $1/data; cp $2/seed $1/data/file; mkdir $1/data/empty";

#[test]
fn no_service_runs_as_root_and_each_can_reach_its_files() {
    for backing in possible() {
        let lab = Lab::new(backing);
        let service = folder();
        for (ordinary, _place) in ways(&lab) {
            let prepared = prepare(&lab.keeper, &ordinary, &recipe(service.path(), SCRIPT), &NEVER).unwrap();
            let said = fs::read_to_string(&prepared.log).unwrap();
            assert!(!said.lines().any(|line| line == "0"), "{ordinary:?}: {said}");
            let process = asks(&lab, &prepared);
            until("it has looked", || process.log_tail(1) == "done");
            assert!(
                process.log_tail(3).starts_with("seed\nwritten\ndone"),
                "{}",
                process.log_tail(9)
            );
        }
    }
}

/// A process of the service: it reads and writes in a fresh copy.
fn asks(lab: &Lab, prepared: &Prepared) -> Process {
    let fresh = prepared.fresh(0).unwrap();
    let data = fresh.folder().join("data");
    assert!(data.join("empty").is_dir());
    assert_eq!(fs::metadata(&data).unwrap().mode() & 0o777, 0o700);
    let script =
        "test $(id -u) != 0; cd data; cat file; echo written >file; cat file; echo done; exec sleep 60";
    let spec = ProcessSpec {
        argv: prepared.command(&["sh", "-ec", script].map(str::to_owned)),
        env: Default::default(),
        cwd: fresh.folder().to_owned(),
        cores: Vec::new(),
        log: lab.path().join("log"),
    };
    let process = Process::start(lab.keeper.group().unwrap(), spec).unwrap();
    until("it has written", || process.log_tail(1) == "done");
    // What it wrote is not in the next copy.
    drop(fresh);
    assert!(!data.exists());
    let next = prepared.fresh(0).unwrap();
    assert_eq!(
        fs::read_to_string(next.folder().join("data/file")).unwrap(),
        "seed\n"
    );
    process
}

#[test]
fn a_state_is_made_once_for_the_same_service() {
    let lab = Lab::new(possible()[0]);
    let service = folder();
    let ordinary = as_we_are(lab.path()).unwrap();
    let made = |recipe: &Recipe| prepare(&lab.keeper, &ordinary, recipe, &NEVER).unwrap();
    let base = recipe(service.path(), SCRIPT);
    let first = made(&base);
    assert!(!first.cached && made(&base).cached);
    assert!(
        first
            .state
            .starts_with(lab.path().canonicalize().unwrap().join("services"))
    );
    let other = Recipe {
        versions: vec![("db".to_owned(), "16".to_owned())],
        ..base.clone()
    };
    let others: Vec<PathBuf> = vec![made(&other).state, {
        fs::write(service.path().join("seed"), "other\n").unwrap();
        made(&base).state
    }];
    assert!(others.iter().all(|state| *state != first.state), "{others:?}");
}

#[test]
fn a_failed_preparation_is_the_services_fault_and_is_tried_again() {
    let lab = Lab::new(possible()[0]);
    let service = folder();
    let ordinary = as_we_are(lab.path()).unwrap();
    let broken = recipe(service.path(), "echo disk on fire; exit 3");
    for _ in 0..2 {
        let fault = prepare(&lab.keeper, &ordinary, &broken, &NEVER).unwrap_err();
        assert_eq!(fault.kind, FaultKind::NoService);
        for part in [
            "the service `db` could not be prepared",
            "exit status 3",
            "disk on fire",
        ] {
            assert!(fault.detail.contains(part), "no {part:?} in {fault}");
        }
    }
}
