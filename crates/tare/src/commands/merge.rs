//! `tare merge`: the runs of other stores, taken over into this one.

use std::path::{Path, PathBuf};

use clap::Args;
use tare_report::words::counted;
use tare_store::{Merge, Merged, Store};

use crate::context::{self, Context};
use crate::failure::Failure;

/// Take over the runs of other stores into this one, each once
#[derive(Debug, Clone, Args)]
pub struct MergeArgs {
    /// A store: the file results.sqlite of another lab or machine
    #[arg(value_name = "STORE", required = true)]
    pub stores: Vec<PathBuf>,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &MergeArgs) -> Result<u8, Failure> {
    let here = context.kept()?.join("results.sqlite");
    // All are opened before the first is read: a name that was mistyped leaves nothing half done.
    let others = args.stores.iter().map(|path| opened(path, &here));
    let others = others.collect::<Result<Vec<Store>, Failure>>()?;
    let mut store = Store::open(here).map_err(Failure::outside)?;
    for other in &others {
        let merged = store.merge(other).map_err(Failure::outside)?;
        if context.json() {
            context::put(&format!("{}\n", document(other.path(), &merged)))?;
        } else {
            context::put(&told(other.path(), &merged))?;
        }
    }
    Ok(0)
}

fn opened(path: &Path, here: &Path) -> Result<Store, Failure> {
    let real = |path: &Path| path.canonicalize().ok();
    if real(path).is_some_and(|path| Some(path) == real(here)) {
        let failure = Failure::usage(format!(
            "{} is the store that runs are taken over into",
            path.display()
        ));
        return Err(failure.hint("name the stores of other labs; `-C DIR` says which lab this one is of"));
    }
    if !path.is_file() {
        let failure = Failure::usage(format!("{} is no store: there is no such file", path.display()));
        return Err(failure.hint("a lab keeps its runs in .tare/results.sqlite"));
    }
    Store::open_existing(path).map_err(Failure::outside)
}

fn document(path: &Path, merged: &[Merged]) -> serde_json::Value {
    let run =
        |one: &Merged| serde_json::json!({ "there": one.there, "here": one.here, "how": name(one.how) });
    let runs: Vec<_> = merged.iter().map(run).collect();
    serde_json::json!({ "store": path.display().to_string(), "runs": runs })
}

fn name(how: Merge) -> &'static str {
    match how {
        Merge::Added => "added",
        Merge::Renewed => "renewed",
        Merge::Known => "known",
    }
}

/// A line for the store, and one for each run that has another id here.
fn told(path: &Path, merged: &[Merged]) -> String {
    let count = |how| merged.iter().filter(|one| one.how == how).count() as u64;
    let mut parts = vec![format!("{} added", counted(count(Merge::Added), "run"))];
    for (how, what) in [
        (Merge::Renewed, "renewed, since more was kept there"),
        (Merge::Known, "here already"),
    ] {
        if count(how) > 0 {
            parts.push(format!("{} {what}", count(how)));
        }
    }
    let mut text = format!("{}: {}\n", path.display(), parts.join(", "));
    for one in merged
        .iter()
        .filter(|one| one.how == Merge::Added && one.there != one.here)
    {
        text.push_str(&format!(
            "  {} is {} here, where another run has its id\n",
            one.there, one.here
        ));
    }
    text
}
