//! `tare time`: commands that do as they should, and commands that do not. No verdict here hangs on how fast this
//! machine is: what is distinguishable differs by far more than its noise.

use std::fs;

use crate::lab::{Lab, Ran};

fn time(lab: &Lab, words: &[&str]) -> Ran {
    let ran = lab.run(&[&["time"], words].concat());
    assert_eq!(lab.left(), Vec::<String>::new(), "{}", ran.err);
    ran
}

fn contender<'a>(document: &'a serde_json::Value, name: &str) -> &'a serde_json::Value {
    let list = document["workloads"][0]["contenders"].as_array().unwrap();
    list.iter()
        .find(|one| one["name"] == name)
        .unwrap_or_else(|| panic!("{name}: {document:#}"))
}

#[test]
fn the_slower_of_two_is_found_and_the_tare_is_shown() {
    let lab = Lab::new(&[]);
    let words = [
        "sleep 0.01",
        "sleep 0.2",
        "--names",
        "short,long",
        "--budget",
        "20s",
    ];
    let ran = time(&lab, &words).expect(0);
    for part in [
        "short",
        "long",
        "slower",
        "The tare: starting a process that does nothing (`sh -c :`)",
        "α 5%",
    ] {
        assert!(ran.out.contains(part), "no {part:?}: {}\n{}", ran.out, ran.err);
    }
    // It is kept, and can be seen again.
    let again = lab.run(&["show", "latest"]).expect(0);
    assert!(
        again.out.contains("time/commands") && again.out.contains("slower"),
        "{}",
        again.out
    );
    let html = lab.path().join("r.html");
    lab.run(&["report", "--format", "html", "--out", html.to_str().unwrap()])
        .expect(0);
    assert!(fs::read_to_string(html).unwrap().contains("sleep 0.2"));
}

#[test]
fn a_fixed_number_of_runs_is_made_and_every_file_is_written() {
    let lab = Lab::new(&[]);
    let file = |name: &str| lab.path().join(name).display().to_string();
    let [md, csv, json, html, hyper] = ["a.md", "a.csv", "a.json", "a.html", "h.json"].map(file);
    let words = [
        "true",
        "sleep 0.02",
        "-N",
        "--runs",
        "12",
        "--seed",
        "5",
        "--format",
        "json",
        "--export-md",
        &md,
        "--export-csv",
        &csv,
        "--export-json",
        &json,
        "--export-html",
        &html,
        "--export-hyperfine",
        &hyper,
    ];
    let document = time(&lab, &words).expect(0).json();
    assert_eq!(document["workloads"][0]["mode"], "command");
    assert_eq!(document["workloads"][0]["rounds"], 12);
    for name in ["true", "sleep"] {
        let one = contender(&document, name);
        assert!(
            one["metrics"]["duration"]["estimate"].as_f64().unwrap() > 0.0,
            "{one:#}"
        );
        assert_eq!(one["state"], "measured");
    }
    assert!(contender(&document, "nothing")["rank"]["duration"].is_null());
    let read = |path: &str| fs::read_to_string(path).unwrap();
    assert!(read(&md).contains("| rank |") && read(&html).contains("<svg"));
    assert!(
        read(&csv)
            .lines()
            .any(|line| line.contains(",sleep,") && line.contains(",duration,"))
    );
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&read(&json)).unwrap(),
        document
    );
    let hyper: serde_json::Value = serde_json::from_str(&read(&hyper)).unwrap();
    let results = hyper["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for (result, command) in results.iter().zip(["true", "sleep 0.02"]) {
        assert_eq!(result["command"], command);
        let times = result["times"].as_array().unwrap();
        assert_eq!(
            (times.len(), result["exit_codes"].as_array().unwrap().len()),
            (12, 12)
        );
        let mean = times.iter().map(|time| time.as_f64().unwrap()).sum::<f64>() / 12.0;
        assert!((result["mean"].as_f64().unwrap() - mean).abs() < 1e-9);
        assert!(result["min"].as_f64() <= result["median"].as_f64());
    }
}

