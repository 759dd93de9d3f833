//! Toolchains: where they are, their versions, and how to install those that are missing.

pub mod install;
mod pattern;
pub(crate) mod run;
mod version;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::Tool;

pub use version::{at_least, number_in};

use crate::substitute::substitute;

/// How long a program may take to print its version: a JVM on a busy machine takes seconds.
const VERSION_WITHIN: Duration = Duration::from_secs(60);

/// A tool that is available and new enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its placeholder's name.
    pub name: String,
    /// The program.
    pub path: PathBuf,
    /// The line that its version command prints; empty if the manifest has no such command.
    pub version: String,
}

/// A tool or package that is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The tool, or the package.
    pub name: String,
    /// What was looked for, and what was found instead.
    pub why: String,
    /// Debian packages that install it.
    pub apt: Vec<String>,
    /// Commands that install it, placeholders replaced.
    pub install: Vec<Vec<String>>,
}

/// Values of the placeholders in paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// `{tools}`: the lab's own folder of tools.
    pub tools: PathBuf,
    /// `{lab}`: the lab's folder.
    pub lab: PathBuf,
}

impl Places {
    fn values(&self) -> BTreeMap<String, String> {
        let value = |name: &str, path: &Path| (name.to_owned(), path.display().to_string());
        BTreeMap::from([value("tools", &self.tools), value("lab", &self.lab)])
    }
}

/// Finds a tool: the first place of its manifest's list with a program that is new enough.
///
/// # Errors
/// [`Missing`], with what was tried and how to install it.
pub fn find(tool: &Tool, places: &Places) -> Result<Found, Missing> {
    let mut tried = Vec::new();
    for path in pattern::candidates(&tool.find, &places.values()) {
        let version = match version_of(tool, &path, places) {
            Ok(version) => version,
            Err(why) => {
                tried.push(why);
                continue;
            }
        };
        match &tool.at_least {
            Some(least) if !at_least(&version, least) => {
                let has = number_in(&version).unwrap_or("no version that can be read");
                tried.push(format!("{} has {has}, needed is {least}", path.display()));
            }
            _ => {
                return Ok(Found {
                    name: tool.name.clone(),
                    path,
                    version,
                });
            }
        }
    }
    Err(missing(tool, places, &tried))
}

/// Debian packages of a list that are not installed; empty on a system without dpkg.
pub fn missing_packages(names: &[String]) -> Vec<Missing> {
    let absent = |name: &&String| {
        let asked = Command::new("dpkg-query")
            .args(["-W", "-f=${db:Status-Abbrev}", name.as_str()])
            .output();
        asked.is_ok_and(|answer| !answer.stdout.starts_with(b"ii"))
    };
    names
        .iter()
        .filter(absent)
        .map(|name| Missing {
            name: name.clone(),
            why: format!("the Debian package {name} is not installed"),
            apt: vec![name.clone()],
            install: Vec::new(),
        })
        .collect()
}

impl Missing {
    /// The commands that install it, one per line; empty if the manifest has none.
    pub fn hint(&self) -> String {
        let apt = (!self.apt.is_empty())
            .then(|| format!("apt-get install --no-install-recommends {}", self.apt.join(" ")));
        let commands = self.install.iter().map(|argv| argv.join(" "));
        apt.into_iter().chain(commands).collect::<Vec<_>>().join("\n")
    }

    /// The contender's fault.
    pub fn fault(missing: &[Missing]) -> Fault {
        let whys: Vec<&str> = missing.iter().map(|one| one.why.as_str()).collect();
        let hints: Vec<String> = missing
            .iter()
            .map(Missing::hint)
            .filter(|c| !c.is_empty())
            .collect();
        let hint = if hints.is_empty() {
            String::new()
        } else {
            format!(
                "\n\nhint: `--install`, or\n    {}",
                hints.join("\n").replace('\n', "\n    ")
            )
        };
        Fault::new(FaultKind::MissingTool, format!("{}{hint}", whys.join("\n")))
    }
}

