//! The ranks that each contender may have: bars that do not overlap are distinguishable.

use tare_model::results::WorkloadResult;

use super::rows::{Entry, Frame};
use crate::draw::{Anchor, Canvas, Chart};
use crate::view;
use crate::words;

/// The chart; none unless at least two contenders are ranked.
pub(super) fn draw(result: &WorkloadResult, width: f64) -> Option<Chart> {
    let rows: Vec<_> = view::rows(result)
        .into_iter()
        .filter_map(|row| view::rank(result, row.contender).map(|rank| (row, rank)))
        .collect();
    if rows.len() < 2 {
        return None;
    }
    let last = rows.iter().map(|(_, rank)| rank.1).max()?.max(rows.len() as u32);
    let entries = rows.iter().map(|(row, _)| Entry {
        name: row.contender.id.to_string(),
        words: vec![(row.figure.clone(), "soft")],
    });
    let frame = Frame::new(width, 6.0, entries.collect());
    let step = (frame.right - frame.left) / f64::from(last);
    let at = |place: f64| frame.left + (place - 0.5) * step;
    let mut canvas = Canvas::new();
    for place in 1..=last {
        frame.tick(&mut canvas, at(f64::from(place)), &place.to_string());
    }
    frame.label(&mut canvas);
    let half = (step * 0.42).min(30.0);
    for (index, (_, (low, high))) in rows.iter().enumerate() {
        let (from, to) = (at(f64::from(*low)) - half, at(f64::from(*high)) + half);
        let y = frame.y(index);
        canvas.rect((from, y - 9.0), (to - from, 18.0), 9.0, "rank");
        let text = words::span((*low, *high));
        canvas.text((from + to) / 2.0, y + 4.0, Anchor::Middle, "onbar", &text);
    }
    Some(Chart {
        name: "ranks",
        title: format!("Ranks by {}: {}", result.primary.title(), result.title()),
        caption: caption(result),
        width,
        height: frame.height(),
        canvas,
    })
}

fn caption(result: &WorkloadResult) -> Vec<String> {
    vec![format!(
        "Each bar spans the ranks that a contender may have: from one more than the number of contenders that are shown \
         to be better, to the number of those that are not shown to be worse. Contenders whose bars do not overlap are \
         distinguishable. All pairs share α; {} in {}.",
        words::counted(u64::from(result.rounds), "round"),
        words::counted(u64::from(result.launches), words::launch(result.mode))
    )]
}
