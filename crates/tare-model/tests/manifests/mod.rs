//! A small valid lab, to break things in.

use std::path::{Path, PathBuf};

use tare_model::manifest::contender::Languages;
use tare_model::manifest::{ManifestError, Workload, workload};

#[allow(dead_code)]
pub const LANGUAGE: &str = r#"schema = 1
summary = "C, compiled by the system's compiler"
build = [["{cc}", "-O2", "-o", "{out}/server", "main.c"]]
run = ["{out}/server", "{port}"]

[env]
MODE = "plain"

[needs]
apt = ["libc6-dev"]

[tools.cc]
find = ["cc", "{tools}/*/bin/cc", "{env:CC}"]
version = ["{cc}", "--version"]
at_least = "10.2"
apt = ["gcc"]
install = [["sh", "{lab}/get-cc", "{tools}"]]
"#;

#[allow(dead_code)]
pub const WORKLOAD: &str = r#"schema = 1
summary = "integers in, doubles out"
source = "A report"
job = { kind = "doubling" }
floor = "least"

[cases.one-core]
summary = "one core each"
placement = "one-core"
baseline = "plain@slow"
modes = ["cost"]

[cases.all-cores]
summary = "every core"
placement = "all-cores"
baseline = "least"

[modes.capacity]
primary = "throughput"
connections = [32, 128]
depth = 3

[modes.cost]
primary = "cpu_per_op"
connections = 32

[modes.batch]
primary = "duration"
programs = 10
connections = 500
requests = 10
depth = 3

[[exchanges]]
name = "leading zeros go"
send = "007\n"
expect = "14\n"

[[exchanges]]
name = "the end"
send = "end\n"
expect = ""
closes = true
dribble = true
"#;

#[allow(dead_code)]
pub const LEAST: &str = r#"schema = 1
language = "c"
summary = "the least program"
style = "floor"
"#;

#[allow(dead_code)]
pub const PLAIN: &str = r#"schema = 1
language = "c"
summary = "as good programmers write it"
style = "idiomatic"
cases = ["one-core", "all-cores"]
build = [
  ["{cc}", "-O3", "-o", "{out}/server", "main.c"],
  ["strip", "{out}/server"],
]
stands_in_for = "a program that was lost"

[env]
MODE = "own"
EXTRA = "{cores}"

[needs]
apt = ["binutils"]

[ready]
line = "listening"

[stop]
signal = "INT"

[origin]
text = "A book, page 12"
licence = "MIT"

[broken]
reason = "waits for a fix"
since = "2026-11-21"

[variants.slow]
summary = "slowly"
cases = ["one-core"]
run = ["{out}/server", "--slow", "{port}"]
env = { MODE = "slow" }

[variants.fast]
"#;

#[allow(dead_code)]
pub const PUBLISHED: &str = r#"schema = 1
source = "A report, table 2"

[[figures]]
case = "all-cores"
mode = "batch"
contender = "plain@fast"
label = "Plain, all cores"
metric = "duration"
value = 5.30
"#;

/// The same with findings.
#[allow(dead_code)]
pub const FINDINGS: &str = r#"schema = 1
source = "A report, page 3"

[[findings]]
claim = "the fast one is far ahead"
case = "all-cores"
mode = "batch"
faster = "plain@fast"
slower = ["plain@slow", "least"]
at_least = 1.5

[[findings]]
claim = "they keep pace"
case = "all-cores"
mode = "batch"
same = ["plain@fast", "plain@slow"]
within = 0.1
"#;

/// Writes the lab into a folder.
#[allow(dead_code)]
pub fn write(folder: &Path) {
    let put = |path: &str, text: &str| {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    put("languages/c.toml", LANGUAGE);
    put("workloads/doubling/workload.toml", WORKLOAD);
    put("workloads/doubling/published.toml", PUBLISHED);
    put("workloads/doubling/contenders/least/contender.toml", LEAST);
    put("workloads/doubling/contenders/plain/contender.toml", PLAIN);
}

/// The workload as it parses.
#[allow(dead_code)]
pub fn workload() -> Workload {
    workload::parse(
        WORKLOAD.as_bytes(),
        "workload.toml",
        "doubling",
        PathBuf::from("w"),
    )
    .unwrap()
}

/// The languages as they parse.
#[allow(dead_code)]
pub fn languages() -> Languages {
    Languages::read([("c", "languages/c.toml", LANGUAGE.as_bytes())])
}

/// The text to replace, its replacement, and the expected message.
#[allow(dead_code)]
pub type Breakage = (&'static str, &'static str, &'static str);

/// Breaks one thing after another in what is right, and holds the errors against the exact texts.
#[allow(dead_code)]
pub fn hold<T: std::fmt::Debug>(
    whole: &str,
    breakages: &[Breakage],
    parse: impl Fn(&[u8]) -> Result<T, ManifestError>,
) {
    parse(whole.as_bytes()).expect("the whole one is right");
    for (from, to, expected) in breakages {
        assert_eq!(whole.matches(from).count(), 1, "{from} is there once");
        let broken = whole.replace(from, to);
        let error = parse(broken.as_bytes()).expect_err(&broken);
        assert_eq!(error.to_string(), *expected, "with `{to}` for `{from}`");
    }
}
