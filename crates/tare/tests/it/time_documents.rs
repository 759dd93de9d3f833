//! What `tare time` reports of commands: memory and CPU time, a single command, its cores, hyperfine's parameters; and
//! `--until decided`.

use std::fs;

use crate::lab::{Lab, Ran, contender};
use crate::scaffold::assert_valid;

fn time(lab: &Lab, words: &[&str]) -> Ran {
    let ran = lab.run(&[&["time"], words].concat());
    assert_eq!(lab.left(), Vec::<String>::new(), "{}", ran.err);
    ran
}

const MIB: f64 = (1u64 << 20) as f64;

#[test]
fn peak_memory_and_cpu_time_are_in_the_document() {
    let lab = Lab::new(&[]);
    let words = [
        "dd if=/dev/zero of=/dev/null bs=64M count=1",
        "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done",
        "sleep 0.3",
        "--names",
        "large,busy,idle",
        "--runs",
        "5",
        "--format",
        "json",
    ];
    let document = time(&lab, &words).expect(0).json();
    let figure = |name: &str, metric: &str| {
        let figure = &contender(&document, name)["metrics"][metric];
        assert_eq!(
            figure["unit"],
            if metric == "memory_peak" { "bytes" } else { "s" },
            "{figure:#}"
        );
        figure["estimate"]
            .as_f64()
            .unwrap_or_else(|| panic!("no {metric} of {name}: {document:#}"))
    };
    // Its buffer, and not much more.
    let memory = figure("large", "memory_peak") / MIB;
    assert!((64.0..96.0).contains(&memory), "{memory} MiB");
    // Sleeping uses no CPU; a loop uses nothing else.
    let (cpu, wall) = (figure("idle", "cpu_per_op"), figure("idle", "duration"));
    assert!(
        cpu > 0.0 && wall >= 0.3 && cpu < wall / 2.0,
        "{cpu} s of {wall} s"
    );
    let (cpu, idle) = (figure("busy", "cpu_per_op"), cpu);
    assert!(cpu > idle, "{cpu} and {idle} s");
}

#[test]
fn one_command_alone_is_described() {
    let lab = Lab::new(&[]);
    let words = ["sleep 0.02", "--names", "only", "--runs", "7", "--format", "json"];
    let document = time(&lab, &words).expect(0).json();
    let only = contender(&document, "only");
    let figure = &only["metrics"]["duration"];
    assert!(figure["estimate"].as_f64().unwrap() >= 0.02, "{figure:#}");
    let comparisons = document["workloads"][0]["comparisons"].as_array().unwrap();
    assert!(
        comparisons.iter().all(|one| one["primary"] != true),
        "there is nobody to decide about: {comparisons:#?}"
    );
    let text = time(&lab, &["sleep 0.02", "--names", "only", "--runs", "7"])
        .expect(0)
        .out;
    let line = text.lines().find(|line| line.trim_start().starts_with("only"));
    let line = line.unwrap_or_else(|| panic!("{text}"));
    assert!(
        line.contains("sleep 0.02") && line.contains('±') && line.trim_end().ends_with('7'),
        "{text}"
    );
    for word in ["slower", "faster", "inconclusive"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
}

/// The cores that this process may use, as the kernel lists them for one of its own.
fn first_core() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:\t"))
        .unwrap();
    list.split([',', '-']).next().unwrap().to_owned()
}

#[test]
fn commands_run_in_the_given_folder() {
    let lab = Lab::new(&[]);
    let log = lab.path().join("cores");
    let command = format!("grep Cpus_allowed_list /proc/self/status >> {}", log.display());
    let core = first_core();
    time(&lab, &[&command, "--runs", "4", "--cores", &core]).expect(0);
    let seen = fs::read_to_string(&log).unwrap();
    assert!(seen.lines().count() >= 5, "{seen}");
    for line in seen.lines() {
        assert_eq!(line, format!("Cpus_allowed_list:\t{core}"));
    }
    let ran = time(&lab, &["true", "--cores", "4095"]).expect(2);
    assert!(ran.err.contains("core 4095 is not among those"), "{}", ran.err);
}

