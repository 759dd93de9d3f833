//! `tare site`: stored runs as a folder of static files.

use std::path::PathBuf;

use tare_lab::analysis;
use tare_report::site;
use tare_store::Store;

use crate::args::SiteArgs;
use crate::commands::bench::short;
use crate::context::{self, Context};
use crate::failure::Failure;

/// Runs it; the exit status.
pub fn run(context: &Context, args: &SiteArgs) -> Result<u8, Failure> {
    let own = || context.kept().map(|state| vec![state.join("results.sqlite")]);
    let stores: Vec<PathBuf> = match args.store.is_empty() {
        true => own()?,
        false => args.store.clone(),
    };
    let mut entries: Vec<(i64, site::Entry)> = Vec::new();
    let mut taken: Vec<String> = Vec::new();
    for path in &stores {
        let store = Store::open_existing(path).map_err(Failure::outside)?;
        let runs = store.runs().map_err(Failure::outside)?;
        let wanted = runs
            .iter()
            .filter(|run| args.runs.is_empty() || args.runs.contains(&run.id));
        for run in wanted.take(args.last as usize) {
            let mut record = store.run(&run.id).map_err(Failure::outside)?;
            if record.arenas.iter().all(|arena| arena.slices.is_empty()) {
                continue;
            }
            // Two machines may have begun a run in the same second.
            record.info.id = free(&run.id, &mut taken);
            let (entry, files) = site::run(&record, &analysis::results(&record));
            for file in files {
                context::write(&args.folder.join(&file.path), file.text.as_bytes())?;
            }
            entries.push((record.info.started, entry));
        }
    }
    if entries.is_empty() {
        return Err(
            Failure::usage("there is no run to make a site of").hint("`tare list runs` shows what there is")
        );
    }
    entries.sort_by_key(|(started, _)| std::cmp::Reverse(*started));
    let list: Vec<site::Entry> = entries.into_iter().map(|(_, entry)| entry).collect();
    let index = site::index(&list);
    let path = args.folder.join(&index.path);
    context::write(&path, index.text.as_bytes())?;
    context.say(format!("{} runs: {}", list.len(), short(&path)));
    Ok(0)
}

fn free(id: &str, taken: &mut Vec<String>) -> String {
    let numbered = (2..).map(|number| format!("{id}.{number}"));
    let mut names = std::iter::once(id.to_owned()).chain(numbered);
    let name = names
        .find(|name| !taken.contains(name))
        .expect("numbers do not end");
    taken.push(name.clone());
    name
}
