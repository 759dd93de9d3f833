//! What to measure, and by which rules.

use std::ops::Range;

use tare_analysis::Expected;
use tare_model::claim::Claim;
use tare_model::ids::ContenderId;

use tare_model::driving::{Batch, Driving, Load};
use tare_model::manifest::{self, Sweep};
use tare_model::metric::Mode;
use tare_model::placement::Placement;
use tare_model::published::Published;
use tare_model::record::{ArenaRecord, EntrantRecord};
use tare_model::settings::Many;
use tare_model::units::{PerSecond, Seconds};

/// A whole run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Groups of contenders that are resident together.
    pub groups: Vec<Group>,
    /// The rules.
    pub rules: Rules,
}

/// Contenders that are resident together: one case of one workload, in one or more modes, at one or more sizes.
///
/// Contenders are compared within an *arena*: a mode, at one size where the case is swept. Arenas are numbered mode by mode,
/// and within a mode size by size.
#[derive(Debug, Clone)]
pub struct Group {
    /// The workload's name.
    pub workload: String,
    /// One line on the job.
    pub summary: String,
    /// The case.
    pub case: String,
    /// One line on the case.
    pub case_summary: String,
    /// Whether the contenders time their own loops, without a load over sockets.
    pub in_process: bool,
    /// Whether an open loop busy-waits for its send times: only on cores of its own.
    pub awake: bool,
    /// Cores of each side.
    pub placement: Placement,
    /// The floor, if it takes part.
    pub floor: Option<ContenderId>,
    /// The contender that ratios are relative to.
    pub baseline: Option<ContenderId>,
    /// The contenders; one with a fault does not take part and is only reported.
    pub entrants: Vec<EntrantRecord>,
    /// How the warm-up loads them.
    pub warm_up: manifest::ModeDriving,
    /// Number of warm-up rounds before the first launch, without judging steadiness: for contenders that are not resident
    /// and have nothing to warm up. None: every launch warms up until steady.
    pub warm_up_rounds: Option<u32>,
    /// How they are measured; at least one.
    pub modes: Vec<ModePlan>,
    /// The sizes that each mode is measured at.
    pub sweep: Option<Sweep>,
    /// The records of an earlier run that this one continues, one for each arena. Empty: none.
    pub prior: Vec<ArenaRecord>,
    /// What stored runs of the same contenders say of its launches.
    pub expected: Option<Expected>,
}

/// One mode of a group.
#[derive(Debug, Clone)]
pub struct ModePlan {
    /// How the job is driven.
    pub driving: manifest::ModeDriving,
    /// The rate that was set (cost mode); none: half of the slowest steady contender's capacity.
    pub rate: Option<PerSecond>,
    /// Published figures to show beside ours.
    pub published: Vec<Published>,
    /// Claims of the report, to be checked against what is measured.
    pub claims: Vec<Claim>,
}

/// The least number of rounds of a launch at each size of a sweep: the centre of fewer is not robust against a burst of
/// noise.
const LEAST_ROUNDS: u32 = 6;

/// Rounds of a batch before a launch's measured ones: a batch opens and closes connections, which the warm-up does not.
/// In trials (two cores) Node's first was 1.5 times as long as its third, Java's 1.4 times, those of others the same.
pub(crate) const FIRST_BATCHES: u32 = 2;

