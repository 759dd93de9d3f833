//! One contender over many runs: a table for the terminal, a chart, a document.

use tare_model::history::{History, Point};

use crate::draw::{Anchor, Canvas, Chart};
use crate::escape;
use crate::terminal::Terminal;
use crate::view;
use crate::when;
use crate::words;

/// What must be said of every history.
pub const CAVEAT: &str = "These runs were not measured side by side: what differs between them may be the machine, its \
neighbours, its kernel or its load. A change of level here is a reason to look, and no verdict; only interleaved pairs \
decide: `tare diff REV..REV WORKLOAD/CONTENDER`.";

/// Columns of the bar in the table.
const BAR: usize = 33;

/// `doubling/one-core, cost: go`.
pub fn title(history: &History) -> String {
    let size = history.size.map_or(String::new(), |size| format!(" at {size}"));
    format!(
        "{}/{}{size}, {}: {}",
        history.workload, history.case, history.mode, history.id
    )
}

/// A line for each run, with the figure on an axis from the least to the most.
pub fn text(history: &History, terminal: Terminal) -> String {
    let (low, high) = range(history);
    let mut out = format!("{}\n", escape::one_line(&title(history)));
    out.push_str(&format!(
        "{} ({}), from {} to {}; {}\n\n",
        words::capital(history.metric.title()),
        words::sense(history.metric),
        words::show(history.metric, low),
        words::show(history.metric, high),
        escape::one_line(&history.machine),
    ));
    let bars = terminal.width >= 90;
    for (index, point) in history.points.iter().enumerate() {
        if history.changes.contains(&index) {
            out.push_str(&format!(
                "  ── another level from here on: {}\n",
                step(history, index)
            ));
        }
        let bar = if bars {
            bar(point, low, high)
        } else {
            String::new()
        };
        let revision = point.revision.as_deref().map_or(String::new(), escape::one_line);
        let line = format!(
            "{}  {:<22} {bar}  {}  {revision}",
            when::to_minute(point.started),
            words::estimate(history.metric, &point.figure),
            ratio(point),
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.push('\n');
    out
}

fn ratio(point: &Point) -> String {
    match &point.ratio {
        Some((ratio, limits)) => format!("×{}", words::ratio_and_interval(*ratio, *limits)),
        None => view::NONE.to_owned(),
    }
}

/// `+6.1%`, from the level before to the one that begins here, by the middle of each.
fn step(history: &History, index: usize) -> String {
    let bounds = std::iter::once(0).chain(history.changes.iter().copied());
    let begin = bounds.filter(|&begin| begin < index).max().unwrap_or(0);
    let end = history
        .changes
        .iter()
        .copied()
        .find(|&end| end > index)
        .unwrap_or(history.points.len());
    let change = middle(&history.points[index..end]) / middle(&history.points[begin..index]) - 1.0;
    format!("{:+.1}%", change * 100.0)
}

/// The one in the middle of some figures, there being no finer statement to make.
fn middle(points: &[Point]) -> f64 {
    let mut figures: Vec<f64> = points.iter().map(|point| point.figure.estimate).collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

fn range(history: &History) -> (f64, f64) {
    let ends = history.points.iter().flat_map(|point| {
        let figure = &point.figure;
        [
            figure.low.unwrap_or(figure.estimate),
            figure.high.unwrap_or(figure.estimate),
            figure.estimate,
        ]
    });
    let ends: Vec<f64> = ends.filter(|end| end.is_finite()).collect();
    let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
    let high = ends.iter().copied().fold(0.0, f64::max);
    (low, high)
}

fn bar(point: &Point, low: f64, high: f64) -> String {
    let place = |value: f64| {
        let share = (value - low) / (high - low).max(f64::MIN_POSITIVE);
        ((share * (BAR - 1) as f64).round().max(0.0) as usize).min(BAR - 1)
    };
    let mut cells = vec!['·'; BAR];
    if let (Some(low), Some(high)) = (point.figure.low, point.figure.high) {
        cells[place(low)..=place(high)].fill('━');
    }
    cells[place(point.figure.estimate)] = '●';
    cells.into_iter().collect()
}

/// The same as a picture: runs from left to right, each with its interval, changes of level as lines.
pub fn chart(history: &History, width: f64) -> Chart {
    const HEIGHT: f64 = 220.0;
    const LEFT: f64 = 76.0;
    let (low, high) = range(history);
    let count = history.points.len().max(2) as f64 - 1.0;
    let x = |index: usize| LEFT + 10.0 + (width - LEFT - 20.0) * index as f64 / count;
    let y = |value: f64| 14.0 + (HEIGHT - 40.0) * (high - value) / (high - low).max(f64::MIN_POSITIVE);
    let mut canvas = Canvas::new();
    for value in [low, (low + high) / 2.0, high] {
        canvas.line((LEFT, y(value)), (width, y(value)), "");
        canvas.text(
            LEFT - 6.0,
            y(value) + 4.0,
            Anchor::End,
            "tick",
            &words::show(history.metric, value),
        );
    }
    for &index in &history.changes {
        let at = (x(index - 1) + x(index)) / 2.0;
        canvas.line((at, 8.0), (at, HEIGHT - 26.0), "one");
        canvas.text(at + 4.0, 18.0, Anchor::Start, "tick", &step(history, index));
    }
    for (index, point) in history.points.iter().enumerate() {
        if let (Some(low), Some(high)) = (point.figure.low, point.figure.high) {
            canvas.line((x(index), y(low)), (x(index), y(high)), "whisker");
        }
        canvas.circle((x(index), y(point.figure.estimate)), 3.5, "ours");
    }
    for (index, anchor) in [(0, Anchor::Start), (history.points.len() - 1, Anchor::End)] {
        let day = when::to_minute(history.points[index].started);
        canvas.text(x(index), HEIGHT - 6.0, anchor, "tick", &day);
    }
    Chart {
        name: "history",
        title: format!("{}: {}", words::capital(history.metric.title()), title(history)),
        caption: vec![CAVEAT.to_owned()],
        width,
        height: HEIGHT,
        canvas,
    }
}

/// All of them as a document for programs.
pub fn json(list: &[History]) -> String {
    let point = |point: &Point| {
        serde_json::json!({
            "run": point.run,
            "started": point.started,
            "revision": point.revision,
            "estimate": point.figure.estimate,
            "low": point.figure.low,
            "high": point.figure.high,
            "ratio": point.ratio.map(|(ratio, _)| ratio),
            "ratio_low": point.ratio.and_then(|(_, limits)| limits).map(|limits| limits.0),
            "ratio_high": point.ratio.and_then(|(_, limits)| limits).map(|limits| limits.1),
        })
    };
    let one = |history: &History| {
        serde_json::json!({
            "workload": history.workload,
            "case": history.case,
            "mode": history.mode.name(),
            "size": history.size,
            "contender": history.id.to_string(),
            "metric": history.metric.name(),
            "unit": history.metric.unit(),
            "machine": history.machine,
            "points": history.points.iter().map(point).collect::<Vec<_>>(),
            "changes": history.changes,
        })
    };
    let histories: Vec<serde_json::Value> = list.iter().map(one).collect();
    format!(
        "{:#}\n",
        serde_json::json!({ "schema": 1, "caveat": CAVEAT, "histories": histories })
    )
}
