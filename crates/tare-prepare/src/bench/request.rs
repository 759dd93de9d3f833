//! Which benchmarks are measured, and how, in plain types.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tare_model::settings::Many;

use crate::revisions::Setup;

/// Benchmarks that are to be measured.
#[derive(Debug, Clone)]
pub struct BenchRequest {
    /// What is compared.
    pub compared: Compared,
    /// The names of harnesses (`go`, `criterion`); empty: all that are found.
    pub harnesses: Vec<String>,
    /// A regular expression that a benchmark's name has to match somewhere; none: all.
    pub only: Option<String>,
    /// Whether benchmarks are measured whose own sources differ between the sides.
    pub rewritten: bool,
    /// How they are measured and judged.
    pub rules: BenchRules,
}

/// Where a request comes from, and where builds are kept.
#[derive(Debug, Clone, Copy)]
pub struct BenchPlaces<'a> {
    /// The folder that was asked from.
    pub here: &'a Path,
    /// The state folder that trees and builds belong to: of a repository, its own `.tare`.
    pub own: &'a Path,
}

/// What is compared.
#[derive(Debug, Clone)]
pub enum Compared {
    /// The tree of the folder that was asked from, as it is: nothing is compared.
    Here {
        /// A program of it that is there already; none: those that harnesses build.
        program: Option<Given>,
    },
    /// Two revisions of the repository.
    Revisions {
        /// As git writes them: `main`, `v1.0..v1.1`, `main...topic`.
        revisions: String,
        /// Whose benchmarks both sides run.
        from: BenchmarksFrom,
        /// What is run once in the tree of each side before anything is built.
        setup: Option<Setup>,
        /// A program of each tree that needs no build, its path seen from the folder that was asked from; none: those that
        /// harnesses build.
        program: Option<Given>,
    },
    /// Programs that are built already: one, or the earlier and the later.
    Programs(Vec<Given>),
}

/// Whose benchmarks both sides run. What is measured by them is each side's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BenchmarksFrom {
    /// Those of the later side.
    Later,
    /// Those of a revision, as git writes it.
    Revision(String),
    /// Each side runs its own.
    Each,
}

/// A program that is there already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// What it is called.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
}

/// How benchmarks are measured and judged.
#[derive(Debug, Clone)]
pub struct BenchRules {
    /// The most layouts of each side, each drawn by the linker; 1: each side is built once.
    pub layouts: u32,
    /// The longest that measuring may take; none: until all is decided.
    pub budget: Option<Duration>,
    /// What counts as equivalent, as a share.
    pub margin: f64,
    /// The error rate of the run, as a share.
    pub alpha: f64,
    /// What is bounded over all benchmarks.
    pub many: Many,
    /// Seed of the order of rounds.
    pub seed: u64,
    /// How long one sample may take.
    pub timeout: Duration,
    /// How long each command of a build may take.
    pub build_timeout: Duration,
    /// The cores that benchmarks run on; none: those of this process.
    pub cores: Option<Vec<u32>>,
}
