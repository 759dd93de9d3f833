//! Runs of several machines, taken together.

use super::*;
use tare_analysis::{Apart, pooled};
use tare_model::record::RunRecord;
use tare_model::results::{Machine, RunInfo};

/// A run of c0, of c1, which takes `ratio` times as much CPU here, and of c2, which is c0 again, so that all launches are made.
fn on(host: &str, started: i64, seed: u64, ratio: f64, launches: u32) -> RunRecord {
    let rules = Rules {
        budget: None,
        launches: Some(launches),
        margin: 0.0,
        seed,
        ..Rules::default()
    };
    let plan = plan(3, &[Mode::Cost], rules);
    let slower = Script {
        cpu: ratio * Script::default().cpu,
        ..Script::default()
    };
    let (outcome, _) = go(
        &plan,
        &[Script::default(), slower, Script::default()],
        &mut Ears::default(),
    );
    RunRecord {
        info: RunInfo {
            id: format!("{host}-{started}"),
            started,
            complete: true,
            machine: Machine {
                host: host.to_owned(),
                cpu: "Abacus 3000".to_owned(),
                cores: 2,
                ..Machine::default()
            },
            notes: vec!["noted".to_owned()],
            ..RunInfo::default()
        },
        arenas: outcome.arenas,
    }
}

fn apart(runs: Vec<RunRecord>) -> Apart {
    pooled(runs, false).expect_err("runs apart")
}

#[test]
fn the_ratio_is_that_of_the_nodes_on_average() {
    let runs = vec![on("n2", 60, 2, 1.3, 9), on("n1", 0, 1, 1.1, 6)];
    let pool = pooled(runs, false).unwrap();
    let hosts: Vec<&str> = pool.info.nodes.iter().map(|node| node.host.as_str()).collect();
    assert_eq!((pool.info.id.as_str(), hosts), ("n1-0+n2-60", vec!["n1", "n2"]));
    assert_eq!(pool.info.notes, ["n1: noted", "n2: noted"]);
    let result = analysis::analyse(&pool.arenas[0]);
    assert_eq!(result.launches, 6, "those of n2 beyond the sixth wait");
    let found = result
        .comparison(&ContenderId::plain("c1"), Metric::CpuPerOp)
        .unwrap();
    let truth = (1.1f64 * 1.3).sqrt();
    let (low, high) = (found.low.unwrap(), found.high.unwrap());
    assert!(low < truth && truth < high, "{low} to {high}");
    assert!(
        high / low < 1.1,
        "what the nodes differ by does not widen {low} to {high}"
    );
    assert_eq!((found.launches, found.verdict), (6, Verdict::Slower));
    let ratios: Vec<f64> = found.by_node.iter().map(|on| on.ratio).collect();
    assert!(
        (ratios[0] / 1.1).ln().abs() < 0.02 && (ratios[1] / 1.3).ln().abs() < 0.02,
        "{ratios:?}"
    );
}

#[test]
fn runs_of_one_machine_follow_each_other() {
    let (one, two) = (on("n1", 0, 1, 1.1, 3), on("n1", 60, 2, 1.1, 3));
    let alone = analysis::analyse(&one.arenas[0]);
    assert!(
        alone
            .comparisons
            .iter()
            .all(|comparison| comparison.by_node.is_empty())
    );
    let pool = pooled(vec![one, two], false).unwrap();
    assert_eq!(pool.info.nodes.len(), 1);
    let result = analysis::analyse(&pool.arenas[0]);
    assert_eq!((result.launches, result.comparisons[0].launches), (6, 6));
    let numbers: Vec<u32> = pool.arenas[0]
        .launches
        .iter()
        .map(|launch| launch.number)
        .collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
}

#[test]
fn a_contender_with_a_fault_on_one_node_has_no_figures() {
    let mut lost = on("n2", 60, 2, 1.1, 3);
    let fault = tare_model::fault::Fault::new(FaultKind::MissingTool, "no compiler");
    lost.arenas[0].entrants[1].fault = Some(fault);
    let pool = pooled(vec![on("n1", 0, 1, 1.1, 3), lost], false).unwrap();
    let result = analysis::analyse(&pool.arenas[0]);
    assert_eq!(result.contenders[1].state, State::Skipped);
    let left = result.comparisons.iter().filter(|comparison| comparison.primary);
    assert!(left.map(|comparison| comparison.a.to_string()).eq(["c2"]));
}

#[test]
fn a_launch_that_had_only_begun_takes_no_place() {
    let mut cut = on("n2", 60, 2, 1.1, 4);
    let arena = &mut cut.arenas[0];
    arena
        .slices
        .retain(|slice| slice.launch != 1 || slice.phase != Phase::Round);
    let pool = pooled(vec![on("n1", 0, 1, 1.1, 3), cut], false).unwrap();
    let arena = &pool.arenas[0];
    assert_eq!(arena.launches.iter().filter(|launch| launch.node == 1).count(), 3);
    assert_eq!(analysis::analyse(arena).launches, 3);
}

#[test]
fn what_was_not_measured_alike_stays_apart() {
    let one = || on("n1", 0, 1, 1.1, 1);
    let with = |change: &dyn Fn(&mut RunRecord)| {
        let mut other = on("n2", 60, 2, 1.1, 1);
        change(&mut other);
        apart(vec![one(), other])
    };
    assert!(matches!(apart(vec![one(), one()]), Apart::Twice { .. }));
    let found = with(&|run| run.info.machine.cpu = "Abacus 4000".to_owned());
    let said = "n1, Abacus 3000, 2 cores and n2, Abacus 4000, 2 cores are unlike machines";
    assert_eq!(found.to_string(), said);
    let found = with(&|run| run.info.settings.margin = Some(0.02));
    assert!(found.to_string().ends_with("alpha or the margin"), "{found}");
    assert!(matches!(
        with(&|run| run.info.tare = "9.9.9".to_owned()),
        Apart::Version { .. }
    ));
    assert!(matches!(
        with(&|run| run.arenas[0].margin = 0.5),
        Apart::Case { .. }
    ));
    assert!(matches!(
        with(&|run| run.info.imported = Some("x".to_owned())),
        Apart::Kind { .. }
    ));
}

#[test]
fn unlike_machines_are_taken_together_if_asked_to() {
    let mut other = on("n2", 60, 2, 1.1, 3);
    other.info.machine.cores = 64;
    let runs = vec![on("n1", 0, 1, 1.1, 3), other];
    assert_eq!(pooled(runs, true).unwrap().info.nodes.len(), 2);
}

#[test]
fn another_seed_or_budget_is_no_other_question() {
    let mut other = on("n2", 60, 2, 1.1, 3);
    other.info.settings.seed = Some(7);
    other.info.settings.budget = Some(Seconds(7.0));
    assert!(pooled(vec![on("n1", 0, 1, 1.1, 3), other], false).is_ok());
}
