//! Published ratios beside ours: hardware differs, ratios travel.

use tare_model::results::WorkloadResult;

use super::rows::{Entry, Frame};
use super::scale::{Scale, tick};
use crate::draw::{Anchor, Canvas, Chart};
use crate::view::{self, Beside};
use crate::words;

/// The chart; none without published figures.
pub(super) fn draw(result: &WorkloadResult, width: f64) -> Option<Chart> {
    let list = view::beside(result);
    let frame = Frame::new(width, 26.0, list.iter().map(entry).collect());
    let scale = Scale::log(list.iter().flat_map(extent), frame.left, frame.right, 0.08)?;
    let mut canvas = Canvas::new();
    frame.ticks(&mut canvas, scale, 46.0, tick);
    canvas.line((scale.at(1.0), frame.top), (scale.at(1.0), frame.bottom), "one");
    legend(&mut canvas, &frame);
    frame.label(&mut canvas);
    for (index, beside) in list.iter().enumerate() {
        pair(&mut canvas, scale, frame.y(index), beside);
    }
    Some(Chart {
        name: "published",
        title: format!("Published and measured ratios: {}", result.title()),
        caption: caption(&list),
        width,
        height: frame.height(),
        canvas,
    })
}

fn caption(list: &[Beside<'_>]) -> Vec<String> {
    let references: Vec<String> = list
        .iter()
        .filter(|beside| beside.reference)
        .map(|beside| {
            format!(
                "{} ({})",
                beside.published.contender,
                beside.published.metric.title()
            )
        })
        .collect();
    let further = if list.iter().any(|beside| beside.further) {
        ", unless another is named"
    } else {
        ""
    };
    let mut sources: Vec<&str> = list
        .iter()
        .map(|beside| beside.published.source.as_str())
        .collect();
    sources.dedup();
    vec![
        format!(
            "Each figure over that of {}, which is one in both{further}. Logarithmic. Ours without an interval are \
             ratios of the figures themselves.",
            words::list(&references)
        ),
        format!("Published in {}.", sources.join("; ")),
    ]
}

fn entry(beside: &Beside<'_>) -> Entry {
    let published = beside.published;
    let over = if beside.further {
        format!(" of {}", beside.over.contender)
    } else {
        String::new()
    };
    let theirs = format!(
        "published {}{over} ({})",
        words::ratio(beside.theirs),
        words::show(published.metric, published.value)
    );
    let ours = match (&beside.ours, beside.reference) {
        (_, true) => "the reference".to_owned(),
        (Some(ours), false) => {
            let ratio = words::ratio_and_interval(ours.ratio, ours.limits);
            format!("ours {ratio}, {}", ours.metric.title())
        }
        (None, false) => "ours: no figure".to_owned(),
    };
    Entry {
        name: published.contender.to_string(),
        words: vec![(published.label.clone(), ""), (theirs, "soft"), (ours, "soft")],
    }
}

fn extent(beside: &Beside<'_>) -> Vec<f64> {
    let mut values = vec![1.0, beside.theirs];
    if let Some(ours) = &beside.ours {
        values.push(ours.ratio);
        values.extend(ours.limits.into_iter().flat_map(|(low, high)| [low, high]));
    }
    values
}

fn legend(canvas: &mut Canvas, frame: &Frame) {
    let x = if frame.narrow { 8.0 } else { frame.left + 6.0 };
    canvas.diamond((x, 11.0), 5.5, "theirs");
    canvas.text(x + 11.0, 15.0, Anchor::Start, "tick", "published");
    canvas.circle((x + 92.0, 11.0), 5.0, "ours");
    canvas.text(x + 103.0, 15.0, Anchor::Start, "tick", "measured here");
}

fn pair(canvas: &mut Canvas, scale: Scale, y: f64, beside: &Beside<'_>) {
    let theirs = (scale.at(beside.theirs), y - 6.0);
    if let Some(ours) = &beside.ours {
        let at = (scale.at(ours.ratio), y + 6.0);
        canvas.line(theirs, at, "pair");
        if let Some((low, high)) = ours.limits {
            canvas.line((scale.at(low), at.1), (scale.at(high), at.1), "ours-range");
        }
        canvas.circle(at, 5.0, "ours");
    }
    canvas.diamond(theirs, 5.5, "theirs");
}
