//! Images: found, or built from a Dockerfile and kept by the content of everything that they are made from.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tare_model::fault::{Fault, FaultKind};

use super::base;
use super::call;
use super::engine::{Engine, Kind};
use super::remains::Remains;
use crate::build::{self, Recipe};
use crate::error::HostError;
use crate::keeper::Keeper;
use crate::process::tail_words;
use crate::sys;

/// How long fetching an image may take.
const PULL_WITHIN: Duration = Duration::from_secs(15 * 60);

/// How many of its last lines a failed fetch shows.
const LINES: usize = 10;

/// What to build an image from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageRecipe {
    /// The workload's name.
    pub workload: String,
    /// The contender's name.
    pub contender: String,
    /// The contender's folder; the paths below are relative to it, and do not leave it.
    pub folder: PathBuf,
    /// The Dockerfile.
    pub dockerfile: String,
    /// The folder that its `COPY` sees.
    pub context: String,
    /// Values of its `ARG`s.
    pub build_args: BTreeMap<String, String>,
    /// How long the build may take.
    pub timeout: Duration,
}

/// An image that can be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltImage {
    /// Its id: a hash of its content.
    pub id: String,
    /// The images that it begins with or copies from: names and digests.
    pub bases: Vec<(String, String)>,
    /// Of these, the images that stand in for those of their name: names, and in what they differ ([`SUBSTITUTE`]).
    pub substitutes: Vec<(String, String)>,
    /// The first twelve hexadecimal digits of the hash of everything that it was made from.
    pub hash: String,
    /// Whether it was cached.
    pub cached: bool,
}

/// The label by which an image says that it is not the registry's of its name, and in what it differs
/// (`benches/base_images.py` makes such images).
pub const SUBSTITUTE: &str = "tare.substitute";

/// An image that the engine has.
#[derive(Debug, PartialEq, Eq)]
struct Known {
    id: String,
    digest: String,
    /// What its label says; empty where it has none.
    substitute: String,
}

/// Everything that a build depends on.
struct Planned {
    hash: String,
    bases: Bases,
}

/// The images that one is made of.
#[derive(Debug, Default)]
struct Bases {
    digests: Vec<(String, String)>,
    substitutes: Vec<(String, String)>,
}

impl Bases {
    fn add(&mut self, name: String, known: Known) {
        if !known.substitute.is_empty() {
            self.substitutes.push((name.clone(), known.substitute));
        }
        self.digests.push((name, known.digest));
    }
}

/// An image by its name: as the engine has it, or fetched.
///
/// # Errors
/// `BuildFailed` if it is not here and cannot be fetched; `Instrument` if the engine fails.
pub fn named(
    keeper: &Keeper,
    state: &Path,
    engine: &Engine,
    name: &str,
    cancel: &AtomicBool,
) -> Result<BuiltImage, Fault> {
    let name = base::whole(name);
    let known = had(keeper, state, engine, &name, cancel)?;
    let (id, mut bases) = (known.id.clone(), Bases::default());
    bases.add(name, known);
    Ok(BuiltImage {
        hash: short(&id),
        bases: bases.digests,
        substitutes: bases.substitutes,
        id,
        cached: true,
    })
}

/// Builds an image, unless it was built before from the same files, arguments and base images.
///
/// # Errors
/// `BuildFailed` without the Dockerfile or a base image, or with the end of the build's log; `Instrument` if the engine fails
/// or `cancel` was set.
pub fn build(
    keeper: &Keeper,
    state: &Path,
    engine: &Engine,
    recipe: &ImageRecipe,
    cancel: &AtomicBool,
) -> Result<BuiltImage, Fault> {
    let Planned { hash, bases } = plan(engine, recipe, |name| had(keeper, state, engine, name, cancel))?;
    let steps = steps(engine, recipe, &hash);
    let folder = build::folder(state, &steps, &hash);
    let mut made = make(keeper, engine, &folder, &hash, &steps, cancel)?;
    if made.cached && look_up(engine, &id_of(&made)?)?.is_none() {
        // Somebody removed the image.
        build::forget(&folder)?;
        made = make(keeper, engine, &folder, &hash, &steps, cancel)?;
    }
    Ok(BuiltImage {
        id: id_of(&made)?,
        bases: bases.digests,
        substitutes: bases.substitutes,
        hash: made.hash,
        cached: made.cached,
    })
}

/// Whether [`build`] would find it built. Nothing is fetched.
///
/// # Errors
/// As [`build`]; also if a base image would have to be fetched.
pub fn is_built(state: &Path, engine: &Engine, recipe: &ImageRecipe) -> Result<bool, Fault> {
    let here = |name: &str| look_up(engine, name)?.ok_or_else(|| absent(name, "it was not fetched yet"));
    let planned = plan(engine, recipe, here)?;
    let steps = steps(engine, recipe, &planned.hash);
    Ok(build::is_made(
        &build::folder(state, &steps, &planned.hash),
        &planned.hash,
    ))
}

