//! `tare completions`: made of the definitions that parsing uses.

use clap_complete::Shell;

use crate::context::{self, Context};
use crate::failure::Failure;

/// Completions for a shell, on standard output
#[derive(Debug, Clone, clap::Args)]
pub struct CompletionsArgs {
    shell: Shell,
}

/// Prints them.
pub fn run(context: &Context, args: &CompletionsArgs) -> Result<u8, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut visible(&(context.definition)()),
        "tare",
        &mut text,
    );
    context::put(&String::from_utf8_lossy(&text))?;
    Ok(0)
}

/// A command without what is hidden: the generators would offer it like all else, but only tare itself calls it.
fn visible(command: &clap::Command) -> clap::Command {
    // The builder takes names that live as long as the program.
    let name: &'static str = Box::leak(command.get_name().to_owned().into_boxed_str());
    let arguments = command.get_arguments().filter(|one| !one.is_hide_set());
    let commands = command.get_subcommands().filter(|one| !one.is_hide_set());
    clap::Command::new(name)
        .about(command.get_about().cloned().unwrap_or_default())
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_subcommand(true)
        .args(arguments.cloned())
        .subcommands(commands.map(visible))
}
