//! What a harness printed, mangled: nothing panics, what is taken can be shown, and every figure is a number.

#[path = "../../../../fuzz/harness.rs"]
mod harness;

use std::path::Path;

use super::{Asked, Case, benchmark, places, suite};
use crate::harness::{Group, Harness, Listing, Program};
use crate::named;
use crate::refused::Refused;
use crate::text::{name_fault, shown};

const WORDS: [&str; 24] = [
    "\n",
    "\n@@ stdout\n",
    "\n@@ status 0\n",
    " ",
    "-1",
    "NaN",
    "Inf",
    "1e999",
    "0",
    "99999999999999999999",
    "ns/op",
    "\u{1b}[2J",
    "\u{202e}",
    "../../x",
    "\"",
    "{",
    "}",
    "[",
    "]",
    "null",
    "│",
    ": benchmark",
    "<",
    "&lt;",
];

fn fuzz(name: &str) {
    let known = named(name).expect("a harness");
    harness::fuzz(&format!("harness/{name}"), &WORDS, |bytes| {
        hold(known, &Case::read(bytes))
    });
}

/// Every question is asked of every answer, not only the one that it was for.
fn hold(known: &dyn Harness, case: &Case) {
    let program = Program::new("words", "/out/words", "/project");
    let (name, group) = match &case.asked {
        Asked::Sample(name) | Asked::Group(name) => (name.as_str(), Group { name: name.clone() }),
        _ => ("a", Group { name: "a".to_owned() }),
    };
    for group in [None, Some(&group)] {
        listed(known.listed(&program, group, &case.done));
    }
    match known.sampled(&benchmark(name), &case.done) {
        Err(refused) => showable(&refused),
        Ok(sample) => {
            assert!(!sample.figures.is_empty());
            let faults = sample.figures.iter().find_map(crate::figure::fault);
            assert_eq!(faults, None);
        }
    }
    if let Err(refused) = known.built(&suite(), &places(), std::slice::from_ref(&case.done)) {
        showable(&refused);
    }
}

fn listed(listing: Result<Listing, Refused>) {
    match listing {
        Err(refused) => showable(&refused),
        Ok(listing) => {
            let names = listing.benchmarks.iter().map(crate::Benchmark::name);
            let mut names: Vec<&str> = names.chain(listing.groups.iter().map(Group::name)).collect();
            assert!(names.iter().all(|name| name_fault(name).is_none()), "{names:?}");
            assert!(listing.left_out.iter().all(|out| shown(&out.what) == out.what));
            let count = listing.benchmarks.len();
            names.truncate(count);
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "each name once");
        }
    }
}

fn showable(refused: &Refused) {
    let text = refused.to_string();
    assert_eq!(shown(&text), text);
    assert!(!refused.tried.is_empty() && !refused.found.is_empty() && !refused.hint.is_empty());
}

macro_rules! targets {
    ($($test:ident $name:literal)*) => {
        $(#[test] fn $test() { fuzz($name); })*

        #[test]
        fn fuzz_has_a_target_for_every_harness() {
            let targets = [$($name),*];
            assert!(crate::ALL.iter().all(|harness| targets.contains(&harness.name())));
        }
    };
}

targets! {
    fuzz_go "go"
    fuzz_criterion "criterion"
    fuzz_divan "divan"
    fuzz_libtest "libtest"
    fuzz_google_benchmark "google-benchmark"
    fuzz_catch2 "catch2"
    fuzz_jmh "jmh"
    fuzz_pytest_benchmark "pytest-benchmark"
    fuzz_pyperf "pyperf"
    fuzz_vitest "vitest"
    fuzz_tinybench "tinybench"
    fuzz_mitata "mitata"
    fuzz_haskell_criterion "haskell-criterion"
    fuzz_tasty_bench "tasty-bench"
    fuzz_generic "generic"
}

#[test]
fn fuzz_stored_files() {
    harness::fuzz("stored-benchmarks", &WORDS, |bytes| {
        match crate::stored(Path::new("criterion/a/new/estimates.json"), bytes) {
            Err(refused) => showable(&refused),
            Ok(found) => {
                assert!(!found.benchmarks.is_empty());
                for benchmark in &found.benchmarks {
                    assert_eq!(name_fault(&benchmark.name), None);
                    assert!(benchmark.samples.iter().all(|sample| !sample.is_empty()));
                    let mut figures = benchmark.samples.iter().flatten();
                    assert!(figures.all(|figure| crate::figure::fault(figure).is_none()));
                }
            }
        }
    });
}
