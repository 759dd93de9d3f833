//! What a format of a run is: a name, and a function from the run to texts.

use tare_model::record::RunRecord;
use tare_model::results::Results;

use crate::layout::Terminal;

/// A way to show a run. Each is one file, and one line in [`crate::formats::ALL`].
#[derive(Debug)]
pub struct Format {
    /// As it is typed: `md`. It is also the ending of a file's name.
    pub name: &'static str,
    /// Shows a run.
    pub render: fn(&Source<'_>) -> Result<Output, Unfit>,
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// What a format may use of a run.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// What was recorded, slice by slice.
    pub record: &'a RunRecord,
    /// What follows from it.
    pub results: &'a Results,
    /// Where it may be shown.
    pub terminal: Terminal,
}

/// What a format makes of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// A text for standard output.
    Text(String),
    /// A document for a file of its own.
    Document(String),
    /// Several files.
    Files(Vec<File>),
}

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its path from the folder that it belongs to: `doubling-one-core-cost-ratio.svg`, `runs/20261121-204512.html`.
    pub path: String,
    /// Its whole text.
    pub text: String,
}

/// Why a format cannot show a run, or a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// What is wrong.
    pub why: String,
    /// What to do about it.
    pub hint: String,
}