fn missing(tool: &Tool, places: &Places, tried: &[String]) -> Missing {
    let found = match tried {
        [] => "found nowhere".to_owned(),
        tried => tried.join("; "),
    };
    let values = places.values();
    Missing {
        name: tool.name.clone(),
        why: format!("{}: {found} (looked for {})", tool.name, tool.find.join(", ")),
        apt: tool.apt.clone(),
        install: tool
            .install
            .iter()
            // A command with an unknown placeholder is shown as it is, and the installer refuses it.
            .map(|argv| substitute(argv, &values).unwrap_or_else(|_| argv.clone()))
            .collect(),
    }
}

/// The line with the version; empty if the manifest has no command for it.
fn version_of(tool: &Tool, path: &Path, places: &Places) -> Result<String, String> {
    if tool.version.is_empty() {
        return Ok(String::new());
    }
    let mut values = places.values();
    values.insert(tool.name.clone(), path.display().to_string());
    let argv = substitute(&tool.version, &values).map_err(|error| error.to_string())?;
    let text = run::output(&argv, VERSION_WITHIN)?;
    version::line_in(&text).ok_or_else(|| format!("`{}` printed no version: {text:?}", argv.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn places(folder: &Path) -> Places {
        Places {
            tools: folder.to_owned(),
            lab: PathBuf::from("/lab"),
        }
    }

    /// A tool whose program is a shell script.
    fn tool(folder: &Path, programs: &[(&str, &str)]) -> Tool {
        for (name, script) in programs {
            let path = folder.join(name);
            fs::write(&path, script).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Tool {
            name: "cc".to_owned(),
            find: vec!["{tools}/cc-*".to_owned()],
            version: ["sh", "{cc}", "--version"].map(str::to_owned).into(),
            at_least: Some("12.1".to_owned()),
            apt: vec!["gcc".to_owned()],
            install: vec![["fetch", "{lab}/gcc", "{tools}/gcc"].map(str::to_owned).into()],
        }
    }

    #[test]
    fn the_first_that_is_new_enough_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        // The newest by its name, too old by its output; another does not run.
        let programs = [
            ("cc-14", "echo cc 11.9"),
            ("cc-13", "exit 1"),
            ("cc-12", "echo hello; echo cc 12.10 >&2"),
            ("cc-9", "echo cc 99"),
        ];
        let found = find(&tool(folder.path(), &programs), &places(folder.path())).unwrap();
        assert_eq!(found.path, folder.path().join("cc-12"));
        assert_eq!(found.version, "cc 12.10");
    }

    #[test]
    fn what_is_missing_comes_with_what_was_found_and_the_cure() {
        let folder = tempfile::tempdir().unwrap();
        let nothing = find(&tool(folder.path(), &[]), &places(folder.path())).unwrap_err();
        assert!(
            nothing
                .why
                .contains("cc: found nowhere (looked for {tools}/cc-*)"),
            "{}",
            nothing.why
        );
        let fetch = format!("fetch /lab/gcc {}/gcc", folder.path().display());
        assert_eq!(
            nothing.hint(),
            format!("apt-get install --no-install-recommends gcc\n{fetch}")
        );
        let old = tool(folder.path(), &[("cc-9", "echo cc 9.4.0"), ("cc-8", "echo none")]);
        let missing = find(&old, &places(folder.path())).unwrap_err();
        let fault = Missing::fault(&[missing]);
        assert_eq!(fault.kind, FaultKind::MissingTool);
        for part in [
            "has 9.4.0, needed is 12.1",
            "printed no version",
            "hint: `--install`",
            "    apt-get",
            &fetch,
        ] {
            assert!(fault.detail.contains(part), "{part:?} is not in: {fault}");
        }
    }

    #[test]
    fn packages_are_asked_of_dpkg() {
        let names = ["dpkg", "tare-no-such-package"].map(str::to_owned);
        if Command::new("dpkg-query").arg("--version").output().is_err() {
            assert_eq!(missing_packages(&names), []);
            return;
        }
        let missing = missing_packages(&names);
        assert_eq!(missing.len(), 1, "{missing:?}");
        assert_eq!(
            missing[0].hint(),
            "apt-get install --no-install-recommends tare-no-such-package"
        );
    }
}
