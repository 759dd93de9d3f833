//! `tare merge`: what is taken over from other stores, what is said of it, and what is refused.

use tare_model::results::Machine;
use tare_model::units::Seconds;
use tare_store::{NewRun, Store};

use crate::lab::Lab;

/// Keeps an empty run of a machine that began at a second; returns its id.
fn run(lab: &Lab, file: &str, host: &str, started: i64) -> String {
    let store = Store::open(lab.path().join(file)).unwrap();
    let new = NewRun {
        started,
        machine: Machine {
            host: host.to_owned(),
            ..Machine::default()
        },
        ..NewRun::default()
    };
    let writer = store.begin_run(&new).unwrap();
    let id = writer.id().to_owned();
    writer.finish(Seconds(1.0), true, &[]).unwrap();
    id
}

#[test]
fn runs_of_other_machines_are_taken_over_once() {
    let lab = Lab::new(&[]);
    let ours = run(&lab, ".tare/results.sqlite", "here", 1_000_000_000);
    run(&lab, "n1.sqlite", "n1", 1_000_000_000);
    run(&lab, "n1.sqlite", "n1", 1_000_000_001);
    run(&lab, "n2.sqlite", "n2", 1_000_000_002);
    let ran = lab.run(&["merge", "n1.sqlite", "n2.sqlite"]).expect(0);
    let said = format!("  {ours} is {ours}-2 here, where another run has its id\n");
    assert_eq!(
        ran.out,
        format!("n1.sqlite: 2 runs added\n{said}n2.sqlite: 1 run added\n")
    );
    let listed = lab.run(&["list", "runs", "--format", "json"]).expect(0).json();
    assert_eq!(listed.as_array().map(Vec::len), Some(4), "{listed:#}");
    let again = lab.run(&["merge", "n1.sqlite"]).expect(0);
    assert_eq!(again.out, "n1.sqlite: 0 runs added, 2 here already\n");
    let document = lab
        .run(&["merge", "n2.sqlite", "--format", "json"])
        .expect(0)
        .json();
    assert_eq!(document["store"], "n2.sqlite");
    assert_eq!(document["runs"][0]["how"], "known");
}

#[test]
fn what_is_no_other_store_is_refused_and_nothing_is_taken_over() {
    let lab = Lab::new(&[]);
    run(&lab, ".tare/results.sqlite", "here", 1_000_000_000);
    run(&lab, "n1.sqlite", "n1", 1_000_000_001);
    lab.write("text.sqlite", "no store");
    for (store, status, says) in [
        ("missing.sqlite", 2, "there is no such file"),
        (
            ".tare/results.sqlite",
            2,
            "is the store that runs are taken over into",
        ),
        ("text.sqlite", 1, "text.sqlite`"),
    ] {
        let ran = lab.run(&["merge", "n1.sqlite", store]).expect(status);
        assert!(ran.err.contains(says), "{store}: {}", ran.err);
    }
    let listed = lab.run(&["list", "runs", "--format", "json"]).expect(0).json();
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed:#}");
}
