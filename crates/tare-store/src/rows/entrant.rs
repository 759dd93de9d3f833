//! `entrants` and `faults`.

use rusqlite::{Connection, Result, Row};
use tare_model::fault::{Fault, FaultKind};
use tare_model::record::EntrantRecord;

use crate::sql::{all, bad, index, insert, json, of_json};

/// Keeps an entrant at a position, with its fault if it has one.
pub(crate) fn keep(
    connection: &Connection,
    arena: i64,
    position: i64,
    entrant: &EntrantRecord,
) -> Result<()> {
    insert(
        connection,
        "entrants",
        &[
            ("arena", &arena),
            ("position", &position),
            ("record", &json(entrant)?),
        ],
    )?;
    match &entrant.fault {
        Some(fault) => keep_fault(connection, arena, position, entrant.fault_launch, fault),
        None => Ok(()),
    }
}

/// The position of the next entrant of an arena.
pub(crate) fn next(connection: &Connection, arena: i64) -> Result<i64> {
    connection.query_row("SELECT count(*) FROM entrants WHERE arena = ?1", [arena], |row| {
        row.get(0)
    })
}

/// Keeps a further fault.
pub(crate) fn keep_fault(
    connection: &Connection,
    arena: i64,
    entrant: i64,
    launch: Option<u32>,
    fault: &Fault,
) -> Result<()> {
    insert(
        connection,
        "faults",
        &[
            ("arena", &arena),
            ("entrant", &entrant),
            ("launch", &launch),
            ("kind", &fault.kind.name()),
            ("detail", &fault.detail),
        ],
    )?;
    Ok(())
}

/// Reads an arena's entrants.
pub(crate) fn read(connection: &Connection, arena: i64) -> Result<Vec<EntrantRecord>> {
    let mut entrants: Vec<EntrantRecord> = all(
        connection,
        "SELECT position, record FROM entrants WHERE arena = ?1 ORDER BY position",
        [arena],
        |row| of_json(row, "record"),
    )?;
    let faults = all(
        connection,
        "SELECT * FROM faults WHERE arena = ?1 ORDER BY fault",
        [arena],
        fault,
    )?;
    for (position, launch, fault) in faults {
        if let Some(entrant) = entrants.get_mut(position) {
            blame(entrant, launch, fault);
        }
    }
    Ok(entrants)
}

/// Of several faults the first counts, except that `NotSteady` is replaced by any other.
fn blame(entrant: &mut EntrantRecord, launch: Option<u32>, fault: Fault) {
    let known = entrant.fault.as_ref().map(|fault| fault.kind);
    let gives_way = known == Some(FaultKind::NotSteady) && fault.kind != FaultKind::NotSteady;
    if known.is_none() || gives_way {
        entrant.fault = Some(fault);
        entrant.fault_launch = launch;
    }
}

fn fault(row: &Row) -> Result<(usize, Option<u32>, Fault)> {
    let name: String = row.get("kind")?;
    let kind = FaultKind::from_name(&name).ok_or_else(|| bad(row, "kind", &"no such kind of fault"))?;
    Ok((
        index(row, "entrant")?,
        row.get("launch")?,
        Fault {
            kind,
            detail: row.get("detail")?,
        },
    ))
}
