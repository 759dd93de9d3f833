//! `tare site`: stored runs as a folder of static files.

use std::path::{Path, PathBuf};

use clap::Args;
use tare_model::record::RunRecord;
use tare_report::{site, words};
use tare_store::{Problem, Store};

use crate::context::{self, Context, short};
use crate::explaining;
use crate::failure::Failure;

/// Stored runs as a folder of static files, with filters, that needs no server
#[derive(Debug, Clone, Args)]
pub struct SiteArgs {
    /// Where to write it
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Stores to take runs from, of one machine or several [default: this lab's]
    #[arg(long, value_name = "FILE")]
    pub store: Vec<PathBuf>,
    /// Only these runs: ids, their beginnings, or `latest`
    #[arg(long, value_name = "RUN,…", value_delimiter = ',')]
    pub runs: Vec<String>,
    /// The number of newest runs of each store, where none are named
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub last: u32,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &SiteArgs) -> Result<u8, Failure> {
    let paths: Vec<PathBuf> = if args.store.is_empty() {
        vec![context.kept()?.join("results.sqlite")]
    } else {
        args.store.clone()
    };
    let stores: Vec<Store> = paths
        .iter()
        .map(|path| Store::open_existing(path).map_err(Failure::outside))
        .collect::<Result<_, _>>()?;
    let mut made = Made::default();
    for (store, id) in chosen(&stores, args)? {
        made.add(store, &id, &args.folder)?;
    }
    if !made.left_out.is_empty() {
        context.say(format!(
            "left out, since nothing was measured in them that an index could show: {} (`tare report RUN` shows what \
             there is)",
            made.left_out.join(", ")
        ));
    }
    let count = made.entries.len();
    let path = made.index(&args.folder)?;
    context.say(format!(
        "{}: {}",
        words::counted(count as u64, "run"),
        short(&path)
    ));
    Ok(0)
}

/// The runs to show, each with its store: those that were asked for, or the newest of each store.
fn chosen<'s>(stores: &'s [Store], args: &SiteArgs) -> Result<Vec<(&'s Store, String)>, Failure> {
    let mut chosen: Vec<(&Store, String)> = Vec::new();
    if args.runs.is_empty() {
        for store in stores {
            let runs = store.runs().map_err(Failure::outside)?;
            let newest = runs.into_iter().take(args.last as usize);
            chosen.extend(newest.map(|run| (store, run.id)));
        }
        return Ok(chosen);
    }
    for asked in &args.runs {
        for found in found(stores, asked)? {
            let known = |(store, id): &(&Store, String)| std::ptr::eq(*store, found.0) && *id == found.1;
            if !chosen.iter().any(known) {
                chosen.push(found);
            }
        }
    }
    Ok(chosen)
}

/// The run of each store that a name means. A store without one is an error only where no other has one.
fn found<'s>(stores: &'s [Store], asked: &str) -> Result<Vec<(&'s Store, String)>, Failure> {
    let mut found = Vec::new();
    let mut missing = None;
    for store in stores {
        match store.id_of(asked) {
            Ok(id) => found.push((store, id)),
            Err(error) if matches!(error.problem, Problem::NoRun { .. }) => missing = Some(error),
            Err(error) => return Err(Failure::usage(error)),
        }
    }
    match (found.is_empty(), missing) {
        (true, Some(error)) => Err(Failure::usage(error).hint(
            "`--runs` takes what `tare list runs` shows: ids, beginnings of them, and `latest`; it looks in every --store",
        )),
        _ => Ok(found),
    }
}

/// The site so far.
#[derive(Default)]
struct Made {
    /// When each run began, and its entry for the index.
    entries: Vec<(i64, site::Entry)>,
    /// Ids of the site's runs.
    taken: Vec<String>,
    /// Runs that are not in the index, with the reason.
    left_out: Vec<String>,
}

impl Made {
    /// Writes a run's own files.
    fn add(&mut self, store: &Store, id: &str, folder: &Path) -> Result<(), Failure> {
        let mut record = store.run(id).map_err(Failure::outside)?;
        let mut results = explaining::results(store, &record)?;
        if record.arenas.iter().all(|arena| arena.slices.is_empty()) {
            self.left_out.push(format!(
                "{id} ({})",
                unmeasured(&record, !results.explanations.is_empty())
            ));
            return Ok(());
        }
        // Two machines may have begun a run in the same second.
        record.info.id = free(id, &mut self.taken);
        results.run.id.clone_from(&record.info.id);
        let (entry, files) = site::run(&record, &results);
        for file in files {
            context::write(&folder.join(&file.path), file.text.as_bytes())?;
        }
        self.entries.push((record.info.started, entry));
        Ok(())
    }

    /// Writes the index, the newest run first; its path.
    fn index(mut self, folder: &Path) -> Result<PathBuf, Failure> {
        if self.entries.is_empty() {
            let none = Failure::usage("there is no run to make a site of");
            return Err(none.hint(context::MEASURE_FIRST));
        }
        self.entries
            .sort_by_key(|(started, _)| std::cmp::Reverse(*started));
        let list: Vec<site::Entry> = self.entries.into_iter().map(|(_, entry)| entry).collect();
        let index = site::index(&list);
        let path = folder.join(&index.path);
        context::write(&path, index.text.as_bytes())?;
        Ok(path)
    }
}

/// The reason why a run has no slice.
fn unmeasured(record: &RunRecord, explained: bool) -> &'static str {
    match (&record.info.imported, explained) {
        (Some(_), _) => "imported",
        (None, true) => "an explanation only",
        (None, false) => "ended before anything was measured",
    }
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
