//! A run is read while it is written, and stores are opened by several at once.

use std::sync::atomic::{AtomicBool, Ordering};

use tare_model::record::{Phase, SliceRecord};
use tare_model::units::Seconds;

use super::round_trip::empty;
use super::sample;
use crate::{NewRun, Store};

const ROUNDS: u32 = 100;
const ENTRANTS: usize = 4;

fn nth(round: u32) -> Vec<SliceRecord> {
    let mut rng = fastrand::Rng::with_seed(u64::from(round));
    let mut slices = sample::round_of(&mut rng, Phase::Round, 0, round, ENTRANTS);
    for slice in &mut slices {
        slice.reading.began = Seconds(f64::from(round));
    }
    slices
}

#[test]
fn a_reader_sees_complete_rounds_and_never_fewer_than_before() {
    let (_folder, store) = empty();
    let mut rng = fastrand::Rng::with_seed(11);
    let mut writer = store.begin_run(&sample::new_run(&mut rng)).unwrap();
    let key = writer.arena(&sample::arena_of(&mut rng, ENTRANTS)).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            (0..ROUNDS).for_each(|round| writer.round(key, &nth(round)).unwrap());
            done.store(true, Ordering::SeqCst);
        });
        let mut seen = 0;
        loop {
            let last = done.load(Ordering::SeqCst);
            let mut run = store.run("latest").unwrap();
            let slices = run.arenas.remove(0).slices;
            // The run's length is kept with the slices, and seen with them.
            let begins = slices.iter().map(|slice| slice.reading.began.0);
            assert!(run.info.took.0 >= begins.fold(0.0, f64::max));
            let rounds = (slices.len() / ENTRANTS) as u32;
            assert_eq!(slices, (0..rounds).flat_map(nth).collect::<Vec<_>>());
            assert!(rounds >= seen, "{rounds} after {seen}");
            seen = rounds;
            if last {
                break;
            }
        }
        assert_eq!(seen, ROUNDS);
    });
}

#[test]
fn several_processes_may_create_and_use_one_store_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/down/results.sqlite");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let store = Store::open(&path).unwrap();
                drop(store.begin_run(&NewRun::default()).unwrap());
            });
        }
    });
    let mut ids: Vec<_> = Store::open_existing(&path)
        .unwrap()
        .runs()
        .unwrap()
        .into_iter()
        .map(|run| run.id)
        .collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 4, "{ids:?}");
}
