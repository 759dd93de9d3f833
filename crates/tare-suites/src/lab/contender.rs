//! The manifest of a contender: an implementation, as its folder has it.

use tare_model::ids::plain_name;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, value};

use super::case::CaseText;
use super::{Copied, Entrant, tfb};
use crate::{Container, Implementation, Suite};

/// The name of the build's folder, and of what its container finds besides.
const SOURCES: &str = "src";
const BESIDE: &str = "beside";

/// The address of services, and of the container itself.
const SERVICES: &str = "{services}";
const ITSELF: &str = "127.0.0.1";

/// `contender.toml` of a folder of the lab, and what is copied beside it.
pub(super) fn manifest(folder: &str, entrant: &Entrant<'_>, cases: &[CaseText]) -> (String, Vec<Copied>) {
    let one = entrant.one;
    let mut document = DocumentMut::new();
    document["schema"] = value(1);
    document["language"] = value(language(one));
    document["summary"] = value(summary(one));
    document["style"] = value(style(one));
    let mine: Vec<&CaseText> = cases
        .iter()
        .filter(|case| entrant.test(&case.name).is_some())
        .collect();
    document["cases"] = value(mine.iter().map(|case| case.name.as_str()).collect::<Array>());
    let mut paths = Table::new();
    for case in mine
        .iter()
        .filter(|_| entrant.source.checkout.suite == Suite::FrameworkBenchmarks)
    {
        paths[&case.name] = value(tfb::path(entrant, &case.name, case.sweep.is_some()));
    }
    if !paths.is_empty() {
        document["paths"] = Item::Table(paths);
    }
    let mut origin = Table::new();
    origin["text"] = value(taken_from(entrant));
    document["origin"] = Item::Table(origin);
    let (container, copies) = container(folder, entrant);
    document["container"] = Item::Table(container);
    (document.to_string(), copies)
}

fn language(one: &Implementation) -> String {
    match one.language.as_str() {
        "C++" => "cpp".to_owned(),
        "C#" => "csharp".to_owned(),
        "F#" => "fsharp".to_owned(),
        other => plain_name(other),
    }
}

/// What the suite says of it, in one line.
fn summary(one: &Implementation) -> String {
    let known = [
        "classification",
        "approach",
        "platform",
        "orm",
        "database",
        "type",
        "engine",
    ];
    let said = known
        .iter()
        .filter_map(|key| one.about.iter().find(|(name, _)| name == key));
    let said: Vec<&str> = said.map(|(_, text)| text.as_str()).collect();
    match said.as_slice() {
        [] => one.display_name.clone(),
        some => format!("{} ({})", one.display_name, some.join(", ")),
    }
}

/// How it is written: in the suites' words, realistic and production are what a user would write.
fn style(one: &Implementation) -> &'static str {
    let said = |wanted: &[&str]| {
        one.about.iter().any(|(key, text)| {
            ["approach", "type"].contains(key) && wanted.contains(&text.to_lowercase().as_str())
        })
    };
    if said(&["stripped", "tuned", "engine", "infrastructure"]) {
        "tuned"
    } else {
        "idiomatic"
    }
}

fn taken_from(entrant: &Entrant<'_>) -> String {
    let suite = entrant.source.checkout.suite.name();
    let folder = match entrant.one.folder.as_str() {
        "" => entrant.one.name.as_str(),
        folder => folder,
    };
    match &entrant.source.described {
        Some(revision) => format!("{suite}, {folder} at {revision}"),
        None => format!("{suite}, {folder}"),
    }
}

fn container(folder: &str, entrant: &Entrant<'_>) -> (Table, Vec<Copied>) {
    let container = &entrant.one.container;
    let root = &entrant.source.checkout.root;
    let mut copies = vec![Copied {
        from: root.join(&container.context),
        to: format!("{folder}/{SOURCES}"),
    }];
    let mut table = Table::new();
    let (dockerfile, apart) = dockerfile(container);
    table["dockerfile"] = value(&dockerfile);
    if apart {
        copies.push(Copied {
            from: root.join(&container.dockerfile),
            to: format!("{folder}/{dockerfile}"),
        });
    }
    table["context"] = value(SOURCES);
    table["port"] = value(i64::from(container.port));
    if !container.build_args.is_empty() {
        let args: InlineTable = container
            .build_args
            .iter()
            .map(|(name, value)| (name, value))
            .collect();
        table["build_args"] = value(args);
    }
    if !container.command.is_empty() {
        let literal = |word: &String| word.replace('{', "{{").replace('}', "}}");
        table["command"] = value(container.command.iter().map(literal).collect::<Array>());
    }
    let hosts: InlineTable = container
        .hosts
        .iter()
        .map(|name| (*name, address(name)))
        .collect();
    if !hosts.is_empty() {
        table["hosts"] = value(hosts);
    }
    let mut files = InlineTable::new();
    // The suite's scripts would give it an empty folder.
    let there = |(from, _): &&(String, String)| root.join(from).exists();
    for (from, there) in container.mounts.iter().filter(there) {
        let beside = format!("{BESIDE}/{from}");
        copies.push(Copied {
            from: root.join(from),
            to: format!("{folder}/{beside}"),
        });
        files.insert(there, beside.into());
    }
    if !files.is_empty() {
        table["files"] = value(files);
    }
    (table, copies)
}

/// The Dockerfile in the contender's folder, and whether it has to be copied by itself.
fn dockerfile(container: &Container) -> (String, bool) {
    let within = match container.context.as_str() {
        "" => Some(container.dockerfile.as_str()),
        context => container
            .dockerfile
            .strip_prefix(context)
            .and_then(|rest| rest.strip_prefix('/')),
    };
    match within {
        Some(path) => (format!("{SOURCES}/{path}"), false),
        None => ("Dockerfile".to_owned(), true),
    }
}

/// The address of a host that containers of the suite expect.
fn address(name: &str) -> &'static str {
    if name.ends_with("database") {
        SERVICES
    } else {
        ITSELF
    }
}
