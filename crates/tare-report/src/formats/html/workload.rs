//! One workload: findings, verdicts, charts, the contenders themselves.

use tare_model::comparison::Comparison;
use tare_model::metric::Metric;
use tare_model::results::{ContenderResult, Level, State, WorkloadResult};
use tare_model::units::Seconds;

use super::parts::{Cell, both_widths, pairs, table, warning};
use crate::charts;
use crate::claims;
use crate::escape::xml;
use crate::findings;
use crate::levels;
use crate::runs;
use crate::sentences;
use crate::tails;
use crate::view::{self, Row};
use crate::words;

/// The whole section: first what it came to, and the chart of that.
pub(super) fn section(result: &WorkloadResult) -> String {
    let mut out = format!("<section id=\"{}\">\n", view::slug(result));
    out.push_str(&heading(result));
    let (lead, findings) = told(result);
    out.push_str(&lead);
    // One size of many: its charts are folded with the rest.
    let first = charts::ALL.iter().take(1).filter(|_| result.size.is_none());
    out.push_str(&drawn(result, first));
    out.push_str(&about(result));
    out.push_str(&warnings(result));
    out.push_str(&findings);
    out.push_str(&verdicts(result));
    out.push_str(&claimed(result));
    match result.size {
        Some(_) => out.push_str(&format!(
            "<details>\n<summary>Charts, secondary figures, contenders</summary>\n{}{}</details>\n",
            drawn(result, charts::ALL.iter()),
            more(result)
        )),
        None => {
            out.push_str(&drawn(result, charts::ALL.iter().skip(1)));
            out.push_str(&more(result));
        }
    }
    out.push_str("</section>\n");
    out
}

fn drawn<'c>(result: &WorkloadResult, charts: impl Iterator<Item = &'c charts::Maker>) -> String {
    charts
        .map(|draw| both_widths(|width| draw(result, width), &result.title()))
        .collect()
}

fn more(result: &WorkloadResult) -> String {
    [of_runs, tried, secondary, without, contenders]
        .map(|part| part(result))
        .concat()
}

fn heading(result: &WorkloadResult) -> String {
    let size = result
        .size
        .zip(result.sweep.as_ref())
        .map_or(String::new(), |(size, name)| {
            format!(
                " <span class=\"mode\">{} {}</span>",
                words::grouped(size),
                xml(name)
            )
        });
    format!(
        "<h2>{} <span class=\"case\">{}</span> <span class=\"mode\">{}</span>{size}</h2>\n",
        xml(&result.workload),
        xml(&result.case),
        xml(result.mode.name()),
    )
}

/// What is measured.
fn about(result: &WorkloadResult) -> String {
    let about = [&result.summary, &result.case_summary];
    let about: Vec<String> = about
        .into_iter()
        .filter(|text| !text.is_empty())
        .map(|text| xml(text))
        .collect();
    if about.is_empty() {
        return String::new();
    }
    format!("<p class=\"about\">{}</p>\n", about.join("; "))
}

/// What it came to, a paragraph for each sentence; and the findings.
fn told(result: &WorkloadResult) -> (String, String) {
    let mut lead = sentences::of_arena(result);
    let mut findings = findings::sentences(result);
    if lead.is_empty() {
        // Why nothing is compared.
        lead = findings.drain(..findings.len().min(1)).collect();
    } else if lead.len() == view::shown(result).len() {
        // Each comparison has its sentence.
        findings = findings::missing(result).into_iter().collect();
    }
    let lead = lead
        .iter()
        .map(|text| format!("<p class=\"lead\">{}</p>\n", xml(text)))
        .collect();
    let items: String = findings
        .iter()
        .map(|text| format!("<li>{}</li>\n", xml(text)))
        .collect();
    if items.is_empty() {
        return (lead, items);
    }
    (lead, format!("<ul class=\"findings\">\n{items}</ul>\n"))
}

