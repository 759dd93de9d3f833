//! A lab's folder: what is found, how it resolves, and what is refused.

mod manifests;

use std::fs;
use std::path::Path;

use manifests::{LEAST, PLAIN, WORKLOAD};
use tare_model::ids::ContenderId;
use tare_model::manifest::{Contender, Lab, Ready, Reported, Style, render};

fn lab() -> (tempfile::TempDir, Lab) {
    let folder = tempfile::tempdir().unwrap();
    manifests::write(folder.path());
    let lab = Lab::new(folder.path());
    (folder, lab)
}

fn put(lab: &Lab, path: &str, bytes: impl AsRef<[u8]>) {
    let path = lab.folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn contender(lab: &Lab, id: &str) -> Contender {
    lab.contender(&lab.workload("doubling").unwrap(), &id.parse().unwrap())
        .unwrap()
}

fn source(contender: &Contender, key: &str) -> String {
    contender.sources.get(key).unwrap()
}

/// Holds a text against its golden; `BLESS=1` writes the golden instead. A missing one fails.
fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    assert_eq!(
        text,
        fs::read_to_string(&path).unwrap(),
        "{name}: look at the difference, then BLESS=1"
    );
}

#[test]
fn a_complete_lab_is_read() {
    let (_folder, lab) = lab();
    assert_eq!(lab.workloads().unwrap(), ["doubling"]);
    assert_eq!(lab.languages().unwrap(), ["c"]);
    let workload = lab.workload("doubling").unwrap();
    let ids: Vec<String> = lab
        .contenders(&workload)
        .into_iter()
        .map(|c| c.unwrap().id.to_string())
        .collect();
    assert_eq!(ids, ["least", "plain@slow", "plain@fast"]);
    let figures = lab.published(&workload).unwrap().figures;
    assert_eq!(figures.len(), 1);
    assert_eq!(
        figures[0].published.contender,
        ContenderId::variant("plain", "fast")
    );
    assert_eq!(figures[0].published.value, 5.30);
    assert_eq!(figures[0].published.source, "A report, table 2");
}

#[test]
fn a_lone_contender_has_its_languages_defaults() {
    let (_folder, lab) = lab();
    let least = contender(&lab, "least");
    assert_eq!(
        least.folder,
        lab.folder.join("workloads/doubling/contenders/least")
    );
    assert_eq!(least.style, Style::Floor);
    assert_eq!(least.cases, ["one-core", "all-cores"]);
    assert_eq!(least.build, [["{cc}", "-O2", "-o", "{out}/server", "main.c"]]);
    assert_eq!(least.run, ["{out}/server", "{port}"]);
    assert_eq!(least.ready, Ready::Connect);
    assert_eq!(least.stop_signal, "TERM");
    assert_eq!(least.needs.apt, ["libc6-dev"]);
    assert_eq!(source(&least, "run"), "languages/c.toml:4 (language default)");
    assert_eq!(source(&least, "cases"), "tare default");
    assert_eq!(
        source(&least, "style"),
        "workloads/doubling/contenders/least/contender.toml:4"
    );
}

#[test]
fn a_variant_lies_over_its_contender_and_that_over_its_language() {
    let (_folder, lab) = lab();
    let slow = contender(&lab, "plain@slow");
    assert_eq!(slow.summary, "slowly");
    assert_eq!(slow.cases, ["one-core"]);
    assert_eq!(slow.run, ["{out}/server", "--slow", "{port}"]);
    assert_eq!(slow.build[1], ["strip", "{out}/server"]);
    assert_eq!(slow.env.get("MODE").unwrap(), "slow");
    assert_eq!(slow.env.get("EXTRA").unwrap(), "{cores}");
    assert_eq!(slow.needs.apt, ["libc6-dev", "binutils"]);
    assert_eq!(slow.ready, Ready::Line("listening".into()));
    assert_eq!(slow.stop_signal, "INT");
    assert_eq!(slow.broken.as_ref().unwrap().since, "2026-11-21");
    let file = "workloads/doubling/contenders/plain/contender.toml";
    assert_eq!(source(&slow, "run"), format!("{file}:36 (variant)"));
    assert_eq!(source(&slow, "build"), format!("{file}:6"));
    assert_eq!(source(&slow, "env.MODE"), format!("{file}:37 (variant)"));
    assert_eq!(source(&slow, "env.EXTRA"), format!("{file}:14"));
    assert_eq!(
        source(&slow, "needs.apt"),
        format!("languages/c.toml:9 (language default), {file}:16")
    );

    let fast = contender(&lab, "plain@fast");
    assert_eq!(fast.summary, "as good programmers write it");
    assert_eq!(fast.run, ["{out}/server", "{port}"]);
    assert_eq!(fast.env.get("MODE").unwrap(), "own");
}

