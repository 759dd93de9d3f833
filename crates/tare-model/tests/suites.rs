//! Suites: what they come to, and what is refused in them, in which words.

mod manifests;

use std::path::PathBuf;
use std::time::Duration;

use manifests::{Breakage, FINDINGS, PUBLISHED, WORKLOAD, hold};
use tare_model::manifest::{Lab, Machines, ManifestError, Workload, render, workload};
use tare_model::metric::Mode;

/// Begins on line 46 of the workload.
const SUITES: &str = r#"
[suites.report]
summary = "what the report compared"
budget = "15m"

[[suites.report.parts]]
cases = ["swept"]
sizes = [64, 1024]

[[suites.report.parts]]
cases = ["all-cores", "one-core"]
modes = ["cost", "batch"]
contenders = [
  "plain",
  "least",
]

[suites.default]
summary = "the same, sooner"
same_as = "report"
budget = "90s"

[suites.all]
summary = "all of it"
same_as = "full"
machines = { load = 10, service = true }
"#;

const SWEPT: &str = r#"
[cases.swept]
summary = "over sizes"
placement = "one-core"
baseline = "least"
modes = ["cost"]
sweep = { name = "bytes", sizes = [13, 64, 1024] }
"#;

fn text() -> String {
    format!("{WORKLOAD}{SUITES}{SWEPT}")
}

fn parse(bytes: &[u8]) -> Result<Workload, ManifestError> {
    workload::parse(bytes, "w.toml", "w", PathBuf::from("w"))
}

/// A lab whose workload has these suites, and which published this.
fn lab(workload: &str, published: &str) -> (tempfile::TempDir, Lab) {
    let folder = tempfile::tempdir().unwrap();
    manifests::write(folder.path());
    let own = folder.path().join("workloads/doubling");
    std::fs::write(own.join("workload.toml"), workload).unwrap();
    std::fs::write(own.join("published.toml"), published).unwrap();
    let lab = Lab::new(folder.path());
    (folder, lab)
}

#[test]
fn suites_come_to_cases_modes_contenders_and_sizes() {
    let workload = parse(text().as_bytes()).unwrap();
    let names: Vec<String> = workload
        .all_suites()
        .into_iter()
        .map(|suite| suite.name)
        .collect();
    assert_eq!(names, ["report", "default", "all", "full"]);
    let report = workload.suite("report").unwrap();
    assert_eq!(report.budget, Some(Duration::from_secs(900)));
    let machines = Machines {
        load: 10,
        service: true,
    };
    assert_eq!(
        (workload.suite("all").unwrap().machines, machines.count()),
        (Some(machines), 11)
    );
    let part_of = |case: &str| {
        let mut parts = report.parts.iter();
        parts
            .find(|part| part.cases.iter().any(|one| one == case))
            .unwrap()
    };
    let of = |case: &str| {
        let part = part_of(case);
        let case = part.narrowed(workload.case(case).unwrap());
        (case.modes, case.sweep.map(|sweep| sweep.sizes))
    };
    assert_eq!(of("swept"), (vec![Mode::Cost], Some(vec![64, 1024])));
    assert_eq!(of("all-cores"), (vec![Mode::Cost, Mode::Batch], None));
    let part = part_of("one-core");
    let id = |text: &str| text.parse().unwrap();
    // Who is named takes part, measured by default or not.
    assert!(part.measures(&id("plain@slow"), false) && part.measures(&id("least"), true));
    assert!(!part.measures(&id("other"), true));
    let swept = part_of("swept");
    assert!(swept.measures(&id("other"), true) && !swept.measures(&id("other"), false));
    let default = workload.suite("default").unwrap();
    assert_eq!(default.parts, report.parts);
    assert_eq!(default.budget, Some(Duration::from_secs(90)));
    let full = workload.suite("full").unwrap();
    assert_eq!(full.parts[0].cases, ["one-core", "all-cores", "swept"]);
    assert_eq!(workload.suite("all").unwrap().parts, full.parts);
    assert_eq!(workload.suite("other"), None);
}

