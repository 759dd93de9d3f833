//! `tare completions` and `tare man`: generated from the definitions that parse arguments.

use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::context;
use crate::failure::Failure;

/// Completions for a shell, on standard output.
pub fn completions(shell: Shell) -> Result<u8, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut visible(&Cli::command()), "tare", &mut text);
    context::put(&String::from_utf8_lossy(&text))?;
    Ok(0)
}

/// A command without its hidden parts, which only tare itself uses and the generators would list.
fn visible(command: &clap::Command) -> clap::Command {
    // The builder needs names with a static lifetime.
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

/// Writes a page for tare and one for each command into a folder.
pub fn man(folder: &Path) -> Result<u8, Failure> {
    let mut command = Cli::command();
    // Resolves names, usages and options that all commands share.
    command.build();
    page(folder, "tare", command.clone())?;
    for one in command.get_subcommands().filter(|one| !one.is_hide_set()) {
        let name = format!("tare-{}", one.get_name());
        page(folder, &name, one.clone())?;
    }
    Ok(0)
}

fn page(folder: &Path, name: &str, command: clap::Command) -> Result<(), Failure> {
    let mut text = Vec::new();
    // The builder needs names with a static lifetime.
    let named = command.name(&*Box::leak(name.to_owned().into_boxed_str()));
    clap_mangen::Man::new(named)
        .render(&mut text)
        .map_err(|error| Failure::outside(format!("cannot make the page of {name}: {error}")))?;
    context::write(&folder.join(format!("{name}.1")), &text)
}
