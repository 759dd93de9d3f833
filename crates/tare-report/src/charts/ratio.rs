//! Each contender's ratio to the baseline, with its interval, on a logarithmic axis.

use tare_model::results::{Comparison, WorkloadResult};

use super::rows::{Entry, Frame};
use super::scale::{Scale, tick};
use crate::draw::{Anchor, Canvas, Chart};
use crate::view::{self, Row};
use crate::words::{self, Tone};

/// The chart; none without a comparison.
pub fn draw(result: &WorkloadResult, width: f64) -> Option<Chart> {
    let rows: Vec<Row<'_>> = view::rows(result)
        .into_iter()
        .filter(|row| row.comparison.is_some() || row.ratio == "1")
        .collect();
    let compared: Vec<&Comparison> = rows.iter().filter_map(|row| row.comparison).collect();
    let baseline = result.baseline.as_ref()?;
    let margin = compared.first()?.margin;
    let frame = Frame::new(width, 26.0, rows.iter().map(entry).collect());
    let scale = Scale::log(extent(&compared, margin), frame.left, frame.right, 0.05)?;
    let mut canvas = Canvas::new();
    band(&mut canvas, &frame, scale, margin);
    for value in scale.ticks(46.0) {
        frame.tick(&mut canvas, scale.at(value), &tick(value));
    }
    let one = scale.at(1.0);
    canvas.line((one, frame.top - 6.0), (one, frame.bottom), "one");
    directions(&mut canvas, result, &frame, one);
    frame.label(&mut canvas);
    for (index, row) in rows.iter().enumerate() {
        match row.comparison {
            Some(comparison) => interval(&mut canvas, scale, frame.y(index), comparison),
            None => canvas.square((one, frame.y(index)), 4.5, "mark fill-base"),
        }
    }
    let mut caption = vec![format!(
        "Line: the interval; mark: the estimate; faint dots: each epoch’s centre; band: the margin of {}. \
         Logarithmic; {}.",
        words::percent(margin),
        words::sense(result.primary)
    )];
    caption.extend(super::grounds(result));
    Some(Chart {
        name: "ratio",
        title: format!(
            "{} over {baseline}’s: {}",
            words::capital(result.primary.title()),
            result.title()
        ),
        caption,
        width,
        height: frame.height(),
        canvas,
    })
}

fn entry(row: &Row<'_>) -> Entry {
    let words = match row.comparison {
        Some(comparison) => vec![
            (row.ratio.clone(), ""),
            (row.verdict.clone(), words::tone(comparison).class()),
        ],
        None => vec![("the baseline".to_owned(), "soft")],
    };
    Entry {
        name: row.contender.id.to_string(),
        words,
    }
}

fn extent(compared: &[&Comparison], margin: f64) -> impl Iterator<Item = f64> {
    let mut values = vec![1.0 + margin, 1.0 / (1.0 + margin)];
    for comparison in compared {
        values.push(comparison.ratio);
        values.extend(
            words::limits(comparison)
                .into_iter()
                .flat_map(|(low, high)| [low, high]),
        );
        values.extend(&comparison.centres);
    }
    values.into_iter()
}

fn band(canvas: &mut Canvas, frame: &Frame, scale: Scale, margin: f64) {
    let (from, to) = (scale.at(1.0 / (1.0 + margin)), scale.at(1.0 + margin));
    canvas.rect(
        (from, frame.top),
        (to - from, frame.bottom - frame.top),
        0.0,
        "margin",
    );
}

/// `← faster` and `slower →` on either side of one, where there is room.
fn directions(canvas: &mut Canvas, result: &WorkloadResult, frame: &Frame, one: f64) {
    let (low, high) = words::ends(result.primary);
    if one - frame.left > 62.0 {
        canvas.text(one - 8.0, 14.0, Anchor::End, "tick", &format!("← {low}"));
    }
    if frame.right - one > 62.0 {
        canvas.text(one + 8.0, 14.0, Anchor::Start, "tick", &format!("{high} →"));
    }
}

fn interval(canvas: &mut Canvas, scale: Scale, y: f64, comparison: &Comparison) {
    for (index, &centre) in comparison.centres.iter().enumerate() {
        // Spread up and down in a fixed pattern, so that equal centres are still seen.
        let offset = [-6.5, 6.5, -9.0, 9.0][index % 4];
        canvas.circle((scale.at(centre), y + offset), 1.8, "epoch");
    }
    let tone = words::tone(comparison);
    if let Some((low, high)) = words::limits(comparison) {
        let class = format!("range range-{}", tone.class());
        canvas.line((scale.at(low), y), (scale.at(high), y), &class);
    }
    let at = (scale.at(comparison.ratio), y);
    let class = format!("mark fill-{}", tone.class());
    match tone {
        Tone::Better | Tone::Open => canvas.circle(at, 5.0, &class),
        Tone::Worse => canvas.square(at, 4.5, &class),
        Tone::Even => canvas.diamond(at, 6.0, &class),
    }
}