#[test]
fn without_suites_the_default_is_every_case() {
    let workload = manifests::workload();
    let default = workload.suite("default").unwrap();
    assert_eq!(default.parts, workload.suite("full").unwrap().parts);
    assert_eq!(default.budget, None);
}

#[test]
fn suites_are_shown_with_their_places() {
    let (_folder, lab) = lab(&text(), PUBLISHED);
    let (workload, sources) = lab.workload_with_sources("doubling").unwrap();
    let shown = render::workload(&workload, &sources);
    let line = |key: &str| {
        let line = shown.lines().find(|line| line.starts_with(key));
        let words: Vec<&str> = line
            .unwrap_or_else(|| panic!("{key}: {shown}"))
            .split(' ')
            .collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        words.join(" ")
    };
    assert_eq!(
        line("suites.report.budget"),
        "suites.report.budget = \"15m\" # workloads/doubling/workload.toml:48"
    );
    assert_eq!(
        line("suites.report.parts[1].contenders"),
        "suites.report.parts[1].contenders = [\"plain\", \"least\"] # workloads/doubling/workload.toml:57"
    );
    assert_eq!(
        line("suites.default.same_as"),
        "suites.default.same_as = \"report\" # workloads/doubling/workload.toml:64"
    );
    assert_eq!(
        line("suites.full.parts[0].cases"),
        "suites.full.parts[0].cases = [\"one-core\", \"all-cores\", \"swept\"] # tare default"
    );
}

const REFUSED: &[Breakage] = &[
    (
        "cases = [\"swept\"]",
        "cases = [\"swep\"]",
        "w.toml:51: `suites.report.parts[0].cases`: the workload has no case `swep`\n\nhint: did you mean `swept`? \
         its cases are: one-core, all-cores, swept",
    ),
    (
        "cases = [\"swept\"]",
        "cases = []",
        "w.toml:51: `suites.report.parts[0].cases`: expected at least one case, found none\n\nhint: name the cases \
         in order of importance",
    ),
    (
        "cases = [\"swept\"]",
        "cases = [\"swept\", \"one-core\"]",
        "w.toml:52: `suites.report.parts[0].sizes`: the case `one-core` has no sizes\n\nhint: leave the key out, or \
         put the case into another part\n\nw.toml:55: `suites.report.parts[1].cases`: the case `one-core` is in the \
         suite already\n\nhint: a suite measures a case once: put its modes and contenders into one part",
    ),
    (
        "modes = [\"cost\", \"batch\"]",
        "modes = [\"cost\", \"bath\"]",
        "w.toml:56: unknown mode `bath`\n\nhint: did you mean `batch`? expected one of: capacity, cost, batch",
    ),
    (
        "sizes = [64, 1024]",
        "sizes = [64, 65]",
        "w.toml:52: `suites.report.parts[0].sizes`: the case `swept` has no size 65\n\nhint: its sizes are 13, 64, \
         1024",
    ),
    (
        "sizes = [64, 1024]",
        "sizes = [64]",
        "w.toml:52: `suites.report.parts[0].sizes`: expected at least two sizes that rise, found [64]\n\nhint: leave \
         the key out for all sizes",
    ),
    (
        "budget = \"15m\"",
        "budget = \"15 minutes\"",
        "w.toml:48: `suites.report.budget`: ` minutes` is not a unit of time: expected ms, s, m or h, as in 90s or 10m",
    ),
    (
        "same_as = \"report\"",
        "same_as = \"reprot\"",
        "w.toml:64: `suites.default.same_as`: there is no suite `reprot`\n\nhint: did you mean `report`? there are: \
         report, default, all, full",
    ),
    (
        "same_as = \"report\"",
        "same_as = \"all\"",
        "w.toml:64: `suites.default.same_as`: `all` is itself the same as another suite\n\nhint: write `same_as = \
         \"full\"`",
    ),
    (
        "same_as = \"report\"\n",
        "",
        "w.toml:62: `suites.default`: expected either `parts` or `same_as`\n\nhint: for example \
         `[[suites.report.parts]]` with `cases = [\"…\"]`, or `same_as = \"full\"`",
    ),
    (
        "[suites.all]",
        "[suites.full]",
        "w.toml:67: `full` is no name for a suite\n\nhint: it is every case in its default modes, and is there \
         without being written",
    ),
    (
        "summary = \"all of it\"\n",
        "",
        "w.toml:67: missing key `suites.all.summary`: expected one line of text\n\nhint: for example `summary = \"…\"`",
    ),
];

