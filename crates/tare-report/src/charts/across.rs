//! The same contenders in several cases, side by side: each figure with its interval, on a logarithmic axis.

use super::rows::{Entry, Frame};
use super::scale::{Scale, trim};
use crate::across::{Across, NOTE};
use crate::draw::{Canvas, Chart};
use crate::words;

/// The chart; none if no contender is in two cases.
pub fn draw(across: &Across<'_>, width: f64) -> Option<Chart> {
    let metric = across.metric;
    let shared = across.shared();
    let figures: Vec<_> = shared
        .iter()
        .filter_map(|(result, contender)| Some((result, contender, contender.metrics.get(&metric)?)))
        .collect();
    let entries = figures.iter().map(|(result, contender, figure)| Entry {
        name: contender.id.to_string(),
        words: vec![
            (words::estimate(metric, figure), ""),
            (result.case.clone(), "soft"),
        ],
    });
    let frame = Frame::new(width, 12.0, entries.collect());
    let values = figures.iter().flat_map(|(.., figure)| {
        [Some(figure.estimate), figure.low, figure.high]
            .into_iter()
            .flatten()
    });
    let scale = Scale::log(values, frame.left, frame.right, 0.05)?;
    let mut canvas = Canvas::new();
    frame.ticks(&mut canvas, scale, 70.0, |value| {
        trim(&words::show(metric, value))
    });
    frame.label(&mut canvas);
    for (index, (.., figure)) in figures.iter().enumerate() {
        let y = frame.y(index);
        if let Some((low, high)) = figure.low.zip(figure.high) {
            canvas.line((scale.at(low), y), (scale.at(high), y), "range range-open");
        }
        canvas.circle((scale.at(figure.estimate), y), 4.2, "mark fill-base");
    }
    Some(Chart {
        name: "across",
        title: format!("{}: {}", words::capital(metric.title()), across.title()),
        caption: vec![
            NOTE.to_owned(),
            format!(
                "Line: the interval; mark: the figure. Logarithmic; {}.",
                words::sense(metric)
            ),
        ],
        width,
        height: frame.height(),
        canvas,
    })
}