#[test]
fn setup_prepare_and_cleanup_run_as_often_as_they_should() {
    let lab = Lab::new(&[]);
    let log = lab.path().join("log");
    let say = |word: &str| format!("echo {word} >> {}", log.display());
    let (prepare, setup, cleanup, a, b) = (say("prepare"), say("setup"), say("cleanup"), say("a"), say("b"));
    let words = [
        a.as_str(),
        &b,
        "--names",
        "a,b",
        "--runs",
        "3",
        "--warmup",
        "2",
        "--prepare",
        &prepare,
        "--setup",
        &setup,
        "--cleanup",
        &cleanup,
    ];
    time(&lab, &words).expect(0);
    let text = fs::read_to_string(&log).unwrap();
    let count = |word: &str| text.lines().filter(|line| *line == word).count();
    // The first look, two rounds of warm-up, three that count.
    assert_eq!((count("a"), count("b"), count("prepare")), (6, 6, 12));
    assert_eq!((count("setup"), count("cleanup")), (2, 2));
    assert!(
        text.starts_with("setup\nprepare\na\nsetup\nprepare\nb\n"),
        "{text}"
    );
    assert!(text.ends_with("cleanup\ncleanup\n"), "{text}");
}

#[test]
fn rounds_are_interleaved_in_random_order_and_a_seed_repeats_it() {
    let lab = Lab::new(&[]);
    let order = |seed: &str| {
        let log = lab.path().join(format!("log-{seed}"));
        let say = |word: &str| format!("echo {word} >> {}", log.display());
        let (a, b) = (say("a"), say("b"));
        time(
            &lab,
            &[
                &a, &b, "--names", "a,b", "--runs", "20", "--warmup", "0", "--seed", seed,
            ],
        )
        .expect(0);
        let text = fs::read_to_string(&log).unwrap();
        fs::remove_file(&log).unwrap();
        let words: Vec<String> = text.lines().skip(2).map(str::to_owned).collect();
        assert!(
            words
                .chunks(2)
                .all(|round| round.contains(&"a".to_owned()) && round.contains(&"b".to_owned()))
        );
        words
    };
    let one = order("1");
    assert_eq!((one.len(), order("1")), (40, one.clone()));
    let firsts = one.chunks(2).filter(|round| round[0] == "a").count();
    assert!((1..20).contains(&firsts), "{one:?}");
}

