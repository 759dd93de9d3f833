//! Writing a run, event by event.

use std::path::PathBuf;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use tare_model::evidence::Evidence;
use tare_model::fault::Fault;
use tare_model::record::{ArenaRecord, EntrantRecord, LaunchRecord, SliceRecord};
use tare_model::units::Seconds;

use crate::error::{Problem, StoreError, While};
use crate::new_run::NewRun;
use crate::open::{Store, connect};
use crate::read::find;
use crate::rows::{arena, entrant, evidence, launch, run, slice};

/// An arena of the run that is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArenaKey(i64);

/// Writes one run. Each call is one transaction: on return all of its data are stored; after an error none are, and the call
/// can be repeated.
#[derive(Debug)]
pub struct RunWriter {
    pub(crate) connection: Connection,
    path: PathBuf,
    run: i64,
    id: String,
}

impl Store {
    /// Begins a run. The writer has a connection of its own, so that the store can be read at the same time.
    pub fn begin_run(&self, new: &NewRun) -> Result<RunWriter, StoreError> {
        const DOING: &str = "begin a run in";
        let connection = connect(&self.path, OpenFlags::empty()).doing(DOING, &self.path)?;
        // The log is moved into the file between launches (see `launch`), not whenever it has grown.
        connection
            .pragma_update(None, "wal_autocheckpoint", 0)
            .doing(DOING, &self.path)?;
        let mut writer = RunWriter {
            connection,
            path: self.path.clone(),
            run: 0,
            id: String::new(),
        };
        (writer.run, writer.id) = writer.keep(DOING, |transaction, _| {
            let id = run::free_id(transaction, new.started)?;
            Ok((run::keep(transaction, &id, new)?, id))
        })?;
        Ok(writer)
    }

    /// Keeps the evidence of an explanation for a finished run (`latest`, its id, or the beginning of its id).
    pub fn keep_evidence(&self, which: &str, record: &Evidence) -> Result<(), StoreError> {
        const DOING: &str = "keep the evidence of an explanation in";
        let mut connection = connect(&self.path, OpenFlags::empty()).doing(DOING, &self.path)?;
        let mut attempt = || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let run = find(&transaction, which)?;
            evidence::keep(&transaction, run, record)?;
            transaction.commit()?;
            Ok::<(), Problem>(())
        };
        attempt().doing(DOING, &self.path)
    }
}

impl RunWriter {
    /// The run's id: its start in UTC, `20261121-204512`, with a suffix where two would collide.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Keeps an arena with everything known of it: usually its entrants, without launches and slices.
    pub fn arena(&mut self, record: &ArenaRecord) -> Result<ArenaKey, StoreError> {
        self.keep("keep an arena in", |transaction, run| {
            let key = keep_arena(transaction, run, record)?;
            Ok(ArenaKey(key))
        })
    }

    /// Replaces the head of an arena (after the pilot chose a rate, say). Its stored entrants, launches and slices stay as
    /// they are.
    pub fn revise(&mut self, arena: ArenaKey, record: &ArenaRecord) -> Result<(), StoreError> {
        self.keep("revise an arena in", |transaction, _| {
            Ok(arena::revise_head(transaction, arena.0, record)?)
        })
    }

    /// Keeps a further entrant; returns its index among the arena's entrants.
    pub fn entrant(&mut self, arena: ArenaKey, record: &EntrantRecord) -> Result<usize, StoreError> {
        self.keep("keep a contender in", |transaction, _| {
            let position = entrant::next(transaction, arena.0)?;
            entrant::keep(transaction, arena.0, position, record)?;
            Ok(position as usize)
        })
    }

    /// Keeps a launch of these arenas, replacing an earlier state of it: once when it begins, before its first slice, and
    /// again when the warm-up is judged.
    ///
    /// Nothing is measured at this point, so the log is moved into the file, which waits for the disk.
    pub fn launch(&mut self, arenas: &[ArenaKey], record: &LaunchRecord) -> Result<(), StoreError> {
        self.keep("keep a launch in", |transaction, run| {
            for arena in arenas {
                launch::keep(transaction, arena.0, record)?;
            }
            Ok(run::keep_took(transaction, run, record.began)?)
        })?;
        self.settle();
        Ok(())
    }

