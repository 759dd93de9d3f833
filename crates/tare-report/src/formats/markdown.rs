//! The verdict tables as Markdown, for a README or a comment on a change.

pub(crate) mod benchmarks;
mod explanation;
mod table;

use std::fmt::Write;

use tare_model::results::{Results, WorkloadResult};
use tare_model::sweep::SweepResult;

use crate::across::{self, Across};
use crate::claims;
use crate::escape::{fenced, markdown, one_line};
use crate::findings;
use crate::format::{Format, Output};
use crate::imported;
use crate::levels;
use crate::nodes;
use crate::runs;
use crate::sentences;
use crate::sweep;
use crate::tails;
use crate::view::{self, nothing_measured};
use crate::when;
use crate::words;
use table::table;

/// Tables for a README or a comment.
pub const FORMAT: Format = Format {
    name: "md",
    render: |source| Ok(Output::Text(render(source.results))),
};

/// The document.
pub fn render(results: &Results) -> String {
    let run = &results.run;
    if let (Some(from), None) = (&run.imported, &results.benchmarks) {
        return imported::as_markdown(results, from);
    }
    let mut out = format!("# Tare: run {}\n\n", markdown(&run.id));
    let complete = if run.complete { "" } else { " It was cut short." };
    let suites = words::suites(&run.settings);
    let suites = suites.map_or(String::new(), |text| format!(", {}", markdown(&text)));
    let _ = writeln!(
        out,
        "{}{suites}, took {}, on {} ({}, {}, kernel {}), tare {}.{complete}\n",
        when::to_minute(run.started),
        when::length(run.took),
        markdown(&run.machine.cpu),
        words::counted(u64::from(run.machine.cores), "core"),
        markdown(&run.machine.os),
        markdown(&run.machine.kernel),
        markdown(&run.tare),
    );
    if nothing_measured(results) {
        out.push_str("Nothing was measured in this run.\n\n");
    }
    if let Some(found) = &results.benchmarks {
        out.push_str(&benchmarks::section(results, found));
    }
    for sweep in &results.sweeps {
        over_sizes(&mut out, sweep);
    }
    for result in &results.workloads {
        workload(&mut out, result);
    }
    for one in nodes::tables(results) {
        by_node(&mut out, one);
    }
    for across in &across::of(results) {
        side_by_side(&mut out, across);
    }
    for found in &results.explanations {
        out.push_str(&explanation::section(found));
    }
    for sentence in sentences::of(results) {
        let _ = writeln!(out, "**{}**\n", markdown(&sentence));
    }
    for sentence in view::not_measured(results) {
        let _ = writeln!(out, "- {}", markdown(&sentence));
    }
    if let Some(sentence) = nodes::sentence(run) {
        let _ = writeln!(out, "- {}", markdown(&sentence));
    }
    for note in &run.notes {
        let _ = writeln!(out, "- Note: {}", markdown(note));
    }
    out
}

fn by_node(out: &mut String, one: nodes::Table) {
    let _ = writeln!(out, "## {}, by node\n", markdown(&one.title));
    let header: Vec<String> = one.headings.iter().map(|heading| markdown(heading)).collect();
    let rows = one.rows.into_iter().map(|mut cells| {
        cells[0] = format!("`{}`", cells[0]);
        cells
    });
    table(out, &header, rows.collect());
    let _ = writeln!(out, "{}\n", nodes::NOTE);
}

fn over_sizes(out: &mut String, result: &SweepResult) {
    let _ = writeln!(out, "## {}\n", markdown(&result.title()));
    let _ = writeln!(out, "{}.\n", markdown(&sweep::formula(result)));
    let unit = format!("per {}", result.unit());
    let header = ["contender", "fixed", &unit, "is cost a line?"].map(markdown);
    let row = |row: sweep::LineRow<'_>| {
        let id = format!("`{}`", row.costs.id);
        vec![id, row.fixed, row.per_unit, markdown(&row.fit)]
    };
    table(out, &header, sweep::lines(result).into_iter().map(row).collect());
    for sentence in sweep::sentences(result) {
        let _ = writeln!(out, "- {}", markdown(&sentence));
    }
    let _ = writeln!(out, "- {}\n", sweep::grounds(result));
    let rows = sweep::affordable(result);
    if rows.is_empty() {
        return;
    }
    let mut header = ["contender", "extra cost", "of"].map(str::to_owned).to_vec();
    header.extend(
        sweep::shares(result)
            .iter()
            .map(|share| format!("less than {share} from")),
    );
    let row = |row: sweep::AffordRow<'_>| {
        let mut cells = vec![format!("`{}`", row.id), row.extra, row.of];
        cells.extend(row.from);
        cells
    };
    table(out, &header, rows.into_iter().map(row).collect());
    let _ = writeln!(out, "{}\n", sweep::AFFORD);
}

