//! Slices by agents whose generators stay. The generators are shell scripts.

use std::cell::Cell;
use std::net::SocketAddr;
use std::thread::{self, JoinHandle};

use tare_lab::rig::{Pacing, SliceOrder};
use tare_load::Cause;
use tare_model::driving::ConnectionUse;
use tare_model::fault::{Fault, FaultKind};
use tare_model::units::{PerSecond, Seconds};
use tare_remote::message::{Machine, Prepared};
use tare_remote::{Arrival, Listener, Served, ServedJob, Slice, Standing};

use super::tests::{LONG, ended, key, says};
use super::{Agent, Asked, Crew, Judge, Refusal, Session, SessionEnd};

/// Allows all but one port, and slices of up to ten connections.
struct Strict;

impl Judge for Strict {
    fn serve(&self, server: &Served) -> Result<(), Refusal> {
        match server.address().map(|address| address.port()) {
            Some(9) => Ok(()),
            _ => Err(refusal("that server may not be loaded")),
        }
    }

    fn slice(&self, slice: &Slice) -> Result<(), Refusal> {
        match slice.connections {
            0..=10 => Ok(()),
            _ => Err(refusal("too many connections")),
        }
    }
}

fn refusal(why: &str) -> Refusal {
    Refusal {
        why: why.to_owned(),
        hint: None,
    }
}

/// What a generator does that says this at the end of each slice.
fn stays(end: &str) -> String {
    format!(
        "while read line; do case $line in *'\"slice\"'*) echo ready; read go; case $go in *go*) echo began;; esac; {end};; \
         esac; done"
    )
}

/// An agent in a thread, whose generators are such scripts.
fn agent(script: String, processes: u32) -> (SocketAddr, JoinHandle<SessionEnd>) {
    let listener = Listener::bind("127.0.0.1:0".parse().unwrap(), key()).unwrap();
    let address = listener.address();
    let served = thread::spawn(move || {
        let Some(Arrival::Conductor(link, _claim)) = listener.next(LONG) else {
            panic!("a conductor comes")
        };
        let machine = Machine {
            host: "n2".to_owned(),
            cpu: "a\u{1b}[2J CPU".to_owned(),
            cores: 8,
        };
        let session = Session::open(*link, 1000, machine).unwrap();
        let Ok(Asked::Reach(_)) = session.asked(|| false) else {
            panic!("it asks for an address")
        };
        session.reached().unwrap();
        let Ok(Asked::Stand(standing)) = session.asked(|| false) else {
            panic!("it asks for generators that stay")
        };
        let all: Vec<Standing> = (0..processes).map(|number| standing.of_process(number)).collect();
        session.stand(Prepared::default(), || says(&script), &all, &Strict, || false)
    });
    (address, served)
}

fn crew(agents: &[(SocketAddr, u32)]) -> Crew {
    let of = agents.iter().map(|(_, processes)| processes).sum();
    let stand = |&(address, processes): &(SocketAddr, u32)| {
        let mut agent = Agent::connect(&address.to_string(), &key()).unwrap();
        let node = agent.node();
        assert_eq!((node.host.as_str(), node.cores), ("n2", 8));
        assert!(!node.cpu.contains('\u{1b}'), "{node:?}");
        agent.reach(address).unwrap();
        let standing = Standing {
            connections: 10,
            longest: LONG,
            cores: None,
            timeout: LONG,
            seed: 1,
            servers: Vec::new(),
            awake: false,
            first: 0,
            processes,
            of,
        };
        agent.stand(&standing).unwrap();
        (agent, processes)
    };
    Crew::of(agents.iter().map(stand).collect())
}

fn server(port: u16) -> Served {
    Served::Job(ServedJob {
        job: String::new(),
        speaks: "http".to_owned(),
        scheme: "http".to_owned(),
        server: SocketAddr::from(([127, 0, 0, 1], port)),
        seed: 1,
    })
}

fn order(connections: u32) -> SliceOrder {
    SliceOrder {
        pacing: Pacing::Closed,
        // What is said of it: 1.25 s.
        length: Seconds(1.0),
        rate: PerSecond(0.0),
        connections,
        depth: 1,
        programs: 1,
        requests: 1,
        usage: ConnectionUse::default(),
        size: None,
    }
}

fn over(served: JoinHandle<SessionEnd>) {
    let end = served.join().unwrap();
    assert!(matches!(end, SessionEnd::Over), "{end}");
}

