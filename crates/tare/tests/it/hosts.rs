//! `tare run --hosts`, and `tare load A B --from`: contenders here, load from agents, in interleaved slices. The agents are of
//! this machine, and are talked to by the network that they would have between machines; on machines of their own, by
//! network namespaces, at the end.

use std::process::Command;

use serde_json::Value;

use crate::agents::{Agent, running, with_key};
use crate::lab::{Lab, Ran, Running, SLICE, contender, is_root, list, run_line, wait_for};
use crate::load::Server;
use crate::{misbehave, pages};

/// The fixture's workload, in all modes.
const WORKLOAD: &str = r#"schema = 1
summary = "doubles integers"
job = { kind = "doubling" }

[cases.all]
summary = "all of them"
placement = "one-core"
baseline = "good"
modes = ["capacity", "cost", "batch"]

[modes.capacity]
primary = "throughput"
connections = 4
depth = 2

[modes.cost]
primary = "cpu_per_op"
connections = 4

[modes.batch]
primary = "duration"
programs = 3
connections = 4
requests = 500
depth = 2
"#;

/// The command of a contender that listens where it is told.
fn told(way: &str) -> String {
    let mut words = misbehave::command(way, "{port}");
    words.push("host={host}".to_owned());
    format!("run = {}\n", list(&words))
}

/// A lab with a key, and contenders that listen where they are told.
pub fn lab(contenders: &[(&str, &str)]) -> Lab {
    let lab = Lab::new(&[]);
    lab.write("workloads/fixture/workload.toml", WORKLOAD);
    for (name, way) in contenders {
        lab.contender(name, &told(way));
    }
    with_key(&lab);
    lab
}

fn two(lab: &Lab) -> (Agent, Agent, String) {
    let (one, two) = (Agent::start(lab, &[]), Agent::start(lab, &[]));
    let hosts = format!("load={},{}", one.address, two.address);
    (one, two, hosts)
}

pub const GOOD: [(&str, &str); 2] = [("good", "good"), ("twin", "good")];

