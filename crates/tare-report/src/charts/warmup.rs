//! The warm-up of each contender: the metric that it was judged by, slice by slice, over the level at which it settled.

use tare_model::results::{ContenderResult, State, WarmUp, WorkloadResult};

use super::scale::Scale;
use crate::draw::{Anchor, Canvas, Chart, MONO_12, width as text_width};
use crate::view;
use crate::words;

/// Launches drawn for each contender: more lines would hide one another.
const LAUNCHES: usize = 8;
/// Points of a line: more would be hardly apart, in a plot of 150 to 200 pixels.
const POINTS: usize = 60;

const GAP: f64 = 16.0;
const HEAD: f64 = 34.0;
const PLOT: f64 = 84.0;
const FOOT: f64 = 22.0;
/// For the ticks, left of each row.
const LEFT: f64 = 44.0;

/// Values over the level at which they settled.
struct Line {
    points: Vec<f64>,
    /// Where it had settled, as a share of the line.
    cut: f64,
    steady: bool,
}

/// The chart; none if no warm-up was recorded.
pub(super) fn draw(result: &WorkloadResult, width: f64) -> Option<Chart> {
    let mut panels: Vec<(&ContenderResult, Vec<Line>)> = view::measured(result)
        .into_iter()
        .chain(view::without_figures(result))
        .map(|contender| (contender, lines(contender)))
        .collect();
    panels.retain(|(_, lines)| !lines.is_empty());
    let metric = panels.first()?.0.warm_up.first()?.metric;
    let all = panels.iter().flat_map(|(_, lines)| lines);
    let values = all.flat_map(|line| line.points.iter().copied());
    let y = Scale::log(values.chain([0.9, 1.1]), HEAD + PLOT, HEAD, 0.03)?;
    let columns = if width < 560.0 { 2 } else { 4 };
    let wide = (width - LEFT - GAP * (columns - 1) as f64) / columns as f64;
    let mut canvas = Canvas::new();
    for (index, (contender, lines)) in panels.iter().enumerate() {
        let left = LEFT + (wide + GAP) * (index % columns) as f64;
        let top = (HEAD + PLOT + FOOT) * (index / columns) as f64;
        panel(&mut canvas, contender, lines, y, (left, top), wide);
        if index % columns == 0 {
            ticks(&mut canvas, y, (left, top));
        }
    }
    Some(Chart {
        name: "warm-up",
        title: format!("Warm-up: {}", result.title()),
        caption: vec![format!(
            "{} of each warm-up slice over the level at which it settled, on a common logarithmic axis; a line for \
             each launch, up to {LAUNCHES}. The first three slices are longer. A tick: slices before it \
             were cut; no verdict uses the warm-up. Dashed: did not settle.",
            words::capital(metric.title())
        )],
        width,
        height: (HEAD + PLOT + FOOT) * panels.len().div_ceil(columns) as f64,
        canvas,
    })
}

fn lines(contender: &ContenderResult) -> Vec<Line> {
    contender.warm_up.iter().take(LAUNCHES).filter_map(line).collect()
}

fn line(warm_up: &WarmUp) -> Option<Line> {
    let level = warm_up.level?;
    let group = warm_up.values.len().div_ceil(POINTS).max(1);
    let chunks = warm_up.values.chunks(group);
    let points = chunks.filter_map(|chunk| Some(median(chunk)? / level));
    Some(Line {
        points: points.collect(),
        cut: warm_up.cut as f64 / warm_up.values.len() as f64,
        steady: warm_up.steady,
    })
}

/// One point of a line for several slices; none without a positive one.
fn median(values: &[f64]) -> Option<f64> {
    let mut good: Vec<f64> = values
        .iter()
        .copied()
        .filter(|value| value.is_finite() && *value > 0.0)
        .collect();
    good.sort_by(f64::total_cmp);
    good.get(good.len() / 2).copied()
}

fn panel(
    canvas: &mut Canvas,
    contender: &ContenderResult,
    lines: &[Line],
    y: Scale,
    (left, top): (f64, f64),
    wide: f64,
) {
    let name = contender.id.to_string();
    let room = (wide / text_width("m", MONO_12)) as usize;
    let shown = if name.chars().count() > room {
        name.chars().take(room.saturating_sub(1)).chain(['…']).collect()
    } else {
        name
    };
    canvas.text(left, top + 13.0, Anchor::Start, "name", &shown);
    let said = match contender.state {
        State::NotSteady => "not steady".to_owned(),
        _ => settled_in_words(contender),
    };
    canvas.text(left, top + 27.0, Anchor::Start, "tick", &said);
    canvas.rect((left, top + HEAD), (wide, PLOT), 2.0, "wash");
    canvas.line((left, top + y.at(1.0)), (left + wide, top + y.at(1.0)), "one");
    let drawn = |steady: bool| -> Vec<Vec<(f64, f64)>> {
        let alike = lines.iter().filter(|line| line.steady == steady);
        let points = alike.map(|line| {
            let step = wide / (line.points.len().max(2) - 1) as f64;
            let at = |(index, value): (usize, &f64)| (left + step * index as f64, top + y.at(*value));
            line.points.iter().enumerate().map(at).collect()
        });
        points.collect()
    };
    canvas.curves(&drawn(true), "warm");
    canvas.curves(&drawn(false), "warm restless");
    let below = top + HEAD + PLOT;
    let cuts = lines.iter().filter(|line| line.cut > 0.0);
    let tick = |line: &Line| {
        let x = left + wide * line.cut.min(1.0);
        vec![(x, below), (x, below + 6.0)]
    };
    canvas.curves(&cuts.map(tick).collect::<Vec<_>>(), "cut");
}

/// `8.93 µs, cut after 5–10 of 30 slices`.
fn settled_in_words(contender: &ContenderResult) -> String {
    let drawn = || contender.warm_up.iter().take(LAUNCHES);
    let cuts = drawn().map(|warm_up| warm_up.cut as u32);
    let span = cuts.clone().min().zip(cuts.max());
    let most = drawn().map(|warm_up| warm_up.values.len()).max().unwrap_or(0);
    match span {
        Some((_, 0)) | None => format!("nothing cut of {most} slices"),
        Some(span) => format!("cut after {} of {most} slices", words::span(span)),
    }
}

fn ticks(canvas: &mut Canvas, y: Scale, (left, top): (f64, f64)) {
    for value in y.ticks(22.0) {
        let text = format!("{}×", short(value));
        canvas.text(left - 6.0, top + y.at(value) + 4.0, Anchor::End, "tick", &text);
    }
}

/// A number without needless zeros: `1`, `1.5`, `100`.
fn short(value: f64) -> String {
    let text = words::number(value);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::metric::Metric;

    #[test]
    fn ticks_lose_needless_zeros_only() {
        assert_eq!([1.0, 1.5, 0.9, 100.0].map(short), ["1", "1.5", "0.9", "100"]);
    }

    #[test]
    fn a_line_is_over_the_level_at_which_it_settled() {
        let mut warm_up = WarmUp {
            launch: 0,
            metric: Metric::TimePerOp,
            values: vec![8.0, 4.0, 2.0, 2.0, 2.0],
            cut: 2,
            level: Some(2.0),
            steady: true,
        };
        let found = line(&warm_up).unwrap();
        assert_eq!(found.points, [4.0, 2.0, 1.0, 1.0, 1.0]);
        assert_eq!(found.cut, 0.4);
        warm_up.values = (1..1000).map(f64::from).collect();
        assert!(line(&warm_up).unwrap().points.len() <= POINTS);
        warm_up.level = None;
        assert!(line(&warm_up).is_none(), "no level to speak of");
    }
}
