//! `tare man`: made of the definitions that parsing uses.

use std::path::{Path, PathBuf};

use crate::context::{self, Context};
use crate::failure::Failure;

/// A man page for each command, into a folder
#[derive(Debug, Clone, clap::Args)]
pub struct ManArgs {
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes a page for tare and one for each command.
pub fn run(context: &Context, args: &ManArgs) -> Result<u8, Failure> {
    let folder = &args.folder;
    let mut command = (context.definition)();
    // Fills in the names, usages and options that all commands share.
    command.build();
    page(folder, "tare", command.clone())?;
    let pages = command.get_subcommands().filter(|one| !one.is_hide_set());
    for one in pages.filter(|one| one.get_name() != "help") {
        let name = format!("tare-{}", one.get_name());
        page(folder, &name, one.clone())?;
    }
    Ok(0)
}

fn page(folder: &Path, name: &str, command: clap::Command) -> Result<(), Failure> {
    let mut text = Vec::new();
    // The builder takes names that live as long as the program.
    let named = command.name(&*Box::leak(name.to_owned().into_boxed_str()));
    clap_mangen::Man::new(named)
        .render(&mut text)
        .map_err(|error| Failure::outside(format!("cannot make the page of {name}: {error}")))?;
    context::write(&folder.join(format!("{name}.1")), &text)
}
