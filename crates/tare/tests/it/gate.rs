//! The gate, and what a run's options do: judged by CPU per operation, which a busy machine does not change.

use serde_json::Value;

use crate::lab::{Lab, Ran};

/// Steps of computation for an answer: far more than all else that it costs.
const STEPS: u64 = 10_000;

fn lab() -> Lab {
    let base = format!("burn:{STEPS}");
    // Three times the computation: well over twice the total.
    let slow = format!("burn:{}", 3 * STEPS);
    Lab::new(&[("good", &base), ("slow", &slow), ("twin", &base)])
}

fn cost(lab: &Lab, only: &str, more: &[&str]) -> Ran {
    let mut words = vec![
        "run", "fixture", "--mode", "cost", "--rate", "200", "--format", "json",
    ];
    words.extend(["--only", only, "--seed", "5"]);
    words.extend(more);
    let ran = lab.run(&words);
    lab.assert_clean();
    ran
}

fn primary(document: &Value) -> &Value {
    let all = document["workloads"][0]["comparisons"].as_array().unwrap();
    all.iter()
        .find(|comparison| comparison["primary"] == true)
        .unwrap_or_else(|| panic!("{document:#}"))
}

/// One launch: the verdict is provisional, the gate holds on to it. How many rounds that takes is left open: on a
/// busy machine rounds are autocorrelated, and more of them are summed into one.
#[test]
#[ignore = "slow: until it is decided"]
fn slow_a_contender_that_uses_far_more_cpu_fails_the_gate() {
    let lab = lab();
    let ran = cost(
        &lab,
        "good,slow",
        &["--launches", "1", "--budget", "5m", "--fail-if", "slower"],
    );
    let document = ran.expect(4).json();
    let comparison = primary(&document);
    assert_eq!(comparison["a"], "slow");
    assert_eq!(comparison["verdict"], "slower", "{comparison:#}");
    assert_eq!(comparison["provisional"], true);
    assert_eq!(comparison["launches"], 1);
    assert!(comparison["low"].as_f64().unwrap() > 1.01, "{comparison:#}");
    let text = lab.run(&["report"]).expect(0).out;
    assert!(text.contains("provisional"), "{text}");
}

/// Three blocks of four rounds are what an interval takes.
#[test]
fn a_quick_run_has_a_provisional_interval_after_one_launch() {
    let lab = lab();
    let ran = cost(&lab, "good,slow", &["--quick", "--rounds", "12"]).expect(0);
    assert!(
        ran.err
            .contains("quick: one launch of 1 case, 1 min 0 s at the most"),
        "{}",
        ran.err
    );
    let document = ran.json();
    let comparison = primary(&document);
    assert_eq!(
        (&comparison["launches"], &comparison["provisional"]),
        (&1.into(), &true.into())
    );
    assert!(
        comparison["low"].is_number() && comparison["high"].is_number(),
        "{comparison:#}"
    );
    assert_eq!(document["run"]["settings"]["launches"], 1);
    let text = lab.run(&["report"]).expect(0).out.replace('\n', " ");
    assert!(text.contains("Provisional: one launch only."), "{text}");
}

#[test]
fn a_quick_run_is_one_launch_and_refuses_more() {
    let lab = lab();
    let refused = cost(&lab, "good,twin", &["--quick", "--launches", "3"]).expect(2);
    assert!(
        refused.err.contains("--launches 3 asks for more")
            && refused.err.contains("hint: leave one of them out"),
        "{}",
        refused.err
    );
    cost(&lab, "good,twin", &["--quick", "--until", "decided"]).expect(2);
}

