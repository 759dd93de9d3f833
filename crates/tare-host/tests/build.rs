//! Builds: made once, shown when they fail, ended when they are interrupted.

mod common;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::{LONG, Lab, NEVER, lives, possible, until};
use tare_host::build::{Built, Recipe, build};
use tare_host::groups::Backing;
use tare_model::fault::{Fault, FaultKind};

fn recipe(folder: &Path, script: &str) -> Recipe {
    Recipe {
        workload: "w".to_owned(),
        contender: "c@variant".to_owned(),
        folder: folder.to_owned(),
        with: vec![],
        steps: vec![["{sh}", "-c", script, "{out}"].map(str::to_owned).into()],
        env: [("GREETING".to_owned(), "from {src}".to_owned())].into(),
        values: [("sh".to_owned(), "/bin/sh".to_owned())].into(),
        versions: Vec::new(),
        timeout: LONG,
    }
}

fn make(lab: &Lab, recipe: &Recipe) -> Result<Built, Fault> {
    build(&lab.keeper, lab.path(), recipe, &NEVER)
}

#[test]
fn the_same_sources_are_built_once_and_changed_ones_again() {
    for backing in possible() {
        let lab = Lab::new(backing);
        let sources = tempfile::tempdir().unwrap();
        fs::write(sources.path().join("hello"), "one").unwrap();
        let recipe = recipe(
            sources.path(),
            "cp hello $0/made; echo $GREETING; echo x >> made-here",
        );
        let first = make(&lab, &recipe).unwrap();
        assert!(!first.cached);
        assert_eq!(fs::read_to_string(first.out.join("made")).unwrap(), "one");
        assert!(
            !sources.path().join("made-here").exists(),
            "steps run in the copy"
        );
        let log = fs::read_to_string(&first.log).unwrap();
        assert!(log.contains(&format!("from {}", first.src.display())), "{log}");
        let second = make(&lab, &recipe).unwrap();
        assert!(second.cached);
        assert_eq!((second.hash, second.out), (first.hash.clone(), first.out));
        fs::write(sources.path().join("hello"), "two").unwrap();
        let third = make(&lab, &recipe).unwrap();
        assert!(!third.cached);
        assert_ne!(third.hash, first.hash);
        assert_eq!(fs::read_to_string(third.out.join("made")).unwrap(), "two");
    }
}

#[test]
fn a_failed_build_is_shown_and_not_kept() {
    let lab = Lab::new(possible()[0]);
    let (sources, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let switch = elsewhere.path().join("works-now");
    let script = format!(
        "touch $0/halfway; for i in $(seq 1 50); do echo line $i; done; [ -e '{}' ] || exit 7",
        switch.display()
    );
    let recipe = recipe(sources.path(), &script);
    let fault = make(&lab, &recipe).unwrap_err();
    assert_eq!(fault.kind, FaultKind::BuildFailed);
    for part in ["/bin/sh -c", "exit status 7", "log", "    line 50", "    line 21"] {
        assert!(fault.detail.contains(part), "{part:?} is not in: {fault}");
    }
    assert!(
        !fault.detail.contains("line 20\n"),
        "the last 30 lines only: {fault}"
    );
    fs::write(&switch, "").unwrap();
    assert!(!make(&lab, &recipe).unwrap().cached);
    assert!(make(&lab, &recipe).unwrap().cached);
}

#[test]
fn a_step_that_cannot_be_run_says_so() {
    let lab = Lab::new(possible()[0]);
    let sources = tempfile::tempdir().unwrap();
    let mut recipe = recipe(sources.path(), "true");
    recipe.steps = vec![vec!["no-such-compiler".to_owned(), "{out}".to_owned()]];
    let fault = make(&lab, &recipe).unwrap_err();
    assert_eq!(fault.kind, FaultKind::BuildFailed);
    assert!(fault.detail.contains("no-such-compiler") && fault.detail.contains("could not be started"));
    recipe.steps.clear();
    fs::write(sources.path().join("server.py"), "").unwrap();
    let built = make(&lab, &recipe).unwrap();
    assert!(built.src.join("server.py").exists() && built.out.is_dir());
}

#[test]
fn a_build_that_takes_too_long_is_ended_with_all_it_started() {
    for backing in possible() {
        let lab = Lab::new(backing);
        let sources = tempfile::tempdir().unwrap();
        let mut recipe = recipe(sources.path(), "sleep 60 & echo $! > $0/pid; wait");
        recipe.timeout = Duration::from_millis(300);
        let fault = make(&lab, &recipe).unwrap_err();
        assert_eq!(fault.kind, FaultKind::BuildFailed);
        assert!(fault.detail.contains("took too long"), "{fault}");
        for pid in pids_in(lab.path()) {
            assert!(!lives(pid), "{backing:?}");
        }
    }
}

/// The ids that build steps wrote into files named `pid`.
fn pids_in(folder: &Path) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            found.extend(pids_in(&entry.path()));
        } else if entry.file_name() == "pid" {
            found.extend(fs::read_to_string(entry.path()).unwrap().trim().parse::<u32>());
        }
    }
    found
}

#[test]
fn an_interrupted_build_is_ended() {
    let lab = Lab::new(possible()[0]);
    let sources = tempfile::tempdir().unwrap();
    let recipe = recipe(sources.path(), "sleep 60 & echo $! > $0/pid; wait");
    let cancel = AtomicBool::new(false);
    let fault = std::thread::scope(|scope| {
        let building = scope.spawn(|| build(&lab.keeper, lab.path(), &recipe, &cancel));
        until("the step runs", || !pids_in(lab.path()).is_empty());
        cancel.store(true, Ordering::SeqCst);
        building.join().unwrap().unwrap_err()
    });
    assert!(fault.detail.contains("interrupted"), "{fault}");
    assert!(!pids_in(lab.path()).into_iter().any(lives));
}

#[test]
fn two_builds_of_the_same_do_not_collide() {
    let lab = Lab::new(Backing::Plain);
    let sources = tempfile::tempdir().unwrap();
    let recipe = recipe(sources.path(), "mkdir $0/only-once");
    let both: Vec<Built> = std::thread::scope(|scope| {
        let builds = [0, 1].map(|_| scope.spawn(|| make(&lab, &recipe).unwrap()));
        builds.map(|build| build.join().unwrap()).into()
    });
    assert_eq!(both.iter().filter(|built| built.cached).count(), 1);
}