#[test]
fn slices_follow_each_other_and_add_up() {
    let (one, first) = agent(stays(&ended(5, None)), 2);
    let (two, second) = agent(stays(&ended(7, None)), 1);
    let mut crew = crew(&[(one, 2), (two, 1)]);
    let seat = crew.serve(&server(9));
    for _ in 0..3 {
        // A busy machine may begin them too far apart: then there is none.
        let reading = loop {
            match crew.drive(&seat, &order(6), || false) {
                Ok(reading) => break reading,
                Err(failed) => assert!(crew.was_void(), "{failed}"),
            }
        };
        assert_eq!((reading.requests.sent, reading.answers), (17, 9));
        assert_eq!(reading.latency.count(), 9, "three for each process");
        // At the sum of the throughputs: 6 in 1.25 s, and 3 in 1.25 s.
        assert!((reading.wall.0 - 1.25).abs() < 1e-9, "{}", reading.wall);
    }
    assert!(crew.broken().is_none());
    drop((seat, crew));
    over(first);
    over(second);
}

/// A contender's fault ends the slice, of all agents, and nothing else.
#[test]
fn after_a_fault_the_crew_goes_on() {
    let fault = Fault::new(FaultKind::Wrong, "a wrong answer".to_owned());
    let once = format!(
        "if [ -z \"$seen\" ]; then seen=1; {}; else {}; fi",
        ended(3, Some(fault)),
        ended(4, None)
    );
    let (one, first) = agent(stays(&once), 1);
    let (two, second) = agent(stays(&ended(4, None)), 1);
    let mut crew = crew(&[(one, 1), (two, 1)]);
    let seat = crew.serve(&server(9));
    let failed = crew.drive(&seat, &order(2), || false).unwrap_err();
    assert_eq!(
        failed.fault().unwrap().detail,
        format!("seen from {one}: a wrong answer")
    );
    assert_eq!(failed.reading.requests.sent, 7);
    assert!(crew.broken().is_none());
    let again = crew.serve(&server(9));
    let driven = crew.drive(&again, &order(2), || false);
    assert!(driven.is_ok() || crew.was_void(), "{driven:?}");
    drop(crew);
    over(first);
    over(second);
}

#[test]
fn what_a_judge_refuses_breaks_the_crew() {
    for (port, connections, says) in [
        (80, 2, "that server may not be loaded"),
        (9, 22, "too many connections"),
    ] {
        let (one, first) = agent(stays(&ended(5, None)), 1);
        let (two, second) = agent(stays(&ended(5, None)), 1);
        let mut crew = crew(&[(one, 1), (two, 1)]);
        let seat = crew.serve(&server(port));
        let failed = crew.drive(&seat, &order(connections), || false).unwrap_err();
        assert_eq!(
            failed.cause,
            Cause::Interrupted,
            "it is no fault of the contender"
        );
        let error = crew.broken().unwrap().to_string();
        assert!(error.contains(says), "{error}");
        // Nothing more is driven.
        assert!(crew.drive(&seat, &order(2), || false).is_err());
        drop(crew);
        for served in [first, second] {
            assert!(matches!(served.join().unwrap(), SessionEnd::Refused(why) if why == says));
        }
    }
}

#[test]
fn a_generator_that_is_gone_breaks_the_crew_and_its_agent_is_named() {
    let (one, first) = agent(stays(&ended(5, None)), 1);
    let (two, second) = agent(stays("exit 1"), 1);
    let mut crew = crew(&[(one, 1), (two, 1)]);
    let seat = crew.serve(&server(9));
    let failed = crew.drive(&seat, &order(2), || false).unwrap_err();
    assert_eq!(failed.cause, Cause::Interrupted);
    let error = crew.broken().unwrap().to_string();
    assert!(error.contains(&two.to_string()), "{error}");
    drop(crew);
    over(first);
    over(second);
}

#[test]
fn an_interrupt_ends_a_slice_early() {
    // It ends when it is told to stop, and says what it saw.
    let waits = stays(&format!("read stop; {}", ended(5, None)));
    let (one, first) = agent(waits, 1);
    let mut crew = crew(&[(one, 1)]);
    let seat = crew.serve(&server(9));
    let asked = Cell::new(0);
    let interrupted = || {
        asked.set(asked.get() + 1);
        asked.get() > 2
    };
    let failed = crew.drive(&seat, &order(2), interrupted).unwrap_err();
    assert_eq!(
        (failed.cause, crew.broken().is_none()),
        (Cause::Interrupted, true)
    );
    drop(crew);
    over(first);
}
