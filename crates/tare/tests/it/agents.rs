//! `tare load --from`: agents of this machine, by the network that they would have between machines, and what goes wrong.
//! On machines of their own, by network namespaces: `benches/cluster.py`.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use serde_json::Value;

use crate::lab::{Lab, Ran, Running, is_root, wait_for};
use crate::load::{OK, Server, http};
use crate::pages;

const KEY: &str = "0123456789abcdef0123456789abcdef";

/// A lab with a key.
fn lab() -> Lab {
    let lab = Lab::new(&[]);
    with_key(&lab);
    lab
}

/// Gives a lab a key.
pub fn with_key(lab: &Lab) {
    key(lab, "key", KEY, 0o600);
}

/// Writes a key's file in a lab; its path.
fn key(lab: &Lab, name: &str, text: &str, mode: u32) -> String {
    let path = lab.path().join(name);
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// An agent of a lab, listening.
pub struct Agent {
    pub running: Running,
    out: PathBuf,
    pub address: String,
}

impl Agent {
    pub fn start(lab: &Lab, more: &[&str]) -> Self {
        Self::with_key(lab, "key", more)
    }

    fn with_key(lab: &Lab, key: &str, more: &[&str]) -> Self {
        Self::at(lab, "127.0.0.1:0", key, more)
    }

    pub fn at(lab: &Lab, listen: &str, key: &str, more: &[&str]) -> Self {
        let words = [&["agent", "--listen", listen, "--key-file", key], more].concat();
        // The files of what was started in a lab are numbered over all tests of this process.
        let before = outs(lab);
        let running = lab.start(lab.tare(&words));
        let out = outs(lab).into_iter().find(|path| !before.contains(path)).unwrap();
        let said = || fs::read_to_string(&out).unwrap();
        wait_for("the agent to listen", || said().ends_with('\n'));
        let line = said();
        let address = line
            .strip_prefix("listening at ")
            .unwrap()
            .split(',')
            .next()
            .unwrap();
        Self {
            running,
            address: address.to_owned(),
            out,
        }
    }

    /// Interrupts it; what it said.
    pub fn end(self) -> Ran {
        self.running.signal("TERM");
        self.running.finish()
    }
}

fn outs(lab: &Lab) -> Vec<PathBuf> {
    let entries = fs::read_dir(lab.path())
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    entries
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("out-"))
        .collect()
}

/// The words of a load by agents.
fn words<'w>(url: &'w str, from: &'w str, more: &[&'w str]) -> Vec<&'w str> {
    let mut words = vec!["load", url, "--from", from, "--key-file", "key", "-c", "4"];
    words.extend(more);
    words
}

fn load(lab: &Lab, url: &str, from: &str, more: &[&str]) -> Ran {
    lab.run(&words(url, from, more))
}

fn number(document: &Value, name: &str) -> u64 {
    document[name]
        .as_u64()
        .unwrap_or_else(|| panic!("{name}: {document:#}"))
}

#[test]
fn agents_share_a_load_and_their_figures_add_up() {
    let (lab, server) = (lab(), Server::start("good"));
    let (one, two) = (Agent::start(&lab, &[]), Agent::start(&lab, &[]));
    let from = format!("{},{}", one.address, two.address);
    let document = load(&lab, &server.url(), &from, &["-n", "1001", "--format", "json"])
        .expect(0)
        .json();
    assert_eq!(number(&document, "answers"), 1001);
    let agents = document["agents"].as_array().unwrap();
    let shares: Vec<u64> = agents.iter().map(|agent| number(agent, "answers")).collect();
    assert_eq!(shares, [501, 500]);
    for (agent, address) in agents.iter().zip([&one.address, &two.address]) {
        assert_eq!(
            (&agent["at"], number(agent, "connections")),
            (&address.as_str().into(), 2)
        );
        let counts = ["answers", "invalid", "lost"].map(|name| number(agent, name));
        assert_eq!(number(agent, "sent"), counts.iter().sum::<u64>());
        let (trip, own) = (
            agent["round_trip"].as_f64().unwrap(),
            agent["own_delay"].as_f64().unwrap(),
        );
        assert!(
            own <= trip && trip <= document["started_within"].as_f64().unwrap(),
            "{document:#}"
        );
    }
    assert!(document["latency_p50"].as_f64().unwrap() > 0.0);
    // An agent serves one after the other, and several processes where that is asked for.
    let ran = load(&lab, &server.url(), &from, &["-n", "600", "--processes", "2"]).expect(0);
    assert!(ran.out.contains("600 right of 600 sent"), "{}", ran.out);
    assert!(
        ran.out.contains("over 2 connections in 2 processes"),
        "{}",
        ran.out
    );
    assert!(
        ran.err
            .contains(&format!("from {}, {}", one.address, two.address)),
        "{}",
        ran.err
    );
    for agent in [one, two] {
        let said = agent.end().expect(0).err;
        assert_eq!(said.matches(": done").count(), 2, "{said}");
    }
    assert_eq!(lab.left(), Vec::<String>::new());
}

