//! What is kept is given back.

use tare_model::fault::{Fault, FaultKind};
use tare_model::record::{ArenaRecord, LaunchRecord, RunRecord, SteadyRecord};
use tare_model::results::RunInfo;
use tare_model::units::Seconds;
use tempfile::TempDir;

use super::sample::{self, property};
use crate::{NewRun, Store};

pub(super) fn empty() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path().join(".tare/results.sqlite")).unwrap();
    (folder, store)
}

fn expected(id: &str, new: &NewRun, took: f64, complete: bool) -> RunInfo {
    RunInfo {
        id: id.to_owned(),
        started: new.started,
        took: Seconds(took),
        complete,
        tare: new.tare.clone(),
        imported: new.imported.clone(),
        machine: new.machine.clone(),
        settings: new.settings.clone(),
        ..Default::default()
    }
}

#[test]
fn a_run_stored_event_by_event_is_given_back() {
    property(60, |rng| {
        let (_folder, store) = empty();
        let mut new = sample::new_run(rng);
        new.imported = rng.bool().then(|| "results.json".to_owned());
        let arenas: Vec<_> = (0..rng.usize(0..4)).map(|_| sample::arena(rng)).collect();
        let mut writer = store.begin_run(&new).unwrap();
        for arena in &arenas {
            sample::play(&mut writer, arena);
        }
        writer.note("cut short").unwrap();
        writer.note("cut short").unwrap();
        let phases = vec![
            ("slices".to_owned(), Seconds(rng.f64())),
            ("build".to_owned(), Seconds(0.0)),
        ];
        let mut info = expected(writer.id(), &new, 2000.5, true);
        info.notes = vec!["cut short".to_owned(); 2];
        info.phases = phases.clone();
        writer
            .phases(Seconds(1.0), &[("check".to_owned(), Seconds(3.0))])
            .unwrap();
        writer.finish(Seconds(2000.5), true, &phases).unwrap();
        let id = info.id.clone();
        assert_eq!(store.run(&id).unwrap(), RunRecord { info, arenas });
    });
}

#[test]
fn an_arena_stored_in_one_call_is_given_back() {
    property(30, |rng| {
        let (_folder, store) = empty();
        let arena = sample::arena(rng);
        store
            .begin_run(&sample::new_run(rng))
            .unwrap()
            .arena(&arena)
            .unwrap();
        assert_eq!(store.run("latest").unwrap().arenas, [arena]);
    });
}

#[test]
fn a_revised_arena_keeps_its_slices() {
    property(30, |rng| {
        let (_folder, store) = empty();
        let mut writer = store.begin_run(&sample::new_run(rng)).unwrap();
        let first = sample::arena(rng);
        let key = sample::play(&mut writer, &first);
        let second = sample::arena(rng);
        writer.revise(key, &second).unwrap();
        let merged = ArenaRecord {
            entrants: first.entrants,
            launches: first.launches,
            slices: first.slices,
            ..second
        };
        assert_eq!(store.run("latest").unwrap().arenas, [merged]);
    });
}

#[test]
fn the_last_record_of_a_launch_counts() {
    let (_folder, store) = empty();
    let mut rng = fastrand::Rng::with_seed(2);
    let mut writer = store.begin_run(&sample::new_run(&mut rng)).unwrap();
    let key = writer.arena(&sample::arena_of(&mut rng, 2)).unwrap();
    let judged = |began, entrants: &[usize]| LaunchRecord {
        began: Seconds(began),
        steady: entrants
            .iter()
            .map(|&entrant| SteadyRecord {
                entrant,
                steady: began > 1.5,
                truncated_at: 5,
                drift: None,
            })
            .collect(),
        ..sample::launch(0)
    };
    for launch in [judged(1.0, &[0, 1]), judged(2.0, &[0])] {
        writer.launch(&[key], &launch).unwrap();
        assert_eq!(store.run("latest").unwrap().arenas[0].launches, [launch]);
    }
}

#[test]
fn the_first_fault_counts_but_unsteadiness_gives_way() {
    use FaultKind::{Hung, NotSteady, Wrong};
    let cases: [(&[FaultKind], (FaultKind, u32)); 4] = [
        (&[Hung, Wrong], (Hung, 0)),
        (&[Hung, NotSteady], (Hung, 0)),
        (&[NotSteady, NotSteady], (NotSteady, 0)),
        (&[NotSteady, NotSteady, Wrong, Hung], (Wrong, 2)),
    ];
    for (met, (kind, launch)) in cases {
        let (_folder, store) = empty();
        let mut rng = fastrand::Rng::with_seed(2);
        let mut arena = sample::arena_of(&mut rng, 2);
        arena.entrants.iter_mut().for_each(|entrant| entrant.fault = None);
        let mut writer = store.begin_run(&sample::new_run(&mut rng)).unwrap();
        let key = writer.arena(&arena).unwrap();
        for (launch, &kind) in (0..).zip(met) {
            writer.fault(key, 1, Some(launch), &Fault::new(kind, "")).unwrap();
        }
        let entrants = store.run("latest").unwrap().arenas.remove(0).entrants;
        assert_eq!(entrants[0].fault, None);
        let found = entrants[1].fault.as_ref().map(|fault| fault.kind);
        assert_eq!(
            (found, entrants[1].fault_launch),
            (Some(kind), Some(launch)),
            "{met:?}"
        );
    }
}
