//! What a figure is of, and how it was measured: figures of other things are no history of it.

use tare_model::ids::ContenderId;
use tare_model::metric::Mode;
use tare_model::record::{ArenaRecord, EntrantRecord};
use tare_model::results::RunInfo;

use crate::plan::said;

/// The workload of `tare diff`, whose contenders are revisions: the command is in its summary.
const DIFF: &str = "diff";

/// Languages of what no manifest tells of: under one name it may be anything.
const COMMAND: &str = "command";
const SERVER: &str = "server";

/// Settings of a run of commands that make another thing of the same command.
const AROUND: [&str; 6] = ["repository", "folder", "setup", "prepare", "input", "same output"];

/// What was run, how it was driven, and where, as name and value, in the order in which people are told. What a run found by
/// trying, such as a rate for all, is none of it.
pub fn conditions(info: &RunInfo, arena: &ArenaRecord, id: &ContenderId) -> Vec<(String, String)> {
    let entrant = arena.entrants.iter().find(|entrant| entrant.id == *id);
    let mut all: Vec<(String, String)> = Vec::new();
    let mut say = |name: &str, value: String| {
        if !value.is_empty() {
            all.push((name.to_owned(), value));
        }
    };
    for (name, value) in entrant.map(|entrant| what(arena, entrant)).unwrap_or_default() {
        say(name, value);
    }
    if arena.mode == Mode::Command {
        for name in AROUND {
            say(name, setting(info, name).unwrap_or_default());
        }
    }
    if arena.mode == Mode::Cost {
        let usual = || "half of what the slowest can take".to_owned();
        say("rate", setting(info, "rate").unwrap_or_else(usual));
    }
    for (name, value) in said(&arena.driving) {
        say(&name, value);
    }
    let placement = &arena.placement;
    say("cores of the contender", listed(&placement.contender));
    say("cores of the load", listed(&placement.load));
    say("services", placement.services.join(", "));
    all
}

/// A setting of a run.
pub fn setting(info: &RunInfo, name: &str) -> Option<String> {
    let found = info.settings.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.clone())
}

/// What was run, where its name does not tell.
fn what(arena: &ArenaRecord, entrant: &EntrantRecord) -> Vec<(&'static str, String)> {
    match entrant.language.as_str() {
        COMMAND if arena.workload == DIFF => vec![("command", arena.summary.clone())],
        COMMAND => vec![
            ("command", entrant.summary.clone()),
            ("how", arena.summary.clone()),
        ],
        SERVER => vec![("server", entrant.summary.clone())],
        _ => Vec::new(),
    }
}

fn listed(cores: &[u32]) -> String {
    let texts: Vec<String> = cores.iter().map(u32::to_string).collect();
    texts.join(", ")
}
