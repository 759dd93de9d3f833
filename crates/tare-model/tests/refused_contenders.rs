//! What is refused in the manifests of contenders, languages and published figures, and in which words: one broken
//! thing at a time.

mod manifests;

use manifests::{Breakage, LANGUAGE, PLAIN, PUBLISHED, hold};
use tare_model::claim::Relation;
use tare_model::manifest::{contender, language, published};

const CONTENDERS: &[Breakage] = &[
    (
        r#"language = "c""#,
        r#"language = "cc""#,
        "p.toml:2: there is no language `cc`\n\nhint: there are: c",
    ),
    (
        r#"language = "c""#,
        r#"language = "cobol""#,
        "p.toml:2: there is no language `cobol`\n\nhint: there are: c",
    ),
    (
        "language = \"c\"\n",
        "",
        "p.toml:1: missing key `language`: expected a string\n\nhint: for example `language = \"…\"`",
    ),
    (
        r#"style = "idiomatic""#,
        r#"style = "Idiomatic""#,
        "p.toml:4: unknown style `Idiomatic`\n\nhint: did you mean `idiomatic`? expected one of: idiomatic, tuned, reference, floor",
    ),
    (
        r#"style = "idiomatic""#,
        r#"style = "tunned""#,
        "p.toml:4: unknown style `tunned`\n\nhint: did you mean `tuned`? expected one of: idiomatic, tuned, reference, floor",
    ),
    (
        r#"cases = ["one-core", "all-cores"]"#,
        r#"cases = ["one-cor"]"#,
        "p.toml:5: unknown case `one-cor`\n\nhint: did you mean `one-core`? expected one of: one-core, all-cores",
    ),
    (
        r#"cases = ["one-core", "all-cores"]"#,
        "cases = []",
        "p.toml:5: `cases`: expected at least one case, found none\n\nhint: leave the key out for all cases",
    ),
    (
        r#"cases = ["one-core", "all-cores"]"#,
        r#"cases = ["one-core", "one-core"]"#,
        "p.toml:5: `cases`: `one-core` is there twice",
    ),
    (
        r#"cases = ["one-core", "all-cores"]"#,
        "port = 8080\nsleep = 3",
        "p.toml:5: `port` is never in a manifest\n\nhint: the lab owns ports, cores, durations and sleeps; use {port} and {cores}\n\np.toml:6: `sleep` is never in a manifest\n\nhint: the lab owns ports, cores, durations and sleeps; use {port} and {cores}",
    ),
    (
        r#"  ["strip", "{out}/server"],"#,
        r#"  ["strip", "{outt}/server"],"#,
        "p.toml:8: `build`: unknown placeholder `{outt}` in `{outt}/server`\n\nhint: did you mean `out`? known: host, port, cores, core_list, case, role, out, src, lab, tools, cc",
    ),
    (
        r#"  ["strip", "{out}/server"],"#,
        r#"  ["cp", "../other/main.c", "."],"#,
        "p.toml:8: `build`: the path `../other/main.c` leaves the contender's folder\n\nhint: keep what it needs in the folder; {lab} is the lab's own",
    ),
    (
        r#"signal = "INT""#,
        r#"signal = "SIGINT""#,
        "p.toml:23: unknown signal `SIGINT`\n\nhint: write it without `SIG`, in capitals: `INT`",
    ),
    (
        r#"signal = "INT""#,
        r#"signal = "TREM""#,
        "p.toml:23: unknown signal `TREM`\n\nhint: did you mean `TERM`? expected one of: TERM, INT, HUP, QUIT, USR1, USR2, KILL",
    ),
    (
        r#"signal = "INT""#,
        "signal = 15",
        "p.toml:23: `stop.signal`: expected a string, found the number 15\n\nhint: for example `signal = \"…\"`",
    ),
    (
        r#"since = "2026-11-21""#,
        r#"since = "2026-11-31""#,
        "p.toml:31: `broken.since`: expected a day, found `2026-11-31`\n\nhint: for example `since = \"2026-11-21\"`",
    ),
    (
        r#"since = "2026-11-21""#,
        r#"since = "yesterday""#,
        "p.toml:31: `broken.since`: expected a day, found `yesterday`\n\nhint: for example `since = \"2026-11-21\"`",
    ),
    (
        "reason = \"waits for a fix\"\n",
        "",
        "p.toml:29: missing key `broken.reason`: expected one line of text\n\nhint: for example `reason = \"…\"`",
    ),
    (
        r#"line = "listening""#,
        r#"lines = "listening""#,
        "p.toml:20: unknown key `lines` in `ready`\n\nhint: did you mean `line`?",
    ),
    (
        r#"line = "listening""#,
        r#"line = """#,
        "p.toml:20: `ready.line`: expected one line of text, found an empty string",
    ),
    (
        "style = \"idiomatic\"",
        "style = \"idiomatic\"\nwith = [\"../kits/rust\"]",
        "p.toml:5: `with`: `../kits/rust` is no path within the lab\n\nhint: for example `with = [\"kits/rust\"]`",
    ),
    (
        "style = \"idiomatic\"",
        "style = \"idiomatic\"\nwith = [\"kits/rust\", \"old/rust\"]",
        "p.toml:5: `with`: two paths end in `rust`\n\nhint: the build finds each as `with/` and its last part",
    ),
    (
        "style = \"idiomatic\"",
        "style = \"idiomatic\"\nuses = [\"haskel\"]",
        "p.toml:5: there is no language `haskel`\n\nhint: there are: c",
    ),
    (
        "style = \"idiomatic\"",
        "style = \"idiomatic\"\nuses = [\"c\", \"c\"]",
        "p.toml:5: `uses`: `c` is there twice",
    ),
    (
        "[variants.slow]",
        "[variants.Slow]",
        "p.toml:33: `Slow` is no variant's name\n\nhint: lower-case letters, digits and single dashes, starting with a letter",
    ),
    (
        "[variants.slow]",
        "[variants.slow]\nstyle = \"tuned\"",
        "p.toml:34: unknown key `style` in `variants.slow`\n\nhint: known here: summary, cases, by_default, build, run, env, speaks, listen, front",
    ),
    (
        r#"env = { MODE = "slow" }"#,
        r#"env = { MODE = "{mode}" }"#,
        "p.toml:37: `variants.slow.env.MODE`: unknown placeholder `{mode}` in `{mode}`\n\nhint: known: host, port, cores, core_list, case, role, out, src, lab, tools, cc",
    ),
    (
        "[variants.slow]\nsummary = \"slowly\"\ncases = [\"one-core\"]\nrun = [\"{out}/server\", \"--slow\", \"{port}\"]\nenv = { MODE = \"slow\" }\n\n[variants.fast]\n",
        "[variants]\n",
        "p.toml:33: `variants`: expected at least one variant, found none\n\nhint: leave the table out, or add `[variants.NAME]`",
    ),
    (
        "text = \"A book, page 12\"\n",
        "",
        "p.toml:25: missing key `origin.text`: expected one line of text\n\nhint: for example `text = \"…\"`",
    ),
    (
        "language = \"c\"\nsummary = \"as good programmers write it\"\nstyle = \"idiomatic\"",
        "langage = \"c\"\nsummary = \"\"\nstyle = 3",
        "p.toml:2: unknown key `langage`\n\nhint: did you mean `language`?\n\np.toml:3: `summary`: expected one line of text, found an empty string\np.toml:4: `style`: expected a string, found the number 3\n\nhint: for example `style = \"…\"`",
    ),
    (
        "[variants.fast]\n",
        "[variants.fast]\n\n[fails_on]\n\"x/a\" = \"\"\n\"x/../a\" = \"it dies\"\n\"x\" = 3\n",
        "p.toml:42: `fails_on.x/a`: expected one line of text, found an empty string\n\
         p.toml:43: `fails_on`: `x/../a` is no message\n\nhint: for example `\"capnp-packed/truncated\" = \"…\"`: the format and the file's name without its end\n\n\
         p.toml:44: `fails_on`: `x` is no message\n\nhint: for example `\"capnp-packed/truncated\" = \"…\"`: the format and the file's name without its end\n\n\
         p.toml:44: `fails_on.x`: expected a string, found the number 3\n\nhint: for example `x = \"…\"`",
    ),
];

