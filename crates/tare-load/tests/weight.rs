//! What the generator itself costs, with a server in a process of its own. Not run by default, because thousands of
//! connections disturb other programs. Run it with `cargo test -p tare-load --release --test weight -- --ignored`.
//! `TARE_LOAD_TARGET=127.0.0.1:PORT` names another doubling server, for `strace -f -c` or `perf`.

mod common;
#[path = "common/tls.rs"]
mod fixture;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use common::*;
use fixture::{Manner, front, tls13};
use tare_load::{Address, Schedule, Target, Work, limits};
use tare_tls::{Client, ClientOptions, Protocol, Trust};

const SERVER: &str = "TARE_LOAD_WEIGHT_SERVER";

/// The process of the server: serves only if it was started as such.
#[test]
fn server() {
    if std::env::var_os(SERVER).is_some() {
        let right = right();
        let secured = front(tls13(&[]).1, &right, Manner::default());
        println!("\nserving {right} {secured}");
        std::io::stdin().read_line(&mut String::new()).unwrap();
    }
}

/// A server in a process of its own, which ends when its standard input ends.
struct Server {
    address: Address,
    /// The same over TLS.
    secured: Option<Address>,
    _child: Option<Child>,
}

fn server_apart() -> Server {
    if let Ok(address) = std::env::var("TARE_LOAD_TARGET") {
        return Server {
            address: address.parse().unwrap(),
            secured: None,
            _child: None,
        };
    }
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "server", "--nocapture"])
        .env(SERVER, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let address = lines
        .into_iter()
        .find_map(|line| line.strip_prefix("serving ").map(str::to_owned))
        .unwrap();
    let (address, secured) = address.split_once(' ').unwrap();
    Server {
        address: address.parse().unwrap(),
        secured: Some(secured.parse().unwrap()),
        _child: Some(child),
    }
}

/// The peak resident memory of this process, in KiB.
fn peak() -> u64 {
    memory("VmHWM:")
}

/// A line of what the kernel says of this process's memory, in KiB.
fn memory(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
#[ignore = "5,000 connections"]
fn five_thousand_connections_stay_under_24_mb() {
    let server = server_apart();
    let mut target = Target::new(server.address.clone(), Work::doubling(1));
    let mut load = load(PATIENT);
    let schedule = Schedule::Batch {
        programs: 10,
        connections: 500,
        requests: 10,
        depth: 3,
    };
    println!("{:?}", limits::check(&schedule, &server.address).unwrap());
    let batch = load.run(&mut target, &schedule, millis(1), &go()).unwrap();
    balanced(&batch);
    assert_eq!(batch.requests.valid, 50_000);
    println!(
        "batch: {:?}, overflows {}, resent {}",
        batch.programs, batch.overflows, batch.retransmits
    );
    let steady = load
        .run(&mut target, &capacity(5000, 3), millis(500), &go())
        .unwrap();
    balanced(&steady);
    println!("capacity: {} answers, peak {} KiB", steady.answers, peak());
    assert!(peak() < 24 << 10, "{} KiB", peak());
}

#[test]
#[ignore = "half a second at full speed"]
fn costs_at_full_speed() {
    let server = server_apart();
    for depth in [1, 3, 16] {
        let mut target = Target::new(server.address.clone(), Work::doubling(1));
        let reading = load(PATIENT)
            .run(&mut target, &capacity(32, depth), millis(500), &go())
            .unwrap();
        balanced(&reading);
        println!(
            "depth {depth}: {:.0} answers/s, {:.2} µs of the generator's CPU each, busy {:.2}",
            reading.answers as f64 / reading.wall.0,
            reading.cpu.0 * 1e6 / reading.requests.valid as f64,
            reading.busy.0
        );
    }
}

/// What `limits` counts for a connection over TLS.
#[test]
#[ignore = "2,000 connections"]
fn a_connection_over_tls_takes_less_than_8_kib_more() {
    const CONNECTIONS: u32 = 2000;
    let server = server_apart();
    let secured = server.secured.clone().expect("a server of this test");
    let client = Client::new(&ClientOptions {
        name: "127.0.0.1".to_owned(),
        protocol: Protocol::Http1,
        trust: Trust::Anyone,
        resume: false,
    })
    .unwrap();
    let work = || Work::doubling(1).over_tls(client.clone());
    let mut load = load(PATIENT);
    // Whatever the first handshakes need once.
    let mut first = Target::new(secured.clone(), work());
    load.connect(&mut first, 50, &go()).unwrap();
    let mut clear = Target::new(server.address.clone(), Work::doubling(1));
    let before = memory("VmRSS:");
    load.run(&mut clear, &capacity(CONNECTIONS, 1), millis(300), &go())
        .unwrap();
    let in_clear = memory("VmRSS:") - before;
    let mut target = Target::new(secured, work());
    let before = memory("VmRSS:");
    let reading = load
        .run(&mut target, &capacity(CONNECTIONS, 1), millis(300), &go())
        .unwrap();
    balanced(&reading);
    let over_tls = memory("VmRSS:") - before;
    println!("{CONNECTIONS} connections: {in_clear} KiB in clear, {over_tls} KiB over TLS");
    assert!(over_tls < in_clear + u64::from(CONNECTIONS) * 8, "{over_tls} KiB");
}
