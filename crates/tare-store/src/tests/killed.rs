//! A killed tare loses no finished round.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use tare_model::record::{Phase, SliceRecord};

use super::sample;
use crate::Store;

const ENTRANTS: usize = 5;
const FOLDER: &str = "TARE_TEST_KILLED_FOLDER";

fn nth(round: u32) -> Vec<SliceRecord> {
    let mut rng = fastrand::Rng::with_seed(u64::from(round));
    sample::round_of(&mut rng, Phase::Round, 0, round, ENTRANTS)
}

/// The child: writes rounds until it is killed, and says of each when it is kept. Not a test by itself.
#[test]
#[ignore = "runs only as the child of `every_round_that_was_kept_survives_a_kill`"]
fn writes_until_it_is_killed() {
    let Some(path) = std::env::var_os(FOLDER) else {
        return; // All ignored tests were asked for: this one has no parent to kill it.
    };
    let store = Store::open(std::path::Path::new(&path).join("results.sqlite")).unwrap();
    let mut rng = fastrand::Rng::with_seed(12);
    let mut writer = store.begin_run(&sample::new_run(&mut rng)).unwrap();
    let key = writer.arena(&sample::arena_of(&mut rng, ENTRANTS)).unwrap();
    for round in 0.. {
        writer.round(key, &nth(round)).unwrap();
        // Ends with a broken pipe if the parent is gone.
        eprintln!("kept {round}");
    }
}

/// Lets a child keep some rounds, kills it wherever it is then, and returns how many it reported as kept.
fn kill_after(rounds: usize, folder: &std::path::Path) -> usize {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "tests::killed::writes_until_it_is_killed"])
        .args(["--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let said = |line: &Result<String, _>| line.as_ref().is_ok_and(|line| line.starts_with("kept "));
    let before = lines.by_ref().take(rounds).filter(said).count();
    child.kill().unwrap();
    child.wait().unwrap();
    before + lines.filter(said).count()
}

#[test]
fn every_round_that_was_kept_survives_a_kill() {
    for (killed, rounds) in [1, 2, 3, 5, 8, 13, 40].into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let said = kill_after(rounds, folder.path());
        assert!(said >= rounds, "the child ended by itself after {said}");
        let store = Store::open_existing(folder.path().join("results.sqlite")).unwrap();
        let run = store.run("latest").unwrap();
        assert!(!run.info.complete);
        let slices = &run.arenas[0].slices;
        let kept = slices.len() / ENTRANTS;
        assert!(kept >= said, "kill {killed}: {kept} rounds of {said}");
        assert_eq!(*slices, (0..kept as u32).flat_map(nth).collect::<Vec<_>>());
        let end = slices
            .iter()
            .map(|slice| slice.reading.began.0)
            .fold(0.0, f64::max);
        assert!(run.info.took.0 >= end);
    }
}
