//! A table of text for terminals: fixed columns take the width that they need, flexible ones wrap into the rest.

use std::borrow::Cow;

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// One cell: its text and its style.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    /// The text, escaped already.
    pub text: String,
    /// Its style, which only repeats what the text says.
    pub style: Style,
}

/// One column.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    /// Its heading.
    pub title: Cow<'static, str>,
    /// Whether its cells are right-aligned.
    pub right: bool,
    /// The width down to which it may be narrowed by wrapping. None: it is never narrowed.
    pub flexible: Option<usize>,
}

/// A table.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows; each has as many cells as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

const GAP: usize = 2;

impl Cell {
    /// A cell without a style.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            style: Style::new(),
        }
    }

    /// A cell with a style.
    pub(crate) fn styled(text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
        }
    }
}

impl Grid {
    /// The table within `width` columns if its fixed columns allow that, with `\n` after each line.
    pub(crate) fn render(&self, width: usize, color: bool) -> String {
        let widths = self.widths(width);
        let titles = self
            .columns
            .iter()
            .map(|column| Cell::styled(&*column.title, Style::new().dimmed()));
        let mut out = self.line(&titles.collect::<Vec<_>>(), &widths, color);
        for row in &self.rows {
            out.push_str(&self.line(row, &widths, color));
        }
        out
    }

    /// Natural widths, with the excess over the line taken from the flexible columns, from right to left.
    fn widths(&self, width: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = (0..self.columns.len()).map(|index| self.natural(index)).collect();
        let gaps = GAP * self.columns.len().saturating_sub(1);
        let mut over = (widths.iter().sum::<usize>() + gaps).saturating_sub(width);
        for (width, column) in widths.iter_mut().zip(&self.columns).rev() {
            let spare = column.flexible.map_or(0, |least| width.saturating_sub(least));
            let less = spare.min(over);
            *width -= less;
            over -= less;
        }
        widths
    }

    fn natural(&self, index: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[index].text.width());
        cells
            .chain([self.columns[index].title.width()])
            .max()
            .unwrap_or(0)
    }

    fn line(&self, cells: &[Cell], widths: &[usize], color: bool) -> String {
        let wrapped: Vec<Vec<String>> = cells
            .iter()
            .zip(widths)
            .map(|(cell, &width)| wrap(&cell.text, width))
            .collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
        let mut out = String::new();
        for depth in 0..height {
            let mut line = String::new();
            for (index, lines) in wrapped.iter().enumerate() {
                let text = lines.get(depth).map_or("", String::as_str);
                let padded = pad(text, widths[index], self.columns[index].right);
                line.push_str(&paint(&padded, cells[index].style, color));
                line.push_str(&" ".repeat(GAP));
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}

/// Text in its style, if there is colour. Spaces around it have no style.
pub(crate) fn paint(text: &str, style: Style, color: bool) -> String {
    let inner = text.trim();
    if !color || style.is_plain() || inner.is_empty() {
        return text.to_owned();
    }
    let before = &text[..text.len() - text.trim_start().len()];
    let after = &text[text.trim_end().len()..];
    format!("{before}{style}{inner}{style:#}{after}")
}

fn pad(text: &str, width: usize, right: bool) -> String {
    let space = " ".repeat(width.saturating_sub(text.width()));
    if right {
        format!("{space}{text}")
    } else {
        format!("{text}{space}")
    }
}

/// Text broken into lines of at most `width` columns, at spaces where there are any. Nothing is cut off.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    if text.width() <= width {
        return vec![text.to_owned()]; // as it is: spaces within charts of text count
    }
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is always a line");
        if !last.is_empty() && last.width() + 1 + word.width() <= width {
            last.push(' ');
            last.push_str(word);
            continue;
        }
        if !last.is_empty() {
            lines.push(String::new());
        }
        put_word(&mut lines, word, width);
    }
    lines
}

fn put_word(lines: &mut Vec<String>, word: &str, width: usize) {
    for c in word.chars() {
        let last = lines.last_mut().expect("there is always a line");
        if !last.is_empty() && last.width() + c.width().unwrap_or(0) > width {
            lines.push(String::new());
        }
        lines.last_mut().expect("there is always a line").push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_breaks_at_spaces_and_loses_nothing() {
        assert_eq!(
            wrap("inconclusive: about 4 more launches", 18),
            ["inconclusive:", "about 4 more", "launches"]
        );
        assert_eq!(wrap("haskell-conduit@all", 10), ["haskell-co", "nduit@all"]);
        assert_eq!(wrap("ab 世界世界", 5), ["ab", "世界", "世界"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn flexible_columns_give_way() {
        let column = |title, flexible| Column {
            title: Cow::Borrowed(title),
            right: false,
            flexible,
        };
        let grid = Grid {
            columns: vec![column("a", None), column("b", Some(5))],
            rows: vec![vec![Cell::plain("12345"), Cell::plain("one two three")]],
        };
        assert_eq!(grid.render(14, true).lines().nth(1), Some("12345  one two"));
        assert!(grid.render(14, false).lines().all(|line| line.width() <= 14));
    }

    #[test]
    fn a_style_leaves_the_text() {
        let bold = Style::new().bold();
        assert_eq!(paint(" a ", bold, false), " a ");
        assert_eq!(paint(" a ", bold, true), " \u{1b}[1ma\u{1b}[0m ");
    }
}
