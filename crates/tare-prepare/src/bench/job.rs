//! Benchmarks that can be measured: built, listed and matched.

use std::path::Path;
use std::time::Duration;

use tare_harness::{Effort, Harness};
use tare_host::{interrupt, machine};
use tare_lab::plan::Plan;
use tare_model::fault::{Fault, FaultKind};
use tare_model::settings::{BenchmarkSettings, Revisions, Settings};
use tare_model::units::Seconds;
use tare_rig::benchmarks::{BenchRig, Layout, Measured, Runner, SamplePolicy, SuiteAt};

use super::error::BenchError;
use super::listing::{Lister, SideListing};
use super::matching::{Matched, Matching, There, chosen, pattern};
use super::plan::{Tried, plan};
use super::request::{BenchPlaces, BenchRequest};
use super::suites::harnesses;
use super::trees::{BenchSide, Making, Trees, trees};
use crate::commands::keep_to;
use crate::error::{PrepareError, Result};
use crate::progress::{BenchStep, Event, Progress};
use crate::supervision::Supervision;

/// Remarks on single benchmarks beyond this number are counted, not shown.
const MOST_REMARKS: usize = 20;

/// What a person may not expect who changed a benchmark, or something that is beside it in its file.
const NOTHING_DIFFERS: &str = "the revisions differ in files of benchmarks only, and both sides run the same ones: what they measure \
                               is the same on both. --benchmarks-from each lets each side run its own";

/// A benchmark that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The harness.
    pub harness: &'static str,
    /// What runs it: a package, a target.
    pub program: String,
    /// Its name; unique in its program.
    pub name: String,
    /// The sides that have it: `before`, `after`.
    pub sides: Vec<&'static str>,
    /// Whether its own sources differ between the sides.
    pub rewritten: bool,
}

/// Benchmarks that can be measured.
pub struct BenchJob {
    request: BenchRequest,
    trees: Trees,
    matched: Vec<Matched>,
    remarks: Vec<String>,
    /// Layouts of each side that can be drawn, once a plan was made; before, those that were asked for.
    layouts: u32,
    /// What measures; none once a plan was made.
    workshop: Option<(Runner, Vec<SuiteAt>)>,
}

impl BenchJob {
    /// Finds, builds, lists and matches benchmarks. Nothing is measured yet.
    ///
    /// # Errors
    /// There is none, no benchmark of a side can be run, or a person asked to stop.
    pub fn new(
        request: BenchRequest,
        places: BenchPlaces<'_>,
        supervision: &Supervision,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let harnesses = harnesses(&request.harnesses)?;
        // What is wrong with the request is said before anything is built.
        request.only.as_deref().map(pattern).transpose()?;
        if let Some(cores) = &request.rules.cores {
            keep_to(cores)?;
        }
        let making = Making {
            places,
            harnesses: &harnesses,
            supervision,
            progress,
        };
        let trees = trees(&request.compared, making)?;
        let folder = supervision.state.join("bench");
        let spawner = supervision.helpers.spawner.clone();
        let mut lister = Lister {
            harnesses: &harnesses,
            timeout: request.rules.build_timeout,
            progress,
            runner: Runner::new(&supervision.keeper, spawner, &folder, request.rules.seed)?,
            suites: Vec::new(),
        };
        let sides = trees.sides.iter().enumerate();
        let listings = sides
            .map(|(index, side)| lister.side(index, side))
            .collect::<Result<Vec<SideListing>>>()?;
        refuse_nothing(&trees.sides, &listings, &harnesses, places.here)?;
        for suite in &mut lister.suites {
            suite.seed = request.rules.seed;
        }
        let matching = Matching {
            sides: &trees.sides,
            suites: &lister.suites,
            listings: &listings,
        };
        let matched = chosen(matching.matched()?, request.only.as_deref())?;
        let same = trees.same && !listings.iter().any(|listing| listing.own);
        let mut remarks = short(listings.into_iter().flat_map(|listing| listing.remarks).collect());
        remarks.extend(short(renamed(&trees.sides)));
        if same {
            remarks.insert(0, NOTHING_DIFFERS.to_owned());
        }
        Ok(Self {
            matched,
            remarks,
            layouts: request.rules.layouts.max(1),
            workshop: Some((lister.runner, lister.suites)),
            trees,
            request,
        })
    }