fn warnings(result: &WorkloadResult) -> String {
    let mut out = String::new();
    if result.placement.shared() && !result.driving.in_process() {
        let text = words::capital(&words::placement(result));
        out.push_str(&warning(&format!("{text}.")));
    }
    for sentence in words::lateness(result) {
        out.push_str(&warning(&sentence));
    }
    if let Some(sentence) = words::provisional(view::shown(result)) {
        out.push_str(&warning(&sentence));
    }
    out
}

fn verdicts(result: &WorkloadResult) -> String {
    let rows = view::rows(result);
    if rows.is_empty() {
        return String::new();
    }
    let others = view::secondary_metrics(result);
    let (bounds, services) = (view::any_bound(&rows), view::any_services(&rows));
    let titles = ["rank", "contender", result.primary.title()].map(str::to_owned);
    let mut headings = titles.to_vec();
    headings.extend([view::against(result), "verdict".to_owned()]);
    headings.extend(others.iter().map(|metric| metric.title().to_owned()));
    headings.extend(services.then(|| "services’ CPU per operation".to_owned()));
    headings.extend(bounds.then(|| "bound".to_owned()));
    let cells: Vec<_> = rows
        .iter()
        .map(|row| verdict_cells(result, row, &others, (services, bounds)))
        .collect();
    format!(
        "<h3>Verdicts</h3>\n{}{}",
        table("sortable verdicts", &headings, &cells),
        foundations(result)
    )
}

/// `more`: whether the table has a column for services, and one for bounds.
fn verdict_cells(result: &WorkloadResult, row: &Row<'_>, others: &[Metric], more: (bool, bool)) -> Vec<Cell> {
    let rank = view::rank(result, row.contender).map(|(low, high)| f64::from(low) + f64::from(high) / 1e4);
    let part = row.part.map_or(String::new(), |part| {
        format!(" <span class=\"part\">{part}</span>")
    });
    let value = |metric: &Metric| row.contender.metrics.get(metric).map(|figure| figure.estimate);
    let ratio = row
        .comparison
        .map(|c| c.ratio)
        .or((row.is_baseline).then_some(1.0));
    let mut cells = vec![
        Cell::number(&row.rank, rank),
        Cell::markup(format!(
            "<span class=\"id\">{}</span>{part}",
            xml(&row.contender.id.to_string())
        )),
        Cell::figure(&row.figure, value(&result.primary)),
        Cell::figure(&row.ratio, ratio),
        said(row),
    ];
    cells.extend(
        others
            .iter()
            .map(|metric| Cell::number(&view::figure(row.contender, *metric), value(metric))),
    );
    cells.extend(more.0.then(|| {
        let costs = row.contender.services.iter().map(|cost| cost.cpu_per_op.0);
        let sum = costs.reduce(|sum, cost| sum + cost);
        Cell::number(&view::services(row.contender), sum)
    }));
    cells.extend(more.1.then(|| Cell::text(view::bound(row.contender))));
    cells
}

fn said(row: &Row<'_>) -> Cell {
    let class = row.comparison.map_or("soft", |c| words::tone(c).class());
    Cell::markup(format!(
        "<span class=\"said {class}\">{}</span>",
        xml(&row.verdict)
    ))
}

/// What the verdicts are based on, as a line below the table.
fn foundations(result: &WorkloadResult) -> String {
    let mut sentences = view::foundations(result);
    sentences.push(format!("{}.", words::capital(&words::placement(result))));
    let driving: Vec<String> = words::driving(&result.driving)
        .iter()
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    if !driving.is_empty() {
        sentences.push(format!("Driven by: {}.", driving.join(", ")));
    }
    sentences.extend(words::containers(result));
    sentences.extend(words::alone_sentence(result));
    sentences.extend(tails::sentence(result));
    format!("<p class=\"foot\">{}</p>\n", xml(&sentences.join(" ")))
}

