//! `tare new`: a folder for a workload or a contender, ready to run; and what the binary brings along for labs.

use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use clap::{Args, ValueEnum};
use tare_model::manifest::scaffold::Files;
use tare_model::manifest::{Job, Workload, scaffold, stock};

use crate::context::{self, Context, short};
use crate::failure::Failure;

/// Make a folder for a new workload or contender, ready to run; or for a service or a kit that tare brings along
#[derive(Debug, Clone, Args)]
pub struct NewArgs {
    #[arg(value_enum)]
    pub what: NewWhat,
    /// Its folder: `workloads/NAME`, `workloads/NAME/contenders/CONTENDER`, `services/NAME`, or `kits/LANGUAGE`
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
    /// What contenders need beside themselves, such as a database
    Service,
    /// A small library for in-process benchmarks, with an example
    Kit,
}

/// What is to be written.
struct New {
    /// Its folder, from the lab's.
    folder: PathBuf,
    /// Its files, by their paths from the lab's folder.
    files: Files,
    /// What to do with it.
    hint: String,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &NewArgs) -> Result<u8, Failure> {
    let new = new(context, args)?;
    let lab = context.here()?;
    let folder = lab.join(&new.folder);
    if folder.exists() {
        return Err(Failure::usage(format!("{} exists already", short(&folder))).hint("choose another name"));
    }
    for (path, text) in new.files {
        let path = lab.join(path);
        // A lab's own language stays as it is.
        if !path.exists() {
            write(&path, &text)?;
            context.say(format!("wrote {}", short(&path)));
        }
    }
    context.say(format!("\nhint: {}", new.hint));
    Ok(0)
}

fn new(context: &Context, args: &NewArgs) -> Result<New, Failure> {
    let names = names(&args.path);
    let built = |workload: &str| format!("`tare check {workload}` builds it and checks its answers");
    let begun = |folder: PathBuf, files: Files, workload: &str| New {
        files: stock::language(&args.language)
            .into_iter()
            .chain(below(&folder, files))
            .collect(),
        folder,
        hint: built(workload),
    };
    match (args.what, names.as_slice()) {
        (NewWhat::Workload, ["workloads", name] | [name]) => {
            let files = scaffold::workload(name, &args.language, &Job::Doubling).map_err(Failure::usage)?;
            Ok(begun(Path::new("workloads").join(name), files, name))
        }
        (NewWhat::Contender, ["workloads", workload, "contenders", name]) => {
            let job = first_job(context.lab()?.workload(workload).map_err(Failure::usage)?);
            let files = scaffold::contender(name, &args.language, &job).map_err(Failure::usage)?;
            Ok(begun(args.path.clone(), files, workload))
        }
        (NewWhat::Service, ["services", name] | [name]) => {
            let hint = format!(
                "a case that needs it says `services = [\"{name}\"]`; docs/manifests.md has its keys"
            );
            brought("services", name, stock::service(name), hint)
        }
        (NewWhat::Kit, ["kits", name] | [name]) => {
            let hint = format!(
                "a contender that uses it says `with = [\"kits/{name}\"]`; kits/examples/{name} is one"
            );
            brought("kits", name, stock::kit(name), hint)
        }
        (NewWhat::Workload, _) => Err(misplaced(&args.path, "workloads/NAME")),
        (NewWhat::Contender, _) => Err(misplaced(&args.path, "workloads/WORKLOAD/contenders/NAME")),
        (NewWhat::Service, _) => Err(misplaced(&args.path, "services/NAME")),
        (NewWhat::Kit, _) => Err(misplaced(&args.path, "kits/LANGUAGE")),
    }
}

/// What the binary brings along under this name.
fn brought(folder: &str, name: &str, files: Files, hint: String) -> Result<New, Failure> {
    if files.is_empty() {
        let names = stock::names(folder).join(", ");
        return Err(Failure::usage(format!("tare brings along no `{folder}/{name}`"))
            .hint(format!("there are {names}")));
    }
    Ok(New {
        folder: Path::new(folder).join(name),
        files,
        hint,
    })
}

/// Files by their paths from the lab's folder, given those from their own.
fn below(folder: &Path, files: Files) -> Files {
    let path = |file: String| folder.join(file).display().to_string();
    files.into_iter().map(|(file, text)| (path(file), text)).collect()
}

/// A script is written so that it can be run.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    context::write(path, text.as_bytes())?;
    if text.starts_with("#!") {
        let runnable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path, runnable).map_err(|error| {
            Failure::outside(format!("cannot make {} executable: {error}", path.display()))
        })?;
    }
    Ok(())
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
    Failure::usage(format!("{} is not the place for it", path.display()))
        .hint(format!("give its folder from the lab's: {expected}"))
}

/// The job of a new contender: that of the first case. A workload that was read has one.
fn first_job(workload: Workload) -> Job {
    let first = workload.cases.into_iter().next();
    first.map_or(Job::Doubling, |case| case.job)
}
