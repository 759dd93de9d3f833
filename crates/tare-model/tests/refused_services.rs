//! What is refused in a service's manifest, and in which words: one broken thing at a time.

mod manifests;

use manifests::{Breakage, hold};
use tare_model::manifest::{Ready, service};

const SERVICE: &str = r#"schema = 1
summary = "a database"
refuses_root = true
prepare = [["{initdb}", "{state}/data"], ["sh", "{src}/seed.sh"]]
run = ["{db}", "-D", "{state}/data", "-p", "{port}", "--cores={core_list}"]

[needs]
apt = ["db-common"]

[tools.initdb]
find = ["/usr/lib/db/*/bin/initdb"]

[tools.db]
find = ["db"]
version = ["{db}", "--version"]
at_least = "15"
apt = ["db-15"]

[ready]
line = "is ready"

[stop]
signal = "INT"

[gives]
database = "db://{host}:{port}/world"
log-in = "{lab}/{tools}"

[counts]
with = ["--count"]
run = ["{db}", "--client", "{host}:{port}"]
ask = "COUNT;"
rows = "ROWS {ids};"
"#;

const FRONT: &str = r#"schema = 1
summary = "a web server"
run = ["{web}", "-f", "{config}", "-s", "{src}"]

[tools.web]
find = ["web"]

[front]
fastcgi = "fastcgi.conf"
files = "files.conf"
"#;

const FRONTS: &[Breakage] = &[
    (
        "fastcgi = ",
        "fast-cgi = ",
        "s.toml:9: unknown way to speak `fast-cgi`\n\nhint: did you mean `fastcgi`? expected one of: fastcgi, scgi, cgi, files",
    ),
    (
        "files = \"files.conf\"",
        "files = 5",
        "s.toml:10: `front.files`: expected a string, found the number 5\n\nhint: for example `files = \"…\"`",
    ),
    (
        "run = [\"{web}\", \"-f\", \"{config}\", \"-s\", \"{src}\"]\n",
        "",
        "s.toml:8: `front`: there is no `run`\n\nhint: for example `run = [\"{lighttpd}\", \"-D\", \"-f\", \"{config}\"]`",
    ),
];

#[test]
fn invalid_fronts_are_refused() {
    hold(FRONT, FRONTS, |bytes| service::parse(bytes, "s.toml", "web"));
    let front = service::parse(FRONT.as_bytes(), "s.toml", "web").unwrap();
    let files: Vec<&str> = front.fronts.values().map(String::as_str).collect();
    assert_eq!(
        (files, front.gives.len()),
        (vec!["fastcgi.conf", "files.conf"], 0)
    );
}

const DATA: &str = r#"schema = 1
summary = "a file"
prepare = [["sh", "{src}/make.sh", "{state}/file"]]

[gives]
file = "{state}/file"
"#;