#[test]
fn a_contender_is_shown_with_the_place_of_each_value() {
    let (_folder, lab) = lab();
    let shown = render::contender(&contender(&lab, "plain@slow"));
    golden("contender.txt", &shown);
}

#[test]
fn a_workload_is_shown_with_the_place_of_each_value() {
    let (_folder, lab) = lab();
    let (workload, sources) = lab.workload_with_sources("doubling").unwrap();
    golden("workload.txt", &render::workload(&workload, &sources));
}

#[test]
fn a_missing_name_is_reported_with_those_that_exist() {
    let (_folder, lab) = lab();
    let workload = lab.workload("doubling").unwrap();
    let missing = |id: &str| {
        lab.contender(&workload, &id.parse().unwrap())
            .unwrap_err()
            .to_string()
    };
    for (error, expected) in [
        (
            lab.workload("doublin").unwrap_err().to_string(),
            "workloads: there is no workload `doublin`\n\nhint: did you mean `doubling`? there are: doubling",
        ),
        (
            lab.workload("../doubling").unwrap_err().to_string(),
            "workloads: there is no workload `../doubling`\n\nhint: did you mean `doubling`? there are: doubling",
        ),
        (
            lab.language("cobol").unwrap_err().to_string(),
            "languages: there is no language `cobol`\n\nhint: there are: c",
        ),
        (
            missing("leest"),
            "workloads/doubling/contenders: there is no contender `leest`\n\n\
             hint: did you mean `least`? there are: least, plain",
        ),
        (
            missing("plain"),
            "workloads/doubling/contenders/plain: there is no contender `plain`\n\n\
             hint: there are: plain@slow, plain@fast",
        ),
        (
            missing("plain@fat"),
            "workloads/doubling/contenders/plain: there is no contender `plain@fat`\n\n\
             hint: did you mean `plain@fast`? there are: plain@slow, plain@fast",
        ),
    ] {
        assert_eq!(error, expected);
    }
}

