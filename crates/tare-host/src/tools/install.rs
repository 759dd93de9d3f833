//! Installing missing tools: Debian packages by apt-get, the rest by the manifest's own commands.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use super::Missing;
use crate::error::{HostError, Result};
use crate::process::{describe_exit, tail_words};
use crate::sys::{self, Birth};

/// The parts of the system that tests replace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct System {
    /// The command that runs `apt-get`.
    pub apt_get: Vec<String>,
    /// The file that says whether packages may start their daemons (invoke-rc.d(8)).
    pub policy: PathBuf,
    /// Whether packages may be installed: by root only.
    pub root: bool,
}

impl Default for System {
    fn default() -> Self {
        Self {
            apt_get: vec!["apt-get".to_owned()],
            policy: "/usr/sbin/policy-rc.d".into(),
            root: sys::user() == 0,
        }
    }
}

/// Installs all of `missing`: packages first, then the commands in their order. Their output goes to `log` (overwritten);
/// `progress` receives a line before each step. An interrupt takes effect only between steps: a package manager that is
/// stopped halfway leaves work behind.
///
/// # Errors
/// If packages are missing and tare does not run as root, if the manifest has no way to install something, or if a step
/// fails, with its last lines.
pub fn install(
    system: &System,
    missing: &[Missing],
    log: &Path,
    progress: &mut dyn FnMut(&str),
    cancel: &AtomicBool,
) -> Result<()> {
    let packages = packages(missing);
    refuse_early(system, missing, &packages)?;
    File::create(log).map_err(HostError::on("create the log", log))?;
    let mut step = |what: &str, argv: &[String]| -> Result<()> {
        if cancel.load(Ordering::SeqCst) {
            return Err(HostError::Other("interrupted while installing".to_owned()));
        }
        progress(what);
        run(argv, log)
    };
    if !packages.is_empty() {
        let _policy = Policy::deny(&system.policy)?;
        install_packages(system, &packages, &mut step)?;
    }
    for one in missing {
        for argv in &one.install {
            step(&format!("{}: {}", one.name, argv.join(" ")), argv)?;
        }
    }
    Ok(())
}

fn packages(missing: &[Missing]) -> Vec<String> {
    let mut names: Vec<String> = missing.iter().flat_map(|one| one.apt.clone()).collect();
    names.sort();
    names.dedup();
    names
}

fn refuse_early(system: &System, missing: &[Missing], packages: &[String]) -> Result<()> {
    if let Some(one) = missing
        .iter()
        .find(|one| one.apt.is_empty() && one.install.is_empty())
    {
        return Err(HostError::Other(format!(
            "{}\n\nhint: its manifest has no command that installs it; install it by hand",
            one.why
        )));
    }
    if !packages.is_empty() && !system.root {
        let names = packages.join(" ");
        return Err(HostError::Other(format!(
            "installing the Debian packages {names} needs root\n\nhint: sudo apt-get install --no-install-recommends {names}"
        )));
    }
    Ok(())
}

fn install_packages(
    system: &System,
    packages: &[String],
    step: &mut dyn FnMut(&str, &[String]) -> Result<()>,
) -> Result<()> {
    let apt = |arguments: &[&str]| -> Vec<String> {
        let mut argv = system.apt_get.clone();
        argv.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        argv
    };
    let with_packages = |arguments: &[&str]| -> Vec<String> {
        let mut argv = apt(arguments);
        argv.extend_from_slice(packages);
        argv
    };
    let names = packages.join(" ");
    // A bare machine has no package lists yet: then a trial run does not find the packages.
    let trial = with_packages(&["install", "--simulate", "--yes", "--no-install-recommends"]);
    let known = step(&format!("asking apt-get for {names}"), &trial).is_ok();
    if !known {
        step("apt-get update", &apt(&["update"]))?;
    }
    let real = with_packages(&[
        "install",
        "--yes",
        "--no-install-recommends",
        "-o",
        "DPkg::Lock::Timeout=300",
    ]);
    let installed = step(&format!("apt-get install {names}"), &real);
    if installed.is_ok() || !known {
        return installed;
    }
    // Old lists have versions that the archive no longer has.
    step("apt-get update", &apt(&["update"]))?;
    step(&format!("apt-get install {names}"), &real)
}

fn run(argv: &[String], log: &Path) -> Result<()> {
    let (program, arguments) = argv
        .split_first()
        .ok_or_else(|| HostError::Other("an install command is empty".to_owned()))?;
    let mut out = File::options()
        .append(true)
        .open(log)
        .map_err(HostError::on("open the log", log))?;
    writeln!(out, "$ {}", argv.join(" ")).map_err(HostError::on("write to the log", log))?;
    let err = out.try_clone().map_err(HostError::on("open the log", log))?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(err);
    // A session of its own: Ctrl-C must not reach a running package manager.
    sys::prepare(&mut command, Birth::default()).map_err(HostError::on("prepare", program))?;
    let status = command.status().map_err(HostError::on("start", program))?;
    if status.success() {
        return Ok(());
    }
    Err(HostError::Other(format!(
        "`{}` failed: {}\n{}",
        argv.join(" "),
        describe_exit(status),
        tail_words(log, 15)
    )))
}

/// Prevents packages from starting their daemons while it exists. An existing policy is left alone.
struct Policy {
    made: Option<PathBuf>,
}

