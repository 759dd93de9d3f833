//! `evidence`.

use rusqlite::{Connection, Result};
use tare_model::evidence::{Evidence, Profile};

use crate::sql::{all, bad, insert, json, of_json};

/// Keeps the evidence of an explanation.
pub(crate) fn keep(connection: &Connection, run: i64, evidence: &Evidence) -> Result<()> {
    insert(
        connection,
        "evidence",
        &[("run", &run), ("value", &json(evidence)?)],
    )?;
    Ok(())
}

/// Reads a run's evidence, in the order of collection.
pub(crate) fn read(connection: &Connection, run: i64) -> Result<Vec<Evidence>> {
    let sql = "SELECT evidence, value FROM evidence WHERE run = ?1 ORDER BY evidence";
    all(connection, sql, [run], |row| {
        let evidence: Evidence = of_json(row, "value")?;
        if evidence.subjects.iter().all(|subject| whole(&subject.profile)) {
            Ok(evidence)
        } else {
            Err(bad(
                row,
                "value",
                &"a stack names a function or a thread that is not there",
            ))
        }
    })
}

/// Whether the functions and threads of every stack exist.
fn whole(profile: &Profile) -> bool {
    let (frames, threads) = (profile.frames.len(), profile.threads.len());
    profile.stacks.iter().all(|stack| {
        let known = |frame: &u32| (*frame as usize) < frames;
        (stack.thread as usize) < threads && stack.frames.iter().all(known)
    })
}
