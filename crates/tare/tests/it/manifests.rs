//! Manifests and options that make no sense: refused with what was expected and a hint, before anything starts.

use crate::lab::{Lab, Ran, contender_file, run_line};

/// `run` and `check` both refuse, say the same, and have started and stored nothing.
#[track_caller]
fn refused(lab: &Lab, message: &str) {
    for command in ["run", "check"] {
        let ran = lab.run(&[command, "fixture"]);
        assert_refused(lab, &ran, message);
    }
}

#[track_caller]
fn assert_refused(lab: &Lab, ran: &Ran, message: &str) {
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert_eq!(ran.err, format!("error: {message}\n"));
    lab.assert_clean();
    for made in ["results.sqlite", "logs", "builds", "cache"] {
        assert!(!lab.path().join(".tare").join(made).exists(), "{made} was made");
    }
}

fn with(name: &str, more: &str) -> Lab {
    let lab = Lab::new(&[("good", "good")]);
    lab.contender(name, &format!("{}{more}", run_line("good")));
    lab
}

#[test]
fn an_unknown_key_gets_its_line_and_a_suggestion() {
    refused(
        &with("odd", "stand_in_for = \"another\"\n"),
        "workloads/fixture/contenders/odd/contender.toml:6: unknown key `stand_in_for`\n\n\
         hint: did you mean `stands_in_for`?",
    );
}

#[test]
fn settings_of_the_lab_are_not_keys() {
    let lab = with("odd", "port = 80\n");
    for command in ["run", "check"] {
        let ran = lab.run(&[command, "fixture"]);
        assert_eq!(ran.status, 2, "{}", ran.err);
        assert!(ran.err.contains("odd/contender.toml:6: "), "{}", ran.err);
        assert!(ran.err.contains("`port`"), "{}", ran.err);
    }
}

#[test]
fn a_contender_without_its_manifest_is_an_error() {
    let lab = Lab::new(&[("good", "good")]);
    lab.write("workloads/fixture/contenders/odd/main.c", "");
    refused(
        &lab,
        "workloads/fixture/contenders/odd/contender.toml: there is no such file\n\n\
         hint: every folder here is a contender and needs its manifest",
    );
}

#[test]
fn a_missing_workload_is_reported_with_those_that_exist() {
    let lab = Lab::new(&[("good", "good")]);
    let ran = lab.run(&["run", "fixtures"]);
    assert_refused(
        &lab,
        &ran,
        "workloads: there is no workload `fixtures`\n\nhint: did you mean `fixture`? there are: fixture",
    );
}

#[test]
fn a_path_that_leaves_the_lab_is_refused() {
    let lab = Lab::new(&[("good", "good")]);
    lab.contender("odd", "run = [\"../../../../bin/server\", \"{port}\"]\n");
    refused(
        &lab,
        "workloads/fixture/contenders/odd/contender.toml:5: `run`: the path `../../../../bin/server` leaves the \
         contender's folder\n\nhint: keep what it needs in the folder; {lab} is the lab's own",
    );
}

#[test]
fn a_link_that_leaves_the_lab_is_refused() {
    let lab = Lab::new(&[("good", "good")]);
    let elsewhere = tempfile::tempdir().unwrap();
    let real = elsewhere.path().canonicalize().unwrap().join("contender.toml");
    std::fs::write(&real, "schema = 1\n").unwrap();
    let link = lab.path().join(contender_file("odd"));
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    refused(
        &lab,
        &format!(
            "workloads/fixture/contenders/odd/contender.toml: leads out of the lab's folder, to {}\n\n\
             hint: copy it into the lab instead of linking to it",
            real.display()
        ),
    );
}

#[test]
fn an_absurd_value_is_refused() {
    let lab = Lab::new(&[("good", "good")]);
    let file = lab.path().join("workloads/fixture/workload.toml");
    let text = std::fs::read_to_string(file).unwrap();
    let line = 1 + text.lines().position(|line| line == "connections = 4").unwrap();
    let text = text.replacen("connections = 4", "connections = 4000000", 1);
    lab.write("workloads/fixture/workload.toml", &text);
    for command in ["run", "check"] {
        let ran = lab.run(&[command, "fixture"]);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.err);
        let expected =
            format!("error: workloads/fixture/workload.toml:{line}: `modes.capacity.connections`: expected ");
        assert!(ran.err.starts_with(&expected), "{}", ran.err);
        assert!(ran.err.contains("4000000"), "{}", ran.err);
    }
    lab.assert_clean();
}

