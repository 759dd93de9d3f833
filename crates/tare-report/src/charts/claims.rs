//! A report's findings: each pair's ratio with its interval, on a logarithmic axis.

use tare_model::comparison::Comparison;
use tare_model::results::WorkloadResult;

use super::ratio::interval;
use super::rows::{Entry, Frame};
use super::scale::{Scale, tick};
use crate::claims;
use crate::draw::{Canvas, Chart};
use crate::words;

/// The chart; none if no pair was measured.
pub(super) fn draw(result: &WorkloadResult, width: f64) -> Option<Chart> {
    let mut pairs = Vec::new();
    for claim in &result.claims {
        for pair in &claim.pairs {
            if let Some(found) = claims::comparison(result, pair) {
                pairs.push((found, claims::standing_of(result, pair)));
            }
        }
    }
    let entries = pairs.iter().map(|(found, standing)| Entry {
        name: format!("{} / {}", found.a, found.b),
        words: vec![
            (words::ratio_and_interval(found.ratio, words::limits(found)), ""),
            (
                claims::standing(*standing).to_owned(),
                claims::tone(*standing).class(),
            ),
        ],
    });
    let frame = Frame::new(width, 12.0, entries.collect());
    let values = pairs.iter().flat_map(|(found, _)| extent(found));
    let scale = Scale::log(values, frame.left, frame.right, 0.05)?;
    let mut canvas = Canvas::new();
    frame.ticks(&mut canvas, scale, 46.0, tick);
    let one = scale.at(1.0);
    canvas.line((one, frame.top - 6.0), (one, frame.bottom), "one");
    frame.label(&mut canvas);
    for (index, (found, standing)) in pairs.iter().enumerate() {
        interval(&mut canvas, scale, frame.y(index), found, claims::tone(*standing));
    }
    let mut caption = vec![format!(
        "Line: the interval; mark: the estimate; faint dots below: each {}’s centre. Logarithmic; {}.",
        words::launch(result.mode),
        words::sense(result.primary)
    )];
    caption.extend(claims::grounds(result));
    Some(Chart {
        name: "findings",
        title: format!("The report’s findings today: {}", result.title()),
        caption,
        width,
        height: frame.height(),
        canvas,
    })
}

fn extent(found: &Comparison) -> Vec<f64> {
    let limits = words::limits(found).into_iter();
    let mut values = vec![1.0, found.ratio];
    values.extend(limits.flat_map(|(low, high)| [low, high]));
    values.extend(&found.centres);
    values
}
