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

/// The attribute, if there is a class.
fn of_class(class: &str) -> String {
    match class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
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
        let (x, y, class) = (n(x), n(y), of_class(class));
        self.push(format_args!(
            "<text x=\"{x}\" y=\"{y}\"{anchor}{class}>{}</text>",
            xml(text)
        ));
    }

    /// A line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let (x1, y1, x2, y2) = (n(from.0), n(from.1), n(to.0), n(to.1));
        let class = of_class(class);
        self.push(format_args!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"{class}/>"
        ));
    }

    /// A rectangle with its upper left corner at `at`, its corners rounded by `radius`.
    pub(crate) fn rect(&mut self, at: (f64, f64), size: (f64, f64), radius: f64, class: &str) {
        let (x, y, w, h) = (n(at.0), n(at.1), n(size.0.max(0.0)), n(size.1.max(0.0)));
        let round = if radius > 0.0 {
            format!(" rx=\"{}\"", n(radius))
        } else {
            String::new()
        };
        self.push(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"{round} class=\"{class}\"/>"
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
        let mut around = thinned(one);
        around.extend(thinned(other).into_iter().rev());
        self.push(format_args!("<path d=\"{}z\" class=\"{class}\"/>", path(&around)));
    }

    /// A line through points.
    pub fn curve(&mut self, points: &[(f64, f64)], class: &str) {
        self.curves(&[points.to_vec()], class);
    }

    /// Lines through points, in one element.
    pub(crate) fn curves(&mut self, lines: &[Vec<(f64, f64)>], class: &str) {
        let all: String = lines.iter().map(|points| path(&thinned(points))).collect();
        if !all.is_empty() {
            self.push(format_args!("<path d=\"{all}\" class=\"{class}\"/>"));
        }
    }

    /// A dot at each point, in one element: there may be hundreds. The style makes them round, and says how large they are.
    pub(crate) fn dots(&mut self, points: &[(f64, f64)], class: &str) {
        let dashes: Vec<_> = points.iter().map(|&at| (at, 0.0)).collect();
        self.dashes(&dashes, class);
    }

    /// Level lines, each from its left end and with its length, in one element.
    pub(crate) fn dashes(&mut self, lines: &[((f64, f64), f64)], class: &str) {
        if lines.is_empty() {
            return;
        }
        let one = |&((x, y), length): &((f64, f64), f64)| format!("M{} {}h{}", n(x), n(y), n(length));
        let all: String = lines.iter().map(one).collect();
        self.push(format_args!("<path d=\"{all}\" class=\"{class}\"/>"));
    }
}

/// How far from a line that is drawn a point may be that is left out, in pixels: less than anybody sees.
const UNSEEN: f64 = 0.2;

/// The points without those that are on the line between others: of a smooth curve a few are enough. (Ramer, Douglas and
/// Peucker: the point that is farthest from the line between both ends is kept, and divides what is left.)
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
        return Vec::new();
    };
    let off = |&(_, point): &(usize, &(f64, f64))| distance(*point, first, last);
    let farthest = points
        .iter()
        .enumerate()
        .max_by(|a, b| off(a).total_cmp(&off(b)))
        .filter(|point| off(point) > UNSEEN);
    match farthest {
        Some((at, _)) => {
            let mut kept = thinned(&points[..=at]);
            kept.pop();
            kept.extend(thinned(&points[at..]));
            kept
        }
        None if points.len() > 1 => vec![first, last],
        None => vec![first],
    }
}

