//! The benchmarks that changed: each one's ratio of after to before with its interval, on a logarithmic axis.

use tare_model::benchmark::Benchmarks;
use tare_model::figure::Quantity;
use tare_model::results::Results;

use super::ratio::{Range, band, directions, range};
use super::rows::{Entry, Frame};
use super::scale::{Scale, tick};
use crate::benchmarks::{self, Row};
use crate::draw::{Canvas, Chart};
use crate::words;

/// More rows than this are not drawn: the tables have them.
const MOST: usize = 40;

/// The chart; none where nothing that is timed changed.
pub fn draw(results: &Results, found: &Benchmarks, width: f64) -> Option<Chart> {
    let tables = benchmarks::tables(found);
    let changed = tables.iter().flat_map(|table| &table.changed);
    let mut rows: Vec<&Row<'_>> = changed.filter(|row| timed(row)).collect();
    let all = rows.len();
    rows.truncate(MOST);
    let frame = Frame::new(width, 26.0, rows.iter().map(|row| entry(row)).collect());
    let scale = Scale::log(extent(&rows, found.margin), frame.left, frame.right, 0.05)?;
    if rows.is_empty() {
        return None;
    }
    let mut canvas = Canvas::new();
    band(&mut canvas, &frame, scale, found.margin);
    frame.ticks(&mut canvas, scale, 46.0, tick);
    let one = scale.at(1.0);
    canvas.line((one, frame.top - 6.0), (one, frame.bottom), "one");
    directions(&mut canvas, &frame, one, ("faster", "slower"));
    frame.label(&mut canvas);
    for (index, row) in rows.iter().enumerate() {
        let Some(ratio) = row.figure.ratio else { continue };
        let drawn = Range {
            estimate: ratio.estimate,
            limits: row.figure.limits(),
            centres: &row.figure.centres,
        };
        range(&mut canvas, scale, frame.y(index), &drawn, row.tone);
    }
    Some(Chart {
        name: "changed",
        title: "What changed: time after over time before".to_owned(),
        caption: caption(results, found, (rows.len(), all)),
        width,
        height: frame.height(),
        canvas,
    })
}

/// Whether it is the time of the benchmark, by which it is judged.
fn timed(row: &Row<'_>) -> bool {
    row.figure.ratio.is_some() && row.figure.quantity == Quantity::Time && row.is_primary()
}

fn caption(results: &Results, found: &Benchmarks, (shown, all): (usize, usize)) -> Vec<String> {
    let mut caption = vec![format!(
        "Line: the interval; mark: the estimate; faint dots below: each launch’s centre; band: the margin of {}. \
         Logarithmic; less is better.",
        words::percent(found.margin)
    )];
    if shown < all {
        caption.push(format!("The first {shown} of {all}."));
    }
    caption.extend(benchmarks::grounds(results, found));
    caption
}

fn entry(row: &Row<'_>) -> Entry {
    // A long name has no room left of a plot.
    let name = match row.name.chars().count() {
        0..=34 => row.name.clone(),
        _ => row.name.chars().take(33).chain(['…']).collect(),
    };
    Entry {
        name,
        words: vec![(row.ratio.clone(), ""), (row.verdict.clone(), row.tone.class())],
    }
}

fn extent(rows: &[&Row<'_>], margin: f64) -> impl Iterator<Item = f64> {
    let mut values = vec![1.0 + margin, 1.0 / (1.0 + margin)];
    for row in rows {
        let ratio = row.figure.ratio.iter();
        values.extend(ratio.flat_map(|ratio| {
            [Some(ratio.estimate), ratio.low, ratio.high]
                .into_iter()
                .flatten()
        }));
        values.extend(&row.figure.centres);
    }
    values.into_iter()
}