#[test]
fn invalid_contenders_are_refused() {
    hold(PLAIN, CONTENDERS, |bytes| {
        contender::parse(
            bytes,
            "p.toml",
            "plain",
            &manifests::workload(),
            &manifests::languages(),
        )
    });
}

const LANGUAGES: &[Breakage] = &[
    (
        "summary = \"C, compiled by the system's compiler\"\n",
        "",
        "c.toml:1: missing key `summary`: expected one line of text\n\nhint: for example `summary = \"…\"`",
    ),
    (
        r#"find = ["cc", "{tools}/*/bin/cc", "{env:CC}"]"#,
        "find = []",
        "c.toml:13: `tools.cc.find`: expected a place to look at, found an empty list",
    ),
    (
        r#"find = ["cc", "{tools}/*/bin/cc", "{env:CC}"]"#,
        r#"find = ["", "{out}/cc", "{env:}"]"#,
        "c.toml:13: `tools.cc.find`: expected a name or a path, found nothing\nc.toml:13: `tools.cc.find`: unknown placeholder `{out}` in `{out}/cc`\n\nhint: known, besides env:NAME: lab, tools\n\nc.toml:13: `tools.cc.find`: unknown placeholder `{env:}` in `{env:}`\n\nhint: known, besides env:NAME: lab, tools",
    ),
    (
        "find = [\"cc\", \"{tools}/*/bin/cc\", \"{env:CC}\"]\n",
        "",
        "c.toml:3: `build`: unknown placeholder `{cc}` in `{cc}`\n\nhint: known: host, port, cores, core_list, case, role, out, src, lab, tools\n\nc.toml:12: missing key `tools.cc.find`: expected a list of strings\n\nhint: for example `find = [\"…\", \"…\"]`",
    ),
    (
        r#"at_least = "10.2""#,
        r#"at_least = "ten""#,
        "c.toml:15: `tools.cc.at_least`: expected numbers with dots between, found `ten`\n\nhint: for example `at_least = \"21.0.2\"`",
    ),
    (
        r#"at_least = "10.2""#,
        "at_least = 10",
        "c.toml:15: `tools.cc.at_least`: expected a string, found the number 10\n\nhint: for example `at_least = \"…\"`",
    ),
    (
        "version = [\"{cc}\", \"--version\"]\n",
        "",
        "c.toml:14: `tools.cc.at_least`: there is no `version` command to compare with\n\nhint: for example `version = [\"{cc}\", \"--version\"]`",
    ),
    (
        r#"apt = ["gcc"]"#,
        r#"apt = ["-y", "gcc"]"#,
        "c.toml:16: `tools.cc.apt`: `-y` is no Debian package's name\n\nhint: lower-case letters, digits, `+`, `-` and `.`, as `apt-cache show NAME` knows it",
    ),
    (
        r#"apt = ["libc6-dev"]"#,
        r#"apt = "libc6-dev""#,
        "c.toml:10: `needs.apt`: expected a list of strings, found the string \"libc6-dev\"\n\nhint: for example `apt = [\"…\", \"…\"]`",
    ),
    (
        "[tools.cc]",
        "[tools.port]",
        "c.toml:3: `build`: unknown placeholder `{cc}` in `{cc}`\n\nhint: known: host, port, cores, core_list, case, role, out, src, lab, tools, port\n\nc.toml:12: `port` cannot be a tool's name: `{port}` is the lab's own placeholder\nc.toml:14: `tools.port.version`: unknown placeholder `{cc}` in `{cc}`\n\nhint: known: lab, tools, port",
    ),
    (
        r#"build = [["{cc}", "-O2", "-o", "{out}/server", "main.c"]]"#,
        r#"build = ["make"]"#,
        "c.toml:3: `build[0]`: expected an argv list (no shell), found the string \"make\"\n\nhint: for example `[\"{out}/server\", \"{port}\"]`",
    ),
    (
        r#"build = [["{cc}", "-O2", "-o", "{out}/server", "main.c"]]"#,
        r#"build = [["{c}", "-o", "{Out}/server", "main.c"]]"#,
        "c.toml:3: `build`: unknown placeholder `{c}` in `{c}`\n\nhint: did you mean `cc`? known: host, port, cores, core_list, case, role, out, src, lab, tools, cc\n\nc.toml:3: `build`: unknown placeholder `{Out}` in `{Out}/server`\n\nhint: did you mean `out`? known: host, port, cores, core_list, case, role, out, src, lab, tools, cc",
    ),
    (
        r#"run = ["{out}/server", "{port}"]"#,
        r#"run = "{out}/server {port}""#,
        "c.toml:4: `run`: expected an argv list (no shell), found the string \"{out}/server {port}\"\n\nhint: for example `run = [\"{out}/server\", \"{port}\"]`",
    ),
    (
        r#"run = ["{out}/server", "{port}"]"#,
        "run = []",
        "c.toml:4: `run`: expected a command, found an empty list",
    ),
    (
        r#"run = ["{out}/server", "{port}"]"#,
        r#"run = [""]"#,
        "c.toml:4: `run`: expected a command, found an empty word",
    ),
    (
        r#"run = ["{out}/server", "{port}"]"#,
        r#"run = ["{out}/server", "{"]"#,
        "c.toml:4: `run`: a lone `{` in `{`\n\nhint: write `{{` for the character itself",
    ),
    (
        r#"run = ["{out}/server", "{port}"]"#,
        r#"run = ["{out}/server", "a\u0000b"]"#,
        "c.toml:4: `run`: a NUL byte in `a\\0b` cannot be passed on",
    ),
    (
        r#"MODE = "plain""#,
        r#""1MODE" = "plain""#,
        "c.toml:7: `1MODE` is no variable's name\n\nhint: letters, digits and `_`, not starting with a digit",
    ),
    (
        r#"MODE = "plain""#,
        "MODE = 1",
        "c.toml:7: `env.MODE`: expected a string, found the number 1\n\nhint: for example `MODE = \"…\"`",
    ),
    (
        r#"MODE = "plain""#,
        r#"MODE = "{mode}""#,
        "c.toml:7: `env.MODE`: unknown placeholder `{mode}` in `{mode}`\n\nhint: known: host, port, cores, core_list, case, role, out, src, lab, tools, cc",
    ),
    (
        r#""{lab}/get-cc""#,
        r#""{port}""#,
        "c.toml:17: `tools.cc.install`: unknown placeholder `{port}` in `{port}`\n\nhint: known: lab, tools, cc",
    ),
];