/// How far a point is from the line between two others.
fn distance(point: (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (x, y) = (point.0 - from.0, point.1 - from.1);
    let length = dx.hypot(dy);
    let along = if length > 0.0 {
        ((x * dx + y * dy) / (length * length)).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (x - along * dx).hypot(y - along * dy)
}

/// A line through points, each as its distance from the one before: absolute places would take half as much room again. Places
/// are tenths of a pixel, so that rounding does not add up.
fn path(points: &[(f64, f64)]) -> String {
    let tenths = |value: f64| (value * 10.0).round() as i64;
    let places = points.iter().map(|&(x, y)| (tenths(x), tenths(y)));
    let places: Vec<(i64, i64)> = places.collect();
    let Some(first) = places.first() else {
        return String::new();
    };
    let mut out = format!("M{}{}", tenth(first.0), spaced(first.1));
    for (number, pair) in places.windows(2).enumerate() {
        let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        match number {
            0 => out.push_str(&format!("l{}", tenth(dx))),
            _ => out.push_str(&spaced(dx)),
        }
        out.push_str(&spaced(dy));
    }
    out
}

/// Tenths as a number: `12.5`, `-.5`, `3`.
fn tenth(value: i64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let (whole, part) = (value.abs() / 10, value.abs() % 10);
    match (whole, part) {
        (0, 0) => "0".to_owned(),
        (whole, 0) => format!("{sign}{whole}"),
        (0, part) => format!("{sign}.{part}"),
        (whole, part) => format!("{sign}{whole}.{part}"),
    }
}

/// The same after another number: a minus separates them by itself.
fn spaced(value: i64) -> String {
    let text = tenth(value);
    if text.starts_with('-') {
        text
    } else {
        format!(" {text}")
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
    fn paths_are_short_and_end_where_they_should() {
        let points = [
            (44.0, 94.93),
            (54.8, 91.6),
            (65.6, 91.6),
            (65.64, 92.1),
            (0.0, -0.04),
        ];
        let text = path(&points);
        assert_eq!(text, "M44 94.9l10.8-3.3 10.8 0 0 .5-65.6-92.1");
        assert_eq!(path(&[]), "");
        assert_eq!(path(&[(-0.5, 0.25)]), "M-.5 .3");
        // However many there are, each is rounded once.
        let many: Vec<(f64, f64)> = (0..1000).map(|i| (f64::from(i) * 0.33, 0.0)).collect();
        let steps: f64 = path(&many)
            .trim_start_matches("M0 0l")
            .split(' ')
            .step_by(2)
            .map(|step| step.parse::<f64>().unwrap())
            .sum();
        assert!((steps - 329.7).abs() < 1e-6, "{steps}");
    }

    #[test]
    fn points_on_the_line_between_others_are_left_out() {
        let line: Vec<(f64, f64)> = (0..100).map(|i| (f64::from(i), 2.0 * f64::from(i))).collect();
        assert_eq!(thinned(&line), [(0.0, 0.0), (99.0, 198.0)]);
        let bent = [(0.0, 0.0), (1.0, 0.1), (2.0, 5.0), (3.0, 0.0)];
        assert_eq!(thinned(&bent), [(0.0, 0.0), (1.0, 0.1), (2.0, 5.0), (3.0, 0.0)]);
        assert_eq!(thinned(&[(1.0, 1.0)]), [(1.0, 1.0)]);
        assert_eq!(thinned(&[]), []);
        // Whatever is left out is seen by nobody.
        let curve: Vec<(f64, f64)> = (0..200)
            .map(|i| (f64::from(i), 90.0 * (f64::from(i) / 40.0).sin()))
            .collect();
        let kept = thinned(&curve);
        assert!(kept.len() < 70, "{}", kept.len());
        for point in &curve {
            let near = kept.windows(2).map(|pair| distance(*point, pair[0], pair[1]));
            assert!(near.fold(f64::MAX, f64::min) <= UNSEEN, "{point:?}");
        }
    }

    #[test]
    fn dots_and_dashes_are_one_element() {
        let mut canvas = Canvas::new();
        canvas.dots(&[(1.0, 2.0), (3.25, 4.0)], "launch");
        canvas.dashes(&[((1.0, 2.0), 30.0)], "track");
        canvas.dots(&[], "launch");
        assert_eq!(
            canvas.body,
            "<path d=\"M1 2h0M3.2 4h0\" class=\"launch\"/>\n<path d=\"M1 2h30\" class=\"track\"/>\n"
        );
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
