//! What can be recorded on this machine, and how to make the rest possible.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::sys;

/// The kernel's setting of who may record what (kernel documentation, sysctl/kernel, perf_event_paranoid).
const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";
/// Whether the kernel shows the addresses of its functions.
const RESTRICT: &str = "/proc/sys/kernel/kptr_restrict";
/// The tracepoint's id, which perf needs.
const TRACEPOINT: [&str; 2] = [
    "/sys/kernel/tracing/events/raw_syscalls/sys_exit/id",
    "/sys/kernel/debug/tracing/events/raw_syscalls/sys_exit/id",
];

/// The highest setting at which users may record stacks of their own processes, without the kernel's part.
const USER_STACKS: i32 = 2;
/// The highest setting at which the kernel's part may be recorded, too.
const KERNEL_STACKS: i32 = 1;
/// The highest setting at which tracepoints may be recorded.
const TRACEPOINTS: i32 = -1;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ability {
    /// The program `perf`, if it is installed.
    pub perf: Option<PathBuf>,
    /// The setting; none if the kernel has no perf events.
    pub paranoid: Option<i32>,
    /// Whether the kernel hides the addresses of its functions.
    pub withheld: bool,
    /// Whether the system's tracepoints can be read.
    pub tracepoints: bool,
    /// Whether tare runs as root.
    pub root: bool,
}

/// How much of a stack can be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stacks {
    /// All of it.
    Whole,
    /// The program's part only.
    User,
}

impl Ability {
    /// Checks this machine.
    pub fn look() -> Self {
        let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<i32>().ok();
        let root = sys::user() == 0;
        let restrict = number(RESTRICT).unwrap_or(0);
        Self {
            perf: on_path("perf", std::env::var_os("PATH").as_deref()),
            paranoid: number(PARANOID),
            withheld: restrict >= 2 || (restrict == 1 && !root),
            tracepoints: TRACEPOINT.iter().any(|path| fs::read(path).is_ok()),
            root,
        }
    }

    /// Whether stacks can be sampled, and how much of them.
    ///
    /// # Errors
    /// Why not, with the setting that was found, the one that is needed, and a hint.
    pub fn stacks(&self) -> Result<(&Path, Stacks), String> {
        let perf = self.perf()?;
        let Some(paranoid) = self.paranoid else {
            return Err(format!(
                "no stacks: {PARANOID} is not there, so this kernel has no perf events\n\nhint: a kernel with \
                 CONFIG_PERF_EVENTS has them"
            ));
        };
        if self.root || paranoid <= KERNEL_STACKS {
            return Ok((perf, Stacks::Whole));
        }
        if paranoid <= USER_STACKS {
            return Ok((perf, Stacks::User));
        }
        Err(self.forbidden("no stacks", USER_STACKS))
    }

    /// Whether system calls can be recorded.
    ///
    /// # Errors
    /// As [`Ability::stacks`].
    pub fn calls(&self) -> Result<&Path, String> {
        let perf = self.perf()?;
        if !self.root && self.paranoid.is_some_and(|paranoid| paranoid > TRACEPOINTS) {
            return Err(self.forbidden("no system calls by name", TRACEPOINTS));
        }
        if !self.tracepoints {
            return Err(format!(
                "no system calls by name: {} cannot be read\n\nhint: as root, `mount -t tracefs none \
                 /sys/kernel/tracing`; or run tare as root",
                TRACEPOINT[0]
            ));
        }
        Ok(perf)
    }

    /// What is less exact than it could be, and a hint.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if let Ok((_, Stacks::User)) = self.stacks() {
            remarks.push(self.forbidden("stacks without the kernel's part", KERNEL_STACKS));
        }
        if self.withheld && self.perf.is_some() {
            remarks.push(format!(
                "the kernel's functions have no names: {RESTRICT} withholds their addresses\n\nhint: as root, \
                 `sysctl kernel.kptr_restrict=0`"
            ));
        }
        remarks
    }

    fn perf(&self) -> Result<&Path, String> {
        self.perf.as_deref().ok_or_else(|| {
            "no stacks and no system calls by name: `perf` is not on the PATH\n\nhint: apt install linux-perf"
                .to_owned()
        })
    }

    fn forbidden(&self, what: &str, needed: i32) -> String {
        let found = self.paranoid.unwrap_or_default();
        format!(
            "{what}: {PARANOID} is {found}, and has to be {needed} or less\n\nhint: as root, `sysctl \
             kernel.perf_event_paranoid={needed}`; or run tare as root"
        )
    }
}

fn on_path(name: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    let mut folders = std::env::split_paths(path?);
    folders.find_map(|folder| Some(folder.join(name)).filter(|file| file.is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn able(paranoid: i32) -> Ability {
        Ability {
            perf: Some("/usr/bin/perf".into()),
            paranoid: Some(paranoid),
            withheld: false,
            tracepoints: true,
            root: false,
        }
    }

    #[test]
    fn each_level_of_the_switch_allows_what_the_kernel_says() {
        let stacks = |paranoid| able(paranoid).stacks().map(|(_, stacks)| stacks).ok();
        assert_eq!(
            [-1, 1, 2, 3].map(stacks),
            [Some(Stacks::Whole), Some(Stacks::Whole), Some(Stacks::User), None]
        );
        assert_eq!(
            [-1, 0, 1, 4].map(|paranoid| able(paranoid).calls().is_ok()),
            [true, false, false, false]
        );
        let root = Ability {
            root: true,
            ..able(4)
        };
        assert_eq!(root.stacks().map(|(_, stacks)| stacks), Ok(Stacks::Whole));
        assert!(root.calls().is_ok());
    }

    #[test]
    fn what_is_missing_is_told_with_its_cure() {
        let none = Ability {
            perf: None,
            ..able(-1)
        };
        assert!(none.stacks().unwrap_err().contains("apt install linux-perf"));
        assert!(none.calls().unwrap_err().contains("apt install linux-perf"));
        let text = able(3).stacks().unwrap_err();
        for word in [
            "perf_event_paranoid is 3",
            "to be 2 or less",
            "sysctl kernel.perf_event_paranoid=2",
        ] {
            assert!(text.contains(word), "{word:?} is not in {text:?}");
        }
        let text = able(2).calls().unwrap_err();
        assert!(text.contains("sysctl kernel.perf_event_paranoid=-1"), "{text}");
        let text = able(2).remarks().concat();
        assert!(text.contains("perf_event_paranoid=1"), "{text}");
        let text = Ability {
            tracepoints: false,
            ..able(-1)
        }
        .calls()
        .unwrap_err();
        assert!(text.contains("mount -t tracefs"), "{text}");
        let text = Ability {
            withheld: true,
            ..able(-1)
        }
        .remarks()
        .concat();
        assert!(text.contains("kernel.kptr_restrict=0"), "{text}");
        assert_eq!(able(1).remarks(), Vec::<String>::new());
    }

    #[test]
    fn the_program_is_looked_for_where_the_path_says() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().as_os_str();
        assert_eq!(on_path("perf", Some(path)), None);
        std::fs::write(folder.path().join("perf"), "").unwrap();
        assert_eq!(on_path("perf", Some(path)), Some(folder.path().join("perf")));
        assert_eq!(on_path("perf", None), None);
    }
}