/// Far longer than any budget of these tests' would be: it ends because all is decided, or not at all.
#[test]
fn until_decided_continues_over_launches_until_every_question_is_answered() {
    let lab = lab();
    let document = cost(&lab, "good,slow", &["--until", "decided", "--rounds", "4"])
        .expect(0)
        .json();
    let comparison = primary(&document);
    assert_eq!(comparison["verdict"], "slower", "{comparison:#}");
    assert_eq!(comparison["provisional"], false, "{comparison:#}");
    assert!(comparison["launches"].as_u64().unwrap() >= 3, "{comparison:#}");
    cost(&lab, "good,slow", &["--until", "decided", "--budget", "1s"]).expect(2);
}

#[test]
fn an_equal_contender_is_neither_slower_nor_proven_not_to_be() {
    let lab = lab();
    let short = ["--launches", "1", "--rounds", "3", "--budget", "20s"];
    let gate = |gate: &str| {
        let mut words = short.to_vec();
        words.extend(["--fail-if", gate]);
        cost(&lab, "good,twin", &words)
    };
    let document = gate("slower").expect(0).json();
    assert_eq!(primary(&document)["verdict"], "inconclusive");
    gate("not-proven").expect(4);
    // A gate on a contender that is not compared would prove nothing.
    gate("slower:slow").expect(2);
}

#[test]
fn options_are_applied_and_reported() {
    let lab = lab();
    let words = [
        "--launches",
        "2",
        "--rounds",
        "3",
        "--budget",
        "1m",
        "--margin",
        "2%",
        "--alpha",
        "1%",
    ];
    let more = [
        &words[..],
        &["--baseline", "twin", "--pipeline", "1", "--connections", "3"],
    ]
    .concat();
    let document = cost(&lab, "good,twin", &more).expect(0).json();
    let workload = &document["workloads"][0];
    assert_eq!(workload["baseline"], "twin");
    assert_eq!(
        (&workload["launches"], &workload["rounds"]),
        (&2.into(), &6.into())
    );
    assert_eq!(workload["driving"]["connections"][0], 3);
    assert_eq!(workload["driving"]["depth"], 1);
    assert_eq!(workload["mode"], "cost");
    let comparison = primary(&document);
    assert_eq!(
        (&comparison["a"], &comparison["b"]),
        (&"good".into(), &"twin".into())
    );
    assert_eq!(comparison["margin"], 0.02);
    let settings = &document["run"]["settings"];
    let expected = [
        ("seed", 5.0),
        ("launches", 2.0),
        ("rounds", 3.0),
        ("margin", 0.02),
        ("alpha", 0.01),
    ];
    for (name, value) in expected {
        assert_eq!(settings[name].as_f64(), Some(value), "{name}: {settings:#}");
    }
    assert_eq!(workload["contenders"].as_array().unwrap().len(), 2);
}

/// The same seed sends the same and measures in the same order.
#[test]
fn a_seed_fixes_the_order() {
    let lab = lab();
    let places = || {
        cost(
            &lab,
            "good,twin",
            &["--launches", "2", "--rounds", "6", "--budget", "1s"],
        )
        .expect(0);
        let text = lab.run(&["report", "--format", "slices"]).expect(0).out;
        let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
        let column = |name: &str| header.iter().position(|one| *one == name).unwrap();
        let (phase, place, who) = (column("phase"), column("place"), column("contender"));
        let rows = text
            .lines()
            .skip(1)
            .map(|line| line.split(',').collect::<Vec<_>>());
        // Of the warm-up only: how many rounds it has depends on the machine, but not which comes when.
        rows.filter(|row| row[phase] == "warm-up")
            .map(|row| format!("{} {}", row[place], row[who]))
            .take(20)
            .collect::<Vec<_>>()
    };
    let (first, second) = (places(), places());
    assert_eq!(first.len(), 20);
    assert_eq!(first, second);
}

#[test]
fn except_leaves_contenders_out() {
    let lab = lab();
    let words = ["check", "fixture", "--except", "slow", "--format", "json"];
    let document = lab.run(&words).expect(0).json();
    let names: Vec<&str> = document["checked"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["contender"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["good", "twin"]);
}
