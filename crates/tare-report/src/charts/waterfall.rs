//! From one cost to another, layer by layer.

use tare_model::explanation::{Explanation, LayerCost};
use tare_model::units::Seconds;

use super::rows::{Entry, Frame};
use super::scale::{Scale, from_zero};
use crate::draw::{Canvas, Chart};
use crate::explanation;

/// The chart; none without stacks of both.
pub fn draw(found: &Explanation, width: f64) -> Option<Chart> {
    let (a, b) = found.cost.both()?;
    if found.layers.is_empty() {
        return None;
    }
    let steps = steps(found, a.estimate, b.estimate);
    let entries = steps.iter().map(|step| Entry {
        name: step.name.clone(),
        words: step.words.clone(),
    });
    let frame = Frame::new(width, 8.0, entries.collect());
    let ends = steps
        .iter()
        .flat_map(|step| [step.from, step.to, step.low, step.high]);
    let most = ends.fold(0.0, f64::max);
    let scale = Scale::linear(most * 1.02, frame.left, frame.right)?;
    let mut canvas = Canvas::new();
    frame.ticks(&mut canvas, scale, 64.0, |value| {
        from_zero(&Seconds(value).to_string())
    });
    frame.label(&mut canvas);
    for (index, step) in steps.iter().enumerate() {
        bar(&mut canvas, scale, frame.y(index), step);
        if let Some(next) = steps.get(index + 1) {
            let x = scale.at(step.to.max(0.0));
            canvas.line((x, frame.y(index) + 7.0), (x, frame.y(index + 1) - 7.0), "pair");
            debug_assert!((next.from - step.to).abs() < 1e-12 || next.whole);
        }
    }
    Some(Chart {
        name: "waterfall",
        title: format!("CPU per operation, {}", explanation::title(found)),
        caption: vec![
            "Each step is how much more (or less) CPU time b spends in a layer than a, by sampled stacks; whiskers: the \
             step’s interval."
                .to_owned(),
            explanation::closure(found).unwrap_or_default(),
        ],
        width,
        height: frame.height(),
        canvas,
    })
}

/// A bar from one cost to the next.
struct Step {
    name: String,
    words: Vec<(String, &'static str)>,
    from: f64,
    to: f64,
    low: f64,
    high: f64,
    class: &'static str,
    whole: bool,
}

fn steps(found: &Explanation, a: f64, b: f64) -> Vec<Step> {
    let whole = |name: String, cost: f64, class| Step {
        name,
        words: vec![(Seconds(cost).to_string(), "")],
        from: 0.0,
        to: cost,
        low: cost,
        high: cost,
        class,
        whole: true,
    };
    let mut steps = vec![whole(found.a.to_string(), a, "tare")];
    let mut at = a;
    for part in &found.layers {
        let step = layer(part, at);
        at = step.to;
        steps.push(step);
    }
    if let Some(closure) = &found.closure {
        let class = if closure.closes { "rank" } else { "alert" };
        steps.push(Step {
            name: "not explained by the layers".to_owned(),
            words: vec![(explanation::interval(&closure.rest), "soft")],
            from: at,
            to: b,
            low: b,
            high: b,
            class,
            whole: false,
        });
    }
    steps.push(whole(found.b.to_string(), b, "net"));
    steps
}

fn layer(part: &LayerCost, at: f64) -> Step {
    let delta = &part.delta;
    let to = at + delta.estimate;
    Step {
        name: part.layer.title().to_owned(),
        words: vec![(explanation::interval(delta), "soft")],
        from: at,
        to,
        low: at + delta.low.unwrap_or(delta.estimate),
        high: at + delta.high.unwrap_or(delta.estimate),
        class: if delta.estimate > 0.0 {
            "strip-worse"
        } else {
            "strip-better"
        },
        whole: false,
    }
}

fn bar(canvas: &mut Canvas, scale: Scale, y: f64, step: &Step) {
    let (from, to) = (scale.at(step.from.max(0.0)), scale.at(step.to.max(0.0)));
    // A step of zero stays visible.
    let width = (to - from).abs().max(1.0);
    canvas.rect((from.min(to), y - 7.0), (width, 14.0), 1.0, step.class);
    if step.low < step.high {
        let (low, high) = (scale.at(step.low.max(0.0)), scale.at(step.high.max(0.0)));
        canvas.line((low, y), (high, y), "whisker");
        for end in [low, high] {
            canvas.line((end, y - 4.0), (end, y + 4.0), "whisker");
        }
    }
}
