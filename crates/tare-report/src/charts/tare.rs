//! Gross = tare + net: what each contender costs, and how much of that is above the floor.

use tare_model::estimate::Estimate;
use tare_model::metric::Metric;
use tare_model::results::{ContenderResult, WorkloadResult};

use super::rows::{Entry, Frame};
use super::scale::{Scale, from_zero};
use crate::draw::{Anchor, Canvas, Chart};
use crate::view;
use crate::words;

/// The chart; none without a floor that has a cost figure.
pub(super) fn draw(result: &WorkloadResult, width: f64) -> Option<Chart> {
    let (metric, tare) = floor(result)?;
    let bars: Vec<(&ContenderResult, &Estimate)> = view::measured(result)
        .into_iter()
        .filter_map(|c| Some((c, c.metrics.get(&metric)?)))
        .collect();
    let entries = bars
        .iter()
        .map(|(contender, gross)| entry(result, contender, metric, gross));
    let frame = Frame::new(width, 26.0, entries.collect());
    let most = bars
        .iter()
        .map(|(_, gross)| gross.high.unwrap_or(gross.estimate))
        .fold(0.0, f64::max);
    let scale = Scale::linear(most * 1.02, frame.left, frame.right)?;
    let mut canvas = Canvas::new();
    frame.ticks(&mut canvas, scale, 64.0, |value| {
        from_zero(&words::show(metric, value))
    });
    legend(&mut canvas, &frame);
    frame.label(&mut canvas);
    for (index, (_, gross)) in bars.iter().enumerate() {
        bar(&mut canvas, scale, frame.y(index), tare, gross);
    }
    Some(Chart {
        name: "tare",
        title: format!("Gross = tare + net, {}: {}", metric.title(), result.title()),
        caption: vec![format!(
            "The tare is the {} of the floor, {}: the smallest program that gives the right answers. The rest \
             is net. Whiskers: the gross figure’s interval.",
            metric.title(),
            result.floor.as_ref()?
        )],
        width,
        height: frame.height(),
        canvas,
    })
}

/// The metric that the chart is of (the primary one if it is a cost, else CPU per operation) and the floor's figure.
fn floor(result: &WorkloadResult) -> Option<(Metric, f64)> {
    let floor = view::measured(result)
        .into_iter()
        .find(|c| result.floor.as_ref() == Some(&c.id))?;
    let cost = |metric: &Metric| matches!(metric, Metric::CpuPerOp | Metric::TimePerOp | Metric::Duration);
    let candidates = [result.primary, Metric::CpuPerOp].into_iter().filter(cost);
    candidates
        .into_iter()
        .find_map(|metric| Some((metric, floor.metrics.get(&metric)?.estimate)))
}

fn entry(result: &WorkloadResult, contender: &ContenderResult, metric: Metric, gross: &Estimate) -> Entry {
    let mut words = vec![(words::estimate(metric, gross), "")];
    let net = match contender.net.get(&metric) {
        _ if result.floor.as_ref() == Some(&contender.id) => "the floor: the tare itself".to_owned(),
        Some(net) => format!("net {}", words::estimate(metric, net)),
        None => "net cannot be distinguished from zero".to_owned(),
    };
    words.push((net, "soft"));
    Entry {
        name: contender.id.to_string(),
        words,
    }
}

fn legend(canvas: &mut Canvas, frame: &Frame) {
    let x = if frame.narrow { 0.0 } else { frame.left };
    canvas.rect((x, 5.0), (11.0, 11.0), 2.0, "tare");
    canvas.text(x + 16.0, 15.0, Anchor::Start, "tick", "tare (floor)");
    canvas.rect((x + 100.0, 5.0), (11.0, 11.0), 2.0, "net");
    canvas.text(x + 116.0, 15.0, Anchor::Start, "tick", "net (above the floor)");
}

fn bar(canvas: &mut Canvas, scale: Scale, y: f64, tare: f64, gross: &Estimate) {
    let (zero, floor, end) = (
        scale.at(0.0),
        scale.at(tare.min(gross.estimate)),
        scale.at(gross.estimate),
    );
    canvas.rect((zero, y - 7.0), (floor - zero, 14.0), 2.0, "tare");
    canvas.rect((floor, y - 7.0), (end - floor, 14.0), 2.0, "net");
    if let Some((low, high)) = gross.low.zip(gross.high) {
        canvas.line((scale.at(low), y), (scale.at(high), y), "whisker");
        for end in [low, high] {
            canvas.line((scale.at(end), y - 4.0), (scale.at(end), y + 4.0), "whisker");
        }
    }
}
