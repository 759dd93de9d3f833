//! `tare new`: a folder for a workload or a contender, ready to run.

use std::path::{Component, Path, PathBuf};

use clap::{Args, ValueEnum};
use tare_model::manifest::{Job, Workload, scaffold};

use crate::context::{self, Context, short};
use crate::failure::Failure;

/// Make a folder for a new workload or contender, ready to run
#[derive(Debug, Clone, Args)]
pub struct NewArgs {
    #[arg(value_enum)]
    pub what: NewWhat,
    /// Its folder: `workloads/NAME`, or `workloads/NAME/contenders/CONTENDER`
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
    /// The contender's language
    #[arg(long, default_value = "python")]
    pub language: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NewWhat {
    Workload,
    Contender,
}

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
        return Err(Failure::usage(format!("{} exists already", short(&folder))).hint("choose another name"));
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
    Failure::usage(format!("{} is not the place for it", shown.display()))
        .hint(format!("give its folder from the lab's: {expected}"))
}

/// The job of a new contender: that of the first case. A workload that was read has one.
fn first_job(workload: Workload) -> Job {
    let first = workload.cases.into_iter().next();
    first.map_or(Job::Doubling, |case| case.job)
}