/// The rules of a run.
#[derive(Debug, Clone)]
pub struct Rules {
    /// Time limit, from the first start; none: until decided.
    pub budget: Option<Seconds>,
    /// The largest number of launches; 1 means provisional verdicts from the rounds of one launch.
    pub launches: Option<u32>,
    /// Rounds of a launch; none: 20 of cost and capacity, 4 of batch (one launch: until decided).
    pub rounds: Option<u32>,
    /// Error rate, per workload, case and metric.
    pub alpha: f64,
    /// What counts as equivalent: 0.01 for 1%.
    pub margin: f64,
    /// Seed of the order and of the slices' jitter.
    pub seed: u64,
    /// Launches that are measured even if everything is decided before, as far as the budget holds them.
    pub least: u32,
    /// Whether all requested launches are measured, even if everything is decided before.
    pub whole: bool,
    /// Length of a slice over sockets before jitter.
    pub slice: Seconds,
    /// Length of a slice in process before jitter.
    pub probe_slice: Seconds,
    /// Whether rounds are made for evidence, not for a verdict: and their results do not end the run.
    pub evidence: bool,
    /// What is bounded over many benchmarks together.
    pub many: Many,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            budget: Some(Seconds(600.0)),
            launches: None,
            rounds: None,
            alpha: 0.05,
            margin: 0.01,
            seed: 1,
            least: 1,
            whole: false,
            // Shorter slices over sockets were autocorrelated at 0.3 to 0.6 in trials (docs/measuring.md, rounds).
            slice: Seconds(0.08),
            // In trials slices of 2 ms gave false verdicts, those of 10 ms did not.
            probe_slice: Seconds(0.01),
            evidence: false,
            many: Many::default(),
        }
    }
}

impl Rules {
    /// Rounds of a launch in a mode, at each of `sizes` sizes, when the run has several launches.
    pub(crate) fn rounds_of(&self, mode: Mode, sizes: usize) -> u32 {
        let alone: u32 = match mode {
            // As few as show a drift, and make the three blocks of a provisional interval: launches are what is short at
            // first. The interval of three reaches 20 of their standard deviations to each side, that of six 3.6.
            Mode::Capacity | Mode::Cost if sizes == 1 => 12,
            Mode::Capacity | Mode::Cost => 20,
            // A batch is a whole job of half a second or more: a few of them cost as much as a launch's start.
            Mode::Batch => 4,
            // The planner sets a number that fits the budget: a command may take a millisecond or a minute.
            Mode::Command | Mode::Benchmark => 20,
        };
        // Over S sizes a launch has √S times as many rounds, and each size 1/√S of its usual number: a line uses all
        // sizes, and more launches yield more information than longer ones.
        let each = (f64::from(alone) / (sizes as f64).sqrt()).ceil() as u32;
        self.rounds.unwrap_or(each.max(LEAST_ROUNDS.min(alone)))
    }

    /// Whether groups are begun in the order of the plan, as far as the budget holds them; else all are measured, and as often.
    pub(crate) fn in_order(&self) -> bool {
        self.budget.is_some() && self.launches.is_none() && !self.evidence
    }

    /// Whether verdicts come from the rounds of a single launch.
    pub(crate) fn one_launch(&self) -> bool {
        self.launches == Some(1)
    }
}

impl Group {
    /// Whether an entrant is compared with others.
    pub(crate) fn is_rival(&self, entrant: usize) -> bool {
        self.entrants[entrant].subject.is_rival()
    }

    /// The entrants that are compared with others.
    pub(crate) fn rivals(&self) -> impl Iterator<Item = usize> {
        (0..self.entrants.len()).filter(|&entrant| self.is_rival(entrant))
    }

    /// The number of entrants without a fault.
    pub(crate) fn taking_part(&self) -> usize {
        let entrants = self.entrants.iter();
        entrants.filter(|entrant| entrant.fault.is_none()).count()
    }

    /// The entrant that is described because it has no rivals.
    pub(crate) fn lone(&self) -> Option<usize> {
        let mut rivals = self.rivals();
        rivals.next().filter(|_| rivals.next().is_none())
    }

    /// Length of its slices before jitter.
    pub fn slice(&self, rules: &Rules) -> Seconds {
        if self.in_process {
            rules.probe_slice
        } else {
            rules.slice
        }
    }

    /// Records, one per arena: empty, or those of an earlier run.
    pub fn records(&self, rules: &Rules) -> Vec<ArenaRecord> {
        if !self.prior.is_empty() {
            return self.prior.iter().map(|record| self.resumed(record)).collect();
        }
        let sizes = self.sizes();
        let of_mode = |mode| sizes.iter().map(move |size| self.record(mode, *size, rules));
        self.modes.iter().flat_map(of_mode).collect()
    }