#[test]
fn every_problem_of_every_manifest_is_reported_at_once() {
    let lab = with("odd", "colour = \"red\"\nsize = 3\n");
    lab.contender("other", "run = []\n");
    lab.write("languages/strange.toml", "schema = 1\nsummary = 5\n");
    for name in ["stranger", "strangest"] {
        let text = "schema = 1\nlanguage = \"strange\"\nsummary = \"x\"\nstyle = \"tuned\"\n";
        lab.write(&contender_file(name), text);
    }
    let ran = lab.run(&["check", "fixture"]).expect(2);
    for part in [
        "odd/contender.toml:6: ",
        "odd/contender.toml:7: ",
        "other/contender.toml:5: ",
    ] {
        assert_eq!(ran.err.matches(part).count(), 1, "{part}: {}", ran.err);
    }
    assert_eq!(
        ran.err.matches("languages/strange.toml:2: ").count(),
        1,
        "{}",
        ran.err
    );
}

#[test]
fn unknown_names_are_refused_with_the_names_that_exist() {
    let lab = Lab::new(&[("good", "good"), ("twin", "good")]);
    for words in [["--only", "twim"], ["--except", "twim"]] {
        for command in ["run", "check"] {
            let ran = lab.run(&[command, "fixture", words[0], words[1]]);
            assert_refused(
                &lab,
                &ran,
                "no contender `twim` takes part in what was asked for\n\nhint: there are good, twin",
            );
        }
    }
    let ran = lab.run(&["run", "fixture", "--baseline", "twim"]);
    assert_refused(
        &lab,
        &ran,
        "the baseline `twim` does not take part in case `all`\n\nhint: its contenders are good, twin",
    );
    let ran = lab.run(&["run", "fixture", "--mode", "batch"]);
    assert_refused(
        &lab,
        &ran,
        "`fixture/all` has no mode `batch`: it has capacity, cost",
    );
    let ran = lab.run(&["run", "fixture/none"]);
    assert_refused(
        &lab,
        &ran,
        "workload `fixture` has no case `none`\n\nhint: its cases are all",
    );
    let ran = lab.run(&["run", "fixture", "--only", "twin", "--except", "twin"]);
    assert_refused(
        &lab,
        &ran,
        "no contender is left of what was asked for\n\nhint: see `tare list contenders`",
    );
}

#[test]
fn impossible_options_are_wrong_usage() {
    let lab = Lab::new(&[("good", "good")]);
    for words in [
        &["run", "fixture", "--budget", "0s"][..],
        &["run", "fixture", "--rounds", "0"],
        &["run", "fixture", "--launches", "0"],
        &["run", "fixture", "--seed", "x"],
        &["run", "fixture", "--margin", "51%"],
        &["run", "fixture", "--alpha", "0%"],
        &["run", "fixture", "--rate", "0"],
        &["run", "fixture", "--rate", "-5"],
        &["run", "fixture", "--fail-if", "slow"],
        &["run", "fixture", "--mode", "fast"],
        &["run", "fixture", "--cores-contender", "4000"],
        &["run", "fixture", "--format", "html"],
        &["run", "../fixture"],
        &["run", "fixture", "--only", "../good"],
        &["load", "ftp://127.0.0.1:1"],
        &["load", "tcp://127.0.0.1"],
        &["load", "tcp://127.0.0.1:1", "--send", "x"],
        &["nonsense"],
    ] {
        let ran = lab.run(words);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{words:?}: {}", ran.err);
        assert!(ran.err.starts_with("error: "), "{words:?}: {}", ran.err);
        lab.assert_clean();
    }
    assert!(!lab.path().join(".tare/results.sqlite").exists());
}

#[test]
fn a_missing_lab_is_reported_with_how_to_make_one() {
    let lab = Lab::new(&[("good", "good")]);
    std::fs::remove_dir_all(lab.path().join("workloads")).unwrap();
    for command in ["run", "check", "list"] {
        let ran = lab.run(&[command]).expect(2);
        assert!(ran.err.contains("has no folder `workloads`"), "{}", ran.err);
        assert!(
            ran.err.contains("hint: make one with `tare new workload"),
            "{}",
            ran.err
        );
    }
    // Results may be kept in any folder; here there are none yet.
    let ran = lab.run(&["report"]).expect(1);
    assert!(ran.err.contains("results.sqlite"), "{}", ran.err);
}
