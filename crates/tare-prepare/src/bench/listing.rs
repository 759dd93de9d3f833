//! The benchmarks of a side: its suites built, and their programs asked for what they have.

use std::path::Path;
use std::time::Duration;

use tare_harness::{Benchmark, Group, Harness, Listing, Places, Program, Suite, guessed};
use tare_host::{command, interrupt};
use tare_model::fault::{Fault, FaultKind};
use tare_rig::benchmarks::{Layout, Runner, SuiteAt};

use super::error::BenchError;
use super::request::Given;
use super::suites::suites;
use super::trees::BenchSide;
use crate::error::{PrepareError, Result};
use crate::progress::{BenchStep, Event, Progress};

/// A benchmark that a program lists.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    /// The index of its suite.
    pub(super) suite: usize,
    /// The index of its program.
    pub(super) program: usize,
    pub(super) benchmark: Benchmark,
}

/// What failed, so that benchmarks are missing: a suite, a program of it, or a group of that.
#[derive(Debug, Clone)]
pub(super) struct Failed {
    pub(super) harness: &'static str,
    pub(super) suite: String,
    pub(super) program: Option<String>,
    pub(super) group: Option<String>,
    pub(super) fault: Fault,
}

/// What a side has.
#[derive(Debug, Default)]
pub(super) struct SideListing {
    pub(super) listed: Vec<Listed>,
    pub(super) failed: Vec<Failed>,
    pub(super) remarks: Vec<String>,
    /// Whether it runs its own benchmarks after all.
    pub(super) own: bool,
}

/// Builds and lists.
pub(super) struct Lister<'a> {
    pub(super) harnesses: &'a [&'static dyn Harness],
    pub(super) timeout: Duration,
    pub(super) progress: &'a dyn Progress,
    pub(super) runner: Runner,
    /// The suites of all sides.
    pub(super) suites: Vec<SuiteAt>,
}

