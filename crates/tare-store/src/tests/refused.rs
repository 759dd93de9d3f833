//! A failure to open or to write names the file, what was found and a hint, and loses nothing.

use std::fs;
use std::time::Duration;

use rusqlite::Connection;
use tare_model::record::{ArenaRecord, Phase, SliceRecord};

use super::round_trip::empty;
use super::sample;
use crate::{ArenaKey, Problem, RunWriter, Store, StoreError};

/// The message, without the path.
fn said(error: StoreError) -> String {
    let text = error.to_string();
    text.replace(&error.path.display().to_string(), "FILE")
}

/// A writer with three entrants and a launch, and a first round kept.
fn begun(store: &Store) -> (RunWriter, ArenaKey, ArenaRecord) {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut arena = sample::arena_of(&mut rng, 3);
    arena.slices = sample::round_of(&mut rng, Phase::Round, 0, 0, 3);
    let mut writer = store.begin_run(&sample::new_run(&mut rng)).unwrap();
    let key = writer.arena(&arena).unwrap();
    (writer, key, arena)
}

fn second_round() -> Vec<SliceRecord> {
    sample::round_of(&mut fastrand::Rng::with_seed(8), Phase::Round, 0, 1, 3)
}

fn kept(store: &Store) -> Vec<SliceRecord> {
    store.run("latest").unwrap().arenas.remove(0).slices
}

/// A round that could not be kept is kept wholly when it is tried again, and what was there is still there.
fn heals(store: &Store, writer: &mut RunWriter, key: ArenaKey, mut first: Vec<SliceRecord>) {
    assert_eq!(kept(store), first);
    writer.round(key, &second_round()).unwrap();
    first.extend(second_round());
    assert_eq!(kept(store), first);
}

#[test]
fn a_full_disk_loses_no_finished_round() {
    let (_folder, store) = empty();
    let (mut writer, key, arena) = begun(&store);
    let pages: i64 = writer
        .connection
        .pragma_query_value(None, "page_count", |row| row.get(0))
        .unwrap();
    let limit = |writer: &RunWriter, pages: i64| {
        writer
            .connection
            .pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))
            .unwrap();
    };
    limit(&writer, pages);
    let big: Vec<_> = (0..20).flat_map(|round| numbered(round + 1)).collect();
    let error = writer.round(key, &big).unwrap_err();
    assert_eq!(
        said(error),
        "cannot keep a round in `FILE`: the disk is full; what was kept before is safe and this was not kept\n\nhint: \
         free some space"
    );
    limit(&writer, 1_000_000);
    heals(&store, &mut writer, key, arena.slices);
}

fn numbered(round: u32) -> Vec<SliceRecord> {
    sample::round_of(&mut fastrand::Rng::with_seed(8), Phase::Round, 0, round, 3)
}

#[test]
fn a_read_only_file_is_reported_as_such() {
    let (_folder, store) = empty();
    let (mut writer, key, arena) = begun(&store);
    writer.connection.pragma_update(None, "query_only", true).unwrap();
    assert_eq!(
        said(writer.round(key, &second_round()).unwrap_err()),
        "cannot keep a round in `FILE`: it is read-only\n\nhint: make the file and its folder writable, or work in \
         another folder with `-C DIR`"
    );
    writer
        .connection
        .pragma_update(None, "query_only", false)
        .unwrap();
    heals(&store, &mut writer, key, arena.slices);
}

