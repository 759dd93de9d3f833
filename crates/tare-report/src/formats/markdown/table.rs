//! A table of Markdown, whose cells are escaped already.

/// The table, with an empty line after it.
pub(super) fn table(out: &mut String, header: &[String], rows: Vec<Vec<String>>) {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    out.push_str(&line(header));
    out.push_str(&line(&vec!["---".to_owned(); header.len()]));
    for row in rows {
        out.push_str(&line(&row));
    }
    out.push('\n');
}
