//! Are lines over sizes wrong no more often than they promise? A short form in every test run, and the long form (`--ignored`, in release),
//! which prints its table. The seeds are fixed; the bounds of the short form are such that a method that errs exactly
//! as often as α allows would pass for all but one seed in a million.

use tare_stats::simulate::noise::{Effect, Noise};
use tare_stats::simulate::sweeps::{Misses, Setting, sweeps};
use tare_stats::sizes::Line;
use tare_stats::special::{binomial_tail, rate_upper};

const SEED: u64 = 20_261_121;

fn line(fixed: f64, per_unit: f64) -> Line {
    Line { fixed, per_unit }
}

fn describe(setting: &Setting) -> String {
    format!(
        "{:<14} {:<12} σ {:>4.1}% effect {:.1}% {:>5.2} µs + {:>4.0} ps·n, {:>5.2} µs + {:>4.0} ps·n",
        setting.noise.name(),
        setting.effect.name(),
        100.0 * setting.sigma,
        100.0 * setting.effect_size,
        1e6 * setting.truth[0].fixed,
        1e12 * setting.truth[0].per_unit,
        1e6 * setting.truth[1].fixed,
        1e12 * setting.truth[1].per_unit,
    )
}

fn assert_credible(setting: &Setting, misses: &Misses) {
    for (what, count) in misses.listed() {
        assert!(
            binomial_tail(count, misses.trials, setting.alpha) > 1e-6,
            "{}, seed {SEED}: {what} ever missed in {count} of {}",
            describe(setting),
            misses.trials
        );
    }
}

/// The truths of the trials: even at 80,000 bytes; even at 500; never even; identical.
fn truths() -> [[Line; 2]; 4] {
    [
        Setting::default().truth,
        [line(1.0e-6, 1.0e-9), line(0.5e-6, 2.0e-9)],
        [line(1.2e-6, 60e-12), line(0.4e-6, 50e-12)],
        [line(0.8e-6, 80e-12), line(0.8e-6, 80e-12)],
    ]
}

fn settings(like: &Setting) -> Vec<Setting> {
    let mut all = Vec::new();
    for noise in Noise::ALL {
        for (index, truth) in truths().into_iter().enumerate() {
            all.push(Setting {
                noise,
                truth,
                effect: Effect::ALL[index % 3],
                ..like.clone()
            });
        }
    }
    all
}

#[test]
fn parts_differences_and_break_evens_are_rarely_ever_missed() {
    for setting in settings(&Setting::default()) {
        assert_credible(&setting, &sweeps(&setting, 60, SEED));
    }
    for (noise, truth) in [(Noise::Gaussian, 0), (Noise::MachineDrift, 1)] {
        let setting = Setting {
            noise,
            truth: truths()[truth],
            effect: Effect::TwoValued,
            sigma: 0.002,
            effect_size: 0.004,
            ..Setting::default()
        };
        assert_credible(&setting, &sweeps(&setting, 200, SEED));
    }
}

#[test]
fn a_break_even_within_the_sizes_is_bounded() {
    let setting = Setting {
        truth: truths()[1],
        ..Setting::default()
    };
    let misses = sweeps(&setting, 100, SEED);
    assert!(misses.bounded >= 95, "{} of 100, seed {SEED}", misses.bounded);
}

/// A test that cannot fail is worthless: intervals for an α of 60% are caught when they are held to 5%.
#[test]
fn intervals_that_are_too_narrow_are_caught() {
    let setting = Setting {
        alpha: 0.6,
        ..Setting::default()
    };
    let misses = sweeps(&setting, 500, SEED);
    let caught = binomial_tail(misses.per_unit, misses.trials, 0.05) < 1e-6;
    assert!(caught, "{misses:?}, seed {SEED}");
}

#[test]
fn a_seed_means_the_same_trials() {
    let setting = Setting::default();
    assert_eq!(sweeps(&setting, 10, 3), sweeps(&setting, 10, 3));
}

#[test]
#[ignore = "long: 2000 trials for each of 56 settings"]
fn long_form_over_sizes() {
    let quiet = Setting {
        sigma: 0.002,
        effect_size: 0.004,
        ..Setting::default()
    };
    for setting in settings(&Setting::default()).into_iter().chain(settings(&quiet)) {
        let misses = sweeps(&setting, 2000, SEED);
        let shown: Vec<String> = misses
            .listed()
            .into_iter()
            .map(|(what, count)| format!("{what} {:.2}%", 100.0 * f64::from(count) / 2000.0))
            .collect();
        println!(
            "{}  {}  bounded {}",
            describe(&setting),
            shown.join("  "),
            misses.bounded
        );
        for (what, count) in misses.listed() {
            assert!(
                rate_upper(count, misses.trials, 0.99) <= setting.alpha,
                "{what}: {}",
                describe(&setting)
            );
        }
    }
}
