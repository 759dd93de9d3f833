//! Opening a store.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::error::{PATIENCE, Problem, StoreError, While};
use crate::migrate::{self, MIGRATIONS};

const OPENING: &str = "open the store";

/// A store of runs: `.tare/results.sqlite` in the lab's folder.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
}

impl Store {
    /// Opens a store to write and read; creates it and its folder if missing.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let path = path.into();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder)
                .map_err(Problem::Folder)
                .doing(OPENING, &path)?;
        }
        let connection = connect(&path, OpenFlags::SQLITE_OPEN_CREATE).doing(OPENING, &path)?;
        Ok(Self { connection, path })
    }

    /// Opens an existing store to read it; it may be read-only.
    pub fn open_existing(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let path = path.into();
        if !path.exists() {
            return Err(Problem::Missing).doing(OPENING, &path);
        }
        let connection = match connect(&path, OpenFlags::empty()) {
            // SQLite needs two files beside the store even to read it. Where they cannot be created and no other
            // process writes (there would be a log), the store can be read as an immutable file.
            Err(Problem::CannotOpen | Problem::ReadOnly) if !has_log(&path) => connect_unchanging(&path),
            other => other,
        };
        let connection = connection.doing(OPENING, &path)?;
        Ok(Self { connection, path })
    }

    /// The store's file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Opens and prepares a connection, and migrates the file to the newest version.
pub(crate) fn connect(path: &Path, extra: OpenFlags) -> Result<Connection, Problem> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | extra;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_secs(PATIENCE))?;
    connection.pragma_update(None, "foreign_keys", true)?;
    migrate::migrate(&mut connection, MIGRATIONS)?;
    if !connection.is_readonly("main")? {
        log_ahead(&connection)?;
    }
    Ok(connection)
}

/// Sets a write-ahead log, so that readers and the writer do not wait for each other.
///
/// `synchronous = NORMAL`: a commit is written to the log without waiting for the disk. When tare is killed, nothing is
/// lost, because the kernel already has the pages. After a power failure the last rounds may be lost, but each is either
/// complete or absent (the log's frames have checksums). `FULL` would add disk work between two slices, which would disturb
/// the measurement.
fn log_ahead(connection: &Connection) -> Result<(), Problem> {
    // SQLite's busy timeout does not cover this step, which each file goes through once.
    let deadline = Instant::now() + Duration::from_secs(PATIENCE);
    loop {
        match connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())) {
            Err(error) if busy(&error) && Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(2));
            }
            other => break other?,
        }
    }
    Ok(connection.pragma_update(None, "synchronous", "normal")?)
}

fn busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

/// Opens a file that no process writes, on a medium that may be read-only.
pub(crate) fn connect_unchanging(path: &Path) -> Result<Connection, Problem> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let mut connection = Connection::open_with_flags(uri(path), flags)?;
    migrate::migrate(&mut connection, MIGRATIONS)?;
    Ok(connection)
}

/// The path as an SQLite URI, with special characters escaped
/// (<https://sqlite.org/uri.html>, section 3.2).
fn uri(path: &Path) -> String {
    let mut text = String::from("file:");
    for c in path.to_string_lossy().chars() {
        match c {
            '%' | '?' | '#' => text.push_str(&format!("%{:02x}", c as u32)),
            _ => text.push(c),
        }
    }
    text + "?immutable=1"
}

/// Whether a log beside the store has rounds that are not in the file yet.
fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).is_ok_and(|log| log.len() > 0)
}