impl Lister<'_> {
    /// All benchmarks of a side.
    ///
    /// # Errors
    /// A person asked to stop, or the machine is at fault.
    pub(super) fn side(&mut self, index: usize, side: &BenchSide) -> Result<SideListing> {
        let mut all = SideListing::default();
        if let Some(given) = &side.given {
            let suite = self.given(given, index, side)?;
            let found = self.listed(suite, side)?;
            self.take(found, &mut all);
            return Ok(all);
        }
        let key = side.key();
        for (harness, suite) in suites(self.harnesses, &side.read()?, &side.within) {
            let folder = suite.folder.clone();
            let name = suite.name.clone();
            let found = self.built(harness, suite, index, side, key.clone())?;
            let found = match found.whole_failure() {
                Some(why) => self.with_fewer(harness, &folder, (index, side), (&name, why, found))?,
                None => found,
            };
            self.take(found, &mut all);
        }
        Ok(all)
    }

    /// A suite that does not run with all files of another revision's tests: with its benchmarks only, else with its own.
    fn with_fewer(
        &mut self,
        harness: &'static dyn Harness,
        folder: &Path,
        (index, side): (usize, &BenchSide),
        (name, why, failed): (&str, String, Found),
    ) -> Result<Found> {
        let why = first_line(&why);
        if side.lay_least(harness.name(), folder)? {
            let mut found = self.own(harness, folder, index, side)?;
            if found.whole_failure().is_none() {
                found.remarks.push(format!(
                    "{name}: of the other revision's tests {} has only the files with benchmarks, since all of them cannot be \
                     run there: {why}",
                    side.name
                ));
                return Ok(found);
            }
        }
        if !side.take_back(harness.name(), folder)? {
            return Ok(failed);
        }
        // What its own files are is another key.
        let mut found = self.own(harness, folder, index, side)?;
        found.own = true;
        found.remarks.push(format!(
            "{name}: each side runs its own benchmarks, since those of the other revision cannot be run at {} \
             (--benchmarks-from REV takes those of a third, or of the earlier): {why}",
            side.name
        ));
        Ok(found)
    }

    /// The suite of a folder, with the files that the tree has now.
    fn own(
        &mut self,
        harness: &'static dyn Harness,
        folder: &Path,
        index: usize,
        side: &BenchSide,
    ) -> Result<Found> {
        let again = suites(&[harness], &side.read()?, &side.within);
        match again.into_iter().find(|(_, suite)| suite.folder == folder) {
            Some((_, suite)) => self.built(harness, suite, index, side, side.key()),
            None => Ok(Found::default()),
        }
    }

    fn built(
        &mut self,
        harness: &'static dyn Harness,
        suite: Suite,
        index: usize,
        side: &BenchSide,
        key: Option<String>,
    ) -> Result<Found> {
        self.progress.event(&Event::Bench(BenchStep::Building {
            side: side.name,
            suite: &suite.name,
            harness: harness.name(),
        }));
        let out = side.out.join(harness.name());
        let places = Places {
            root: &side.root,
            out: &out,
        };
        let mut at = SuiteAt::new(harness, suite, &places, index as u32);
        at.key = key;
        if let Err(fault) = at.build(Layout::Usual, &mut self.runner, self.timeout) {
            stopped()?;
            let mut found = Found::default();
            found.failed.push(failed(&at, None, None, fault));
            return Ok(found);
        }
        self.listed(at, side)
    }

    /// What the programs of a suite have.
    fn listed(&mut self, at: SuiteAt, side: &BenchSide) -> Result<Found> {
        self.progress.event(&Event::Bench(BenchStep::Listing {
            side: side.name,
            suite: &at.suite.name,
        }));
        let mut found = Found::default();
        for (index, program) in at.programs.iter().enumerate() {
            let listing = match self.asked(&at, program, None)? {
                Ok(listing) => listing,
                Err(fault) => {
                    found.failed.push(failed(&at, Some(program), None, fault));
                    continue;
                }
            };
            let groups = listing.groups.clone();
            found.add(index, program, listing, side);
            for group in &groups {
                match self.asked(&at, program, Some(group))? {
                    Ok(listing) => found.add(index, program, listing, side),
                    Err(fault) => found.failed.push(failed(&at, Some(program), Some(group), fault)),
                }
            }
        }
        found.suite = Some(at);
        Ok(found)
    }

    fn asked(
        &mut self,
        at: &SuiteAt,
        program: &Program,
        group: Option<&Group>,
    ) -> Result<std::result::Result<Listing, Fault>> {
        let scratch = self.runner.scratch()?;
        let command = at.harness.list(program, group, &scratch);
        let ran = self.runner.run(&command, self.timeout);
        stopped()?;
        let listing = ran.and_then(|ran| {
            let listed = at.harness.listed(program, group, &ran.done);
            listed.map_err(|refused| Fault::new(FaultKind::Died, refused.to_string()))
        });
        Ok(listing)
    }

    /// A program that is there already, as a suite of its own.
    fn given(&self, given: &Given, index: usize, side: &BenchSide) -> Result<SuiteAt> {
        let folder = side.root.join(&side.within);
        let path = folder.join(&given.path);
        let text = path.display().to_string();
        if command::find(&text, None).is_none() {
            return Err(BenchError::NoProgram(path).into());
        }
        let suite = Suite {
            folder: side.within.clone(),
            name: given.name.clone(),
            parts: Vec::new(),
            why: text,
        };
        let places = Places {
            root: &side.root,
            out: &side.out,
        };
        let mut at = SuiteAt::new(self.harness_of(&path)?, suite, &places, index as u32);
        at.programs = vec![Program::new(&given.name, path, folder)];
        Ok(at)
    }

    /// The harness that was named, else the one that the program shows.
    fn harness_of(&self, path: &Path) -> Result<&'static dyn Harness> {
        if let [only] = self.harnesses {
            return Ok(*only);
        }
        if self.harnesses.len() < tare_harness::ALL.len() {
            return Err(BenchError::SeveralHarnesses(self.harnesses.len()).into());
        }
        let bytes = std::fs::read(path).map_err(|source| BenchError::Unreadable {
            folder: path.to_owned(),
            source,
        })?;
        Ok(guessed(&bytes).ok_or_else(|| BenchError::NotGuessed(path.to_owned()))?)
    }

    fn take(&mut self, found: Found, all: &mut SideListing) {
        let suite = self.suites.len();
        let listed = found.listed.into_iter().map(|(program, benchmark)| Listed {
            suite,
            program,
            benchmark,
        });
        all.listed.extend(listed);
        all.failed.extend(found.failed);
        all.remarks.extend(found.remarks);
        all.own |= found.own;
        self.suites.extend(found.suite);
    }
}

/// What a suite has.
#[derive(Debug, Default)]
struct Found {
    /// None if it was not built.
    suite: Option<SuiteAt>,
    /// The index of the program, and its benchmark.
    listed: Vec<(usize, Benchmark)>,
    failed: Vec<Failed>,
    remarks: Vec<String>,
    own: bool,
}

impl Found {
    /// Why nothing of the suite, or of one of its programs, can be run.
    fn whole_failure(&self) -> Option<String> {
        let whole = self.failed.iter().find(|failed| failed.group.is_none());
        whole.map(|failed| failed.fault.detail.clone())
    }

    fn add(&mut self, program: usize, of: &Program, listing: Listing, side: &BenchSide) {
        let listed = listing.benchmarks.into_iter();
        self.listed.extend(listed.map(|benchmark| (program, benchmark)));
        let remark = |out: tare_harness::LeftOut| {
            format!(
                "{}: {} of {} is left out: {}",
                side.name, out.what, of.name, out.why
            )
        };
        self.remarks.extend(listing.left_out.into_iter().map(remark));
    }
}

fn failed(at: &SuiteAt, program: Option<&Program>, group: Option<&Group>, fault: Fault) -> Failed {
    Failed {
        harness: at.harness.name(),
        suite: at.suite.name.clone(),
        program: program.map(|program| program.name.clone()),
        group: group.map(|group| group.name().to_owned()),
        fault,
    }
}

fn stopped() -> Result<()> {
    if interrupt::asked() {
        return Err(PrepareError::Interrupted);
    }
    Ok(())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
