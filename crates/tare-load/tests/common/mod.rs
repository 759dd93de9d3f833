//! Small servers that behave or misbehave, each on a port of its own. Their threads end with the test process.
#![allow(dead_code, reason = "each test file uses some")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use tare_load::{Address, Cause, Length, Load, LoadConfig, LoadFault, Schedule, Target, Work};
use tare_model::driving::ConnectionUse;
use tare_model::fault::FaultKind;
use tare_model::measure::LoadReading;

/// Serves each connection on a thread of its own; `handle` gets the number of connections before it.
pub fn serve(handle: impl Fn(TcpStream, usize) + Send + Sync + 'static) -> Address {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (handle, number) = (Arc::new(handle), AtomicUsize::new(0));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            stream.set_nodelay(true).unwrap();
            let (handle, number) = (handle.clone(), number.fetch_add(1, Ordering::Relaxed));
            thread::Builder::new()
                .stack_size(64 << 10)
                .spawn(move || handle(stream, number))
                .unwrap();
        }
    });
    address.into()
}

/// A doubling server; `answer` gets the number of the line on its connection, the right answer and the stream, and returns
/// whether to go on.
pub fn doubling(answer: impl Fn(usize, &str, &mut TcpStream) -> bool + Send + Sync + 'static) -> Address {
    serve(move |stream, _| {
        let mut out = stream.try_clone().unwrap();
        for (n, line) in BufReader::new(stream).split(b'\n').enumerate() {
            let Ok(line) = line else { return };
            let text = String::from_utf8_lossy(&line);
            let text = text.strip_suffix('\r').unwrap_or(&text);
            if text == "end" || !answer(n, &format!("{}\n", tare_load::job::double(text)), &mut out) {
                return;
            }
        }
    })
}

pub fn write(stream: &mut TcpStream, text: &str) -> bool {
    stream.write_all(text.as_bytes()).is_ok()
}

/// A doubling server that is right.
pub fn right() -> Address {
    doubling(|_, answer, stream| write(stream, answer))
}

/// An HTTP server: reads the heads of requests and answers each with `answer(number on the connection)`; an empty answer
/// closes the connection.
pub fn http(answer: impl Fn(usize) -> Vec<u8> + Send + Sync + 'static) -> Address {
    serve(move |stream, _| {
        let mut out = stream.try_clone().unwrap();
        let mut reader = BufReader::new(stream);
        for n in 0.. {
            let mut line = String::new();
            while line != "\r\n" {
                line.clear();
                if reader.read_line(&mut line).unwrap_or(0) == 0 {
                    return;
                }
            }
            let answer = answer(n);
            if answer.is_empty() || out.write_all(&answer).is_err() {
                return;
            }
        }
    })
}

/// Waits until the other side closes.
pub fn linger(mut stream: TcpStream) {
    let _ = stream.read_to_end(&mut Vec::new());
}

pub fn load(timeout: Duration) -> Load {
    Load::new(LoadConfig {
        cores: Vec::new(),
        timeout,
        seed: 7,
        ..LoadConfig::default()
    })
}

/// So long that even a loaded machine never exceeds it.
pub const PATIENT: Duration = Duration::from_secs(60);

pub fn capacity(connections: u32, depth: u32) -> Schedule {
    Schedule::Capacity { connections, depth }
}

/// Each connection is closed after this number of requests.
pub fn renewed_after(requests: u32) -> ConnectionUse {
    ConnectionUse {
        renew_after: Some(requests),
        ..ConnectionUse::default()
    }
}

pub fn millis(n: u64) -> Length {
    Length::time(Duration::from_millis(n))
}

pub fn go() -> AtomicBool {
    AtomicBool::new(false)
}

/// Checks that the request counts of a slice balance, and that its latencies and answers fit them.
pub fn balanced(reading: &LoadReading) {
    let requests = reading.requests;
    assert!(requests.balance(), "{requests:?}");
    assert_eq!(reading.latency.count(), requests.valid, "{requests:?}");
    assert!(reading.answers <= requests.valid);
}

/// Drives an address once and expects a fault of a kind; returns its sentence and the partial reading.
pub fn fault(
    address: Address,
    work: Work,
    schedule: &Schedule,
    timeout: Duration,
) -> (FaultKind, String, LoadReading) {
    let mut target = Target::new(address, work);
    let error = load(timeout)
        .run(&mut target, schedule, millis(300), &go())
        .expect_err("a fault");
    let LoadFault { cause, reading } = error;
    balanced(&reading);
    let Cause::Fault(fault) = cause else {
        panic!("{cause:?}")
    };
    assert_eq!(target.connections(), 0, "a fault closes all connections");
    (fault.kind, fault.detail, *reading)
}