#[test]
fn floors_and_baselines_must_exist_and_take_part() {
    let (_folder, lab) = lab();
    let file = "workloads/doubling/workload.toml";
    for (from, to, expected) in [
        (
            "floor = \"least\"",
            "floor = \"lest\"",
            "workloads/doubling/workload.toml:5: `floor`: there is no contender `lest`\n\n\
             hint: did you mean `least`? there are: least, plain@slow, plain@fast",
        ),
        (
            "baseline = \"plain@slow\"",
            "baseline = \"plain\"",
            "workloads/doubling/workload.toml:10: `cases.one-core.baseline`: there is no contender `plain`\n\n\
             hint: there are: least, plain@slow, plain@fast",
        ),
        (
            "baseline = \"least\"",
            "baseline = \"plain@slow\"",
            "workloads/doubling/workload.toml:16: `cases.all-cores.baseline`: \
             the contender `plain@slow` does not take part in the case `all-cores`\n\n\
             hint: its cases are one-core (workloads/doubling/contenders/plain/contender.toml:35 (variant))",
        ),
    ] {
        assert_eq!(WORKLOAD.matches(from).count(), 1);
        put(&lab, file, WORKLOAD.replace(from, to));
        assert_eq!(lab.workload("doubling").unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_published_figure_names_a_contender_that_exists() {
    let (_folder, lab) = lab();
    let workload = lab.workload("doubling").unwrap();
    put(
        &lab,
        "workloads/doubling/published.toml",
        manifests::PUBLISHED.replace("plain@fast", "plain@fats"),
    );
    assert_eq!(
        lab.published(&workload).unwrap_err().to_string(),
        "workloads/doubling/published.toml:7: there is no contender `plain@fats`\n\n\
         hint: did you mean `plain@fast`? there are: least, plain@slow, plain@fast"
    );
    fs::remove_file(lab.folder.join("workloads/doubling/published.toml")).unwrap();
    assert_eq!(lab.published(&workload).unwrap(), Reported::default());
}

#[test]
fn a_broken_contender_is_one_error_and_does_not_affect_the_others() {
    let (_folder, lab) = lab();
    put(
        &lab,
        "workloads/doubling/contenders/plain/contender.toml",
        PLAIN.replace("style", "stile"),
    );
    // The baseline plain@slow may or may not exist: its broken file is reported once, by the contender.
    let workload = lab.workload("doubling").unwrap();
    let contenders = lab.contenders(&workload);
    assert_eq!(contenders.len(), 2);
    assert_eq!(contenders[0].as_ref().unwrap().id.to_string(), "least");
    assert_eq!(
        contenders[1].as_ref().unwrap_err().to_string(),
        "workloads/doubling/contenders/plain/contender.toml:4: unknown key `stile`\n\nhint: did you mean `style`?"
    );
}

#[test]
fn a_broken_language_is_reported_by_its_own_lines() {
    let (_folder, lab) = lab();
    put(&lab, "languages/c.toml", "schema = 1\nsumary = \"C\"\n");
    let workload = lab.workload("doubling").unwrap();
    let errors = lab.contenders(&workload);
    assert_eq!(errors.len(), 2);
    for error in errors {
        let expected = "languages/c.toml:2: unknown key `sumary`\n\nhint: did you mean `summary`?";
        assert_eq!(error.unwrap_err().to_string(), expected);
    }
}

#[test]
fn files_that_are_not_manifests_are_refused() {
    let (_folder, lab) = lab();
    let file = "workloads/doubling/workload.toml";
    let mut large = WORKLOAD.as_bytes().to_vec();
    large.resize((1 << 20) + 1, b'\n');
    let cases: [(&[u8], &str); 4] = [
        (
            b"\xEF\xBB\xBFschema = 1\n",
            "workloads/doubling/workload.toml:1: expected TOML, found a byte order mark before it\n\n\
             hint: save it as UTF-8 without a byte order mark",
        ),
        (
            b"schema = 1\nsummary = \"\xE4\"\n",
            "workloads/doubling/workload.toml:2: expected UTF-8, found the byte 0xe4\n\nhint: save it as UTF-8",
        ),
        (
            &large,
            "workloads/doubling/workload.toml: expected at most 1048576 bytes, found 1048577\n\n\
             hint: is this a manifest?",
        ),
        (
            b"",
            "workloads/doubling/workload.toml:1: missing key `schema`: expected a whole number\n\n\
             hint: for example `schema = 1`",
        ),
    ];
    for (bytes, expected) in cases {
        put(&lab, file, bytes);
        assert_eq!(lab.workload("doubling").unwrap_err().to_string(), expected);
    }
}

#[cfg(unix)]
#[test]
fn folders_that_leave_the_lab_are_refused() {
    let (_folder, lab) = lab();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("contender.toml"), LEAST).unwrap();
    let contenders = lab.folder.join("workloads/doubling/contenders");
    std::os::unix::fs::symlink(elsewhere.path(), contenders.join("linked")).unwrap();
    // A link to another folder of the same lab does not leave the lab.
    std::os::unix::fs::symlink(contenders.join("least"), contenders.join("twin")).unwrap();
    let workload = lab.workload("doubling").unwrap();
    let real = elsewhere.path().canonicalize().unwrap().join("contender.toml");
    let error = lab
        .contender(&workload, &ContenderId::plain("linked"))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "workloads/doubling/contenders/linked/contender.toml: leads out of the lab's folder, to {}\n\n\
             hint: copy it into the lab instead of linking to it",
            real.display()
        )
    );
    assert!(lab.contender(&workload, &ContenderId::plain("twin")).is_ok());
}

#[test]
fn folders_that_are_not_contenders_are_reported() {
    let (_folder, lab) = lab();
    fs::create_dir_all(lab.folder.join("workloads/doubling/contenders/empty")).unwrap();
    put(
        &lab,
        "workloads/doubling/contenders/Loud Name/contender.toml",
        LEAST,
    );
    put(
        &lab,
        "workloads/doubling/contenders/README.md",
        "a file beside the folders is nobody's business",
    );
    let workload = lab.workload("doubling").unwrap();
    let errors: Vec<String> = lab
        .contenders(&workload)
        .into_iter()
        .filter_map(|c| c.err())
        .map(|error| error.to_string())
        .collect();
    assert_eq!(
        errors,
        [
            "workloads/doubling/contenders/Loud Name: `Loud Name` is no contender's name\n\n\
             hint: lower-case letters, digits and single dashes, starting with a letter",
            "workloads/doubling/contenders/empty/contender.toml: there is no such file\n\n\
             hint: every folder here is a contender and needs its manifest",
        ]
    );
}

