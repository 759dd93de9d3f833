//! The run itself: machine, settings, where the time went, notes; and how to read the page.

use tare_model::metric::Mode;
use tare_model::results::{Machine, Results, RunInfo, WorkloadResult};
use tare_model::units::{Bytes, Seconds};

use super::parts::{Cell, pairs, table};
use crate::escape::xml;
use crate::nodes;
use crate::view;
use crate::when;
use crate::words;

/// Both sections.
pub(super) fn section(results: &Results) -> String {
    let run = &results.run;
    let mut out = "<section id=\"run\">\n<h2>The run</h2>\n<div class=\"columns\">\n".to_owned();
    out.push_str(&format!(
        "<div><h3>Machine</h3>\n{}</div>\n",
        machine(&run.machine)
    ));
    out.push_str(&format!(
        "<div><h3>Settings</h3>\n{}</div>\n</div>\n",
        settings(run)
    ));
    out.push_str(&phases(run));
    out.push_str(&notes(run));
    out.push_str("</section>\n");
    out.push_str(&reading(results));
    out
}

/// What contenders differ by on each of several machines.
pub(super) fn by_node(one: &nodes::Table) -> String {
    let row = |cells: &Vec<String>| -> Vec<Cell> {
        let (id, ratios) = cells.split_first().expect("the contender first");
        let ratios = ratios.iter().map(|ratio| Cell::number(ratio, ratio.parse().ok()));
        std::iter::once(Cell::text(id).class("id"))
            .chain(ratios)
            .collect()
    };
    let rows: Vec<Vec<Cell>> = one.rows.iter().map(row).collect();
    format!(
        "<section>\n<h2>{}, by node</h2>\n<p class=\"foot\">{}</p>\n{}</section>\n",
        xml(&one.title),
        xml(nodes::NOTE),
        table("sortable", &one.headings, &rows)
    )
}

fn machine(machine: &Machine) -> String {
    let facts = [
        ("host", machine.host.clone()),
        ("processor", machine.cpu.clone()),
        ("cores used", machine.cores.to_string()),
        ("memory", Bytes(machine.memory).to_string()),
        ("kernel", machine.kernel.clone()),
        ("system", machine.os.clone()),
        ("paused by", machine.freezer.clone()),
        ("CPU counted by", machine.accounting.clone()),
    ];
    pairs(facts.into_iter())
}

fn settings(run: &RunInfo) -> String {
    let facts = [
        ("tare", run.tare.clone()),
        ("run", run.id.clone()),
        ("began", when::iso(run.started)),
        ("took", when::length(run.took)),
    ];
    pairs(facts.into_iter().chain(words::settings(&run.settings)))
}

/// A bar for each phase; its length is the share of the whole time.
fn phases(run: &RunInfo) -> String {
    let total: f64 = run.phases.iter().map(|(_, time)| time.0.max(0.0)).sum();
    if total <= 0.0 {
        return String::new();
    }
    let bars: String = run
        .phases
        .iter()
        .map(|(name, time)| phase(name, *time, total))
        .collect();
    format!("<h3>Where the wall time went</h3>\n<div class=\"phases\">\n{bars}</div>\n")
}

fn phase(name: &str, time: Seconds, total: f64) -> String {
    let share = (time.0.max(0.0) / total).min(1.0);
    format!(
        "<p><span class=\"what\">{}</span><span class=\"track\"><span style=\"width:{:.1}%\"></span></span>\
         <span class=\"much\">{} · {}</span></p>\n",
        xml(name),
        share * 100.0,
        xml(&when::length(time)),
        xml(&words::measured_percent(share))
    )
}

fn notes(run: &RunInfo) -> String {
    let nodes = nodes::sentence(run);
    let all: Vec<&String> = nodes.iter().chain(&run.notes).collect();
    if all.is_empty() {
        return String::new();
    }
    let items: String = all
        .iter()
        .map(|note| format!("<li>{}</li>\n", xml(note)))
        .collect();
    format!("<h3>Notes</h3>\n<ul>\n{items}</ul>\n")
}

