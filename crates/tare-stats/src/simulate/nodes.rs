//! Launches on several nodes that are faster and slower, end in any order, and may be lost.

use super::calibrate::{Calibration, Setting, Trial, launch_rounds, run};
use super::noise::Effect;
use super::prng::Prng;
use crate::nodes::{rounds, units};
use crate::verdict::judge;
use crate::{huber, tseq};

/// Nodes whose truth is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nodes {
    /// How many there are.
    pub count: usize,
    /// The standard deviation of what the pair differs by from node to node, in log units.
    pub size: f64,
    /// How many times as fast the fastest node is as the slowest: it ends so many times as many launches.
    pub uneven: f64,
    /// The chance, at each launch, that its node is lost for good, as long as two are left.
    pub lost: f64,
}

/// Calibrates the t sequence over units of launches on nodes, a look after every launch; `looks` of a setting is the number
/// of launches on all nodes. The truth is the mean over the nodes that are left: when one is lost, it is another one.
pub fn nodes(setting: Setting, of: Nodes, trials: u32, seed: u64) -> Calibration {
    run(trials, seed, |prng| {
        let mut trial = Trial::default();
        let effects: Vec<f64> = (0..of.count)
            .map(|_| Effect::Gaussian.draw(prng, of.size))
            .collect();
        let mut left = vec![true; of.count];
        let mut launches = Vec::new();
        for look in 1..=setting.looks {
            let node = next(&left, of.uneven, prng);
            let here = Setting {
                truth: setting.truth + effects[node],
                ..setting
            };
            launches.push((node, launch_rounds(here, prng)));
            let count = left.iter().filter(|left| **left).count();
            left[node] = count <= 2 || !prng.chance(of.lost);
            let truth = setting.truth + mean_of(&effects, &left);
            let centres = centres(&left, &launches);
            let interval = tseq::interval_with_spread(&centres, setting.alpha, setting.spread);
            let covers = interval.is_none_or(|interval| interval.contains(truth));
            trial.look(
                look,
                covers,
                judge(interval, setting.margin),
                Setting { truth, ..setting },
            );
        }
        trial
    })
}

/// The centre of each unit of the nodes that are left.
fn centres(left: &[bool], launches: &[(usize, Vec<f64>)]) -> Vec<f64> {
    let kept: Vec<&(usize, Vec<f64>)> = launches.iter().filter(|(node, _)| left[*node]).collect();
    let of: Vec<u32> = kept.iter().map(|(node, _)| *node as u32).collect();
    // As long as one of them has no launch, there is no unit.
    let there = left.iter().filter(|left| **left).count();
    let whole = units(&of).into_iter().filter(|unit| unit.len() == there);
    whole
        .filter_map(|unit| {
            let of_node: Vec<&[f64]> = unit.iter().map(|&place| kept[place].1.as_slice()).collect();
            huber::centre(&rounds(&of_node))
        })
        .collect()
}

/// The node whose launch ends next: the chance of each grows evenly from the slowest to the fastest.
fn next(left: &[bool], uneven: f64, prng: &mut Prng) -> usize {
    let last = (left.len() - 1).max(1) as f64;
    let speed = |node: usize| 1.0 + (uneven - 1.0) * node as f64 / last;
    let there = || (0..left.len()).filter(|&node| left[node]);
    let mut rest = prng.uniform() * there().map(speed).sum::<f64>();
    for node in there() {
        rest -= speed(node);
        if rest <= 0.0 {
            return node;
        }
    }
    there().next_back().unwrap_or(0)
}

fn mean_of(effects: &[f64], left: &[bool]) -> f64 {
    let there: Vec<f64> = std::iter::zip(effects, left)
        .filter(|(_, left)| **left)
        .map(|(effect, _)| *effect)
        .collect();
    there.iter().sum::<f64>() / there.len() as f64
}
