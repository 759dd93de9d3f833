//! Help beyond the options themselves: the commands in groups, examples, what a short help shows, and the formats that each
//! command prints.

use clap::{Arg, Command};
use tare_report::format::Format;
use tare_report::{csv, formats, json, markdown, terminal};

use crate::args;

/// What help says of a command.
struct Page {
    name: &'static str,
    /// What it does, in a line of the list of commands.
    summary: &'static str,
    examples: [&'static str; 2],
    /// The options that a short help shows, by their long names.
    usual: &'static [&'static str],
    formats: Formats,
}

/// What a command prints its data as.
enum Formats {
    /// It has no data.
    None,
    TextOrJson,
    And(&'static Format),
    All,
}

/// The commands, in groups and in the order of the help.
const GROUPS: [(&str, &[Page]); 4] = [
    ("Compare", &COMPARE),
    ("A lab of workloads and contenders", &LAB),
    ("Stored runs", &STORED),
    ("This machine, this program", &HERE),
];

const COMPARE: [Page; 4] = [
    Page {
        name: "time",
        summary: "Commands against each other",
        examples: [
            "tare time 'gzip -c README.md' 'xz -c README.md'",
            "tare time 'sort -S {m}M words.txt' --param m 1..64*4 --budget 30s",
        ],
        usual: &[
            "names",
            "baseline",
            "prepare",
            "input",
            "warmup",
            "runs",
            "budget",
            "param",
            "no-shell",
            "fail-if",
            "export-md",
            "export-json",
            "export-html",
        ],
        formats: Formats::TextOrJson,
    },
    Page {
        name: "load",
        summary: "A server under load, or several against each other",
        examples: [
            "tare load http://localhost:8080/ -c 64 -d 10s --latency",
            "tare load http://localhost:8080/ http://localhost:8081/ -d 30s",
        ],
        usual: &[
            "connections",
            "duration",
            "requests",
            "rate",
            "method",
            "header",
            "body",
            "expect",
            "from",
            "latency",
            "names",
            "fail-if",
            "export-json",
        ],
        formats: Formats::TextOrJson,
    },
    Page {
        name: "diff",
        summary: "Two revisions, of a command or of a contender",
        examples: [
            "tare diff main --setup 'cargo build --release' -- target/release/mine --version",
            "tare diff HEAD~1..HEAD doubling/go --fail-if slower",
        ],
        usual: &["setup", "case", "budget", "fail-if", "comment", "out"],
        formats: Formats::And(&markdown::FORMAT),
    },
    Page {
        name: "bench",
        summary: "The benchmarks that a project has, at two revisions",
        examples: [
            "tare bench main",
            "tare bench v1.0..v1.1 'Rank|Count' --budget 10m --fail-if slower",
        ],
        usual: &[
            "list",
            "plan",
            "harness",
            "exe",
            "layouts",
            "budget",
            "changed-only",
            "fail-if",
            "comment",
            "out",
        ],
        formats: Formats::And(&markdown::FORMAT),
    },
];

const LAB: [Page; 7] = [
    Page {
        name: "run",
        summary: "Measure the contenders of workloads",
        examples: [
            "tare run doubling --install",
            "tare run doubling/one-core --only go,node --quick",
        ],
        usual: &[
            "suite", "only", "install", "budget", "quick", "baseline", "fail-if", "plan", "out",
        ],
        formats: Formats::TextOrJson,
    },
    Page {
        name: "check",
        summary: "Check the answers of contenders, without timing",
        examples: ["tare check doubling", "tare check doubling --only go --install"],
        usual: &["only", "install"],
        formats: Formats::TextOrJson,
    },
    Page {
        name: "explain",
        summary: "Why one contender is slower than another",
        examples: [
            "tare explain doubling/one-core node go",
            "tare explain latest node go",
        ],
        usual: &["budget", "mode", "out"],
        formats: Formats::TextOrJson,
    },
    Page {
        name: "new",
        summary: "Begin a workload or a contender",
        examples: [
            "tare new workload mine --language python",
            "tare new contender workloads/mine/contenders/go --language go",
        ],
        usual: &["language"],
        formats: Formats::None,
    },
    Page {
        name: "list",
        summary: "Workloads, suites, contenders, services, runs",
        examples: ["tare list contenders doubling", "tare list runs"],
        usual: &["format"],
        formats: Formats::TextOrJson,
    },
    Page {
        name: "show",
        summary: "A manifest as it is understood, or a stored run",
        examples: ["tare show doubling/go", "tare show latest"],
        usual: &["format"],
        formats: Formats::TextOrJson,
    },
    Page {
        name: "setup",
        summary: "What contenders need and is missing here",
        examples: ["tare setup doubling", "tare setup doubling --install"],
        usual: &["suite", "install"],
        formats: Formats::TextOrJson,
    },
];

const STORED: [Page; 5] = [
    Page {
        name: "report",
        summary: "A stored run as HTML, Markdown, CSV, JSON, SVG",
        examples: [
            "tare report --format html --out report.html",
            "tare report latest --format md",
        ],
        usual: &["format", "out"],
        formats: Formats::All,
    },
    Page {
        name: "history",
        summary: "A contender over the stored runs",
        examples: [
            "tare history doubling/go",
            "tare history doubling/go --svg charts",
        ],
        usual: &["case", "last", "svg", "format"],
        formats: Formats::And(&csv::FORMAT),
    },
    Page {
        name: "site",
        summary: "Stored runs as a web site",
        examples: ["tare site public", "tare site public --last 10"],
        usual: &["last"],
        formats: Formats::None,
    },
    Page {
        name: "import",
        summary: "Results of FrameworkBenchmarks; or what of a checkout of a suite can run here",
        examples: [
            "tare import results.json",
            "tare import FrameworkBenchmarks --rev HEAD --format csv",
        ],
        usual: &["rev", "format"],
        formats: Formats::And(&csv::FORMAT),
    },
    Page {
        name: "merge",
        summary: "Runs of other stores, into this one",
        examples: [
            "tare merge n1.sqlite n2.sqlite",
            "tare merge n1.sqlite --format json",
        ],
        usual: &["format"],
        formats: Formats::TextOrJson,
    },
];

const HERE: [Page; 4] = [
    Page {
        name: "agent",
        summary: "Drive loads from here, for a tare load elsewhere",
        examples: [
            "tare agent --listen 10.77.0.12:7400 --key-file key",
            "tare agent --listen 10.77.0.12:7400 --key-file key --allow 10.77.0.11 --once",
        ],
        usual: &["listen", "key-file", "allow", "once"],
        formats: Formats::None,
    },
    Page {
        name: "doctor",
        summary: "How well this machine can measure",
        examples: ["tare doctor", "tare doctor --format json"],
        usual: &["format"],
        formats: Formats::TextOrJson,
    },
    Page {
        name: "completions",
        summary: "Completions for a shell",
        examples: ["tare completions bash", "tare completions zsh"],
        usual: &[],
        formats: Formats::None,
    },
    Page {
        name: "man",
        summary: "Manual pages, into a folder",
        examples: ["tare man target/man", "tare man man1"],
        usual: &[],
        formats: Formats::None,
    },
];

/// Headings of options in a long help, by their long names; what is in none of them is under `Options`.
const HEADINGS: [(&str, &[&str]); 4] = [
    (
        "How long",
        &[
            "budget",
            "until",
            "quick",
            "rounds",
            "launches",
            "runs",
            "min-runs",
            "max-runs",
            "warmup",
            "duration",
            "requests",
            "timeout",
            "setup-timeout",
        ],
    ),
    (
        "How it is judged",
        &["baseline", "margin", "alpha", "fail-if", "seed"],
    ),
    (
        "Files",
        &[
            "out",
            "export-md",
            "export-csv",
            "export-json",
            "export-html",
            "export-hyperfine",
            "comment",
            "beside",
            "svg",
        ],
    ),
    ("Everywhere", &args::EVERYWHERE),
];

/// Options of all commands that a short help leaves out.
const SELDOM: [&str; 3] = ["directory", "verbose", "color"];

/// The two examples of a command's help.
fn examples(page: &Page) -> String {
    format!("Examples:\n  {}\n  {}", page.examples[0], page.examples[1])
}

fn pages() -> impl Iterator<Item = &'static Page> {
    GROUPS.iter().flat_map(|(_, pages)| pages.iter())
}

