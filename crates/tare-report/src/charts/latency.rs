//! The distribution of latencies, with the tail stretched: percentiles on an axis of log 1/(1−q).

use tare_model::histogram::Histogram;
use tare_model::metric::Mode;
use tare_model::results::{ContenderResult, WorkloadResult};
use tare_model::units::Seconds;

use super::scale::{Scale, trim};
use super::series::{End, LABEL, labels, legend, look};
use crate::draw::{Anchor, Canvas, Chart, MONO_12, width as text_width};
use crate::view;

const TOP: f64 = 10.0;

struct Curve<'a> {
    contender: &'a ContenderResult,
    points: Vec<(f64, f64)>,
}

/// Where the plot is.
#[derive(Clone, Copy)]
struct Plot {
    left: f64,
    right: f64,
    bottom: f64,
    narrow: bool,
}

/// The chart; none without latencies.
pub(super) fn draw(result: &WorkloadResult, width: f64) -> Option<Chart> {
    let curves: Vec<Curve<'_>> = view::measured(result)
        .into_iter()
        .filter(|contender| contender.latency.count() >= 20)
        .map(|contender| Curve {
            contender,
            points: percentiles(&contender.latency),
        })
        .collect();
    let nines = curves
        .iter()
        .flat_map(|c| &c.points)
        .map(|point| point.0)
        .fold(0.0, f64::max);
    let plot = layout(width, &curves);
    let all = curves.iter().flat_map(|c| &c.points).map(|point| point.1);
    let y = Scale::log(all, plot.bottom, TOP, 0.04)?;
    let x = Scale::linear(nines, plot.left, plot.right)?;
    let mut canvas = Canvas::new();
    axes(&mut canvas, plot, x, y, nines);
    for (index, curve) in curves.iter().enumerate() {
        let points: Vec<_> = curve
            .points
            .iter()
            .map(|&(q, value)| (x.at(q), y.at(value)))
            .collect();
        canvas.curve(&points, &format!("curve {}", look(index)));
    }
    let named = curves.iter().enumerate();
    let height = if plot.narrow {
        let names = named.map(|(index, curve)| (index, curve.contender.id.to_string()));
        legend(&mut canvas, plot.bottom + 40.0, names)
    } else {
        let end = |(index, curve): (usize, &Curve<'_>)| {
            let last = curve.points.last()?;
            Some(End {
                index,
                name: curve.contender.id.to_string(),
                at: (x.at(last.0), y.at(last.1)),
            })
        };
        let ends = named.filter_map(end).collect();
        labels(&mut canvas, ends, plot.right, TOP + 4.0, plot.bottom);
        plot.bottom + 26.0
    };
    Some(Chart {
        name: "latency",
        title: format!("Latency: {}", result.title()),
        caption: caption(result),
        width,
        height,
        canvas,
    })
}

fn caption(result: &WorkloadResult) -> Vec<String> {
    let from = match result.mode {
        Mode::Cost => {
            "counted from the intended send time, so a stall counts for every request that it delayed"
        }
        Mode::Capacity | Mode::Batch | Mode::Command | Mode::Benchmark => "counted from the send",
    };
    vec![format!(
        "All slices together, {from}. The axis of percentiles stretches the tail, up to the highest percentile with ten \
         answers beyond it; lower is better."
    )]
}

fn layout(width: f64, curves: &[Curve<'_>]) -> Plot {
    let names = curves
        .iter()
        .map(|c| text_width(&c.contender.id.to_string(), MONO_12))
        .fold(0.0, f64::max);
    let narrow = width < 560.0;
    let wanted = if narrow {
        230.0
    } else {
        (curves.len() as f64 * LABEL).max(300.0)
    };
    Plot {
        left: 54.0,
        right: if narrow {
            width - 12.0
        } else {
            width - names.min(width * 0.35) - 26.0
        },
        bottom: TOP + wanted,
        narrow,
    }
}

/// Points (log10 of 1/(1−q), seconds): 24 per decade, up to the highest percentile with at least ten values beyond it.
fn percentiles(histogram: &Histogram) -> Vec<(f64, f64)> {
    let last = (histogram.count() as f64 / 10.0).log10();
    let steps = (last * 24.0).ceil().max(1.0) as usize;
    let point = |step: usize| {
        let nines = last * step as f64 / steps as f64;
        let nanos = histogram.quantile(1.0 - 10f64.powf(-nines))?;
        Some((nines, Seconds::from_nanos(nanos.max(1)).0))
    };
    (0..=steps).filter_map(point).collect()
}

fn axes(canvas: &mut Canvas, plot: Plot, x: Scale, y: Scale, nines: f64) {
    for value in y.ticks(26.0) {
        let at = y.at(value);
        canvas.line((plot.left, at), (plot.right, at), "");
        let text = trim(&Seconds(value).to_string());
        canvas.text(plot.left - 8.0, at + 4.0, Anchor::End, "tick", &text);
    }
    let marks = [
        (0.0, "min"),
        (0.5, "50%"),
        (0.9, "90%"),
        (0.99, "99%"),
        (0.999, "99.9%"),
        (0.9999, "99.99%"),
        (0.99999, "99.999%"),
        (0.999999, "99.9999%"),
    ];
    let mut free = f64::NEG_INFINITY;
    for (q, text) in marks {
        let place = -f64::log10(1.0 - q);
        if place > nines + 1e-6 || x.at(place) < free {
            continue;
        }
        let at = x.at(place);
        free = at + 46.0;
        canvas.line((at, TOP), (at, plot.bottom + 4.0), "");
        canvas.text(at, plot.bottom + 18.0, Anchor::Middle, "tick", text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_ends_where_ten_values_lie_beyond() {
        let mut histogram = Histogram::new();
        (1..=1000u64).for_each(|i| histogram.record(i * 1000));
        let points = percentiles(&histogram);
        let (nines, value) = *points.last().unwrap();
        assert!((nines - 2.0).abs() < 1e-9);
        assert!((value / 990e-6 - 1.0).abs() < 0.01, "{value}");
    }
}
