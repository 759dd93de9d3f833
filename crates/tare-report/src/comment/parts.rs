//! What all comments have.

use std::fmt::Write;

use tare_model::results::Results;

use crate::escape::{fenced, markdown, one_line, shortened};
use crate::when;
use crate::words;

/// What is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// `doubling/go`, or a command.
    pub what: String,
    /// The earlier revision, in words.
    pub before: String,
    /// The later one.
    pub after: String,
}

/// A comment on what could not be compared.
pub(super) fn failed_as(mark: &str, (what, revisions): (&str, &str), why: &str) -> String {
    format!(
        "{mark}\n### {}: **not measured**\n\nAsked for: {}.\n\n{}",
        code(what),
        code(revisions),
        fenced(&shortened(why))
    )
}

/// Foreign text as code, so that nothing in it is markup, a mention or a reference.
pub(super) fn code(text: &str) -> String {
    // A backtick would end the code.
    format!("`{}`", one_line(text).replace('`', "'"))
}

/// The run and its settings, folded.
pub(super) fn how(out: &mut String, results: &Results, placements: &[String]) {
    let run = &results.run;
    out.push_str("<details><summary>How this was measured</summary>\n\n");
    let _ = writeln!(
        out,
        "Run {}, {}, took {}, by tare {}; {}, {}, {}, kernel {}. Both sides were measured in interleaved rounds, in \
         random order.\n",
        code(&run.id),
        when::to_minute(run.started),
        when::length(run.took),
        markdown(&run.tare),
        markdown(&run.machine.cpu),
        words::counted(u64::from(run.machine.cores), "core"),
        markdown(&run.machine.os),
        markdown(&run.machine.kernel),
    );
    for placement in placements {
        let _ = writeln!(out, "- {}.", markdown(placement));
    }
    // The revisions are among them, with the subjects of their commits.
    let named: Vec<String> = words::settings(&run.settings)
        .iter()
        .map(|(name, value)| code(&format!("{name} {value}")))
        .collect();
    let _ = writeln!(out, "- {}.", named.join(", "));
    for note in &run.notes {
        let _ = writeln!(out, "- Note: {}", markdown(note));
    }
    out.push_str("\n</details>\n");
}