/// What the report found, and whether it holds today.
fn claimed(result: &WorkloadResult) -> String {
    let rows = claims::rows(result);
    if rows.is_empty() {
        return String::new();
    }
    let headings = ["the report found", "that is", "today", "figures (interval)"].map(str::to_owned);
    let cells: Vec<_> = rows.iter().map(claimed_cells).collect();
    format!(
        "<h3>What the report found</h3>\n{}<p class=\"foot\">{}</p>\n",
        table("sortable", &headings, &cells),
        xml(&claims::grounds(result).join(" "))
    )
}

fn claimed_cells(row: &claims::Row<'_>) -> Vec<Cell> {
    let pairs: Vec<String> = row.pairs.iter().map(|pair| xml(pair)).collect();
    vec![
        Cell::text(&row.claim.claim.text),
        Cell::text(&row.meaning),
        Cell::markup(format!(
            "<span class=\"said {}\">{}</span>",
            row.tone.class(),
            xml(&row.today)
        )),
        Cell::markup(pairs.join("<br/>")),
    ]
}

/// The spread of the runs of commands.
fn of_runs(result: &WorkloadResult) -> String {
    let rows = runs::rows(result);
    if rows.is_empty() {
        return String::new();
    }
    let headings = ["command", "mean ± σ", "median", "min", "max", "runs"].map(str::to_owned);
    let cells = rows.iter().map(|(command, spread)| {
        let time = |time: Seconds| Cell::number(&time.to_string(), Some(time.0));
        vec![
            Cell::text(&command.id.to_string()).class("id"),
            Cell::number(&runs::mean(spread), Some(spread.mean.0)),
            time(spread.median),
            time(spread.least),
            time(spread.most),
            Cell::number(&words::grouped(spread.runs), Some(spread.runs as f64)),
        ]
    });
    format!(
        "<h3>Runs</h3>\n<p class=\"foot\">{}</p>\n{}",
        xml(runs::NOTE),
        table("sortable", &headings, &cells.collect::<Vec<_>>())
    )
}

/// The throughput at each number of connections.
fn tried(result: &WorkloadResult) -> String {
    let Some(tried) = levels::table(result) else {
        return String::new();
    };
    let mut headings = vec!["contender".to_owned()];
    headings.extend(tried.connections.iter().map(|level| levels::heading(*level)));
    let row = |(contender, rates): &(&ContenderResult, Vec<Option<Level>>)| {
        let mut cells = vec![Cell::text(&contender.id.to_string()).class("id")];
        let rate = |rate: &Option<Level>| Cell::figure(&levels::cell(*rate), rate.map(|level| level.rate.0));
        cells.extend(rates.iter().map(rate));
        cells
    };
    let rows: Vec<_> = tried.rows.iter().map(row).collect();
    format!(
        "<h3>Levels of connections</h3>\n<p class=\"foot\">{}</p>\n{}",
        xml(levels::NOTE),
        table("sortable levels", &headings, &rows)
    )
}

/// Verdicts on the metrics that α was not spent on.
fn secondary(result: &WorkloadResult) -> String {
    let metrics = view::secondary_metrics(result);
    let measured = view::measured(result);
    let mut rows = Vec::new();
    for metric in metrics {
        let found = measured
            .iter()
            .filter_map(|c| view::comparison(result, &c.id, metric));
        rows.extend(found.filter(|c| c.a != c.b).map(secondary_cells));
    }
    if rows.is_empty() {
        return String::new();
    }
    let headings = [
        "contender",
        "metric",
        &view::against(result),
        "verdict",
        "based on",
    ]
    .map(str::to_owned);
    format!(
        "<h3>Secondary figures</h3>\n<p class=\"foot\">By the same method, but without a share of α: among many \
         such verdicts a few may be false.</p>\n{}",
        table("sortable filterable", &headings, &rows)
    )
}