#[test]
fn a_file_held_by_another_process_is_reported_as_such() {
    let (_folder, store) = empty();
    let (mut writer, key, arena) = begun(&store);
    writer.connection.busy_timeout(Duration::ZERO).unwrap();
    let other = Connection::open(store.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(
        said(writer.round(key, &second_round()).unwrap_err()),
        "cannot keep a round in `FILE`: another process has held its lock for 5 s\n\nhint: end that process (`fuser` \
         names it) and try again"
    );
    assert_eq!(kept(&store), arena.slices, "a reader does not wait");
    other.execute_batch("ROLLBACK").unwrap();
    heals(&store, &mut writer, key, arena.slices);
}

#[test]
fn no_slice_is_counted_twice() {
    let (_folder, store) = empty();
    let (mut writer, key, arena) = begun(&store);
    let mut again = second_round();
    again.extend(arena.slices.clone());
    let error = writer.round(key, &again).unwrap_err();
    assert!(matches!(error.problem, Problem::Contradiction(_)), "{error}");
    heals(&store, &mut writer, key, arena.slices);
}

#[test]
fn a_slice_of_an_unknown_launch_or_entrant_is_refused() {
    let (_folder, store) = empty();
    let (mut writer, key, arena) = begun(&store);
    let mut launchless = second_round();
    launchless[1].launch = 9;
    let mut nobody = second_round();
    nobody[2].entrant = 3;
    for round in [launchless, nobody] {
        let error = writer.round(key, &round).unwrap_err();
        assert!(matches!(error.problem, Problem::Contradiction(_)), "{error}");
    }
    heals(&store, &mut writer, key, arena.slices);
}

#[test]
fn other_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.sqlite");
    let text = b"Dear diary, today I was nearly overwritten by a benchmark.".repeat(100);
    fs::write(&path, &text).unwrap();
    assert_eq!(
        said(Store::open(&path).unwrap_err()),
        "cannot open the store `FILE`: this is no store of tare (file is not a database)\n\nhint: move it away, or work \
         in another folder with `-C DIR`"
    );
    assert_eq!(fs::read(&path).unwrap(), text);
    fs::remove_file(&path).unwrap();
    let foreign = Connection::open(&path).unwrap();
    foreign.execute_batch("CREATE TABLE birds (name TEXT)").unwrap();
    drop(foreign);
    let before = fs::read(&path).unwrap();
    assert_eq!(
        said(Store::open(&path).unwrap_err()),
        "cannot open the store `FILE`: this is no store of tare (an SQLite file of something else, \
         application_id 0, 1 tables and indexes)\n\nhint: move it away, or work in another folder with `-C DIR`"
    );
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_newer_store_is_refused() {
    let (_folder, store) = empty();
    store.connection.pragma_update(None, "user_version", 99).unwrap();
    let newest = crate::migrate::MIGRATIONS.len();
    assert_eq!(
        said(Store::open(store.path()).unwrap_err()),
        format!(
            "cannot open the store `FILE`: it was written by a newer tare (store version 99, this one reads up \
             to {newest})\n\nhint: use a tare at least as new as that, or work in another folder with `-C DIR`"
        )
    );
}

#[test]
fn a_folder_without_a_store_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let cases = [
        (
            Store::open_existing(folder.path().join("none")).unwrap_err(),
            "cannot open the store `FILE`: nothing was measured here yet\n\nhint: `tare run` makes it, and `-C DIR` looks \
             in another lab's folder",
        ),
        (
            Store::open(folder.path()).unwrap_err(),
            "cannot open the store `FILE`: the file cannot be opened or made\n\nhint: check the permissions of the file \
             and of its folder, or copy it with its `-wal` file to a folder where files can be made",
        ),
        (
            Store::open(file.join("results.sqlite")).unwrap_err(),
            "cannot open the store `FILE`: its folder cannot be made (File exists (os error 17))\n\nhint: make it \
             writable, or work in another folder with `-C DIR`",
        ),
    ];
    for (error, text) in cases {
        assert_eq!(said(error), text);
    }
}

#[test]
fn a_read_only_store_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("50% odd?#name.sqlite");
    let store = Store::open(&path).unwrap();
    let (writer, _, arena) = begun(&store);
    drop((writer, store));
    let connection = crate::open::connect_unchanging(&path).unwrap();
    let store = Store { connection, path };
    assert_eq!(kept(&store), arena.slices);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no file is made");
}
