//! `tare bench --list`: the benchmarks that would be measured.

use serde_json::json;
use tare_model::benchmark::BEFORE;
use tare_prepare::bench::{BenchJob, Entry};
use tare_report::words;

use crate::context::{self, Context};
use crate::failure::Failure;

/// Prints them, and what was left out; the exit status.
pub fn tell(context: &Context, job: &BenchJob) -> Result<u8, Failure> {
    let entries = job.entries();
    if context.json() {
        let list: Vec<_> = entries.iter().map(document).collect();
        context::put(&format!(
            "{:#}\n",
            json!({ "benchmarks": list, "notes": job.remarks() })
        ))?;
        return Ok(0);
    }
    let two = entries.iter().any(|entry| entry.sides.contains(&BEFORE));
    let text: String = entries.iter().map(|entry| line(entry, two)).collect();
    context::put(&text)?;
    for remark in job.remarks() {
        context.say(format!("note: {remark}"));
    }
    context.say(words::counted(entries.len() as u64, "benchmark"));
    Ok(0)
}

fn document(entry: &Entry) -> serde_json::Value {
    json!({
        "harness": entry.harness,
        "program": entry.program,
        "name": entry.name,
        "sides": entry.sides,
        "rewritten": entry.rewritten,
    })
}

/// `go rank BenchmarkRank`, with what keeps it from being judged where there are two sides.
fn line(entry: &Entry, two: bool) -> String {
    let remark = match (two, entry.sides.as_slice()) {
        (true, [only]) if *only == BEFORE => "  (only before the change)",
        (true, [_]) => "  (only after the change)",
        _ if entry.rewritten => "  (rewritten)",
        _ => "",
    };
    format!("{} {} {}{remark}\n", entry.harness, entry.program, entry.name)
}