#[test]
fn agents_send_at_a_common_rate_and_a_file_goes_along() {
    let (lab, server) = (lab(), http(OK));
    let (one, two) = (Agent::start(&lab, &[]), Agent::start(&lab, &["--once"]));
    let from = format!("{},{}", one.address, two.address);
    // The agents do not see the file: it has gone by then from where it was, and their folder has none.
    let folder = tempfile::tempdir().unwrap();
    let body = folder.path().join("body");
    fs::write(&body, "a body\n").unwrap();
    let body = format!("--body=@{}", body.display());
    let more = [
        "--rate", "400", "-n", "801", &body, "--format", "json", "--seed", "3",
    ];
    let document = load(&lab, &server, &from, &more).expect(0).json();
    let agents = document["agents"].as_array().unwrap();
    let sent: Vec<u64> = agents.iter().map(|agent| number(agent, "sent")).collect();
    assert_eq!((number(&document, "sent"), sent), (801, vec![401, 400]));
    assert_eq!(
        (&document["awake"], &document["seed"]),
        (&false.into(), &3.into())
    );
    assert!(document["lag_p50"].as_f64().unwrap() >= 0.0);
    // One that is to serve once has gone by itself.
    two.running.finish().expect(0);
    let ran = load(&lab, &server, &from, &["-n", "10"]).expect(1);
    assert!(
        ran.err.contains("no agent answers at ") && ran.err.contains("tare agent --listen"),
        "{}",
        ran.err
    );
    drop(one);
}

/// A load for a time is one of all agents, or has no figures: however busy this machine is.
#[test]
fn agents_that_began_too_far_apart_have_no_figures() {
    let (lab, server) = (lab(), Server::start("good"));
    let (one, two) = (Agent::start(&lab, &[]), Agent::start(&lab, &[]));
    let from = format!("{},{}", one.address, two.address);
    for time in ["1ms", "2s"] {
        let ran = load(&lab, &server.url(), &from, &["-d", time, "--format", "json"]);
        if ran.status == 1 {
            assert!(
                ran.err.contains("may have begun") && ran.err.contains("load for longer"),
                "{}",
                ran.err
            );
            assert_eq!(ran.out, "");
        } else {
            let document = ran.expect(0).json();
            let [apart, wall] = ["started_within", "wall"].map(|name| document[name].as_f64().unwrap());
            assert!(apart <= wall * 0.1, "{document:#}");
        }
    }
}

#[test]
fn a_fault_names_the_agent_that_saw_it() {
    let (lab, server) = (lab(), Server::start("wrong:700"));
    let agent = Agent::start(&lab, &[]);
    let document = load(
        &lab,
        &server.url(),
        &agent.address,
        &["-d", "10m", "--format", "json"],
    )
    .expect(3)
    .json();
    let first = document["errors"]["wrong"]["first"].as_str().unwrap();
    assert!(
        first.starts_with(&format!("seen from {}: ", agent.address)),
        "{first}"
    );
    assert!(first.contains("a wrong answer to \""), "{first}");
}