/// The hash of a build and its base images. `find` gives an image by its name.
fn plan(
    engine: &Engine,
    recipe: &ImageRecipe,
    find: impl Fn(&str) -> Result<Known, Fault>,
) -> Result<Planned, Fault> {
    let text = dockerfile(recipe)?;
    let mut bases = Bases::default();
    for name in base::of(&text, &recipe.build_args) {
        let known = find(&name)?;
        bases.add(name, known);
    }
    let mut versions = vec![("engine".to_owned(), engine.describe())];
    versions.extend(bases.digests.iter().cloned());
    let hash = build::hash(&Recipe {
        // Without the paths of this machine: the same files give the same hash everywhere.
        steps: vec![[literal(&recipe.dockerfile), literal(&recipe.context)].into()],
        env: recipe
            .build_args
            .iter()
            .map(|(name, value)| (name.clone(), literal(value)))
            .collect(),
        versions,
        ..plain(recipe)
    })?;
    Ok(Planned { hash, bases })
}

fn plain(recipe: &ImageRecipe) -> Recipe {
    Recipe {
        workload: recipe.workload.clone(),
        contender: recipe.contender.clone(),
        folder: recipe.folder.clone(),
        with: Vec::new(),
        steps: Vec::new(),
        env: BTreeMap::new(),
        values: BTreeMap::new(),
        versions: Vec::new(),
        timeout: recipe.timeout,
    }
}

/// The engine's build as a step of a build of tare's, which copies the files, keeps the log and ends what it starts.
fn steps(engine: &Engine, recipe: &ImageRecipe, hash: &str) -> Recipe {
    let mut words: Vec<String> = ["build", "--network", "host"].map(str::to_owned).into();
    if engine.kind() == Kind::Podman {
        // In a folder rather than in a container of their own, its steps stay in the build's process group.
        words.extend(["--isolation", "chroot", "--pull=never", "--force-rm"].map(str::to_owned));
        // The usual limit is above what some machines allow.
        let (files, _) = sys::hard_limits();
        words.push(format!("--ulimit=nofile={files}:{files}"));
    }
    let tag = format!(
        "localhost/tare/{}/{}:{}",
        recipe.workload,
        recipe.contender,
        &hash[..12]
    );
    words.extend(["--tag".to_owned(), tag]);
    for (name, value) in &recipe.build_args {
        words.push(format!("--build-arg={name}={}", literal(value)));
    }
    words.push("--iidfile={out}/id".to_owned());
    words.push(format!("--file={{src}}/{}", literal(&recipe.dockerfile)));
    words.push(format!("{{src}}/{}", literal(&recipe.context)));
    let fixed = |word: &String| match word.contains("{src}")
        || word.contains("{out}")
        || word.starts_with("--build-arg=")
    {
        true => word.clone(),
        false => literal(word),
    };
    let env = engine.env().into_iter();
    Recipe {
        steps: vec![engine.words(&words).iter().map(fixed).collect()],
        env: env.map(|(name, value)| (name, literal(&value))).collect(),
        ..plain(recipe)
    }
}

/// A word without placeholders.
fn literal(word: &str) -> String {
    word.replace('{', "{{").replace('}', "}}")
}

fn make(
    keeper: &Keeper,
    engine: &Engine,
    folder: &Path,
    hash: &str,
    steps: &Recipe,
    cancel: &AtomicBool,
) -> Result<build::Built, Fault> {
    let ticket = keeper.register(|name| Remains::build(engine.kind(), name).line())?;
    let remains = Remains::build(engine.kind(), ticket.name());
    let made = build::make(keeper, folder, hash, None, steps, cancel);
    // A build that succeeded leaves nothing.
    let cleared = match &made {
        Ok(_) => Ok(()),
        Err(_) => remains.end_with(engine),
    };
    if cleared.is_ok() {
        ticket.give_back();
    }
    made
}

fn id_of(made: &build::Built) -> Result<String, Fault> {
    let path = made.out.join("id");
    let text = fs::read_to_string(&path).map_err(HostError::on("read", &path))?;
    Ok(bare(text.trim()).to_owned())
}

