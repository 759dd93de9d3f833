//! Reading runs.

use rusqlite::{Connection, OptionalExtension, Row};
use tare_model::evidence::Evidence;
use tare_model::metric::Mode;
use tare_model::record::{ArenaRecord, RunRecord};
use tare_model::results::Machine;
use tare_model::settings::{RunKind, Settings};
use tare_model::units::Seconds;

use crate::error::{Problem, StoreError, While};
use crate::open::Store;
use crate::rows::{arena, evidence, run};
use crate::sql::{all, of_json};

/// One line on a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSummary {
    /// The run's id.
    pub id: String,
    /// Start, in seconds since 1970 (UTC).
    pub started: i64,
    /// How long it took, until its last stored event.
    pub took: Seconds,
    /// Whether it ran to its end (false: interrupted, killed, or still running).
    pub complete: bool,
    /// Version of tare.
    pub tare: String,
    /// The file that it was imported from, where it was not measured here.
    pub imported: Option<String>,
    /// The command that made it.
    pub kind: RunKind,
    /// Host name.
    pub host: String,
    /// The arenas.
    pub arenas: Vec<ArenaSummary>,
}

/// One line on an arena.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArenaSummary {
    /// The workload's name.
    pub workload: String,
    /// The case.
    pub case: String,
    /// The size, where the case is swept over sizes.
    pub size: Option<u64>,
    /// How it was driven.
    pub mode: Mode,
    /// How many contenders were meant to take part.
    pub entrants: u32,
    /// How many launches have at least one round.
    pub launches: u32,
    /// How many rounds were kept, over all launches.
    pub rounds: u32,
}

/// The number of runs that an error names.
const NAMED: usize = 5;

impl Store {
    /// All runs, the newest first.
    pub fn runs(&self) -> Result<Vec<RunSummary>, StoreError> {
        self.read("list the runs of", |connection| {
            let mut runs = all(
                connection,
                "SELECT run, id, started, took, complete, tare, imported, machine, settings FROM runs ORDER BY run DESC",
                [],
                summary,
            )?;
            for (key, run) in &mut runs {
                run.arenas = all(connection, ARENAS, [*key], arena_summary)?;
            }
            Ok(runs.into_iter().map(|(_, run)| run).collect())
        })
    }

    /// A run with all its slices: `latest` (the one begun last here), its id, or the beginning of its id.
    pub fn run(&self, which: &str) -> Result<RunRecord, StoreError> {
        self.read("read a run from", |connection| {
            let key = find(connection, which)?;
            let keys: Vec<i64> = all(
                connection,
                "SELECT arena FROM arenas WHERE run = ?1 ORDER BY arena",
                [key],
                |row| row.get(0),
            )?;
            Ok(RunRecord {
                info: run::read(connection, key)?,
                arenas: keys
                    .into_iter()
                    .map(|arena| arena::read(connection, arena))
                    .collect::<Result<_, _>>()?,
            })
        })
    }

    /// The full id of a run, given `latest`, its id, or the beginning of its id, as for [`Store::run`].
    pub fn id_of(&self, which: &str) -> Result<String, StoreError> {
        self.read("find a run in", |connection| {
            let key = find(connection, which)?;
            Ok(connection.query_row("SELECT id FROM runs WHERE run = ?1", [key], |row| row.get(0))?)
        })
    }

    /// The evidence of explanations made for a run, in the order of collection.
    pub fn evidence(&self, which: &str) -> Result<Vec<Evidence>, StoreError> {
        self.read("read the evidence of a run from", |connection| {
            Ok(evidence::read(connection, find(connection, which)?)?)
        })
    }

    /// Reads within one transaction: a consistent snapshot, even if the run is being written.
    fn read<T>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, Problem>,
    ) -> Result<T, StoreError> {
        let snapshot = self.connection.unchecked_transaction().map_err(Problem::from);
        snapshot
            .and_then(|snapshot| work(&snapshot))
            .doing(doing, &self.path)
    }
}

/// Summaries of a run's arenas; rounds are counted from the index alone.
const ARENAS: &str = "
    SELECT arena, head,
        (SELECT count(*) FROM entrants WHERE entrants.arena = arenas.arena) AS entrants,
        (SELECT count(DISTINCT launch) FROM slices
            WHERE slices.arena = arenas.arena AND phase = 'round') AS launches,
        (SELECT count(*) FROM (SELECT DISTINCT launch, round FROM slices
            WHERE slices.arena = arenas.arena AND phase = 'round')) AS rounds
    FROM arenas WHERE run = ?1 ORDER BY arena";

fn summary(row: &Row) -> rusqlite::Result<(i64, RunSummary)> {
    let summary = RunSummary {
        id: row.get("id")?,
        started: row.get("started")?,
        took: Seconds(row.get("took")?),
        complete: row.get("complete")?,
        tare: row.get("tare")?,
        imported: row.get("imported")?,
        kind: of_json::<Settings>(row, "settings")?.kind,
        host: of_json::<Machine>(row, "machine")?.host,
        arenas: Vec::new(),
    };
    Ok((row.get("run")?, summary))
}

fn arena_summary(row: &Row) -> rusqlite::Result<ArenaSummary> {
    let head: ArenaRecord = of_json(row, "head")?;
    Ok(ArenaSummary {
        workload: head.workload,
        case: head.case,
        size: head.size,
        mode: head.mode,
        entrants: row.get("entrants")?,
        launches: row.get("launches")?,
        rounds: row.get("rounds")?,
    })
}

/// The key of a run, given `latest`, its id, or the beginning of its id.
pub(crate) fn find(connection: &Connection, which: &str) -> Result<i64, Problem> {
    // Imported runs are never the latest.
    let exact =
        "SELECT run FROM runs WHERE id = ?1 OR ?1 = 'latest' AND imported IS NULL ORDER BY run DESC LIMIT 1";
    let exact: Option<i64> = connection
        .query_row(exact, [which], |row| row.get(0))
        .optional()?;
    if let Some(key) = exact {
        return Ok(key);
    }
    let begins = "SELECT run, id FROM runs WHERE substr(id, 1, length(?1)) = ?1 ORDER BY run DESC";
    let candidates: Vec<(i64, String)> =
        all(connection, begins, [which], |row| Ok((row.get(0)?, row.get(1)?)))?;
    match candidates.as_slice() {
        [(key, _)] => Ok(*key),
        [] => Err(Problem::NoRun {
            asked: which.to_owned(),
            known: known(connection)?,
        }),
        several => Err(Problem::Ambiguous {
            asked: which.to_owned(),
            candidates: named(several.iter().map(|(_, id)| id.clone()).collect()),
        }),
    }
}

fn known(connection: &Connection) -> Result<String, Problem> {
    let ids: Vec<String> = all(connection, "SELECT id FROM runs ORDER BY run DESC", [], |row| {
        row.get(0)
    })?;
    Ok(match ids.len() {
        0 => "no run is kept here yet\n\nhint: `tare run` makes one".to_owned(),
        _ => format!("there are {}\n\nhint: `tare list runs` shows all", named(ids)),
    })
}

/// Some ids, and the number of further ones.
fn named(mut ids: Vec<String>) -> String {
    let more = ids.len().saturating_sub(NAMED);
    ids.truncate(NAMED);
    let list = ids.join(", ");
    match more {
        0 => list,
        more => format!("{list} and {more} more"),
    }
}
