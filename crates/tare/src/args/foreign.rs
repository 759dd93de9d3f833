//! What users of other tools type that tare does not take: what to type instead.

/// Names that are not commands of tare, and the command that does it.
const COMMANDS: [(&[&str], &str); 5] = [
    (
        &["compare", "cmp", "versus", "vs", "measure", "benchmark"],
        "commands: `tare time 'A' 'B'`; servers: `tare load URL URL`; revisions: `tare diff REV -- COMMAND`; programs that do a \
         workload's job: `tare run WORKLOAD`",
    ),
    (
        &["hyperfine", "poop"],
        "commands are compared by `tare time 'A' 'B'`",
    ),
    (
        &["wrk", "wrk2", "oha", "hey", "ab", "vegeta", "k6", "attack"],
        "a server is loaded by `tare load URL`, several are compared by `tare load URL URL`",
    ),
    (
        &["init", "create", "scaffold"],
        "a workload is begun by `tare new workload NAME`",
    ),
    (
        &["results", "runs", "ls"],
        "stored runs: `tare list runs`, `tare show RUN`, `tare report RUN`",
    ),
];

/// Options of hyperfine.
const OF_TIME: [(&[&str], &str); 10] = [
    (
        &["--min-benchmarking-time"],
        "how long it may take: --budget TIME; how many runs of each at least: --min-runs N",
    ),
    (
        &["-P", "--parameter-scan", "-D", "--parameter-step-size"],
        "a range is of whole numbers: -L n 1..4, in steps -L n 1..9+2, by factors -L n 1..64*2; others are listed: -L n \
         0.1,0.2",
    ),
    (
        &["--output"],
        "output is discarded, or shown by --show-output; where writing is part of the job, redirect within the command: 'sort \
         words.txt > out'",
    ),
    (
        &["--style"],
        "it is auto, basic, full, nocolor, color or none; no colour: --color never; no progress: -q",
    ),
    (
        &["-u", "--time-unit"],
        "each time has the unit that suits it; in --export-json and --export-csv all are in seconds",
    ),
    (
        &["--reference", "--reference-name"],
        "name the command that ratios are against: --baseline NAME; by default it is the first",
    ),
    (
        &["--conclude"],
        "once after all runs of a command: --cleanup; before each run: --prepare",
    ),
    (
        &["--export-asciidoc", "--export-orgmode"],
        "tables as Markdown: --export-md FILE; for programs: --export-csv, --export-json",
    ),
    (&["--debug-mode"], "each step as it happens: -v"),
    (
        &["-j", "--parallel"],
        "commands run one at a time, so that they do not disturb each other",
    ),
];

/// Options of wrk, oha and their kin.
const OF_LOAD: [(&[&str], &str); 14] = [
    (
        &["-t", "--threads"],
        "one thread drives all connections; --cores 0,1 gives it two cores and a thread on each. How long an answer may take: \
         --timeout 5s",
    ),
    (
        &["-s", "--script"],
        "there are no scripts: one request, described by -X METHOD, -H FIELD and --body TEXT; several in turn, from files: --raw \
         FILE,FILE; pipelined as wrk's scripts do it: --pipeline N --refill batches; what is checked further is a workload \
         (docs/manifests.md)",
    ),
    (
        &["-T", "--content-type"],
        "how long an answer may take: --timeout 5s; what a body is: -H 'Content-Type: text/plain'",
    ),
    (
        &["-a", "--basic-auth"],
        "it is a header field: -H 'Authorization: Basic …'",
    ),
    (
        &["-p"],
        "requests in flight on a connection: --pipeline N, of HTTP/2 --streams N",
    ),
    (
        &["--http2", "--http-version"],
        "HTTP/2: --http 2, or the scheme h2:// (over TLS) or h2c:// (in clear)",
    ),
    (&["--cert", "--key"], "clients have no certificates"),
    (
        &["--connect-to"],
        "the name that is sent, and that certificates must be for: --sni NAME",
    ),
    (
        &[
            "--latency-correction",
            "-w",
            "--wait-ongoing-requests-after-deadline",
        ],
        "at a rate (-R) latency always counts from the intended send time, and every request is waited for",
    ),
    (
        &["--burst-delay", "--burst-rate"],
        "requests of a rate are spread evenly: --rate R",
    ),
    (
        &["-F", "--form"],
        "a body is sent as it is: --body @FILE, and what it is as -H 'Content-Type: …'",
    ),
    (
        &["-r", "--redirect"],
        "redirects are not followed: name where they lead; --status 302 expects one",
    ),
    (
        &["--rand-regex-url", "--urls-from-file", "--max-repeat"],
        "one request, all the time; several in turn, from files: --raw FILE,FILE",
    ),
    (&["--host"], "the name that is sent: -H 'Host: NAME'"),
];

/// Options of benchstat, of `go test` and of criterion.
const OF_BENCH: [(&[&str], &str); 5] = [
    (
        &[
            "-count",
            "-benchtime",
            "--sample-size",
            "--measurement-time",
            "--nresamples",
        ],
        "each benchmark is sampled until it is decided, as long as --budget allows",
    ),
    (
        &["-bench", "-filter", "--filter"],
        "which benchmarks: tare bench main REGEXP, or --only REGEXP",
    ),
    (
        &[
            "--save-baseline",
            "--baseline",
            "--load-baseline",
            "--baseline-lenient",
        ],
        "nothing has to be saved: `tare bench main` builds both revisions and measures them in turns",
    ),
    (
        &["-alpha", "--significance-level", "--noise-threshold"],
        "the error rate over all benchmarks: --alpha 5%; what counts as equivalent: --margin 1%",
    ),
    (&["-cpu"], "cores of the benchmarks: --cores 0,1"),
];

/// The command that does what a name means elsewhere.
pub fn command(name: &str) -> Option<&'static str> {
    instead(&COMMANDS, name)
}

/// What to type instead of an option that a command does not have.
pub fn option(command: &str, asked: &str) -> Option<&'static str> {
    let name = asked.split('=').next().unwrap_or_default();
    match command {
        "time" => instead(&OF_TIME, name),
        "load" => instead(&OF_LOAD, name),
        "bench" => instead(&OF_BENCH, name),
        _ => None,
    }
}

/// What to type where an option that means something else elsewhere has a value that does not fit.
pub fn value(command: &str, option: &str) -> Option<&'static str> {
    match (command, option) {
        ("load", "--duration") => Some("-d is how long, as in -d 30s; a body: --body TEXT"),
        ("load", "--connections") => Some("-c is the number of connections, as in -c 64"),
        _ => None,
    }
}

fn instead(list: &[(&[&str], &'static str)], name: &str) -> Option<&'static str> {
    let found = list.iter().find(|(names, _)| names.contains(&name));
    found.map(|(_, instead)| *instead)
}