/// The first example of a command.
pub fn example(command: &str) -> Option<&'static str> {
    pages()
        .find(|page| page.name == command)
        .map(|page| page.examples[0])
}

/// The command line with its help.
pub fn dressed(command: Command) -> Command {
    let list = list(&command);
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}\nOptions:\n{{options}}{{after-help}}"
    );
    let dressed = pages().fold(command, |command, page| {
        command.mut_subcommand(page.name, |one| of_page(one, page))
    });
    let firsts = format!(
        "Examples:\n  {}\n  {}",
        COMPARE[0].examples[0], COMPARE[1].examples[0]
    );
    dressed
        .help_template(template)
        .after_help(firsts)
        .mut_args(|arg| {
            let name = arg.get_long().unwrap_or_default().to_owned();
            match heading(&name) {
                Some(heading) => arg
                    .help_heading(heading)
                    .hide_short_help(SELDOM.contains(&name.as_str())),
                None => arg,
            }
        })
}

/// The commands in groups; one that is on no page is in the last.
fn list(command: &Command) -> String {
    let mut text = String::new();
    for (title, pages) in &GROUPS {
        text.push_str(&format!("{title}:\n"));
        for page in *pages {
            text.push_str(&format!("  {:<13}{}\n", page.name, page.summary));
        }
        text.push('\n');
    }
    let others = command.get_subcommands().filter(|one| !one.is_hide_set());
    let others = others.filter(|one| pages().all(|page| page.name != one.get_name()));
    for one in others {
        let about = one.get_about().map(ToString::to_string).unwrap_or_default();
        text.push_str(&format!("  {:<13}{about}\n", one.get_name()));
    }
    text.push_str("`tare COMMAND -h` is short, with examples; `tare help COMMAND` has every option.\n");
    text
}