#[test]
fn an_interrupt_shows_what_the_agents_saw_until_then() {
    let (lab, server) = (lab(), Server::start("good"));
    let agent = Agent::start(&lab, &[]);
    let run = lab.start(lab.tare(&words(
        &server.url(),
        &agent.address,
        &["-d", "10m", "--format", "json"],
    )));
    wait_for("the load to begin", || run.said().contains("loading "));
    run.signal("INT");
    let document = run.finish().expect(130).json();
    assert_eq!(document["interrupted"], true);
    agent.end().expect(0);
}

/// The processes of a lab whose command has this word.
pub fn running(lab: &Lab, word: &str) -> usize {
    lab.left().iter().filter(|process| process.contains(word)).count()
}

/// Two agents that drive a load together, from which something is taken away; what the conductor said.
fn driven(lab: &Lab, server: &Server) -> (Agent, Agent, Running) {
    let (one, two) = (Agent::start(lab, &[]), Agent::start(lab, &[]));
    let from = format!("{},{}", one.address, two.address);
    let run = lab.start(lab.tare(&words(&server.url(), &from, &["-d", "10m"])));
    wait_for("generators of both", || running(lab, "__generator") == 2);
    wait_for("the load to begin", || run.said().contains("loading "));
    (one, two, run)
}

#[test]
fn an_agent_that_is_killed_ends_the_load_and_is_named() {
    let (lab, server) = (lab(), Server::start("good"));
    let (one, two, run) = driven(&lab, &server);
    two.running.signal("KILL");
    let ran = run.finish().expect(1);
    assert!(
        ran.err
            .contains(&format!("the agent at {} was lost", two.address)),
        "{}",
        ran.err
    );
    assert_eq!(ran.out, "", "no figures");
    // Its generators have ended with it, and the other agent's, which serves on.
    wait_for("the generators to end", || running(&lab, "__generator") == 0);
    load(&lab, &server.url(), &one.address, &["-n", "100"]).expect(0);
    one.end().expect(0);
}

#[test]
fn an_agent_that_is_interrupted_says_so_to_its_conductor() {
    let (lab, server) = (lab(), Server::start("good"));
    let (_one, two, run) = driven(&lab, &server);
    let address = two.address.clone();
    two.end().expect(130);
    let ran = run.finish().expect(1);
    assert!(
        ran.err.contains(&format!("the agent at {address} was lost")),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("interrupted there"), "{}", ran.err);
}

#[test]
fn the_generators_of_agents_end_with_a_killed_conductor() {
    let (lab, server) = (lab(), Server::start("good"));
    let (one, two, run) = driven(&lab, &server);
    run.signal("KILL");
    run.finish().expect(-9);
    wait_for("the generators to end", || running(&lab, "__generator") == 0);
    for agent in [one, two] {
        load(&lab, &server.url(), &agent.address, &["-n", "100"]).expect(0);
        let said = agent.end().expect(0).err;
        assert!(said.contains("the conductor was lost"), "{said}");
    }
}

#[test]
fn a_second_conductor_is_refused_with_a_word() {
    let (lab, server) = (lab(), Server::start("good"));
    let (one, _two, run) = driven(&lab, &server);
    let ran = load(&lab, &server.url(), &one.address, &["-n", "10"]).expect(1);
    assert!(
        ran.err.contains(&format!("the agent at {} refuses", one.address)),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("another conductor has this agent, 127.0.0.1:"),
        "{}",
        ran.err
    );
    run.signal("INT");
    run.finish().expect(130);
}

