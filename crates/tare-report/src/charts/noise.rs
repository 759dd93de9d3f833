//! The noise around each contender's slices: a small table with bars.

use tare_model::results::{ContenderResult, Covariates, WorkloadResult};

use crate::draw::{Anchor, Canvas, Chart, MONO_12, width as text_width};
use crate::view;
use crate::words;

/// A column: its title, and from the covariates its text, the bar's share of its track, and whether that is a lot.
struct Column {
    title: &'static str,
    show: fn(&Covariates) -> Option<(String, f64, bool)>,
}

/// The track of a share is 100%, that of steal and pressure 10%, that of lateness 10 ms.
const COLUMNS: [Column; 6] = [
    Column {
        title: "contender busy",
        show: |c| {
            Some((
                words::measured_percent(c.contender_busy.0),
                c.contender_busy.0,
                false,
            ))
        },
    },
    Column {
        title: "load busy",
        show: |c| {
            Some((
                words::measured_percent(c.load_busy.0),
                c.load_busy.0,
                c.load_busy.0 >= 0.9,
            ))
        },
    },
    Column {
        title: "steal",
        show: |c| {
            Some((
                words::measured_percent(c.steal.0),
                c.steal.0 * 10.0,
                c.steal.0 >= 0.02,
            ))
        },
    },
    Column {
        title: "CPU pressure",
        show: |c| {
            let share = c.pressure?.0;
            Some((words::measured_percent(share), share * 10.0, share >= 0.1))
        },
    },
    Column {
        title: "lag p99.9",
        show: |c| {
            let lag = c.lag?.1;
            Some((lag.to_string(), lag.0 / 0.01, lag.0 >= 0.01))
        },
    },
    Column {
        title: "switches/op",
        show: |c| Some((words::number(c.switches_per_op), c.switches_per_op / 4.0, false)),
    },
];

const ROW: f64 = 30.0;
const HEAD: f64 = 24.0;
/// The least width of a column, for its title.
const LEAST: f64 = 96.0;

/// Bars and their tracks, which are drawn at the end: those of one look together, since there are hundreds.
#[derive(Default)]
struct Bars {
    tracks: Vec<Bar>,
    usual: Vec<Bar>,
    much: Vec<Bar>,
}

/// A left end, and a length.
type Bar = ((f64, f64), f64);

impl Bars {
    fn draw(&self, canvas: &mut Canvas) {
        canvas.dashes(&self.tracks, "level track");
        canvas.dashes(&self.usual, "level bar");
        canvas.dashes(&self.much, "level alert");
    }
}

/// The chart; none without a measured contender.
pub(super) fn draw(result: &WorkloadResult, width: f64) -> Option<Chart> {
    let contenders = view::measured(result);
    if contenders.is_empty() {
        return None;
    }
    let (mut canvas, mut bars) = (Canvas::new(), Bars::default());
    let height = if width - name_column(&contenders, width) < LEAST * COLUMNS.len() as f64 {
        narrow(&mut canvas, &mut bars, &contenders, width)
    } else {
        wide(&mut canvas, &mut bars, &contenders, width)
    };
    bars.draw(&mut canvas);
    Some(Chart {
        name: "noise",
        title: format!("Noise around the slices: {}", result.title()),
        caption: vec![
            "Means over slices. Tracks: busy shares 100%, steal and pressure 10%, lag (how late the generator sent, \
             99.9th percentile) 10 ms, context switches 4 per operation. An exclamation mark: enough noise to doubt \
             the figures."
                .to_owned(),
        ],
        width,
        height,
        canvas,
    })
}

/// The width of the names and the gap after them.
fn name_column(contenders: &[&ContenderResult], width: f64) -> f64 {
    let names = contenders
        .iter()
        .map(|c| text_width(&c.id.to_string(), MONO_12))
        .fold(0.0, f64::max);
    names.min(width * 0.3) + 18.0
}

fn wide(canvas: &mut Canvas, bars: &mut Bars, contenders: &[&ContenderResult], width: f64) -> f64 {
    let left = name_column(contenders, width);
    let step = (width - left) / COLUMNS.len() as f64;
    for (index, column) in COLUMNS.iter().enumerate() {
        canvas.text(
            left + step * index as f64,
            14.0,
            Anchor::Start,
            "tick",
            column.title,
        );
    }
    for (row, contender) in contenders.iter().enumerate() {
        let y = HEAD + ROW * row as f64;
        canvas.text(0.0, y + 13.5, Anchor::Start, "name", &contender.id.to_string());
        for (index, column) in COLUMNS.iter().enumerate() {
            let at = (left + step * index as f64, y);
            cell(canvas, bars, (column, contender), at, step - 14.0);
        }
    }
    HEAD + ROW * contenders.len() as f64
}

fn narrow(canvas: &mut Canvas, bars: &mut Bars, contenders: &[&ContenderResult], width: f64) -> f64 {
    const BLOCK: f64 = 116.0;
    let step = width / 3.0;
    for (row, contender) in contenders.iter().enumerate() {
        let y = BLOCK * row as f64;
        canvas.text(0.0, y + 14.0, Anchor::Start, "name", &contender.id.to_string());
        for (index, column) in COLUMNS.iter().enumerate() {
            let at = (step * (index % 3) as f64, y + 20.0 + 44.0 * (index / 3) as f64);
            canvas.text(at.0, at.1 + 11.0, Anchor::Start, "tick", column.title);
            let at = (at.0, at.1 + 13.0);
            cell(canvas, bars, (column, contender), at, step - 14.0);
        }
    }
    BLOCK * contenders.len() as f64
}

fn cell(
    canvas: &mut Canvas,
    bars: &mut Bars,
    (column, contender): (&Column, &ContenderResult),
    at: (f64, f64),
    room: f64,
) {
    let Some((text, share, much)) = (column.show)(&contender.covariates) else {
        canvas.text(at.0, at.1 + 15.0, Anchor::Start, "soft", view::NONE);
        return;
    };
    let text = if much { format!("{text} !") } else { text };
    let class = if much { "worse" } else { "" };
    canvas.text(at.0, at.1 + 13.0, Anchor::Start, class, &text);
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    };
    let left = (at.0, at.1 + 20.0);
    bars.tracks.push((left, room));
    let list = if much { &mut bars.much } else { &mut bars.usual };
    list.push((left, room * share));
}
