//! Programs that print lines NAME VALUE UNIT: the way from a listing to samples, and what fails on it.

use std::path::Path;
use std::time::Duration;

use tare_lab::rig::Rig;
use tare_model::fault::FaultKind;
use tare_model::figure::Quantity;
use tare_model::metric::Metric;
use tare_model::subject::Subject;
use tare_prepare::bench::{BenchRequest, Compared, Given};
use tare_prepare::revisions::Setup;

use super::checkout::{Checkout, Ready, entry, here, names, request, script, two};
use crate::lab::PATIENCE;

const SUMS: &str = "#!/bin/sh\necho sum 12 ns/op\necho sum 3 allocs/op\necho old 5 ns/op\n";

#[test]
fn a_script_at_two_revisions_from_its_listing_to_samples() {
    let checkout = Checkout::new();
    checkout.write("bench.sh", SUMS).commit("Sum");
    checkout
        .write(
            "bench.sh",
            "#!/bin/sh\necho sum 24 ns/op\necho sum 3 allocs/op\necho new 7 us\n",
        )
        .commit("Sum slowly");
    let mut job = checkout.job(script("bench.sh"));
    assert_eq!(names(&job), ["sum", "new", "old"]);
    assert_eq!(entry(&job, "sum").sides, ["before", "after"]);
    assert_eq!(entry(&job, "old").sides, ["before"]);
    let revisions = job.settings().revisions.unwrap();
    assert!(revisions.before.ends_with("(Sum)") && revisions.after.ends_with("(Sum slowly)"));

    let mut ready = Ready::of(&mut job);
    assert_eq!(ready.fault("sum", 0), None);
    assert_eq!(ready.fault("old", 1), Some(FaultKind::Absent));
    assert_eq!(ready.fault("new", 0), Some(FaultKind::Absent));
    let Subject::Benchmark { harness, program, .. } = &ready.entrant("sum", 1).subject else {
        panic!("it is a benchmark");
    };
    assert_eq!((harness.as_str(), program.as_str()), ("generic", "bench"));
    assert!((ready.time("sum", 0) - 12e-9).abs() < 1e-15);
    assert!((ready.time("sum", 1) - 24e-9).abs() < 1e-15);
    let reading = ready.reading("sum", 1);
    assert!(reading.host.cpu.0 > 0.0 && reading.value(Metric::CpuPerOp).is_none());
    let allocations = reading
        .figures
        .iter()
        .find(|figure| figure.quantity == Quantity::Allocations);
    assert_eq!(allocations.map(|figure| figure.value), Some(3.0));
    assert_eq!(job.settings().benchmarks.unwrap().harnesses, ["generic"]);
}

#[test]
fn what_fails_is_a_fault_with_the_programs_own_words() {
    let checkout = Checkout::new();
    checkout.write("bench.sh", SUMS).commit("One");
    let failing = "#!/bin/sh\n\
        case $TARE_BENCHMARK in\n\
        sum) echo alas >&2; exit 3;;\n\
        silent) exit 0;;\n\
        esac\n\
        for name in sum silent good; do echo $name 1 ns; done\n";
    checkout.write("bench.sh", failing).commit("Two");
    let mut job = checkout.job(BenchRequest {
        compared: here(),
        ..script("bench.sh")
    });
    let mut ready = Ready::of(&mut job);
    assert_eq!(ready.plan.groups[0].entrants.len(), 1);
    let detail = |name: &str, ready: &Ready| {
        let fault = ready.entrant(name, 0).fault.clone().unwrap();
        (fault.kind, fault.detail)
    };
    let (kind, words) = detail("sum", &ready);
    assert!(
        kind == FaultKind::Died && words.contains("alas") && words.contains("exit status 3"),
        "{words}"
    );
    let (kind, words) = detail("silent", &ready);
    assert!(
        kind == FaultKind::Died && words.contains("no result (exit status 0)"),
        "{words}"
    );
    assert!((ready.time("good", 0) - 1e-9).abs() < 1e-16);
    assert_eq!(ready.slice_fault("sum", 0).kind, FaultKind::Died);
}

#[test]
fn what_hangs_is_ended_and_named() {
    let checkout = Checkout::new();
    let script =
        "#!/bin/sh\n[ \"$TARE_BENCHMARK\" ] && echo before it hangs && exec sleep 300\necho slow 1 ns\n";
    checkout.write("bench.sh", script);
    let given = Given {
        name: "bench".to_owned(),
        path: "bench.sh".into(),
    };
    let mut asked = request(Compared::Programs(vec![given]));
    asked.harnesses = vec!["generic".to_owned()];
    asked.rules.timeout = Duration::from_millis(500);
    let ready = Ready::of(&mut checkout.job(asked));
    let fault = ready.entrant("slow", 0).fault.clone().unwrap();
    assert_eq!(fault.kind, FaultKind::Hung);
    assert!(fault.detail.contains("--timeout"), "{fault}");
}