#[test]
fn a_folder_that_is_not_a_lab_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let error = Lab::new(folder.path()).workloads().unwrap_err().to_string();
    let expected = format!(
        "workloads: cannot be listed: No such file or directory (os error 2)\n\n\
         hint: is {} a lab's folder? it holds `workloads/` and `languages/`",
        folder.path().display()
    );
    assert_eq!(error, expected);
}

/// What a case says itself goes before what the workload says for all.
#[test]
fn a_case_may_have_its_own_job_modes_floor_services_and_sizes() {
    let folder = tempfile::tempdir().unwrap();
    manifests::write(folder.path());
    let file = folder.path().join("workloads/doubling/workload.toml");
    let own = r#"
[cases.own]
summary = "its own"
placement = "one-core"
baseline = "least"
floor = "plain@fast"
services = ["postgresql"]
sweep = { name = "bytes", sizes = [13, 64] }

[cases.own.job]
kind = "lines"
send = "a"
expect = "b"

[cases.own.modes.cost]
primary = "latency_p50"
connections = 7
"#;
    let whole = std::fs::read_to_string(&file).unwrap();
    std::fs::write(
        &file,
        whole.replace("\n[modes.capacity]", &format!("{own}\n[modes.capacity]")),
    )
    .unwrap();
    let plain = folder
        .path()
        .join("workloads/doubling/contenders/plain/contender.toml");
    let text = std::fs::read_to_string(&plain).unwrap();
    std::fs::write(&plain, text.replace("\ncases = [", "\ncases = [\"own\", ")).unwrap();
    let lab = Lab::new(folder.path());
    put(&lab, "services/postgresql/service.toml", DATABASE);
    let workload = lab.workload("doubling").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(workload.gives, ["database"]);
    let (own, other) = (workload.case("own").unwrap(), workload.case("one-core").unwrap());
    assert_eq!(own.job.name(), "lines");
    assert_eq!(own.floor.as_ref().unwrap().to_string(), "plain@fast");
    assert_eq!(own.services, ["postgresql"]);
    assert_eq!(own.sweep.as_ref().unwrap().sizes, [13, 64]);
    assert_eq!(own.drivings.len(), 1);
    assert_eq!(own.drivings[0].connections, [7]);
    assert_eq!(own.modes, [own.drivings[0].mode]);
    assert_eq!(other.job.name(), "doubling");
    assert_eq!(other.drivings.len(), 3);
    assert_eq!(other.floor.as_ref().unwrap().to_string(), "least");
    assert!(other.sweep.is_none() && other.services.is_empty());
}

const DATABASE: &str = r#"schema = 1
summary = "a database"
run = ["{db}", "{state}", "{port}"]
tools.db.find = ["db"]
gives.database = "db://{host}:{port}"
"#;

/// The lab with services for the case `one-core`.
fn served(services: &str) -> (tempfile::TempDir, Lab) {
    let (folder, lab) = lab();
    let line = "[cases.one-core]\n";
    let text = WORKLOAD.replace(line, &format!("{line}services = [{services}]\n"));
    put(&lab, "workloads/doubling/workload.toml", text);
    put(&lab, "services/db/service.toml", DATABASE);
    put(&lab, "services/twin/service.toml", DATABASE);
    (folder, lab)
}

#[test]
fn services_are_found_and_shown() {
    let (_folder, lab) = served("\"db\"");
    assert_eq!(lab.services().unwrap(), ["db", "twin"]);
    let (service, sources) = lab.service_with_sources("db").unwrap();
    assert_eq!(service.folder, lab.folder.join("services/db"));
    golden("service.txt", &render::service(&service, &sources));
    let error = lab.service("bd").unwrap_err().to_string();
    assert_eq!(
        error,
        "services: there is no service `bd`\n\nhint: did you mean `db`? there are: db, twin"
    );
    put(&lab, "services/empty/README.md", "");
    let error = lab.service("empty").unwrap_err().to_string();
    assert_eq!(
        error,
        "services/empty/service.toml: there is no such file\n\nhint: every folder here is a service and needs its \
         manifest"
    );
}

