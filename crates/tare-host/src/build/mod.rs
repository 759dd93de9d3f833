//! Builds, cached by content: the same sources, commands, environment and tool versions are built once.
//!
//! `STATE/build/WORKLOAD/CONTENDER/HASH/` holds `src` (the copy that the steps run in), `out` (what they make),
//! `log`, `lock` and, once all steps succeeded, `done`.

pub(crate) mod copy;
mod key;

pub use copy::copy_tree;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tare_model::fault::{Fault, FaultKind};
use tare_model::units::Seconds;

use crate::error::HostError;
use crate::keeper::Keeper;
use crate::process::{describe_exit, tail_words};
use crate::substitute::{BadPlaceholder, substitute, substitute_word};
use crate::sys::{self, Birth};

/// How long all steps of a build may take together, by default.
pub const BUILD_WITHIN: Duration = Duration::from_secs(15 * 60);

/// The placeholders of the output folder: a contender's, a service's.
const MADE: [&str; 2] = ["out", "state"];

/// The file that says that a build succeeded.
const DONE: &str = "done";

/// How many of its last lines a failed build shows.
const LINES: usize = 30;
const POLL: Duration = Duration::from_millis(5);

/// What to build, and from what.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// The workload's name.
    pub workload: String,
    /// The contender, `name` or `name@variant`; variants with the same steps are built separately.
    pub contender: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Files and folders from elsewhere, and their names under `with/` in the copy.
    pub with: Vec<(String, PathBuf)>,
    /// The steps, with placeholders.
    pub steps: Vec<Vec<String>>,
    /// The environment, with placeholders.
    pub env: BTreeMap<String, String>,
    /// Values of placeholders, except `{src}` and `{out}`, which the build adds.
    pub values: BTreeMap<String, String>,
    /// Names and versions of the tools: another version is another build.
    pub versions: Vec<(String, String)>,
    /// How long all steps may take together.
    pub timeout: Duration,
}

/// A build that succeeded, now or earlier.
#[derive(Debug, Clone, PartialEq)]
pub struct Built {
    /// The copy of the contender's folder in which it was built.
    pub src: PathBuf,
    /// What the build made.
    pub out: PathBuf,
    /// What the steps printed.
    pub log: PathBuf,
    /// The first twelve hexadecimal digits of the hash of everything that it was made from.
    pub hash: String,
    /// Whether it was cached.
    pub cached: bool,
    /// How long this call took.
    pub took: Seconds,
}

/// Builds a contender, unless it was built before. Waits while another process builds the same.
///
/// # Errors
/// `BuildFailed` with the command, how it ended, the log's path and its last lines; `Instrument` if the state folder
/// fails or `cancel` was set. The next call tries a failed build again.
pub fn build(keeper: &Keeper, state: &Path, recipe: &Recipe, cancel: &AtomicBool) -> Result<Built, Fault> {
    let hash = key::hash(recipe)?;
    make(keeper, &folder(state, recipe, &hash), &hash, None, recipe, cancel)
}

/// Whether [`build`] would find it built.
///
/// # Errors
/// The sources cannot be read, or a step has a placeholder that nothing fills.
pub fn is_built(state: &Path, recipe: &Recipe) -> Result<bool, Fault> {
    let hash = key::hash(recipe)?;
    Ok(is_made(&folder(state, recipe, &hash), &hash))
}

/// Whether [`make`] would find it built in a folder.
pub(crate) fn is_made(folder: &Path, hash: &str) -> bool {
    is_done(&folder.join(DONE), hash)
}

/// Has [`make`] build it again in a folder.
pub(crate) fn forget(folder: &Path) -> Result<(), HostError> {
    let done = folder.join(DONE);
    fs::remove_file(&done).map_err(HostError::on("remove", &done))
}

/// The folder of a build.
pub(crate) fn folder(state: &Path, recipe: &Recipe, hash: &str) -> PathBuf {
    let of_contender = state.join("build").join(&recipe.workload).join(&recipe.contender);
    of_contender.join(&hash[..12])
}

/// Whether a build succeeded. The file has the whole hash, since the folder's name has only a part of it.
fn is_done(file: &Path, hash: &str) -> bool {
    fs::read_to_string(file).is_ok_and(|text| text == hash)
}

/// The hash of a recipe: see [`key`].
pub(crate) fn hash(recipe: &Recipe) -> Result<String, Fault> {
    key::hash(recipe)
}

/// Builds in a folder, unless it was built there before. `owner`: the user who runs the steps and owns the folder, if not
/// the present one.
pub(crate) fn make(
    keeper: &Keeper,
    folder: &Path,
    hash: &str,
    owner: Option<u32>,
    recipe: &Recipe,
    cancel: &AtomicBool,
) -> Result<Built, Fault> {
    let began = Instant::now();
    fs::create_dir_all(folder).map_err(HostError::on("create the folder", folder))?;
    // Commands run in another folder than tare, so their paths must be absolute.
    let folder = folder.canonicalize().map_err(HostError::on("find", folder))?;
    let site = Site {
        src: folder.join("src"),
        out: folder.join("out"),
        log: folder.join("log"),
        done: folder.join(DONE),
        owner,
        deadline: began + recipe.timeout,
        cancel,
    };
    let lock = site.lock(&folder.join("lock"))?;
    let cached = is_done(&site.done, hash);
    if !cached {
        site.run(keeper, recipe)?;
        site.seal(hash)?;
    }
    drop(lock);
    Ok(Built {
        src: site.src,
        out: site.out,
        log: site.log,
        hash: hash[..12].to_owned(),
        cached,
        took: Seconds::from_duration(began.elapsed()),
    })
}

