//! A suite of benchmarks in the tree of one side: built, in one layout or several.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tare_harness::{Command, Done, Harness, Places, Program, Refused, Suite, Way, not_built};
use tare_host::error::HostError;
use tare_host::fingerprint;
use tare_host::interrupt;
use tare_model::fault::{Fault, FaultKind};

use super::runner::Runner;

/// The first line of the file that says what is kept; another one where that is kept in another way.
const KEPT: &str = "tare benchmarks 2";

/// Where a linker puts functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Where it does by itself.
    Usual,
    /// In a random order. Counted from 1.
    Drawn(u32),
}

/// So many layouts of a side a run draws from: those that a run before drew, too, need not be linked again.
const POOL: u32 = 64;

/// The layout of a pool that is drawn as the `number`th, counted from 1, by a run's seed; all of them before one comes again. What
/// is beyond the pool is a layout of its own.
fn drawn_of(pool: u32, number: u32, seed: u64) -> u32 {
    let mut order: Vec<u32> = (0..pool).collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut order);
    let index = number.saturating_sub(1);
    order.get(index as usize).copied().unwrap_or(index)
}

impl Layout {
    /// The layout of a pass.
    pub(super) fn of(pass: u32) -> Self {
        Layout::Drawn(pass + 1)
    }
}

/// A suite in the tree of one side.
pub struct SuiteAt {
    /// Its harness.
    pub harness: &'static dyn Harness,
    /// The suite.
    pub suite: Suite,
    /// The root of the tree.
    root: PathBuf,
    /// The folder for what is built.
    out: PathBuf,
    /// Hash of the sources; none: it is not known, and builds are made each time.
    pub key: Option<String>,
    /// The index of the side, so that both sides draw layouts of their own.
    pub side: u32,
    /// The run's, by which layouts are drawn.
    pub seed: u64,
    /// Whether further layouts can be drawn.
    pub shuffles: bool,
    /// What was built, in the layout of now.
    pub programs: Vec<Program>,
    /// The linker that draws layouts, once one did.
    linker: Option<&'static str>,
    /// Hash of all that builds depend on, once it was looked for; none within: they are made each time.
    made: Option<Option<String>>,
}

impl std::fmt::Debug for SuiteAt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SuiteAt")
            .field("harness", &self.harness.name())
            .field("suite", &self.suite)
            .field("programs", &self.programs)
            .finish_non_exhaustive()
    }
}

impl SuiteAt {
    /// A suite that is not built yet. `places`: the root of its tree, and the folder for what is built.
    pub fn new(harness: &'static dyn Harness, suite: Suite, places: &Places<'_>, side: u32) -> Self {
        Self {
            harness,
            suite,
            root: places.root.to_owned(),
            out: places.out.to_owned(),
            key: None,
            side,
            seed: 0,
            shuffles: false,
            programs: Vec::new(),
            linker: None,
            made: None,
        }
    }

    /// Builds it in a layout, or finds it built. Its programs are those of the layout then.
    ///
    /// # Errors
    /// It does not build. The programs stay those of before.
    pub fn build(&mut self, layout: Layout, runner: &mut Runner, timeout: Duration) -> Result<(), Fault> {
        if self.made.is_none() {
            self.made = Some(self.made_of(runner, timeout));
        }
        self.programs = match layout {
            Layout::Usual => {
                let commands = self.harness.build(&self.suite, &self.places()).map_err(refused)?;
                self.found_or_built(&self.place("usual"), &commands, runner, timeout)?
            }
            Layout::Drawn(number) => self.drawn(number, runner, timeout)?,
        };
        Ok(())
    }

