//! What is said of a run before it starts, and of cases that it did not begin.

use tare_model::fault::{Fault, FaultKind};
use tare_model::forecast::{
    BenchmarkForecast, Forecast, GroupForecast, ModeForecast, PassesForecast, Planned,
};
use tare_model::metric::Mode;
use tare_model::results::{NotMeasured, Results, WhyNot};
use tare_model::units::Seconds;
use tare_report::terminal::Terminal;
use tare_report::{forecast, html, json, markdown, terminal};

use crate::fixture;

fn group(case: &str, launches: u32, stored: Option<u32>) -> GroupForecast {
    GroupForecast {
        workload: "http".to_owned(),
        case: case.to_owned(),
        sizes: None,
        in_process: false,
        contenders: 9,
        launches: Some(launches),
        least: 3,
        launch: Seconds(48.0),
        needs: Seconds(300.0),
        needs_at_least: Seconds(70.0),
        stored,
        modes: vec![ModeForecast {
            mode: Mode::Cost,
            spread: if stored.is_some() { 0.021 } else { 0.037 },
            typical: stored.is_none(),
            half_width: (launches > 2).then_some(0.148),
        }],
    }
}

fn plan(groups: Vec<GroupForecast>, enough: Option<f64>) -> Forecast {
    Forecast {
        budget: Some(Seconds(600.0)),
        enough: enough.map(Seconds),
        groups,
    }
}

#[test]
fn it_says_what_fits_what_does_not_and_where_the_numbers_come_from() {
    let plan = plan(
        vec![
            group("json", 6, Some(2)),
            group("db", 4, None),
            group("fortunes", 0, None),
        ],
        Some(900.0),
    );
    let text = "Plan: 10 min 0 s at the most, from the first start.
  http/json  9 contenders  about 6 launches of 48 s  cost ±15%
  http/db    9 contenders  about 4 launches of 48 s  cost ±15%
  Not measured, unless others are decided early: http/fortunes.
  --budget 15m holds all, `tare run http/fortunes --budget 5m` the next one.
  ±: half the interval to expect of a pair, by the spread between launches (2.1% of cost, http/json in 2 stored runs of \
                this machine; 3.7%, typical of cost; typical: the median of the runs in docs/results).
";
    assert_eq!(forecast::text(&plan), text);
    let document: serde_json::Value = serde_json::from_str(&forecast::document(&plan)).unwrap();
    assert_eq!(document["schema"], "tare-plan/1");
    assert_eq!(document["groups"][2]["launches"], 0);
    assert_eq!(document["groups"][0]["modes"][0]["half_width"], 0.148);
    assert_eq!(document["enough"], 900.0);
}

fn benchmark(name: &str, round: Option<f64>, planned: Planned) -> BenchmarkForecast {
    BenchmarkForecast {
        program: "rank".to_owned(),
        name: name.to_owned(),
        round: round.map(Seconds),
        planned,
    }
}

fn bench(benchmarks: Vec<BenchmarkForecast>) -> PassesForecast {
    PassesForecast {
        budget: Some(Seconds(600.0)),
        compared: true,
        benchmarks,
        first: Seconds(1.6),
        rounds: 4,
        pass: Seconds(1.6),
        passes: Some(370),
        enough: None,
    }
}

#[test]
fn a_plan_of_benchmarks_says_how_long_they_take_and_which_are_not_measured() {
    let absent = Planned::Not {
        side: "before".to_owned(),
        fault: Fault::new(FaultKind::Absent, "before does not\u{1b}[2J have it\nmore"),
    };
    let mut plan = bench(vec![
        benchmark("A", Some(0.1), Planned::Measured),
        benchmark("B", Some(0.3), Planned::Measured),
        benchmark("C", None, absent.clone()),
    ]);
    let text = "Plan: 2 benchmarks on both sides, 10 min 0 s at the most; builds are apart.
  rank: 2 benchmarks, 400 ms a round (300 ms the longest, B)
A pass, a launch of 4 rounds of each, takes 1.60 s: about 370 passes if none is decided early. A verdict takes 3 at the least.
Not measured: rank C (before): before does not␛[2J have it
";
    assert_eq!(forecast::benchmarks::text(&plan), text);
    plan.benchmarks
        .push(benchmark("D", Some(300.0), Planned::LeftOut));
    plan.benchmarks
        .extend((0..12).map(|index| benchmark(&index.to_string(), None, absent.clone())));
    (plan.enough, plan.passes, plan.budget, plan.compared) = (Some(Seconds(2100.0)), None, None, false);
    let text = forecast::benchmarks::text(&plan);
    assert!(text.starts_with("Plan: 2 benchmarks, until decided;"), "{text}");
    assert!(
        text.contains("as many as it takes if none is decided early. An interval takes 3"),
        "{text}"
    );
    assert!(
        text.contains("does not hold it: rank D. `--budget 35m` holds all."),
        "{text}"
    );
    assert!(text.ends_with("Not measured: 3 benchmarks more.\n"), "{text}");
    let document: serde_json::Value = serde_json::from_str(&forecast::benchmarks::document(&plan)).unwrap();
    assert_eq!(document["benchmarks"][2]["planned"], "not");
    assert_eq!(document["benchmarks"][3]["planned"], "left-out");
    assert!(document["passes"].is_null() && document["enough"] == 2100.0);
}

#[test]
fn of_many_cases_without_room_some_are_named() {
    let mut groups = vec![group("one", 6, None)];
    groups.extend((0..14).map(|index| group(&format!("case{index}"), 0, None)));
    let text = forecast::text(&plan(groups, Some(5000.0)));
    assert!(text.contains("http/case4 and 9 more."), "{text}");
    assert!(text.lines().count() == 5, "{text}");
}

#[test]
fn what_was_not_measured_is_named_in_every_report() {
    let of = |case: &str, why| NotMeasured {
        workload: "http".to_owned(),
        case: case.to_owned(),
        why,
    };
    let results = Results {
        run: fixture::run(),
        not_measured: vec![of("db", WhyNot::Budget), of("json", WhyNot::Budget)],
        ..Results::default()
    };
    let said = "Not measured: http/db and http/json (budget).";
    let texts = [
        terminal::render(&results, Terminal::default()),
        markdown::render(&results),
        html::render(&results),
    ];
    for text in texts {
        assert!(text.contains(said), "{text}");
    }
    let document: serde_json::Value = serde_json::from_str(&json::render(&results)).unwrap();
    assert_eq!(document["not_measured"][1]["case"], "json");
    assert_eq!(document["not_measured"][1]["why"], "budget");
    let results = Results {
        not_measured: vec![of("db", WhyNot::Unfinished)],
        ..results
    };
    let text = terminal::render(&results, Terminal::default());
    assert!(
        text.contains("Not measured: http/db (the run was not finished)."),
        "{text}"
    );
}