fn side_by_side(out: &mut String, across: &Across<'_>) {
    let _ = writeln!(out, "## {}\n", markdown(&across.title()));
    let _ = writeln!(
        out,
        "{}. {} {}\n",
        words::capital(across.metric.title()),
        across::NOTE,
        across::BEST
    );
    let mut header = vec!["language".to_owned()];
    header.extend(across.cases.iter().map(|case| markdown(&case.case)));
    let row = |language: &str| {
        let cell = |case: &&WorkloadResult| {
            let kin = across.kin(case, language);
            kin.map_or(view::NONE.to_owned(), |kin| markdown(&across.figure(&kin)))
        };
        let mut cells = vec![markdown(language)];
        cells.extend(across.cases.iter().map(cell));
        cells
    };
    let rows = across.languages().into_iter().map(row).collect();
    table(out, &header, rows);
}

fn workload(out: &mut String, result: &WorkloadResult) {
    let _ = writeln!(out, "## {}\n", markdown(&result.title()));
    let about = [&result.summary, &result.case_summary];
    let about: Vec<String> = about
        .into_iter()
        .filter(|text| !text.is_empty())
        .map(|t| markdown(t))
        .collect();
    let _ = writeln!(out, "{}\n", about.join("; "));
    for sentence in findings::sentences(result) {
        let _ = writeln!(out, "{}", markdown(&sentence));
    }
    out.push('\n');
    verdicts(out, result);
    foundations(out, result);
    of_runs(out, result);
    tried(out, result);
    published(out, result);
    claimed(out, result);
    without(out, result);
}

fn verdicts(out: &mut String, result: &WorkloadResult) {
    let rows = view::rows(result);
    if rows.is_empty() {
        return;
    }
    let others = view::secondary_metrics(result);
    let (bounds, services) = (view::any_bound(&rows), view::any_services(&rows));
    let against = view::against(result);
    let mut header: Vec<String> = [
        "rank",
        "contender",
        result.primary.title(),
        against.as_str(),
        "verdict",
    ]
    .map(markdown)
    .to_vec();
    header.extend(others.iter().map(|metric| metric.title().to_owned()));
    header.extend(services.then(|| "services’ CPU per operation".to_owned()));
    header.extend(bounds.then(|| "bound".to_owned()));
    let cells = rows.iter().map(|row| {
        let part = row.part.map_or(String::new(), |part| format!(" ({part})"));
        let mut cells = vec![
            row.rank.clone(),
            format!("`{}`{part}", row.contender.id),
            row.figure.clone(),
            row.ratio.clone(),
            row.verdict.clone(),
        ];
        cells.extend(others.iter().map(|metric| view::figure(row.contender, *metric)));
        cells.extend(services.then(|| markdown(&view::services(row.contender))));
        cells.extend(bounds.then(|| view::bound(row.contender).to_owned()));
        cells
    });
    table(out, &header, cells.collect());
}

fn foundations(out: &mut String, result: &WorkloadResult) {
    for sentence in view::foundations(result) {
        let _ = writeln!(out, "- {sentence}");
    }
    let more = words::alone_sentence(result)
        .into_iter()
        .chain(words::lateness(result));
    for sentence in more.chain(tails::sentence(result)) {
        let _ = writeln!(out, "- {}", markdown(&sentence));
    }
    if let Some(sentence) = words::provisional(view::shown(result)) {
        let _ = writeln!(out, "- {sentence}");
    }
    let _ = writeln!(out, "- Placement: {}.", markdown(&words::placement(result)));
    if let Some(sentence) = words::containers(result) {
        let _ = writeln!(out, "- {}", markdown(&sentence));
    }
    let driving: Vec<String> = words::driving(&result.driving)
        .iter()
        .map(|(a, b)| markdown(&format!("{a} {b}")))
        .collect();
    if !driving.is_empty() {
        let _ = writeln!(out, "- Driven by: {}.", driving.join(", "));
    }
    out.push('\n');
}

