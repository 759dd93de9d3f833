//! `runs`, `notes` and `phases`.

use rusqlite::{Connection, Result, Row};
use tare_model::results::RunInfo;
use tare_model::units::Seconds;

use crate::new_run::NewRun;
use crate::sql::{all, insert, json, of_json};

/// Keeps a new run under an id; returns its key.
pub(crate) fn keep(connection: &Connection, id: &str, new: &NewRun) -> Result<i64> {
    insert(
        connection,
        "runs",
        &[
            ("id", &id),
            ("started", &new.started),
            ("took", &0.0),
            ("complete", &false),
            ("tare", &new.tare),
            ("imported", &new.imported),
            ("machine", &json(&new.machine)?),
            ("settings", &json(&new.settings)?),
        ],
    )
}

/// An unused id: the start in UTC, with a suffix if another run started in the same second.
pub(crate) fn free_id(connection: &Connection, started: i64) -> Result<String> {
    let base: String = connection.query_row(
        "SELECT strftime('%Y%m%d-%H%M%S', ?1, 'unixepoch')",
        [started],
        |row| row.get(0),
    )?;
    let mut id = base.clone();
    for suffix in 2.. {
        if !exists(connection, &id)? {
            break;
        }
        id = format!("{base}-{suffix}");
    }
    Ok(id)
}

/// Whether a run has this id.
pub(crate) fn exists(connection: &Connection, id: &str) -> Result<bool> {
    connection
        .prepare_cached("SELECT 1 FROM runs WHERE id = ?1")?
        .exists([id])
}

/// Keeps a further note.
pub(crate) fn keep_note(connection: &Connection, run: i64, note: &str) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO notes (run, place, note) SELECT ?1, count(*), ?2 FROM notes WHERE run = ?1",
        )?
        .execute((run, note))?;
    Ok(())
}

/// Keeps the time by phase, replacing earlier values.
pub(crate) fn keep_phases(connection: &Connection, run: i64, phases: &[(String, Seconds)]) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM phases WHERE run = ?1")?
        .execute([run])?;
    for (place, (name, seconds)) in (0i64..).zip(phases) {
        insert(
            connection,
            "phases",
            &[
                ("run", &run),
                ("place", &place),
                ("name", name),
                ("seconds", &seconds.0),
            ],
        )?;
    }
    Ok(())
}

/// Raises the duration of the run to at least `took`.
pub(crate) fn keep_took(connection: &Connection, run: i64, took: Seconds) -> Result<()> {
    connection
        .prepare_cached("UPDATE runs SET took = max(took, ?2) WHERE run = ?1")?
        .execute((run, took.0))?;
    Ok(())
}

/// Keeps how long a run took, and whether it came to its end.
pub(crate) fn keep_end(connection: &Connection, run: i64, took: Seconds, complete: bool) -> Result<()> {
    connection
        .prepare_cached("UPDATE runs SET took = ?2, complete = ?3 WHERE run = ?1")?
        .execute((run, took.0, complete))?;
    Ok(())
}

/// Reads the data of a run, without its arenas.
pub(crate) fn read(connection: &Connection, run: i64) -> Result<RunInfo> {
    let mut info = connection
        .prepare_cached("SELECT * FROM runs WHERE run = ?1")?
        .query_row([run], info)?;
    info.notes = all(
        connection,
        "SELECT note FROM notes WHERE run = ?1 ORDER BY place",
        [run],
        |row| row.get(0),
    )?;
    info.phases = all(
        connection,
        "SELECT name, seconds FROM phases WHERE run = ?1 ORDER BY place",
        [run],
        |row| Ok((row.get(0)?, Seconds(row.get(1)?))),
    )?;
    Ok(info)
}

fn info(row: &Row) -> Result<RunInfo> {
    Ok(RunInfo {
        id: row.get("id")?,
        started: row.get("started")?,
        took: Seconds(row.get("took")?),
        complete: row.get("complete")?,
        tare: row.get("tare")?,
        imported: row.get("imported")?,
        machine: of_json(row, "machine")?,
        settings: of_json(row, "settings")?,
        ..Default::default()
    })
}