#[test]
fn only_those_who_know_the_key_start_anything() {
    let (lab, server) = (lab(), Server::start("good"));
    key(&lab, "other", "another-key-another-key-another", 0o600);
    let agent = Agent::with_key(&lab, "other", &[]);
    let ran = load(&lab, &server.url(), &agent.address, &["-n", "10"]).expect(1);
    assert!(
        ran.err.contains("the keys differ") && ran.err.contains("same key file"),
        "{}",
        ran.err
    );
    let said = agent.end().expect(0).err;
    assert!(
        said.contains("turned away 127.0.0.1:") && said.contains("does not know the key"),
        "{said}"
    );
    // Neither a file that others can read, nor one that is guessed, nor none.
    for (name, text, mode, says) in [
        ("open", KEY, 0o644, "chmod 600"),
        ("short", "secret", 0o600, "the key has 6 characters"),
        ("gone/key", "", 0, "cannot be read"),
    ] {
        if mode != 0 {
            key(&lab, name, text, mode);
        }
        let ran = lab
            .run(&["agent", "--listen", "127.0.0.1:0", "--key-file", name])
            .expect(2);
        assert!(ran.err.contains(says), "{}", ran.err);
    }
    let mut command = lab.tare(&["agent", "--listen", "127.0.0.1:0"]);
    let ran = lab.start({
        command.env_remove("TARE_KEY");
        command
    });
    assert!(ran.finish().expect(2).err.contains("the variable TARE_KEY"));
}

#[test]
fn a_key_may_be_in_the_environment() {
    let (lab, server) = (lab(), Server::start("good"));
    let agent = Agent::start(&lab, &["--once"]);
    let mut command = lab.tare(&["load", &server.url(), "--from", &agent.address, "-n", "100"]);
    command.env("TARE_KEY", format!("{KEY}\n"));
    lab.start(command).finish().expect(0);
    agent.running.finish().expect(0);
}

#[test]
fn agents_load_only_what_they_may() {
    let (lab, server) = (lab(), Server::start("good"));
    let agent = Agent::start(&lab, &["--allow", "192.0.2.0/24,::1", "--max-connections", "3"]);
    assert!(
        fs::read_to_string(&agent.out)
            .unwrap()
            .contains("may load 192.0.2.0/24, ::1")
    );
    let ran = load(&lab, &server.url(), &agent.address, &["-n", "10"]).expect(1);
    assert!(
        ran.err.contains("127.0.0.1 may not be loaded from here"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("--allow 127.0.0.1"), "{}", ran.err);
    let small = Agent::start(&lab, &["--max-connections", "3"]);
    let ran = load(&lab, &server.url(), &small.address, &["-n", "10"]).expect(1);
    assert!(
        ran.err
            .contains("4 connections are more than this agent may open"),
        "{}",
        ran.err
    );
    let short = Agent::start(&lab, &["--max-time", "1s"]);
    let ran = load(&lab, &server.url(), &short.address, &["-d", "2s"]).expect(1);
    assert!(ran.err.contains("--max-time"), "{}", ran.err);
    let ran = lab
        .run(&[
            "agent",
            "--listen",
            "127.0.0.1:0",
            "--key-file",
            "key",
            "--allow",
            "n1",
        ])
        .expect(2);
    assert!(
        ran.err.contains("`n1` is neither an address nor a network"),
        "{}",
        ran.err
    );
}

#[test]
fn what_agents_cannot_drive_is_refused_before_anything_is_opened() {
    let (lab, server) = (lab(), Server::start("good"));
    let agent = Agent::start(&lab, &[]);
    let url = server.url();
    let twice = format!("{0},{0}", agent.address);
    for (words, says) in [
        (
            words(&url, &agent.address, &["-n", "2", "--programs", "2"]),
            "--from, or --programs",
        ),
        (words(&url, &twice, &["-n", "2"]), "is named twice"),
        (
            vec![
                "load",
                &url,
                &url,
                "--from",
                &agent.address,
                "--key-file",
                "key",
                "-n",
                "2",
            ],
            "-n is for one server",
        ),
        (vec!["load", &url, "--key-file", "key"], "--from"),
    ] {
        let ran = lab.run(&words).expect(2);
        assert!(ran.err.contains(says), "{words:?}: {}", ran.err);
    }
    // A port of this machine where no agent is, and a host that is none.
    let nobody = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .to_string();
    let ran = load(&lab, &url, &nobody, &["-n", "2"]).expect(1);
    assert!(
        ran.err.contains(&format!("no agent answers at {nobody}")),
        "{}",
        ran.err
    );
    let ran = load(&lab, &url, "no-port", &["-n", "2"]).expect(1);
    assert!(ran.err.contains("HOST:PORT"), "{}", ran.err);
}

#[test]
fn a_port_that_is_in_use_is_told() {
    let lab = lab();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let ran = lab
        .run(&["agent", "--listen", &address, "--key-file", "key"])
        .expect(1);
    assert!(
        ran.err.contains(&format!("cannot listen at {address}")) && ran.err.contains("ss -tlnp"),
        "{}",
        ran.err
    );
    let ran = lab
        .run(&["agent", "--listen", "198.51.100.7:7400", "--key-file", "key"])
        .expect(1);
    assert!(ran.err.contains("an address of this machine"), "{}", ran.err);
}

/// Whoever comes with something else, or with nothing, hinders nobody.
#[test]
fn strangers_are_turned_away_while_a_load_goes_on() {
    let (lab, server) = (lab(), Server::start("good"));
    let agent = Agent::start(&lab, &[]);
    let to: SocketAddr = agent.address.parse().unwrap();
    let silent = TcpStream::connect(to).unwrap();
    for garbage in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        &[0; 64],
        &[255; 5000],
        b"\0\0\0\x02{}",
    ] {
        let mut stranger = TcpStream::connect(to).unwrap();
        stranger.write_all(garbage).unwrap();
    }
    load(&lab, &server.url(), &agent.address, &["-n", "200"]).expect(0);
    // One who says nothing is left after a while.
    let mut bytes = Vec::new();
    (&silent).read_to_end(&mut bytes).ok();
    let greeting = String::from_utf8_lossy(&bytes);
    assert!(
        greeting.contains("\"tare\":\"agent\"") && greeting.contains("\"protocol\":2"),
        "{greeting}"
    );
    wait_for("the strangers to be told", || {
        agent.running.said().matches("turned away").count() >= 4
    });
    agent.end().expect(0);
}

