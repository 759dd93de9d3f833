//! The loop over benchmarks on simulated machines whose truth is known: of what it reports, how much is false, and how much
//! of what is true does it find? A short form in every test run, and the long form (`--ignored`, in release), which prints
//! its table.

use tare_model::benchmark::{AFTER, BEFORE, Change};
use tare_model::fault::Fault;
use tare_model::measure::{LoadReading, SliceReading};
use tare_stats::simulate::noise::{Effect, Launch, Noise};
use tare_stats::simulate::prng::Prng;
use tare_stats::special::{binomial_tail, rate_upper};

use super::passes::{ITERATIONS, benchmarks};
use super::*;
use crate::passes;
use crate::rig::{Rig, SliceOrder, SliceOutcome};

const SEED: u64 = 20_261_124;

/// What a sample takes, in seconds, whatever it measures.
const SAMPLE: f64 = 0.08;

/// A suite of benchmarks.
#[derive(Debug, Clone, Copy)]
struct Suite {
    noise: Noise,
    /// Noise of a sample, in log units.
    sigma: f64,
    count: usize,
    /// Number of those that are truly slower.
    slower: usize,
    /// By what ratio minus one.
    by: f64,
    margin: f64,
    /// Rounds of each that the budget holds.
    rounds: f64,
    /// Of a launch, where it is not the loop's to choose.
    launch: Option<u32>,
    /// The spread that a layout gives a side, in log units.
    layout: f64,
    /// Layouts of each side.
    layouts: u32,
}

impl Default for Suite {
    fn default() -> Self {
        Self {
            noise: Noise::Gaussian,
            sigma: 0.02,
            count: 100,
            slower: 0,
            by: 0.05,
            margin: 0.0,
            rounds: 24.0,
            launch: None,
            layout: 0.0,
            layouts: 1,
        }
    }
}

/// A benchmark: what its two sides add to the logarithm of a time.
struct Simulated {
    truth: f64,
    machine: Launch<'static>,
    /// The noise of a round, and who had his part of it.
    round: Option<([f64; 2], usize)>,
    layouts: [f64; 2],
}

struct NoisyRig {
    suite: Suite,
    all: Vec<Simulated>,
    prng: Prng,
    now: f64,
}

impl NoisyRig {
    fn new(suite: Suite, seed: u64) -> Self {
        let mut prng = Prng::new(seed);
        let one = |index: usize, prng: &mut Prng| Simulated {
            truth: if index < suite.slower {
                suite.by.ln_1p()
            } else {
                0.0
            },
            // A test that leaks some bytes is simpler than one that borrows from itself.
            machine: Launch::new(
                Box::leak(Box::new(Prng::new(prng.bits()))),
                suite.noise,
                suite.sigma,
            ),
            round: None,
            layouts: [0.0; 2],
        };
        Self {
            all: (0..suite.count).map(|index| one(index, &mut prng)).collect(),
            suite,
            prng,
            now: 0.0,
        }
    }
}

impl Rig for NoisyRig {
    fn now(&self) -> Seconds {
        Seconds(self.now)
    }

    fn interrupted(&self) -> bool {
        false
    }

    fn start(&mut self, _: Who) -> Result<(), Fault> {
        unreachable!("samples are processes of their own")
    }

    fn check(&mut self, _: Who) -> Result<(), Fault> {
        unreachable!("samples are processes of their own")
    }

    fn stop(&mut self, _: Who) -> Option<String> {
        None
    }

    fn pass(&mut self, number: u32, groups: &[usize]) -> Vec<(Who, Fault)> {
        if number < self.suite.layouts {
            for &group in groups {
                self.all[group].layouts = [(); 2].map(|()| self.suite.layout * self.prng.normal());
            }
        }
        Vec::new()
    }

    fn slice(&mut self, who: Who, _: &SliceOrder) -> SliceOutcome {
        let one = &mut self.all[who.group];
        let noise = match one.round.take() {
            Some((noise, other)) if other != who.entrant => noise,
            _ => {
                let noise = one.machine.both();
                one.round = Some((noise, who.entrant));
                noise
            }
        };
        let truth = if who.entrant == 1 { one.truth } else { 0.0 };
        let start = Effect::TwoValued.draw(&mut self.prng, 0.003);
        let log = truth + one.layouts[who.entrant] + noise[who.entrant] + start;
        let began = Seconds(self.now);
        self.now += SAMPLE;
        let load = LoadReading {
            wall: Seconds(0.05 * log.exp()),
            answers: u64::from(ITERATIONS),
            ..LoadReading::default()
        };
        SliceOutcome {
            reading: Some(SliceReading {
                began,
                load,
                ..SliceReading::default()
            }),
            fault: None,
        }
    }
}

/// What runs of a suite reported.
#[derive(Debug, Default)]
struct Reported {
    trials: u32,
    /// The share of false ones among those reported, summed over trials.
    wrong: f64,
    /// Trials with any false one.
    any: u32,
    /// Truly slower ones that were found.
    found: u32,
}

