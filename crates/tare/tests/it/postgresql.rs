//! The lab's own services with real programs, where these are installed: `.ci/run` installs them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::lab::{Lab, list};
use crate::on::{by_ssh, with_ssh};

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
    // A client asks all the time, not only in slices; the accounts count work for any client. It is at it when the contender begins:
    // on a busy machine it would otherwise be connecting still when the few slices are over.
    let psql = folder.join("psql").display().to_string();
    let script = format!(
        "told=$(mktemp)\n(yes \"SELECT count(*) FROM world;\" | '{psql}' -XAtq \"$PG\" >\"$told\") &\n\
         while ! [ -s \"$told\" ]; do sleep 0.01; done\nrm \"$told\"\nexec \"$@\""
    );
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

/// A server that reads, and where it is asked to, changes rows by a psql that stays: honestly, or in one of several other ways.
const SERVER: &str = r#"
import http.server, os, random, subprocess, sys, threading

port, way, psql = int(sys.argv[1]), sys.argv[2], sys.argv[3]
words = [psql, "-XqAt", os.environ["PG"]]
client = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
lock = threading.Lock()
answered = 0

def ask(statement):
    with lock:
        client.stdin.write(statement + "\n")
        return int(client.stdout.readline())

def read(row):
    # The check asks for fewer than sixty answers, and each slice for thirty at least.
    if way == "makes-up" or way == "makes-up-later" and answered > 60:
        return row * 48271 % 2147483647 % 10000 + 1
    return ask(f"SELECT randomnumber FROM world WHERE id = {row};")

def change(row):
    read(row)
    number = random.randint(1, 10000)
    written = number if way != "writes-another" else number % 10000 + 1
    if way != "writes-nothing":
        ask(f"UPDATE world SET randomnumber = {written} WHERE id = {row} RETURNING id;")
    return number

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_GET(self):
        global answered
        answered += 1
        path, _, value = self.path.partition("=")
        count = min(max(int(value), 1), 500) if value.isdigit() else 1
        one = change if path.startswith("/updates") else read
        rows = [(row, one(row)) for row in random.choices(range(1, 10001), k=count)]
        body = ",".join(f'{{"id":{row},"randomNumber":{number}}}' for row, number in rows)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body) + 2))
        self.end_headers()
        self.wfile.write(f"[{body}]".encode())

    def log_message(self, *_):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
"#;

/// The rows that are changed first are not those that are compared with the formula then: each case has a process of its own.
const COUNTED: &str = r#"schema = 1
summary = "rows"

[cases.updates]
summary = "changed"
placement = "one-core"
baseline = "honest"
services = ["postgresql"]
counted = true
job = { kind = "http", path = "/updates?n=20", answer = { kind = "world-updates", rows = 10000, count = 20 } }

[cases.queries]
summary = "read"
placement = "one-core"
baseline = "honest"
services = ["postgresql"]
counted = true
job = { kind = "http", path = "/queries?n=20", answer = { kind = "world-list", rows = 10000, count = 20 } }

[modes.capacity]
primary = "throughput"
connections = 2
"#;

/// A lab with both cases, and contenders by their ways; none where a program is missing.
fn counted(ways: &[&str]) -> Option<Lab> {
    let folder = programs()?;
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: there is no python3");
        return None;
    }
    let lab = with_services();
    std::fs::remove_dir_all(lab.path().join("workloads/fixture/contenders/good")).unwrap();
    lab.write("workloads/fixture/workload.toml", COUNTED);
    for way in ways {
        let psql = folder.join("psql").display().to_string();
        let run = ["python3", "{src}/server.py", "{port}", way, &psql].map(str::to_owned);
        lab.contender(
            way,
            &format!("run = {}\nenv.PG = \"{{postgresql}}\"\n", list(&run)),
        );
        lab.write(&format!("workloads/fixture/contenders/{way}/server.py"), SERVER);
    }
    Some(lab)
}

