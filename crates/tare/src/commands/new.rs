//! `tare new`: a folder for a workload or a contender, ready to run.

use std::path::{Component, Path, PathBuf};

use tare_model::manifest::{Job, Workload, scaffold};

use crate::args::{NewArgs, NewWhat};
use crate::commands::bench::short;
use crate::context::{self, Context};
use crate::failure::Failure;

/// Runs it; the exit status.
pub fn run(context: &Context, args: &NewArgs) -> Result<u8, Failure> {
    let names = names(&args.path);
    let (files, workload) = match (args.what, names.as_slice()) {
        (NewWhat::Workload, ["workloads", name]) => {
            (scaffold::workload(name, &args.language, &Job::Doubling), *name)
        }
        (NewWhat::Contender, ["workloads", workload, "contenders", name]) => {
            let job = first_job(context.lab()?.workload(workload).map_err(Failure::usage)?);
            (scaffold::contender(name, &args.language, &job), *workload)
        }
        (NewWhat::Workload, _) => return Err(misplaced(&args.path, "workloads/NAME")),
        (NewWhat::Contender, _) => return Err(misplaced(&args.path, "workloads/WORKLOAD/contenders/NAME")),
    };
    let folder = context.here()?.join(&args.path);
    if folder.exists() {
        return Err(
            Failure::usage(format!("{} is there already", short(&folder))).hint("choose another name")
        );
    }
    for (path, text) in files.map_err(Failure::usage)? {
        let path = folder.join(path);
        context::write(&path, text.as_bytes())?;
        context.say(format!("wrote {}", short(&path)));
    }
    context.say(format!(
        "\nhint: `tare check {workload}` builds it and checks its answers"
    ));
    Ok(0)
}

fn names(path: &Path) -> Vec<&str> {
    let name = |component| match component {
        Component::Normal(name) => name.to_str(),
        Component::CurDir => None,
        _ => Some(".."),
    };
    path.components().filter_map(name).collect()
}

fn misplaced(path: &Path, expected: &str) -> Failure {
    let shown: PathBuf = path.to_owned();
    Failure::usage(format!("{} is no place for it", shown.display()))
        .hint(format!("give its folder from the lab's: {expected}"))
}

/// The job that a new contender starts with: the first case's. A workload that is read has a case.
fn first_job(workload: Workload) -> Job {
    let first = workload.cases.into_iter().next();
    first.map_or(Job::Doubling, |case| case.job)
}
