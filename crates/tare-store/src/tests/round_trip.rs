//! What is kept is given back.

use tare_model::record::{ArenaRecord, RunRecord};
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
        machine: new.machine.clone(),
        settings: new.settings.clone(),
        ..Default::default()
    }
}

#[test]
fn a_run_kept_event_by_event_is_given_back() {
    property(60, |rng| {
        let (_folder, store) = empty();
        let new = sample::new_run(rng);
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
        assert_eq!(store.run("latest").unwrap(), RunRecord { info, arenas });
    });
}

#[test]
fn an_arena_kept_at_once_is_given_back() {
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
            epochs: first.epochs,
            slices: first.slices,
            ..second
        };
        assert_eq!(store.run("latest").unwrap().arenas, [merged]);
    });
}
