//! One of the two revisions.

use std::path::PathBuf;

use tare_host::revisions::Revision;

/// One of the two revisions that are compared.
#[derive(Debug, Clone)]
pub struct Side {
    /// `before` or `after`.
    pub name: &'static str,
    /// The revision.
    pub revision: Revision,
    /// The folder of its files.
    pub tree: PathBuf,
}
