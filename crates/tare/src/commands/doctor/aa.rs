//! The doctor's A/A test: measured as everything is, by `tare run`, in a lab of its own.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tare_rig::doctor::aa::{self, AaReading, WORKLOAD};

use crate::failure::{self, Failure};

/// Measures a program against itself for at most this long (its starts not counted).
///
/// # Errors
/// Where the run cannot be made or fails, with what it said.
pub fn measure(time: Duration) -> Result<Vec<AaReading>, Failure> {
    let lab = tempfile::Builder::new().prefix("tare-doctor-").tempdir();
    let lab = lab.map_err(|error| Failure::outside(format!("no temporary folder could be made: {error}")))?;
    let program =
        std::env::current_exe().map_err(|error| Failure::outside(format!("where is tare? {error}")))?;
    aa::write_lab(lab.path(), &[&program.to_string_lossy(), "__aa"])
        .map_err(|error| Failure::outside(format!("the doctor's lab: {error}")))?;
    let budget = format!("{}ms", time.as_millis());
    let words = [
        "run",
        WORKLOAD,
        "--budget",
        &budget,
        "--launches",
        "6",
        "--margin",
        "0%",
        "--format",
        "json",
        "-q",
    ];
    let results = tare(&program, lab.path(), &words)?;
    let slices = tare(&program, lab.path(), &["report", "latest", "--format", "slices"])?;
    let results = serde_json::from_str(&results)
        .map_err(|error| Failure::outside(format!("the doctor's run gave no results: {error}")))?;
    aa::read(&results, &slices)
        .map_err(|states| Failure::outside(format!("the doctor's run compared nothing: {states}")))
}

fn tare(program: &Path, lab: &Path, words: &[&str]) -> Result<String, Failure> {
    let mut command = Command::new(program);
    command.args(words).arg("-C").arg(lab).stdin(Stdio::null());
    let done = command
        .output()
        .map_err(|error| Failure::outside(format!("tare {}: {error}", words.join(" "))))?;
    match done.status.code() {
        Some(0) => Ok(String::from_utf8_lossy(&done.stdout).into_owned()),
        Some(code) if code == i32::from(failure::INTERRUPTED) => Err(failure::interrupted()),
        _ => Err(Failure::outside(format!(
            "the doctor's own run failed ({}): {}",
            done.status,
            String::from_utf8_lossy(&done.stderr).trim()
        ))
        .hint("`tare doctor --quick` looks without measuring")),
    }
}