const SERVICES: &[Breakage] = &[
    (
        "summary",
        "sumary",
        "s.toml:2: unknown key `sumary`\n\nhint: did you mean `summary`?",
    ),
    (
        "refuses_root = true",
        "refuses_root = 1",
        "s.toml:3: `refuses_root`: expected true or false, found the number 1\n\nhint: for example `refuses_root = true`",
    ),
    (
        "refuses_root = true",
        "port = 5432",
        "s.toml:3: `port` is never in a manifest\n\nhint: the lab owns ports, cores, durations and sleeps; use {port} and {cores}",
    ),
    (
        "refuses_root = true",
        "expected_at = 70000",
        "s.toml:3: `expected_at`: expected 1 to 65535, found 70000",
    ),
    (
        r#"["{initdb}", "{state}/data"]"#,
        r#"["{initdb}", "{port}"]"#,
        "s.toml:4: `prepare`: unknown placeholder `{port}` in `{port}`\n\nhint: known: lab, tools, src, state, initdb, db",
    ),
    (
        r#"["{initdb}", "{state}/data"]"#,
        r#""{initdb}""#,
        "s.toml:4: `prepare[0]`: expected an argv list (no shell), found the string \"{initdb}\"\n\nhint: for example `[\"{out}/server\", \"{port}\"]`",
    ),
    (
        "--cores={core_list}",
        "{out}",
        "s.toml:5: `run`: unknown placeholder `{out}` in `{out}`\n\nhint: known: lab, tools, src, state, host, port, clients, cores, core_list, initdb, db",
    ),
    (
        "{src}/seed.sh",
        "{src}/../seed.sh",
        "s.toml:4: `prepare`: the path `{src}/../seed.sh` leaves the contender's folder\n\nhint: keep what it needs in the folder; {lab} is the lab's own",
    ),
    (
        "[tools.initdb]",
        "[tools.state]",
        "s.toml:4: `prepare`: unknown placeholder `{initdb}` in `{initdb}`\n\nhint: known: lab, tools, src, state, state, db\n\n\
         s.toml:10: `state` cannot be a tool's name: `{state}` is the lab's own placeholder",
    ),
    (
        r#"signal = "INT""#,
        r#"signal = "SIGINT""#,
        "s.toml:23: unknown signal `SIGINT`\n\nhint: write it without `SIG`, in capitals: `INT`",
    ),
    (
        "{host}:{port}/world",
        "{host}:{prt}/world",
        "s.toml:26: `gives.database`: unknown placeholder `{prt}` in `db://{host}:{prt}/world`\n\nhint: did you mean `port`? known: lab, tools, src, state, host, port, clients, cores, core_list, initdb, db",
    ),
    (
        "log-in =",
        "out =",
        "s.toml:27: `out` cannot be what a service gives: `{out}` is the lab's own placeholder",
    ),
    (
        "log-in =",
        "Log =",
        "s.toml:27: `Log` is no placeholder's name\n\nhint: lower-case letters, digits and single dashes, starting with a letter",
    ),
    (
        "log-in = \"{lab}/{tools}\"",
        "log-in = 5",
        "s.toml:27: `gives.log-in`: expected a string, found the number 5\n\nhint: for example `log-in = \"…\"`",
    ),
    (
        "[gives]\ndatabase = \"db://{host}:{port}/world\"\nlog-in = \"{lab}/{tools}\"\n",
        "[gives]\n",
        "s.toml:25: `gives`: expected at least one name, found none\n\nhint: contenders know the service by these: for example `database = \"{host}:{port}\"`",
    ),
    (
        "[gives]\ndatabase = \"db://{host}:{port}/world\"\nlog-in = \"{lab}/{tools}\"\n",
        "",
        "s.toml:1: missing key `gives`: expected a table\n\nhint: for example `gives = { … }`",
    ),
    (
        "{host}:{port}\"]",
        "{host}:{prt}\"]",
        "s.toml:31: `counts.run`: unknown placeholder `{prt}` in `{host}:{prt}`\n\nhint: did you mean `port`? known: lab, tools, src, state, host, port, clients, cores, core_list, initdb, db",
    ),
    (
        "ROWS {ids};",
        "ROWS {port};",
        "s.toml:33: `counts.rows`: unknown placeholder `{port}` in `ROWS {port};`\n\nhint: known: ids",
    ),
    (
        "ask = \"COUNT;\"",
        "ask = \"COUNT\\n;\"",
        "s.toml:32: `counts.ask`: expected one line of text, found several lines, or control characters",
    ),
    (
        "ask = \"COUNT;\"\n",
        "",
        "s.toml:29: missing key `counts.ask`: expected one line of text\n\nhint: for example `ask = \"…\"`",
    ),
];

const DATA_ONLY: &[Breakage] = &[
    (
        "\"{state}/file\"\n",
        "\"{port}\"\n",
        "s.toml:6: `gives.file`: unknown placeholder `{port}` in `{port}`\n\nhint: known: lab, tools, src, state",
    ),
    (
        "[gives]",
        "ready = { line = \"ready\" }\nstop = { signal = \"INT\" }\ncounts = { run = [\"x\"], ask = \"x\", rows = \"{ids}\" }\n[gives]",
        "s.toml:5: `ready`: there is no `run`\n\nhint: without `run` a service is data only, made by `prepare`\n\n\
         s.toml:6: `stop`: there is no `run`\n\nhint: without `run` a service is data only, made by `prepare`\n\n\
         s.toml:7: `counts`: there is no `run`\n\nhint: without `run` a service is data only, made by `prepare`",
    ),
];

#[test]
fn problems_name_their_line() {
    hold(SERVICE, SERVICES, |bytes| service::parse(bytes, "s.toml", "s"));
    hold(DATA, DATA_ONLY, |bytes| service::parse(bytes, "s.toml", "s"));
}

#[test]
fn missing_keys_have_tares_defaults() {
    let data = service::parse(DATA.as_bytes(), "s.toml", "data").unwrap();
    assert_eq!(data.name, "data");
    assert!(data.run.is_empty() && !data.refuses_root);
    assert_eq!((data.ready, data.stop_signal.as_str()), (Ready::Connect, "TERM"));
    let service = service::parse(SERVICE.as_bytes(), "s.toml", "s").unwrap();
    assert_eq!(service.prepare.len(), 2);
    assert_eq!(service.ready, Ready::Line("is ready".to_owned()));
    assert_eq!(service.gives["database"], "db://{host}:{port}/world");
    let counts = service.counts.unwrap();
    assert_eq!(
        (counts.with, counts.ask),
        (vec!["--count".to_owned()], "COUNT;".to_owned())
    );
    assert_eq!(data.counts, None);
}
