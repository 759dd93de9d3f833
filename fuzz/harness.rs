//! Foreign bytes by the thousand: what is kept in `fuzz/corpus/TARGET/` as it is, and then mangled.
//!
//! Coverage-guided fuzzing needs a nightly compiler, so this is a plain harness that each room's tests include: seeded,
//! bounded, and run with all tests. An input that breaks something is written to the temporary folder, to be kept in
//! the corpus once it is cured.
//!
//! `TARE_FUZZ=N` sets the number of rounds of each target (2,000), `TARE_FUZZ_SECONDS=S` a time instead,
//! `TARE_FUZZ_SEED` repeats a run.

#![allow(clippy::print_stdout, reason = "what a person needs to repeat a failure")]
#![allow(dead_code, reason = "each room uses some")]

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// When it is enough.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bound {
    Rounds(usize),
    Time(Duration),
}

impl Bound {
    /// As the environment has it, or so many rounds.
    pub(crate) fn or(rounds: usize) -> Self {
        let number = |name| {
            std::env::var(name)
                .ok()
                .map(|text| text.parse().expect("a number"))
        };
        match (number("TARE_FUZZ_SECONDS"), number("TARE_FUZZ")) {
            (Some(seconds), _) => Self::Time(Duration::from_secs(seconds)),
            (None, Some(rounds)) => Self::Rounds(rounds as usize),
            (None, None) => Self::Rounds(rounds),
        }
    }

    /// The rounds, by their numbers.
    pub(crate) fn rounds(self) -> impl Iterator<Item = usize> {
        let began = Instant::now();
        (0..).take_while(move |&round| match self {
            Self::Rounds(rounds) => round < rounds,
            Self::Time(time) => began.elapsed() < time,
        })
    }
}

/// A generator whose seed is printed, so that a failing test shows it.
pub(crate) fn rng() -> fastrand::Rng {
    let seed =
        std::env::var("TARE_FUZZ_SEED").map_or_else(|_| fastrand::u64(..), |seed| seed.parse().unwrap());
    println!("TARE_FUZZ_SEED={seed}");
    fastrand::Rng::with_seed(seed)
}

/// What is kept for a target: names and contents, in the order of names. Never nothing.
pub(crate) fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../fuzz/corpus", target]
        .iter()
        .collect();
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut kept: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let entry = entry.unwrap();
            (
                entry.file_name().into_string().unwrap(),
                std::fs::read(entry.path()).unwrap(),
            )
        })
        .collect();
    kept.sort();
    assert!(!kept.is_empty(), "{} is empty", folder.display());
    kept
}

/// Holds what is kept for a target, and then what comes of mangling it. `words`: what its parser may trip over.
pub(crate) fn fuzz(target: &str, words: &[&str], mut hold: impl FnMut(&[u8])) {
    let (kept, mut rng) = (corpus(target), rng());
    for (name, bytes) in &kept {
        held(&format!("{target}/{name}"), bytes, &mut hold);
    }
    for round in Bound::or(2000).rounds() {
        let mut bytes = kept[rng.usize(..kept.len())].1.clone();
        if rng.u8(..8) == 0 {
            splice(&mut rng, &mut bytes, &kept);
        }
        mangle(&mut rng, &mut bytes, words);
        held(&format!("{target}, round {round}"), &bytes, &mut hold);
    }
}

fn held(what: &str, bytes: &[u8], hold: &mut impl FnMut(&[u8])) {
    if let Err(broken) = catch_unwind(AssertUnwindSafe(|| hold(bytes))) {
        let path = std::env::temp_dir().join(format!("tare-fuzz-{}", what.replace(['/', ' ', ','], "-")));
        let kept = std::fs::write(&path, bytes).map_or("nowhere".to_owned(), |()| path.display().to_string());
        println!("{what} is broken by {} (kept as {kept})", bytes.escape_ascii());
        resume_unwind(broken);
    }
}

/// Goes on with the end of another input.
fn splice(rng: &mut fastrand::Rng, bytes: &mut Vec<u8>, kept: &[(String, Vec<u8>)]) {
    let other = &kept[rng.usize(..kept.len())].1;
    let (at, from) = (rng.usize(..=bytes.len()), rng.usize(..=other.len()));
    bytes.truncate(at);
    bytes.extend_from_slice(&other[from..]);
}

/// Changes bytes in one to three places, one most of the time.
pub(crate) fn mangle(rng: &mut fastrand::Rng, bytes: &mut Vec<u8>, words: &[&str]) {
    for _ in 0..[1, 1, 1, 2, 3][rng.usize(..5)] {
        let at = rng.usize(..=bytes.len());
        let to = (at + rng.usize(..40)).min(bytes.len());
        match rng.u8(..6) {
            0 if at < bytes.len() => bytes[at] = rng.u8(..),
            1 => bytes.truncate(at),
            2 => bytes.insert(at, rng.u8(..)),
            3 => drop(bytes.drain(at..to)),
            4 => {
                let again = bytes[at..to].to_vec();
                bytes.splice(at..at, again);
            }
            _ => {
                let word = words.get(rng.usize(..words.len().max(1))).unwrap_or(&"\n");
                bytes.splice(at..at, word.bytes());
            }
        }
    }
}