/// A listener that greets as an agent of another version does.
fn of_another_version() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let hello = br#"{"tare":"agent","protocol":77,"version":"9.9.9","something":"new"}"#;
            let length = u32::try_from(hello.len()).unwrap().to_be_bytes();
            stream.write_all(&[&length[..], hello].concat()).ok();
            stream.read_to_end(&mut Vec::new()).ok();
        }
    });
    address
}

#[test]
fn an_agent_of_another_version_is_refused_with_both_numbers() {
    let (lab, server) = (lab(), Server::start("good"));
    let ran = load(&lab, &server.url(), &of_another_version(), &["-n", "10"]).expect(1);
    assert!(
        ran.err
            .contains("it speaks version 77 of the protocol (tare 9.9.9)"),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("this is version 2 (tare ") && ran.err.contains("the same tare"),
        "{}",
        ran.err
    );
    // Something else that listens there.
    let other = http(OK);
    let from = other.trim_start_matches("http://").trim_end_matches('/');
    let ran = load(&lab, &server.url(), from, &["-n", "10"]).expect(1);
    assert!(ran.err.contains("no greeting came within"), "{}", ran.err);
}

/// On machines of their own, as far as the network goes: a server, two agents and a conductor, each in its namespace.
#[test]
#[ignore = "slow: namespaces of the network, as root"]
fn slow_agents_in_namespaces_drive_a_server_in_another() {
    if !is_root() {
        println!("left out: network namespaces need root");
        return;
    }
    let lab = lab();
    let script = pages::root().join("benches/cluster.py");
    let mut command = Command::new("python3");
    command
        .arg(script)
        .args(["--check", env!("CARGO_BIN_EXE_tare")])
        .current_dir(lab.path());
    let ran = lab.start(command).finish();
    assert_eq!(ran.status, 0, "{}\n{}", ran.out, ran.err);
    for done in [
        "balanced",
        "compared",
        "agent killed",
        "conductor killed",
        "cut off",
        "continued",
    ] {
        assert!(
            ran.out.contains(done) || ran.out.contains("left out"),
            "no {done}: {}",
            ran.out
        );
    }
    assert_eq!(lab.left(), Vec::<String>::new());
}
