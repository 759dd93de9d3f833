//! `job` and `[[exchanges]]`: what goes over the wire, and what must come back.

use std::collections::HashMap;

use super::fields::{Phrase, choose};
use super::in_process::{PROBE_KEYS, take_probe};
use super::take::List;
use super::toml::{Spot, Table};
use super::words::short;
use super::{Exchange, Job, http};

#[derive(Clone, Copy)]
enum JobKind {
    Doubling,
    Lines,
    Http,
    Probe,
    Pipe,
}

const KINDS: [(&str, JobKind); 5] = [
    ("doubling", JobKind::Doubling),
    ("lines", JobKind::Lines),
    ("http", JobKind::Http),
    ("probe", JobKind::Probe),
    ("pipe", JobKind::Pipe),
];

/// Takes `job`, which may be missing.
pub(super) fn take_job(root: &Table) -> Option<Spot<Job>> {
    let job = root.optional::<Table>("job")?;
    let table = &job.value;
    let kind = table.required::<String>("kind");
    let Some(kind) = kind.and_then(|kind| choose(table.source, "job", &kind, &KINDS)) else {
        // Whether the other keys belong, only the kind could tell.
        table.tolerate(&["send"]);
        table.tolerate(&http::KEYS);
        table.tolerate(&PROBE_KEYS);
        table.finish();
        return None;
    };
    let value = match kind.value {
        JobKind::Doubling => Some(Job::Doubling),
        JobKind::Lines => take_lines(table),
        JobKind::Http => http::take_http(table).map(Job::Http),
        JobKind::Probe => take_probe(table).map(Job::Probe),
        JobKind::Pipe => take_probe(table).map(Job::Pipe),
    };
    table.finish();
    Some(Spot {
        value: value?,
        line: job.line,
    })
}

fn take_lines(table: &Table) -> Option<Job> {
    let send = table.required::<String>("send");
    let expect = table.required::<String>("expect");
    for (key, line) in [("send", &send), ("expect", &expect)] {
        if let Some(line) = line.as_ref().filter(|line| line.value.contains(['\n', '\r'])) {
            let text = format!(
                "`{}`: expected one line without its end, found \"{}\"",
                table.path(key),
                short(&line.value)
            );
            table.source.problem(line.line, text, None);
        }
    }
    Some(Job::Lines {
        send: send?.value,
        expect: expect?.value,
    })
}

/// RFC 9110, 5.6.2: what methods and field names are made of.
pub(super) fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c))
}

/// Takes `[[exchanges]]`, which may be missing.
pub(super) fn take_exchanges(root: &Table) -> Vec<Spot<Exchange>> {
    let tables = root
        .optional::<List<Table>>("exchanges")
        .map(|list| list.value.0)
        .unwrap_or_default();
    let taken: Vec<Spot<Exchange>> = tables
        .iter()
        .filter_map(|table| take_exchange(&table.value))
        .collect();
    let mut first: HashMap<&str, u32> = HashMap::new();
    for exchange in &taken {
        let name = exchange.value.name.as_str();
        if let Some(line) = first.get(name) {
            let text = format!("a second exchange named `{}`", short(name));
            root.source
                .hinted(exchange.line, text, format!("the first is on line {line}"));
        } else {
            first.insert(name, exchange.line);
        }
    }
    taken
}

fn take_exchange(table: &Table) -> Option<Spot<Exchange>> {
    let name = table.required::<Phrase>("name");
    let send = table.required::<String>("send");
    let expect = table.required::<String>("expect");
    let closes = table.optional::<bool>("closes").is_some_and(|spot| spot.value);
    let dribble = table.optional::<bool>("dribble").is_some_and(|spot| spot.value);
    table.finish();
    let name = name?;
    Some(Spot {
        value: Exchange {
            name: name.value.0,
            send: send?.value,
            expect: expect?.value,
            closes,
            dribble,
        },
        line: name.line,
    })
}
