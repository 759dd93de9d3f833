//! One contender over many runs: a table for the terminal, a chart, a document, rows.

use tare_model::history::{History, LevelChange, Point};

use crate::draw::{Anchor, Canvas, Chart};
use crate::escape;
use crate::formats::json::typed;
use crate::terminal::Terminal;
use crate::view;
use crate::when;
use crate::words;

/// The caveat of every history.
pub const CAVEAT: &str = "These runs were not measured side by side: differences between them may be due to the machine, its \
neighbours, its kernel or its load. A change of level here is a reason to look, but no verdict. Only an interleaved \
comparison gives one: `tare diff REV..REV WORKLOAD/CONTENDER`.";

/// The columns of the rows.
pub const COLUMNS: [&str; 20] = [
    "workload",
    "case",
    "mode",
    "size",
    "contender",
    "metric",
    "unit",
    "machine",
    "conditions",
    "run",
    "started",
    "revision",
    "rate",
    "estimate",
    "low",
    "high",
    "ratio",
    "ratio_low",
    "ratio_high",
    "level",
];

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
    let conditions = words::conditions_text(history);
    if !conditions.is_empty() {
        out.push_str(&format!("{conditions}\n"));
    }
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
        if let Some(level) = history.levels.iter().find(|level| level.begin == index) {
            out.push_str(&format!("  ── change of level: {}\n", step(level)));
        }
        let bar = if bars {
            bar(point, low, high)
        } else {
            String::new()
        };
        let rate = point.rate.map(|rate| format!("at {rate}"));
        let about = rate.iter().chain(&point.revision);
        let about: Vec<String> = about.map(|text| escape::one_line(text)).collect();
        let line = format!(
            "{}  {:<22} {bar}  {}  {}",
            when::to_minute(point.started),
            words::estimate(history.metric, &point.figure),
            ratio(point),
            about.join(", "),
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

/// `+6.1%`: from the level before to this one.
fn step(level: &LevelChange) -> String {
    format!("{:+.1}%", level.step * 100.0)
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
    for level in &history.levels {
        let at = (x(level.begin - 1) + x(level.begin)) / 2.0;
        canvas.line((at, 8.0), (at, HEIGHT - 26.0), "one");
        canvas.text(at + 4.0, 18.0, Anchor::Start, "tick", &step(level));
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
        caption: [words::conditions_text(history), CAVEAT.to_owned()]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect(),
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
            "rate": point.rate.map(|rate| rate.0),
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
            "conditions": typed::conditions(&history.conditions),
            "points": history.points.iter().map(point).collect::<Vec<_>>(),
            "changes": history.levels.iter().map(|level| level.begin).collect::<Vec<_>>(),
        })
    };
    let histories: Vec<serde_json::Value> = list.iter().map(one).collect();
    format!(
        "{:#}\n",
        serde_json::json!({ "schema": 1, "caveat": CAVEAT, "histories": histories })
    )
}

/// All of them as CSV, a row for each run. `level` counts the levels of a series from 0.
pub fn csv(list: &[History]) -> String {
    let mut out = format!("{}\n", COLUMNS.join(","));
    for history in list {
        for (index, point) in history.points.iter().enumerate() {
            let row = row(history, index, point).join(",");
            out.push_str(&row);
            out.push('\n');
        }
    }
    out
}

fn row(history: &History, index: usize, point: &Point) -> [String; COLUMNS.len()] {
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let text = |text: &Option<String>| text.as_deref().map_or(String::new(), escape::csv);
    let limits = point.ratio.and_then(|(_, limits)| limits);
    let level = history.levels.iter().filter(|level| level.begin <= index).count();
    [
        escape::csv(&history.workload),
        escape::csv(&history.case),
        history.mode.name().to_owned(),
        history.size.map_or(String::new(), |size| size.to_string()),
        escape::csv(&history.id.to_string()),
        history.metric.name().to_owned(),
        history.metric.unit().to_owned(),
        escape::csv(&history.machine),
        escape::csv(&words::conditions_text(history)),
        escape::csv(&point.run),
        when::iso(point.started),
        text(&point.revision),
        number(point.rate.map(|rate| rate.0)),
        point.figure.estimate.to_string(),
        number(point.figure.low),
        number(point.figure.high),
        number(point.ratio.map(|(ratio, _)| ratio)),
        number(limits.map(|limits| limits.0)),
        number(limits.map(|limits| limits.1)),
        level.to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::driving::{Driving, Load};
    use tare_model::estimate::Estimate;
    use tare_model::history::Conditions;
    use tare_model::ids::ContenderId;
    use tare_model::metric::{Metric, Mode};
    use tare_model::subject::Subject;
    use tare_model::units::PerSecond;

    fn history() -> History {
        let point = |hour: i64, estimate: f64| Point {
            run: format!("run-{hour}"),
            started: 3600 * hour,
            revision: (hour > 0).then(|| format!("1a2b3c{hour} (Say \"more\", at once)")),
            rate: Some(PerSecond(9000.0)),
            figure: Estimate {
                estimate,
                low: Some(estimate * 0.99),
                high: None,
            },
            ratio: Some((2.0, Some((1.9, 2.1)))),
        };
        History {
            workload: "w".to_owned(),
            case: "all".to_owned(),
            mode: Mode::Cost,
            size: None,
            id: ContenderId::plain("go"),
            metric: Metric::CpuPerOp,
            conditions: Conditions {
                subject: Some(Subject::Command {
                    command: "x \u{1b}[2J".to_owned(),
                }),
                rate: Some(PerSecond(9000.0)),
                driving: Driving::Load(Load {
                    connections: vec![16, 64],
                    depth: 3,
                    ..Load::default()
                }),
                ..Conditions::default()
            },
            machine: "scales, Abacus 3000, 2 cores".to_owned(),
            points: vec![point(0, 0.5), point(1, 0.25)],
            levels: vec![LevelChange { begin: 1, step: -0.5 }],
        }
    }

    #[test]
    fn a_row_has_every_column_and_says_under_which_conditions() {
        let text = csv(&[history(), history()]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5, "{text}");
        assert_eq!(
            lines[2],
            "w,all,cost,,go,cpu_per_op,s,\"scales, Abacus 3000, 2 cores\",\"command x ␛[2J; rate 9000 /s; connections 16, 64; in flight on each connection, at most 3\",run-1,\
             1970-01-01T01:00:00Z,\"1a2b3c1 (Say \"\"more\"\", at once)\",9000,0.25,0.2475,,2,1.9,2.1,1"
        );
        assert!(lines[1].ends_with(",,9000,0.5,0.495,,2,1.9,2.1,0"), "{text}");
    }

    #[test]
    fn every_form_says_what_the_runs_have_in_common() {
        let history = history();
        let plain = Terminal {
            width: 100,
            color: false,
        };
        let text = text(&history, plain);
        assert!(
            text.contains("\ncommand x ␛[2J; rate 9000 /s; connections 16, 64;"),
            "{text}"
        );
        assert!(text.contains("at 9.00k /s, 1a2b3c1 (Say"), "{text}");
        let document: serde_json::Value =
            serde_json::from_str(&json(std::slice::from_ref(&history))).unwrap();
        let one = &document["histories"][0];
        assert_eq!(
            one["conditions"]["driving"]["connections"],
            serde_json::json!([16, 64])
        );
        assert_eq!(one["points"][0]["rate"], 9000.0);
        assert!(chart(&history, 860.0).caption[0].starts_with("command x"));
    }
}