/// As hyperfine has them: texts, whatever they mean.
#[test]
fn parameters_are_in_hyperfines_format() {
    let lab = Lab::new(&[]);
    let file = lab.path().join("h.json").display().to_string();
    let words = [
        "printf '%{n}s' {word}",
        "-L",
        "n",
        "1,20",
        "-L",
        "word",
        "a,b",
        "--runs",
        "3",
        "--export-hyperfine",
        &file,
    ];
    time(&lab, &words).expect(0);
    let document: serde_json::Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let of = |result: &serde_json::Value| {
        let parameter = |name: &str| result["parameters"][name].as_str().unwrap().to_owned();
        let (n, word) = (parameter("n"), parameter("word"));
        assert_eq!(result["command"], format!("printf '%{n}s' {word}"), "{result:#}");
        assert_eq!(result["times"].as_array().unwrap().len(), 3);
        (n, word)
    };
    let mut found: Vec<(String, String)> = document["results"].as_array().unwrap().iter().map(of).collect();
    found.sort();
    let expected = [("1", "a"), ("1", "b"), ("20", "a"), ("20", "b")];
    let expected = expected.map(|(n, word)| (n.to_owned(), word.to_owned()));
    assert_eq!(found, expected);
    // Without parameters there is no such key.
    time(&lab, &["true", "--runs", "3", "--export-hyperfine", &file]).expect(0);
    assert!(!fs::read_to_string(&file).unwrap().contains("parameters"));
}

