//! The engine: podman or docker, whichever is there and answers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::call::{Said, call};
use super::place::Place;
use crate::command;
use crate::error::{HostError, Result};
use crate::sys;
use crate::tools::{Missing, number_in, run};

/// How long an engine may take to say what it is, or what an image is: a busy machine takes seconds.
const ANSWER_WITHIN: Duration = Duration::from_secs(60);

/// How long removing a container may take.
const REMOVE_WITHIN: Duration = Duration::from_secs(60);

/// How many times a container is removed until it is gone: podman 4.3 refuses one whose monitor was killed once, and then
/// takes note of that.
const TRIES: usize = 3;

/// Where runtimes keep what they know of root's containers.
const STATES: [&str; 2] = ["/run/runc", "/run/crun"];

/// Debian packages of an engine: itself, a runtime that works with every kind of cgroups, and the least init.
const PACKAGES: [&str; 3] = ["podman", "runc", "catatonit"];

/// Which engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Podman,
    Docker,
}

/// An engine that answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Engine {
    kind: Kind,
    program: PathBuf,
    version: String,
    /// What podman runs containers with: path, name and version.
    runtime: Option<(PathBuf, String)>,
    place: Place,
}

/// Why no container can run here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoEngine {
    /// It can be installed.
    Missing(Missing),
    /// What else would have to change, with a hint.
    Impossible(String),
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Podman => "podman",
            Self::Docker => "docker",
        }
    }

    /// The kind of a name.
    pub(super) fn of(name: &str) -> Option<Self> {
        [Self::Podman, Self::Docker]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

impl Engine {
    /// Finds an engine, podman before docker. What it makes for the lab is kept in the state folder, once that is
    /// [set up](Self::set_up).
    ///
    /// # Errors
    /// What was tried, and what would help.
    pub fn find(state: &Path) -> std::result::Result<Self, NoEngine> {
        if sys::user() != 0 {
            let text = "containers need root here: their processes are put into control groups and network namespaces of \
                        tare's\n\nhint: run tare as root, or leave these contenders out with `--except`";
            return Err(NoEngine::Impossible(text.to_owned()));
        }
        let mut tried = Vec::new();
        for kind in [Kind::Podman, Kind::Docker] {
            match Self::answers(kind, state) {
                Ok(engine) => return Ok(engine),
                Err(why) => tried.push(format!("{}: {why}", kind.name())),
            }
        }
        Err(NoEngine::Missing(Missing {
            name: Kind::Podman.name().to_owned(),
            why: format!("no container engine works here: {}", tried.join("; ")),
            apt: PACKAGES.map(str::to_owned).into(),
            install: Vec::new(),
        }))
    }

    /// An engine of this kind, if it answers.
    fn answers(kind: Kind, state: &Path) -> std::result::Result<Self, String> {
        let program = command::find(kind.name(), None).ok_or("not on the PATH")?;
        let asks: &[&str] = match kind {
            Kind::Podman => &["--version"],
            // Without its daemon it answers for itself only.
            Kind::Docker => &["version", "--format", "{{.Server.Version}}"],
        };
        let version = said(&program, asks)?;
        let version = number_in(&version).ok_or_else(|| format!("printed no version: {version:?}"))?;
        let runtime = match kind {
            Kind::Podman => Some(runtime()?),
            Kind::Docker => {
                let driver = said(&program, &["info", "--format", "{{.CgroupDriver}}"])?;
                if driver.trim() != "cgroupfs" {
                    return Err(format!(
                        "its control groups are made by {}, and have to be made by cgroupfs (`native.cgroupdriver` of dockerd)",
                        driver.trim()
                    ));
                }
                None
            }
        };
        Ok(Self {
            kind,
            version: version.to_owned(),
            program,
            runtime,
            place: Place::of(state),
        })
    }

    /// Makes the folders and files that it works in.
    ///
    /// # Errors
    /// [`HostError::Os`] if the state folder, or `/run`, cannot be written.
    pub fn set_up(&self) -> Result<()> {
        match self.kind {
            Kind::Podman => self.place.make(),
            Kind::Docker => Ok(()),
        }
    }

    /// The engine of this name, for removing what another tare made with it.
    pub(super) fn to_remove(kind: Kind, state: &Path) -> Result<Self> {
        Self::answers(kind, state).map_err(|why| {
            HostError::Other(format!("{} is needed to remove a container: {why}", kind.name()))
        })
    }

    /// Its name and version, and those of its runtime: `podman 4.3.1 with runc 1.1.5`.
    pub fn describe(&self) -> String {
        let own = format!("{} {}", self.kind.name(), self.version);
        match &self.runtime {
            Some((_, runtime)) => format!("{own} with {runtime}"),
            None => own,
        }
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    /// The words of a call: the program, its options, and these.
    pub(super) fn words(&self, words: &[String]) -> Vec<String> {
        let mut all = vec![self.program.display().to_string()];
        if self.kind == Kind::Podman {
            all.extend(self.place.words());
            if let Some((runtime, _)) = &self.runtime {
                all.extend(["--runtime".to_owned(), runtime.display().to_string()]);
            }
        }
        all.extend_from_slice(words);
        all
    }

    /// The environment of a call.
    pub(super) fn env(&self) -> Vec<(String, String)> {
        let env = self.place.env().into_iter();
        env.filter(|_| self.kind == Kind::Podman)
            .map(|(name, path)| (name.to_owned(), path.display().to_string()))
            .collect()
    }

    /// A call, to be started.
    pub(super) fn command(&self, words: &[String]) -> Command {
        let all = self.words(words);
        let mut command = Command::new(&all[0]);
        command.args(&all[1..]).envs(self.env());
        command
    }

    /// Asks it something.
    pub(super) fn ask(&self, words: &[&str]) -> Result<Said> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        call(self.command(&words), ANSWER_WITHIN)
    }

    /// Removes a container, whatever its state; that there is none is no error.
    pub(super) fn remove(&self, name: &str) -> Result<()> {
        let options: &[&str] = match self.kind {
            Kind::Podman => &["rm", "--force", "--time", "0", "--ignore", "--volumes"],
            Kind::Docker => &["rm", "--force", "--volumes"],
        };
        let words: Vec<String> = options
            .iter()
            .chain(&[name])
            .map(|word| (*word).to_owned())
            .collect();
        let mut failure = String::new();
        for _ in 0..TRIES {
            let said = call(self.command(&words), REMOVE_WITHIN)?;
            if said.status.success() || said.err.to_lowercase().contains("no such container") {
                return Ok(());
            }
            failure = said.failure();
        }
        Err(HostError::Other(format!(
            "`{} rm {name}` failed: {failure}",
            self.kind.name()
        )))
    }

    /// Removes a container whose monitor was killed with it, so that nobody had the runtime forget it.
    pub(super) fn remove_orphan(&self, name: &str) -> Result<()> {
        let id = match self.kind {
            Kind::Podman => {
                self.ask(&["container", "inspect", "--format", "{{.Id}}", name])?
                    .out
            }
            Kind::Docker => String::new(),
        };
        self.remove(name)?;
        let is_id = id.len() == 64 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        for state in STATES.iter().filter(|_| is_id) {
            let folder = Path::new(state).join(&id);
            if folder.is_dir() {
                fs::remove_dir_all(&folder).map_err(HostError::on("remove", &folder))?;
            }
        }
        Ok(())
    }
}

fn said(program: &Path, words: &[&str]) -> std::result::Result<String, String> {
    let words = words.iter().map(|word| (*word).to_owned());
    let argv: Vec<String> = std::iter::once(program.display().to_string())
        .chain(words)
        .collect();
    run::output(&argv, ANSWER_WITHIN)
}

/// The runtime: crun refuses a machine with both kinds of cgroups (it did as of 1.8), runc takes every kind.
fn runtime() -> std::result::Result<(PathBuf, String), String> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let names: &[&str] = if has_v1(&mounts) {
        &["runc"]
    } else {
        &["crun", "runc"]
    };
    for name in names {
        let Some(path) = command::find(name, None) else {
            continue;
        };
        let version = said(&path, &["--version"])?;
        let version = number_in(&version).unwrap_or("of an unknown version");
        return Ok((path, format!("{name} {version}")));
    }
    Err(format!("its runtime is missing: {}", names.join(" or ")))
}

/// Whether hierarchies of cgroup v1 are mounted.
fn has_v1(mounts: &str) -> bool {
    let kinds = mounts.lines().filter_map(|line| line.split_once(" - "));
    kinds
        .filter_map(|(_, right)| right.split(' ').next())
        .any(|kind| kind == "cgroup")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_cgroups_are_told_apart() {
        assert!(has_v1(
            "27 25 0:25 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer"
        ));
        assert!(!has_v1("26 25 0:24 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw"));
        assert!(!has_v1(""));
    }

    #[test]
    fn kinds_go_by_their_names() {
        for kind in [Kind::Podman, Kind::Docker] {
            assert_eq!(Kind::of(kind.name()), Some(kind));
        }
        assert_eq!(Kind::of("sh"), None);
    }
}