    /// The record of an earlier run. A contender that is no longer available is removed.
    fn resumed(&self, record: &ArenaRecord) -> ArenaRecord {
        let mut record = record.clone();
        for (then, now) in record.entrants.iter_mut().zip(&self.entrants) {
            if then.fault.is_none() {
                then.fault.clone_from(&now.fault);
            }
        }
        record
    }

    /// The sizes of each mode's arenas; a single `None` where the case is not swept.
    pub fn sizes(&self) -> Vec<Option<u64>> {
        match &self.sweep {
            Some(sweep) => sweep.sizes.iter().copied().map(Some).collect(),
            None => vec![None],
        }
    }

    /// The arenas of a mode.
    pub(crate) fn arenas_of(&self, mode: usize) -> Range<usize> {
        let sizes = self.sizes().len();
        mode * sizes..(mode + 1) * sizes
    }

    /// The arenas by which a warm-up is judged: the first mode's, at the smallest, a middle and the largest size.
    pub fn judged(&self) -> Vec<usize> {
        let arenas = self.arenas_of(0);
        let mut some = vec![arenas.start, arenas.start + arenas.len() / 2, arenas.end - 1];
        some.dedup();
        some
    }

    /// The mode of an arena.
    pub fn mode_of(&self, arena: usize) -> &ModePlan {
        &self.modes[arena / self.sizes().len()]
    }

    /// The size of an arena, where the case is swept.
    pub fn size_of(&self, arena: usize) -> Option<u64> {
        let sizes = self.sizes();
        sizes[arena % sizes.len()]
    }

    /// α of an arena. A case's α is divided among its sizes and the statements on all sizes together.
    pub(crate) fn alpha(&self, rules: &Rules) -> f64 {
        match &self.sweep {
            Some(sweep) => rules.alpha / (sweep.sizes.len() as f64 + 1.0),
            None => rules.alpha,
        }
    }

    fn record(&self, mode: &ModePlan, size: Option<u64>, rules: &Rules) -> ArenaRecord {
        ArenaRecord {
            workload: self.workload.clone(),
            summary: self.summary.clone(),
            case: self.case.clone(),
            case_summary: self.case_summary.clone(),
            sweep: self.sweep.as_ref().map(|sweep| sweep.name.clone()),
            size,
            mode: mode.driving.mode,
            driving: self.driving(&mode.driving, rules),
            placement: self.placement.clone(),
            primary: mode.driving.primary,
            floor: self.floor.clone(),
            baseline: self.baseline.clone(),
            margin: rules.margin,
            alpha: self.alpha(rules),
            // Published figures and claims of a swept case refer to its smallest size.
            published: if size == self.sizes()[0] {
                mode.published.clone()
            } else {
                Vec::new()
            },
            claims: if size == self.sizes()[0] {
                mode.claims.clone()
            } else {
                Vec::new()
            },
            entrants: self.entrants.clone(),
            launches: Vec::new(),
            slices: Vec::new(),
        }
    }

    /// How a mode is driven, for the record, without what the run itself determines.
    fn driving(&self, driving: &manifest::ModeDriving, rules: &Rules) -> Driving {
        if self.in_process {
            return Driving::InProcess {
                slice: self.slice(rules),
            };
        }
        if driving.mode == Mode::Command {
            return Driving::Commands {
                runs: driving.requests,
            };
        }
        if driving.mode == Mode::Benchmark {
            let iterations = Some(u64::from(driving.requests)).filter(|count| *count > 0);
            return Driving::Benchmark {
                iterations,
                time: iterations.is_none().then_some(rules.slice),
            };
        }
        let batch = Batch {
            programs: driving.programs,
            requests: driving.requests,
        };
        Driving::Load(Load {
            connections: driving.connections.clone(),
            depth: driving.depth,
            batch: (driving.mode == Mode::Batch).then_some(batch),
            awake: (driving.mode == Mode::Cost).then_some(self.awake),
            rate: None,
            usage: driving.usage,
        })
    }
}
