//! The server that the labs of these tests run: it does the doubling job, and misbehaves on request.
//!
//! It is this very test binary, started again with the one ignored test below: so its path is always known, it is
//! always built, and no program that misbehaves is ever installed with tare.

// Some of its faults are children that it does not wait for.
#![allow(clippy::zombie_processes)]

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// Whatever it is asked, it and every child of its ends by itself after this.
const LIFE: Duration = Duration::from_secs(180);

/// What it does in addition to the job.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    Good,
    /// One byte a packet.
    InPieces,
    /// Steps of useless computation for every answer.
    Burn(u64),
    /// A wrong answer, from that answer on.
    Wrong(u64),
    /// The answer twice.
    Twice(u64),
    /// The connection that gets that answer is never answered again.
    Mute(u64),
    /// Nothing is answered any more.
    Hang(u64),
    /// Unrequested bytes.
    Unasked(u64),
    /// Half an answer, then the connection is closed.
    CloseEarly(u64),
    /// The process ends.
    Die(u64),
}

/// The arguments behind libtest's own, and what becomes of them.
pub fn command(way: &str, port: &str) -> Vec<String> {
    let program = std::env::current_exe().expect("a test knows its own path");
    let program = program.to_str().expect("cargo's paths are text").to_owned();
    let name = concat!(module_path!(), "::misbehave")
        .split_once("::")
        .expect("a module of this binary")
        .1;
    let fixed = ["--exact", "--ignored", "--nocapture", name];
    let mut words = match way {
        // An ignored signal stays ignored in the program that the shell turns into.
        "stubborn" => ["sh", "-c", "trap '' TERM; exec \"$@\"", "sh"]
            .map(str::to_owned)
            .to_vec(),
        _ => Vec::new(),
    };
    words.push(program);
    words.extend(fixed.map(str::to_owned));
    words.extend([format!("way={way}"), format!("port={port}")]);
    words
}

#[test]
#[ignore = "no test: the server that the others start"]
fn misbehave() {
    let argument = |key: &str| std::env::args().find_map(|word| word.strip_prefix(key).map(str::to_owned));
    // Started by hand, with all ignored tests: nothing to do.
    let (Some(way), Some(port)) = (argument("way="), argument("port=")) else {
        return;
    };
    thread::spawn(|| {
        thread::sleep(LIFE);
        exit_saying("nobody has ended me", 5)
    });
    if let Some(upstream) = argument("ask=") {
        ASKED.set(upstream).expect("set once");
    }
    let (name, number) = way.split_once(':').unwrap_or((&way, "1"));
    let number: u64 = number.parse().expect("way=NAME or way=NAME:NUMBER");
    match name {
        "build-fails" => exit_saying("main.c:1: no such header: doubling.h", 1),
        "never-listens" => forever(),
        "dies-at-once" => exit_saying("alas, no configuration", 3),
        "leak" => {
            in_own_session("good", &port);
            forever();
        }
        "daemon" => in_own_session("good", &port),
        _ => serve(&port, way_of(name, number)),
    }
}

/// The server to ask for the answers, `HOST:PORT`; empty or not set: none.
static ASKED: OnceLock<String> = OnceLock::new();

/// A connection to whom to ask, with its reader.
struct Upstream(TcpStream, BufReader<TcpStream>);

impl Upstream {
    fn connect() -> Option<Self> {
        let address = ASKED.get().filter(|address| !address.is_empty())?;
        let stream = TcpStream::connect(address).ok()?;
        stream.set_nodelay(true).ok();
        let reader = BufReader::new(stream.try_clone().ok()?);
        Some(Self(stream, reader))
    }

    /// The answer without its end; none if there are no more.
    fn ask(&mut self, line: &str) -> Option<String> {
        self.0.write_all(format!("{line}\n").as_bytes()).ok()?;
        let mut answer = String::new();
        self.1.read_line(&mut answer).ok().filter(|len| *len > 0)?;
        Some(answer.trim_end().to_owned())
    }
}

fn way_of(name: &str, number: u64) -> Way {
    match name {
        "good" | "stubborn" => Way::Good,
        "in-pieces" => Way::InPieces,
        "burn" => Way::Burn(number),
        "wrong" => Way::Wrong(number),
        "twice" => Way::Twice(number),
        "mute" => Way::Mute(number),
        "hang" => Way::Hang(number),
        "unasked" => Way::Unasked(number),
        "close-early" => Way::CloseEarly(number),
        "die" => Way::Die(number),
        other => panic!("no such way to misbehave: {other}"),
    }
}

