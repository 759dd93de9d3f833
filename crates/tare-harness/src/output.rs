//! What a program left, judged before it is read.

use crate::command::Done;
use crate::harness::{Benchmark, Listing, Program, Suite};
use crate::refused::Refused;
use crate::text::last_lines;

/// The most output that is read, in bytes, of a stream or a file.
pub(crate) const LONGEST: usize = 64 << 20;

/// That a command failed: how it ended, and its own last lines.
pub(crate) fn failed(tried: &str, done: &Done, what: &str, hint: &str) -> Refused {
    let ended = match done.status {
        Some(status) => format!("exit status {status}"),
        None => "ended by a signal".to_owned(),
    };
    let streams = [&done.stderr, &done.stdout].map(|bytes| last_lines(bytes));
    let words = streams.iter().filter(|lines| !lines.is_empty());
    let words: String = words.map(|lines| format!("\n{lines}")).collect();
    Refused::new(tried, &format!("{what} ({ended}){words}"), hint)
}

/// That a suite does not build: how the command ended, and its last lines.
pub fn not_built(suite: &Suite, done: &Done) -> Refused {
    // What tools read is no help to people, where there is anything else.
    let stdout = if done.stderr.is_empty() {
        done.stdout.clone()
    } else {
        Vec::new()
    };
    let shown = Done {
        stdout,
        ..done.clone()
    };
    let tried = format!("build the benchmarks of {}", suite.name);
    failed(
        &tried,
        &shown,
        "it failed",
        "build it by hand, and cure what it says",
    )
}

/// That it ended well, and left no flood.
pub(crate) fn ended_well(tried: &str, done: &Done) -> Result<(), Refused> {
    let hint = "run it by hand, and cure what it says";
    if done.status != Some(0) {
        return Err(failed(tried, done, "it failed", hint));
    }
    bounded(tried, done)
}

pub(crate) fn bounded(tried: &str, done: &Done) -> Result<(), Refused> {
    let streams = [&done.stdout, &done.stderr]
        .into_iter()
        .chain(done.files.values());
    if streams.into_iter().any(|bytes| bytes.len() > LONGEST) {
        let found = format!("it wrote more than {} MB", LONGEST >> 20);
        return Err(Refused::new(tried, &found, "let the benchmark write less"));
    }
    Ok(())
}

/// That a sample gave no result, whatever its exit status.
pub(crate) fn no_result(benchmark: &Benchmark, done: &Done) -> Refused {
    let hint = "it may be skipped, or have another name by now: list the benchmarks anew";
    failed(&benchmark.tried(), done, "it gave no result", hint)
}

/// That a sample gave several results, so that nobody knows which is the benchmark's.
pub(crate) fn several(benchmark: &Benchmark, count: usize) -> Refused {
    let hint = "give the benchmarks different names, and let them print nothing that looks like a result";
    Refused::new(
        &benchmark.tried(),
        &format!("it gave {count} results where one was asked for"),
        hint,
    )
}

/// The listing, if it names anything.
pub(crate) fn not_empty(program: &Program, done: &Done, listing: Listing) -> Result<Listing, Refused> {
    if !listing.is_empty() {
        return Ok(listing);
    }
    let out: String = listing
        .left_out
        .iter()
        .map(|out| format!("; {}: {}", out.what, out.why))
        .collect();
    let hint = "run it by hand: features, tags or filters of the build may leave the benchmarks out";
    Err(failed(
        &listing_of(program),
        done,
        &format!("it names no benchmark{out}"),
        hint,
    ))
}

pub(crate) fn listing_of(program: &Program) -> String {
    format!("list the benchmarks of {}", program.name)
}
