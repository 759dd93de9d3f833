//! Is the sequence over launches of several nodes wrong no more often than it promises, whatever the nodes differ by, in which
//! order their launches end, and which of them are lost?

use tare_stats::simulate::calibrate::{Calibration, Setting};
use tare_stats::simulate::nodes::{Nodes, nodes};
use tare_stats::simulate::noise::Noise;
use tare_stats::special::binomial_tail;

const SEED: u64 = 20_261_123;

/// What the pair differs by from node to node: nothing, and 0.5% to 5%.
const SIZES: [f64; 4] = [0.0, 0.005, 0.02, 0.05];

fn kinds(size: f64) -> [Nodes; 3] {
    let even = Nodes {
        count: 3,
        size,
        uneven: 1.0,
        lost: 0.0,
    };
    [
        even,
        Nodes {
            count: 5,
            uneven: 3.0,
            ..even
        },
        Nodes {
            lost: 0.02,
            uneven: 1.5,
            ..even
        },
    ]
}

fn of(noise: Noise, nodes: Nodes) -> Setting {
    Setting {
        noise,
        looks: 12 * nodes.count,
        ..Setting::default()
    }
}

fn describe(noise: Noise, nodes: Nodes, found: &Calibration) -> String {
    format!(
        "{:<14} {} nodes, {:.1}% apart, {}, {:.0}% lost a launch: missed {:.2}% (at most {:.2}%), false at most {:.2}%, decided {:.0}%",
        noise.name(),
        nodes.count,
        100.0 * nodes.size,
        if nodes.uneven > 1.0 { "uneven" } else { "even" },
        100.0 * nodes.lost,
        100.0 * found.miss_rate(),
        100.0 * found.miss_upper(),
        100.0 * found.false_upper(),
        100.0 * found.decided_share(),
    )
}

#[test]
fn nodes_are_rarely_ever_missed() {
    for noise in [Noise::Gaussian, Noise::Bursts] {
        for kind in kinds(0.02) {
            let setting = of(noise, kind);
            let found = nodes(setting, kind, 150, SEED);
            let context = format!("{}, seed {SEED}", describe(noise, kind, &found));
            assert!(
                binomial_tail(found.ever_missed, found.trials, setting.alpha) > 1e-6,
                "{context}"
            );
            assert!(
                binomial_tail(found.ever_false, found.trials, setting.alpha) > 1e-6,
                "{context}"
            );
        }
    }
}

/// What nodes differ by does not widen the interval: the truth is of these nodes.
#[test]
fn nodes_that_differ_decide_as_soon() {
    let decided = |size: f64| {
        let kind = kinds(size)[0];
        let setting = Setting {
            truth: 0.5,
            ..of(Noise::Gaussian, kind)
        };
        nodes(setting, kind, 100, SEED).decided_by(0.5)
    };
    assert_eq!(decided(0.0), decided(0.05));
    assert!(decided(0.05).is_some());
}

#[test]
#[ignore = "slow: the long calibration"]
fn long_form_over_nodes() {
    for noise in Noise::ALL {
        for kind in SIZES.into_iter().flat_map(kinds) {
            let found = nodes(of(noise, kind), kind, 4000, SEED);
            println!("{}", describe(noise, kind, &found));
            assert!(found.miss_upper() <= 0.06 && found.false_upper() <= 0.06);
        }
    }
}