#[test]
fn services_of_a_case_must_exist_be_valid_and_give_different_values() {
    let refused = |services: &str| {
        let (_folder, lab) = served(services);
        put(
            &lab,
            "services/odd/service.toml",
            "schema = 1\nsummary = \"odd\"\n",
        );
        lab.workload("doubling").unwrap_err().to_string()
    };
    assert_eq!(
        refused("\"dv\""),
        "workloads/doubling/workload.toml:8: `cases.one-core.services`: there is no service `dv`\n\nhint: did you \
         mean `db`? there are: db, odd, twin"
    );
    assert_eq!(
        refused("\"db\", \"twin\""),
        "workloads/doubling/workload.toml:8: `cases.one-core.services`: two of them give `{database}`"
    );
    assert_eq!(
        refused("\"odd\""),
        "services/odd/service.toml:1: missing key `gives`: expected a table\n\nhint: for example `gives = { … }`"
    );
}

#[test]
fn what_is_counted_must_be_something_that_a_service_counts() {
    let outcome = |services: &str, job: &str| {
        let (_folder, lab) = served(services);
        let text = WORKLOAD.replace(
            "[cases.one-core]\n",
            &format!("[cases.one-core]\nservices = [{services}]\ncounted = true\n{job}\n"),
        );
        put(&lab, "workloads/doubling/workload.toml", text);
        let counts = "counts = { run = [\"{db}\"], ask = \"?\", rows = \"{ids}\" }\n";
        put(
            &lab,
            "services/counting/service.toml",
            format!("{DATABASE}{counts}"),
        );
        lab.workload("doubling").map(|workload| workload.cases[0].counted)
    };
    let row = "job = { kind = \"http\", path = \"/\", answer = { kind = \"world\", rows = 9 } }";
    assert_eq!(outcome("\"counting\"", row), Ok(true));
    assert_eq!(
        outcome("\"db\"", row).unwrap_err().to_string(),
        "workloads/doubling/workload.toml:9: `cases.one-core.counted`: none of its services can be asked what it did\n\n\
         hint: name a service with `[counts]`, such as `postgresql`"
    );
    assert_eq!(
        outcome("\"counting\"", "").unwrap_err().to_string(),
        "workloads/doubling/workload.toml:9: `cases.one-core.counted`: its answers need nothing of a database\n\nhint: \
         answers of the kinds world, world-list, world-updates and fortunes do"
    );
    let in_turn = row.replacen(" } }", " }, then = [{ path = \"/b\" }] }", 1);
    assert_eq!(
        outcome("\"counting\"", &in_turn).unwrap_err().to_string(),
        "workloads/doubling/workload.toml:9: `cases.one-core.counted`: its requests are sent in turn, and each may need \
         something else of a database\n\nhint: make each request a case of its own"
    );
}

/// What a service gives is known when the contender runs, not when it is built; and in that workload only.
#[test]
fn values_of_services_may_be_used_to_run_and_not_to_build() {
    let with = |services: &str, from: &str, to: &str| {
        let (folder, lab) = served(services);
        let text = PLAIN.replace(from, to);
        put(&lab, "workloads/doubling/contenders/plain/contender.toml", text);
        (folder, lab.workload("doubling").map(|_| ()), lab)
    };
    let run = [
        ("EXTRA = \"{cores}\"", "EXTRA = \"{database}\""),
        ("\"--slow\"", "\"{database}\""),
    ];
    for (from, to) in run {
        let (_folder, outcome, _) = with("\"db\"", from, to);
        outcome.unwrap();
        let (_folder, _, lab) = with("", from, to);
        let workload = lab.workload("doubling");
        let contenders = workload.map(|workload| lab.contenders(&workload));
        let error = match contenders {
            Ok(all) => all.into_iter().find_map(Result::err).expect("one is wrong"),
            Err(error) => error,
        };
        assert!(
            error.to_string().contains("unknown placeholder `{database}`"),
            "{error}"
        );
    }
    let (_folder, _, lab) = with("\"db\"", "\"-O3\"", "\"{database}\"");
    let workload = lab.workload("doubling").unwrap_or_else(|error| panic!("{error}"));
    let contenders = lab.contenders(&workload).into_iter();
    let error = contenders.filter_map(Result::err).next().unwrap();
    assert!(
        error
            .to_string()
            .contains("`build`: unknown placeholder `{database}`"),
        "{error}"
    );
}
