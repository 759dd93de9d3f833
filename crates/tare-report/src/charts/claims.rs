//! A report's findings: each pair's lead with its interval, on a logarithmic axis, beside the published one.

use tare_model::claim::{ClaimFigure, ClaimPair, ClaimResult, Quantity};
use tare_model::results::WorkloadResult;

use super::ratio::{Range, range};
use super::rows::{Entry, Frame};
use super::scale::{Scale, tick};
use crate::claims;
use crate::draw::{Canvas, Chart};

/// One row.
struct Shown<'a> {
    result: &'a WorkloadResult,
    claim: &'a ClaimResult,
    pair: &'a ClaimPair,
    figure: &'a ClaimFigure,
}

/// The chart; none if no pair was measured. Figures in seconds have no place on its axis.
pub(super) fn draw(result: &WorkloadResult, width: f64) -> Option<Chart> {
    let mut caption = caption(&shown(result));
    caption.extend(claims::grounds(result));
    chart(&result.title(), shown(result), caption, width)
}

/// The same of all that a run measured of one workload, each finding with its case.
pub fn of_workload(name: &str, results: &[&WorkloadResult], width: f64) -> Option<Chart> {
    let shown: Vec<Shown> = results.iter().flat_map(|result| shown(result)).collect();
    let caption = caption(&shown);
    chart(name, shown, caption, width)
}

fn chart(title: &str, shown: Vec<Shown>, caption: Vec<String>, width: f64) -> Option<Chart> {
    let several = shown
        .windows(2)
        .any(|rows| !std::ptr::eq(rows[0].result, rows[1].result));
    let entries = shown.iter().map(|row| entry(row, several)).collect();
    let frame = Frame::new(width, 12.0, entries);
    let scale = Scale::log(shown.iter().flat_map(extent), frame.left, frame.right, 0.05)?;
    let mut canvas = Canvas::new();
    frame.ticks(&mut canvas, scale, 46.0, tick);
    let one = scale.at(1.0);
    canvas.line((one, frame.top - 6.0), (one, frame.bottom), "one");
    frame.label(&mut canvas);
    for (index, row) in shown.iter().enumerate() {
        let y = frame.y(index);
        if let Some(published) = row.pair.published {
            canvas.diamond((scale.at(published), y), 5.4, "mark fill-base");
        }
        let drawn = Range {
            estimate: row.figure.estimate.estimate,
            limits: claims::limits(row.figure),
            centres: &row.figure.centres,
        };
        range(
            &mut canvas,
            scale,
            y,
            &drawn,
            claims::tone(claims::standing_of(row.pair)),
        );
    }
    Some(Chart {
        name: "findings",
        title: format!("The report’s findings today: {title}"),
        caption,
        width,
        height: frame.height(),
        canvas,
    })
}

fn shown(result: &WorkloadResult) -> Vec<Shown<'_>> {
    let ratios = result
        .claims
        .iter()
        .filter(|claim| claim.claim.relation.quantity().is_ratio());
    let pairs = ratios.flat_map(|claim| claim.pairs.iter().map(move |pair| (claim, pair)));
    let shown = pairs.filter_map(|(claim, pair)| {
        Some(Shown {
            result,
            claim,
            pair,
            figure: pair.figure.as_ref().ok()?,
        })
    });
    shown.collect()
}

/// `case`: whether to say of which case it is.
fn entry(row: &Shown<'_>, case: bool) -> Entry {
    let standing = claims::standing_of(row.pair);
    let mut words = vec![(claims::figure(row.result, row.claim, row.figure), "")];
    if let Some(published) = claims::published(row.claim, row.pair) {
        words.push((format!("published {published}"), "soft"));
    }
    words.push((
        claims::standing(standing).to_owned(),
        claims::tone(standing).class(),
    ));
    let change = match row.claim.claim.relation.quantity() {
        Quantity::LeadOverLead => ", change",
        _ => "",
    };
    let case = if case {
        format!("{}: ", row.result.case)
    } else {
        String::new()
    };
    Entry {
        name: format!("{case}{} / {}{change}", row.claim.claim.first, row.pair.other),
        words,
    }
}

fn caption(shown: &[Shown<'_>]) -> Vec<String> {
    let published = if shown.iter().any(|row| row.pair.published.is_some()) {
        "; diamond: the published value"
    } else {
        ""
    };
    vec![format!(
        "Line: the interval; mark: the estimate; faint dots below: each launch’s centre{published}. Logarithmic; above one, \
         the contender that the report has ahead is."
    )]
}

fn extent(row: &Shown<'_>) -> Vec<f64> {
    let mut values = vec![1.0, row.figure.estimate.estimate];
    let limits = claims::limits(row.figure).into_iter();
    values.extend(limits.flat_map(|(low, high)| [low, high]));
    values.extend(&row.figure.centres);
    values.extend(row.pair.published);
    values
}
