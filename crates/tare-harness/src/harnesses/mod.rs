//! The harnesses: one file each, and its line here.

pub(crate) mod catch2;
pub(crate) mod criterion;
pub(crate) mod divan;
pub(crate) mod generic;
pub(crate) mod go;
pub(crate) mod google;
pub(crate) mod haskell_criterion;
pub(crate) mod jmh;
pub(crate) mod libtest;
mod node;
pub(crate) mod pyperf;
pub(crate) mod pytest;
pub(crate) mod tasty_bench;
pub(crate) mod vitest;

use crate::harness::Harness;

/// All that are known. `generic` is the last, and never found by what a project has.
pub const ALL: [&dyn Harness; 15] = [
    &go::Go,
    &criterion::Criterion,
    &divan::Divan,
    &libtest::Libtest,
    &google::Google,
    &catch2::Catch2,
    &jmh::Jmh,
    &pytest::Pytest,
    &pyperf::Pyperf,
    &vitest::Vitest,
    &node::TINYBENCH,
    &node::MITATA,
    &haskell_criterion::HaskellCriterion,
    &tasty_bench::TastyBench,
    &generic::Generic,
];

/// The harness of a name.
pub fn named(name: &str) -> Option<&'static dyn Harness> {
    ALL.into_iter().find(|harness| harness.name() == name)
}

/// Bytes that an executable has if it was made with a harness: the names of options that no other program has.
const TELLTALES: [(&str, &[u8]); 5] = [
    ("go", b"test.benchtime"),
    ("criterion", b"CRITERION_HOME"),
    ("divan", b"DIVAN_"),
    ("google-benchmark", b"benchmark_list_tests"),
    ("catch2", b"benchmark-samples"),
];

/// The harness that an executable was made with, as far as its bytes show it.
pub fn guessed(executable: &[u8]) -> Option<&'static dyn Harness> {
    let has = |bytes: &[u8]| executable.windows(bytes.len()).any(|window| window == bytes);
    let mut found = TELLTALES.iter().filter(|(_, bytes)| has(bytes));
    let only = found.next().filter(|_| found.next().is_none());
    only.and_then(|(name, _)| named(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_show_what_they_were_made_with() {
        let of = |bytes: &[u8]| guessed(bytes).map(Harness::name);
        assert_eq!(of(b"\x7fELF\0test.benchtime\0"), Some("go"));
        assert_eq!(of(b"#!/bin/sh\necho a 1 ns\n"), None);
        assert_eq!(of(b"test.benchtime CRITERION_HOME"), None);
        assert!(TELLTALES.iter().all(|(name, _)| named(name).is_some()));
    }
}