#[test]
fn what_postgresql_was_asked_is_held_against_the_answers_of_the_check() {
    let all = ["honest", "makes-up", "writes-nothing", "writes-another"];
    let Some(lab) = counted(&all) else { return };
    let ran = lab.run(&["check", "fixture", "--format", "json"]).expect(3);
    lab.assert_clean();
    let document = ran.json();
    let checked = document["checked"].as_array().unwrap();
    let reason = |case: &str, contender: &str| {
        let is = |one: &&serde_json::Value| one["case"] == case && one["contender"] == contender;
        let one = checked.iter().find(is).unwrap_or_else(|| panic!("{document:#}"));
        assert_eq!(one["ok"] == true, one["reason"].is_null(), "{one:#}");
        one["reason"].as_str().unwrap_or("ok").to_owned()
    };
    for (case, contender, says) in [
        ("queries", "honest", "ok"),
        ("updates", "honest", "ok"),
        (
            "queries",
            "makes-up",
            "one right answer needed 20 queries of the database, which counted 0",
        ),
        ("updates", "makes-up", "needed 20 queries"),
        ("queries", "writes-nothing", "ok"),
        (
            "updates",
            "writes-nothing",
            "rows changed of the database, which counted 0",
        ),
        (
            "updates",
            "writes-another",
            "and afterwards, with nobody else at work, the row holds",
        ),
    ] {
        let reason = reason(case, contender);
        assert!(
            reason.contains(says),
            "{case} {contender}: no {says:?} in {reason}"
        );
    }
}

/// A server that asks in the check and makes rows up under load is found by the slice; the other is measured.
#[test]
fn what_postgresql_was_asked_is_held_against_the_answers_under_load() {
    let Some(lab) = counted(&["honest", "makes-up-later"]) else {
        return;
    };
    let words = [
        "run",
        "fixture/queries",
        "--format",
        "json",
        "--launches",
        "1",
        "--rounds",
        "2",
    ];
    let ran = lab.run(&[&words[..], &["--budget", "12s"]].concat()).expect(3);
    lab.assert_clean();
    let document = ran.json();
    let honest = crate::lab::contender(&document, "honest");
    assert_eq!(honest["state"], "measured", "{honest:#}");
    let other = crate::lab::contender(&document, "makes-up-later");
    assert_eq!(other["state"], "wrong", "{other:#}");
    let reason = other["reason"].as_str().unwrap();
    assert!(
        reason.contains("queries of the database, which counted"),
        "{reason}"
    );
}

/// The same on another machine, which holds a process for each case.
#[test]
fn what_postgresql_was_asked_elsewhere_is_held_against_the_answers() {
    let Some(lab) = counted(&["honest", "makes-up-later"]) else {
        return;
    };
    with_ssh(&lab);
    let words = ["run", "fixture", "--hosts", "service=n4", "--format", "json"];
    let words = [
        &words[..],
        &["--launches", "1", "--rounds", "2", "--budget", "24s"],
    ]
    .concat();
    let ran = lab.start(by_ssh(&lab, lab.tare(&words))).finish().expect(3);
    lab.assert_clean();
    let document = ran.json();
    let cases = document["workloads"].as_array().unwrap();
    assert_eq!(cases.len(), 2, "{document:#}");
    for case in cases {
        assert_eq!(case["placement"]["services_on"]["name"], "n4", "{case:#}");
        let contender = |id: &str| {
            let mut all = case["contenders"].as_array().unwrap().iter();
            all.find(|one| one["id"] == id).unwrap()
        };
        let honest = contender("honest");
        assert_eq!(honest["fault"], serde_json::Value::Null, "{honest:#}");
        let used = honest["services"]["postgresql"]["cpu_per_op"].as_f64();
        assert!(used.is_some_and(|used| used > 0.0), "{honest:#}");
        assert!(
            honest["versions"].to_string().contains("PostgreSQL"),
            "{honest:#}"
        );
        let other = contender("makes-up-later");
        assert_eq!(other["state"], "wrong", "{other:#}");
    }
}