/// The words of a run, as short as can be.
fn words<'w>(hosts: &'w str, more: &[&'w str]) -> Vec<&'w str> {
    let mut words = vec!["run", "fixture", "--hosts", hosts, "--key-file", "key"];
    words.extend(["--rounds", "2", "--seed", "7", "--format", "json"]);
    words.extend(more);
    words
}

fn run(lab: &Lab, hosts: &str, more: &[&str]) -> Ran {
    let short = [&["--launches", "2", "--budget", "1s"], more].concat();
    lab.start(long(lab.tare(&words(hosts, &short)))).finish()
}

/// Slices long enough that agents of a busy machine begin together: all that they did not would be driven again.
pub fn long(mut command: Command) -> Command {
    command.env(SLICE.0, "100");
    command
}

/// The slices of the last run: the values of these columns.
fn slices(lab: &Lab, columns: &[&str]) -> Vec<Vec<String>> {
    let table = lab.run(&["report", "--format", "slices"]).expect(0).out;
    let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let at: Vec<usize> = columns
        .iter()
        .map(|name| header.iter().position(|one| one == name).expect(name))
        .collect();
    let rows = table.lines().skip(1).map(|row| {
        let row: Vec<&str> = row.split(',').collect();
        at.iter().map(|&at| row[at].to_owned()).collect()
    });
    rows.collect()
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or_else(|_| panic!("{text}"))
}

#[test]
fn agents_drive_the_contenders_of_a_run() {
    let lab = lab(&GOOD);
    let (one, two, hosts) = two(&lab);
    let ran = run(&lab, &hosts, &["--mode", "capacity,cost"]).expect(0);
    let document = ran.json();
    for workload in document["workloads"].as_array().unwrap() {
        let placement = &workload["placement"];
        let agents: Vec<&Value> = placement["agents"].as_array().unwrap().iter().collect();
        let names: Vec<&Value> = agents.iter().map(|agent| &agent["name"]).collect();
        assert_eq!(names, [one.address.as_str(), two.address.as_str()]);
        assert_eq!(
            agents[0]["cpu"], document["run"]["machine"]["cpu"],
            "it is this machine"
        );
        assert_eq!(
            (&placement["shared"], placement["load"].as_array().unwrap().len()),
            (&false.into(), 0)
        );
        assert!(!workload["comparisons"].as_array().unwrap().is_empty());
    }
    let settings = &document["run"]["settings"]["contenders"]["hosts"];
    assert_eq!(settings.as_array().unwrap().len(), 2);
    let notes = document["run"]["notes"].to_string();
    assert!(notes.contains("is on this machine"), "{notes}");
    // Every request of both is accounted for, and both have a share of the connections.
    for row in slices(&lab, &["sent", "valid", "invalid", "lost", "connections"]) {
        let counts: Vec<u64> = row.iter().map(|text| number(text)).collect();
        assert!(
            counts[0] > 0 && counts[0] == counts[1] + counts[2] + counts[3],
            "{row:?}"
        );
        assert_eq!(counts[4], 4);
    }
    let report = lab.run(&["report"]).expect(0).out;
    assert!(report.contains(&format!("load from {}", one.address)), "{report}");
    for agent in [one, two] {
        let said = agent.end().expect(0).err;
        assert!(
            said.contains("slices over 2 connections at the most") && said.contains(": done"),
            "{said}"
        );
    }
    lab.assert_clean();
}

#[test]
fn agents_share_the_programs_of_a_batch() {
    let lab = lab(&GOOD);
    let (_one, _two, hosts) = two(&lab);
    run(&lab, &hosts, &["--mode", "batch"]).expect(0);
    let rounds = slices(&lab, &["phase", "valid", "programs"]);
    let rounds: Vec<_> = rounds.iter().filter(|row| row[0] == "round").collect();
    assert!(!rounds.is_empty());
    for row in rounds {
        assert_eq!(row[1], "6000", "3 programs, 4 connections, 500 requests");
        assert_eq!(row[2].split(' ').count(), 3, "{}", row[2]);
    }
}

/// A run that goes on until something is taken away from it, once it has measured a few rounds.
fn under_way(lab: &Lab, hosts: &str) -> Running {
    let more = ["--mode", "capacity", "--launches", "1000", "--budget", "10m"];
    let run = lab.start(self::long(lab.tare(&words(hosts, &more))));
    wait_for("some rounds", || {
        let ran = lab.run(&["report", "--format", "slices"]);
        ran.out.matches(",round,").count() >= 4
    });
    run
}

#[test]
fn a_lost_agent_ends_the_run_which_is_then_continued() {
    let lab = lab(&GOOD);
    let (one, two, hosts) = two(&lab);
    let run = under_way(&lab, &hosts);
    two.running.signal("KILL");
    let ran = run.finish().expect(1);
    assert!(
        ran.err
            .contains(&format!("the agent at {} was lost", two.address)),
        "{}",
        ran.err
    );
    let document: Value = serde_json::from_str(&ran.out).expect("what was measured is shown");
    let id = document["run"]["id"].as_str().unwrap();
    assert!(
        ran.err.contains(&format!("tare run --resume {id}")),
        "{}",
        ran.err
    );
    assert_eq!(document["run"]["complete"], false);
    // The lost agent is no fault of a contender.
    for name in ["good", "twin"] {
        assert!(contender(&document, name)["fault"].is_null(), "{document:#}");
    }
    let kept = lab.slices_kept();
    assert!(kept >= 4);
    wait_for("the generators to end", || running(&lab, "__generator") == 0);
    let launches = document["workloads"][0]["launches"].as_u64().unwrap();
    let most = (launches + 2).to_string();
    let more = [
        "run",
        "--resume",
        "latest",
        "--launches",
        &most,
        "--rounds",
        "2",
        "--budget",
        "60s",
        "--format",
        "json",
        "--key-file",
        "key",
    ];
    // Its agents are those of the run.
    let ran = lab.run(&more).expect(1);
    assert!(
        ran.err.contains(&format!("no agent answers at {}", two.address)),
        "{}",
        ran.err
    );
    let alone = format!("load={}", one.address);
    let fewer = [&more[..], &["--hosts", &alone]].concat();
    let ran = lab.run(&fewer).expect(2);
    assert!(
        ran.err.contains("the load from") && ran.err.contains("--hosts"),
        "{}",
        ran.err
    );
    let again = Agent::at(&lab, &two.address, "key", &[]);
    let second = lab.start(long(lab.tare(&more))).finish().expect(0).json();
    let workload = &second["workloads"][0];
    assert!(workload["launches"].as_u64().unwrap() > launches, "{workload:#}");
    assert_eq!(second["run"]["settings"]["contenders"]["resumes"], id);
    assert_eq!(workload["placement"], document["workloads"][0]["placement"]);
    for agent in [one, again] {
        agent.end().expect(0);
    }
    lab.assert_clean_soon();
}

#[test]
fn an_interrupted_run_leaves_its_agents_free() {
    let lab = lab(&GOOD);
    let (one, two, hosts) = two(&lab);
    let under_way = under_way(&lab, &hosts);
    let ran = run(&lab, &format!("load={}", one.address), &["-C", "."]);
    assert_ne!(ran.status, 0, "only one run works in a lab");
    under_way.signal("INT");
    under_way.finish().expect(130);
    wait_for("the generators to end", || running(&lab, "__generator") == 0);
    run(&lab, &hosts, &["--mode", "capacity"]).expect(0);
    for agent in [one, two] {
        agent.end().expect(0);
    }
    lab.assert_clean();
}

#[test]
fn a_killed_conductor_leaves_nothing_running() {
    let lab = lab(&GOOD);
    let (one, two, hosts) = two(&lab);
    let under_way = under_way(&lab, &hosts);
    under_way.signal("KILL");
    under_way.finish().expect(-9);
    wait_for("the generators to end", || running(&lab, "__generator") == 0);
    for agent in [one, two] {
        let said = agent.end().expect(0).err;
        assert!(said.contains("the conductor was lost"), "{said}");
    }
    lab.assert_clean_soon();
}

#[test]
fn a_fault_of_a_contender_names_the_agent_that_saw_it() {
    let lab = lab(&[("good", "good"), ("twin", "good"), ("liar", "wrong:300")]);
    let (_one, _two, hosts) = two(&lab);
    let ran = run(&lab, &hosts, &["--mode", "capacity"]).expect(3);
    let document = ran.json();
    let liar = contender(&document, "liar");
    assert_eq!(liar["fault"], "wrong");
    assert!(
        liar["reason"].as_str().unwrap().contains("seen from 127.0.0.1:"),
        "{liar:#}"
    );
    assert!(contender(&document, "twin")["fault"].is_null());
    let comparisons = document["workloads"][0]["comparisons"].to_string();
    assert!(
        comparisons.contains("twin") && !comparisons.contains("liar"),
        "{comparisons}"
    );
}

#[test]
fn contenders_listen_where_agents_reach_them() {
    let lab = lab(&GOOD);
    // One that listens on 127.0.0.1, whatever it is told.
    lab.contender("deaf", &run_line("good"));
    let (_one, _two, hosts) = two(&lab);
    let ran = run(&lab, &hosts, &["--mode", "capacity", "--address", "127.0.0.2"]).expect(1);
    let document = ran.json();
    let deaf = contender(&document, "deaf");
    assert_eq!(deaf["fault"], "never-ready");
    let detail = deaf["reason"].as_str().unwrap();
    assert!(
        detail.contains("listens on 127.0.0.1:") && detail.contains("not on 127.0.0.2:"),
        "{detail}"
    );
    assert!(detail.contains("{host}"), "{detail}");
    assert!(contender(&document, "twin")["fault"].is_null(), "{document:#}");
    assert_eq!(document["run"]["settings"]["contenders"]["address"], "127.0.0.2");
    // Reserved for documentation (RFC 5737).
    let ran = run(&lab, &hosts, &["--address", "192.0.2.1"]).expect(2);
    assert!(
        ran.err.contains("192.0.2.1 is not an address of this machine"),
        "{}",
        ran.err
    );
}

#[test]
fn what_agents_cannot_drive_is_refused_before_anything_is_built() {
    let lab = lab(&GOOD);
    let (one, _two, hosts) = two(&lab);
    let elsewhere = Agent::start(&lab, &["--allow", "192.0.2.0/24"]);
    let small = Agent::start(&lab, &["--max-connections", "3"]);
    let alone = |agent: &Agent| format!("load={}", agent.address);
    let twice = format!("{0},{1}", alone(&one), one.address);
    for (hosts, more, status, says) in [
        (hosts.clone(), &["--connections", "1"][..], 2, "fewer agents"),
        (
            hosts.clone(),
            &["--mode", "batch", "--programs", "1"],
            2,
            "fewer agents",
        ),
        (alone(&elsewhere), &[], 1, "127.0.0.1 may not be loaded from here"),
        (alone(&small), &[], 1, "--max-connections"),
        (twice, &[], 2, "is named twice"),
        ("n2:7400".to_owned(), &[], 2, "load=HOST"),
        ("server=n2:7400".to_owned(), &[], 2, "not a host's name"),
    ] {
        let ran = run(&lab, &hosts, more).expect(status);
        assert!(ran.err.contains(says), "{hosts} {more:?}: {}", ran.err);
        assert_eq!(ran.out, "");
    }
    let mut command = lab.tare(&["run", "fixture", "--hosts", &hosts]);
    command.env_remove("TARE_KEY");
    let ran = lab.start(command).finish().expect(2);
    assert!(ran.err.contains("TARE_KEY"), "{}", ran.err);
    // A file of options has no say in who is loaded from where.
    lab.write("tare.toml", "[run]\nhosts = \"load=n2:7400\"\n");
    let ran = lab.run(&["run", "fixture"]).expect(2);
    assert!(ran.err.contains("hosts"), "{}", ran.err);
}

fn versus(lab: &Lab, urls: [&str; 2], from: &str, more: &[&str]) -> Ran {
    let mut words = vec!["load", urls[0], urls[1], "--from", from, "--key-file", "key"];
    words.extend(["-c", "4", "-d", "2s", "--names", "a,b", "--format", "json"]);
    words.extend(more);
    lab.start(long(lab.tare(&words))).finish()
}

#[test]
fn agents_load_several_servers_in_turns() {
    let lab = lab(&[]);
    let (a, b) = (Server::start("good"), Server::start("good"));
    let (one, two, hosts) = two(&lab);
    let from = hosts.trim_start_matches("load=");
    let document = versus(&lab, [&a.url(), &b.url()], from, &["--processes", "2"])
        .expect(0)
        .json();
    let workload = &document["workloads"][0];
    assert_eq!(workload["placement"]["agents"].as_array().unwrap().len(), 2);
    assert_eq!(workload["comparisons"][0]["a"], "b");
    for name in ["a", "b"] {
        let throughput = &contender(&document, name)["metrics"]["throughput"];
        assert!(throughput["estimate"].as_f64().unwrap() > 0.0, "{document:#}");
    }
    // At a rate, all agents together.
    let document = versus(&lab, [&a.url(), &b.url()], from, &["--rate", "1000"])
        .expect(0)
        .json();
    assert_eq!(document["workloads"][0]["driving"]["rate"], 1000.0);
    let notes = document["run"]["notes"].to_string();
    assert!(notes.contains("waited for send times asleep"), "{notes}");
    // One that gives wrong answers is out, and the agents serve on.
    let liar = Server::start("wrong:700");
    let ran = versus(&lab, [&a.url(), &liar.url()], from, &[]).expect(3);
    let reason = contender(&ran.json(), "b")["reason"].to_string();
    assert!(reason.contains("seen from 127.0.0.1:"), "{reason}");
    for agent in [one, two] {
        let said = agent.end().expect(0).err;
        assert_eq!(said.matches(": done").count(), 3, "{said}");
    }
}

#[test]
fn a_lost_agent_ends_a_comparison_of_servers() {
    let lab = lab(&[]);
    let (a, b) = (Server::start("good"), Server::start("good"));
    let (_one, two, hosts) = two(&lab);
    let (a, b) = (a.url(), b.url());
    let mut words = vec!["load", &a, &b, "--from", hosts.trim_start_matches("load=")];
    words.extend(["--key-file", "key", "-c", "4", "-d", "10m"]);
    let run = lab.start(long(lab.tare(&words)));
    wait_for("some rounds", || {
        let ran = lab.run(&["report", "--format", "slices"]);
        ran.out.matches(",round,").count() >= 4
    });
    two.running.signal("KILL");
    let ran = run.finish().expect(1);
    assert!(
        ran.err
            .contains(&format!("the agent at {} was lost", two.address)),
        "{}",
        ran.err
    );
}

/// On machines of their own, as far as the network goes: contenders on one, agents on two others.
#[test]
#[ignore = "slow: namespaces of the network, as root"]
fn slow_agents_in_namespaces_drive_the_contenders_of_another() {
    if !is_root() {
        println!("left out: network namespaces need root");
        return;
    }
    let lab = lab(&GOOD);
    lab.contender("deaf", &run_line("good"));
    let script = r#"
        set -eu
        on() { node=$1; shift; ip netns exec "$TARE_CLUSTER-$node" "$@"; }
        for n in 2 3; do
            on n$n "$TARE" agent --listen 10.77.0.1$n:7400 --key-file key > agent-$n 2>&1 &
        done
        until grep -q listening agent-2 && grep -q listening agent-3; do sleep 0.05; done
        status=0
        on n1 "$TARE" run fixture --hosts load=10.77.0.12:7400,10.77.0.13:7400 --key-file key --mode capacity,cost \
            --launches 2 --rounds 2 --budget 5s --format json > result.json || status=$?
        echo "status $status"
    "#;
    let mut command = Command::new("python3");
    command
        .arg(pages::root().join("benches/cluster.py"))
        .args(["--nodes", "3", "sh", "-c", script])
        .env("TARE", env!("CARGO_BIN_EXE_tare"))
        .current_dir(lab.path());
    let ran = lab.start(command).finish();
    if ran.out.contains("left out") {
        return;
    }
    // One contender listens on 127.0.0.1 only, and failed.
    assert!(ran.out.contains("status 1"), "{}\n{}", ran.out, ran.err);
    let text = std::fs::read_to_string(lab.path().join("result.json")).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(contender(&document, "deaf")["fault"], "never-ready");
    for workload in document["workloads"].as_array().unwrap() {
        assert_eq!(workload["placement"]["agents"][1]["name"], "10.77.0.13:7400");
        assert!(!workload["comparisons"].as_array().unwrap().is_empty());
    }
    let notes = document["run"]["notes"].to_string();
    assert!(!notes.contains("is on this machine"), "{notes}");
    lab.assert_clean_soon();
}