#[test]
fn invalid_languages_are_refused() {
    hold(LANGUAGE, LANGUAGES, |bytes| language::parse(bytes, "c.toml", "c"));
}

const PUBLISHED_FIGURES: &[Breakage] = &[
    (
        r#"case = "all-cores""#,
        r#"case = "all-core""#,
        "f.toml:5: unknown case `all-core`\n\nhint: did you mean `all-cores`? expected one of: one-core, all-cores",
    ),
    (
        r#"mode = "batch""#,
        r#"mode = "bach""#,
        "f.toml:6: unknown mode `bach`\n\nhint: did you mean `batch`? expected one of: capacity, cost, batch",
    ),
    (
        r#"metric = "duration""#,
        r#"metric = "time""#,
        "f.toml:9: unknown metric `time`\n\nhint: expected one of: throughput, duration, cpu_per_op, time_per_op, latency_p50, latency_p90, latency_p99, latency_p999, memory_peak",
    ),
    (
        r#"metric = "duration""#,
        r#"metric = "throughput""#,
        "f.toml:9: `figures[0].metric`: the mode `batch` does not yield `throughput`",
    ),
    (
        "value = 5.30",
        "value = 0",
        "f.toml:10: `figures[0].value`: expected a number above 0, found 0.0",
    ),
    (
        "value = 5.30",
        "value = nan",
        "f.toml:10: `figures[0].value`: expected a number above 0, found NaN",
    ),
    (
        "value = 5.30",
        r#"value = "5.30 s""#,
        "f.toml:10: `figures[0].value`: expected a number, found the string \"5.30 s\"\n\nhint: for example `value = 5.30`",
    ),
    (
        r#"contender = "plain@fast""#,
        r#"contender = "plain@""#,
        "f.toml:7: `plain@` is no contender: names are lower-case letters, digits and single dashes, and start with a letter",
    ),
    (
        "source = \"A report, table 2\"\n",
        "",
        "f.toml:1: missing key `source`: expected one line of text\n\nhint: for example `source = \"…\"`",
    ),
    (
        r#"label = "Plain, all cores""#,
        r#"lable = "Plain, all cores""#,
        "f.toml:8: unknown key `lable` in `figures[0]`\n\nhint: did you mean `label`?",
    ),
    (
        "value = 5.30",
        "value = 5.30\nover = [\"least\"]",
        "f.toml:11: `figures[0].over`: `least` has no figure of `duration` in case `all-cores`, mode `batch`\n\nhint: a ratio is of two figures of this file",
    ),
    (
        "value = 5.30",
        "value = 5.30\nover = [\"plain@fast\"]",
        "f.toml:11: `figures[0].over`: `plain@fast` is the figure's own contender",
    ),
    (
        "value = 5.30",
        "value = 5.30\nover = \"least\"",
        "f.toml:11: `figures[0].over`: expected a list of strings, found the string \"least\"\n\nhint: for example `over = [\"…\", \"…\"]`",
    ),
];

