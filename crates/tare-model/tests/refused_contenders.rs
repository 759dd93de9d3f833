//! What is refused in the manifests of contenders and languages, and in which words: one broken thing at a time.

mod manifests;

use manifests::{Breakage, LANGUAGE, PLAIN, hold};
use tare_model::manifest::{contender, language};

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
        "p.toml:8: `build`: unknown placeholder `{outt}` in `{outt}/server`\n\nhint: did you mean `out`? known: host, port, scheme, cert, key, cores, core_list, case, role, out, src, lab, tools, cc",
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
        "p.toml:34: unknown key `style` in `variants.slow`\n\nhint: known here: summary, cases, by_default, build, run, env, scheme, speaks, listen, front",
    ),
    (
        r#"env = { MODE = "slow" }"#,
        r#"env = { MODE = "{mode}" }"#,
        "p.toml:37: `variants.slow.env.MODE`: unknown placeholder `{mode}` in `{mode}`\n\nhint: known: host, port, scheme, cert, key, cores, core_list, case, role, out, src, lab, tools, cc",
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
        "c.toml:3: `build`: unknown placeholder `{cc}` in `{cc}`\n\nhint: known: host, port, scheme, cert, key, cores, core_list, case, role, out, src, lab, tools\n\nc.toml:12: missing key `tools.cc.find`: expected a list of strings\n\nhint: for example `find = [\"…\", \"…\"]`",
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
        "c.toml:3: `build`: unknown placeholder `{cc}` in `{cc}`\n\nhint: known: host, port, scheme, cert, key, cores, core_list, case, role, out, src, lab, tools, port\n\nc.toml:12: `port` cannot be a tool's name: `{port}` is the lab's own placeholder\nc.toml:14: `tools.port.version`: unknown placeholder `{cc}` in `{cc}`\n\nhint: known: lab, tools, port",
    ),
    (
        r#"build = [["{cc}", "-O2", "-o", "{out}/server", "main.c"]]"#,
        r#"build = ["make"]"#,
        "c.toml:3: `build[0]`: expected an argv list (no shell), found the string \"make\"\n\nhint: for example `[\"{out}/server\", \"{port}\"]`",
    ),
    (
        r#"build = [["{cc}", "-O2", "-o", "{out}/server", "main.c"]]"#,
        r#"build = [["{c}", "-o", "{Out}/server", "main.c"]]"#,
        "c.toml:3: `build`: unknown placeholder `{c}` in `{c}`\n\nhint: did you mean `cc`? known: host, port, scheme, cert, key, cores, core_list, case, role, out, src, lab, tools, cc\n\nc.toml:3: `build`: unknown placeholder `{Out}` in `{Out}/server`\n\nhint: did you mean `out`? known: host, port, scheme, cert, key, cores, core_list, case, role, out, src, lab, tools, cc",
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
        "c.toml:7: `env.MODE`: unknown placeholder `{mode}` in `{mode}`\n\nhint: known: host, port, scheme, cert, key, cores, core_list, case, role, out, src, lab, tools, cc",
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