/// The spread of the runs of commands.
fn of_runs(out: &mut String, result: &WorkloadResult) {
    let rows = runs::rows(result);
    if rows.is_empty() {
        return;
    }
    let header = [
        "command",
        "which runs",
        "mean ± σ",
        "median",
        "min",
        "max",
        "runs",
    ]
    .map(str::to_owned);
    let cells = rows.iter().map(|(command, spread)| {
        vec![
            format!("`{}`", command.id),
            markdown(&command.summary),
            runs::mean(spread),
            spread.median.to_string(),
            spread.least.to_string(),
            spread.most.to_string(),
            words::grouped(spread.runs),
        ]
    });
    table(out, &header, cells.collect());
    let _ = writeln!(out, "{}\n", runs::NOTE);
}

fn tried(out: &mut String, result: &WorkloadResult) {
    let Some(tried) = levels::table(result) else {
        return;
    };
    let mut header = vec!["contender".to_owned()];
    header.extend(tried.connections.iter().map(|level| levels::heading(*level)));
    let rows = tried.rows.into_iter().map(|(contender, rates)| {
        let mut cells = vec![format!("`{}`", contender.id)];
        cells.extend(rates.into_iter().map(|rate| markdown(&levels::cell(rate))));
        cells
    });
    table(out, &header, rows.collect());
    let _ = writeln!(out, "{}\n", markdown(levels::NOTE));
}

fn published(out: &mut String, result: &WorkloadResult) {
    let list = view::beside(result);
    if list.is_empty() {
        return;
    }
    let header = [
        "published",
        "contender",
        "value",
        "their ratio",
        "our ratio",
        "source",
    ]
    .map(str::to_owned);
    let rows = list.iter().map(|beside| {
        let published = beside.published;
        let over = if beside.further {
            format!(" over `{}`", beside.over.contender)
        } else {
            String::new()
        };
        vec![
            markdown(&published.label),
            format!("`{}`{over}", published.contender),
            format!(
                "{} ({})",
                words::show(published.metric, published.value),
                published.metric.title()
            ),
            words::ratio(beside.theirs),
            beside.ours_in_words(),
            markdown(&published.source),
        ]
    });
    table(out, &header, rows.collect());
}

fn claimed(out: &mut String, result: &WorkloadResult) {
    let rows = claims::rows(result);
    if rows.is_empty() {
        return;
    }
    let header = ["the report found", "that is", "today", "figures"].map(str::to_owned);
    let cells = rows.iter().map(|row| {
        let pairs: Vec<String> = row.pairs.iter().map(|pair| markdown(pair)).collect();
        vec![
            markdown(&row.claim.claim.text),
            markdown(&row.meaning),
            row.today.clone(),
            pairs.join("; "),
        ]
    });
    table(out, &header, cells.collect());
    for line in claims::grounds(result) {
        let _ = writeln!(out, "- {}\n", markdown(&line));
    }
}

fn without(out: &mut String, result: &WorkloadResult) {
    for contender in view::without_figures(result) {
        let state = words::fate(contender);
        let Some(fault) = &contender.fault else {
            let _ = writeln!(out, "`{}` has no figures: {state}.\n", contender.id);
            continue;
        };
        if one_line(&fault.detail).len() < 120 && !fault.detail.contains('\n') {
            let _ = writeln!(
                out,
                "`{}` has no figures: {state}: {}\n",
                contender.id,
                markdown(&fault.detail)
            );
        } else {
            let _ = writeln!(
                out,
                "`{}` has no figures: {state}:\n\n{}",
                contender.id,
                fenced(&fault.detail)
            );
        }
    }
}
