//! Cost over size, both logarithmic: what was measured, the fitted lines with their intervals, and where lines cross.

use tare_model::estimate::Estimate;
use tare_model::sweep::{AtSize, SizeCosts, SizePair, SweepResult};

use super::axis::{axis, place, ticks};
use crate::charts::scale::{Scale, trim};
use crate::charts::series::{End, LABEL, colour, labels, legend, look};
use crate::draw::{Anchor, Canvas, Chart, MONO_12, width as text_width};
use crate::sweep;
use crate::words;

const TOP: f64 = 10.0;

/// The chart; none without costs.
pub(super) fn draw(result: &SweepResult, width: f64) -> Option<Chart> {
    let narrow = width < 560.0;
    let names: Vec<(usize, String)> = (0..)
        .zip(result.contenders.iter().map(|c| c.id.to_string()))
        .collect();
    let longest = names
        .iter()
        .map(|name| text_width(&name.1, MONO_12))
        .fold(0.0, f64::max);
    let right = if narrow {
        width - 12.0
    } else {
        width - longest.min(width * 0.35) - 26.0
    };
    let bottom = TOP
        + if narrow {
            250.0
        } else {
            (names.len() as f64 * LABEL).max(320.0)
        };
    let x = axis(result, 62.0, right)?;
    let y = Scale::log(values(result), bottom, TOP, 0.04)?;
    let mut canvas = Canvas::new();
    grid(&mut canvas, result, x, y, (62.0, right, bottom));
    for (index, costs) in result.contenders.iter().enumerate() {
        series(&mut canvas, result, index, costs, x, y);
    }
    result
        .pairs
        .iter()
        .for_each(|pair| crossing(&mut canvas, result, pair, x, y));
    let height = if narrow {
        legend(&mut canvas, bottom + 44.0, names)
    } else {
        let end = |(index, name): (usize, String)| {
            let last = result.contenders[index].points.last()?;
            let at = (x.at(place(result, last.size)), y.at(last.figure.estimate));
            Some(End { index, name, at })
        };
        let ends = names.into_iter().filter_map(end).collect();
        labels(&mut canvas, ends, right, TOP + 4.0, bottom);
        bottom + 26.0
    };
    Some(Chart {
        name: "cost",
        title: format!(
            "{} over {}: {}",
            words::capital(result.metric.title()),
            result.name,
            result.title()
        ),
        caption: caption(result),
        width,
        height,
        canvas,
    })
}

fn caption(result: &SweepResult) -> Vec<String> {
    vec![
        format!(
            "Both axes are logarithmic, so a line is a curve: flat where the fixed part dominates, rising where the {} do. \
             Dots: measured, with intervals; curves: {}, each with its interval; dotted: points joined, since cost is \
             not a line or that was not tested. Diamonds: where a line crosses the baseline’s; the bar spans the sizes \
             at which neither is shown to be cheaper.",
            result.name,
            sweep::formula(result)
        ),
        sweep::grounds(result),
    ]
}

/// The values that the vertical axis must include. A line's interval may reach far down, and is not one of them.
fn values(result: &SweepResult) -> impl Iterator<Item = f64> {
    let points = result.contenders.iter().flat_map(|costs| &costs.points);
    points.flat_map(|point| {
        let figure = point.figure;
        [Some(figure.estimate), figure.low, figure.high]
            .into_iter()
            .flatten()
    })
}

fn grid(
    canvas: &mut Canvas,
    result: &SweepResult,
    x: Scale,
    y: Scale,
    (left, right, bottom): (f64, f64, f64),
) {
    for value in y.ticks(26.0) {
        let at = y.at(value);
        canvas.line((left, at), (right, at), "");
        canvas.text(
            left - 8.0,
            at + 4.0,
            Anchor::End,
            "tick",
            &trim(&sweep::time(value)),
        );
    }
    ticks(result, x, |at, text| {
        canvas.line((at, TOP), (at, bottom + 4.0), "");
        canvas.text(at, bottom + 18.0, Anchor::Middle, "tick", text);
    });
}

fn series(canvas: &mut Canvas, result: &SweepResult, index: usize, costs: &SizeCosts, x: Scale, y: Scale) {
    let at = |at: &AtSize, value: f64| (x.at(place(result, at.size)), y.at(value));
    let colour = colour(index);
    match &costs.line {
        Ok(line) => {
            let edge = |of: fn(&Estimate) -> Option<f64>| -> Option<Vec<(f64, f64)>> {
                line.curve
                    .iter()
                    .map(|point| Some(at(point, of(&point.figure)?)))
                    .collect()
            };
            if let Some((low, high)) = edge(|figure| figure.low).zip(edge(|figure| figure.high)) {
                canvas.area(&low, &high, &format!("band f{colour}"));
            }
            let curve: Vec<(f64, f64)> = line
                .curve
                .iter()
                .map(|point| at(point, point.figure.estimate))
                .collect();
            canvas.curve(&curve, &format!("curve {}", look(index)));
        }
        Err(_) => {
            let joined: Vec<(f64, f64)> = costs
                .points
                .iter()
                .map(|point| at(point, point.figure.estimate))
                .collect();
            canvas.curve(&joined, &format!("curve joined s{colour}"));
        }
    }
    for point in &costs.points {
        if let Some((low, high)) = point.figure.low.zip(point.figure.high) {
            canvas.line(at(point, low), at(point, high), &format!("whisk s{colour}"));
        }
        canvas.circle(at(point, point.figure.estimate), 3.0, &format!("dot s{colour}"));
    }
}

/// Where a pair's lines cross, if the chart includes that size.
fn crossing(canvas: &mut Canvas, result: &SweepResult, pair: &SizePair, x: Scale, y: Scale) {
    let Some(lines) = &pair.lines else { return };
    let Some(size) = lines.crossing else { return };
    let (first, last) = sweep::ends(result);
    let line = |costs: &SizeCosts| {
        let line = costs.line.as_ref().ok()?;
        Some(line.fixed.estimate + line.per_unit.estimate * size)
    };
    let Some(cost) = result.costs(&pair.b).and_then(line) else {
        return;
    };
    if size < first || size > last || lines.break_even.is_none() {
        return;
    }
    let ends = lines.break_even.map(|set| set.ends()).unwrap_or_default();
    let (at_x, at_y) = (x.at(place(result, size)), y.at(cost));
    if let [low, high] = ends.as_slice() {
        let (low, high) = (x.at(place(result, *low)), x.at(place(result, *high)));
        canvas.line((low, at_y), (high, at_y), "even-range");
    }
    canvas.diamond((at_x, at_y), 5.5, "theirs");
}