#[test]
fn two_programs_that_are_there_already_are_compared_under_one_name() {
    let checkout = Checkout::new();
    checkout.write("old.sh", SUMS);
    checkout.write("new.sh", "#!/bin/sh\necho sum 6 ns/op\n");
    let given = |name: &str, path: &str| Given {
        name: name.to_owned(),
        path: path.into(),
    };
    let programs = || Compared::Programs(vec![given("old", "old.sh"), given("new", "new.sh")]);
    let generic = |compared| BenchRequest {
        harnesses: vec!["generic".to_owned()],
        ..request(compared)
    };
    let mut asked = generic(programs());
    asked.rules.layouts = 8;
    let mut job = checkout.job(asked);
    assert_eq!(job.settings().revisions, None);
    assert_eq!(entry(&job, "sum").program, "new.sh");
    let mut ready = Ready::of(&mut job);
    assert!(ready.entrant("sum", 0).summary.starts_with("old: "));
    // Layouts of what was built already cannot be drawn.
    assert!(job.remarks()[0].contains("one layout") && ready.plan.rules.launches.is_none());
    assert_eq!(job.settings().benchmarks.unwrap().layouts, 1);
    assert_eq!(ready.rig.pass(0, &[0]), []);
    assert!(ready.time("sum", 0) > ready.time("sum", 1));

    let refused = |compared| checkout.job_in("", generic(compared)).err().unwrap().to_string();
    assert!(refused(Compared::Programs(vec![given("a", "none.sh")])).contains("none.sh"));
    let shown = checkout.job_in("", request(programs())).err().unwrap();
    assert!(
        shown.to_string().contains("does not show which harness"),
        "{shown}"
    );
    assert!(shown.hint().unwrap().contains("--harness generic"));
}

#[test]
fn what_cannot_be_measured_is_refused_with_a_hint() {
    let checkout = Checkout::new();
    checkout.write("README", "nothing here\n").commit("One");
    checkout.write("README", "nothing here either\n").commit("Two");
    let refused = |asked: BenchRequest| checkout.job_in("", asked).err().unwrap();
    let nothing = refused(request(two(None)));
    assert!(
        nothing.to_string().contains("looked for go, criterion"),
        "{nothing}"
    );
    assert!(nothing.hint().is_some());
    let unknown = refused(BenchRequest {
        harnesses: vec!["gopher".to_owned()],
        ..request(two(None))
    });
    assert!(unknown.hint().unwrap().contains("google-benchmark"));
    let pattern = refused(BenchRequest {
        only: Some("(".to_owned()),
        ..request(two(None))
    });
    assert!(pattern.to_string().contains("regular expression"), "{pattern}");
    checkout.write("bench.sh", SUMS).commit("Three");
    checkout.write("more", "").commit("Four");
    let none = refused(BenchRequest {
        only: Some("^total$".to_owned()),
        ..script("bench.sh")
    });
    assert!(none.hint().unwrap().contains("`sum`"), "{none}");
}

#[test]
fn a_flood_and_hostile_names_are_bounded() {
    let checkout = Checkout::new();
    checkout.write("bench.sh", SUMS).commit("One");
    let flood = "#!/bin/sh\n\
        printf 'bad\\033[2J 1 ns\\n../../no-file-of-anybody 2 ns\\n'\n\
        [ \"$TARE_BENCHMARK\" = ../../no-file-of-anybody ] && head -c 80000000 /dev/zero | tr '\\0' x\n\
        exit 0\n";
    checkout.write("bench.sh", flood).commit("Two");
    let job = checkout.job(script("bench.sh"));
    assert_eq!(names(&job)[0], "../../no-file-of-anybody");
    assert!(
        job.remarks()
            .iter()
            .any(|remark| remark.contains("control characters")),
        "{:?}",
        job.remarks()
    );
    assert!(job.remarks().iter().all(|remark| !remark.contains('\u{1b}')));
    let mut job = checkout.job(BenchRequest {
        compared: here(),
        ..script("bench.sh")
    });
    let ready = Ready::of(&mut job);
    let fault = ready
        .entrant("../../no-file-of-anybody", 0)
        .fault
        .clone()
        .unwrap();
    assert!(fault.detail.contains("64 MB"), "{fault}");
    assert!(
        !Path::new(&checkout.root())
            .join("../../no-file-of-anybody")
            .exists()
    );
}

#[test]
fn each_tree_is_set_up_before_anything_is_listed() {
    let checkout = Checkout::new();
    checkout.write("word", "one").commit("One");
    checkout.write("word", "two").commit("Two");
    let mut asked = script("made.sh");
    let Compared::Revisions { setup, .. } = &mut asked.compared else {
        panic!("two revisions");
    };
    *setup = Some(Setup {
        command:
            "printf '#!/bin/sh\\necho %s 1 ns\\necho both 2 ns\\n' $(cat word) >made.sh; chmod +x made.sh"
                .to_owned(),
        timeout: PATIENCE,
        rebuild: false,
    });
    let job = checkout.job(asked);
    assert_eq!(names(&job), ["two", "both", "one"]);
    assert!(
        !checkout.root().join("made.sh").exists(),
        "neither side is the working tree"
    );
}