fn secondary_cells(comparison: &Comparison) -> Vec<Cell> {
    let ratio = words::ratio_and_interval(comparison.ratio, words::limits(comparison));
    let class = words::tone(comparison).class();
    vec![
        Cell::text(&comparison.a.to_string()).class("id"),
        Cell::text(comparison.metric.title()).class("num"),
        Cell::number(&ratio, Some(comparison.ratio)),
        Cell::markup(format!(
            "<span class=\"said {class}\">{}</span>",
            xml(&words::verdict(comparison))
        )),
        Cell::text(&words::grounds(comparison)).class("num soft"),
    ]
}

/// Contenders without figures, each with its whole reason.
fn without(result: &WorkloadResult) -> String {
    let list = view::without_figures(result);
    if list.is_empty() {
        return String::new();
    }
    let mut out = "<h3>Without figures</h3>\n".to_owned();
    for contender in list {
        out.push_str(&format!(
            "<div class=\"fault\">\n<p><span class=\"id\">{}</span> <span class=\"part\">{}</span></p>\n\
             <pre>{}</pre>\n</div>\n",
            xml(&contender.id.to_string()),
            words::fate(contender),
            xml(view::reason(contender).trim_end())
        ));
    }
    out
}

/// The contenders themselves: one entry each.
fn contenders(result: &WorkloadResult) -> String {
    let measured = view::measured(result);
    let all = measured.into_iter().chain(view::without_figures(result));
    let entries: String = all.map(contender).collect();
    if entries.is_empty() {
        return String::new();
    }
    format!("<h3>The contenders</h3>\n<div class=\"cards\">\n{entries}</div>\n")
}

fn contender(contender: &ContenderResult) -> String {
    let mut facts: Vec<(&str, String)> = Vec::new();
    if let Some(text) = contender.subject.stands_in_for() {
        facts.push(("stands in for", text.to_owned()));
    }
    facts.extend(
        contender
            .subject
            .versions()
            .iter()
            .map(|(tool, version)| (tool.as_str(), version.clone())),
    );
    if let Some(scheme) = contender.subject.scheme() {
        facts.push(("reached by", scheme.to_owned()));
    }
    if let Some(container) = contender.subject.container() {
        facts.push(("container", container.engine.clone()));
        facts.push(("image", container.image.clone()));
        let bases = container.bases.iter();
        facts.extend(bases.map(|(name, digest)| ("from", format!("{name} ({digest})"))));
    }
    if contender.state == State::Measured {
        facts.push(match &contender.spread {
            Some(spread) => ("runs", words::grouped(spread.runs)),
            None if contender.metrics.contains_key(&Metric::TimePerOp) => {
                ("iterations", iterations(contender))
            }
            None => ("requests", requests(contender)),
        });
    }
    facts.extend(
        contender
            .services
            .iter()
            .map(|cost| (cost.name.as_str(), words::service_cost(cost))),
    );
    facts.extend(contender.flags.iter().map(|flag| ("note", flag.clone())));
    format!(
        "<article>\n<h4>{}</h4>\n<p>{} · {}</p>\n<p>{}</p>\n{}</article>\n",
        xml(&contender.id.to_string()),
        xml(contender.subject.language()),
        xml(contender.subject.style()),
        xml(&contender.summary),
        pairs(facts.into_iter())
    )
}

/// The iterations of the contender's own loop, and how they were checked.
fn iterations(contender: &ContenderResult) -> String {
    let requests = &contender.requests;
    format!(
        "{} = {} right + {} wrong + {} lost, by the checksum of each run; whole results of sampled inputs are checked between slices",
        words::grouped(requests.sent),
        words::grouped(requests.valid),
        words::grouped(requests.invalid),
        words::grouped(requests.lost),
    )
}

fn requests(contender: &ContenderResult) -> String {
    let requests = &contender.requests;
    format!(
        "{} sent = {} right + {} wrong + {} lost; {} of the answers checked byte by byte",
        words::grouped(requests.sent),
        words::grouped(requests.valid),
        words::grouped(requests.invalid),
        words::grouped(requests.lost),
        words::percent(contender.checked.0)
    )
}