#[test]
fn a_figure_may_be_shown_as_a_ratio_to_another_of_its_kind() {
    let text = format!(
        "{}over = [\"least\"]\n\n[[figures]]\ncase = \"all-cores\"\nmode = \"batch\"\ncontender = \"least\"\n\
         label = \"The least\"\nmetric = \"duration\"\nvalue = 5.0\n",
        manifests::PUBLISHED
    );
    let read = published::parse(text.as_bytes(), "f.toml", &manifests::workload()).unwrap();
    let over: Vec<String> = read.figures[0]
        .published
        .over
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        (over, read.figures[1].published.over.len()),
        (vec!["least".to_owned()], 0)
    );
    // Of another metric there is nothing to divide by.
    let other = text.replace(
        "metric = \"duration\"\nvalue = 5.0",
        "metric = \"cpu_per_op\"\nvalue = 5.0",
    );
    let error = published::parse(other.as_bytes(), "f.toml", &manifests::workload()).unwrap_err();
    assert!(
        error.to_string().contains("`least` has no figure of `duration`"),
        "{error}"
    );
}

#[test]
fn invalid_published_figures_are_refused() {
    hold(PUBLISHED, PUBLISHED_FIGURES, |bytes| {
        published::parse(bytes, "f.toml", &manifests::workload())
    });
}