/// How contenders are measured.
const OF_CONTENDERS: &str = "All contenders of a table run side by side: in every round each is measured once, for a slice, \
in a fresh random order, while the others are paused. So machine noise affects all contenders equally. After some rounds all \
contenders are started again: that is a launch. Chance at the start of a process affects its speed for as long as it runs, so \
the launch is the unit of inference: a ratio’s interval is computed from the launches’ centres (an anytime-valid t sequence). \
Looking at it after every launch does not raise the error rate.";

/// How commands are measured.
const OF_COMMANDS: &str = "The commands of a table take turns: in every round each is run, one at a time, in a fresh random \
order. So machine noise affects all commands equally. Some rounds together are a block. Noise that lasts for several rounds \
affects those of a block alike, so the block is the unit of inference: a ratio’s interval is computed from the blocks’ centres \
(an anytime-valid t sequence). Looking at it after every block does not raise the error rate.";

/// How benchmarks are measured.
const OF_BENCHMARKS: &str = "Each sample is a process that runs one benchmark, with as many iterations on both sides. The \
benchmarks take turns: in every round the sides of one are measured once each, in a fresh random order, and benchmarks follow \
each other in random order, too. So machine noise affects both sides equally. Some rounds together are a launch, with a layout \
in memory of its own where layouts are drawn. A ratio’s interval is computed from the launches’ centres (an anytime-valid t \
sequence). Looking at it after every launch does not raise the error rate.";

/// What a table of benchmarks says.
const VERDICTS_OF_BENCHMARKS: &str = "A ratio is the value after the change divided by the value before. Slower and faster: \
the change is beyond the margin, at an error rate that holds over all benchmarks together. Equivalent: the whole interval is \
within the margin. Perhaps by less than the margin: the interval excludes one, but not the margin. Inconclusive: anything else. \
Allocations and bytes are counted: what every sample shows is exact.";

fn reading(results: &Results) -> String {
    let paragraphs = match results.benchmarks {
        Some(_) => [OF_BENCHMARKS, VERDICTS_OF_BENCHMARKS].map(str::to_owned).into(),
        None => of_workloads(results),
    };
    let paragraphs: String = paragraphs
        .iter()
        .map(|text| format!("<p>{}</p>\n", xml(text)))
        .collect();
    format!(
        "<section id=\"reading\">\n<h2>How to read this</h2>\n<div class=\"prose\">\n{paragraphs}</div>\n</section>\n"
    )
}

fn of_workloads(results: &Results) -> Vec<String> {
    let commands = |result: &WorkloadResult| result.mode == Mode::Command;
    let rounds = if !results.workloads.is_empty() && results.workloads.iter().all(commands) {
        OF_COMMANDS
    } else {
        OF_CONTENDERS
    };
    let mut paragraphs = vec![
        rounds.to_owned(),
        "A ratio is the contender’s value divided by the baseline’s. Faster and slower: the whole interval is beyond the \
         margin. Equivalent: the whole interval is within it. Perhaps by less than the margin: the interval excludes \
         one, but not the margin. Inconclusive: anything else. A rank is an interval, too: contenders whose ranks do not \
         overlap are distinguishable."
            .to_owned(),
        "Gross is the whole cost, the tare is the cost of the floor (the smallest program that gives the right answers), \
         and net is the rest. On loopback, part of the kernel’s receive work for a server is done in its sender’s call, \
         and so is not charged to the server."
            .to_owned(),
    ];
    paragraphs.extend(rates(results));
    paragraphs
}

/// α and margin of each table, in a sentence.
fn rates(results: &Results) -> Option<String> {
    let tables: Vec<String> = results
        .workloads
        .iter()
        .filter_map(|result| {
            let shown = view::shown(result);
            let margin = shown.first()?.margin;
            Some(format!(
                "{}: the chance that any of its {} is false is at most {}, and the margin is {}",
                result.title(),
                words::counted(shown.len() as u64, "verdict"),
                words::percent(view::alpha_in_all(&shown)),
                words::percent(margin)
            ))
        })
        .collect();
    (!tables.is_empty()).then(|| format!("{}.", words::capital(&tables.join("; "))))
}
