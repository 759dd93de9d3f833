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
    /// Opens a store to write and read; makes it and its folder where they are not there.
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

    /// Opens a store that is there already, to read it; one that may not be written will do.
    pub fn open_existing(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let path = path.into();
        if !path.exists() {
            return Err(Problem::Missing).doing(OPENING, &path);
        }
        let connection = match connect(&path, OpenFlags::empty()) {
            // SQLite wants two files beside the store even to read it. Where these cannot be made, and nobody
            // else writes it (then the log would be there), it may be read as a file that never changes.
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

/// Opens and prepares a connection, and brings the file to the newest version.
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

/// A write-ahead log, so that readers and the writer do not wait for one another.
///
/// `synchronous = NORMAL`: a commit is written to the log without waiting for the disk. When tare is killed, the
/// kernel has the pages already, and nothing is lost. After a power cut the last rounds may be lost, but each is
/// there wholly or not at all (the log's frames carry checksums). The waiting that `FULL` would add falls
/// between two slices, where the disk's work would be measured with the contender's.
fn log_ahead(connection: &Connection) -> Result<(), Problem> {
    // SQLite does not wait for others at this one step (which a file goes through once in its life): we do.
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

/// Opens a file that nobody writes, on a medium that may be read only.
pub(crate) fn connect_unchanging(path: &Path) -> Result<Connection, Problem> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let mut connection = Connection::open_with_flags(uri(path), flags)?;
    migrate::migrate(&mut connection, MIGRATIONS)?;
    Ok(connection)
}

/// The path as an SQLite URI: the characters that mean something in it are escaped
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

/// Whether there is a log beside the store whose rounds are not in the file yet.
fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).is_ok_and(|log| log.len() > 0)
}
