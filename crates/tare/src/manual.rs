//! Every example of the manual is a command line that this tare takes, and those that need nothing but a shell are run.

use std::process::Command as Process;

use clap::{CommandFactory, Parser};

use crate::args::Cli;
use crate::commands::time::words;

/// The pages with examples.
const PAGES: [(&str, &str); 5] = [
    ("README.md", include_str!("../../../README.md")),
    ("commands.md", include_str!("../../../docs/commands.md")),
    (
        "github-actions.md",
        include_str!("../../../docs/github-actions.md"),
    ),
    ("reports.md", include_str!("../../../docs/reports.md")),
    ("manifests.md", include_str!("../../../docs/manifests.md")),
];

/// The words behind `tare` of every example: the lines that are set apart by four blanks, and begin with it.
fn examples() -> Vec<(&'static str, Vec<String>)> {
    let mut found = Vec::new();
    for (page, text) in PAGES {
        let lines = text.lines().filter_map(|line| line.strip_prefix("    tare "));
        for line in lines.filter(|line| !line.contains('…')) {
            let line = line.split_once(" # ").map_or(line, |(before, _)| before);
            let mut all = words(line).unwrap_or_else(|error| panic!("{page}: `{line}`: {error}"));
            // What a shell would do with the output is not tare's.
            all.truncate(
                all.iter()
                    .position(|word| word == ">" || word == "|")
                    .unwrap_or(all.len()),
            );
            found.push((page, all));
        }
    }
    found
}

#[test]
fn every_example_is_a_command_line() {
    let all = examples();
    assert!(all.len() > 30, "only {} examples were found", all.len());
    for (page, words) in &all {
        let line = std::iter::once("tare").chain(words.iter().map(String::as_str));
        if let Err(error) = Cli::try_parse_from(line) {
            panic!("{page}: tare {}: {error}", words.join(" "));
        }
    }
}

#[test]
fn every_command_has_an_example() {
    let all = examples();
    for command in Cli::command()
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
    {
        let name = command.get_name();
        assert!(
            all.iter().any(|(_, words)| words[0] == name),
            "no example of `tare {name}`"
        );
    }
}

/// The commands that are timed in the manual do what they are to do, in any folder that has the file that they name.
#[test]
fn the_commands_that_are_timed_work() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("words.txt"), "b\na\nc\n").unwrap();
    let there = |program: &str| tare_host::command::find(program, None).is_some();
    let mut ran = 0;
    for (_, words) in examples().into_iter().filter(|(_, words)| words[0] == "time") {
        let cli = Cli::try_parse_from(std::iter::once("tare".to_owned()).chain(words)).unwrap();
        let crate::args::Command::Time(args) = cli.command else {
            unreachable!("`time` was asked for")
        };
        for text in &args.commands {
            let text = text.replace("{n}", "100");
            if !there(text.split(' ').next().unwrap()) {
                eprintln!("skipped, for want of its program: {text}");
                continue;
            }
            for prepare in &args.prepare {
                assert!(
                    Process::new("sh")
                        .args(["-c", prepare])
                        .current_dir(folder.path())
                        .status()
                        .unwrap()
                        .success()
                );
            }
            let out = Process::new("sh")
                .args(["-c", &text])
                .current_dir(folder.path())
                .output()
                .unwrap();
            assert!(
                out.status.success(),
                "{text}: {}",
                String::from_utf8_lossy(&out.stderr)
            );
            ran += 1;
        }
    }
    assert!(ran >= 4, "{ran}");
}
