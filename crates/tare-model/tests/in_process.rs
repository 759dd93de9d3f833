//! Jobs in process: what is read of their manifests, and what is refused in which words.

mod manifests;

use std::path::PathBuf;

use manifests::{Breakage, hold};
use tare_model::manifest::workload::{parse, yields_in_process};
use tare_model::manifest::{Job, Sources, Workload, contender, render};
use tare_model::metric::Metric;

const PROBE: &str = r#"schema = 1
summary = "encodes records"

[cases.five]
summary = "five fields"
placement = "one-core"
baseline = "c"
sweep = { name = "fields", sizes = [1, 5] }

[cases.five.job]
kind = "probe"
reference = "reference/{case}-{size}.txt"
floor_reference = "reference/{case}.floor.txt"

[cases.both]
summary = "over pipes"
placement = "all-cores"
baseline = "c"
job = { kind = "pipe", reference = "reference/{case}.txt", interop = "hostile/{case}" }

[modes.capacity]
primary = "time_per_op"
"#;

const REFUSED: &[Breakage] = &[
    (
        r#"reference = "reference/{case}-{size}.txt""#,
        "",
        "w.toml:10: missing key `cases.five.job.reference`: expected a string\n\nhint: for example `reference = \"…\"`",
    ),
    (
        r#"reference = "reference/{case}-{size}.txt""#,
        r#"reference = "../{case}.txt""#,
        "w.toml:12: `cases.five.job.reference`: expected a file in the workload's folder, found \"../{case}.txt\"\n\nhint: for example \"reference/{case}.txt\"",
    ),
    (
        r#"reference = "reference/{case}-{size}.txt""#,
        r#"reference = "reference/{cse}.txt""#,
        "w.toml:12: `cases.five.job.reference`: unknown placeholder `{cse}` in `reference/{cse}.txt`\n\nhint: did you mean `case`? known: case, size",
    ),
    (
        r#"primary = "time_per_op""#,
        r#"primary = "latency_p50""#,
        "w.toml:22: `modes.capacity.primary`: the mode `capacity` does not yield `latency_p50`\n\nhint: it yields time_per_op, cpu_per_op, throughput, memory_peak",
    ),
    (
        r#"primary = "time_per_op""#,
        "primary = \"cpu_per_op\"\nconnections = 3",
        "w.toml:23: the case `five` is a `probe`, which has no connections and no depth\n\nhint: leave them out\n\n\
         w.toml:23: the case `both` is a `pipe`, which has no connections and no depth\n\nhint: leave them out",
    ),
    (
        "[modes.capacity]\nprimary = \"time_per_op\"",
        "[modes.cost]\nprimary = \"cpu_per_op\"\nconnections = 3",
        "w.toml:4: the case `five` is a `probe`, which cannot be driven in the mode `cost`\n\nhint: it goes as fast as it can: `modes = [\"capacity\"]`\n\n\
         w.toml:15: the case `both` is a `pipe`, which cannot be driven in the mode `cost`\n\nhint: it goes as fast as it can: `modes = [\"capacity\"]`",
    ),
    (
        r#"interop = "hostile/{case}""#,
        r#"interop = "/etc""#,
        "w.toml:19: `cases.both.job.interop`: expected a folder in the workload's folder, found \"/etc\"\n\nhint: for example \"hostile\"",
    ),
    (
        r#"interop = "hostile/{case}""#,
        r#"interop = """#,
        "w.toml:19: `cases.both.job.interop`: expected a folder in the workload's folder, found \"\"\n\nhint: for example \"hostile\"",
    ),
    (
        r#"interop = "hostile/{case}""#,
        r#"interop = "hostile/{size}""#,
        "w.toml:19: `cases.both.job.interop`: unknown placeholder `{size}` in `hostile/{size}`\n\nhint: known: case",
    ),
    (
        r#"interop = "hostile/{case}""#,
        "interop = true",
        "w.toml:19: `cases.both.job.interop`: expected a string, found true\n\nhint: for example `interop = \"…\"`",
    ),
    (
        r#"floor_reference = "reference/{case}.floor.txt""#,
        r#"interop = "hostile""#,
        "w.toml:8: the case `five` is swept, and its job has `interop`, which knows no sizes\n\nhint: leave one of them out",
    ),
    (
        r#"job = { kind = "pipe", reference = "reference/{case}.txt", interop = "hostile/{case}" }"#,
        r#"job = { kind = "lines", send = "a", expect = "b" }"#,
        "w.toml:21: missing key `modes.capacity.connections`: expected a whole number, or a list of them\n\nhint: for example `connections = [32, 128]`",
    ),
];

fn read(text: &str) -> Workload {
    parse(text.as_bytes(), "w.toml", "records", PathBuf::new()).unwrap()
}

#[test]
fn a_probe_needs_no_connections_and_knows_its_files() {
    let workload = read(PROBE);
    let five = workload.case("five").unwrap();
    let probe = five.job.in_process().unwrap();
    assert_eq!(probe.file("five", Some(25), false), "reference/five-25.txt");
    assert_eq!(probe.file("five", Some(25), true), "reference/five.floor.txt");
    let both = workload.case("both").unwrap();
    assert!(matches!(both.job, Job::Pipe(_)));
    let probe = both.job.in_process().unwrap();
    assert_eq!(
        probe.file("both", None, true),
        "reference/both.txt",
        "no other for the floor"
    );
    assert_eq!(probe.offered("both").as_deref(), Some("hostile/both"));
    assert_eq!(five.job.in_process().unwrap().offered("five"), None);
    assert_eq!(both.drivings[0].connections, Vec::<u32>::new());
    assert_eq!(both.drivings[0].primary, Metric::TimePerOp);
    assert!(!yields_in_process().contains(&Metric::LatencyP50));
    let shown = render::workload(&workload, &Sources::default());
    assert!(
        shown.contains(r#"kind = "pipe""#)
            && shown.contains(r#"interop = "hostile/{case}""#)
            && !shown.contains("connections"),
        "{shown}"
    );
}

#[test]
fn a_known_weakness_is_kept_and_shown_with_its_place() {
    let text = format!(
        "{}\n[fails_on]\n\"x/long\" = \"it waits for ever\"\n",
        manifests::LEAST
    );
    let (workload, languages) = (manifests::workload(), manifests::languages());
    let least = contender::parse(text.as_bytes(), "l.toml", "least", &workload, &languages).unwrap();
    let known: Vec<_> = least[0].fails_on.iter().collect();
    assert_eq!(known, [(&"x/long".to_owned(), &"it waits for ever".to_owned())]);
    let shown = render::contender(&least[0]);
    let line = shown.lines().find(|line| line.starts_with("fails_on"));
    let words: Vec<&str> = line.unwrap().split_whitespace().collect();
    assert_eq!(
        words.join(" "),
        r#"fails_on."x/long" = "it waits for ever" # l.toml:6"#
    );
}

#[test]
fn keys_that_do_not_fit_a_job_in_process_are_refused() {
    hold(PROBE, REFUSED, |bytes| {
        parse(bytes, "w.toml", "records", PathBuf::new())
    });
}
