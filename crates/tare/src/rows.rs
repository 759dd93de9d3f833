//! Rows of texts with named columns, as a table, as JSON, and as CSV.

use tare_report::escape;

/// A row: column name and value.
pub type Row = Vec<(&'static str, String)>;

/// As a JSON array of objects.
pub fn json(rows: &[Row]) -> String {
    let object = |row: &Row| {
        let pairs = row
            .iter()
            .map(|(name, value)| ((*name).to_owned(), serde_json::Value::from(value.clone())));
        serde_json::Value::Object(pairs.collect())
    };
    format!(
        "{:#}\n",
        serde_json::Value::Array(rows.iter().map(object).collect())
    )
}

/// Columns as wide as their widest value; the last is left ragged.
pub fn table(rows: &[Row]) -> String {
    let Some(first) = rows.first() else {
        return "none yet\n".to_owned();
    };
    let width = |column: usize| {
        let values = rows.iter().map(|row| row[column].1.chars().count());
        values.chain([first[column].0.len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..first.len()).map(width).collect();
    let line = |cells: Vec<&str>| {
        let padded = cells
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"));
        format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
    };
    let mut text = line(first.iter().map(|(name, _)| *name).collect());
    rows.iter()
        .for_each(|row| text.push_str(&line(row.iter().map(|(_, value)| value.as_str()).collect())));
    text
}

/// As CSV, with a line of names.
pub fn csv(rows: &[Row]) -> String {
    let names = rows
        .first()
        .map(|row| row.iter().map(|(name, _)| (*name).to_owned()));
    let values = |row: &Row| {
        row.iter()
            .map(|(_, value)| escape::csv(value))
            .collect::<Vec<_>>()
    };
    let lines = names
        .map(Iterator::collect::<Vec<_>>)
        .into_iter()
        .chain(rows.iter().map(values));
    lines.map(|line| format!("{}\n", line.join(","))).collect()
}
