//! Every raw slice as CSV, so that the statistics can be redone elsewhere.
//!
//! One row for each slice, in the order in which they were measured. Columns: where it belongs (`run`, `workload`, `case`,
//! `mode`, `contender`, `phase`, `launch`, `round`, `place`), when it began (seconds since the run began), what the
//! load generator saw (`wall` to `overflows`), what the host saw (`cpu` to `pressure`), what its
//! services used (`services_cpu`), what a benchmark's harness printed (`figures`), and the slice's value on each metric (empty if it has too few answers for one). Times
//! are in seconds, sizes in bytes, shares from 0 to 1. A few percentiles stand for a histogram; the store keeps it whole.

use tare_model::figure::Figure;
use tare_model::histogram::Histogram;
use tare_model::metric::Metric;
use tare_model::record::{ArenaRecord, RunRecord, SliceRecord};
use tare_model::units::Seconds;

use crate::escape;
use crate::format::{Format, Output};

/// Every raw slice.
pub const FORMAT: Format = Format {
    name: "slices",
    render: |source| Ok(Output::Text(render(source.record))),
};

/// Columns before the metrics.
pub const COLUMNS: [&str; 47] = [
    "run",
    "workload",
    "case",
    "mode",
    "contender",
    "phase",
    "launch",
    "round",
    "place",
    "began",
    "connections",
    "wall",
    "answers",
    "sent",
    "valid",
    "invalid",
    "lost",
    "latency_count",
    "latency_p50_all",
    "latency_p90_all",
    "latency_p99_all",
    "latency_max",
    "lag_p50",
    "lag_p999",
    "lag_max",
    "bytes_out",
    "bytes_in",
    "checked",
    "load_cpu",
    "load_busy",
    "reopened",
    "retransmits",
    "overflows",
    "cpu",
    "compilers_cpu",
    "thawed",
    "busy",
    "memory",
    "memory_peak_now",
    "switches",
    "steal",
    "pressure",
    "services_cpu",
    "programs",
    "sweep",
    "size",
    "figures",
];

/// The document, with a header and `\n` after each row.
pub fn render(record: &RunRecord) -> String {
    let mut out = COLUMNS.join(",");
    for metric in Metric::ALL {
        out.push_str(",value_");
        out.push_str(metric.name());
    }
    out.push('\n');
    for arena in &record.arenas {
        for slice in &arena.slices {
            let cells = row(&record.info.id, arena, slice);
            out.push_str(&cells.join(","));
            out.push('\n');
        }
    }
    out
}

fn row(run: &str, arena: &ArenaRecord, slice: &SliceRecord) -> Vec<String> {
    let mut cells = place(run, arena, slice);
    cells.extend(load(slice));
    cells.extend(host(slice));
    cells.push(services(slice));
    let programs: Vec<String> = slice
        .reading
        .load
        .programs
        .iter()
        .map(|time| time.0.to_string())
        .collect();
    cells.push(programs.join(" "));
    cells.push(escape::csv(arena.sweep.as_deref().unwrap_or_default()));
    cells.push(arena.size.map_or(String::new(), |size| size.to_string()));
    cells.push(figures(slice));
    cells.extend(Metric::ALL.map(|metric| optional(slice.reading.value(metric))));
    cells
}

/// `time=0.0000001104 s; allocations=3; custom=10 words/op`, each with its part, if it has one.
fn figures(slice: &SliceRecord) -> String {
    let text = |figure: &Figure| {
        let words = [figure.quantity.unit(), figure.part.as_str()].into_iter();
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let value = format!("{}={} {}", figure.quantity.name(), figure.value, words.join(" "));
        value.trim_end().to_owned()
    };
    let texts: Vec<String> = slice.reading.figures.iter().map(text).collect();
    escape::csv(&texts.join("; "))
}

fn place(run: &str, arena: &ArenaRecord, slice: &SliceRecord) -> Vec<String> {
    let entrant = arena
        .entrants
        .get(slice.entrant)
        .map(|entrant| entrant.id.to_string());
    vec![
        escape::csv(run),
        escape::csv(&arena.workload),
        escape::csv(&arena.case),
        arena.mode.name().to_owned(),
        escape::csv(&entrant.unwrap_or_default()),
        slice.phase.name().to_owned(),
        slice.launch.to_string(),
        slice.round.to_string(),
        slice.place.to_string(),
        slice.reading.began.0.to_string(),
    ]
}

fn load(slice: &SliceRecord) -> Vec<String> {
    let load = &slice.reading.load;
    let mut cells = vec![
        load.connections.to_string(),
        load.wall.0.to_string(),
        load.answers.to_string(),
        load.requests.sent.to_string(),
        load.requests.valid.to_string(),
        load.requests.invalid.to_string(),
        load.requests.lost.to_string(),
        load.latency.count().to_string(),
    ];
    cells.extend([0.5, 0.9, 0.99, 1.0].map(|q| at(&load.latency, q)));
    cells.extend([0.5, 0.999, 1.0].map(|q| at(&load.lag, q)));
    cells.extend([
        load.bytes_out.0.to_string(),
        load.bytes_in.0.to_string(),
        load.checked.0.to_string(),
        load.cpu.0.to_string(),
        load.busy.0.to_string(),
        load.reopened.to_string(),
        load.retransmits.to_string(),
        load.overflows.to_string(),
    ]);
    cells
}

fn host(slice: &SliceRecord) -> Vec<String> {
    let host = &slice.reading.host;
    vec![
        host.cpu.0.to_string(),
        host.compilers.0.to_string(),
        host.thawed.0.to_string(),
        host.busy.0.to_string(),
        host.memory.0.to_string(),
        host.memory_peak.0.to_string(),
        host.switches.to_string(),
        host.steal.0.to_string(),
        optional(host.pressure.map(|share| share.0)),
    ]
}

/// `postgresql=0.012`; several are separated by blanks.
fn services(slice: &SliceRecord) -> String {
    let services = slice.reading.services.iter();
    let texts: Vec<String> = services
        .map(|service| format!("{}={}", service.name, service.cpu.0))
        .collect();
    escape::csv(&texts.join(" "))
}

fn at(histogram: &Histogram, q: f64) -> String {
    optional(histogram.quantile(q).map(|nanos| Seconds::from_nanos(nanos).0))
}

fn optional(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
