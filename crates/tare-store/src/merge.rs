//! Taking over the runs of another store.

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};
use tare_model::evidence::Evidence;
use tare_model::record::RunRecord;
use tare_model::results::RunInfo;

use crate::error::{Problem, StoreError, While};
use crate::new_run::NewRun;
use crate::open::Store;
use crate::rows::{evidence, run};
use crate::sql::{all, json};
use crate::write::keep_arena;

/// What became of a run of another store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// Its id there.
    pub there: String,
    /// Its id here: the same, unless another run has it.
    pub here: String,
    /// What was done.
    pub how: Merge,
}

/// What is done with a run of another store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merge {
    /// It was not here.
    Added,
    /// It was here, and more of it is there.
    Renewed,
    /// It was here as it is there.
    Known,
}

/// The tables whose rows are of arenas, in an order in which they can be deleted.
const OF_ARENAS: [&str; 5] = ["steady", "slices", "launches", "faults", "entrants"];

impl Store {
    /// Takes over the runs of another store, the oldest first; each is one transaction, so that what is taken over when
    /// something fails is whole. A run that is here already (by its start, its machine and its settings, whatever its id) is
    /// taken over only if more of it was kept there.
    ///
    /// # Errors
    /// A run cannot be read there, or written here.
    pub fn merge(&mut self, other: &Self) -> Result<Vec<Merged>, StoreError> {
        let mut ids: Vec<String> = other.runs()?.into_iter().map(|run| run.id).collect();
        ids.reverse();
        ids.into_iter().map(|id| self.take_over(other, &id)).collect()
    }

    fn take_over(&mut self, other: &Self, there: &str) -> Result<Merged, StoreError> {
        let (record, explained) = (other.run(there)?, other.evidence(there)?);
        let mut attempt = || {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            let merged = merged(&transaction, &record, &explained)?;
            transaction.commit()?;
            Ok::<Merged, Problem>(merged)
        };
        attempt().doing("merge a run into", &self.path)
    }
}

fn merged(transaction: &Transaction, record: &RunRecord, explained: &[Evidence]) -> Result<Merged, Problem> {
    let there = record.info.id.clone();
    let Some((key, here)) = same(transaction, &record.info)? else {
        let here = free_id(transaction, &record.info)?;
        keep(transaction, &here, record, explained)?;
        return Ok(Merged {
            there,
            here,
            how: Merge::Added,
        });
    };
    let how = if is_more(transaction, key, record, explained)? {
        let ours = evidence::read(transaction, key)?;
        forget(transaction, key)?;
        keep(transaction, &here, record, &together(ours, explained))?;
        Merge::Renewed
    } else {
        Merge::Known
    };
    Ok(Merged { there, here, how })
}

/// The key and id of the run that this one is, if it is here.
fn same(connection: &Connection, info: &RunInfo) -> Result<Option<(i64, String)>, Problem> {
    let sql = "SELECT run, id FROM runs
               WHERE started = ?1 AND machine = ?2 AND settings = ?3 AND tare = ?4 AND imported IS ?5";
    let (machine, settings) = (json(&info.machine)?, json(&info.settings)?);
    let found = connection.query_row(
        sql,
        (info.started, machine, settings, &info.tare, &info.imported),
        |row| Ok((row.get(0)?, row.get(1)?)),
    );
    Ok(found.optional()?)
}

fn free_id(connection: &Connection, info: &RunInfo) -> Result<String, Problem> {
    if run::exists(connection, &info.id)? {
        return Ok(run::free_id(connection, info.started)?);
    }
    Ok(info.id.clone())
}

/// Whether a run that is here has grown there: its slices, its end, or what explains it.
fn is_more(
    connection: &Connection,
    key: i64,
    record: &RunRecord,
    explained: &[Evidence],
) -> Result<bool, Problem> {
    let sql = "SELECT count(*) FROM slices WHERE arena IN (SELECT arena FROM arenas WHERE run = ?1)";
    let slices: i64 = connection.query_row(sql, [key], |row| row.get(0))?;
    let here = run::read(connection, key)?;
    let there: usize = record.arenas.iter().map(|arena| arena.slices.len()).sum();
    let there = there as i64;
    let ended = record.info.complete && !here.complete;
    let ours = evidence::read(connection, key)?;
    Ok(there > slices || (ended && there == slices) || explained.iter().any(|one| !ours.contains(one)))
}

/// The evidence of both, each once.
fn together(mut ours: Vec<Evidence>, theirs: &[Evidence]) -> Vec<Evidence> {
    for one in theirs {
        if !ours.contains(one) {
            ours.push(one.clone());
        }
    }
    ours
}

fn keep(
    transaction: &Transaction,
    id: &str,
    record: &RunRecord,
    explained: &[Evidence],
) -> Result<(), Problem> {
    let info = &record.info;
    let new = NewRun {
        started: info.started,
        tare: info.tare.clone(),
        imported: info.imported.clone(),
        machine: info.machine.clone(),
        settings: info.settings.clone(),
    };
    let key = run::keep(transaction, id, &new)?;
    for arena in &record.arenas {
        keep_arena(transaction, key, arena)?;
    }
    for note in &info.notes {
        run::keep_note(transaction, key, note)?;
    }
    for one in explained {
        evidence::keep(transaction, key, one)?;
    }
    run::keep_phases(transaction, key, &info.phases)?;
    Ok(run::keep_end(transaction, key, info.took, info.complete)?)
}

/// Deletes a run.
fn forget(transaction: &Transaction, key: i64) -> Result<(), Problem> {
    let arenas: Vec<i64> = all(
        transaction,
        "SELECT arena FROM arenas WHERE run = ?1",
        [key],
        |row| row.get(0),
    )?;
    for arena in arenas {
        let services =
            "DELETE FROM service_slices WHERE slice IN (SELECT slice FROM slices WHERE arena = ?1)";
        transaction.execute(services, [arena])?;
        for table in OF_ARENAS {
            transaction.execute(&format!("DELETE FROM {table} WHERE arena = ?1"), [arena])?;
        }
    }
    for table in ["arenas", "notes", "phases", "evidence", "runs"] {
        transaction.execute(&format!("DELETE FROM {table} WHERE run = ?1"), [key])?;
    }
    Ok(())
}
