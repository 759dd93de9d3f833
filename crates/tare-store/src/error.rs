//! Errors of a store. Each says what was tried, on which file, what was found, and a hint.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// An operation on a store that failed. Its text ends with a hint, as `hint: …` after an empty line.
#[derive(Debug, thiserror::Error)]
#[error("cannot {doing} `{}`: {problem}", path.display())]
pub struct StoreError {
    /// What was tried: `open the store`, `keep a round in`.
    pub doing: &'static str,
    /// The store's file.
    pub path: PathBuf,
    /// What was found, and a hint.
    pub problem: Problem,
}

/// What was found, and a hint.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// There is no such file.
    #[error(
        "nothing was measured here yet\n\nhint: `tare run` makes it, and `-C DIR` looks in another lab's folder"
    )]
    Missing,
    /// The folder cannot be made.
    #[error(
        "its folder cannot be made ({0})\n\nhint: make it writable, or work in another folder with `-C DIR`"
    )]
    Folder(std::io::Error),
    /// The file cannot be opened.
    #[error(
        "the file cannot be opened or made\n\nhint: check the permissions of the file and of its folder, or copy it with \
         its `-wal` file to a folder where files can be made"
    )]
    CannotOpen,
    /// The file is something else.
    #[error("this is no store of tare ({0})\n\nhint: move it away, or work in another folder with `-C DIR`")]
    NotAStore(String),
    /// The file was written before the first release.
    #[error(
        "it was written by a tare from before the first release, and its format is no longer read\n\nhint: move it away, or \
         work in another folder with `-C DIR`"
    )]
    BeforeRelease,
    /// The file was written by a later tare.
    #[error(
        "it was written by a newer tare (store version {found}, this one reads up to {known})\n\nhint: use a tare at \
         least as new as that, or work in another folder with `-C DIR`"
    )]
    Newer {
        /// The file's version.
        found: i64,
        /// The highest version that this tare knows.
        known: i64,
    },
    /// The file is of an older version and cannot be written.
    #[error(
        "it is of store version {found}, must be brought to {known} to be read, and cannot be written\n\nhint: copy it \
         to a folder where it can be"
    )]
    OldAndReadOnly {
        /// The file's version.
        found: i64,
        /// The version that is needed.
        known: i64,
    },
    /// No space is left.
    #[error("the disk is full; what was kept before is safe and this was not kept\n\nhint: free some space")]
    Full,
    /// The file cannot be written.
    #[error(
        "it is read-only\n\nhint: make the file and its folder writable, or work in another folder with `-C DIR`"
    )]
    ReadOnly,
    /// Another process holds it.
    #[error(
        "another process has held its lock for {0} s\n\nhint: end that process (`fuser` names it) and try again"
    )]
    Locked(u64),
    /// Its content is invalid.
    #[error("it is damaged ({0})\n\nhint: restore it from a copy, or move it away and measure again")]
    Damaged(String),
    /// The operating system failed.
    #[error(
        "the operating system could not read or write it ({0})\n\nhint: check the disk, its quota and its mount"
    )]
    Io(String),
    /// New data contradict stored data: a bug in tare.
    #[error("it contradicts what is kept already ({0})\n\nhint: this is a mistake in tare: please report it")]
    Contradiction(String),
    /// No run has that id.
    #[error("no run is called `{asked}` or begins so; {known}")]
    NoRun {
        /// What was asked for.
        asked: String,
        /// The runs that exist.
        known: String,
    },
    /// Several ids begin like that.
    #[error("`{asked}` may be any of {candidates}\n\nhint: type more of it")]
    Ambiguous {
        /// What was asked for.
        asked: String,
        /// The ids that begin like that.
        candidates: String,
    },
    /// Anything else that SQLite reports.
    #[error("SQLite reports: {0}")]
    Sqlite(rusqlite::Error),
}

/// How long to wait for another process's lock, in seconds.
pub(crate) const PATIENCE: u64 = 5;

impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error as E;
        let text = error.to_string();
        match &error {
            E::FromSqlConversionFailure(..) | E::InvalidColumnType(..) | E::IntegralValueOutOfRange(..) => {
                Problem::Damaged(text)
            }
            _ => match error.sqlite_error_code() {
                Some(ErrorCode::DiskFull) => Problem::Full,
                Some(ErrorCode::ReadOnly) => Problem::ReadOnly,
                Some(ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => Problem::CannotOpen,
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Problem::Locked(PATIENCE),
                Some(ErrorCode::NotADatabase) => Problem::NotAStore(text),
                Some(ErrorCode::DatabaseCorrupt) => Problem::Damaged(text),
                Some(ErrorCode::SystemIoFailure | ErrorCode::FileLockingProtocolFailed) => Problem::Io(text),
                Some(ErrorCode::ConstraintViolation) => Problem::Contradiction(text),
                _ => Problem::Sqlite(error),
            },
        }
    }
}

/// Adds the operation and the file to an error.
pub(crate) trait While<T> {
    /// Adds the operation and the file.
    fn doing(self, doing: &'static str, path: &Path) -> Result<T, StoreError>;
}

impl<T, E: Into<Problem>> While<T> for Result<T, E> {
    fn doing(self, doing: &'static str, path: &Path) -> Result<T, StoreError> {
        self.map_err(|error| StoreError {
            doing,
            path: path.to_owned(),
            problem: error.into(),
        })
    }
}
