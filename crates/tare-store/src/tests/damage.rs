//! Damaged files are reported, and never bring tare down.

#[path = "../../../../fuzz/harness.rs"]
mod harness;

use std::fs;

use tare_model::units::Seconds;

use super::round_trip::empty;
use super::sample;
use crate::{Problem, Store};

#[test]
fn damaged_values_are_reported_with_their_row() {
    let cases = [
        (
            "UPDATE slices SET latency = x'02'",
            "`latency` of row 1: not a histogram",
        ),
        (
            "UPDATE slices SET programs = x'0203'",
            "`programs` of row 1: its length",
        ),
        (
            "UPDATE slices SET phase = 'rest'",
            "`phase` of row 1: `rest` is not a phase",
        ),
        ("UPDATE slices SET round = -1", "-1"),
        (
            "UPDATE arenas SET head = json_set(head, '$.driving', 'wild')",
            "`head` of row 1: unknown variant",
        ),
        (
            "UPDATE arenas SET head = json_set(head, '$.floor', '../etc')",
            "`head` of row 1: `../etc` is no contender",
        ),
        (
            "UPDATE faults SET kind = 'tired'",
            "`kind` of row 1: no such kind",
        ),
    ];
    for (update, expected) in cases {
        let (_folder, store) = empty();
        let mut rng = fastrand::Rng::with_seed(3);
        let mut arena = sample::arena_of(&mut rng, 2);
        arena.slices = sample::round_of(&mut rng, tare_model::record::Phase::Pilot, 0, 0, 2);
        arena.slices.truncate(1);
        arena.entrants[0].fault = Some(tare_model::fault::Fault::new(
            tare_model::fault::FaultKind::Hung,
            "",
        ));
        let mut writer = store.begin_run(&sample::new_run(&mut rng)).unwrap();
        writer.arena(&arena).unwrap();
        store.run("latest").unwrap();
        assert_eq!(store.connection.execute(update, []).unwrap(), 1, "{update}");
        let error = store.run("latest").unwrap_err();
        assert!(matches!(error.problem, Problem::Damaged(_)), "{update}: {error}");
        assert!(error.to_string().contains(expected), "{update}: {error}");
    }
}

#[test]
fn values_that_are_not_numbers_do_not_lose_the_round() {
    let (_folder, store) = empty();
    let mut rng = fastrand::Rng::with_seed(4);
    let mut arena = sample::arena_of(&mut rng, 1);
    arena.slices = sample::round_of(&mut rng, tare_model::record::Phase::Round, 0, 0, 1);
    arena.slices[0].reading.load.wall = Seconds(f64::NAN);
    arena.slices[0].reading.host.cpu = Seconds(f64::INFINITY);
    let mut writer = store.begin_run(&sample::new_run(&mut rng)).unwrap();
    writer.arena(&arena).unwrap();
    let run = store.run("latest").unwrap();
    let reading = &run.arenas[0].slices[0].reading;
    assert!(reading.load.wall.0.is_nan());
    assert_eq!(reading.host.cpu, Seconds(f64::INFINITY));
    assert!(run.info.took.0.is_finite());
}

/// A store with damaged or foreign bytes in a valid SQLite file.
#[test]
fn fuzz_flipped_bytes_never_panic() {
    let (folder, store) = empty();
    let mut rng = fastrand::Rng::with_seed(5);
    let mut writer = store.begin_run(&sample::new_run(&mut rng)).unwrap();
    sample::play(&mut writer, &sample::arena(&mut rng));
    let path = store.path().to_owned();
    drop((writer, store));
    let good = fs::read(&path).unwrap();
    let damaged = folder.path().join("damaged.sqlite");
    let mut rng = harness::rng();
    for _ in harness::Bound::or(150).rounds() {
        let mut bytes = good.clone();
        for _ in 0..rng.usize(1..20) {
            let at = rng.usize(0..bytes.len());
            bytes[at] = rng.u8(..);
        }
        bytes.truncate(rng.usize(bytes.len() / 2..bytes.len() * 2).min(bytes.len()));
        fs::write(&damaged, &bytes).unwrap();
        let outcome = Store::open_existing(&damaged).and_then(|store| {
            store.runs()?;
            store.evidence("latest")?;
            store.run("latest")
        });
        if let Err(error) = outcome {
            let text = error.to_string();
            assert!(text.contains("damaged.sqlite"), "{text}");
        }
    }
}