#[test]
fn suites_are_refused_in_these_words() {
    hold(&text(), REFUSED, parse);
}

/// A mode that the case does not have: the case needs modes of its own for that.
#[test]
fn a_mode_that_a_case_does_not_have_is_refused() {
    let own = "modes = { cost = { primary = \"cpu_per_op\", connections = 1 } }";
    let text = text().replace(
        "baseline = \"least\"\nmodes = [\"cost\"]",
        &format!("baseline = \"least\"\n{own}"),
    );
    let text = text.replace("sizes = [64, 1024]", "modes = [\"batch\"]");
    let error = parse(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        error,
        "w.toml:52: `suites.report.parts[0].modes`: the case `swept` has no mode `batch`\n\nhint: its modes are cost"
    );
}

#[test]
fn the_contenders_of_a_suite_must_take_part() {
    let refused = |from: &str, to: &str| {
        let (_folder, lab) = lab(&text().replace(from, to), PUBLISHED);
        lab.workload("doubling").unwrap_err().to_string()
    };
    assert_eq!(
        refused("  \"least\",", "  \"leest\","),
        "workloads/doubling/workload.toml:59: `suites.report.parts[1].contenders`: there is no contender \
         `leest`\n\nhint: did you mean `least`? there are: least, plain@slow, plain@fast"
    );
    assert_eq!(
        refused("  \"plain\",", "  \"plain@slow\","),
        "workloads/doubling/workload.toml:58: `suites.report.parts[1].contenders`: the contender `plain@slow` does \
         not take part in the case `all-cores`\n\nhint: its cases are one-core \
         (workloads/doubling/contenders/plain/contender.toml:35 (variant))"
    );
}

#[test]
fn what_was_published_must_be_in_the_suite_of_the_report() {
    let read = |suites: &str, published: &str| {
        let (_folder, lab) = lab(&text().replace("[\"cost\", \"batch\"]", suites), published);
        let workload = lab.workload("doubling").unwrap();
        lab.published(&workload).map_err(|error| error.to_string())
    };
    let both = "[\"cost\", \"batch\"]";
    assert_eq!(read(both, PUBLISHED).unwrap().figures.len(), 1);
    assert_eq!(
        read("[\"cost\"]", PUBLISHED).unwrap_err(),
        "workloads/doubling/published.toml:7: the suite `report` does not measure `plain@fast` in the case \
         `all-cores`, mode `batch`\n\nhint: add it to a part of `[suites.report]` in workload.toml, or no run will \
         judge this"
    );
    let findings = FINDINGS.replace("\"plain@slow\", \"least\"", "\"least\"");
    let findings = findings.replace("\"plain@fast\", \"plain@slow\"", "\"plain@fast\", \"least\"");
    assert_eq!(read(both, &findings).unwrap().claims.len(), 2);
    let without = findings.replace("\"least\"", "\"other\"");
    assert!(read(both, &without).unwrap_err().contains("no contender `other`"));
    let error = read("[\"cost\"]", &findings).unwrap_err();
    assert!(
        error.contains("published.toml:8: the suite `report` does not measure `plain@fast`"),
        "{error}"
    );
}
