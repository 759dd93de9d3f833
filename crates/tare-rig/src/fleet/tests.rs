use std::net::SocketAddr;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::RequestCounts;
use tare_remote::message::{Machine, Prepared};
use tare_remote::{Arrival, InFlight, Key, Listener, Refill, Requests, Server};

use super::*;

/// Far more than anything here takes.
pub(super) const LONG: Duration = Duration::from_secs(60);

/// A shell script as a process of a fleet. It reads its part first.
pub(super) fn says(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("read part; {script}")]);
    command
}

/// What a process does that begins with the others, and then saw so many requests.
fn loads(sent: u64) -> String {
    format!("echo ready; read go; echo began; {}", ended(sent, None))
}

pub(super) fn ended(sent: u64, fault: Option<Fault>) -> String {
    let mut outcome = outcome::tests::outcome(fault);
    outcome.reading.requests = RequestCounts {
        sent,
        valid: sent,
        ..RequestCounts::default()
    };
    let line = Message::Ended(Box::new(outcome)).line();
    format!("echo '{}'", line.trim_end())
}

fn part(number: u32) -> Part {
    Part {
        http: None,
        tls: Default::default(),
        url: "tcp://127.0.0.1:9".to_owned(),
        server: Server::Ip("127.0.0.1:9".parse().unwrap()),
        requests: Requests::default(),
        connections: 1,
        in_flight: InFlight::One,
        refill: Refill::OneByOne,
        renew_after: None,
        rate: None,
        count: None,
        duration: LONG,
        cores: None,
        timeout: LONG,
        seed: 1,
        first: number,
        processes: 1,
        of: 2,
        awake: false,
        progress: true,
    }
}

/// A fleet of this machine, with a script for each process.
fn here(scripts: &[String]) -> Fleet {
    let next = std::cell::Cell::new(0);
    let command = || says(&scripts[next.replace(next.get() + 1)]);
    let parts: Vec<Part> = (0..scripts.len() as u32).map(part).collect();
    Fleet::here(command, &parts).unwrap()
}

#[test]
fn a_fleet_begins_together_and_adds_up() {
    let one = format!(
        "echo ready; read go; echo began; echo so far 40; {}",
        ended(5, None)
    );
    let late = format!(
        "sleep 0.1; echo ready; read go; echo began; echo so far 2; {}",
        ended(7, None)
    );
    let fleet = here(&[one, late]);
    let answers = fleet.answers();
    let mut begun = 0;
    let together = fleet.run(|| false, || begun += 1).unwrap();
    let all = together.all;
    assert_eq!((begun, answers.total()), (1, 42));
    assert_eq!(
        (all.reading.requests.sent, all.fault, all.interrupted),
        (12, None, false)
    );
    assert!(together.apart.is_some() && together.agents.is_empty());
}

#[test]
fn a_load_for_a_time_is_one_of_all_places() {
    let together = |apart: u64, fault: Option<Fault>| Together {
        // It took 1.25 s.
        all: outcome::tests::outcome(fault),
        agents: Vec::new(),
        apart: Some(Duration::from_millis(apart)),
        throughput: 0.0,
    };
    assert!(together(125, None).at_once().is_ok());
    let error = together(126, None).at_once().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("begun 126 ms apart, in a load of 1.25 s"),
        "{error}"
    );
    let fault = Fault::new(FaultKind::Wrong, String::new());
    assert!(together(1000, Some(fault)).at_once().is_ok(), "a fault is one");
}

#[test]
fn a_process_gets_its_part() {
    let echo = format!(
        "case $part in *'\"first\":1,'*) {};; *) {};; esac",
        loads(100),
        loads(1)
    );
    let together = here(&[echo.clone(), echo]).run(|| false, || {}).unwrap();
    assert_eq!(together.all.reading.requests.sent, 101);
}

#[test]
fn one_that_ends_early_ends_the_others() {
    let waits = "echo ready; read go || exit 0; sleep 60".to_owned();
    let fleet = here(&[waits, "exit 1".to_owned()]);
    let error = fleet.run(|| false, || panic!("not all were ready")).unwrap_err();
    assert!(matches!(error, FleetError::EndedEarly { name: None }), "{error}");
}

/// What the others saw is not the figure of all.
#[test]
fn one_that_ends_without_a_word_leaves_no_figures() {
    let waits = "echo ready; read go; echo began; read end; exit 0".to_owned();
    let fleet = here(&[waits, "echo ready; read go; echo began; exit 1".to_owned()]);
    let error = fleet.run(|| false, || {}).unwrap_err();
    assert!(
        matches!(error, FleetError::EndedSilently { name: None }),
        "{error}"
    );
}

