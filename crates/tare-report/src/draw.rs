//! A small SVG writer: shapes onto a canvas, a canvas into a chart, a chart into a page or a file of its own.
//!
//! Coordinates are in pixels from the upper left. Colours and strokes come from classes in `charts/charts.css`, so
//! that a chart looks the same in a page and as a file, in light and in dark. All text is escaped here.

use std::fmt::Write;

use crate::escape::xml;

/// The look of every chart.
pub(crate) const STYLE: &str = include_str!("charts/charts.css");

/// Which point of a text is at x.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// At its start.
    Start,
    /// In its middle.
    Middle,
    /// At its end.
    End,
}

/// Shapes, in the order in which they were drawn.
#[derive(Debug, Clone, Default)]
pub struct Canvas {
    body: String,
}

/// A drawing with its title and caption.
#[derive(Debug, Clone)]
pub struct Chart {
    /// A short name for files: `ratio`.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// How to read it, what its verdicts are based on, sources.
    pub caption: Vec<String>,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// Its shapes.
    pub canvas: Canvas,
}

/// A number for an attribute: at most one decimal.
fn n(value: f64) -> String {
    let text = format!("{value:.1}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_owned(),
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

impl Canvas {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    fn push(&mut self, markup: std::fmt::Arguments<'_>) {
        let _ = self.body.write_fmt(markup); // writing to a string cannot fail
        self.body.push('\n');
    }

    /// A text with its baseline at `y`.
    pub fn text(&mut self, x: f64, y: f64, anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y) = (n(x), n(y));
        self.push(format_args!(
            "<text x=\"{x}\" y=\"{y}\"{anchor} class=\"{class}\">{}</text>",
            xml(text)
        ));
    }

    /// A line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let (x1, y1, x2, y2) = (n(from.0), n(from.1), n(to.0), n(to.1));
        self.push(format_args!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" class=\"{class}\"/>"
        ));
    }

    /// A rectangle with its upper left corner at `at`, its corners rounded by `radius`.
    pub(crate) fn rect(&mut self, at: (f64, f64), size: (f64, f64), radius: f64, class: &str) {
        let (x, y, w, h, r) = (
            n(at.0),
            n(at.1),
            n(size.0.max(0.0)),
            n(size.1.max(0.0)),
            n(radius),
        );
        self.push(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{r}\" class=\"{class}\"/>"
        ));
    }

    /// A disc.
    pub fn circle(&mut self, at: (f64, f64), radius: f64, class: &str) {
        let (x, y, r) = (n(at.0), n(at.1), n(radius));
        self.push(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" class=\"{class}\"/>"
        ));
    }

    /// A square that stands on a corner.
    pub(crate) fn diamond(&mut self, at: (f64, f64), radius: f64, class: &str) {
        let (x, y, r) = at_radius(at, radius);
        self.push(format_args!(
            "<path d=\"M{x} {y}m0 -{r}l{r} {r}l-{r} {r}l-{r} -{r}z\" class=\"{class}\"/>"
        ));
    }

    /// A square.
    pub fn square(&mut self, at: (f64, f64), radius: f64, class: &str) {
        self.rect(
            (at.0 - radius, at.1 - radius),
            (2.0 * radius, 2.0 * radius),
            1.0,
            class,
        );
    }

    /// The area between two lines of points.
    pub(crate) fn area(&mut self, one: &[(f64, f64)], other: &[(f64, f64)], class: &str) {
        let mut path = String::new();
        for (index, &(x, y)) in one.iter().chain(other.iter().rev()).enumerate() {
            let step = if index == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{step}{} {}", n(x), n(y));
        }
        self.push(format_args!("<path d=\"{path}Z\" class=\"{class}\"/>"));
    }

    /// A line through points.
    pub fn curve(&mut self, points: &[(f64, f64)], class: &str) {
        let mut path = String::new();
        for (index, &(x, y)) in points.iter().enumerate() {
            let step = if index == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{step}{} {}", n(x), n(y));
        }
        self.push(format_args!("<path d=\"{path}\" class=\"{class}\"/>"));
    }
}

fn at_radius(at: (f64, f64), radius: f64) -> (String, String, String) {
    (n(at.0), n(at.1), n(radius))
}

impl Chart {
    /// Markup for a page, which has the style.
    pub fn inline(&self, class: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart {class}\" role=\"img\" aria-label=\"{}\" \
             viewBox=\"0 0 {} {}\">\n{}</svg>\n",
            xml(&self.title),
            n(self.width),
            n(self.height),
            self.canvas.body
        )
    }

    /// A file of its own, with title, caption, style and background.
    pub fn standalone(&self) -> String {
        const EDGE: f64 = 24.0;
        const TOP: f64 = 58.0;
        const LINE: f64 = 16.0;
        let width = self.width + 2.0 * EDGE;
        let lines: Vec<String> = self
            .caption
            .iter()
            .flat_map(|text| break_text(text, self.width, SANS_12))
            .collect();
        let height = TOP + self.height + 14.0 + LINE * lines.len() as f64 + EDGE - 8.0;
        let mut frame = Canvas::new();
        frame.rect((0.5, 0.5), (width - 1.0, height - 1.0), 8.0, "ground");
        frame.text(EDGE, 34.0, Anchor::Start, "title", &self.title);
        let mut notes = Canvas::new();
        for (index, line) in lines.iter().enumerate() {
            let y = TOP + self.height + 22.0 + LINE * index as f64;
            notes.text(EDGE, y, Anchor::Start, "soft", line);
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart lone\" role=\"img\" width=\"{w}\" \
             height=\"{h}\" viewBox=\"0 0 {w} {h}\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n{frame}\
             <g transform=\"translate({EDGE} {TOP})\">\n{body}</g>\n{notes}</svg>\n",
            w = n(width),
            h = n(height),
            title = xml(&self.title),
            frame = frame.body,
            body = self.canvas.body,
            notes = notes.body,
        )
    }
}

/// Pixels that a character of 12 px sans serif text takes on average in the widest common font (DejaVu Sans is
/// the widest of those that the style names or falls back to).
pub(crate) const SANS_12: f64 = 6.9;

/// The same of 12 px monospace text.
pub(crate) const MONO_12: f64 = 7.3;

/// An upper bound for the width of a text, given the pixels per character.
pub fn width(text: &str, per_char: f64) -> f64 {
    text.chars().count() as f64 * per_char
}

/// Text broken at spaces into lines of at most `room` pixels; a longer word stands alone.
pub(crate) fn break_text(text: &str, room: f64, per_char: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, per_char) + width(word, per_char) + per_char <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [(1.0, "1"), (1.26, "1.3"), (-0.01, "0"), (-1.5, "-1.5")] {
            assert_eq!(n(value), text);
        }
    }

    #[test]
    fn text_is_escaped() {
        let mut canvas = Canvas::new();
        canvas.text(1.0, 2.0, Anchor::End, "soft", "<b>&\x1b");
        assert_eq!(
            canvas.body,
            "<text x=\"1\" y=\"2\" text-anchor=\"end\" class=\"soft\">&lt;b&gt;&amp;␛</text>\n"
        );
    }

    #[test]
    fn text_breaks_at_spaces() {
        assert_eq!(break_text("one two three", 50.0, 7.0), ["one two", "three"]);
    }
}
