//! Runs what harnesses describe: builds, listings, samples.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tare_harness::{Command, Done, collect};
use tare_host::command::{CommandSpec, End, Run};
use tare_host::error::HostError;
use tare_host::groups::ProcessGroup;
use tare_host::keeper::Keeper;
use tare_host::process::tail;
use tare_host::spawner::Spawner;
use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::HostReading;
use tare_model::units::{Bytes, Seconds, Share};

/// The most that is read of a stream, in bytes. One that is longer is refused by its harness.
const LONGEST: u64 = (64 << 20) + 1;
/// After so many commands the spawner is renewed: it keeps what it was told, and some descriptors for each.
const MOST: usize = 64;
/// Variables of more than this much move the stack by a page, which is no other layout.
const LONGEST_PADDING: usize = 4096;
/// How many of its last lines a fault shows.
const LINES: usize = 12;

/// Runs commands one after the other, each as a process of its own with its output in files.
#[derive(Debug)]
pub struct Runner {
    spawner: Spawner,
    /// For what commands write, and for nothing else.
    folder: PathBuf,
    /// Commands that the spawner keeps.
    kept: usize,
    random: fastrand::Rng,
    /// The group of all processes. They end with it.
    _group: ProcessGroup,
}

/// A command that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    /// What it left.
    pub done: Done,
    run: Run,
}

impl Ran {
    /// What the host saw of it.
    pub(super) fn host(&self, cores: usize) -> HostReading {
        let run = &self.run;
        let (cpu, wall) = (run.user.0 + run.system.0, run.wall.as_secs_f64());
        HostReading {
            cpu: Seconds(cpu),
            thawed: Seconds(wall),
            busy: Share((cpu / (wall * cores as f64).max(1e-9)).clamp(0.0, 1.0)),
            memory_peak: run.peak.unwrap_or(Bytes(0)),
            switches: run.switches,
            ..HostReading::default()
        }
    }
}

impl Runner {
    /// A runner with a folder of its own, which is removed with it. `spawner`: tare's own binary with the argument that makes
    /// it [serve](tare_host::spawner::serve).
    ///
    /// # Errors
    /// There is no process group to be had, or the folder cannot be made.
    pub fn new(keeper: &Keeper, spawner: Vec<OsString>, folder: &Path, seed: u64) -> Result<Self, HostError> {
        fs::create_dir_all(folder).map_err(HostError::on("create the folder", folder))?;
        let group = keeper.group()?;
        Ok(Self {
            spawner: Spawner::new(spawner, group.marker()),
            folder: folder.to_owned(),
            kept: 0,
            random: fastrand::Rng::with_seed(seed),
            _group: group,
        })
    }

