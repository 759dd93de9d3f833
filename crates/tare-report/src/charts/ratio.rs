//! Each contender's ratio to the baseline, with its interval, on a logarithmic axis.

use tare_model::comparison::Comparison;
use tare_model::results::WorkloadResult;

use super::rows::{Entry, Frame};
use super::scale::{Scale, tick};
use crate::draw::{Anchor, Canvas, Chart};
use crate::view::{self, Row};
use crate::words::{self, Tone};

/// The chart; none without a comparison.
pub(super) fn draw(result: &WorkloadResult, width: f64) -> Option<Chart> {
    chart(result, width, view::rows(result))
}

/// The same for ratios close to one (within a tenth) only, if others are so far away that these crowd together.
pub(super) fn near(result: &WorkloadResult, width: f64) -> Option<Chart> {
    const NEAR: f64 = 0.1;
    const FAR: f64 = 0.4;
    let distance = |row: &Row<'_>| row.comparison.map(|c| c.ratio.ln().abs());
    let rows = view::rows(result);
    let far = rows.iter().filter_map(distance).any(|distance| distance > FAR);
    let near = rows
        .into_iter()
        .filter(|row| distance(row).is_none_or(|distance| distance < NEAR))
        .collect();
    let mut chart = chart(result, width, near).filter(|_| far)?;
    chart.name = "ratio-near";
    chart.title = format!("Close to one: {}", chart.title);
    chart
        .caption
        .insert(0, "Only contenders within a tenth of the baseline.".to_owned());
    Some(chart)
}

fn chart(result: &WorkloadResult, width: f64, rows: Vec<Row<'_>>) -> Option<Chart> {
    let rows: Vec<Row<'_>> = rows
        .into_iter()
        .filter(|row| row.comparison.is_some() || row.is_baseline)
        .collect();
    let compared: Vec<&Comparison> = rows.iter().filter_map(|row| row.comparison).collect();
    let baseline = result.baseline.as_ref()?;
    let margin = compared.first()?.margin;
    let frame = Frame::new(width, 26.0, rows.iter().map(entry).collect());
    let scale = Scale::log(extent(&compared, margin), frame.left, frame.right, 0.05)?;
    let mut canvas = Canvas::new();
    band(&mut canvas, &frame, scale, margin);
    frame.ticks(&mut canvas, scale, 46.0, tick);
    let one = scale.at(1.0);
    canvas.line((one, frame.top - 6.0), (one, frame.bottom), "one");
    directions(&mut canvas, &frame, one, words::ends(result.primary));
    frame.label(&mut canvas);
    for (index, row) in rows.iter().enumerate() {
        match row.comparison {
            Some(comparison) => {
                let tone = words::tone(comparison);
                interval(&mut canvas, scale, frame.y(index), comparison, tone);
            }
            None => canvas.square((one, frame.y(index)), 4.5, "mark fill-base"),
        }
    }
    let mut caption = vec![format!(
        "Line: the interval; mark: the estimate; faint dots below: each {}’s centre; band: the margin of {}. \
         Logarithmic; {}.",
        words::launch(result.mode),
        words::percent(margin),
        words::sense(result.primary)
    )];
    caption.extend(view::foundations(result));
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

/// The margin around one.
pub(super) fn band(canvas: &mut Canvas, frame: &Frame, scale: Scale, margin: f64) {
    let (from, to) = (scale.at(1.0 / (1.0 + margin)), scale.at(1.0 + margin));
    canvas.rect(
        (from, frame.top),
        (to - from, frame.bottom - frame.top),
        0.0,
        "margin",
    );
}

/// `← faster` and `slower →` on either side of one, where there is room.
pub(super) fn directions(canvas: &mut Canvas, frame: &Frame, one: f64, (low, high): (&str, &str)) {
    if one - frame.left > 62.0 {
        canvas.text(one - 8.0, 14.0, Anchor::End, "tick", &format!("← {low}"));
    }
    if frame.right - one > 62.0 {
        canvas.text(one + 8.0, 14.0, Anchor::Start, "tick", &format!("{high} →"));
    }
}

/// An estimate, its interval, and what each launch had.
pub(super) struct Range<'a> {
    /// The estimate.
    pub estimate: f64,
    /// The interval.
    pub limits: Option<(f64, f64)>,
    /// By launch.
    pub centres: &'a [f64],
}

/// A comparison's estimate, interval and launches in a row.
fn interval(canvas: &mut Canvas, scale: Scale, y: f64, comparison: &Comparison, tone: Tone) {
    let drawn = Range {
        estimate: comparison.ratio,
        limits: words::limits(comparison),
        centres: &comparison.centres,
    };
    range(canvas, scale, y, &drawn, tone);
}

/// An estimate, its interval and its launches in a row.
pub(super) fn range(canvas: &mut Canvas, scale: Scale, y: f64, drawn: &Range<'_>, tone: Tone) {
    let launches = drawn.centres.iter();
    let launches: Vec<_> = launches.map(|&centre| (scale.at(centre), y + 9.0)).collect();
    canvas.dots(&launches, "launch");
    if let Some((low, high)) = drawn.limits {
        let class = format!("range range-{}", tone.class());
        canvas.line((scale.at(low), y), (scale.at(high), y), &class);
    }
    let at = (scale.at(drawn.estimate), y);
    if let Some((low, high)) = drawn.limits {
        let cap = |end: f64| vec![(scale.at(end), y - 5.5), (scale.at(end), y + 5.5)];
        canvas.curves(&[cap(low), cap(high)], &format!("cap range-{}", tone.class()));
    }
    let class = format!("mark fill-{}", tone.class());
    match tone {
        Tone::Better | Tone::Open => canvas.circle(at, 4.2, &class),
        Tone::Worse => canvas.square(at, 3.8, &class),
        Tone::Even => canvas.diamond(at, 5.4, &class),
    }
}
