//! The command: arguments, progress, messages, exit codes. It alone prints and exits.

mod args;
mod cli;
mod clock;
mod commands;
mod context;
mod explaining;
mod failure;
mod gate;
mod keep;
#[cfg(test)]
mod manual;
mod measure;
mod preparing;
mod progress;
mod short_slices;
mod supervise;
mod values;
mod writable;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use cli::Cli;
use context::Context;

fn main() -> ExitCode {
    // Before anything takes memory: what this process holds is counted for every command that it starts.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == supervise::SPAWNER)
    {
        return ExitCode::from(tare_host::spawner::serve() as u8);
    }
    let cli = Cli::parse();
    let done = Context::new(cli.common, Cli::command).and_then(|context| cli.command.run(&context));
    match done {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            context::note(&failure);
            ExitCode::from(failure.status)
        }
    }
}
