//! Text for a terminal of some width: paragraphs, and the columns of tables.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};

use crate::escape::one_line;
use crate::grid::{Column, paint, wrap};
use crate::words::Tone;

/// What the terminal is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terminal {
    /// Its width in columns. Tables fit from 60 on; from 100 on they show the most.
    pub width: usize,
    /// Whether to use colour. Nothing is said by colour alone.
    pub color: bool,
}

impl Default for Terminal {
    fn default() -> Self {
        Self {
            width: 100,
            color: false,
        }
    }
}

/// A paragraph in a style.
pub(crate) fn paragraph(text: &str, style: Style, terminal: Terminal) -> String {
    indented(text, "", "", style, terminal)
}

/// A paragraph whose first line begins with `first` and each further one with as many blanks as `rest` has.
pub(crate) fn indented(text: &str, first: &str, rest: &str, style: Style, terminal: Terminal) -> String {
    let room = terminal.width.saturating_sub(rest.len().max(first.len())).max(20);
    let lines = wrap(&one_line(text), room);
    let line = |(index, line): (usize, String)| {
        let before = if index == 0 { first } else { rest };
        format!("{before}{}\n", paint(&line, style, terminal.color))
    };
    lines.into_iter().enumerate().map(line).collect()
}

/// The style of a verdict.
pub(crate) fn tone_style(tone: Tone) -> Style {
    match tone {
        Tone::Better => Style::new().fg_color(Some(AnsiColor::Green.into())),
        Tone::Worse => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
        Tone::Even => Style::new().fg_color(Some(AnsiColor::Cyan.into())),
        Tone::Open => Style::new().dimmed(),
    }
}

/// A column that takes what it needs.
pub(crate) fn column(title: impl Into<Cow<'static, str>>) -> Column {
    Column {
        title: title.into(),
        right: false,
        flexible: None,
    }
}

/// A column that wraps where there is little room, down to `least` columns.
pub(crate) fn flexible(title: impl Into<Cow<'static, str>>, least: usize) -> Column {
    Column {
        flexible: Some(least),
        ..column(title)
    }
}

/// A column of figures at the right.
pub(crate) fn right(title: impl Into<Cow<'static, str>>) -> Column {
    Column {
        right: true,
        ..column(title)
    }
}
