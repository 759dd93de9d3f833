//! Values as TOML writes them.

use toml_edit::{Array, Value};

/// A text as TOML writes it, always on one line.
pub(super) fn text(text: &str) -> Value {
    // TOML's own writer would choose a string of several lines for some texts.
    let quoted: String = text.chars().flat_map(escaped).collect();
    format!("\"{quoted}\"")
        .parse()
        .unwrap_or_else(|_| Value::from(text))
}

fn escaped(c: char) -> Vec<char> {
    match c {
        '"' | '\\' => vec!['\\', c],
        '\n' => vec!['\\', 'n'],
        '\r' => vec!['\\', 'r'],
        '\t' => vec!['\\', 't'],
        c if c.is_control() => format!("\\u{:04X}", c as u32).chars().collect(),
        c => vec![c],
    }
}

/// A list of texts.
pub(super) fn texts(words: &[String]) -> Value {
    words.iter().map(|word| text(word)).collect::<Array>().into()
}

/// A list of commands.
pub(super) fn commands(steps: &[Vec<String>]) -> Value {
    steps.iter().map(|step| texts(step)).collect::<Array>().into()
}
