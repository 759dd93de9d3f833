//! `tare completions` and `tare man`: made of the definitions that parsing uses.

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

/// A command without what is hidden, which the generators would offer like all else: what tare calls itself with is
/// nobody's to type.
fn visible(command: &clap::Command) -> clap::Command {
    // The builder wants names that last as long as the program.
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

/// A page for tare and one for each command, into a folder.
pub fn man(folder: &Path) -> Result<u8, Failure> {
    let mut command = Cli::command();
    // Names, usages and options that all commands share are worked out now.
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
    // The builder wants names that last as long as the program.
    let named = command.name(&*Box::leak(name.to_owned().into_boxed_str()));
    clap_mangen::Man::new(named)
        .render(&mut text)
        .map_err(|error| Failure::outside(format!("cannot make the page of {name}: {error}")))?;
    context::write(&folder.join(format!("{name}.1")), &text)
}