    /// The linker that draws its layouts; none as long as none was drawn.
    pub fn linker(&self) -> Option<&'static str> {
        self.linker
    }

    /// The programs in a drawn layout: by the linker of the layouts before, or by the first that can do it.
    fn drawn(&mut self, number: u32, runner: &mut Runner, timeout: Duration) -> Result<Vec<Program>, Fault> {
        let layout = drawn_of(POOL, number, self.seed);
        // No two builds of a run have the same seed.
        let seed = u64::from(2 * layout + self.side + 1);
        let ways = self
            .harness
            .shuffle(&self.suite, &self.places(), &self.programs, seed);
        let mut tried = Vec::new();
        for Way { linker, commands } in ways {
            if self.linker.is_some_and(|ours| ours != linker) {
                continue;
            }
            let place = self.place(&format!("layout-{layout}-of-{}-by-{linker}", self.side));
            match self.found_or_built(&place, &commands, runner, timeout) {
                Ok(programs) => {
                    self.linker = Some(linker);
                    return Ok(programs);
                }
                Err(fault) if self.linker.is_some() || interrupt::asked() => return Err(fault),
                Err(_) => tried.push(linker),
            }
        }
        let why = match tried.is_empty() {
            true => format!(
                "nothing of {} is linked that could be put in another order",
                self.harness.name()
            ),
            false => format!(
                "no linker here puts functions in a random order: tried {}\n\nhint: install lld",
                tried.join(", ")
            ),
        };
        Err(Fault::new(FaultKind::BuildFailed, why))
    }

    fn places(&self) -> Places<'_> {
        Places {
            root: &self.root,
            out: &self.out,
        }
    }

    /// The sources, and the versions of the tools that build them.
    fn made_of(&self, runner: &mut Runner, timeout: Duration) -> Option<String> {
        let mut texts = vec![self.key.clone()?.into_bytes()];
        for command in self.harness.tools(&self.suite, &self.places()) {
            let done = runner.run(&command, timeout).ok()?.done;
            texts.push(Some(done.stdout).filter(|_| done.status == Some(0))?);
        }
        (texts.len() > 1).then(|| fingerprint::of_texts(texts))
    }

    /// The folder of a layout's executables.
    fn place(&self, layout: &str) -> PathBuf {
        let folder = self.suite.folder.as_os_str().as_encoded_bytes();
        let suite = &fingerprint::of_texts([self.harness.name().as_bytes(), folder])[..12];
        self.out.join("kept").join(suite).join(layout)
    }

    fn found_or_built(
        &self,
        place: &Path,
        commands: &[Command],
        runner: &mut Runner,
        timeout: Duration,
    ) -> Result<Vec<Program>, Fault> {
        if let Some(programs) = self.kept(place) {
            return Ok(programs);
        }
        // What is half done must not be taken for done.
        remove(place)?;
        fs::create_dir_all(place).map_err(HostError::on("create the folder", place))?;
        let mut all = Vec::new();
        for command in commands {
            let done = runner.run(command, timeout)?.done;
            if done.status != Some(0) {
                return Err(refused(not_built(&self.suite, &done)));
            }
            all.push(done);
        }
        let programs = self
            .harness
            .built(&self.suite, &self.places(), &all)
            .map_err(refused)?;
        let programs = copied(programs, &self.out, place)?;
        self.keep(place, &all)?;
        Ok(programs)
    }

    /// Keeps what the commands printed, since that may say what was built.
    fn keep(&self, place: &Path, done: &[Done]) -> Result<(), Fault> {
        let Some(Some(key)) = &self.made else {
            return Ok(());
        };
        let write = |name: &str, bytes: &[u8]| {
            let path = place.join(name);
            fs::write(&path, bytes).map_err(HostError::on("write", &path))
        };
        for (index, done) in done.iter().enumerate() {
            write(&format!("printed-{index}"), &done.stdout)?;
        }
        Ok(write(
            "key",
            format!("{KEPT}\n{key}\n{}\n", done.len()).as_bytes(),
        )?)
    }

    /// What was built before of the same; none if anything is missing.
    fn kept(&self, place: &Path) -> Option<Vec<Program>> {
        let key = self.made.as_ref()?.as_ref()?;
        let text = fs::read_to_string(place.join("key")).ok()?;
        let count = text.strip_prefix(&format!("{KEPT}\n{key}\n"))?;
        let count: usize = count.trim_end().parse().ok()?;
        let done = |index: usize| {
            Some(Done {
                status: Some(0),
                stdout: fs::read(place.join(format!("printed-{index}"))).ok()?,
                ..Done::default()
            })
        };
        let done: Option<Vec<Done>> = (0..count).map(done).collect();
        let programs = self.harness.built(&self.suite, &self.places(), &done?).ok()?;
        let found = |(index, program): (usize, Program)| {
            if !program.executable.starts_with(&self.out) {
                return Some(program);
            }
            let copy = copy_of(&program, index, place);
            copy.is_file().then(|| program.moved(copy))
        };
        programs.into_iter().enumerate().map(found).collect()
    }
}

/// Executables as copies in a folder of their own, so that the next build does not replace them.
fn copied(programs: Vec<Program>, out: &Path, place: &Path) -> Result<Vec<Program>, Fault> {
    let copied = |(index, program): (usize, Program)| {
        if !program.executable.starts_with(out) {
            return Ok(program);
        }
        let copy = copy_of(&program, index, place);
        let folder = copy.parent().unwrap_or(place);
        let made = fs::create_dir_all(folder).and_then(|()| fs::copy(&program.executable, &copy));
        made.map_err(HostError::on("copy", &program.executable))?;
        Ok(program.moved(copy))
    };
    programs.into_iter().enumerate().map(copied).collect()
}

fn copy_of(program: &Program, index: usize, place: &Path) -> PathBuf {
    let name = program.executable.file_name().unwrap_or_default();
    place.join(index.to_string()).join(name)
}

fn remove(place: &Path) -> Result<(), HostError> {
    match fs::remove_dir_all(place) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(HostError::on("remove", place)(error)),
        _ => Ok(()),
    }
}

fn refused(refused: Refused) -> Fault {
    Fault::new(FaultKind::BuildFailed, refused.to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_run_draws_each_layout_once_and_another_run_others() {
        let of = |seed: u64, count: u32| -> Vec<u32> {
            (1..=count).map(|number| drawn_of(64, number, seed)).collect()
        };
        assert_eq!(of(7, 8), of(7, 8), "a run that is continued has the same");
        assert_eq!(of(7, 80).into_iter().collect::<BTreeSet<u32>>().len(), 80);
        let runs: BTreeSet<Vec<u32>> = (0..20).map(|seed| of(seed, 8)).collect();
        assert_eq!(runs.len(), 20);
        let drawn: BTreeSet<u32> = runs.into_iter().flatten().collect();
        assert!(drawn.len() > 50, "of all of the pool: {drawn:?}");
    }
}