#[test]
fn until_decided_ends_with_every_question_decided() {
    let lab = Lab::new(&[]);
    let words = [
        "sleep 0.01",
        "sleep 0.1",
        "sleep 0.3",
        "--names",
        "a,b,c",
        "--until",
        "decided",
        "--format",
        "json",
    ];
    let document = time(&lab, &words).expect(0).json();
    assert!(document["run"]["settings"]["budget"].is_null());
    let comparisons = document["workloads"][0]["comparisons"].as_array().unwrap();
    let primary = comparisons.iter().filter(|one| one["primary"] == true);
    let verdicts: Vec<&str> = primary.map(|one| one["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["slower", "slower"], "{comparisons:#?}");
    time(&lab, &["true", "--until", "decided", "--budget", "1s"]).expect(2);
    time(&lab, &["true", "--until", "bored"]).expect(2);
}

/// How the runs lie is the same in every format, and can be had later of what was kept.
#[test]
fn mean_deviation_and_extremes_are_in_every_format() {
    let lab = Lab::new(&[]);
    let [md, csv, hyper] =
        ["a.md", "a.csv", "h.json"].map(|name| lab.path().join(name).display().to_string());
    let words = [
        "sleep 0.02",
        "sleep 0.03",
        "--names",
        "a,b",
        "--runs",
        "6",
        "--format",
        "json",
        "--export-md",
        &md,
        "--export-csv",
        &csv,
        "--export-hyperfine",
        &hyper,
    ];
    let document = time(&lab, &words).expect(0).json();
    assert_valid(&document);
    let hyper: serde_json::Value = serde_json::from_str(&fs::read_to_string(&hyper).unwrap()).unwrap();
    let (md, csv) = (
        fs::read_to_string(&md).unwrap(),
        fs::read_to_string(&csv).unwrap(),
    );
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let column = |row: &str, name: &str| {
        let index = header.iter().position(|known| *known == name).unwrap();
        row.split(',').nth(index).unwrap().to_owned()
    };
    for (name, theirs) in ["a", "b"].iter().zip(hyper["results"].as_array().unwrap()) {
        let spread = &contender(&document, name)["spread"];
        assert_eq!(spread["runs"], 6, "{spread:#}");
        let row = csv
            .lines()
            .find(|row| column(row, "contender") == *name && column(row, "metric") == "duration");
        let row = row.unwrap_or_else(|| panic!("{csv}"));
        let names = [
            ("mean", "mean"),
            ("deviation", "stddev"),
            ("median", "median"),
            ("min", "min"),
            ("max", "max"),
        ];
        for (ours, hyperfines) in names {
            let value = spread[ours].as_f64().unwrap_or_else(|| panic!("{spread:#}"));
            assert_eq!(theirs[hyperfines].as_f64().unwrap(), value, "{ours}");
            assert_eq!(column(row, ours).parse::<f64>().unwrap(), value, "{ours}: {row}");
        }
        assert!(md.contains(&format!("| `{name}` | sleep ")), "{md}");
    }
    assert!(md.contains("| mean ± σ | median | min | max | runs |"), "{md}");
    // Of what was kept.
    let again = lab.run(&["report", "--format", "json"]).expect(0).json();
    assert_eq!(
        contender(&again, "a")["spread"],
        contender(&document, "a")["spread"]
    );
    for words in [&["show", "latest"][..], &["report"]] {
        let text = lab.run(words).expect(0).out;
        assert!(text.contains("mean ± σ") && text.contains("The tare: "), "{text}");
    }
}

/// What is written for hyperfine's readers can be read again, as hyperfine's own.
#[test]
fn our_own_export_is_shown_beside() {
    let lab = Lab::new(&[]);
    let file = lab.path().join("h.json").display().to_string();
    let words = |more: [&str; 2]| {
        let words = [
            "sleep 0.0{n}",
            "--param",
            "n",
            "1,2",
            "--param-as",
            "commands",
            "--runs",
            "3",
        ];
        time(&lab, &[&words[..], &more].concat()).expect(0)
    };
    words(["--export-hyperfine", &file]);
    let ran = words(["--beside", &file]);
    assert_eq!(ran.out.matches("(sleep-0-0").count(), 2, "{}", ran.out);
    assert!(ran.out.contains("published"), "{}", ran.out);
}

/// Which of one command's values is best is decided, with ranks, where that is asked for; else a line goes over them.
#[test]
fn integer_parameters_of_one_command_are_ranked() {
    let lab = Lab::new(&[]);
    let words = [
        "sleep 0.{n}",
        "--param",
        "n",
        "3,05,050",
        "--param-as",
        "commands",
    ];
    let enough = ["--runs", "12", "--margin", "50%", "--format", "json"];
    let document = time(&lab, &[&words[..], &enough].concat()).expect(0).json();
    assert_eq!(document["workloads"].as_array().unwrap().len(), 1);
    assert_eq!(document["workloads"][0]["baseline"], "sleep-0-3");
    let rank = |name: &str| {
        let rank = &contender(&document, name)["rank"]["duration"];
        [0, 1].map(|end: usize| rank[end].as_u64().unwrap())
    };
    assert_eq!(rank("sleep-0-3"), [3, 3]);
    // By chance the two equal commands may be distinguishable, but neither is ever third.
    assert!(
        rank("sleep-0-05")[1] <= 2 && rank("sleep-0-050")[1] <= 2,
        "{document:#}"
    );
    let comparisons = document["workloads"][0]["comparisons"].as_array().unwrap();
    let primary = comparisons.iter().filter(|one| one["primary"] == true);
    let verdicts: Vec<&str> = primary.map(|one| one["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["faster", "faster"], "{comparisons:#?}");

    let words = ["sleep 0.0{n}", "--param", "n", "1,4,8", "--runs", "12"];
    let document = time(&lab, &[&words[..], &["--format", "json"]].concat())
        .expect(0)
        .json();
    assert_eq!(document["sweeps"][0]["sizes"], serde_json::json!([1, 4, 8]));
    let ran = time(&lab, &words).expect(0);
    assert!(ran.out.contains("--param-as commands"), "{}", ran.out);
}
