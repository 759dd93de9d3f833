//! The run itself.

use anstyle::Style;
use tare_model::results::Results;

use crate::escape;
use crate::layout::{Terminal, paragraph};
use crate::nodes;
use crate::when;
use crate::words;

/// The run: when, where, how long, and its notes.
pub(super) fn about(results: &Results, terminal: Terminal) -> String {
    let run = &results.run;
    let machine = &run.machine;
    let state = if run.complete { "" } else { " (not complete)" };
    let suites = words::suites(&run.settings);
    let suites = suites.map_or(String::new(), |text| format!(", {}", escape::one_line(&text)));
    let text = format!(
        "Run {}{state}{suites}, {}, took {}; {}, {}, {}.",
        escape::one_line(&run.id),
        when::to_minute(run.started),
        when::length(run.took),
        escape::one_line(&machine.cpu),
        words::counted(u64::from(machine.cores), "core"),
        escape::one_line(&machine.os)
    );
    let mut out = paragraph(&text, Style::new().dimmed(), terminal);
    if let Some(sentence) = nodes::sentence(run) {
        out.push_str(&paragraph(&sentence, Style::new(), terminal));
    }
    for note in &run.notes {
        out.push_str(&paragraph(&format!("note: {note}"), Style::new(), terminal));
    }
    out
}