    /// The benchmarks, in the order of their listing: those of the later side, then what only the earlier one has, and what
    /// could not be listed.
    pub fn entries(&self) -> Vec<Entry> {
        let entry = |one: &Matched| Entry {
            harness: one.harness,
            program: one.program.clone(),
            name: one.name.clone(),
            sides: std::iter::zip(&self.trees.sides, &one.sides)
                .filter(|(_, there)| there.fault().is_none())
                .map(|(side, _)| side.name)
                .collect(),
            rewritten: one.rewritten(),
        };
        self.matched.iter().map(entry).collect()
    }

    /// What a reader of the results should know: what was left out, and why.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// The settings of a run by its plan: also how many layouts can be drawn, which is known then. What else they say is left
    /// to the caller.
    pub fn settings(&self) -> Settings {
        let rules = &self.request.rules;
        let (revision, revisions) = match self.trees.revisions.clone() {
            Some((Some(before), after)) => (None, Some(Revisions { before, after })),
            Some((None, only)) => (Some(only), None),
            None => (None, None),
        };
        Settings {
            revision,
            revisions,
            budget: rules.budget.map(Seconds::from_duration),
            margin: Some(rules.margin),
            alpha: Some(rules.alpha),
            seed: Some(rules.seed),
            timeout: Some(Seconds::from_duration(rules.timeout)),
            benchmarks: Some(BenchmarkSettings {
                harnesses: self.request.harnesses.clone(),
                only: self.request.only.clone(),
                benchmarks_from: self.trees.from.clone(),
                layouts: self.layouts,
                many: rules.many,
            }),
            ..Settings::default()
        }
    }

    /// Finds out how much one sample of each benchmark does, and makes the plan and the rig. It is made once.
    ///
    /// # Errors
    /// A person asked to stop.
    pub fn plan(&mut self, progress: &dyn Progress) -> Result<(Plan, BenchRig)> {
        let (mut runner, mut suites) = self.workshop.take().expect("a plan is made once");
        self.draw_layouts(&mut runner, &mut suites, progress)?;
        let rules = &self.request.rules;
        let policy = SamplePolicy {
            timeout: rules.timeout,
            build_timeout: rules.build_timeout,
            cores: machine::cores().len(),
            layouts: self.layouts,
        };
        let mut rig = BenchRig::new(runner, suites, policy);
        let tried = self.tried(&mut rig, progress)?;
        let plan = plan(&self.request, &self.trees.sides, &tried, self.layouts);
        rig.begin(tried.into_iter().map(measured).collect());
        Ok((plan, rig))
    }

    /// Finds out of which suites layouts can be drawn, by drawing the first; of files that somebody may change meanwhile all
    /// are drawn now.
    fn draw_layouts(
        &mut self,
        runner: &mut Runner,
        suites: &mut [SuiteAt],
        progress: &dyn Progress,
    ) -> Result<()> {
        if self.layouts < 2 {
            return Ok(());
        }
        let timeout = self.request.rules.build_timeout;
        for at in suites.iter_mut() {
            let side = &self.trees.sides[at.side as usize];
            if side.given.is_some() {
                // Whatever could be built here would be another program.
                let fault = Fault::new(FaultKind::BuildFailed, "the program was built already");
                remark(&mut self.remarks, one_layout(at, &fault));
                continue;
            }
            progress.event(&Event::Bench(BenchStep::DrawingLayouts {
                side: side.name,
                suite: &at.suite.name,
            }));
            let now = if side.open { self.layouts } else { 1 };
            let drawn = (1..=now).try_for_each(|number| at.build(Layout::Drawn(number), runner, timeout));
            if interrupt::asked() {
                return Err(PrepareError::Interrupted);
            }
            at.shuffles = drawn.is_ok();
            if let Err(fault) = drawn {
                remark(&mut self.remarks, one_layout(at, &fault));
            }
        }
        self.draw_alike(runner, suites, timeout)?;
        if suites.iter().all(|at| !at.shuffles) {
            self.layouts = 1;
        }
        Ok(())
    }

    /// A suite whose layouts are drawn on one side only, or by another linker there, is compared in the usual one.
    fn draw_alike(&mut self, runner: &mut Runner, suites: &mut [SuiteAt], timeout: Duration) -> Result<()> {
        let linker = |at: &SuiteAt| at.linker().filter(|_| at.shuffles);
        let odd = |at: &SuiteAt| {
            let mut same = suites.iter().filter(|other| alike(other, at));
            same.any(|other| linker(other) != linker(at))
        };
        let odd: Vec<bool> = suites.iter().map(odd).collect();
        for (at, _) in suites.iter_mut().zip(odd).filter(|(at, odd)| *odd && at.shuffles) {
            at.shuffles = false;
            let fault = Fault::new(
                FaultKind::BuildFailed,
                "those of the other side cannot be drawn in the same way",
            );
            remark(&mut self.remarks, one_layout(at, &fault));
            // It was built before, so that this only looks it up.
            let usual = at.build(Layout::Usual, runner, timeout);
            usual.map_err(|fault| self.failed_side(at.side as usize, fault))?;
        }
        Ok(())
    }

