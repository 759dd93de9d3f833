//! `tare run --on`: the same run on each node of a cluster, its launches taken together. The nodes are folders of this machine, which
//! a program in ssh's place goes to; on a cluster of Slurm: `benches/slurm.py`.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::lab::{Lab, Ran, is_root, wait_for};

/// In ssh's place: a folder for each host; of root, with a host name of its own. `lost` does not answer.
const SSH: &str = r#"#!/bin/sh
while [ "$1" != -- ]; do shift; done
host=$2 script=$3
[ "$host" != lost ] || { echo "ssh: connect to host lost: No route to host" >&2; exit 255; }
mkdir -p "$NODES/$host" && cd "$NODES/$host" || exit
export TMPDIR=$NODES/$host SSH_CONNECTION="127.0.0.1 50000 127.0.0.1 22"
[ "$(id -u)" = 0 ] || exec sh -c "$script"
exec unshare --uts sh -c "hostname $host && $script"
"#;

/// A lab, and where its nodes are.
fn lab() -> (Lab, PathBuf) {
    let lab = Lab::new(&[("good", "good"), ("twin", "good")]);
    let nodes = with_ssh(&lab);
    (lab, nodes)
}

/// Gives a lab the program in ssh's place; where its nodes are.
pub fn with_ssh(lab: &Lab) -> PathBuf {
    lab.write("bin/ssh", SSH);
    let ssh = lab.path().join("bin/ssh");
    std::fs::set_permissions(&ssh, std::fs::Permissions::from_mode(0o755)).unwrap();
    lab.path().join("nodes")
}

/// Has tare find that program.
pub fn by_ssh(lab: &Lab, mut tare: Command) -> Command {
    let path = std::env::var("PATH").unwrap();
    tare.env("PATH", format!("{}:{path}", lab.path().join("bin").display()));
    tare.env("NODES", lab.path().join("nodes"));
    tare
}

fn start(lab: &Lab, on: &str, more: &[&str]) -> crate::lab::Running {
    let mut words = vec![
        "run", "fixture", "--on", on, "--rounds", "2", "--seed", "7", "--format", "json",
    ];
    words.extend(more);
    lab.start(by_ssh(lab, lab.tare(&words)))
}

fn run(lab: &Lab, on: &str, more: &[&str]) -> Ran {
    start(lab, on, &[&["--launches", "2", "--budget", "1s"], more].concat()).finish()
}

fn hosts(document: &Value) -> Vec<&str> {
    let nodes = document["run"]["nodes"].as_array().expect("nodes");
    nodes.iter().filter_map(|node| node["host"].as_str()).collect()
}

#[test]
fn launches_of_all_nodes_are_one_run() {
    let (lab, _) = lab();
    let ran = run(&lab, "ssh:n1,n2", &[]).expect(0);
    let document = ran.json();
    if is_root() {
        assert_eq!(hosts(&document), ["n1", "n2"]);
        let comparison = &document["workloads"][0]["comparisons"][0];
        assert_eq!(
            comparison["by_node"].as_array().map(Vec::len),
            Some(2),
            "{comparison:#}"
        );
    }
    let id = document["run"]["id"].as_str().unwrap();
    assert_eq!(id.split('+').count(), 2, "{id}");
    assert!(
        ran.err.contains("n1: done") && ran.err.contains(&format!("tare report {id}")),
        "{}",
        ran.err
    );
    let again = lab.run(&["report", id, "--format", "json"]).expect(0).json();
    assert_eq!(again["workloads"], document["workloads"]);
    for format in ["text", "md", "html"] {
        let told = lab
            .run(&["report", id, "--format", format, "--out", "told"])
            .expect(0);
        let told = std::fs::read_to_string(lab.path().join("told")).unwrap_or(told.out);
        assert!(!is_root() || told.contains("n1, n2"), "{told}");
    }
    let listed = lab.run(&["list", "runs", "--format", "json"]).expect(0).json();
    assert_eq!(
        listed.as_array().map(Vec::len),
        Some(2),
        "each node's run is here"
    );
    lab.assert_clean();
}

