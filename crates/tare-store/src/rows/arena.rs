//! `arenas`, `driving`, `services`, `published` and `claims`.

use rusqlite::{Connection, Result, Row, ToSql};
use tare_model::claim::{Claim, Relation};
use tare_model::ids::ContenderId;
use tare_model::record::ArenaRecord;
use tare_model::results::{Placement, Published};

use super::{entrant, launch, slice};
use crate::sql::{all, bad, bits, insert, pairs, parse, parse_some};

/// Keeps what is said of an arena as a whole; returns its key.
pub(crate) fn keep_head(connection: &Connection, run: i64, arena: &ArenaRecord) -> Result<i64> {
    let key = with_columns(arena, |columns| {
        let mut columns = columns.to_vec();
        columns.push(("run", &run));
        insert(connection, "arenas", &columns)
    })?;
    keep_lists(connection, key, arena)?;
    Ok(key)
}

/// Keeps what is said of an arena as a whole, in place of what was said before.
pub(crate) fn revise_head(connection: &Connection, key: i64, arena: &ArenaRecord) -> Result<()> {
    with_columns(arena, |columns| {
        let sets: Vec<String> = columns.iter().map(|(name, _)| format!("{name} = ?")).collect();
        let sql = format!("UPDATE arenas SET {} WHERE arena = ?", sets.join(", "));
        let mut values: Vec<&dyn ToSql> = columns.iter().map(|(_, value)| *value).collect();
        values.push(&key);
        connection.prepare_cached(&sql)?.execute(values.as_slice())
    })?;
    connection.execute("DELETE FROM driving WHERE arena = ?1", [key])?;
    connection.execute("DELETE FROM published WHERE arena = ?1", [key])?;
    connection.execute("DELETE FROM services WHERE arena = ?1", [key])?;
    connection.execute("DELETE FROM claims WHERE arena = ?1", [key])?;
    keep_lists(connection, key, arena)
}