fn of_page(command: Command, page: &Page) -> Command {
    let formats = match page.formats {
        Formats::None => vec![&terminal::FORMAT],
        Formats::TextOrJson => vec![&terminal::FORMAT, &json::FORMAT],
        Formats::And(format) => vec![&terminal::FORMAT, &json::FORMAT, format],
        Formats::All => formats::ALL.to_vec(),
    };
    let format = args::format(formats).hide(matches!(page.formats, Formats::None));
    let ends = format!("{}\n\nEvery option: tare help {}", examples(page), page.name);
    command
        .arg(format)
        .mut_args(|arg| {
            let name = arg.get_long().unwrap_or_default().to_owned();
            let usual = arg.is_positional() || page.usual.contains(&name.as_str());
            let arg = in_short(arg.hide_short_help(!usual));
            match heading(&name).filter(|_| !name.is_empty()) {
                Some(heading) => arg.help_heading(heading),
                None => arg,
            }
        })
        .after_help(ends)
        .after_long_help(examples(page))
}

/// The option with the first clause of its help as the short one.
fn in_short(arg: Arg) -> Arg {
    let Some(text) = arg.get_help().map(ToString::to_string) else {
        return arg;
    };
    let text = arg.get_long_help().map_or(text, ToString::to_string);
    let short = first_clause(&text).to_owned();
    arg.help(short).long_help(text)
}

