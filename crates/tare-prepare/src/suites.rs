//! Checkouts of other suites: as they are, or at a revision.

use std::path::{Path, PathBuf};

use tare_host::revisions::Repository;
use tare_suites::{Checkout, SuiteError};

use crate::error::{PrepareError, Result};
use crate::revisions::used;

/// The folder, of those that tare makes, where trees of checkouts are.
const TREES: &str = "suites";

/// A checkout that was read, and what of it.
pub struct CheckoutAt {
    /// What is in it.
    pub checkout: Checkout,
    /// The revision that was asked for, as its repository describes it; none: the files as they are.
    pub revision: Option<String>,
}

/// Reads a checkout of another suite, or a folder of one: the files as they are, or those of a revision, which are checked
/// out below `own` and kept there.
///
/// # Errors
/// It is no such folder, or there is no such revision.
pub fn checkout(folder: &Path, revision: Option<&str>, own: &Path) -> Result<CheckoutAt> {
    let Some(name) = revision else {
        return Ok(CheckoutAt {
            checkout: tare_suites::read(folder)?,
            revision: None,
        });
    };
    let missing = || SuiteError::NoFolder {
        folder: folder.to_owned(),
    };
    let whole = folder.canonicalize().map_err(|_| missing())?;
    let repository = Repository::of(&whole).map_err(PrepareError::Revision)?;
    let revision = repository.revision(name).map_err(PrepareError::Revision)?;
    let root = repository.root().canonicalize().map_err(|_| missing())?;
    let below: PathBuf = whole.strip_prefix(&root).map_err(|_| missing())?.to_owned();
    let tree = repository
        .check_out(&revision, &own.join(TREES))
        .map_err(PrepareError::Revision)?;
    used(&tree.folder);
    let there = tree.folder.join(&below);
    if !there.is_dir() {
        return Err(PrepareError::NotInRevision {
            folder: below,
            revision: revision.describe(),
        });
    }
    Ok(CheckoutAt {
        checkout: tare_suites::read(&there)?,
        revision: Some(revision.describe()),
    })
}