const FINDINGS_REFUSED: &[Breakage] = &[
    (
        "faster = \"plain@fast\"\n",
        "",
        "f.toml:4: `findings[0]`: expected either `faster` or `same`\n\nhint: for example `faster = \"a\"` with `slower = [\"b\", \"c\"]`, or `same = [\"a\", \"b\"]` with `within = 0.1`",
    ),
    (
        "at_least = 1.5",
        "same = [\"least\", \"plain@fast\"]",
        "f.toml:4: `findings[0]`: expected either `faster` or `same`\n\nhint: for example `faster = \"a\"` with `slower = [\"b\", \"c\"]`, or `same = [\"a\", \"b\"]` with `within = 0.1`",
    ),
    (
        "at_least = 1.5",
        "at_least = 0.5",
        "f.toml:10: `findings[0].at_least`: expected a number above 1, found 0.5",
    ),
    (
        "at_least = 1.5",
        "within = 0.5",
        "f.toml:10: unknown key `within` in `findings[0]`\n\nhint: known here: claim, case, mode, metric, conditions, faster, slower, at_least",
    ),
    (
        "[\"plain@slow\", \"least\"]",
        "[]",
        "f.toml:9: `findings[0].slower`: expected at least 1 contenders, found 0",
    ),
    (
        "[\"plain@slow\", \"least\"]",
        "[\"plain@slow\", \"plain@fast\"]",
        "f.toml:9: `findings[0].slower`: `plain@fast` is there twice",
    ),
    (
        "within = 0.1\n",
        "",
        "f.toml:12: missing key `findings[1].within`: expected a number\n\nhint: for example `within = 5.30`",
    ),
    (
        "within = 0.1",
        "within = -0.1",
        "f.toml:17: `findings[1].within`: expected a number above 0, found -0.1",
    ),
    (
        "same = [\"plain@fast\", \"plain@slow\"]",
        "same = [\"plain@fast\"]",
        "f.toml:16: `findings[1].same`: expected at least 2 contenders, found 1",
    ),
    (
        "at_least = 1.5",
        "metric = \"time_per_op\"",
        "f.toml:10: `findings[0].metric`: the mode `batch` does not yield `time_per_op`",
    ),
    (
        "at_least = 1.5",
        "between = [3.0, 2.0]",
        "f.toml:10: `findings[0].between`: expected two factors, the lower one first, found [3.0, 2.0]\n\nhint: for example `between = [2.0, 3.0]`",
    ),
    (
        "at_least = 1.5",
        "between = [2.0]",
        "f.toml:10: `findings[0].between`: expected two factors, the lower one first, found [2.0]\n\nhint: for example `between = [2.0, 3.0]`",
    ),
    (
        "at_least = 1.5",
        "between = [2.0, 3.0]\nabout = 2.5",
        "f.toml:4: `findings[0]`: found both `between` and `about`\n\nhint: a finding states one thing: make them two findings",
    ),
    (
        "at_least = 1.5",
        "about = 1.5",
        "f.toml:4: missing key `findings[0].within`: expected a number\n\nhint: for example `within = 5.30`",
    ),
    (
        "at_least = 1.5",
        "about = 0.9\nwithin = 0.1",
        "f.toml:10: `findings[0].about`: expected a number above 1, found 0.9",
    ),
    (
        "at_least = 1.5",
        "more_than_in = \"all-cores\"",
        "f.toml:10: `findings[0].more_than_in`: `all-cores` is the finding's own case",
    ),
    (
        "at_least = 1.5",
        "more_than_in = \"all-core\"",
        "f.toml:10: unknown case `all-core`\n\nhint: did you mean `all-cores`? expected one of: one-core, all-cores",
    ),
    (
        "at_least = 1.5",
        "falls_with_size = true",
        "f.toml:10: `findings[0].falls_with_size`: the case `all-cores` has no sizes\n\nhint: `falls_with_size` is for a case with `sweep` in workload.toml",
    ),
    (
        "at_least = 1.5",
        "falls_with_size = false",
        "f.toml:10: `findings[0].falls_with_size`: expected true\n\nhint: leave it out, or swap `faster` and `slower`",
    ),
    (
        "at_least = 1.5",
        "extra_per_unit = 1e-10",
        "f.toml:10: `findings[0].extra_per_unit`: the case `all-cores` has no sizes\n\nhint: `extra_per_unit` is for a case with `sweep` in workload.toml",
    ),
    (
        "at_least = 1.5",
        "extra = -4e-6\nwithin = 0.5",
        "f.toml:10: `findings[0].extra`: expected a number above 0, found -4e-6",
    ),
    (
        "at_least = 1.5",
        "extra = 4e-6\nwithin = 0.5\nmetric = \"memory_peak\"",
        "f.toml:4: `findings[0]`: `extra` claims seconds, and `memory_peak` is not in seconds\n\nhint: add for example `metric = \"cpu_per_op\"`",
    ),
    (
        "at_least = 1.5",
        "conditions = {}",
        "f.toml:10: `findings[0].conditions`: expected `cores` or `load_machines`\n\nhint: what the report had, as a number of each",
    ),
    (
        "at_least = 1.5",
        "conditions = { cores = 0 }",
        "f.toml:10: `findings[0].conditions.cores`: expected 1 to 65536, found 0",
    ),
];

