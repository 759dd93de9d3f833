//! What is refused in a workload's manifest, and in which words: one broken thing at a time.

mod manifests;

use std::path::PathBuf;

use manifests::{Breakage, WORKLOAD, hold};
use tare_model::manifest::workload;

const WORKLOADS: &[Breakage] = &[
    (
        r#"summary = "integers"#,
        r#"summry = "integers"#,
        "w.toml:2: unknown key `summry`\n\nhint: did you mean `summary`?",
    ),
    (
        "schema = 1\n",
        "",
        "w.toml:1: missing key `schema`: expected a whole number\n\nhint: for example `schema = 1`",
    ),
    (
        "schema = 1",
        "schema = 2",
        "w.toml:1: schema 2 is not known: tare 0.1.0 reads schema 1\n\nhint: a newer tare may read it",
    ),
    (
        "schema = 1",
        r#"schema = "1""#,
        "w.toml:1: `schema`: expected a whole number, found the string \"1\"\n\nhint: for example `schema = 1`",
    ),
    (
        "schema = 1",
        "schema = 1 1",
        "w.toml:1: not TOML: string values must be quoted, expected literal string",
    ),
    (
        r#""integers in, doubles out""#,
        r#""  ""#,
        "w.toml:2: `summary`: expected one line of text, found an empty string",
    ),
    (
        r#""integers in, doubles out""#,
        r#""two\nlines""#,
        "w.toml:2: `summary`: expected one line of text, found several lines, or control characters",
    ),
    (
        r#""integers in, doubles out""#,
        "3",
        "w.toml:2: `summary`: expected a string, found the number 3\n\nhint: for example `summary = \"…\"`",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "doublin" }"#,
        "w.toml:4: unknown job `doublin`\n\nhint: did you mean `doubling`? expected one of: doubling, lines, http, grpc, websocket, probe, pipe",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "doubling", send = "1" }"#,
        "w.toml:4: unknown key `send` in `job`\n\nhint: known here: kind",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "lines", send = "a\n" }"#,
        "w.toml:4: `job.send`: expected one line without its end, found \"a\\n\"\nw.toml:4: missing key `job.expect`: expected a string\n\nhint: for example `expect = \"…\"`",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "http", method = "GE T", path = "x" }"#,
        "w.toml:4: `job.method`: `GE T` is no HTTP method\nw.toml:4: `job.path`: expected a path from `/`, without blanks, found \"x\"\n\nhint: write other characters as %XX",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "http", path = "/", headers = { "a b" = "c", Host = "x", X = "a\r\nb", Y = 1 } }"#,
        "w.toml:4: `a b` is no header field's name\nw.toml:4: the header field `Host` is the load generator's own\nw.toml:4: the header field `X` holds control characters\nw.toml:4: `job.headers.Y`: expected a string, found the number 1\n\nhint: for example `Y = \"…\"`",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "http", path = "/{siz}", type = "text", fields = ["Date", "Date", "a b"] }"#,
        "w.toml:4: `job.fields`: `a b` is no header field's name\nw.toml:4: `job.fields`: `Date` is there twice\nw.toml:4: `job.type`: expected a media type, found \"text\"\n\nhint: for example `type = \"text/plain\"`, without parameters\n\nw.toml:4: `job.path`: a brace that is not of `{size}`, in \"/{siz}\"\n\nhint: write braces as %7B and %7D",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "http", path = "/{size}" }"#,
        "w.toml:4: the case `one-core` has no `sweep`, which alone gives its job a size\n\nhint: for example `sweep = { name = \"bytes\", sizes = [13, 1024] }` in the case; or write the number where the job has `{size}`, or leaves `bytes`, `count` or `rows` out\n\nw.toml:4: the case `all-cores` has no `sweep`, which alone gives its job a size\n\nhint: for example `sweep = { name = \"bytes\", sizes = [13, 1024] }` in the case; or write the number where the job has `{size}`, or leaves `bytes`, `count` or `rows` out",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "http", path = "/", expect = "x", answer = { kind = "text", body = "x" } }"#,
        "w.toml:4: `job.expect` and `job.answer`: only one can say what the body must be\n\nhint: `expect = \"…\"` is short for `answer = { kind = \"text\", body = \"…\" }`",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "http", path = "/", answer = { kind = "worl", rows = 1 } }"#,
        "w.toml:4: unknown answer `worl`\n\nhint: did you mean `world`? expected one of: text, json, world, world-list, world-updates, fortunes, letters, table",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "http", path = "/", answer = { kind = "world", rows = 0 } }"#,
        "w.toml:4: `job.answer.rows`: expected 1 to 100000000, found 0",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "http", path = "/", answer = { kind = "world-list", rows = 3, count = 2, cached = 1 } }"#,
        "w.toml:4: `job.answer.cached`: expected true or false, found the number 1\n\nhint: for example `cached = true`",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "http", path = "/", answer = { kind = "world-updates", count = 2, cached = true } }"#,
        "w.toml:4: unknown key `cached` in `job.answer`\n\nhint: known here: kind, rows, count\n\nw.toml:4: missing key `job.answer.rows`: expected a whole number\n\nhint: for example `rows = 1`",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "http", path = "/", answer = { kind = "fortunes", rows = 12 } }"#,
        "w.toml:4: unknown key `rows` in `job.answer`\n\nhint: known here: kind",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "http", path = "/", answer = { kind = "table", rows = 3 } }"#,
        "w.toml:4: missing key `job.answer.columns`: expected a whole number\n\nhint: for example `columns = 1`",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "http", path = "/", answer = { kind = "letters", rows = 3 } }"#,
        "w.toml:4: unknown key `rows` in `job.answer`\n\nhint: known here: kind, bytes\n\nw.toml:4: the case `one-core` has no `sweep`, which alone gives its job a size\n\nhint: for example `sweep = { name = \"bytes\", sizes = [13, 1024] }` in the case; or write the number where the job has `{size}`, or leaves `bytes`, `count` or `rows` out\n\nw.toml:4: the case `all-cores` has no `sweep`, which alone gives its job a size\n\nhint: for example `sweep = { name = \"bytes\", sizes = [13, 1024] }` in the case; or write the number where the job has `{size}`, or leaves `bytes`, `count` or `rows` out",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ kind = "http", path = "/", answer = { kind = "json", value = "{" } }"#,
        "w.toml:4: `job.answer.value`: expected JSON: EOF while parsing an object at line 1 column 1",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#""doubling""#,
        "w.toml:4: `job`: expected a table, found the string \"doubling\"\n\nhint: for example `job = { … }`",
    ),
    (
        "job = { kind = \"doubling\" }\n",
        "",
        "w.toml:6: the case `one-core` has no job, and the workload has none for all\n\nhint: add `[cases.one-core.job]`, or `job = { kind = \"…\" }` at the top\n\nw.toml:12: the case `all-cores` has no job, and the workload has none for all\n\nhint: add `[cases.all-cores.job]`, or `job = { kind = \"…\" }` at the top",
    ),
    (
        r#"floor = "least""#,
        r#"floor = "Least!""#,
        "w.toml:5: `Least!` is no contender: names are lower-case letters, digits and single dashes, and start with a letter",
    ),
    (
        r#"placement = "one-core""#,
        r#"placement = "one-cor""#,
        "w.toml:9: unknown placement `one-cor`\n\nhint: did you mean `one-core`? expected one of: one-core, all-cores",
    ),
    (
        "placement = \"one-core\"\nbaseline = \"plain@slow\"\n",
        "placment = \"one-core\"\n",
        "w.toml:7: missing key `cases.one-core.baseline`: expected a string\n\nhint: for example `baseline = \"…\"`\n\nw.toml:9: unknown key `placment` in `cases.one-core`\n\nhint: did you mean `placement`?",
    ),
    (
        "[cases.one-core]",
        r#"[cases."One Core"]"#,
        "w.toml:7: `One Core` is no case's name\n\nhint: lower-case letters, digits and single dashes",
    ),
    (
        r#"modes = ["cost"]"#,
        "modes = 3",
        "w.toml:11: `cases.one-core.modes`: expected a list of strings, found the number 3\n\nhint: for example `modes = [\"…\", \"…\"]`",
    ),
    (
        r#"modes = ["cost"]"#,
        "modes = { cost = { primary = \"cpu_per_op\" } }",
        "w.toml:11: missing key `cases.one-core.modes.cost.connections`: expected a whole number, or a list of them\n\nhint: for example `connections = [32, 128]`",
    ),
    (
        r#"modes = ["cost"]"#,
        "modes = { cost = { primary = \"cpu_per_op\", connections = 1 } }\nby_default = [\"batch\"]",
        "w.toml:12: the case has no mode `batch`\n\nhint: add `[modes.batch]`, or choose from: cost",
    ),
    (
        r#"modes = ["cost"]"#,
        "sweep = { name = \"bytes\", sizes = [13] }",
        "w.toml:11: `cases.one-core.sweep.sizes`: expected 2 to 64 sizes, found 1\n\nhint: a line needs two points, a check of it a third",
    ),
    (
        r#"modes = ["cost"]"#,
        "sweep = { name = \"bytes\", sizes = [13, 1] }",
        "w.toml:11: `cases.one-core.sweep.sizes`: expected sizes that rise, found [13, 1]",
    ),
    (
        r#"modes = ["cost"]"#,
        "sweep = { nam = \"bytes\", sizes = [0, 1] }",
        "w.toml:11: unknown key `nam` in `cases.one-core.sweep`\n\nhint: did you mean `name`?\n\nw.toml:11: `cases.one-core.sweep.sizes`: expected 1 to 1099511627776, found 0",
    ),
    (
        r#"modes = ["cost"]"#,
        "services = [\"postgresql\", \"postgresql\"]",
        "w.toml:11: `cases.one-core.services`: `postgresql` is there twice",
    ),
    (
        r#"modes = ["cost"]"#,
        "services = [\"Postgre SQL\"]",
        "w.toml:11: `Postgre SQL` is no service's name\n\nhint: lower-case letters, digits and single dashes, starting with a letter",
    ),
    (
        r#"modes = ["cost"]"#,
        "job = { kind = \"lines\", send = \"a\" }",
        "w.toml:11: missing key `cases.one-core.job.expect`: expected a string\n\nhint: for example `expect = \"…\"`",
    ),
    (
        r#"modes = ["cost"]"#,
        "floor = \"l@st@\"",
        "w.toml:11: `l@st@` is no contender: names are lower-case letters, digits and single dashes, and start with a letter",
    ),
    (
        r#"modes = ["cost"]"#,
        r#"modes = ["cots"]"#,
        "w.toml:11: unknown mode `cots`\n\nhint: did you mean `cost`? expected one of: capacity, cost, batch",
    ),
    (
        r#"modes = ["cost"]"#,
        "modes = []",
        "w.toml:11: `cases.one-core.modes`: expected at least one mode, found none\n\nhint: leave the key out for all modes",
    ),
    (
        r#"modes = ["cost"]"#,
        r#"modes = ["cost", "cost"]"#,
        "w.toml:11: `cases.one-core.modes`: `cost` is there twice",
    ),
    (
        "[modes.batch]\nprimary = \"duration\"\nprograms = 10\nconnections = 500\nrequests = 10\ndepth = 3\n",
        "[modes.capcity]\n",
        "w.toml:27: unknown mode `capcity`\n\nhint: did you mean `capacity`? expected one of: capacity, cost, batch",
    ),
    (
        "[modes.cost]\nprimary = \"cpu_per_op\"\nconnections = 32\n",
        "",
        "w.toml:11: the workload has no mode `cost`\n\nhint: add `[modes.cost]`, or choose from: capacity, batch",
    ),
    (
        r#"{ kind = "doubling" }"#,
        r#"{ knd = "lines", send = "a", expect = "b" }"#,
        "w.toml:4: unknown key `knd` in `job`\n\nhint: did you mean `kind`?",
    ),
    (
        "[modes.batch]\nprimary = \"duration\"\nprograms = 10\nconnections = 500\nrequests = 10\ndepth = 3\n",
        "[modes.batch]\n",
        "w.toml:27: missing key `modes.batch.primary`: expected a string\n\nhint: for example `primary = \"…\"`\n\nw.toml:27: missing key `modes.batch.connections`: expected a whole number, or a list of them\n\nhint: for example `connections = [32, 128]`\n\nw.toml:27: missing key `modes.batch.requests`: expected a whole number\n\nhint: for example `requests = 1`",
    ),
    (
        "connections = 32\n",
        "connections = 0\n",
        "w.toml:25: `modes.cost.connections`: expected 1 to 100000, found 0",
    ),
    (
        "connections = 32\n",
        "connections = 100001\n",
        "w.toml:25: `modes.cost.connections`: expected 1 to 100000, found 100001",
    ),
    (
        "connections = 32\n",
        "connections = [32, 64]\n",
        "w.toml:25: `modes.cost.connections`: expected one number, found a list of 2\n\nhint: only `capacity` has levels, of which the pilot chooses",
    ),
    (
        "connections = 32\n",
        "connections = \"32\"\n",
        "w.toml:25: `modes.cost.connections`: expected a whole number, or a list of them, found the string \"32\"\n\nhint: for example `connections = [32, 128]`",
    ),
    (
        "connections = 32\n",
        "connections = 32\nprograms = 3\nport = 80\n",
        "w.toml:26: `modes.cost.programs`: only the mode `batch` has `programs`\nw.toml:27: `port` in `modes.cost` is never in a manifest\n\nhint: the lab owns ports, cores, durations and sleeps; use {port} and {cores}",
    ),
    (
        "connections = [32, 128]",
        "connections = []",
        "w.toml:20: `modes.capacity.connections`: expected a number, found a list of 0",
    ),
    (
        "connections = [32, 128]",
        "connections = [128, 32]",
        "w.toml:20: `modes.capacity.connections`: expected levels that rise, found [128, 32]",
    ),
    (
        "connections = [32, 128]",
        "connections = [\n  32,\n  -1,\n  \"x\",\n]",
        "w.toml:22: `modes.capacity.connections`: expected 1 to 100000, found -1\nw.toml:23: `modes.capacity.connections[2]`: expected a whole number, found the string \"x\"\n\nhint: for example `1`",
    ),
    (
        "depth = 3\n\n[modes.cost]",
        "depth = 0\n\n[modes.cost]",
        "w.toml:21: `modes.capacity.depth`: expected 1 to 10000, found 0",
    ),
    (
        r#"primary = "cpu_per_op""#,
        r#"primary = "cpu_per_opp""#,
        "w.toml:24: unknown metric `cpu_per_opp`\n\nhint: did you mean `cpu_per_op`? expected one of: throughput, duration, cpu_per_op, time_per_op, latency_p50, latency_p90, latency_p99, latency_p999, memory_peak",
    ),
    (
        r#"primary = "cpu_per_op""#,
        r#"primary = "throughput""#,
        "w.toml:24: `modes.cost.primary`: the mode `cost` does not yield `throughput`\n\nhint: it yields cpu_per_op, latency_p50, latency_p90, latency_p99, latency_p999, memory_peak",
    ),
    (
        "requests = 10\n",
        "",
        "w.toml:27: missing key `modes.batch.requests`: expected a whole number\n\nhint: for example `requests = 1`",
    ),
    (
        "programs = 10\n",
        "programs = 300\n",
        "w.toml:30: `modes.batch.connections`: expected at most 100000 connections in all programs, found 150000",
    ),
    (
        "requests = 10\n",
        "requests = 1000000\n",
        "w.toml:30: `modes.batch.connections`: expected at most 100000000 requests in all, found 5000000000",
    ),
    (
        r#"name = "the end""#,
        r#"name = "leading zeros go""#,
        "w.toml:40: a second exchange named `leading zeros go`\n\nhint: the first is on line 35",
    ),
    (
        "dribble = true",
        r#"dribble = "yes""#,
        "w.toml:44: `exchanges[1].dribble`: expected true or false, found the string \"yes\"\n\nhint: for example `dribble = true`",
    ),
    (
        "dribble = true",
        "dribbel = true",
        "w.toml:44: unknown key `dribbel` in `exchanges[1]`\n\nhint: did you mean `dribble`?",
    ),
    (
        "[[exchanges]]\nname = \"leading zeros go\"",
        "[[exchanges]]\nduration = \"10s\"\nname = \"leading zeros go\"",
        "w.toml:35: `duration` in `exchanges[0]` is never in a manifest\n\nhint: the lab owns ports, cores, durations and sleeps; use {port} and {cores}",
    ),
    (
        r#"source = "A report""#,
        "cores = 2",
        "w.toml:3: `cores` is never in a manifest\n\nhint: the lab owns ports, cores, durations and sleeps; use {port} and {cores}",
    ),
    (
        r#"source = "A report""#,
        "source = \"A report\"\nsource = \"B\"",
        "w.toml:4: not TOML: duplicate key",
    ),
    (
        r#"source = "A report""#,
        r#"source = "A report"#,
        r#"w.toml:3: not TOML: invalid basic string, expected `"`"#,
    ),
];

#[test]
fn invalid_workloads_are_refused() {
    hold(WORKLOAD, WORKLOADS, |bytes| {
        workload::parse(bytes, "w.toml", "doubling", PathBuf::new())
    });
}

#[test]
fn exchanges_on_one_line_are_distinguished() {
    let twice = "{ name = \"a\", send = \"1\", expect = \"2\" }";
    let toml = WORKLOAD.split("[[exchanges]]").next().unwrap();
    let toml = toml.replacen("floor", &format!("exchanges = [{twice}, {twice}]\nfloor"), 1);
    let error = workload::parse(toml.as_bytes(), "w.toml", "x", PathBuf::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "w.toml:5: a second exchange named `a`\n\nhint: the first is on line 5"
    );
}
