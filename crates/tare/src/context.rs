//! What all commands share: the lab's folder, and how output is written.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use tare_model::manifest::Lab;
use tare_report::format::Format;
use tare_report::terminal::Terminal;
use tare_report::{json, terminal};
use tare_store::Store;

use crate::args::{Color, Common};
use crate::failure::Failure;

/// What to do where nothing was measured yet.
pub const MEASURE_FIRST: &str =
    "`tare time 'A' 'B'` or `tare run` measures something; results of another lab: -C DIR";

/// Shared by all commands.
pub struct Context {
    pub common: Common,
    /// Whether standard error is a terminal whose last lines can be drawn again.
    pub redraws: bool,
    folder: Option<PathBuf>,
    /// The definition of the command line, for completions and man pages.
    pub definition: fn() -> clap::Command,
}

impl Context {
    /// Finds the lab's folder. A missing one is an error only for commands that need it.
    pub fn new(common: Common, definition: fn() -> clap::Command) -> Result<Self, Failure> {
        let folder = match &common.directory {
            Some(folder) => {
                let real = folder.canonicalize();
                Some(real.map_err(|error| {
                    Failure::usage(format!("-C {}: {error}", folder.display()))
                        .hint("-C names a lab's folder (hyperfine's `-C` is --cleanup here)")
                })?)
            }
            None => std::env::current_dir().ok().and_then(|here| upwards(&here)),
        };
        Ok(Self {
            redraws: std::io::stderr().is_terminal(),
            common,
            folder,
            definition,
        })
    }

    /// The lab.
    pub fn lab(&self) -> Result<Lab, Failure> {
        match &self.folder {
            Some(folder) if folder.join("workloads").is_dir() => Ok(Lab::new(folder.clone())),
            Some(folder) => Err(
                Failure::usage(format!("{} has no folder `workloads`", folder.display()))
                    .hint("make one with `tare new workload workloads/NAME`"),
            ),
            None => Err(
                Failure::usage("neither this folder nor one above it has a folder `workloads`").hint(
                    "name the lab's folder with -C DIR, or make one with `tare new workload workloads/NAME`",
                ),
            ),
        }
    }

    /// The folder that `tare new` works from: the lab's, or this one.
    pub fn here(&self) -> Result<PathBuf, Failure> {
        match &self.folder {
            Some(folder) => Ok(folder.clone()),
            None => std::env::current_dir()
                .map_err(|error| Failure::outside(format!("no current folder: {error}"))),
        }
    }

    /// The folder for everything that tare makes.
    pub fn state(&self) -> Result<PathBuf, Failure> {
        Ok(self.lab()?.folder.join(".tare"))
    }

    /// The folder for results: the lab's state folder, or outside of any lab the user's own.
    pub fn kept(&self) -> Result<PathBuf, Failure> {
        if let Some(folder) = &self.folder {
            return Ok(folder.join(".tare"));
        }
        let set = |name: &str| {
            std::env::var_os(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        let own = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")));
        own.map(|folder| folder.join("tare")).ok_or_else(|| {
            Failure::usage("there is no lab here, and no folder of your own for results: HOME is not set")
                .hint("name a folder with -C DIR")
        })
    }

    /// The store of what was measured here.
    pub fn store(&self) -> Result<Store, Failure> {
        let path = self.kept()?.join("results.sqlite");
        if !path.exists() {
            return Err(Failure::outside(format!(
                "nothing was measured here yet: there is no {}",
                path.display()
            ))
            .hint(MEASURE_FIRST));
        }
        Store::open_existing(path).map_err(Failure::outside)
    }

    /// What to do about a folder for results that cannot be made or written.
    pub fn cannot_keep(&self) -> &'static str {
        match (&self.folder, &self.common.directory) {
            (Some(_), None) => {
                "builds and results are kept in .tare/ of the lab's folder: make that writable, or work on a copy of the lab \
                 (-C DIR)"
            }
            (Some(_), Some(_)) => {
                "builds and results are kept in .tare/ of the folder that -C names: make it writable"
            }
            (None, _) => {
                "results are kept there, since there is no lab here: name another folder with -C DIR, or by the variable \
                 XDG_STATE_HOME"
            }
        }
    }

    /// Whether data should be JSON.
    pub fn json(&self) -> bool {
        self.asked_for(&json::FORMAT)
    }

    /// Whether data should be in this format.
    pub fn asked_for(&self, format: &Format) -> bool {
        self.common.format == format
    }

    /// Whether data should be as text or as JSON, which most commands print.
    pub fn text_or_json(&self) -> bool {
        self.json() || self.asked_for(&terminal::FORMAT)
    }

    /// Properties of standard output.
    pub fn terminal(&self) -> Terminal {
        let width = terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0));
        Terminal {
            width: width.clamp(60, 120),
            color: self.colour(std::io::stdout().is_terminal()),
        }
    }

    fn colour(&self, is_terminal: bool) -> bool {
        match self.common.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        }
    }

    /// A line for people, on standard error; not with --quiet.
    pub fn say(&self, text: impl std::fmt::Display) {
        if !self.common.quiet {
            note(text);
        }
    }

    /// A line on standard error; only with --verbose.
    pub fn detail(&self, text: impl std::fmt::Display) {
        if self.common.verbose {
            note(text);
        }
    }
}

fn upwards(from: &Path) -> Option<PathBuf> {
    from.ancestors()
        .find(|folder| folder.join("workloads").is_dir())
        .map(Path::to_owned)
}

/// A path as people read it: relative to the current folder, where that is shorter.
pub fn short(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}

/// A line on standard error. That its reader went away (`2>&1 | head`) is no error.
pub fn note(text: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The bytes of a file to standard error. One that cannot be read has nothing to show.
pub fn pass_on(path: &Path) {
    if let Ok(mut file) = std::fs::File::open(path) {
        let _ = std::io::copy(&mut file, &mut std::io::stderr());
    }
}

/// Data to standard output. A reader that went away (`tare list | head`) is no error.
pub fn put(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::outside(format!(
            "cannot write to standard output: {error}"
        ))),
        _ => Ok(()),
    }
}

/// Data to a file; its folder is made where it is missing.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::outside(format!("cannot write {}: {error}", path.display()))
            .hint("name a place in a folder that can be written")
    };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, bytes).map_err(failed)
}