/// A text up to the first mark after which only details come. `A gate:` alone would say nothing.
fn first_clause(text: &str) -> &str {
    const LEAST: usize = 12;
    let ends = ["; ", ": ", ". ", " (", " [default"];
    let found = ends.iter().filter_map(|end| {
        let after = text.char_indices().map(|(at, _)| at).find(|at| *at >= LEAST)?;
        text[after..].find(end).map(|at| after + at)
    });
    found.min().map_or(text, |end| &text[..end])
}

fn heading(option: &str) -> Option<&'static str> {
    let found = HEADINGS.iter().find(|(_, options)| options.contains(&option));
    found.map(|(heading, _)| *heading)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;

    #[test]
    fn every_example_is_a_command_line_of_its_command() {
        for page in pages() {
            for example in page.examples {
                let words = tare_prepare::commands::words(example).unwrap();
                assert_eq!(
                    (words[0].as_str(), words[1].as_str()),
                    ("tare", page.name),
                    "{example}"
                );
                let words: Vec<std::ffi::OsString> = words.into_iter().skip(1).map(Into::into).collect();
                if let Err(error) = cli::parse(cli::definition(), &words) {
                    panic!("{example}: {error}");
                }
            }
        }
    }

    #[test]
    fn what_a_page_names_is_there() {
        let definition = cli::definition();
        for page in pages() {
            let command = definition.find_subcommand(page.name);
            let command = command.unwrap_or_else(|| panic!("there is no command {}", page.name));
            for option in page.usual {
                let known = command.get_arguments().any(|arg| arg.get_long() == Some(option));
                assert!(known, "{} has no --{option}", page.name);
            }
        }
    }

    #[test]
    fn a_short_help_is_a_screenful() {
        let mut definition = cli::definition().term_width(80);
        definition.build();
        let lines = |command: &mut Command| command.render_help().to_string().lines().count();
        assert!(lines(&mut definition) <= 45, "{}", definition.render_help());
        let names: Vec<String> = pages().map(|page| page.name.to_owned()).collect();
        for name in names {
            let command = definition.find_subcommand_mut(&name).unwrap();
            let (short, long) = (
                command.render_help().to_string(),
                command.render_long_help().to_string(),
            );
            assert!(
                short.lines().count() <= 48,
                "{name}: {}\n{short}",
                short.lines().count()
            );
            assert!(
                short.contains("Examples:") && long.contains("Examples:"),
                "{short}"
            );
            assert!(
                short
                    .lines()
                    .all(|line| line.chars().count() <= 80 || line.contains("tare ")),
                "{short}"
            );
        }
    }

    #[test]
    fn a_short_help_has_first_clauses() {
        for (text, short) in [
            ("Without a shell: the command is split", "Without a shell"),
            (
                "A gate: exit status 4 if it is slower (`slower`), or",
                "A gate: exit status 4 if it is slower",
            ),
            (
                "Seed of the order of the rounds [default: the time]",
                "Seed of the order of the rounds",
            ),
            ("Connections", "Connections"),
        ] {
            assert_eq!(first_clause(text), short);
        }
    }

    #[test]
    fn only_the_formats_of_a_command_are_offered() {
        let of = |line: &str| {
            let words: Vec<std::ffi::OsString> = line.split(' ').map(Into::into).collect();
            cli::parse(cli::definition(), &words)
                .map(|cli| cli.common.format.name)
                .map_err(|error| error.to_string())
        };
        assert_eq!(of("time x --format json").as_deref(), Ok("json"));
        assert_eq!(of("--format json time x").as_deref(), Ok("json"));
        assert_eq!(of("time x").as_deref(), Ok("text"));
        assert_eq!(of("report --format svg").as_deref(), Ok("svg"));
        assert_eq!(of("diff HEAD a/b --format md").as_deref(), Ok("md"));
        for line in [
            "time x --format csv",
            "site x --format json",
            "history a/b --format html",
        ] {
            assert!(
                of(line).is_err_and(|error| error.contains("possible values")),
                "{line}"
            );
        }
    }
}