fn with_columns<T>(
    arena: &ArenaRecord,
    then: impl FnOnce(&[(&'static str, &dyn ToSql)]) -> Result<T>,
) -> Result<T> {
    then(&[
        ("workload", &arena.workload),
        ("summary", &arena.summary),
        ("case_name", &arena.case),
        ("case_summary", &arena.case_summary),
        ("sweep", &arena.sweep),
        ("size", &arena.size.map(bits)),
        ("mode", &arena.mode.name()),
        ("cores_contender", &list(&arena.placement.contender)),
        ("cores_load", &list(&arena.placement.load)),
        ("primary_metric", &arena.primary.name()),
        ("floor", &arena.floor.as_ref().map(ToString::to_string)),
        ("baseline", &arena.baseline.as_ref().map(ToString::to_string)),
        ("margin", &arena.margin),
        ("alpha", &arena.alpha),
    ])
}

fn keep_lists(connection: &Connection, key: i64, arena: &ArenaRecord) -> Result<()> {
    for (place, (name, value)) in (0i64..).zip(&arena.driving) {
        insert(
            connection,
            "driving",
            &[
                ("arena", &key),
                ("place", &place),
                ("name", name),
                ("value", value),
            ],
        )?;
    }
    for (place, name) in (0i64..).zip(&arena.placement.services) {
        let columns: [(&str, &dyn ToSql); 3] = [("arena", &key), ("place", &place), ("name", name)];
        insert(connection, "services", &columns)?;
    }
    for (place, published) in (0i64..).zip(&arena.published) {
        insert(
            connection,
            "published",
            &[
                ("arena", &key),
                ("place", &place),
                ("contender", &published.contender.to_string()),
                ("label", &published.label),
                ("metric", &published.metric.name()),
                ("value", &published.value),
                ("source", &published.source),
                ("also_over", &ids(&published.over)),
            ],
        )?;
    }
    let mut claims = (0i64..).zip(&arena.claims);
    claims.try_for_each(|(place, claim)| keep_claim(connection, key, place, claim))
}

fn keep_claim(connection: &Connection, key: i64, place: i64, claim: &Claim) -> Result<()> {
    insert(
        connection,
        "claims",
        &[
            ("arena", &key),
            ("place", &place),
            ("text", &claim.text),
            ("source", &claim.source),
            ("relation", &claim.relation.name()),
            ("bound", &claim.relation.bound()),
            ("contender", &claim.first.to_string()),
            ("others", &ids(&claim.others)),
        ],
    )?;
    Ok(())
}

/// Reads an arena with its entrants, launches and slices.
pub(crate) fn read(connection: &Connection, key: i64) -> Result<ArenaRecord> {
    let mut arena = connection
        .prepare_cached("SELECT * FROM arenas WHERE arena = ?1")?
        .query_row([key], head)?;
    arena.driving = pairs(
        connection,
        "SELECT name, value FROM driving WHERE arena = ?1 ORDER BY place",
        [key],
    )?;
    arena.placement.services = all(
        connection,
        "SELECT name FROM services WHERE arena = ?1 ORDER BY place",
        [key],
        |row| row.get(0),
    )?;
    arena.published = all(
        connection,
        "SELECT * FROM published WHERE arena = ?1 ORDER BY place",
        [key],
        published,
    )?;
    arena.claims = all(
        connection,
        "SELECT * FROM claims WHERE arena = ?1 ORDER BY place",
        [key],
        claim,
    )?;
    arena.entrants = entrant::read(connection, key)?;
    arena.launches = launch::read(connection, key)?;
    arena.slices = slice::read(connection, key)?;
    Ok(arena)
}

fn head(row: &Row) -> Result<ArenaRecord> {
    Ok(ArenaRecord {
        workload: row.get("workload")?,
        summary: row.get("summary")?,
        case: row.get("case_name")?,
        case_summary: row.get("case_summary")?,
        sweep: row.get("sweep")?,
        size: row.get::<_, Option<i64>>("size")?.map(i64::cast_unsigned),
        mode: parse(row, "mode")?,
        driving: Vec::new(),
        placement: Placement {
            contender: cores(row, "cores_contender")?,
            load: cores(row, "cores_load")?,
            services: Vec::new(),
        },
        primary: parse(row, "primary_metric")?,
        floor: parse_some(row, "floor")?,
        baseline: parse_some(row, "baseline")?,
        margin: row.get("margin")?,
        alpha: row.get("alpha")?,
        published: Vec::new(),
        claims: Vec::new(),
        entrants: Vec::new(),
        launches: Vec::new(),
        slices: Vec::new(),
    })
}

fn published(row: &Row) -> Result<Published> {
    Ok(Published {
        contender: parse(row, "contender")?,
        label: row.get("label")?,
        metric: parse(row, "metric")?,
        value: row.get("value")?,
        source: row.get("source")?,
        over: ids_of(row, "also_over")?,
    })
}

fn claim(row: &Row) -> Result<Claim> {
    let relation: String = row.get("relation")?;
    let relation = Relation::from_parts(&relation, row.get("bound")?)
        .ok_or_else(|| bad(row, "relation", &format!("`{relation}` is no relation")))?;
    Ok(Claim {
        text: row.get("text")?,
        source: row.get("source")?,
        first: parse(row, "contender")?,
        others: ids_of(row, "others")?,
        relation,
    })
}

/// Contenders as text. No id holds a comma.
fn ids(list: &[ContenderId]) -> String {
    let texts: Vec<String> = list.iter().map(ContenderId::to_string).collect();
    texts.join(",")
}

fn ids_of(row: &Row, column: &str) -> Result<Vec<ContenderId>> {
    let text: String = row.get(column)?;
    let ids = text.split_terminator(',').map(str::parse);
    ids.map(|id| id.map_err(|error| bad(row, column, &error)))
        .collect()
}

/// Cores as text: `1,3`.
fn list(cores: &[u32]) -> String {
    let cores: Vec<String> = cores.iter().map(u32::to_string).collect();
    cores.join(",")
}

fn cores(row: &Row, column: &str) -> Result<Vec<u32>> {
    let text: String = row.get(column)?;
    text.split_terminator(',')
        .map(|core| core.parse().map_err(|error| bad(row, column, &error)))
        .collect()
}
