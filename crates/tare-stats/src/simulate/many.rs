//! Many benchmarks of two revisions, a few of them truly slower: how many of the reported differences are false.

use super::noise::{Effect, Launch, Noise};
use super::prng::Prng;
use crate::verdict::log_margin;
use crate::{fdr, huber, tseq};

/// Benchmarks whose truth is known, measured in blocks of rounds; each run of one is a fresh process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Suite {
    /// Noise of runs.
    pub noise: Noise,
    /// Its size, in log units.
    pub sigma: f64,
    /// The size of what each run draws at its start, in log units.
    pub effect_size: f64,
    /// Number of benchmarks.
    pub benchmarks: usize,
    /// Number of those that are slower; the others are equal.
    pub slower: usize,
    /// Their true log ratio.
    pub by: f64,
    /// A ratio minus one.
    pub margin: f64,
    /// The false discovery rate that is allowed.
    pub rate: f64,
    /// Rounds in a block.
    pub rounds: usize,
    /// Blocks, with a look after each.
    pub looks: usize,
}

/// What was reported over many trials.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Reported {
    /// Trials made.
    pub trials: u32,
    /// The share of false ones among those reported, summed over trials that each stopped at the first report: the moment
    /// that somebody would choose who wants to report.
    pub false_at_first: f64,
    /// The same at the last look.
    pub false_at_last: f64,
    /// Truly slower ones that were reported at the last look, summed over trials.
    pub found: u32,
}

impl Default for Suite {
    /// A hundred equal benchmarks with 3% of noise a run, in twenty blocks of fifteen rounds.
    fn default() -> Self {
        Self {
            noise: Noise::Gaussian,
            sigma: 0.03,
            effect_size: 0.003,
            benchmarks: 100,
            slower: 0,
            by: 0.05f64.ln_1p(),
            margin: 0.01,
            rate: 0.05,
            rounds: 15,
            looks: 20,
        }
    }
}

impl Suite {
    /// Whether a report of this benchmark, on this side, is false.
    fn is_false(&self, benchmark: usize, mean: f64) -> bool {
        benchmark >= self.slower || mean < 0.0
    }

    /// The centre of one more block of a benchmark.
    fn block(&self, truth: f64, starts: &mut Prng, machine: &mut Launch<'_>) -> Option<f64> {
        let mut drawn = || Effect::TwoValued.draw(starts, self.effect_size);
        let rounds: Vec<f64> = (0..self.rounds)
            .map(|_| truth + drawn() - drawn() + machine.round())
            .collect();
        huber::centre(&rounds)
    }

    /// One trial: the false share at the first report and at the last look, and how many of the slower were found.
    fn trial(&self, prng: &mut Prng) -> (f64, f64, u32) {
        let mut starts = Prng::new(prng.bits());
        let seeds: Vec<u64> = (0..self.benchmarks).map(|_| prng.bits()).collect();
        let centres: Vec<Vec<f64>> = seeds
            .into_iter()
            .enumerate()
            .map(|(benchmark, seed)| {
                let mut own = Prng::new(seed);
                let mut machine = Launch::new(&mut own, self.noise, self.sigma);
                let truth = if benchmark < self.slower { self.by } else { 0.0 };
                let blocks = 0..self.looks;
                blocks
                    .filter_map(|_| self.block(truth, &mut starts, &mut machine))
                    .collect()
            })
            .collect();
        let looks: Vec<(usize, usize, u32)> =
            (1..=self.looks).map(|look| self.look(&centres, look)).collect();
        let share = |&(wrong, all, _): &(usize, usize, u32)| wrong as f64 / all.max(1) as f64;
        let first = looks.iter().find(|look| look.1 > 0);
        let last = looks.last();
        (
            first.map_or(0.0, share),
            last.map_or(0.0, share),
            last.map_or(0, |look| look.2),
        )
    }

    /// After so many blocks: false reports, all reports, and the slower ones among these.
    fn look(&self, centres: &[Vec<f64>], look: usize) -> (usize, usize, u32) {
        let margin = log_margin(self.margin);
        let known = |all: &Vec<f64>| fdr::log_evidence(&all[..look], margin, tseq::LEAST_SPREAD);
        let evidence: Vec<f64> = centres
            .iter()
            .map(|all| known(all).unwrap_or(f64::NEG_INFINITY))
            .collect();
        let reported = fdr::discoveries(&evidence, self.rate);
        let (mut wrong, mut all) = (0, 0);
        for benchmark in (0..self.benchmarks).filter(|&benchmark| reported[benchmark]) {
            all += 1;
            let mean: f64 = centres[benchmark][..look].iter().sum();
            wrong += usize::from(self.is_false(benchmark, mean));
        }
        (wrong, all, (all - wrong) as u32)
    }
}

/// Trials of a suite. Trial i of a seed is always the same.
pub fn reported(suite: Suite, trials: u32, seed: u64) -> Reported {
    let mut sum = Reported::default();
    for index in 0..trials {
        let (first, last, found) = suite.trial(&mut Prng::part(seed, u64::from(index)));
        sum.trials += 1;
        sum.false_at_first += first;
        sum.false_at_last += last;
        sum.found += found;
    }
    sum
}
