//! Affordability: the share of a request that an extra cost is, against the duration of the request.

use tare_model::sweep::{Affordable, ExtraOf, SizePair, SweepResult};

use crate::charts::scale::{Scale, trim};
use crate::charts::series::{colour, legend, look};
use crate::draw::{Anchor, Canvas, Chart};
use crate::sweep;

const TOP: f64 = 10.0;
const LEFT: f64 = 50.0;

/// The least share that is drawn.
const LEAST: f64 = 0.001;

/// An extra cost that is shown to be above zero.
struct Extra<'a> {
    /// The contender's index among all, so that it has the same colour as in the chart of costs.
    index: usize,
    pair: &'a SizePair,
    row: &'a Affordable,
    low: f64,
    high: f64,
}

/// The chart; none if no contender is shown to cost more than the baseline.
pub(super) fn draw(result: &SweepResult, width: f64) -> Option<Chart> {
    let extras: Vec<Extra<'_>> = result
        .pairs
        .iter()
        .filter_map(|pair| extra(result, pair))
        .collect();
    let narrow = width < 560.0;
    let (right, bottom) = (width - 16.0, TOP + if narrow { 230.0 } else { 280.0 });
    let all = extras
        .iter()
        .flat_map(|extra| [extra.low, extra.high, extra.high / LEAST]);
    let x = Scale::log(all, LEFT, right, 0.02)?;
    let y = Scale::log([LEAST, 1.0].into_iter(), bottom, TOP, 0.0)?;
    let mut canvas = Canvas::new();
    grid(&mut canvas, result, x, y, (right, bottom));
    extras.iter().for_each(|extra| curve(&mut canvas, extra, x, y));
    let names = extras.iter().map(|extra| (extra.index, name(extra)));
    let height = legend(&mut canvas, bottom + 44.0, names);
    Some(Chart {
        name: "afford",
        title: format!(
            "From which duration of a request the extra cost is affordable: {}",
            result.title()
        ),
        caption: vec![
            format!(
                "Horizontal: how long a whole request takes. Vertical: the share of it that is the extra cost against {}. \
                 The band is the extra cost’s interval; dots mark {} of the request. Both axes are logarithmic.",
                result.baseline.as_ref()?,
                crate::words::list(&sweep::shares(result))
            ),
            sweep::grounds(result),
        ],
        width,
        height,
        canvas,
    })
}

/// A pair's fixed part, or without lines its extra cost at the smallest size; none if that may be zero.
fn extra<'a>(result: &SweepResult, pair: &'a SizePair) -> Option<Extra<'a>> {
    let index = result.contenders.iter().position(|costs| costs.id == pair.a)?;
    let row = pair.affordable.first()?;
    let (low, high) = row.extra.low.zip(row.extra.high)?;
    (low > 0.0 && high.is_finite()).then_some(Extra {
        index,
        pair,
        row,
        low,
        high,
    })
}

fn name(extra: &Extra<'_>) -> String {
    let of = match extra.row.of {
        ExtraOf::Fixed => "fixed".to_owned(),
        ExtraOf::Size(size) => format!("at {}", sweep::measured(size as f64)),
    };
    format!("{} {of}: {}", extra.pair.a, sweep::span(&extra.row.extra, true))
}

fn grid(canvas: &mut Canvas, result: &SweepResult, x: Scale, y: Scale, (right, bottom): (f64, f64)) {
    for (share, text) in [
        (1.0, "100%"),
        (0.1, "10%"),
        (0.05, "5%"),
        (0.01, "1%"),
        (0.001, "0.1%"),
    ] {
        let at = y.at(share);
        let stressed = sweep::shares(result).iter().any(|shown| shown == text);
        canvas.line((LEFT, at), (right, at), if stressed { "one" } else { "" });
        canvas.text(LEFT - 8.0, at + 4.0, Anchor::End, "tick", text);
    }
    for value in x.ticks(62.0) {
        let at = x.at(value);
        canvas.line((at, TOP), (at, bottom + 4.0), "");
        let text = trim(&tare_model::units::Seconds(value).to_string());
        canvas.text(at, bottom + 18.0, Anchor::Middle, "tick", &text);
    }
}

fn curve(canvas: &mut Canvas, extra: &Extra<'_>, x: Scale, y: Scale) {
    let colour = colour(extra.index);
    // extra/T is a straight line on two logarithmic axes, so its ends are enough.
    let ends = |cost: f64| [(x.at(cost), y.at(1.0)), (x.at(cost / LEAST), y.at(LEAST))];
    canvas.area(&ends(extra.low), &ends(extra.high), &format!("band f{colour}"));
    canvas.curve(
        &ends(extra.row.extra.estimate),
        &format!("curve {}", look(extra.index)),
    );
    for (share, duration) in &extra.row.from {
        canvas.circle(
            (x.at(duration.estimate), y.at(*share)),
            3.5,
            &format!("dot s{colour}"),
        );
    }
}