#[test]
fn invalid_claims_are_refused() {
    hold(manifests::FINDINGS, FINDINGS_REFUSED, |bytes| {
        published::parse(bytes, "f.toml", &manifests::workload())
    });
}

#[test]
fn claims_are_read() {
    let read = published::parse(manifests::FINDINGS.as_bytes(), "f.toml", &manifests::workload()).unwrap();
    let of = |stated: &tare_model::manifest::StatedClaim| {
        let claim = &stated.claim;
        let others: Vec<String> = claim.others.iter().map(ToString::to_string).collect();
        (claim.first.to_string(), others.join(" "), claim.relation.clone())
    };
    let all: Vec<_> = read.claims.iter().map(of).collect();
    let expected = [
        (
            "plain@fast",
            "plain@slow least",
            Relation::Faster { at_least: 1.5 },
        ),
        ("plain@fast", "plain@slow", Relation::Same { within: 0.1 }),
    ];
    let expected = expected.map(|(first, others, relation)| (first.to_owned(), others.to_owned(), relation));
    assert_eq!(all, expected);
    assert_eq!(read.claims[0].claim.source, "A report, page 3");
}

/// What the first finding of the fixture says with these keys in the place of `at_least`, in a workload whose case may have
/// sizes.
fn first_claim(keys: &str, swept: bool) -> tare_model::claim::Claim {
    let mut workload = manifests::workload();
    let other = workload.cases[0].clone();
    for case in &mut workload.cases {
        if swept {
            case.sweep = Some(tare_model::manifest::Sweep {
                name: "bytes".to_owned(),
                sizes: vec![1, 1000],
            });
        }
    }
    workload.cases.push(tare_model::manifest::Case {
        name: "other".to_owned(),
        ..other
    });
    let text = manifests::FINDINGS.replace("at_least = 1.5", keys);
    let read = published::parse(text.as_bytes(), "f.toml", &workload).unwrap();
    read.claims[0].claim.clone()
}

