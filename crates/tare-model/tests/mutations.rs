//! However a manifest is mutated, its reader neither panics nor points outside of the file.

#![allow(clippy::print_stdout)]

mod manifests;

use std::path::PathBuf;

use tare_model::manifest::contender::Languages;
use tare_model::manifest::{ManifestError, Workload, contender, language, published, service, workload};

/// Bytes that are read in all, for each manifest: a few hundred mutations of a long one.
const BYTES_OF_EACH: usize = 10_000_000;

/// Bits of TOML that readers trip over.
const PIECES: [&[u8]; 32] = [
    b"\"",
    b"'",
    b"[",
    b"]",
    b"{",
    b"}",
    b"=",
    b".",
    b",",
    b"\n",
    b"#",
    b"\\u0000",
    b"\"\"\"",
    b"[[",
    b"]]",
    b"0",
    b"-1",
    b"99999999999999999999",
    b"1e400",
    b"nan",
    b"true",
    b"2026-11-21",
    b"[]",
    b"{}",
    b"\"\"",
    b"..",
    b"{port}",
    b"{",
    b"\xff",
    b"\xEF\xBB\xBF",
    b"\r",
    b"[a.b.c.d]\n",
];

fn mutate(rng: &mut fastrand::Rng, bytes: &mut Vec<u8>) {
    for _ in 0..rng.usize(1..=4) {
        let at = rng.usize(0..=bytes.len());
        let end = (at + rng.usize(0..20)).min(bytes.len());
        match rng.u8(0..6) {
            0 => drop(bytes.drain(at..end)),
            1 => drop(bytes.splice(at..at, rng.choice(PIECES).unwrap().iter().copied())),
            2 => drop(bytes.splice(at..end, rng.choice(PIECES).unwrap().iter().copied())),
            3 => bytes.truncate(at),
            4 => {
                let piece = bytes[at..end].to_vec();
                let to = rng.usize(0..=bytes.len());
                drop(bytes.splice(to..to, piece));
            }
            _ if at < bytes.len() => bytes[at] = rng.u8(..),
            _ => {}
        }
    }
}

/// A line swapped with another, doubled or dropped: mistakes that usually stay TOML.
fn mutate_lines(rng: &mut fastrand::Rng, bytes: &mut Vec<u8>) {
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let (one, other) = (rng.usize(0..lines.len()), rng.usize(0..lines.len()));
    match rng.u8(0..3) {
        0 => lines.swap(one, other),
        1 => lines.insert(one, lines[other]),
        _ => drop(lines.remove(one)),
    }
    *bytes = lines.join(&b'\n');
}

/// Errors are of this file, at lines that it has, and not empty.
fn hold(bytes: &[u8], error: &ManifestError) {
    let lines = bytes.split(|byte| *byte == b'\n').count() as u32;
    assert!(!error.problems.is_empty(), "an error without a problem");
    for problem in &error.problems {
        assert_eq!(problem.file, "x.toml");
        let line = problem.line.unwrap_or_else(|| panic!("no line: {problem}"));
        assert!((1..=lines).contains(&line), "line {line} of {lines}: {problem}");
        assert!(!problem.text.is_empty());
    }
    assert!(
        error.problems.is_sorted_by_key(|problem| problem.line),
        "not in order:\n{error}"
    );
}

fn hold_all(name: &str, whole: &str, parse: impl Fn(&[u8]) -> Option<ManifestError>) {
    let seed = std::env::var("TARE_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or_else(|| fastrand::u64(..));
    println!("{name}: TARE_SEED={seed}");
    let mut rng = fastrand::Rng::with_seed(seed);
    let (mut refused, mut passed) = (0, 0);
    for _ in 0..(BYTES_OF_EACH / whole.len()).min(3000) {
        let mut bytes = whole.as_bytes().to_vec();
        if rng.bool() {
            mutate(&mut rng, &mut bytes);
        } else {
            (0..rng.usize(1..4)).for_each(|_| mutate_lines(&mut rng, &mut bytes));
        }
        match parse(&bytes) {
            Some(error) => {
                hold(&bytes, &error);
                refused += 1;
            }
            None => passed += 1,
        }
    }
    println!("{refused} refused, {passed} passed");
    // Both must have happened, or the mutations test nothing.
    assert!(refused > 20 && passed > 5, "{refused} refused, {passed} passed");
}

/// A manifest of the repository's own lab.
fn own(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn context() -> (Workload, Languages) {
    (manifests::workload(), manifests::languages())
}

#[test]
fn mutated_workloads() {
    for whole in [manifests::WORKLOAD, &own("workloads/doubling/workload.toml")] {
        hold_all("workloads", whole, |bytes| {
            workload::parse(bytes, "x.toml", "x", PathBuf::new()).err()
        });
    }
}

#[test]
fn mutated_languages() {
    for whole in [manifests::LANGUAGE, &own("languages/java.toml")] {
        hold_all("languages", whole, |bytes| {
            language::parse(bytes, "x.toml", "x").err()
        });
    }
}

#[test]
fn mutated_contenders() {
    let (workload, languages) = context();
    hold_all("contenders", manifests::PLAIN, |bytes| {
        contender::parse(bytes, "x.toml", "x", &workload, &languages).err()
    });
}

#[test]
fn mutated_published_figures() {
    let workload = manifests::workload();
    for whole in [
        manifests::PUBLISHED,
        manifests::FINDINGS,
        &own("workloads/doubling/published.toml"),
    ] {
        hold_all("published", whole, |bytes| {
            published::parse(bytes, "x.toml", &workload).err()
        });
    }
}

#[test]
fn mutated_services() {
    for whole in [
        own("services/postgresql/service.toml"),
        own("services/world-sqlite/service.toml"),
    ] {
        hold_all("services", &whole, |bytes| {
            service::parse(bytes, "x.toml", "x").err()
        });
    }
}
