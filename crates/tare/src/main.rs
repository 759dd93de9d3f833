//! The command: arguments, progress, messages, exit codes. It alone prints and exits.

mod args;
mod away;
mod cli;
mod clock;
mod commands;
mod config;
mod context;
mod copies;
mod elsewhere;
mod explaining;
mod failure;
mod gate;
mod help;
mod keep;
mod key;
#[cfg(test)]
mod manual;
mod measure;
mod negotiated;
mod pooled;
mod preparing;
mod progress;
mod reached;
mod rows;
mod short_slices;
mod supervise;
mod typed;
mod values;
mod writable;

use std::ffi::OsString;
use std::process::ExitCode;

use args::taken::{Taken, taken};
use context::Context;
use failure::Failure;

fn main() -> ExitCode {
    // Before anything takes memory: what this process holds is counted for every command that it starts.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == supervise::SPAWNER)
    {
        return ExitCode::from(tare_host::spawner::serve() as u8);
    }
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    match run(&words) {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            context::note(&failure);
            ExitCode::from(failure.status)
        }
    }
}

fn run(words: &[OsString]) -> Result<u8, Failure> {
    let Taken { words, notes } = taken(words);
    let cli = match cli::parse(cli::configured(&words)?, &words) {
        Ok(cli) => cli,
        Err(error) => match cli::failure(&error, &words) {
            Some(failure) => return Err(failure),
            None => error.exit(),
        },
    };
    let mut context = Context::new(cli.common, cli::definition)?;
    context.redraws &= !cli.command.shows_output();
    notes.iter().for_each(|note| context.say(format!("note: {note}")));
    cli.command.run(&context)
}