#[test]
fn each_kind_of_claim_is_read() {
    let of = |keys: &str| first_claim(keys, true).relation;
    assert_eq!(of("between = [2, 3]"), Relation::Between { low: 2.0, high: 3.0 });
    let about = Relation::About {
        lead: 1.57,
        within: 0.15,
    };
    assert_eq!(of("about = 1.57\nwithin = 0.15"), about);
    let more = |at_least| Relation::MoreThanIn {
        case: "other".to_owned(),
        at_least,
    };
    assert_eq!(of("more_than_in = \"other\""), more(1.0));
    assert_eq!(of("more_than_in = \"other\"\nat_least = 1.2"), more(1.2));
    let falls = Relation::FallsWithSize { at_least: 1.0 };
    assert_eq!(of("falls_with_size = true"), falls);
    let extra = Relation::Extra {
        seconds: 4e-6,
        within: 0.25,
    };
    assert_eq!(of("extra = 4e-6\nwithin = 0.25"), extra);
    assert_eq!(
        of("extra_per_unit = 1e-10"),
        Relation::ExtraPerUnit { at_most: 1e-10 }
    );
    let claim = first_claim(
        "metric = \"cpu_per_op\"\nconditions = { cores = 8, load_machines = 10 }",
        false,
    );
    assert_eq!(claim.metric, Some(tare_model::metric::Metric::CpuPerOp));
    let conditions = claim.conditions.unwrap();
    assert_eq!((conditions.cores, conditions.load_machines), (Some(8), Some(10)));
    assert_eq!(claim.relation, Relation::Faster { at_least: 1.0 });
}
