//! Feeds the same bytes to every reader of manifests: none may panic, and every problem is on a line of the file.
//!
//! `cargo +nightly fuzz run manifests -- -max_total_time=60`, in `crates/tare-model`.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tare_model::manifest::contender::Languages;
use tare_model::manifest::{ManifestError, Workload, contender, language, published, render, workload};

#[path = "../../tests/manifests/mod.rs"]
mod manifests;

/// What contenders and published figures are read against.
static CONTEXT: LazyLock<(Workload, Languages)> =
    LazyLock::new(|| (manifests::workload(), manifests::languages()));

fn hold<T>(bytes: &[u8], read: Result<T, ManifestError>) -> Option<T> {
    let lines = bytes.split(|byte| *byte == b'\n').count() as u32;
    match read {
        Ok(value) => Some(value),
        Err(error) => {
            assert!(!error.problems.is_empty());
            for problem in &error.problems {
                assert!(
                    problem.line.is_none_or(|line| (1..=lines).contains(&line)),
                    "{problem}"
                );
            }
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let (whole, languages) = &*CONTEXT;
    hold(bytes, language::parse(bytes, "x.toml", "x"));
    hold(bytes, published::parse(bytes, "x.toml", whole));
    if let Some(workload) = hold(bytes, workload::parse(bytes, "x.toml", "x", PathBuf::new())) {
        render::workload(&workload, &Vec::new());
    }
    for contender in hold(bytes, contender::parse(bytes, "x.toml", "x", whole, languages)).unwrap_or_default()
    {
        render::contender(&contender);
    }
});
