//! The harnesses: one file each, and its line here.

mod catch2;
mod criterion;
mod divan;
mod generic;
mod go;
mod google;
mod haskell_criterion;
mod jmh;
mod libtest;
mod pyperf;
mod pytest;
mod vitest;

use crate::harness::Harness;

/// All that are known. `generic` is the last, and never found by what a project has.
pub const ALL: [&dyn Harness; 12] = [
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
    &haskell_criterion::HaskellCriterion,
    &generic::Generic,
];

/// The harness of a name.
pub fn named(name: &str) -> Option<&'static dyn Harness> {
    ALL.into_iter().find(|harness| harness.name() == name)
}
