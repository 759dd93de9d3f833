//! What passes over benchmarks are expected to do.

use serde_json::{Value, json};
use tare_model::forecast::{BenchmarkForecast, PassesForecast, Planned};
use tare_model::units::Seconds;

use super::some;
use crate::escape::one_line;
use crate::when;
use crate::words::{budget, counted};

/// The version of the document.
const SCHEMA: &str = "tare-bench-plan/1";

/// The most benchmarks that are not measured, of which each has a line.
const NAMED: usize = 10;

/// A few lines: the programs, how long a pass takes and how many there are, and what is not measured.
pub fn text(forecast: &PassesForecast) -> String {
    let measured: Vec<&BenchmarkForecast> = planned(forecast, |planned| *planned == Planned::Measured);
    let most = match forecast.budget {
        Some(budget) => format!("{} at the most", when::length(budget)),
        None => "until decided".to_owned(),
    };
    let sides = if forecast.compared { " on both sides" } else { "" };
    let count = counted(measured.len() as u64, "benchmark");
    let mut out = format!("Plan: {count}{sides}, {most}; builds are apart.\n");
    out.push_str(&programs(&measured));
    if !measured.is_empty() {
        out.push_str(&passes(forecast));
    }
    out.push_str(&without_room(forecast));
    out.push_str(&not_measured(forecast));
    out
}

fn planned(forecast: &PassesForecast, wanted: impl Fn(&Planned) -> bool) -> Vec<&BenchmarkForecast> {
    let all = forecast.benchmarks.iter();
    all.filter(|one| wanted(&one.planned)).collect()
}

fn name(one: &BenchmarkForecast) -> String {
    one_line(&format!("{} {}", one.program, one.name))
}

fn seconds(one: &BenchmarkForecast) -> f64 {
    one.round.map_or(0.0, |round| round.0)
}

/// A line for each program: how many benchmarks, how long a round of them takes, and the longest.
fn programs(measured: &[&BenchmarkForecast]) -> String {
    let mut of: Vec<(&str, Vec<&BenchmarkForecast>)> = Vec::new();
    for &one in measured {
        match of.iter_mut().find(|(program, _)| *program == one.program) {
            Some((_, mine)) => mine.push(one),
            None => of.push((&one.program, vec![one])),
        }
    }
    let line = |(program, mine): &(&str, Vec<&BenchmarkForecast>)| {
        let all = Seconds(mine.iter().map(|one| seconds(one)).sum());
        let longest = mine.iter().max_by(|a, b| seconds(a).total_cmp(&seconds(b)));
        let longest = longest.filter(|_| mine.len() > 1).map_or(String::new(), |one| {
            let length = when::length(Seconds(seconds(one)));
            format!(" ({length} the longest, {})", one_line(&one.name))
        });
        let count = counted(mine.len() as u64, "benchmark");
        let program = one_line(program);
        format!("  {program}: {count}, {} a round{longest}\n", when::length(all))
    };
    of.iter().map(line).collect()
}

fn passes(forecast: &PassesForecast) -> String {
    let rounds = counted(u64::from(forecast.rounds), "round");
    let fit = match forecast.passes {
        Some(0) => "none fits whole".to_owned(),
        Some(passes) => format!("about {}", counted(u64::from(passes), "pass")),
        None => "as many as it takes".to_owned(),
    };
    let what = if forecast.compared {
        "A verdict"
    } else {
        "An interval"
    };
    format!(
        "A pass, a launch of {rounds} of each, takes {}: {fit} if none is decided early. {what} takes 3 at the least.\n",
        when::length(forecast.pass)
    )
}

fn without_room(forecast: &PassesForecast) -> String {
    let out = planned(forecast, |planned| *planned == Planned::LeftOut);
    let Some(enough) = forecast.enough.filter(|_| !out.is_empty()) else {
        return String::new();
    };
    format!(
        "Not measured, since the budget does not hold {}: {}. `--budget {}` holds all.\n",
        if out.len() == 1 { "it" } else { "them" },
        some(out.into_iter().map(name).collect()),
        budget(enough)
    )
}

/// What cannot be compared, with the first line of the reason.
fn not_measured(forecast: &PassesForecast) -> String {
    let out = planned(forecast, |planned| matches!(planned, Planned::Not { .. }));
    let line = |one: &&BenchmarkForecast| match &one.planned {
        Planned::Not { side, fault } => {
            let why = one_line(fault.detail.lines().next().unwrap_or_default());
            format!("Not measured: {} ({side}): {why}\n", name(one))
        }
        _ => String::new(),
    };
    let mut text: String = out.iter().take(NAMED).map(line).collect();
    let more = out.len().saturating_sub(NAMED);
    if more > 0 {
        text.push_str(&format!(
            "Not measured: {} more.\n",
            counted(more as u64, "benchmark")
        ));
    }
    text
}

/// The same for programs.
pub fn document(forecast: &PassesForecast) -> String {
    let list: Vec<Value> = forecast.benchmarks.iter().map(benchmark).collect();
    let document = json!({
        "schema": SCHEMA,
        "budget": forecast.budget.map(|budget| budget.0),
        "enough": forecast.enough.map(|enough| enough.0),
        "first": forecast.first.0,
        "rounds": forecast.rounds,
        "pass": forecast.pass.0,
        "passes": forecast.passes,
        "benchmarks": list,
    });
    format!("{document:#}\n")
}

fn benchmark(one: &BenchmarkForecast) -> Value {
    let (planned, side, why) = match &one.planned {
        Planned::Measured => ("measured", None, None),
        Planned::LeftOut => ("left-out", None, None),
        Planned::Not { side, fault } => ("not", Some(side), Some(&fault.detail)),
    };
    json!({
        "program": one.program,
        "name": one.name,
        "round": one.round.map(|round| round.0),
        "planned": planned,
        "side": side,
        "why": why,
    })
}
