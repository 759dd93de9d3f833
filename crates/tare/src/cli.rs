//! The command line as a whole: what all commands share, and which of them is to be done.

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser};

use crate::args::Common;
use crate::commands::Command;
use crate::failure::Failure;
use crate::{config, help, typed};

/// Tare compares the speed of software, and says how certain it is
///
/// Commands, servers, revisions, and programs in any language that do the same job are measured in turns on this machine;
/// Tare reports which is faster, by how much, and how certain that is.
#[derive(Debug, Parser)]
#[command(name = "tare", version, propagate_version = true, after_long_help = EXIT_STATUS)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_STATUS: &str = "\
Exit status:
  0    done, decided or not, without a fault (a skipped contender is no fault)
  1    something outside failed: a build, a start; shown with a hint
  2    wrong usage, or a manifest that is wrong
  3    a contender gave a wrong answer, lost a request, died or hung while measured
  4    a gate did not hold (--fail-if)
  130  interrupted; everything measured so far is kept";

/// The definition: options, help, formats.
pub fn definition() -> clap::Command {
    help::dressed(Cli::command())
}

/// The definition with the defaults of the nearest `tare.toml`. Processes that tare itself starts get all that they need as
/// words.
pub fn configured(words: &[OsString]) -> Result<clap::Command, Failure> {
    let own = words
        .first()
        .is_some_and(|word| word.to_string_lossy().starts_with("__"));
    match std::env::current_dir() {
        Ok(here) if !own => config::applied(definition(), &here),
        _ => Ok(definition()),
    }
}

/// What these words mean after `tare`.
pub fn parse(mut definition: clap::Command, words: &[OsString]) -> Result<Cli, clap::Error> {
    let line = std::iter::once("tare".into()).chain(words.iter().cloned());
    let matches = definition.try_get_matches_from_mut(line)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut definition))
}

/// The failure of words that are no command line; none where the error is help that was asked for.
pub fn failure(error: &clap::Error, words: &[OsString]) -> Option<Failure> {
    let definition = Cli::command();
    let visible = definition
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    let commands: Vec<&str> = visible.map(clap::Command::get_name).collect();
    typed::failure(error, words, &commands)
}