impl Policy {
    fn deny(path: &Path) -> Result<Self> {
        let file = File::options()
            .write(true)
            .create_new(true)
            .mode(0o755)
            .open(path);
        match file {
            // 101: the action is forbidden by policy.
            Ok(mut file) => {
                let policy = Self {
                    made: Some(path.to_owned()),
                };
                file.write_all(b"#!/bin/sh\nexit 101\n")
                    .map_err(HostError::on("write", path))?;
                Ok(policy)
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(Self { made: None }),
            Err(error) => Err(HostError::on("create", path)(error)),
        }
    }
}

impl Drop for Policy {
    fn drop(&mut self) {
        if let Some(path) = &self.made {
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A system whose apt-get records its arguments, and fails if a file says so.
    fn system(folder: &Path) -> System {
        let apt_get = folder.join("apt-get");
        let script = format!(
            "#!/bin/sh\ncd '{}'\necho \"$DEBIAN_FRONTEND $*\" >> asked\n[ -e policy ] && echo yes >> policy-seen\n\
             case \"$*\" in *--simulate*) [ ! -e no-lists ];; \
             update) rm -f no-lists old-lists;; *) [ ! -e broken ] && [ ! -e old-lists ];; esac\n",
            folder.display()
        );
        fs::write(&apt_get, script).unwrap();
        System {
            // Run by the shell: a fork of another test may hold a new file open for writing, so that it cannot be executed.
            apt_get: vec!["sh".to_owned(), apt_get.display().to_string()],
            policy: folder.join("policy"),
            root: true,
        }
    }

    fn missing(name: &str, apt: &[&str], install: &[&[&str]]) -> Missing {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        Missing {
            name: name.to_owned(),
            why: format!("{name}: found nowhere"),
            apt: words(apt),
            install: install.iter().map(|argv| words(argv)).collect(),
        }
    }

    fn go(folder: &Path, system: &System, missing: &[Missing]) -> (Result<()>, Vec<String>) {
        let mut said = Vec::new();
        let result = install(
            system,
            missing,
            &folder.join("log"),
            &mut |line| said.push(line.to_owned()),
            &AtomicBool::new(false),
        );
        (result, said)
    }

    #[test]
    fn packages_come_first_and_once_and_lists_are_fetched_where_needed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let system = system(folder.path());
        fs::write(at("no-lists"), "").unwrap();
        let touch = at("touched").display().to_string();
        let wanted = [
            missing("b", &["gcc"], &[&["touch", &touch]]),
            missing("a", &["ghc", "gcc"], &[]),
        ];
        let (result, said) = go(folder.path(), &system, &wanted);
        result.unwrap();
        let asked = fs::read_to_string(at("asked")).unwrap();
        let asked: Vec<&str> = asked.lines().collect();
        assert_eq!(
            asked,
            [
                "noninteractive install --simulate --yes --no-install-recommends gcc ghc",
                "noninteractive update",
                "noninteractive install --yes --no-install-recommends -o DPkg::Lock::Timeout=300 gcc ghc",
            ]
        );
        assert!(at("touched").exists() && at("policy-seen").exists());
        assert!(!at("policy").exists(), "the policy is taken away");
        assert_eq!(said.len(), 4, "{said:?}");
    }

    #[test]
    fn old_lists_are_fetched_anew() {
        let folder = tempfile::tempdir().unwrap();
        let system = system(folder.path());
        fs::write(folder.path().join("old-lists"), "").unwrap();
        go(folder.path(), &system, &[missing("a", &["gcc"], &[])])
            .0
            .unwrap();
        let asked = fs::read_to_string(folder.path().join("asked")).unwrap();
        assert_eq!(asked.lines().count(), 4, "{asked}");
    }

    #[test]
    fn a_policy_that_was_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let system = system(folder.path());
        fs::write(&system.policy, "theirs").unwrap();
        go(folder.path(), &system, &[missing("a", &["gcc"], &[])])
            .0
            .unwrap();
        assert_eq!(fs::read_to_string(&system.policy).unwrap(), "theirs");
    }

    #[test]
    fn what_cannot_be_done_is_said_with_its_cure() {
        let folder = tempfile::tempdir().unwrap();
        let system = system(folder.path());
        let user = System {
            root: false,
            ..system.clone()
        };
        let error =
            |system: &System, one: Missing| go(folder.path(), system, &[one]).0.unwrap_err().to_string();
        let no_root = error(&user, missing("a", &["gcc"], &[]));
        assert!(
            no_root.contains("hint: sudo apt-get install --no-install-recommends gcc"),
            "{no_root}"
        );
        let no_way = error(&system, missing("a", &[], &[]));
        assert!(no_way.contains("install it by hand"), "{no_way}");
        fs::write(folder.path().join("broken"), "").unwrap();
        let failed = error(&system, missing("a", &["gcc"], &[]));
        assert!(
            failed.contains("failed: exit status 1") && failed.contains("log"),
            "{failed}"
        );
        assert!(
            !system.policy.exists(),
            "the policy is removed after a failure, too"
        );
        let command = error(&user, missing("a", &[], &[&["sh", "-c", "echo alas; exit 7"]]));
        assert!(
            command.contains("exit status 7") && command.contains("    alas"),
            "{command}"
        );
    }

    #[test]
    fn an_interrupt_stops_before_the_next_step() {
        let folder = tempfile::tempdir().unwrap();
        let system = system(folder.path());
        let result = install(
            &system,
            &[missing("a", &["gcc"], &[])],
            &folder.path().join("log"),
            &mut |_| {},
            &AtomicBool::new(true),
        );
        assert!(result.unwrap_err().to_string().contains("interrupted"));
        assert!(!folder.path().join("asked").exists());
    }
}
