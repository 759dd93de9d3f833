//! The lab's own services with real programs, where these are installed: `.ci/run` installs them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::lab::{Lab, list};

/// The same file as the repository's, so that what is tested is what is delivered.
fn with_services() -> Lab {
    let lab = Lab::new(&[("good", "good")]);
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../services");
    let copied = Command::new("cp").arg("-r").arg(here).arg(lab.path()).status();
    assert!(copied.unwrap().success());
    lab
}

/// Programs of PostgreSQL; none: skipped, with a word.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    let mut folders: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    folders.retain(|folder| folder.join("postgres").exists() && folder.join("psql").exists());
    folders.sort();
    if folders.is_empty() {
        eprintln!("skipped: PostgreSQL is not installed (apt-get install postgresql-15)");
    }
    folders.pop()
}

/// A contender that serves once a command has shown that the service is what it should be.
fn contender_that_first(lab: &Lab, script: &str, services: &str) {
    let workload = std::fs::read_to_string(lab.path().join("workloads/fixture/workload.toml")).unwrap();
    let line = "[cases.all]\n";
    let workload = workload.replace(line, &format!("{line}services = [{services}]\n"));
    lab.write("workloads/fixture/workload.toml", &workload);
    let mut words = ["sh", "-ec", script, "sh"].map(str::to_owned).to_vec();
    words.extend(crate::misbehave::command("good", "{port}"));
    let env = "[env]\nPG = \"{postgresql}\"\nSQLITE = \"{sqlite}\"\n";
    let env: String = env
        .lines()
        .filter(|line| services.contains("sqlite") || !line.contains("{sqlite}"))
        .filter(|line| services.contains("postgresql") || !line.contains("{postgresql}"))
        .map(|line| format!("{line}\n"))
        .collect();
    lab.contender("good", &format!("run = {}\n{env}", list(&words)));
}

/// What the formula of the table comes to: the sum of all numbers, and those of three rows.
fn expected() -> String {
    let number = |id: u64| id * 48_271 % 2_147_483_647 % 10_000 + 1;
    let sum: u64 = (1..=10_000).map(number).sum();
    format!("10000|{sum}|{}|{}|{}", number(1), number(77), number(10_000))
}

const QUERY: &str = "SELECT count(*), sum(randomnumber), max(CASE id WHEN 1 THEN randomnumber END), max(CASE id WHEN \
                     77 THEN randomnumber END), max(CASE id WHEN 10000 THEN randomnumber END) FROM world";

#[test]
fn postgresql_serves_its_table_to_many_connections() {
    let Some(folder) = programs() else { return };
    for hold in [None, Some("plain")] {
        let mut lab = with_services();
        if let Some(way) = hold {
            lab.hold(way);
        }
        let psql = folder.join("psql").display().to_string();
        let script = format!(
            "found=$('{psql}' -XAt \"$PG\" -c '{QUERY}'); echo \"found $found\"; test \"$found\" = '{}'\n\
             test \"$('{psql}' -XAt \"$PG\" -c 'SHOW max_connections')\" -ge 512\nexec \"$@\"",
            expected()
        );
        contender_that_first(&lab, &script, "\"postgresql\"");
        let ran = lab.run(&["check", "fixture"]).expect(0);
        assert!(ran.out.starts_with("ok "), "{}\n{}", ran.out, ran.err);
        lab.assert_clean();
        // Its memory is gone with it, and so is the copy that it worked on.
        let live = std::fs::read_dir(lab.path().join(".tare/services")).unwrap();
        assert!(live.flatten().all(|entry| !entry.path().join("live-0").exists()));
        let log = lab.path().join(".tare/logs/services/postgresql-0.log");
        let log = std::fs::read_to_string(log).unwrap();
        assert!(log.contains("database system is shut down"), "in order: {log}");
    }
}

#[test]
fn what_postgresql_uses_is_counted() {
    let Some(folder) = programs() else { return };
    let lab = with_services();
    // A client asks all the time, not only in slices; the accounts count work for any client.
    let psql = folder.join("psql").display().to_string();
    let script =
        format!("(yes \"SELECT count(*) FROM world;\" | '{psql}' -XAtq \"$PG\" >/dev/null) &\nexec \"$@\"");
    contender_that_first(&lab, &script, "\"postgresql\"");
    let ran = lab.measure("good", &[]).expect(0);
    lab.assert_clean();
    let document = ran.json();
    let good = crate::lab::contender(&document, "good");
    let used = good["services"]["postgresql"]["cpu_per_op"].as_f64();
    assert!(used.is_some_and(|used| used > 0.0), "{good:#}");
    let versions = good["versions"].to_string();
    assert!(versions.contains("PostgreSQL"), "{versions}");
}

#[test]
fn a_cluster_that_cannot_start_says_why() {
    if programs().is_none() {
        return;
    }
    let lab = with_services();
    let conf = lab.path().join("services/postgresql/tare.conf");
    let text = std::fs::read_to_string(&conf).unwrap();
    // What initdb and the single-user server do not mind, and the real one cannot have.
    lab.write(
        "services/postgresql/tare.conf",
        &format!("{text}\nlisten_addresses = 'x'\nssl = on\nssl_cert_file = '/nowhere/cert'\n"),
    );
    contender_that_first(&lab, "exec \"$@\"", "\"postgresql\"");
    let ran = lab.run(&["check", "fixture", "--format", "json"]).expect(1);
    lab.assert_clean();
    let document = ran.json();
    let checked = &document["checked"][0];
    assert_eq!(checked["kind"], "no-service", "{document:#}");
    let reason = checked["reason"].as_str().unwrap();
    assert!(reason.contains("/nowhere/cert"), "{reason}");
}

#[test]
fn the_sqlite_file_has_the_same_table() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: there is no python3");
        return;
    }
    let lab = with_services();
    let program = format!(
        "import os, sqlite3\nfile = 'file:' + os.environ['SQLITE'] + '?mode=ro'\n\
         row = sqlite3.connect(file, uri=True).execute('{QUERY}').fetchone()\n\
         found = '|'.join(map(str, row))\nprint('found', found)\nassert found == '{}'\n",
        expected()
    );
    lab.write("workloads/fixture/contenders/good/look.py", &program);
    contender_that_first(&lab, "python3 {src}/look.py\nexec \"$@\"", "\"world-sqlite\"");
    let ran = lab.run(&["check", "fixture"]).expect(0);
    assert!(ran.out.starts_with("ok "), "{}\n{}", ran.out, ran.err);
    lab.assert_clean();
}