    /// Keeps the slices of one round (or of a part of the warm-up or pilot). Their launch must be known.
    pub fn round(&mut self, arena: ArenaKey, slices: &[SliceRecord]) -> Result<(), StoreError> {
        self.keep("keep a round in", |transaction, run| {
            keep_slices(transaction, run, arena.0, slices)
        })
    }

    /// Keeps a fault of an entrant, by its index, and the launch in which it occurred, if any.
    pub fn fault(
        &mut self,
        arena: ArenaKey,
        entrant: usize,
        launch: Option<u32>,
        fault: &Fault,
    ) -> Result<(), StoreError> {
        self.keep("keep a fault in", |transaction, _| {
            Ok(entrant::keep_fault(
                transaction,
                arena.0,
                entrant as i64,
                launch,
                fault,
            )?)
        })
    }

    /// Keeps a note for readers of the run.
    pub fn note(&mut self, note: &str) -> Result<(), StoreError> {
        self.keep("keep a note in", |transaction, run| {
            Ok(run::keep_note(transaction, run, note)?)
        })
    }

    /// Keeps how long the run has lasted and its time by phase, replacing earlier values.
    pub fn phases(&mut self, took: Seconds, phases: &[(String, Seconds)]) -> Result<(), StoreError> {
        self.keep("keep the times of a run in", |transaction, run| {
            run::keep_took(transaction, run, took)?;
            Ok(run::keep_phases(transaction, run, phases)?)
        })
    }

    /// Ends the run: complete, or interrupted (`complete` false). Waits for the disk.
    pub fn finish(
        mut self,
        took: Seconds,
        complete: bool,
        phases: &[(String, Seconds)],
    ) -> Result<(), StoreError> {
        self.keep("end a run in", |transaction, run| {
            run::keep_phases(transaction, run, phases)?;
            Ok(run::keep_end(transaction, run, took, complete)?)
        })?;
        self.settle();
        Ok(())
    }

    /// One transaction that holds the lock from its beginning, so that it cannot be refused halfway.
    fn keep<T>(
        &mut self,
        doing: &'static str,
        work: impl FnOnce(&Transaction, i64) -> Result<T, Problem>,
    ) -> Result<T, StoreError> {
        let run = self.run;
        let attempt = || {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction, run)?;
            transaction.commit()?;
            Ok::<T, Problem>(value)
        };
        attempt().doing(doing, &self.path)
    }

    /// Moves the log into the file and waits for the disk. Failures are ignored: if a reader is in the way or the disk is
    /// full, the log still holds everything, and the next call tries again.
    fn settle(&self) {
        let _ = self
            .connection
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
    }
}

/// Keeps an arena with everything known of it; returns its key.
pub(crate) fn keep_arena(transaction: &Transaction, run: i64, record: &ArenaRecord) -> Result<i64, Problem> {
    let key = arena::keep_head(transaction, run, record)?;
    for (position, entrant) in (0i64..).zip(&record.entrants) {
        entrant::keep(transaction, key, position, entrant)?;
    }
    for launch in &record.launches {
        launch::keep(transaction, key, launch)?;
    }
    keep_slices(transaction, run, key, &record.slices)?;
    Ok(key)
}

fn keep_slices(
    transaction: &Transaction,
    run: i64,
    arena: i64,
    slices: &[SliceRecord],
) -> Result<(), Problem> {
    for record in slices {
        slice::keep(transaction, arena, record)?;
    }
    let ends = slices.iter().map(|slice| {
        let reading = &slice.reading;
        reading.began.0 + reading.load.wall.0.max(reading.host.thawed.0)
    });
    let end = ends.filter(|end| end.is_finite()).fold(0.0, f64::max);
    Ok(run::keep_took(transaction, run, Seconds(end))?)
}