#[test]
fn a_file_names_the_hosts_and_builds_stay_on_them() {
    let (lab, nodes) = lab();
    lab.write("hosts", "n1\n");
    run(&lab, "ssh:./hosts", &[]).expect(0);
    let labs = nodes.join("n1/.cache/tare/labs");
    let of_lab = std::fs::read_dir(&labs).unwrap().next().unwrap().unwrap().path();
    std::fs::write(of_lab.join(".tare/kept"), "").unwrap();
    std::fs::write(of_lab.join("workloads/old"), "").unwrap();
    let ran = run(&lab, "ssh:./hosts", &[]).expect(0);
    assert!(of_lab.join(".tare/kept").exists() && !of_lab.join("workloads/old").exists());
    assert!(
        !ran.json()["run"]["id"].as_str().unwrap().contains('+'),
        "of this run alone"
    );
}

#[test]
fn a_node_that_does_not_answer_is_named_before_anything_is_measured() {
    let (lab, nodes) = lab();
    let ran = run(&lab, "ssh:n1,lost", &[]).expect(1);
    assert!(
        ran.err.contains("lost: asking for its processor failed"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("No route to host"), "{}", ran.err);
    assert!(!nodes.join("n1/.cache").exists());
}

#[test]
fn what_a_node_kept_before_it_was_lost_goes_on() {
    let (lab, nodes) = lab();
    let mut run = start(
        &lab,
        "ssh:n1",
        &["--launches", "30", "--budget", "1m", "--margin", "0"],
    );
    let store = || -> Option<PathBuf> {
        let mut labs = std::fs::read_dir(nodes.join("n1/.cache/tare/labs")).ok()?;
        Some(labs.next()?.ok()?.path())
    };
    let kept = || {
        let Some(folder) = store() else { return 0 };
        let mut tare = std::process::Command::new(env!("CARGO_BIN_EXE_tare"));
        tare.args(["report", "--format", "slices", "-C"]).arg(folder);
        String::from_utf8(tare.output().unwrap().stdout)
            .unwrap()
            .matches(",round,")
            .count()
    };
    wait_for("a launch on the node", || run.ended() || kept() >= 4);
    let folder = store().expect("the node's lab").display().to_string();
    for pid in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(pid.path().join("cmdline")).unwrap_or_default();
        let here =
            std::fs::read_link(pid.path().join("cwd")).is_ok_and(|cwd| cwd.display().to_string() == folder);
        if here && line.starts_with(b"./tare\0run\0") {
            let pid = pid.file_name().into_string().unwrap();
            let _ = std::process::Command::new("kill").args(["-KILL", &pid]).status();
        }
    }
    let ran = run.finish().expect(0);
    assert!(ran.err.contains("n1: began again"), "{}", ran.err);
    assert_eq!(ran.json()["run"]["complete"], true);
    lab.assert_clean_soon();
}

#[test]
fn an_interrupt_stops_the_nodes() {
    let (lab, nodes) = lab();
    let run = start(&lab, "ssh:n1,n2", &["--until", "decided", "--margin", "0"]);
    let begun = |node: &str| {
        nodes
            .join(node)
            .join(".cache/tare/labs")
            .read_dir()
            .is_ok_and(|mut labs| {
                labs.next()
                    .is_some_and(|lab| lab.unwrap().path().join(".tare/results.sqlite").exists())
            })
    };
    wait_for("runs on both nodes", || begun("n1") && begun("n2"));
    run.signal("INT");
    let ran = run.finish();
    assert!(ran.status == 130 || ran.status == 0, "{} {}", ran.status, ran.err);
    lab.assert_clean_soon();
}

#[test]
fn what_is_no_cluster_is_refused() {
    let (lab, _) = lab();
    for (words, says) in [
        (&["--on", "k8s:prod"][..], "`k8s:prod` is no cluster"),
        (&["--on", "ssh:n1,n1"], "`n1` is named twice"),
        (&["--on", "ssh:./nowhere"], "nowhere"),
        (&["--nodes", "2"], "--on"),
        (&["--on", "ssh:n1", "--resume", "latest"], "--resume"),
    ] {
        let ran = lab.run(&[&["run", "fixture"], words].concat());
        assert!(
            ran.status != 0 && ran.err.contains(says),
            "{words:?}: {}",
            ran.err
        );
    }
}