fn dockerfile(recipe: &ImageRecipe) -> Result<String, Fault> {
    let path = recipe.folder.join(&recipe.dockerfile);
    let read = || {
        let mut bytes = Vec::new();
        // What is no file (a pipe) may never end.
        if !fs::metadata(&path)?.is_file() {
            return Err(ErrorKind::InvalidInput.into());
        }
        File::open(&path)?.take(base::MOST).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    read().map_err(|error: std::io::Error| {
        let text = format!(
            "no image can be built: {} cannot be read: {error}\n\nhint: {}",
            path.display(),
            others(&recipe.folder)
        );
        Fault::new(FaultKind::BuildFailed, text)
    })
}

/// The files of a folder that look like Dockerfiles.
fn others(folder: &Path) -> String {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names
        .filter(|name| name.to_lowercase().contains("dockerfile"))
        .collect();
    names.sort();
    match names.as_slice() {
        [] => {
            "`dockerfile` in `[container]` names a file of the contender's folder, which has none".to_owned()
        }
        some => format!(
            "`dockerfile` in `[container]` names it; there are {}",
            some.join(", ")
        ),
    }
}

/// An image that the engine has, or fetches.
fn had(
    keeper: &Keeper,
    state: &Path,
    engine: &Engine,
    name: &str,
    cancel: &AtomicBool,
) -> Result<Known, Fault> {
    if let Some(known) = look_up(engine, name)? {
        return Ok(known);
    }
    let log = state.join("containers").join("pull.log");
    let folder = log.parent().unwrap_or(state);
    fs::create_dir_all(folder).map_err(HostError::on("create the folder", folder))?;
    let out = File::create(&log).map_err(HostError::on("create the log", &log))?;
    let err = out.try_clone().map_err(HostError::on("open the log", &log))?;
    let mut command = engine.command(&["pull", "--", name].map(str::to_owned));
    command.stdout(out).stderr(err);
    let mut group = keeper.group()?;
    let status = call::run(command, Some(&group), PULL_WITHIN, Some(cancel))?;
    group.remove()?;
    if !status.success() {
        return Err(absent(
            name,
            &format!("fetching it failed: {}", tail_words(&log, LINES)),
        ));
    }
    look_up(engine, name)?.ok_or_else(|| absent(name, "fetching it brought another image"))
}

fn absent(name: &str, why: &str) -> Fault {
    let text = format!(
        "the image {name} is not here, and {why}\n\nhint: fetch it with `podman pull {name}`, or make it from a file system with \
         `podman import FILE {name}`: tare uses the images that root's engine has"
    );
    Fault::new(FaultKind::BuildFailed, text)
}

/// An image by its name or id; none if the engine does not have it.
fn look_up(engine: &Engine, name: &str) -> Result<Option<Known>, Fault> {
    let digest = match engine.kind() {
        Kind::Podman => "{{.Digest}}",
        Kind::Docker => "{{join .RepoDigests \",\"}}",
    };
    let format = format!("{{{{.Id}}}}\n{digest}\n{{{{index .Config.Labels \"{SUBSTITUTE}\"}}}}");
    let said = engine.ask(&["image", "inspect", "--format", &format, "--", name])?;
    if !said.status.success() {
        return match said.err.to_lowercase() {
            text if text.contains("no such image") || text.contains("image not known") => Ok(None),
            _ => Err(Fault::new(
                FaultKind::Instrument,
                format!(
                    "the engine cannot say whether it has the image {name}: {}",
                    said.failure()
                ),
            )),
        };
    }
    Ok(Some(told(&said.out)))
}

/// What an engine says of an image: its id, its digest and its label, a line each.
fn told(text: &str) -> Known {
    let mut lines = text.lines().map(|line| match line.trim() {
        "<none>" | "<no value>" => "",
        line => line,
    });
    let id = bare(lines.next().unwrap_or_default()).to_owned();
    let digest = match lines.next().unwrap_or_default() {
        "" => format!("sha256:{id}"),
        digest => digest.to_owned(),
    };
    Known {
        id,
        digest,
        substitute: lines.next().unwrap_or_default().to_owned(),
    }
}

fn bare(id: &str) -> &str {
    id.strip_prefix("sha256:").unwrap_or(id)
}

fn short(id: &str) -> String {
    id.chars().take(12).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_may_have_no_digest_and_no_label() {
        let known = |id: &str, digest: &str, substitute: &str| Known {
            id: id.to_owned(),
            digest: digest.to_owned(),
            substitute: substitute.to_owned(),
        };
        assert_eq!(
            told("sha256:77\n<none>\n<no value>\n"),
            known("77", "sha256:77", "")
        );
        assert_eq!(told("77\n\n"), known("77", "sha256:77", ""));
        let labelled = told("77\nsha256:88\nDebian 13 for Debian 12\n");
        assert_eq!(labelled, known("77", "sha256:88", "Debian 13 for Debian 12"));
        let mut bases = Bases::default();
        bases.add("python".to_owned(), labelled);
        bases.add("debian".to_owned(), told("1\n2\n"));
        assert_eq!((bases.digests.len(), bases.substitutes.len()), (2, 1));
    }

    fn recipe(folder: &Path) -> ImageRecipe {
        ImageRecipe {
            workload: "w".to_owned(),
            contender: "c".to_owned(),
            folder: folder.to_owned(),
            dockerfile: "Dockerfile".to_owned(),
            context: ".".to_owned(),
            build_args: BTreeMap::from([("A".to_owned(), "{b}".to_owned())]),
            timeout: Duration::from_secs(1),
        }
    }

    #[test]
    fn a_missing_dockerfile_is_named_with_those_that_there_are() {
        let folder = tempfile::tempdir().unwrap();
        let nothing = dockerfile(&recipe(folder.path())).unwrap_err();
        assert_eq!(nothing.kind, FaultKind::BuildFailed);
        assert!(nothing.detail.contains("which has none"), "{nothing}");
        fs::write(folder.path().join("page.dockerfile"), "FROM scratch").unwrap();
        let other = dockerfile(&recipe(folder.path())).unwrap_err();
        assert!(
            other.detail.contains("hint: ") && other.detail.contains("there are page.dockerfile"),
            "{other}"
        );
    }

    #[test]
    fn braces_are_no_placeholders() {
        assert_eq!(literal("{b}"), "{{b}}");
    }
}
