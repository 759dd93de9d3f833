//! The command line as a whole: what all commands share, and which of them is to be done.

use clap::Parser;

use crate::args::Common;
use crate::commands::Command;

/// Tare compares software: contenders written in any language do the same job side by side on this machine, and
/// Tare reports which is faster, by how much, and how certain that is.
#[derive(Debug, Parser)]
#[command(
    name = "tare",
    version,
    propagate_version = true,
    disable_help_subcommand = true
)]
#[command(after_help = EXIT_STATUS)]
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