/// Somebody ended one of them: what it saw is not its share of the load.
#[test]
fn one_that_is_interrupted_leaves_no_figures() {
    let mut outcome = outcome::tests::outcome(None);
    outcome.interrupted = true;
    let line = Message::Ended(Box::new(outcome)).line();
    let script = format!("echo ready; read go; echo began; echo '{}'", line.trim_end());
    let waits = format!("echo ready; read go; echo began; read end; {}", ended(4, None));
    let error = here(&[waits, script]).run(|| false, || {}).unwrap_err();
    assert!(matches!(error, FleetError::Interrupted { name: None }), "{error}");
}

#[test]
fn counts_that_do_not_balance_are_no_figures() {
    let mut outcome = outcome::tests::outcome(None);
    outcome.reading.requests.lost += 1;
    let line = Message::Ended(Box::new(outcome)).line();
    let script = format!("echo ready; read go; echo began; echo '{}'", line.trim_end());
    let error = here(&[loads(3), script]).run(|| false, || {}).unwrap_err();
    assert!(error.to_string().contains("do not balance: 5 sent"), "{error}");
}

#[test]
fn an_interrupt_ends_all_and_is_in_the_outcome() {
    let waits = "echo ready; read go; read end; exit 0".to_owned();
    let together = here(&[waits.clone(), waits]).run(|| true, || {}).unwrap();
    assert!(together.all.interrupted);
}

#[test]
fn a_program_that_is_not_there_is_an_error() {
    let command = || Command::new("/no/such/program");
    let error = Fleet::here(command, &[part(0)]).err().unwrap();
    assert!(error.to_string().contains("could not be started"), "{error}");
}

pub(super) fn key() -> Key {
    Key::new(&[7; 32]).unwrap()
}

/// An agent in a thread, which takes one conductor and starts a script for each of its processes.
fn agent(script: String, processes: u32) -> (SocketAddr, JoinHandle<SessionEnd>) {
    let listener = Listener::bind("127.0.0.1:0".parse().unwrap(), key()).unwrap();
    let address = listener.address();
    let served = thread::spawn(move || {
        let Some(Arrival::Conductor(link, _claim)) = listener.next(LONG) else {
            panic!("a conductor comes")
        };
        let session = Session::open(*link, 1000, Machine::default()).unwrap();
        let Ok(Asked::Load(part)) = session.asked(|| false) else {
            panic!("it asks for a load")
        };
        let parts: Vec<Part> = (0..processes).map(|_| (*part).clone()).collect();
        session.run(Prepared::default(), || says(&script), &parts, LONG, || false)
    });
    (address, served)
}

/// Agents with such scripts and processes, prepared.
fn prepared(agents: &[(SocketAddr, u32)]) -> Vec<(Agent, u32)> {
    let connect = |&(address, processes): &(SocketAddr, u32)| {
        let mut agent = Agent::connect(&address.to_string(), &key()).unwrap();
        assert_eq!(agent.connections(), 1000);
        agent.prepare(&part(0)).unwrap();
        (agent, processes)
    };
    agents.iter().map(connect).collect()
}

#[test]
fn agents_begin_together_and_add_up() {
    let (one, first) = agent(
        format!(
            "echo ready; read go; echo began; echo so far 4; {}",
            ended(5, None)
        ),
        2,
    );
    let (two, second) = agent(format!("sleep 0.1; {}", loads(7)), 1);
    let fleet = Fleet::there(prepared(&[(one, 2), (two, 1)]));
    let answers = fleet.answers();
    let together = fleet.run(|| false, || {}).unwrap();
    let sent: Vec<u64> = together
        .agents
        .iter()
        .map(|agent| agent.outcome.reading.requests.sent)
        .collect();
    assert_eq!((sent, together.all.reading.requests.sent), (vec![10, 7], 17));
    assert_eq!(answers.total(), 8);
    assert_eq!(together.all.reading.latency.count(), 9, "three for each process");
    // Of one machine the higher one counts, and machines add up.
    assert_eq!(together.all.reading.retransmits, 18);
    let apart = together.apart.unwrap();
    for agent in &together.agents {
        let (round_trip, after) = (agent.round_trip.unwrap(), agent.after.unwrap());
        assert!(
            after <= round_trip && round_trip <= apart,
            "{after:?} {round_trip:?} {apart:?}"
        );
    }
    for served in [first, second] {
        assert!(matches!(served.join().unwrap(), SessionEnd::Over));
    }
}

