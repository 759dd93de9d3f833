//! `epochs` and `steady`.

use rusqlite::{Connection, Result, Row};
use tare_model::record::{EpochRecord, SteadyRecord};
use tare_model::units::Seconds;

use crate::sql::{all, index, insert};

/// Keeps an epoch, in place of what was said of it before.
pub(crate) fn keep(connection: &Connection, arena: i64, epoch: &EpochRecord) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO epochs (arena, number, began) VALUES (?1, ?2, ?3)
             ON CONFLICT (arena, number) DO UPDATE SET began = excluded.began",
        )?
        .execute((arena, epoch.number, epoch.began.0))?;
    connection
        .prepare_cached("DELETE FROM steady WHERE arena = ?1 AND epoch = ?2")?
        .execute((arena, epoch.number))?;
    for steady in &epoch.steady {
        insert(
            connection,
            "steady",
            &[
                ("arena", &arena),
                ("epoch", &epoch.number),
                ("entrant", &(steady.entrant as i64)),
                ("steady", &steady.steady),
                ("truncated_at", &steady.truncated_at),
                ("drift_low", &steady.drift.map(|drift| drift.0)),
                ("drift_high", &steady.drift.map(|drift| drift.1)),
            ],
        )?;
    }
    Ok(())
}

/// Reads an arena's epochs.
pub(crate) fn read(connection: &Connection, arena: i64) -> Result<Vec<EpochRecord>> {
    let mut epochs = all(
        connection,
        "SELECT number, began FROM epochs WHERE arena = ?1 ORDER BY number",
        [arena],
        |row| {
            Ok(EpochRecord {
                number: row.get(0)?,
                began: Seconds(row.get(1)?),
                steady: Vec::new(),
            })
        },
    )?;
    for epoch in &mut epochs {
        epoch.steady = all(
            connection,
            "SELECT * FROM steady WHERE arena = ?1 AND epoch = ?2 ORDER BY entrant",
            (arena, epoch.number),
            steady,
        )?;
    }
    Ok(epochs)
}

fn steady(row: &Row) -> Result<SteadyRecord> {
    let low: Option<f64> = row.get("drift_low")?;
    let high: Option<f64> = row.get("drift_high")?;
    Ok(SteadyRecord {
        entrant: index(row, "entrant")?,
        steady: row.get("steady")?,
        truncated_at: row.get("truncated_at")?,
        drift: low.zip(high),
    })
}
