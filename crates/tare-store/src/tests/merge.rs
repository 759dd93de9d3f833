//! Runs of another store are taken over once, whole, under an id that is free.

use fastrand::Rng;
use tare_model::evidence::Evidence;
use tare_model::ids::ContenderId;
use tare_model::metric::Mode;
use tare_model::record::RunRecord;
use tare_model::units::Seconds;

use super::round_trip::empty;
use super::sample::{self, property};
use crate::{Merge, NewRun, Store};

/// Makes a whole run; returns its id.
fn run(store: &Store, rng: &mut Rng, new: &NewRun) -> String {
    let mut writer = store.begin_run(new).unwrap();
    sample::play(&mut writer, &sample::arena(rng));
    writer.note("a note").unwrap();
    let id = writer.id().to_owned();
    writer
        .finish(Seconds(5e6), true, &[("check".to_owned(), Seconds(1.0))])
        .unwrap();
    id
}

fn merge(into: &mut Store, from: &Store) -> Vec<(String, String, Merge)> {
    let merged = into.merge(from).unwrap().into_iter();
    merged.map(|one| (one.there, one.here, one.how)).collect()
}

/// A run without its id.
fn content(store: &Store, id: &str) -> RunRecord {
    let mut record = store.run(id).unwrap();
    record.info.id.clear();
    record
}

fn evidence(case: &str) -> Evidence {
    Evidence {
        workload: "words".to_owned(),
        case: case.to_owned(),
        mode: Mode::Cost,
        size: None,
        made: 7,
        cores: 1,
        a: ContenderId::plain("a"),
        b: ContenderId::plain("b"),
        floor: None,
        subjects: Vec::new(),
        notes: Vec::new(),
    }
}

#[test]
fn all_runs_are_taken_over_and_only_once() {
    property(20, |rng| {
        let ((_a, mut here), (_b, there)) = (empty(), empty());
        for store in [&here, &there] {
            for _ in 0..rng.usize(0..4) {
                let new = sample::new_run(rng);
                run(store, rng, &new);
            }
        }
        let before = here.runs().unwrap().len();
        let merged = merge(&mut here, &there);
        assert_eq!(merged.len(), there.runs().unwrap().len());
        assert_eq!(here.runs().unwrap().len(), before + merged.len());
        for (theirs, ours, how) in &merged {
            assert_eq!(*how, Merge::Added);
            assert_eq!(content(&here, ours), content(&there, theirs));
        }
        let again = merge(&mut here, &there);
        assert!(again.iter().all(|(_, _, how)| *how == Merge::Known));
        assert_eq!(here.runs().unwrap().len(), before + merged.len());
    });
}

#[test]
fn another_run_of_the_same_second_gets_another_id() {
    let rng = &mut Rng::with_seed(3);
    let ((_a, mut here), (_b, there)) = (empty(), empty());
    let mut new = sample::new_run(rng);
    new.machine.host = "n1".to_owned();
    let ours = run(&here, rng, &new);
    new.machine.host = "n2".to_owned();
    let theirs = run(&there, rng, &new);
    assert_eq!(ours, theirs);
    let (was, mine) = (content(&here, &ours), format!("{ours}-2"));
    assert_eq!(
        merge(&mut here, &there),
        [(theirs.clone(), mine.clone(), Merge::Added)]
    );
    assert_eq!(
        merge(&mut here, &there),
        [(theirs.clone(), mine.clone(), Merge::Known)]
    );
    assert_eq!(content(&here, &ours), was);
    assert_eq!(content(&here, &mine), content(&there, &theirs));
}

#[test]
fn a_run_that_has_grown_is_renewed_and_one_that_has_not_is_kept() {
    let rng = &mut Rng::with_seed(4);
    let ((_a, mut here), (_b, mut there)) = (empty(), empty());
    let new = sample::new_run(rng);
    let mut writer = there.begin_run(&new).unwrap();
    let id = writer.id().to_owned();
    sample::play(&mut writer, &sample::arena(rng));
    assert_eq!(merge(&mut here, &there)[0].2, Merge::Added);
    sample::play(&mut writer, &sample::arena(rng));
    writer.finish(Seconds(5e6), true, &[]).unwrap();
    // Nothing is lost to the earlier state of a run.
    let early = content(&here, &id);
    assert_eq!(merge(&mut there, &here)[0].2, Merge::Known);
    assert_ne!(content(&there, &id), early);
    assert_eq!(merge(&mut here, &there)[0].2, Merge::Renewed);
    assert_eq!(content(&here, &id), content(&there, &id));
    assert_eq!(here.runs().unwrap().len(), 1);
}

#[test]
fn what_explains_a_run_is_taken_over_from_both() {
    let rng = &mut Rng::with_seed(5);
    let ((_a, mut here), (_b, there)) = (empty(), empty());
    let new = sample::new_run(rng);
    let id = run(&there, rng, &new);
    merge(&mut here, &there);
    here.keep_evidence(&id, &evidence("here")).unwrap();
    there.keep_evidence(&id, &evidence("there")).unwrap();
    assert_eq!(merge(&mut here, &there)[0].2, Merge::Renewed);
    assert_eq!(here.evidence(&id).unwrap(), [evidence("here"), evidence("there")]);
    assert_eq!(content(&here, &id), content(&there, &id));
    assert_eq!(merge(&mut here, &there)[0].2, Merge::Known);
}
