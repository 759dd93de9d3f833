//! Projects in C++, built by CMake.

use std::process::Command;

use tare_lab::rig::Rig;
use tare_model::fault::FaultKind;
use tare_prepare::bench::{BenchRequest, BenchmarksFrom, Compared};

use super::checkout::{Checkout, Ready, entry, names, request, two};
use super::harnesses::works;
use crate::lab::PATIENCE;

const CMAKE: &str = "cmake_minimum_required(VERSION 3.18)
project(words CXX)
find_package(benchmark REQUIRED)
add_library(words src/words.cpp)
add_executable(speed speed/count.cpp speed/more.cpp)
target_link_libraries(speed PRIVATE words benchmark::benchmark_main)
";

fn library(turns: u32) -> String {
    format!(
        "int count(int n) {{ volatile int s = 0; for (int i = 0; i < {turns} * n; i++) s += i; return s; }}\n\
         int other(int n) {{ volatile int s = 1; for (int i = 0; i < n; i++) s *= 3; return s; }}\n"
    )
}

fn benchmark(name: &str, call: &str) -> String {
    format!(
        "#include <benchmark/benchmark.h>\nint count(int);\nint other(int);\n\
         static void {name}(benchmark::State& state) {{ for (auto _ : state) benchmark::DoNotOptimize({call}); }}\n\
         BENCHMARK({name});\n"
    )
}

/// Whether there is all that it takes; says so if not.
fn can_be_tried() -> bool {
    let text = "cmake --version && echo '#include <benchmark/benchmark.h>' | c++ -E -x c++ -";
    let there = works(&["sh", "-c", text]);
    if !there {
        println!("not tested: there is no cmake, or no Google Benchmark");
    }
    there
}

fn project() -> Checkout {
    let checkout = Checkout::new();
    checkout
        .write("CMakeLists.txt", CMAKE)
        .write("src/words.cpp", &library(1))
        .write("speed/count.cpp", &benchmark("BM_Count", "count(100)"))
        .write("speed/more.cpp", &benchmark("BM_Other", "other(100)"))
        .commit("One");
    checkout
        .write("src/words.cpp", &library(10))
        .write("speed/more.cpp", &benchmark("BM_Other", "other(200)"))
        .commit("Two");
    checkout
}

fn asked(from: BenchmarksFrom) -> BenchRequest {
    let mut asked = request(two(None));
    if let Compared::Revisions { from: asked, .. } = &mut asked.compared {
        *asked = from;
    }
    asked.rules.build_timeout = 10 * PATIENCE;
    asked
}

#[test]
#[ignore = "slow: builds a project in C++ at two revisions"]
fn slow_benchmarks_in_cpp_are_those_of_the_later_side_or_marked() {
    if !can_be_tried() {
        return;
    }
    let checkout = project();
    let mut job = checkout.job(asked(BenchmarksFrom::Later));
    assert_eq!(names(&job), ["BM_Count", "BM_Other"]);
    assert!(!entry(&job, "BM_Other").rewritten && job.remarks().is_empty());
    let mut ready = Ready::of(&mut job);
    assert!(ready.time("BM_Count", 1) > 2.0 * ready.time("BM_Count", 0));
    drop(ready);
    let mut job = checkout.job(asked(BenchmarksFrom::Each));
    let rewritten = |name: &str| entry(&job, name).rewritten;
    assert!(rewritten("BM_Other") && !rewritten("BM_Count"));
    let ready = Ready::of(&mut job);
    assert_eq!(ready.fault("BM_Other", 0), Some(FaultKind::Rewritten));
    assert_eq!(ready.fault("BM_Count", 0), None);
    drop(ready);
    checkout
        .write("speed/more.cpp", &benchmark("BM_Other", "other(300)"))
        .commit("Three");
    let job = checkout.job(asked(BenchmarksFrom::Later));
    let remark = &job.remarks()[0];
    assert!(
        remark.starts_with("the revisions differ in files of benchmarks only"),
        "{remark}"
    );
}

#[test]
#[ignore = "slow: builds layouts of a project in C++"]
fn slow_layouts_of_cpp_are_drawn_by_a_linker_that_can() {
    if !can_be_tried() {
        return;
    }
    let checkout = project();
    let mut asked = asked(BenchmarksFrom::Later);
    asked.rules.layouts = 3;
    let mut job = checkout.job(asked);
    let mut ready = Ready::of(&mut job);
    let has = |linker: &str| tare_host::command::find(linker, None).is_some();
    if !has("ld.lld") && !has("ld.mold") && !has("mold") {
        let remarks = format!("{:?}", job.remarks());
        assert!(
            remarks.contains("tried lld, mold; hint: install lld"),
            "{remarks}"
        );
        assert_eq!(ready.plan.rules.launches, None);
        return;
    }
    assert_eq!((ready.plan.rules.launches, job.remarks()), (Some(3), &[][..]));
    for pass in 0..3 {
        assert_eq!(ready.rig.pass(pass, &[0, 1]), []);
        assert!(ready.time("BM_Count", 1) > 2.0 * ready.time("BM_Count", 0));
    }
    let find = Command::new("find")
        .arg(checkout.root().join(".tare/benchmarks/builds"))
        .args(["-path", "*kept*", "-name", "speed", "-exec", "cksum", "{}", "+"])
        .output();
    let text = String::from_utf8(find.unwrap().stdout).unwrap();
    let sums: std::collections::BTreeSet<&str> =
        text.lines().filter_map(|line| line.split(' ').next()).collect();
    // On each side the usual one, and three that were drawn.
    assert_eq!((text.lines().count(), sums.len()), (8, 8), "{text}");
}
