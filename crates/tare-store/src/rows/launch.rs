//! `launches` and `steady`.

use rusqlite::{Connection, Result, Row};
use tare_model::record::{LaunchRecord, SteadyRecord};
use tare_model::units::Seconds;

use crate::sql::{all, index, insert};

/// Keeps a launch, replacing an earlier state of it.
pub(crate) fn keep(connection: &Connection, arena: i64, launch: &LaunchRecord) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO launches (arena, number, began) VALUES (?1, ?2, ?3)
             ON CONFLICT (arena, number) DO UPDATE SET began = excluded.began",
        )?
        .execute((arena, launch.number, launch.began.0))?;
    connection
        .prepare_cached("DELETE FROM steady WHERE arena = ?1 AND launch = ?2")?
        .execute((arena, launch.number))?;
    for steady in &launch.steady {
        insert(
            connection,
            "steady",
            &[
                ("arena", &arena),
                ("launch", &launch.number),
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

/// Reads an arena's launches.
pub(crate) fn read(connection: &Connection, arena: i64) -> Result<Vec<LaunchRecord>> {
    let mut launches = all(
        connection,
        "SELECT number, began FROM launches WHERE arena = ?1 ORDER BY number",
        [arena],
        |row| {
            Ok(LaunchRecord {
                number: row.get(0)?,
                node: 0,
                began: Seconds(row.get(1)?),
                steady: Vec::new(),
            })
        },
    )?;
    for launch in &mut launches {
        launch.steady = all(
            connection,
            "SELECT * FROM steady WHERE arena = ?1 AND launch = ?2 ORDER BY entrant",
            (arena, launch.number),
            steady,
        )?;
    }
    Ok(launches)
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
