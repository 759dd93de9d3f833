//! An explanation: findings and layers.

use std::fmt::Write;

use tare_model::explanation::Explanation;

use crate::escape::markdown;
use crate::explanation::{closure, grounds, layer_row, layers, lead, sentence, title};

/// The whole section.
pub(super) fn section(explanation: &Explanation) -> String {
    let mut out = format!(
        "## Explanation: {}\n\n{}\n\n",
        markdown(&title(explanation)),
        markdown(&lead(explanation))
    );
    for finding in &explanation.findings {
        let _ = writeln!(
            out,
            "- {} ({})",
            markdown(&sentence(finding)),
            markdown(&finding.evidence)
        );
    }
    let floor = explanation.floor.is_some();
    if !explanation.layers.is_empty() {
        let middle = if floor { "floor | " } else { "" };
        let _ = writeln!(
            out,
            "\n| layer | {middle}{} | {} | difference |\n|---|{}---|---|---|",
            markdown(&explanation.a.to_string()),
            markdown(&explanation.b.to_string()),
            if floor { "---|" } else { "" }
        );
        for part in layers(explanation) {
            let cells: Vec<String> = layer_row(part, floor).iter().map(|cell| markdown(cell)).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
        out.extend(closure(explanation).map(|text| format!("\n{}\n", markdown(&text))));
    }
    let _ = writeln!(out, "\n{}", markdown(&grounds(explanation)));
    for note in &explanation.notes {
        let _ = writeln!(out, "\nNote: {}", markdown(note));
    }
    out.push('\n');
    out
}
