//! Output that nobody would write by accident.

use super::{benchmark, places, suite};
use crate::command::Done;
use crate::harness::{Harness, Program};
use crate::{ALL, named};

fn printed(stdout: impl Into<Vec<u8>>) -> Done {
    Done {
        status: Some(0),
        stdout: stdout.into(),
        ..Done::default()
    }
}

fn program() -> Program {
    Program::new("words", "/out/words", "/project")
}

#[test]
fn nothing_is_no_result_whatever_the_status() {
    for harness in ALL {
        for status in [Some(0), Some(1), None] {
            let done = Done {
                status,
                ..Done::default()
            };
            let refused = harness.sampled(&benchmark("a"), &done).unwrap_err();
            assert_eq!(refused.tried, "measure a", "{}", harness.name());
            assert!(!refused.hint.is_empty());
            assert!(
                harness.listed(&program(), None, &done).is_err(),
                "{}",
                harness.name()
            );
        }
    }
}

#[test]
fn a_flood_is_refused_or_passed_over() {
    let long = vec![b'a'; 10 << 20];
    let flood = vec![b'\n'; (64 << 20) + 1];
    for harness in ALL {
        let refused = harness
            .sampled(&benchmark("a"), &printed(long.clone()))
            .unwrap_err();
        assert!(
            refused.found.len() < 10_000,
            "{}: {}",
            harness.name(),
            refused.found.len()
        );
        let refused = harness
            .sampled(&benchmark("a"), &printed(flood.clone()))
            .unwrap_err();
        assert_eq!(refused.found, "it wrote more than 64 MB", "{}", harness.name());
    }
}

#[test]
fn names_that_cannot_be_shown_are_left_out() {
    let go = named("go").unwrap();
    let group = crate::harness::Group {
        name: "BenchmarkA".to_owned(),
    };
    let lines = "BenchmarkA/\u{1b}[2Jx 1 5 ns/op\nBenchmarkA/../../x 1 5 ns/op\nBenchmarkA/b 1 5 ns/op\nBenchmarkA/b 1 5 ns/op\n";
    let listing = go.listed(&program(), Some(&group), &printed(lines)).unwrap();
    let names: Vec<&str> = listing.benchmarks.iter().map(crate::Benchmark::name).collect();
    assert_eq!(names, ["BenchmarkA/../../x"]);
    let out: Vec<&str> = listing.left_out.iter().map(|out| out.what.as_str()).collect();
    assert_eq!(out, ["BenchmarkA/\\u{1b}[2Jx", "BenchmarkA/b"]);
}

#[test]
fn a_name_is_an_argument_of_its_own_and_never_a_flag_or_a_path() {
    let scratch = std::path::Path::new("/scratch");
    let listed = [
        ("criterion", "--help: benchmark\n"),
        ("divan", "--help: benchmark\n"),
        ("libtest", "--help: benchmark\n"),
        ("google-benchmark", "--help\n"),
        ("pytest-benchmark", "--help (fixtures used: benchmark)\n"),
    ];
    for (name, output) in listed {
        let harness = named(name).unwrap();
        let listing = harness.listed(&program(), None, &printed(output)).unwrap();
        let effort = crate::Effort::Iterations(1);
        let command = harness.sample(&program(), &listing.benchmarks[0], effort, scratch);
        let args: Vec<&str> = command.args.iter().map(|arg| arg.to_str().unwrap()).collect();
        let flags = args.split(|arg| *arg == "--").next().unwrap();
        assert!(!flags.contains(&"--help"), "{name}: {args:?}");
    }
}

/// What is printed twice is nobody's figure; and figures that are none are refused.
#[test]
fn results_that_mean_nothing_are_refused() {
    let go = named("go").unwrap();
    let refused = |line: &str| {
        go.sampled(&benchmark("BenchmarkA"), &printed(line))
            .unwrap_err()
            .found
    };
    assert!(refused("BenchmarkA 1 5 ns/op\nBenchmarkA 1 6 ns/op\n").starts_with("it gave 2 results"));
    for number in ["0", "-5", "NaN", "+Inf", "1e999"] {
        let line = format!("BenchmarkA 1 {number} ns/op\n");
        assert!(!refused(&line).is_empty(), "{number}");
    }
    let line = "BenchmarkA-8 7 5 ns/op 3 words/op NaN odd/op -1 B/op\n";
    let sample = go.sampled(&benchmark("BenchmarkA"), &printed(line)).unwrap();
    assert_eq!(
        (sample.figures.len(), sample.left_out.len(), sample.iterations),
        (2, 2, Some(7))
    );
}

#[test]
fn of_a_build_that_made_nothing_the_cure_is_named() {
    for name in ["criterion", "divan", "libtest"] {
        let refused = named(name)
            .unwrap()
            .built(&suite(), &places(), &[printed("{}\nno JSON\n")]);
        assert!(refused.unwrap_err().hint.contains("[[bench]]"), "{name}");
    }
}

#[test]
fn every_harness_is_found_by_its_name() {
    for harness in ALL {
        assert_eq!(named(harness.name()).map(Harness::name), Some(harness.name()));
    }
    assert!(named("nothing").is_none());
}