    fn failed_side(&self, side: usize, fault: Fault) -> BenchError {
        let side = &self.trees.sides[side];
        BenchError::Side {
            side: format!("{} ({})", side.name, side.summary),
            fault,
        }
    }

    /// Takes one sample of each benchmark that will be measured.
    fn tried(&self, rig: &mut BenchRig, progress: &dyn Progress) -> Result<Vec<Tried>> {
        let wanted = |one: &Matched| one.whole() && (self.request.rewritten || !one.rewritten());
        let count = self.matched.iter().filter(|one| wanted(one)).count();
        progress.event(&Event::Bench(BenchStep::Trying { count }));
        let mut all = Vec::new();
        for matched in &self.matched {
            let (mut effort, mut fault) = (None, None);
            let first = matched.sides.first().and_then(There::at);
            if let Some(at) = first.filter(|_| wanted(matched)) {
                match rig.calibrate(at) {
                    Ok(found) => effort = Some(found),
                    Err(found) => fault = Some((0, found)),
                }
            }
            if interrupt::asked() {
                return Err(PrepareError::Interrupted);
            }
            all.push(Tried {
                matched: matched.clone(),
                effort,
                fault,
            });
        }
        Ok(all)
    }
}

fn measured(tried: Tried) -> Measured {
    Measured {
        sides: tried
            .matched
            .sides
            .iter()
            .map(|there| there.at().cloned())
            .collect(),
        // Without one nothing is measured.
        effort: tried.effort.unwrap_or(Effort::Time(Duration::ZERO)),
    }
}

fn alike(one: &SuiteAt, other: &SuiteAt) -> bool {
    (one.harness.name(), &one.suite.name) == (other.harness.name(), &other.suite.name)
}

fn one_layout(at: &SuiteAt, fault: &Fault) -> String {
    let lines = fault.detail.lines().enumerate();
    let lines = lines.filter(|(index, line)| *index == 0 || line.starts_with("hint: "));
    let why = lines.map(|(_, line)| line).collect::<Vec<_>>().join("; ");
    format!(
        "{} ({}): verdicts are of one layout of each side: {why}",
        at.suite.name,
        at.harness.name()
    )
}

/// Refuses a comparison with nothing to compare, or with a side of which nothing can be run.
fn refuse_nothing(
    sides: &[BenchSide],
    listings: &[SideListing],
    harnesses: &[&'static dyn Harness],
    here: &Path,
) -> Result<()> {
    for (side, listing) in sides.iter().zip(listings) {
        if let Some(failed) = listing.failed.first().filter(|_| listing.listed.is_empty()) {
            return Err(BenchError::Side {
                side: format!("{} ({})", side.name, side.summary),
                fault: failed.fault.clone(),
            }
            .into());
        }
    }
    if listings.iter().all(|listing| listing.listed.is_empty()) {
        return Err(BenchError::NoHarness {
            folder: here.to_owned(),
            harnesses: harnesses.iter().map(|harness| harness.name()).collect(),
        }
        .into());
    }
    Ok(())
}

/// Adds a remark, unless the other side had the same.
fn remark(remarks: &mut Vec<String>, text: String) {
    if !remarks.contains(&text) {
        remarks.push(text);
    }
}

/// Which benchmarks have another name on a side, and are measured by that of both.
fn renamed(sides: &[BenchSide]) -> Vec<String> {
    let of_side = |side: &BenchSide| -> Vec<String> {
        let all = side.laid().iter().flat_map(|laid| &laid.renamed);
        all.map(|(own, name)| {
            format!(
                "{name} was renamed: it is called {own} in {} ({})",
                side.name, side.summary
            )
        })
        .collect()
    };
    sides.iter().flat_map(of_side).collect()
}

/// Each remark once, and of very many only the first.
fn short(remarks: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    remarks.into_iter().for_each(|text| remark(&mut kept, text));
    let more = kept.len().saturating_sub(MOST_REMARKS);
    kept.truncate(MOST_REMARKS);
    if more > 0 {
        kept.push(format!("{more} further remarks of this kind are left out"));
    }
    kept
}
