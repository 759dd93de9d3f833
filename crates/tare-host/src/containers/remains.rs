//! What is left of a container or of a build of an image when tare is killed, and its removal. The processes themselves are
//! in process groups, which are ended first.

use std::fs;
use std::path::Path;

use super::engine::{Engine, Kind};
use crate::error::{HostError, Result};
use crate::groups::remove_everywhere;
use crate::registry::is_group_name;

/// Something that an engine keeps for tare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remains {
    engine: Kind,
    name: String,
    what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// A container, and the path of the cgroups that it runs in.
    Container { cgroup: String },
    /// Half an image.
    Build,
}

impl Remains {
    pub(super) fn container(engine: Kind, name: &str, cgroup: &str) -> Self {
        Self {
            engine,
            name: name.to_owned(),
            what: What::Container {
                cgroup: cgroup.to_owned(),
            },
        }
    }

    pub(super) fn build(engine: Kind, name: &str) -> Self {
        Self {
            engine,
            name: name.to_owned(),
            what: What::Build,
        }
    }

    /// The name in the registry: a container's is also its name in the engine.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// One line that holds all that another process needs to remove it.
    pub(super) fn line(&self) -> String {
        let engine = self.engine.name();
        match &self.what {
            What::Container { cgroup } => format!("container\t{}\t{engine}\t{cgroup}", self.name),
            What::Build => format!("image-build\t{}\t{engine}", self.name),
        }
    }

    /// What a [`line`](Self::line) that another process wrote says; none where the line is not one of tare's.
    pub(crate) fn adopt(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split('\t').collect();
        let (what, name, engine) = (*words.first()?, *words.get(1)?, Kind::of(words.get(2)?)?);
        let found = match (what, words.get(3)) {
            // A path that does not end in the name of a group is not one that tare made.
            ("container", Some(cgroup)) if is_cgroup(cgroup) => Self::container(engine, name, cgroup),
            ("image-build", None) => Self::build(engine, name),
            _ => return None,
        };
        (is_group_name(name) && found.line() == line).then_some(found)
    }

    /// Removes it, in another process than the one that made it. `state`: the lab's state folder.
    pub(crate) fn end(&self, state: &Path) -> Result<()> {
        let engine = Engine::to_remove(self.engine, state)?;
        match &self.what {
            What::Container { cgroup } => {
                engine.remove_orphan(&self.name)?;
                remove_everywhere(cgroup)
            }
            What::Build => self.end_with(&engine),
        }
    }

    /// Removes it. May be called again.
    pub(super) fn end_with(&self, engine: &Engine) -> Result<()> {
        match &self.what {
            What::Container { cgroup } => {
                engine.remove(&self.name)?;
                remove_everywhere(cgroup)
            }
            What::Build => match self.engine {
                Kind::Podman => clear(engine),
                // Its daemon ends what nobody waits for.
                Kind::Docker => Ok(()),
            },
        }
    }
}

fn is_cgroup(path: &str) -> bool {
    let mut parts = path.split('/');
    path.starts_with('/') && !path.contains("..") && parts.next_back().is_some_and(is_group_name)
}

/// Removes what a killed build left in the lab's storage: containers that it worked in, with their mounts, layers that
/// belong to no image, and scratch files. Only one run at a time works in a lab, so they are nobody else's.
fn clear(engine: &Engine) -> Result<()> {
    let listed = engine.ask(&["ps", "--all", "--external", "--quiet", "--no-trunc"])?;
    let mut steps = Vec::new();
    let ids: Vec<&str> = listed
        .out
        .lines()
        .map(str::trim)
        .filter(|id| !id.is_empty())
        .collect();
    if !ids.is_empty() {
        steps.push([&["rm", "--force", "--time", "0"], ids.as_slice()].concat());
    }
    steps.push(vec!["image", "prune", "--force"]);
    for step in steps {
        let said = engine.ask(&step)?;
        if !said.status.success() {
            return Err(HostError::Other(format!(
                "what a build left could not be removed: `podman {}` failed: {}",
                step.join(" "),
                said.failure()
            )));
        }
    }
    let scratch = engine.place().scratch();
    fs::remove_dir_all(&scratch)
        .and_then(|()| fs::create_dir_all(&scratch))
        .map_err(HostError::on("clear", &scratch))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_gives_it_back_and_nothing_else_does() {
        for remains in [
            Remains::container(Kind::Podman, "tare-ab-2", "/a/tare-ab-1"),
            Remains::container(Kind::Docker, "tare-ab-2", "/tare-ab-1"),
            Remains::build(Kind::Podman, "tare-ab-3"),
        ] {
            assert_eq!(Remains::adopt(&remains.line()), Some(remains));
        }
        for bad in [
            "",
            "container",
            "container\ttare-ab-2\tpodman",
            "container\ttare-ab-2\t/bin/sh\t/tare-ab-1",
            "container\t--all\tpodman\t/tare-ab-1",
            "container\ttare-ab-2\tpodman\t/system.slice",
            "container\ttare-ab-2\tpodman\t/../tare-ab-1",
            "container\ttare-ab-2\tpodman\t/tare-ab-1\tmore",
            "image-build\ttare-ab-2\tpodman\tmore",
            "v2\ttare-ab-2\t/x/tare-ab-2",
        ] {
            assert_eq!(Remains::adopt(bad), None, "{bad:?}");
        }
    }
}
