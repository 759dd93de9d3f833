//! `arenas`.

use rusqlite::{Connection, Result};
use tare_model::record::ArenaRecord;

use super::{entrant, launch, slice};
use crate::sql::{insert, json, of_json};

/// Keeps the head of an arena; returns its key.
pub(crate) fn keep_head(connection: &Connection, run: i64, arena: &ArenaRecord) -> Result<i64> {
    insert(connection, "arenas", &[("run", &run), ("head", &json(arena)?)])
}

/// Replaces the head of an arena.
pub(crate) fn revise_head(connection: &Connection, key: i64, arena: &ArenaRecord) -> Result<()> {
    connection
        .prepare_cached("UPDATE arenas SET head = ?2 WHERE arena = ?1")?
        .execute((key, json(arena)?))?;
    Ok(())
}

/// Reads the head of an arena.
pub(crate) fn read_head(connection: &Connection, key: i64) -> Result<ArenaRecord> {
    connection
        .prepare_cached("SELECT arena, head FROM arenas WHERE arena = ?1")?
        .query_row([key], |row| of_json(row, "head"))
}

/// Reads an arena with its entrants, launches and slices.
pub(crate) fn read(connection: &Connection, key: i64) -> Result<ArenaRecord> {
    Ok(ArenaRecord {
        entrants: entrant::read(connection, key)?,
        launches: launch::read(connection, key)?,
        slices: slice::read(connection, key)?,
        ..read_head(connection, key)?
    })
}