fn exit_saying(text: &str, status: i32) -> ! {
    eprintln!("{text}");
    std::process::exit(status)
}

fn forever() -> ! {
    loop {
        thread::sleep(LIFE);
    }
}

/// A child in a session of its own, which serves in our place.
fn in_own_session(way: &str, port: &str) {
    let mut child = Command::new("setsid");
    child.args(command(way, port));
    child.spawn().expect("setsid belongs to every Linux system");
}

/// Answers since the start, over all connections.
static ANSWERED: AtomicU64 = AtomicU64::new(0);

fn serve(port: &str, way: Way) {
    let port: u16 = port.parse().expect("port=NUMBER");
    let host = std::env::args().find_map(|word| word.strip_prefix("host=").map(str::to_owned));
    let host = host.unwrap_or_else(|| "127.0.0.1".to_owned());
    let listener = TcpListener::bind((host.as_str(), port)).expect("the port is free");
    for stream in listener.incoming().flatten() {
        thread::Builder::new()
            .stack_size(128 << 10)
            .spawn(move || connection(stream, way))
            .expect("a thread for the connection");
    }
}

fn connection(stream: TcpStream, way: Way) {
    stream.set_nodelay(true).ok();
    let mut out = stream.try_clone().expect("a second handle");
    let mut lines = BufReader::new(stream);
    let mut line = Vec::new();
    let mut upstream = Upstream::connect();
    while lines.read_until(b'\n', &mut line).is_ok_and(|len| len > 0) {
        let text = String::from_utf8_lossy(&line);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        if text == "end" {
            break;
        }
        let answer = match &mut upstream {
            None => double(text),
            Some(upstream) => match upstream.ask(text) {
                Some(answer) => answer,
                None => break,
            },
        };
        let answer = format!("{answer}\n");
        let number = ANSWERED.fetch_add(1, Ordering::SeqCst) + 1;
        if !reply(&mut out, &answer, way, number) {
            break;
        }
        line.clear();
    }
    // A handle is held by the reader, too: a drop of one would not close.
    out.shutdown(Shutdown::Both).ok();
}

/// Sends the answer, each in its way; whether the connection stays open.
fn reply(out: &mut TcpStream, answer: &str, way: Way, number: u64) -> bool {
    let mut send = |text: &str| out.write_all(text.as_bytes()).is_ok();
    match way {
        Way::InPieces => answer.split_inclusive(|_| true).all(send),
        Way::Burn(steps) => {
            burn(steps);
            send(answer)
        }
        Way::Wrong(from) if number >= from => send(&format!("1{answer}")),
        Way::Twice(from) if number >= from => send(&answer.repeat(2)),
        Way::Mute(at) if number == at => forever(),
        Way::Hang(from) if number >= from => {
            eprintln!("hanging");
            forever()
        }
        Way::Unasked(from) if number >= from => send(&format!("{answer}by the way\n")),
        Way::CloseEarly(from) if number >= from => {
            send(&answer[..answer.len() - 1]);
            false
        }
        Way::Die(from) if number >= from => exit_saying("that was one too many", 4),
        _ => send(answer),
    }
}

fn burn(steps: u64) {
    let mut x = 1_u64;
    for _ in 0..steps {
        x = std::hint::black_box(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    }
}

/// Twice the integer, digit by digit.
fn double(line: &str) -> String {
    let digits = line.strip_prefix('-').unwrap_or(line);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return "not an integer".to_owned();
    }
    let mut carry = 0;
    let mut doubled: Vec<u8> = Vec::with_capacity(digits.len() + 1);
    for digit in digits.bytes().rev() {
        let twice = (digit - b'0') * 2 + carry;
        doubled.push(b'0' + twice % 10);
        carry = twice / 10;
    }
    doubled.push(b'0' + carry);
    let text: String = doubled.iter().rev().map(|&byte| char::from(byte)).collect();
    match (text.trim_start_matches('0'), line.starts_with('-')) {
        ("", _) => "0".to_owned(),
        (text, true) => format!("-{text}"),
        (text, false) => text.to_owned(),
    }
}
