//! Break-evens: a strip over the sizes for each contender that shows where it is cheaper than the baseline, where it is
//! dearer, and where neither is shown.

use tare_model::sweep::{Cheaper, SizePair, SweepResult};

use super::axis::{axis, place, ticks};
use crate::charts::rows::{Entry, Frame};
use crate::charts::scale::Scale;
use crate::draw::{Anchor, Canvas, Chart};
use crate::sweep;

/// The chart; none without a pair.
pub(super) fn draw(result: &SweepResult, width: f64) -> Option<Chart> {
    if result.pairs.is_empty() {
        return None;
    }
    let frame = Frame::new(
        width,
        26.0,
        result.pairs.iter().map(|pair| entry(result, pair)).collect(),
    );
    let x = axis(result, frame.left, frame.right)?;
    let mut canvas = Canvas::new();
    ticks(result, x, |at, text| frame.tick(&mut canvas, at, text));
    legend(&mut canvas, &frame);
    frame.label(&mut canvas);
    for (index, pair) in result.pairs.iter().enumerate() {
        strip(&mut canvas, result, pair, x, frame.y(index));
    }
    let baseline = result.baseline.as_ref()?;
    Some(Chart {
        name: "break-even",
        title: format!("Cheaper or dearer than {baseline}, over {}: {}", result.name, result.title()),
        caption: vec![
            "Strips: by the lines, at any size. Dots: by the ratio measured at that size alone. If cost is not a line \
             or that was not tested, a strip only joins two sizes between which the cheaper one changes."
                .to_owned(),
            sweep::grounds(result),
        ],
        width,
        height: frame.height(),
        canvas,
    })
}

fn entry(result: &SweepResult, pair: &SizePair) -> Entry {
    let text = match &pair.lines {
        Some(lines) => sweep::even(result, lines),
        None => sweep::by_points(result, pair),
    };
    Entry {
        name: pair.a.to_string(),
        words: vec![(text.trim_end_matches('.').to_owned(), "soft")],
    }
}

/// Samples, each with its text: colour alone says nothing.
fn legend(canvas: &mut Canvas, frame: &Frame) {
    let mut x = if frame.narrow { 0.0 } else { frame.left };
    for (class, text, room) in [
        ("strip-better", "cheaper", 74.0),
        ("strip-open", "neither shown", 110.0),
        ("strip-worse", "dearer", 0.0),
    ] {
        canvas.rect((x, 5.0), (11.0, 11.0), 2.0, class);
        canvas.text(x + 16.0, 15.0, Anchor::Start, "tick", text);
        x += room;
    }
}

fn strip(canvas: &mut Canvas, result: &SweepResult, pair: &SizePair, x: Scale, y: f64) {
    let (first, last) = sweep::ends(result);
    if let Some(set) = pair.lines.as_ref().and_then(|lines| lines.break_even) {
        let mut cuts = vec![first, last];
        cuts.extend(set.ends().into_iter().filter(|end| first < *end && *end < last));
        cuts.sort_by(f64::total_cmp);
        for piece in cuts.windows(2) {
            let class = match set.cheaper_at(0.5 * (piece[0] + piece[1])) {
                Some(Cheaper::A) => "strip-better",
                Some(Cheaper::B) => "strip-worse",
                None => "strip-open",
            };
            let (from, to) = (x.at(place(result, piece[0])), x.at(place(result, piece[1])));
            canvas.rect((from, y - 5.0), (to - from, 10.0), 0.0, class);
        }
    }
    for turn in pair.turns().iter().filter(|_| pair.lines.is_none()) {
        let (from, to) = (x.at(place(result, turn.low)), x.at(place(result, turn.high)));
        canvas.rect((from, y - 5.0), (to - from, 10.0), 0.0, "strip-open");
    }
    for (at, cheaper) in pair.extra.iter().zip(&pair.cheaper) {
        let class = match cheaper {
            Some(Cheaper::A) => "mark fill-better",
            Some(Cheaper::B) => "mark fill-worse",
            None => "mark fill-open",
        };
        canvas.circle((x.at(place(result, at.size)), y), 4.5, class);
    }
}
