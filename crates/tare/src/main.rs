//! The command: arguments, progress, messages, exit codes. It alone prints and exits.

mod args;
mod commands;
mod context;
mod explaining;
mod failure;
#[cfg(test)]
#[path = "../../../fuzz/harness.rs"]
mod harness;
mod keep;
#[cfg(test)]
mod manual;
mod naming;
mod planning;
mod prepare;
mod progress;
mod services;
mod values;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use context::Context;
use failure::Failure;

fn main() -> ExitCode {
    // Before anything takes memory: what this process holds is counted for every command that it starts.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == commands::hold::SPAWNER)
    {
        return ExitCode::from(tare_host::spawner::serve() as u8);
    }
    let cli = Cli::parse();
    match dispatch(cli) {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            context::note(&failure);
            ExitCode::from(failure.status)
        }
    }
}

fn dispatch(cli: Cli) -> Result<u8, Failure> {
    match &cli.command {
        Command::Guard => return Ok(u8::from(tare_host::guard::serve() != 0)),
        Command::Forker(args) => {
            tare_host::forker::serve(&args.words).map_err(Failure::outside)?;
            return Ok(0);
        }
        _ => {}
    }
    match &cli.command {
        Command::Completions { shell } => return commands::generate::completions(*shell),
        Command::Man { folder } => return commands::generate::man(folder),
        _ => {}
    }
    let context = Context::new(cli.common)?;
    match &cli.command {
        Command::Run(args) => commands::run::run(&context, args),
        Command::Check(args) => commands::check::run(&context, args),
        Command::List(args) => commands::list::run(&context, args),
        Command::Show(args) => commands::show::run(&context, args),
        Command::Report(args) => commands::report::run(&context, args),
        Command::Explain(args) => commands::explain::run(&context, args),
        Command::Import(args) => commands::import::run(&context, args),
        Command::Load(args) => commands::load::run(&context, args),
        Command::Time(args) => commands::time::run(&context, args),
        Command::Diff(args) => commands::diff::run(&context, args),
        Command::History(args) => commands::history::run(&context, args),
        Command::Site(args) => commands::site::run(&context, args),
        Command::Setup(args) => commands::setup::run(&context, args),
        Command::Doctor(args) => commands::doctor::run(&context, args),
        Command::New(args) => commands::new::run(&context, args),
        Command::Completions { .. } | Command::Man { .. } => unreachable!("handled above: they need nothing"),
        Command::Aa(args) => commands::aa::run(args),
        Command::Guard | Command::Forker(_) => {
            unreachable!("handled above, before anything else is touched")
        }
    }
}
