//! Which run is meant, and what is listed.

use tare_model::metric::Mode;
use tare_model::record::{ArenaRecord, Phase};
use tare_model::units::Seconds;

use super::round_trip::empty;
use super::sample::{self, STARTED};
use crate::{ArenaSummary, NewRun, Store};

fn begin(store: &Store, started: i64) -> String {
    let new = NewRun {
        started,
        ..Default::default()
    };
    store.begin_run(&new).unwrap().id().to_owned()
}

fn chosen(store: &Store, which: &str) -> String {
    let id = store.run(which).unwrap().info.id;
    assert_eq!(store.id_of(which).unwrap(), id);
    id
}

fn message(store: &Store, which: &str) -> String {
    let error = store.run(which).unwrap_err();
    let same = store.id_of(which).unwrap_err();
    assert_eq!(same.problem.to_string(), error.problem.to_string());
    error
        .to_string()
        .replace(&store.path().display().to_string(), "FILE")
}

#[test]
fn runs_of_one_second_get_different_ids() {
    let (_folder, store) = empty();
    let ids: Vec<_> = (0..3).map(|_| begin(&store, STARTED)).collect();
    assert_eq!(ids, ["20261121-204512", "20261121-204512-2", "20261121-204512-3"]);
}

#[test]
fn a_run_is_found_by_its_id_or_a_beginning_of_it() {
    let (_folder, store) = empty();
    let (first, second) = (begin(&store, STARTED), begin(&store, STARTED));
    let old = begin(&store, 0);
    assert_eq!(
        chosen(&store, &first),
        first,
        "though it is a beginning of the second"
    );
    assert_eq!(chosen(&store, &second), second);
    assert_eq!(chosen(&store, "197"), old);
    assert_eq!(
        chosen(&store, "latest"),
        old,
        "the last begun, whatever the clock said"
    );
}

#[test]
fn a_missing_run_is_reported_with_those_that_exist() {
    let (_folder, store) = empty();
    assert_eq!(
        message(&store, "latest"),
        "cannot read a run from `FILE`: no run is called `latest` or begins so; no run is kept here yet\n\nhint: \
         `tare run` makes one"
    );
    (0..7).for_each(|day| drop(begin(&store, STARTED + day * 86_400)));
    assert_eq!(
        message(&store, "2025"),
        "cannot read a run from `FILE`: no run is called `2025` or begins so; there are 20261127-204512, \
         20261126-204512, 20261125-204512, 20261124-204512, 20261123-204512 and 2 more\n\nhint: `tare list runs` shows \
         all"
    );
    assert_eq!(
        message(&store, "2026112"),
        "cannot read a run from `FILE`: `2026112` may be any of 20261127-204512, 20261126-204512, \
         20261125-204512, 20261124-204512, 20261123-204512 and 2 more\n\nhint: type more of it"
    );
    assert!(
        message(&store, "%").contains("no run is called `%`"),
        "no wildcard"
    );
}

#[test]
fn the_list_counts_rounds_and_the_launches_that_have_some() {
    let (_folder, store) = empty();
    let mut rng = fastrand::Rng::with_seed(1);
    let mut arena = ArenaRecord {
        mode: Mode::Cost,
        slices: Vec::new(),
        ..sample::arena(&mut rng)
    };
    arena.launches = (0..3).map(sample::launch).collect();
    let entrants = arena.entrants.len();
    for (phase, launch, round) in [
        (Phase::WarmUp, 0, 7),
        (Phase::Round, 0, 0),
        (Phase::Round, 0, 1),
        (Phase::Round, 1, 0),
        (Phase::Pilot, 2, 0),
    ] {
        arena
            .slices
            .extend(sample::round_of(&mut rng, phase, launch, round, entrants));
    }
    begin(&store, STARTED);
    let mut writer = store.begin_run(&sample::new_run(&mut rng)).unwrap();
    writer.arena(&arena).unwrap();
    writer.finish(Seconds(12.5), false, &[]).unwrap();
    let runs = store.runs().unwrap();
    assert_eq!(runs.len(), 2);
    assert_eq!((runs[0].took, runs[0].complete), (Seconds(12.5), false));
    let summary = ArenaSummary {
        workload: "doubling".to_owned(),
        case: "one-core".to_owned(),
        size: arena.size,
        mode: Mode::Cost,
        entrants: entrants as u32,
        launches: 2,
        rounds: 3,
    };
    assert_eq!(runs[0].arenas, [summary]);
    assert_eq!(
        (runs[1].id.as_str(), runs[1].arenas.len()),
        ("20261121-204512", 0)
    );
}