/// One run to its end: false reports, all reports.
fn trial(suite: Suite, seed: u64) -> (usize, usize) {
    let rules = Rules {
        budget: Some(Seconds(suite.rounds * suite.count as f64 * 2.0 * SAMPLE)),
        rounds: suite.launch,
        launches: (suite.layouts > 1).then_some(suite.layouts),
        margin: suite.margin,
        seed,
        ..Rules::default()
    };
    let plan = benchmarks(suite.count, &[BEFORE, AFTER], rules);
    let outcome = passes(&plan, &mut NoisyRig::new(suite, seed), &mut Ears::default());
    let arenas: Vec<&ArenaRecord> = outcome.arenas.iter().collect();
    let results = analysis::judged(&arenas, plan.rules.many);
    let (mut wrong, mut all) = (0, 0);
    for (index, result) in results.iter().enumerate() {
        let change = result.as_ref().and_then(|result| result.figures[0].change);
        if matches!(change, Some(Change::Worse | Change::Better)) {
            all += 1;
            wrong += usize::from(index >= suite.slower || change == Some(Change::Better));
        }
    }
    (wrong, all)
}

fn reported(suite: Suite, trials: u32) -> Reported {
    let mut sum = Reported::default();
    for index in 0..trials {
        let seed = Prng::part(SEED, u64::from(index)).bits();
        let (wrong, all) = trial(suite, seed);
        sum.trials += 1;
        sum.wrong += wrong as f64 / all.max(1) as f64;
        sum.any += u32::from(wrong > 0);
        sum.found += (all - wrong) as u32;
    }
    sum
}

/// The same, where the false share may not be more than 5%.
fn check(suite: Suite, trials: u32) -> Reported {
    let found = reported(suite, trials);
    // Shares between 0 and 1 have the widest sum where each is either, which its binomial bound is of.
    let chance = binomial_tail(found.wrong.ceil() as u32, trials, 0.05);
    assert!(chance > 1e-6, "{suite:?}: {found:?}, seed {SEED}");
    found
}

/// Noise of a contender's own that lasts over rounds has no seat in processes that last for one; it is tested in launches
/// that are longer than it.
fn of(noise: Noise) -> Suite {
    let (rounds, launch) = match noise {
        Noise::AttachedDrift => (200.0, Some(20)),
        _ => (24.0, None),
    };
    Suite {
        noise,
        rounds,
        launch,
        ..Suite::default()
    }
}

#[test]
fn few_reports_of_the_loop_are_false() {
    for (noise, slower) in [(Noise::Gaussian, 0), (Noise::Bursts, 2), (Noise::Student2, 0)] {
        let suite = Suite {
            slower,
            count: 12,
            ..of(noise)
        };
        check(suite, 4);
    }
}

#[test]
fn five_percent_slower_is_found_among_many_equal_ones() {
    let suite = Suite {
        slower: 3,
        count: 20,
        margin: 0.01,
        ..Suite::default()
    };
    let found = check(suite, 3);
    assert!(found.found >= 8, "{} of 9 found, seed {SEED}", found.found);
}

#[test]
#[ignore = "long: minutes in release; prints its table"]
fn long_few_reports_of_the_loop_are_false() {
    for noise in Noise::ALL {
        // Launches of it are ten times as long.
        let is_long = noise == Noise::AttachedDrift;
        for slower in [0, 1, 10] {
            let suite = Suite { slower, ..of(noise) };
            print(suite, &check(suite, if is_long { 20 } else { 60 }));
            let many = Suite { count: 500, ..suite };
            if !is_long {
                print(many, &check(many, 6));
            }
        }
        let near = Suite {
            slower: 10,
            margin: 0.01,
            ..of(noise)
        };
        print(near, &check(near, 10));
    }
}

/// Benchmarks whose code is the same, at layouts that make 3% of difference: with one layout of each side that difference is
/// there, and is found; with several it is noise.
#[test]
#[ignore = "long: minutes in release; prints its table"]
fn long_layouts_are_noise_where_several_are_drawn() {
    for layouts in [1, 8, 16] {
        let suite = Suite {
            layout: 0.03,
            layouts,
            margin: 0.01,
            sigma: 0.005,
            rounds: 40.0,
            ..Suite::default()
        };
        let found = reported(suite, 40);
        print(suite, &found);
        assert_eq!(found.any > 20, layouts == 1, "{suite:?}: {found:?}");
    }
}

fn print(suite: Suite, found: &Reported) {
    let percent = |part: f64, whole: u32| 100.0 * part / f64::from(whole.max(1));
    println!(
        "{:<14} benchmarks {:>3} slower {:>2} margin {:.0}% layouts {:>2}: false {:.2}% (≤ {:.2}%), runs with any {:.1}%, found \
         {:.1}%",
        suite.noise.name(),
        suite.count,
        suite.slower,
        100.0 * suite.margin,
        suite.layouts,
        percent(found.wrong, found.trials),
        100.0 * rate_upper(found.wrong.ceil() as u32, found.trials, 0.99),
        percent(f64::from(found.any), found.trials),
        percent(f64::from(found.found), suite.slower as u32 * found.trials),
    );
}
