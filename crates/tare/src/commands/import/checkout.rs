//! What of a checkout of another suite can run here, and why the rest cannot.

use std::path::Path;

use serde_json::{Value, json};
use tare_model::ids::plain_name;
use tare_prepare::suites::{self, CheckoutAt};
use tare_report::{csv, escape, words};
use tare_suites::{Database, Implementation, Profile, RawFile, Test, Traffic};

use crate::context::{self, Context};
use crate::failure::Failure;
use crate::rows::{self, Row};

/// Runs it; the exit status.
pub fn run(context: &Context, folder: &Path, revision: Option<&str>) -> Result<u8, Failure> {
    let found = suites::checkout(folder, revision, &context.kept()?)?;
    let rows = || {
        found
            .checkout
            .implementations
            .iter()
            .map(row)
            .collect::<Vec<Row>>()
    };
    if context.json() {
        context::put(&format!("{:#}\n", document(&found)))?;
    } else if context.asked_for(&csv::FORMAT) {
        context::put(&rows::csv(&rows()))?;
    } else {
        context::put(&rows::table(&rows()))?;
    }
    for bad in &found.checkout.unreadable {
        context.say(format!("warning: {}", escape::visible(&bad.to_string())));
    }
    context.say(told(&found));
    Ok(0)
}

fn row(one: &Implementation) -> Row {
    let tests: Vec<&str> = one.runnable().map(|test| test.name.as_str()).collect();
    let mut needs: Vec<&str> = one
        .runnable()
        .flat_map(|test| &test.needs)
        .map(Database::name)
        .collect();
    needs.dedup();
    vec![
        ("implementation", one.name.clone()),
        ("folder", escape::visible(&one.folder)),
        ("language", escape::visible(&one.language)),
        ("tests", or_none(tests.join(" "))),
        ("needs", or_none(needs.join(" "))),
        ("why not", escape::visible(&why_not(one))),
    ]
}

fn or_none(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Why it cannot run; where a part of it can, what the rest is (the document has its reasons).
fn why_not(one: &Implementation) -> String {
    let all: Vec<String> = one.why_not().iter().map(ToString::to_string).collect();
    match all.as_slice() {
        [] => {}
        // Of tests there may be a dozen, each with a reason much like the others'.
        [first, rest @ ..] if one.obstacles.is_empty() && !rest.is_empty() => {
            return format!(
                "{first}; and {} of other tests",
                words::counted(rest.len() as u64, "reason")
            );
        }
        all => return all.join("; "),
    }
    let rest = one.tests.iter().filter(|test| test.obstacle.is_some());
    let names: Vec<&str> = rest.map(|test| test.name.as_str()).collect();
    if names.is_empty() {
        String::new()
    } else {
        format!("without {}", names.join(" "))
    }
}

/// How many can run, on standard error.
fn told(found: &CheckoutAt) -> String {
    let all = &found.checkout.implementations;
    let runnable = all.iter().filter(|one| one.why_not().is_empty()).count();
    let at = found
        .revision
        .as_ref()
        .map_or(String::new(), |revision| format!(" at {revision}"));
    format!(
        "{runnable} of {} of {}{at} can run here",
        words::counted(all.len() as u64, "implementation"),
        found.checkout.suite.name()
    )
}

fn document(found: &CheckoutAt) -> Value {
    let checkout = &found.checkout;
    let unreadable = checkout.unreadable.iter();
    json!({
        "schema": 1,
        "suite": checkout.suite.name(),
        "revision": found.revision,
        "profiles": checkout.profiles.iter().map(profile).collect::<Vec<_>>(),
        "implementations": checkout.implementations.iter().map(implementation).collect::<Vec<_>>(),
        "unreadable": unreadable.map(|bad| json!({ "file": bad.path, "why": bad.why })).collect::<Vec<_>>(),
    })
}

fn implementation(one: &Implementation) -> Value {
    let container = &one.container;
    let pairs = |all: &[(String, String)]| {
        let pairs = all
            .iter()
            .map(|(name, value)| (name.clone(), Value::from(value.clone())));
        Value::Object(pairs.collect())
    };
    let about = one
        .about
        .iter()
        .map(|(key, text)| ((*key).to_owned(), Value::from(text.clone())));
    json!({
        "name": one.name,
        "contender": plain_name(&one.name),
        "folder": one.folder,
        "display_name": one.display_name,
        "language": one.language,
        "about": Value::Object(about.collect()),
        "runs": one.why_not().is_empty(),
        "why_not": one.why_not().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "tests": one.tests.iter().map(test).collect::<Vec<_>>(),
        "container": {
            "context": container.context,
            "dockerfile": container.dockerfile,
            "build_args": pairs(&container.build_args),
            "command": container.command,
            "port": container.port,
            "hosts": container.hosts,
            "mounts": pairs(&container.mounts),
            "bases": container.bases,
        },
    })
}

fn test(test: &Test) -> Value {
    json!({
        "name": test.name,
        "url": test.url,
        "needs": test.needs.iter().map(Database::name).collect::<Vec<_>>(),
        "why_not": test.obstacle.as_ref().map(ToString::to_string),
    })
}

fn profile(profile: &Profile) -> Value {
    let sends = match &profile.traffic {
        Traffic::Raw(files) => json!({ "requests": files.iter().map(raw).collect::<Vec<_>>() }),
        Traffic::Get { path, at_rate } => json!({ "path": path, "at_rate": at_rate }),
        Traffic::WebSocket { path } => json!({ "websocket": path }),
        Traffic::Other(_) => Value::Null,
    };
    json!({
        "name": profile.name,
        "connections": profile.connections,
        "pipeline": profile.pipeline,
        "renew_after": profile.requests_per_connection,
        "sends": sends,
        "needs": profile.needs.iter().map(Database::name).collect::<Vec<_>>(),
        "why_not": profile.job.as_ref().err().map(ToString::to_string),
    })
}

fn raw(file: &RawFile) -> Value {
    json!({
        "file": file.path,
        "method": file.request.method,
        "path": file.request.path,
        "body_bytes": file.request.body.len(),
        "chunked": file.request.chunked,
        "bytes": file.bytes.len(),
    })
}
