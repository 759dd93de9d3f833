//! Versions of the schema. A file is migrated to the newest version before anything else.

use rusqlite::{Connection, TransactionBehavior};

use crate::error::Problem;

/// Each migrates a store from the version of its index to the next; released ones are never edited.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("../schema.sql"),
    include_str!("../schema-2.sql"),
    include_str!("../schema-3.sql"),
];

/// `TAR1` in ASCII: what distinguishes a store from other SQLite files.
pub(crate) const APPLICATION: i64 = 0x5441_5231;

/// `TARE` in ASCII: stores that were written before the first release.
const BEFORE_RELEASE: i64 = 0x5441_5245;

/// Migrates the store to the newest version in one transaction: after a crash it still has the old version.
pub(crate) fn migrate(connection: &mut Connection, migrations: &[&str]) -> Result<(), Problem> {
    let known = migrations.len() as i64;
    // In one snapshot: another tare may be creating the file.
    let snapshot = connection.unchecked_transaction()?;
    let found = version(&snapshot)?;
    drop(snapshot);
    if found == known {
        return Ok(());
    }
    if found < known && connection.is_readonly("main")? {
        return Err(Problem::OldAndReadOnly { found, known });
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Checked again: another tare may have migrated it while this one waited for the lock.
    let found = version(&transaction)?;
    let from = usize::try_from(found).unwrap_or(usize::MAX);
    let pending = migrations.get(from..).ok_or(Problem::Newer { found, known })?;
    for migration in pending {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", known)?;
    Ok(transaction.commit()?)
}

/// The file's version; 0 for a new one. Refuses a file that is not a store. Call it within a transaction.
fn version(connection: &Connection) -> Result<i64, Problem> {
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (application, version, tables) {
        (APPLICATION, ..) | (0, 0, 0) => Ok(version),
        (BEFORE_RELEASE, ..) => Err(Problem::BeforeRelease),
        _ => Err(Problem::NotAStore(format!(
            "an SQLite file of something else, application_id {application}, {tables} tables and indexes"
        ))),
    }
}