/// The folder of one build, and its deadline.
struct Site<'a> {
    src: PathBuf,
    out: PathBuf,
    log: PathBuf,
    done: PathBuf,
    owner: Option<u32>,
    deadline: Instant,
    cancel: &'a AtomicBool,
}

impl Site<'_> {
    fn lock(&self, path: &Path) -> Result<File, Fault> {
        let file = File::create(path).map_err(HostError::on("create the lock", path))?;
        while !sys::try_lock(&file).map_err(HostError::on("lock", path))? {
            self.may_go_on()?;
            if Instant::now() > self.deadline {
                return Err(Fault::new(
                    FaultKind::Instrument,
                    format!(
                        "another build holds {} for too long\n\nhint: end it",
                        path.display()
                    ),
                ));
            }
            thread::sleep(POLL);
        }
        Ok(file)
    }

    fn run(&self, keeper: &Keeper, recipe: &Recipe) -> Result<(), Fault> {
        for folder in [&self.src, &self.out] {
            if folder.exists() {
                fs::remove_dir_all(folder).map_err(HostError::on("clear", folder))?;
            }
            fs::create_dir_all(folder).map_err(HostError::on("create the folder", folder))?;
        }
        copy::copy_tree(&recipe.folder, &self.src)?;
        for (name, from) in &recipe.with {
            copy::copy_tree(from, &self.src.join("with").join(name))?;
        }
        File::create(&self.log).map_err(HostError::on("create the log", &self.log))?;
        if let Some(owner) = self.owner {
            let place = self.out.parent().unwrap_or(&self.out);
            copy::hand_over(place, owner)?;
        }
        let resolved = self.resolve(recipe)?;
        for step in &resolved.steps {
            self.step(keeper, step, &resolved.env)?;
        }
        Ok(())
    }

    fn resolve(&self, recipe: &Recipe) -> Result<Resolved, Fault> {
        let mut values = recipe.values.clone();
        values.insert("src".to_owned(), self.src.display().to_string());
        for name in MADE {
            values.insert(name.to_owned(), self.out.display().to_string());
        }
        resolve(recipe, &values).map_err(|error| {
            Fault::new(
                FaultKind::BuildFailed,
                format!("a build step of {}: {error}", recipe.contender),
            )
        })
    }

    fn step(&self, keeper: &Keeper, argv: &[String], env: &BTreeMap<String, String>) -> Result<(), Fault> {
        let Some((program, arguments)) = argv.split_first() else {
            return Ok(());
        };
        let mut log = File::options()
            .append(true)
            .open(&self.log)
            .map_err(HostError::on("open the log", &self.log))?;
        writeln!(log, "$ {}", argv.join(" ")).map_err(HostError::on("write to the log", &self.log))?;
        let again = log
            .try_clone()
            .map_err(HostError::on("open the log", &self.log))?;
        // In a process group, so that an interrupted build leaves nothing running.
        let mut group = keeper.group()?;
        let (name, value) = group.marker();
        let mut command = Command::new(program);
        command
            .args(arguments)
            .envs(env)
            .env(name, value)
            .current_dir(&self.src)
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(again);
        let birth = Birth {
            joins: group.joins()?,
            ..Birth::default()
        };
        sys::prepare(&mut command, birth).map_err(HostError::on("prepare", program))?;
        let mut child = command
            .spawn()
            .map_err(|error| self.failed(argv, &format!("it could not be started: {error}")))?;
        group.born(child.id());
        let status = self.wait(argv, &mut child);
        // A step's daemons (such as a compile server) end with it.
        group.remove()?;
        let _ = child.wait();
        match status? {
            status if status.success() => Ok(()),
            status => Err(self.failed(argv, &describe_exit(status))),
        }
    }

    fn wait(&self, argv: &[String], child: &mut std::process::Child) -> Result<ExitStatus, Fault> {
        loop {
            if let Some(status) = child.try_wait().map_err(HostError::on("wait for", &argv[0]))? {
                return Ok(status);
            }
            self.may_go_on()?;
            if Instant::now() > self.deadline {
                return Err(self.failed(argv, "it was killed because the build took too long"));
            }
            thread::sleep(POLL);
        }
    }

    fn may_go_on(&self) -> Result<(), Fault> {
        if self.cancel.load(Ordering::SeqCst) {
            return Err(Fault::new(FaultKind::Instrument, "interrupted during a build"));
        }
        Ok(())
    }

    fn failed(&self, argv: &[String], how: &str) -> Fault {
        Fault::new(
            FaultKind::BuildFailed,
            format!(
                "the build step `{}` failed in {}: {how}\n{}",
                argv.join(" "),
                self.src.display(),
                tail_words(&self.log, LINES)
            ),
        )
    }

    /// Renamed to its final name when complete: if tare is killed here, it builds again.
    fn seal(&self, hash: &str) -> Result<(), Fault> {
        let draft = self.done.with_extension("draft");
        fs::write(&draft, hash)
            .and_then(|()| fs::rename(&draft, &self.done))
            .map_err(HostError::on("write", &self.done))?;
        Ok(())
    }
}

/// A recipe's commands, ready to run.
struct Resolved {
    steps: Vec<Vec<String>>,
    env: BTreeMap<String, String>,
}

/// The steps and the environment of a recipe with these values substituted.
fn resolve(recipe: &Recipe, values: &BTreeMap<String, String>) -> Result<Resolved, BadPlaceholder> {
    let steps: Result<_, _> = recipe.steps.iter().map(|step| substitute(step, values)).collect();
    let env: Result<_, _> = recipe
        .env
        .iter()
        .map(|(key, value)| Ok((key.clone(), substitute_word(value, values)?)))
        .collect();
    Ok(Resolved {
        steps: steps?,
        env: env?,
    })
}
