//! What a run is expected to do, before it starts: a few lines, and a document.

pub mod benchmarks;

use serde_json::{Value, json};
use tare_model::forecast::{Forecast, GroupForecast, ModeForecast};

use crate::when;
use crate::words;

/// The version of the document.
const SCHEMA: &str = "tare-plan/1";

/// The number of cases without room that are named.
const NAMED: usize = 5;

/// A few lines: each case that is begun, what does not fit, and where the numbers come from.
pub fn text(forecast: &Forecast) -> String {
    let budget = match forecast.budget {
        Some(budget) => format!("{} at the most", when::length(budget)),
        None => "until decided".to_owned(),
    };
    let mut out = format!("Plan: {budget}, from the first start.\n");
    let (begun, rest): (Vec<&GroupForecast>, Vec<&GroupForecast>) = forecast
        .groups
        .iter()
        .partition(|group| group.launches != Some(0));
    let width = |text: fn(&GroupForecast) -> String| begun.iter().map(|group| text(group).len()).max();
    let (names, counts, fits) = (width(name), width(contenders), width(launches));
    for group in &begun {
        let line = format!(
            "  {:names$}  {:counts$}  {:fits$}  {}",
            name(group),
            contenders(group),
            launches(group),
            expectations(group),
            names = names.unwrap_or(0),
            counts = counts.unwrap_or(0),
            fits = fits.unwrap_or(0),
        );
        out.push_str(&format!("{}\n", line.trim_end()));
    }
    out.push_str(&without_room(forecast, &rest));
    out.push_str(&sources(&begun));
    out
}

fn name(group: &GroupForecast) -> String {
    format!("{}/{}", group.workload, group.case)
}

fn contenders(group: &GroupForecast) -> String {
    let count = words::counted(group.contenders as u64, "contender");
    match group.sizes {
        Some(sizes) => format!("{count}, {}", words::counted(sizes as u64, "size")),
        None => count,
    }
}

fn launches(group: &GroupForecast) -> String {
    let length = when::length(group.launch);
    match group.launches {
        Some(launches) => format!(
            "about {} of {length}",
            words::counted(u64::from(launches), "launch")
        ),
        None => format!("launches of {length}"),
    }
}

fn expectations(group: &GroupForecast) -> String {
    let of = |mode: &ModeForecast| match mode.half_width {
        Some(width) => format!("{} ±{}", mode.mode, rough(width)),
        None => mode.mode.to_string(),
    };
    group.modes.iter().map(of).collect::<Vec<_>>().join(", ")
}

/// A share that is only expected: two digits, and no more than whole percents.
fn rough(share: f64) -> String {
    match share * 100.0 {
        large if large >= 9.5 => format!("{large:.0}%"),
        small => format!("{small:.1}%"),
    }
}

/// The cases that do not fit, and what holds them.
fn without_room(forecast: &Forecast, rest: &[&GroupForecast]) -> String {
    let none = |group: &&&GroupForecast| group.contenders == 0;
    let names = |groups: Vec<&&GroupForecast>| groups.iter().map(|group| name(group)).collect::<Vec<_>>();
    let empty = names(rest.iter().filter(none).collect());
    let cases: Vec<&&GroupForecast> = rest.iter().filter(|group| group.contenders > 0).collect();
    let mut out = String::new();
    if !empty.is_empty() {
        out.push_str(&format!("  {}: no contender\n", words::list(&empty)));
    }
    if let (Some(enough), Some(next)) = (forecast.enough, cases.first()) {
        let next = format!("`tare run {} --budget {}`", name(next), words::budget(next.needs));
        out.push_str(&format!(
            "  Not measured, unless others are decided early: {}.\n  --budget {} holds all, {next} the next one.\n",
            some(names(cases)),
            words::budget(enough),
        ));
    }
    out
}

/// The first of many names, and how many more there are.
fn some(mut names: Vec<String>) -> String {
    let more = names.len().saturating_sub(NAMED);
    if more > 1 {
        names.truncate(NAMED);
        names.push(format!("{more} more"));
    }
    words::list(&names)
}

/// What the half widths mean, and what they rest on.
fn sources(groups: &[&GroupForecast]) -> String {
    let mut known: Vec<String> = stored(groups).into_iter().collect();
    for group in groups {
        for mode in group
            .modes
            .iter()
            .filter(|mode| mode.typical || group.stored.is_none())
        {
            let spread = rough(mode.spread);
            let text = if group.in_process {
                format!("{spread}, typical in process")
            } else {
                format!("{spread}, typical of {}", mode.mode)
            };
            if !known.contains(&text) {
                known.push(text);
            }
        }
    }
    let alone = groups.iter().all(|group| group.contenders < 2);
    let of = if alone { "of its figure" } else { "of a pair" };
    let widths = groups.iter().flat_map(|group| &group.modes);
    if widths.filter_map(|mode| mode.half_width).next().is_none() {
        return String::new();
    }
    let typical = groups
        .iter()
        .flat_map(|group| &group.modes)
        .any(|mode| mode.typical);
    let from = if typical {
        "; typical: the median of the runs in docs/results"
    } else {
        ""
    };
    format!(
        "  ±: half the interval to expect {of}, by the spread between launches ({}{from}).\n",
        known.join("; ")
    )
}

/// The spreads that stored runs have: that of the only one, or the least and the largest.
fn stored(groups: &[&GroupForecast]) -> Option<String> {
    let mut all = Vec::new();
    for &group in groups {
        if let Some(runs) = group.stored {
            let modes = group.modes.iter().filter(|mode| !mode.typical);
            all.extend(modes.map(|mode| (group, mode, runs)));
        }
    }
    if let [(group, mode, runs)] = all.as_slice() {
        let runs = words::counted(u64::from(*runs), "stored run");
        let (spread, name) = (rough(mode.spread), name(group));
        return Some(format!(
            "{spread} of {}, {name} in {runs} of this machine",
            mode.mode
        ));
    }
    let spreads = || all.iter().map(|(_, mode, _)| mode.spread);
    let least = spreads().reduce(f64::min)?;
    let largest = spreads().fold(least, f64::max);
    Some(format!(
        "{} to {} in the stored runs of this machine",
        rough(least),
        rough(largest)
    ))
}

/// The same for programs.
pub fn document(forecast: &Forecast) -> String {
    let groups: Vec<Value> = forecast.groups.iter().map(group).collect();
    let document = json!({
        "schema": SCHEMA,
        "budget": forecast.budget.map(|budget| budget.0),
        "enough": forecast.enough.map(|enough| enough.0),
        "groups": groups,
    });
    format!("{document:#}\n")
}

fn group(group: &GroupForecast) -> Value {
    let mode = |mode: &ModeForecast| {
        json!({
            "mode": mode.mode.to_string(),
            "spread": mode.spread,
            "typical": mode.typical,
            "half_width": mode.half_width,
        })
    };
    json!({
        "workload": group.workload,
        "case": group.case,
        "sizes": group.sizes,
        "contenders": group.contenders,
        "launches": group.launches,
        "launch": group.launch.0,
        "least": group.least,
        "needs": group.needs.0,
        "needs_at_least": group.needs_at_least.0,
        "stored_runs": group.stored,
        "modes": group.modes.iter().map(mode).collect::<Vec<_>>(),
    })
}
