//! The frame that most charts share: a row for each contender, with its name on the left, a plot, and text on the right. On
//! narrow screens name and text are above the plot.

use super::scale::Scale;
use crate::draw::{Anchor, Canvas, MONO_12, SANS_12, break_text, width};

/// Below this width names and text are above the plot.
const NARROW: f64 = 560.0;
const LINE: f64 = 15.0;

/// One row: a name, and lines of text, each with its class.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// The name.
    pub name: String,
    /// Lines of text and their classes.
    pub words: Vec<(String, &'static str)>,
}

/// The layout.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// The plot's left edge.
    pub left: f64,
    /// The plot's right edge.
    pub right: f64,
    /// Whether names and text are above the plot.
    pub narrow: bool,
    width: f64,
    rows: Vec<Placed>,
    /// The plot's upper edge.
    pub top: f64,
    /// The plot's lower edge.
    pub bottom: f64,
}

#[derive(Debug, Clone)]
struct Placed {
    /// Its lines.
    name: Vec<String>,
    words: Vec<(String, &'static str)>,
    top: f64,
    height: f64,
}

impl Frame {
    /// Lays out rows under a head of `top` pixels.
    pub(super) fn new(full: f64, top: f64, entries: Vec<Entry>) -> Self {
        let narrow = full < NARROW;
        let most = if narrow { full } else { full * 0.30 };
        let rows: Vec<(Vec<String>, Vec<_>)> = entries
            .into_iter()
            .map(|entry| (break_text(&entry.name, most, MONO_12), broken(entry.words, most)))
            .collect();
        let names = rows
            .iter()
            .flat_map(|row| &row.0)
            .map(|line| width(line, MONO_12))
            .fold(0.0, f64::max);
        let said = rows
            .iter()
            .flat_map(|row| &row.1)
            .map(|line| width(&line.0, SANS_12))
            .fold(0.0, f64::max);
        let (left, right) = if narrow {
            (8.0, full - 8.0)
        } else {
            (names.min(most) + 18.0, full - said.min(most) - 18.0)
        };
        let mut frame = Self {
            left,
            right,
            narrow,
            width: full,
            rows: Vec::new(),
            top,
            bottom: top,
        };
        for (name, words) in rows {
            let height = frame.height_of(name.len(), words.len());
            let top = frame.bottom;
            frame.bottom += height;
            frame.rows.push(Placed {
                name,
                words,
                top,
                height,
            });
        }
        frame
    }

    fn height_of(&self, names: usize, words: usize) -> f64 {
        if self.narrow {
            LINE * (names + words) as f64 + 36.0
        } else {
            (LINE * names.max(words) as f64 + 12.0).max(30.0)
        }
    }

    /// The middle of a row's plot.
    pub(super) fn y(&self, index: usize) -> f64 {
        let row = &self.rows[index];
        if self.narrow {
            row.top + row.height - 18.0
        } else {
            row.top + row.height / 2.0
        }
    }

    /// Draws every row's name and text, and a hair line between rows.
    pub(super) fn label(&self, canvas: &mut Canvas) {
        for (index, row) in self.rows.iter().enumerate() {
            if index > 0 {
                canvas.line((0.0, row.top), (self.width, row.top), "dotted");
            }
            let middle = row.top + row.height / 2.0 + 4.0;
            let first = |lines: usize| middle - LINE * (lines as f64 - 1.0) / 2.0;
            let (name_y, words_x, words_y) = if self.narrow {
                let top = row.top + 16.0;
                (top, 0.0, top + LINE * row.name.len() as f64)
            } else {
                (first(row.name.len()), self.right + 18.0, first(row.words.len()))
            };
            for (line, text) in row.name.iter().enumerate() {
                canvas.text(0.0, name_y + LINE * line as f64, Anchor::Start, "name", text);
            }
            for (line, (text, class)) in row.words.iter().enumerate() {
                canvas.text(words_x, words_y + LINE * line as f64, Anchor::Start, class, text);
            }
        }
    }

    /// Draws a vertical grid line over the plot with its tick below.
    pub(super) fn tick(&self, canvas: &mut Canvas, x: f64, text: &str) {
        canvas.line((x, self.top), (x, self.bottom + 4.0), "");
        let half = width(text, 6.3) / 2.0;
        let x = x.clamp(half, self.width - half);
        canvas.text(x, self.bottom + 18.0, Anchor::Middle, "tick", text);
    }

    /// Draws ticks at least `apart` pixels from each other, each with the text that `show` makes of its value.
    pub(super) fn ticks(&self, canvas: &mut Canvas, scale: Scale, apart: f64, show: impl Fn(f64) -> String) {
        for value in scale.ticks(apart) {
            self.tick(canvas, scale.at(value), &show(value));
        }
    }

    /// The height of the whole, ticks included.
    pub(super) fn height(&self) -> f64 {
        self.bottom + 24.0
    }
}

fn broken(words: Vec<(String, &'static str)>, room: f64) -> Vec<(String, &'static str)> {
    let lines = words.into_iter().flat_map(|(text, class)| {
        break_text(&text, room, SANS_12)
            .into_iter()
            .map(move |line| (line, class))
    });
    lines.collect()
}