#[test]
fn sizes_draw_a_line() {
    let lab = Lab::new(&[]);
    let words = [
        "sleep 0.0{n}",
        "sleep 0.1{n}",
        "--names",
        "a,b",
        "--param",
        "n",
        "1,4,8",
        "--runs",
        "12",
        "--format",
        "json",
    ];
    let document = time(&lab, &words).expect(0).json();
    let workloads = document["workloads"].as_array().unwrap();
    let sizes: Vec<&serde_json::Value> = workloads.iter().map(|one| &one["size"]).collect();
    assert_eq!(sizes, [1, 4, 8]);
    let sweep = &document["sweeps"][0];
    let names: Vec<&str> = sweep["contenders"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["contender"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a", "b"], "doing nothing has no size: {sweep:#}");
    let text = lab.run(&["show", "latest"]).expect(0).out;
    assert!(text.contains("by n"), "{text}");
}

#[test]
fn values_that_are_not_numbers_make_commands_of_their_own() {
    let lab = Lab::new(&[]);
    let words = ["test -{f} /", "-L", "f", "d,e", "--runs", "3", "--format", "json"];
    let document = time(&lab, &words).expect(0).json();
    contender(&document, "test-d");
    contender(&document, "test-e");
}

#[test]
fn a_failure_is_reported_with_the_last_output_and_a_hint() {
    let lab = Lab::new(&[]);
    let ran = time(&lab, &["true", "echo alas >&2; exit 3"]).expect(1);
    for part in [
        "`echo alas >&2; exit 3` ended with exit status 3",
        "    alas",
        "--ignore-failure",
    ] {
        assert!(ran.err.contains(part), "{}", ran.err);
    }
    time(&lab, &["true", "exit 3", "--ignore-failure", "--runs", "3"]).expect(0);
    let ran = time(&lab, &["no-such-command-here"]).expect(1);
    assert!(
        ran.err.contains("127") && ran.err.contains("no-such-command-here"),
        "{}",
        ran.err
    );
    let ran = time(&lab, &["-N", "no-such-command-here"]).expect(2);
    assert!(
        ran.err.contains("no program `no-such-command-here` on PATH"),
        "{}",
        ran.err
    );
}

/// A command that fails later than in its first run is set aside, and the report says so.
#[test]
fn a_failure_in_the_middle_is_reported() {
    let lab = Lab::new(&[]);
    let file = lab.path().join("count");
    let fails = format!("echo x >> {0}; test $(wc -l < {0}) -lt 4", file.display());
    let ran = time(&lab, &["true", &fails, "--names", "good,bad", "--runs", "10"]).expect(1);
    assert!(
        ran.out.contains("bad: died") && ran.out.contains("exit status 1"),
        "{}\n{}",
        ran.out,
        ran.err
    );
}

#[test]
fn a_command_that_hangs_is_ended_with_its_children() {
    let lab = Lab::new(&[]);
    let marker = lab.path().display().to_string();
    let hangs = format!("sleep 300 & sleep 300; : {marker}");
    let ran = time(&lab, &["true", &hangs, "--timeout", "500ms"]).expect(1);
    assert!(
        ran.err.contains("had not ended after 0.5 s") && ran.err.contains("--timeout"),
        "{}",
        ran.err
    );
}

#[test]
fn outputs_that_differ_are_shown() {
    let lab = Lab::new(&[]);
    let ran = time(&lab, &["printf 'x\\ny\\n'", "printf 'x\\nz\\n'", "--same-output"]).expect(1);
    for part in ["line 2", "\"y\"", "\"z\"", "--same-output"] {
        assert!(ran.err.contains(part), "{}", ran.err);
    }
    time(&lab, &["echo x", "printf 'x\\n'", "--same-output", "--runs", "3"]).expect(0);
}

#[test]
fn standard_input_is_a_file_or_empty() {
    let lab = Lab::new(&[]);
    lab.write("in", "hello\n");
    let input = lab.path().join("in").display().to_string();
    time(&lab, &["grep -q hello", "--input", &input, "--runs", "3"]).expect(0);
    time(&lab, &["! read line", "--runs", "3"]).expect(0);
    let ran = time(&lab, &["cat", "--input", "no/such/file"]).expect(2);
    assert!(ran.err.contains("no/such/file"), "{}", ran.err);
}

#[test]
fn leftover_processes_are_ended_and_reported() {
    let lab = Lab::new(&[]);
    let marker = lab.path().display().to_string();
    let ran = time(
        &lab,
        &[
            &format!("sh -c 'sleep 300; : {marker}' & :"),
            "--names",
            "leaky",
            "--runs",
            "3",
        ],
    )
    .expect(0);
    assert!(ran.out.contains("leaky left processes behind"), "{}", ran.out);
}

#[test]
fn an_interrupt_keeps_what_was_measured() {
    let lab = Lab::new(&[]);
    let log = lab.path().join("log");
    let command = format!("echo x >> {}; sleep 0.05", log.display());
    let running = lab.start(lab.tare(&["time", &command, &command, "--runs", "10000"]));
    let lines = || fs::read_to_string(&log).unwrap_or_default().lines().count();
    crate::lab::wait_for("some rounds", || lines() >= 40);
    running.signal("INT");
    running.finish().expect(130);
    lab.assert_clean();
    assert!(lab.slices_kept() > 0);
}

#[test]
fn no_process_outlives_a_killed_tare() {
    let lab = Lab::new(&[]);
    let marker = lab.path().join("begun").display().to_string();
    let command = format!("touch {marker}; sleep 300");
    let running = lab.start(lab.tare(&["time", &command]));
    crate::lab::wait_for("the command to run", || fs::exists(&marker).unwrap());
    running.signal("KILL");
    running.finish().expect(-9);
    lab.assert_clean_soon();
}

#[test]
fn hyperfines_figures_are_shown_without_a_verdict() {
    let lab = Lab::new(&[]);
    lab.write(
        "h.json",
        r#"{"results": [{"command": "sleep 0.01", "mean": 0.5, "median": 0.4}]}"#,
    );
    let file = lab.path().join("h.json").display().to_string();
    let ran = time(
        &lab,
        &["sleep 0.01", "sleep 0.02", "--runs", "3", "--beside", &file],
    )
    .expect(0);
    assert!(
        ran.out.contains("published") && ran.out.contains("400 ms"),
        "{}",
        ran.out
    );
    let ran = time(&lab, &["true", "--beside", &file]).expect(2);
    assert!(ran.err.contains("it has: sleep 0.01"), "{}", ran.err);
}

#[test]
fn there_are_as_few_and_as_many_runs_as_were_asked_for() {
    let lab = Lab::new(&[]);
    let runs = |more: &[&str]| {
        let words = [
            &["true", "sleep 0.02", "-N", "--names", "a,b", "--format", "json"],
            more,
        ]
        .concat();
        let document = time(&lab, &words).expect(0).json();
        contender(&document, "b")["spread"]["runs"].as_u64().unwrap()
    };
    // Three blocks of four runs decide it.
    let count = runs(&["-m", "30", "-M", "40"]);
    assert!((30..=40).contains(&count), "{count}");
    assert!(runs(&["--max-runs", "5"]) <= 5);
    let crossed = lab.run(&["time", "true", "-m", "3", "-M", "2"]).expect(2);
    assert!(
        crossed.err.contains("--min-runs 3 is more than --max-runs 2"),
        "{}",
        crossed.err
    );
}

#[test]
fn what_commands_write_is_shown_where_it_is_asked_for() {
    let lab = Lab::new(&[]);
    let words = [
        "echo hello",
        "echo there >&2",
        "-r",
        "2",
        "-w",
        "0",
        "--names",
        "a,b",
    ];
    let quiet = time(&lab, &words).expect(0);
    assert!(!quiet.err.lines().any(|line| line == "hello"), "{}", quiet.err);
    let ran = time(&lab, &[&words[..], &["--show-output"]].concat()).expect(0);
    // Its first run, to see whether it works, and two that count.
    for line in ["hello", "there"] {
        assert_eq!(
            ran.err.lines().filter(|found| *found == line).count(),
            3,
            "{}",
            ran.err
        );
    }
    assert!(!ran.out.lines().any(|line| line == "hello"), "{}", ran.out);
    let more = ["--same-output", "--show-output"];
    let differ = lab.run(&[&["time"], &words[..], &more].concat()).expect(1);
    assert!(
        differ.err.contains("line 1") && differ.err.contains("hello"),
        "{}",
        differ.err
    );
}

#[test]
fn the_table_of_runs_is_in_the_order_that_was_asked_for() {
    let lab = Lab::new(&[]);
    let first = |more: &[&str]| {
        let words = [
            &["sleep 0.2", ":", "-r", "1", "-w", "0", "--names", "long,short"],
            more,
        ]
        .concat();
        let out = time(&lab, &words).expect(0).out;
        let lines = out
            .lines()
            .skip(1)
            .map(|line| line.split(' ').next().unwrap_or_default().to_owned());
        lines.take(3).collect::<Vec<_>>()
    };
    assert_eq!(first(&[]), ["long", "short", "nothing"]);
    assert_eq!(first(&["--sort", "command"]), ["long", "short", "nothing"]);
    assert_eq!(first(&["--sort", "mean-time"])[2], "long");
}

#[test]
fn a_gate_exits_with_4() {
    let lab = Lab::new(&[]);
    let words = [
        "sleep 0.01",
        "sleep 0.1",
        "--names",
        "a,b",
        "--budget",
        "20s",
        "--fail-if",
        "slower",
    ];
    time(&lab, &words).expect(4);
    let words = [
        "sleep 0.1",
        "sleep 0.01",
        "--names",
        "a,b",
        "--budget",
        "20s",
        "--fail-if",
        "slower",
    ];
    time(&lab, &words).expect(0);
}

/// Outside of any lab results go to the user's own folder.
#[test]
fn no_lab_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let tare = |words: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_tare"))
            .args(words)
            .current_dir(folder.path())
            .env("XDG_STATE_HOME", folder.path().join("state"))
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    tare(&["time", "true", "--runs", "3"]);
    assert!(folder.path().join("state/tare/results.sqlite").exists());
    assert!(tare(&["list", "runs"]).contains("time/commands"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