    /// An empty folder for what the next command writes; the last one's is gone.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn scratch(&self) -> Result<PathBuf, HostError> {
        let scratch = self.folder.join("scratch");
        match fs::remove_dir_all(&scratch) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(HostError::on("empty", &scratch)(error));
            }
            _ => {}
        }
        fs::create_dir_all(&scratch).map_err(HostError::on("create the folder", &scratch))?;
        Ok(scratch)
    }

    /// Runs a command.
    ///
    /// # Errors
    /// There is no such program, it does not end in time, or the machine is at fault. That it failed is in what it left.
    pub fn run(&mut self, command: &Command, timeout: Duration) -> Result<Ran, Fault> {
        self.run_with(command, timeout, None)
    }

    /// Runs a command with an environment of a random length: what is on the stack is then elsewhere each time, as it is on
    /// other machines and for other users.
    pub(super) fn run_padded(&mut self, command: &Command, timeout: Duration) -> Result<Ran, Fault> {
        let padding = "x".repeat(self.random.usize(..LONGEST_PADDING));
        self.run_with(command, timeout, Some(padding))
    }

    fn run_with(
        &mut self,
        command: &Command,
        timeout: Duration,
        padding: Option<String>,
    ) -> Result<Ran, Fault> {
        let mut spec = self.spec(command)?;
        let sample = padding.is_some();
        spec.env
            .extend(padding.map(|padding| ("TARE_PADDING".to_owned(), padding)));
        if self.kept >= MOST {
            self.spawner.renew();
            self.kept = 0;
        }
        let number = self
            .spawner
            .define(&spec)
            .map_err(|error| not_started(command, &error))?;
        self.kept += 1;
        let run = self.spawner.run(number, timeout)?;
        let status = match run.end {
            End::Exit(status) => status.code(),
            End::Late => return Err(self.late(command, timeout, sample)),
            End::Interrupted => {
                let text = format!("`{}` was interrupted", shown(command));
                return Err(Fault::new(FaultKind::Instrument, text));
            }
        };
        let done = self.left(command, status).map_err(|error| {
            let text = format!("could not read what `{}` wrote: {error}", shown(command));
            Fault::new(FaultKind::Instrument, text)
        })?;
        Ok(Ran { done, run })
    }

    fn left(&self, command: &Command, status: Option<i32>) -> io::Result<Done> {
        let scratch = self.folder.join("scratch");
        Ok(Done {
            status,
            stdout: beginning(&self.output())?,
            stderr: beginning(&self.errors())?,
            files: if command.reads.is_empty() {
                Default::default()
            } else {
                collect(&scratch, &command.reads)?
            },
        })
    }

    fn late(&self, command: &Command, timeout: Duration, sample: bool) -> Fault {
        let mut words = tail(&self.errors(), LINES);
        if words.trim().is_empty() {
            words = tail(&self.output(), LINES);
        }
        let words = match words.trim() {
            "" => "it said nothing".to_owned(),
            words => format!("its last words:\n    {}", words.replace('\n', "\n    ")),
        };
        let hint = match sample {
            true => "where a sample may take longer: --timeout",
            false => "run it by hand, to see what it waits for",
        };
        let text = format!(
            "`{}` had not ended after {} s, and was ended\n{words}\n\nhint: {hint}",
            shown(command),
            timeout.as_secs_f64(),
        );
        Fault::new(FaultKind::Hung, text)
    }

    fn output(&self) -> PathBuf {
        self.folder.join("output")
    }

    fn errors(&self) -> PathBuf {
        self.folder.join("errors")
    }

    fn spec(&self, command: &Command) -> Result<CommandSpec, Fault> {
        let text = |word: &OsString| {
            word.clone().into_string().map_err(|word| {
                let text = format!(
                    "{} cannot be run: {word:?} is not UTF-8\n\nhint: use a folder with another name",
                    command.program.display()
                );
                Fault::new(FaultKind::Instrument, text)
            })
        };
        let words = [command.program.clone().into_os_string()];
        let words = words.iter().chain(&command.args).map(text);
        let variable = |(name, value): &(String, OsString)| Ok((name.clone(), text(value)?));
        Ok(CommandSpec {
            argv: words.collect::<Result<_, Fault>>()?,
            env: command.env.iter().map(variable).collect::<Result<_, Fault>>()?,
            cwd: Some(command.folder.clone()),
            input: None,
            output: Some(self.output()),
            errors: Some(self.errors()),
        })
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        // What is left of it is overwritten by the next run.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn not_started(command: &Command, error: &HostError) -> Fault {
    let text = format!(
        "cannot run `{}`: {error}\n\nhint: install it, or set PATH so that it is found",
        shown(command)
    );
    Fault::new(FaultKind::MissingTool, text)
}

/// A command for messages: its program's name and first words.
fn shown(command: &Command) -> String {
    let name = command.program.file_name().unwrap_or(command.program.as_os_str());
    let words = command.args.iter().take(4).map(|word| word.to_string_lossy());
    let mut words: Vec<_> = [name.to_string_lossy()].into_iter().chain(words).collect();
    if command.args.len() > 4 {
        words.push("…".into());
    }
    words.join(" ")
}

fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}