#[test]
fn a_fault_that_an_agent_saw_ends_all_and_names_it() {
    let fault = Fault::new(FaultKind::Wrong, "a wrong answer".to_owned());
    let bad = format!("echo ready; read go; echo began; {}", ended(3, Some(fault)));
    let waits = format!("echo ready; read go; echo began; read end; {}", ended(4, None));
    let (one, first) = agent(bad, 1);
    let (two, second) = agent(waits, 1);
    let together = Fleet::there(prepared(&[(one, 1), (two, 1)]))
        .run(|| false, || {})
        .unwrap();
    let fault = together.all.fault.unwrap();
    assert_eq!(fault.detail, format!("seen from {one}: a wrong answer"));
    assert_eq!(together.all.reading.requests.sent, 7);
    for served in [first, second] {
        assert!(matches!(served.join().unwrap(), SessionEnd::Over));
    }
}

/// The one that ended is named, and not one that was ended because of it.
#[test]
fn an_agent_whose_generator_ends_without_a_word_is_named() {
    let waits = "echo ready; read go || exit 0; sleep 60".to_owned();
    let (one, first) = agent(waits, 1);
    let (two, second) = agent("exit 1".to_owned(), 1);
    let fleet = Fleet::there(prepared(&[(one, 1), (two, 1)]));
    let error = fleet.run(|| false, || panic!("not all were ready")).unwrap_err();
    let two = two.to_string();
    assert!(
        matches!(&error, FleetError::EndedEarly { name: Some(name) } if *name == two),
        "{error}"
    );
    for served in [first, second] {
        assert!(matches!(served.join().unwrap(), SessionEnd::Over));
    }
}

#[test]
fn an_agent_that_is_lost_leaves_no_figures_and_is_named() {
    let listener = Listener::bind("127.0.0.1:0".parse().unwrap(), key()).unwrap();
    let lost = listener.address();
    let gone = thread::spawn(move || {
        let Some(Arrival::Conductor(link, _claim)) = listener.next(LONG) else {
            panic!("a conductor comes")
        };
        let session = Session::open(*link, 1000, Machine::default()).unwrap();
        session.asked(|| false).unwrap();
        // It is interrupted in the middle.
        let waits = || says("echo ready; read go; echo began; sleep 60");
        let began = Instant::now();
        let end = session.run(Prepared::default(), waits, &[part(0)], LONG, || {
            began.elapsed().as_millis() > 200
        });
        (end, began.elapsed())
    });
    let waits = format!("echo ready; read go; echo began; read end; {}", ended(4, None));
    let (other, served) = agent(waits, 1);
    let error = Fleet::there(prepared(&[(other, 1), (lost, 1)]))
        .run(|| false, || {})
        .unwrap_err();
    let text = error.to_string();
    assert!(text.contains(&format!("the agent at {lost} was lost")), "{text}");
    assert!(text.contains("interrupted there"), "{text}");
    let (end, took) = gone.join().unwrap();
    assert!(
        matches!(end, SessionEnd::Interrupted) && took < LONG,
        "its process was ended"
    );
    assert!(matches!(served.join().unwrap(), SessionEnd::Over));
}

/// A conductor that is gone takes the generators with it.
#[test]
fn what_an_agent_started_ends_with_its_conductor() {
    let (address, served) = agent("echo ready; exec sleep 1000".to_owned(), 2);
    let began = Instant::now();
    drop(prepared(&[(address, 2)]));
    assert!(matches!(served.join().unwrap(), SessionEnd::Over));
    assert!(began.elapsed() < LONG, "nobody waited for the processes");
}

#[test]
fn what_an_agent_refuses_is_told() {
    let listener = Listener::bind("127.0.0.1:0".parse().unwrap(), key()).unwrap();
    let address = listener.address().to_string();
    let served = thread::spawn(move || {
        let Some(Arrival::Conductor(link, _claim)) = listener.next(LONG) else {
            panic!("a conductor comes")
        };
        let session = Session::open(*link, 1, Machine::default()).unwrap();
        session.asked(|| false).unwrap();
        session.refuse(&Refusal {
            why: "that may not be loaded".to_owned(),
            hint: Some("ask".to_owned()),
        });
    });
    let mut agent = Agent::connect(&address, &key()).unwrap();
    let error = agent.prepare(&part(0)).unwrap_err();
    assert_eq!(
        (error.to_string(), error.hint()),
        (
            format!("the agent at {address} refuses: that may not be loaded"),
            Some("ask".to_owned())
        )
    );
    drop(agent);
    served.join().unwrap();
}
