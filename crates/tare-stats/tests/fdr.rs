//! Of the differences that are reported among many benchmarks, are no more false than promised? A short form in every test
//! run, and the long form (`--ignored`, in release), which prints its table. Mostly without a margin, which otherwise keeps
//! equal ones from being reported.

use tare_stats::simulate::many::{Reported, Suite, reported};
use tare_stats::simulate::noise::Noise;
use tare_stats::special::{binomial_tail, rate_upper};

const SEED: u64 = 20_261_123;

/// Rounds in a block. A drift of one contender's own cannot outlive processes that last for one run each; it is tested where
/// blocks are long enough to contain it.
fn rounds(noise: Noise) -> usize {
    if noise == Noise::AttachedDrift { 60 } else { 15 }
}

/// The false shares of trials are between 0 and 1; of all such values with their mean those that are either have the widest
/// sum, so that its binomial bound holds.
fn whole(sum: f64) -> u32 {
    sum.ceil() as u32
}

fn check(suite: Suite, trials: u32) -> Reported {
    let found = reported(suite, trials, SEED);
    for sum in [found.false_at_first, found.false_at_last] {
        let chance = binomial_tail(whole(sum), trials, suite.rate);
        assert!(chance > 1e-6, "{suite:?}: {sum} false of {trials}, seed {SEED}");
    }
    found
}

#[test]
fn few_reports_are_false() {
    for noise in Noise::ALL {
        for slower in [0, 5] {
            let suite = Suite {
                noise,
                slower,
                rounds: rounds(noise),
                benchmarks: 50,
                looks: 10,
                margin: 0.0,
                ..Suite::default()
            };
            check(suite, 20);
        }
    }
}

#[test]
fn five_percent_slower_is_found_among_a_hundred() {
    let suite = Suite {
        slower: 10,
        ..Suite::default()
    };
    let found = check(suite, 10);
    assert!(found.found >= 95, "{} of 100 found, seed {SEED}", found.found);
}

#[test]
#[ignore = "slow: minutes in release; prints its table"]
fn few_reports_are_false_at_length() {
    let (loud, quiet) = ((0.03, 0.003), (0.002, 0.004));
    for (benchmarks, trials, sizes) in [(100, 300, &[loud, quiet][..]), (500, 200, &[loud])] {
        for slower in [0, 1, 10] {
            for noise in Noise::ALL {
                for &(sigma, effect_size) in sizes {
                    let suite = Suite {
                        noise,
                        sigma,
                        effect_size,
                        benchmarks,
                        slower,
                        rounds: rounds(noise),
                        margin: 0.0,
                        ..Suite::default()
                    };
                    let found = check(suite, trials);
                    let percent = |sum: f64| 100.0 * sum / f64::from(trials);
                    println!(
                        "{:<14} σ {:>4.1}% benchmarks {benchmarks} slower {slower:>2}: false when first reported {:.2}%, at the \
                         end {:.2}% (≤ {:.2}%), found {:.1}%",
                        noise.name(),
                        100.0 * sigma,
                        percent(found.false_at_first),
                        percent(found.false_at_last),
                        100.0
                            * rate_upper(whole(found.false_at_first.max(found.false_at_last)), trials, 0.99),
                        100.0 * f64::from(found.found) / f64::from((slower as u32 * trials).max(1)),
                    );
                }
            }
        }
    }
}
