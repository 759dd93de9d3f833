//! Tests that every example of the manual is a valid command line, and that every command has one.

#[path = "../tests/it/pages.rs"]
mod pages;

use std::ffi::OsString;

use tare_prepare::commands::words;

use crate::cli;

/// The words after `tare` of every example, without redirections of the shell.
fn examples() -> Vec<(String, Vec<String>)> {
    let of = |example: pages::Example| {
        let line = example.line.trim_start_matches("tare ");
        let mut all = words(line).unwrap_or_else(|error| panic!("{}: `{line}`: {error}", example.page));
        let shell = all
            .iter()
            .position(|word| [">", "|", "||", "2>"].contains(&word.as_str()));
        all.truncate(shell.unwrap_or(all.len()));
        (example.page, all)
    };
    pages::examples().into_iter().map(of).collect()
}

#[test]
fn every_example_is_a_command_line() {
    let all = examples();
    assert!(all.len() > 60, "only {} examples were found", all.len());
    for (page, words) in &all {
        let line: Vec<OsString> = words.iter().map(OsString::from).collect();
        if let Err(error) = cli::parse(cli::definition(), &line) {
            panic!("{page}: tare {}: {error}", words.join(" "));
        }
    }
    for page in [
        "README.md",
        "CONTRIBUTING.md",
        "docs/benchmarks.md",
        "docs/citing.md",
        "docs/commands.md",
        "docs/commands/agent.md",
        "docs/commands/bench.md",
        "docs/commands/diff.md",
        "docs/commands/load.md",
        "docs/commands/run.md",
        "docs/commands/time.md",
        "docs/compare-commands.md",
        "docs/compare-revisions.md",
        "docs/compare-servers.md",
        "docs/explain.md",
        "docs/getting-started.md",
        "docs/github-actions.md",
        "docs/install.md",
        "docs/reports.md",
        "docs/reproduce-a-report.md",
        "docs/several-machines.md",
        "docs/slurm.md",
        "docs/ssh.md",
        "docs/write-a-contender.md",
        "workloads/bigtable/README.md",
        ".github/workflows/speed.yml",
    ] {
        assert!(
            all.iter().any(|(known, _)| known == page),
            "no example of {page} was found"
        );
    }
}

#[test]
fn every_command_has_an_example() {
    let all = examples();
    for command in cli::definition()
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
