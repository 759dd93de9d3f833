//! The FastCGI responder that the labs of these tests run: it sends a small page, and misbehaves on request.
//!
//! As the servers of [`crate::misbehave`], it is this very test binary, started again.

use std::io::{Read, Write, stdin};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::thread;
use std::time::Duration;

/// Whatever it is asked, it ends by itself after this.
const LIFE: Duration = Duration::from_secs(180);

/// What it sends.
pub const PAGE: &str = "<p>hello</p>";

/// The command of a responder that behaves in this way: `NAME` or `NAME:N`, from the N-th request of a connection on.
/// Without a port it listens on its standard input.
pub fn command(way: &str, port: &str) -> Vec<String> {
    let program = std::env::current_exe().expect("a test knows its own path");
    let program = program.to_str().expect("cargo's paths are text").to_owned();
    let name = concat!(module_path!(), "::responder")
        .split_once("::")
        .expect("a module of this binary")
        .1;
    let mut words = vec![program];
    words.extend(["--exact", "--ignored", "--nocapture", name].map(str::to_owned));
    words.extend([format!("way={way}"), format!("port={port}")]);
    words
}

#[test]
#[ignore = "no test: the responder that the others start"]
fn responder() {
    let argument = |key: &str| std::env::args().find_map(|word| word.strip_prefix(key).map(str::to_owned));
    // Started by hand, with all ignored tests: nothing to do.
    let (Some(way), Some(port)) = (argument("way="), argument("port=")) else {
        return;
    };
    thread::spawn(|| {
        thread::sleep(LIFE);
        std::process::exit(5)
    });
    let listener = match port.as_str() {
        "" => TcpListener::from(
            stdin()
                .as_fd()
                .try_clone_to_owned()
                .expect("a descriptor is left"),
        ),
        port => TcpListener::bind(format!("127.0.0.1:{port}")).expect("the port is free"),
    };
    for stream in listener.incoming() {
        let (stream, way) = (stream.expect("descriptor 0 listens"), way.clone());
        thread::spawn(move || serve(stream, &way));
    }
}

fn serve(mut stream: TcpStream, way: &str) {
    if way == "scgi" {
        return serve_scgi(stream);
    }
    stream.set_nodelay(true).ok();
    let (name, from) = way.split_once(':').unwrap_or((way, "1"));
    let from: u64 = from.parse().expect("way=NAME or way=NAME:NUMBER");
    let mut n = 0;
    while let Some(id) = read_request(&mut stream) {
        n += 1;
        let name = if n < from { "good" } else { name };
        if name == "silent" {
            continue; // what else comes is read, too
        }
        let bytes = answer(name, id);
        if stream.write_all(&bytes).is_err() || name == "half" {
            return;
        }
    }
}

/// One request of SCGI: the length of the head in digits, a colon, the head, a comma; the page up to the close.
fn serve_scgi(mut stream: TcpStream) {
    let (mut byte, mut length) = ([0], 0);
    while stream.read_exact(&mut byte).is_ok() && byte[0] != b':' {
        length = length * 10 + usize::from(byte[0] - b'0');
    }
    let mut head = vec![0; length + 1];
    if stream.read_exact(&mut head).is_ok() && head.starts_with(b"CONTENT_LENGTH\0") {
        let _ = write!(stream, "Status: 200 OK\r\nContent-Type: text/html\r\n\r\n{PAGE}");
    }
}

/// What is sent to the request of this id.
fn answer(name: &str, id: [u8; 2]) -> Vec<u8> {
    let page = match name {
        "no-header" => PAGE.to_owned() + "\n\n",
        "wrong" => format!(
            "Content-Type: text/html\r\n\r\n{}",
            PAGE.replace("hello", "hallo")
        ),
        _ => format!("Content-Type: text/html\r\n\r\n{PAGE}"),
    };
    let mut bytes = record(if name == "wrong-record" { 9 } else { 6 }, id, page.as_bytes());
    if name == "mixed" {
        // A piece of another request's answer in the middle, as of a responder that multiplexes and confuses its ids.
        let (first, last) = page.as_bytes().split_at(page.len() - 6);
        bytes = [
            record(6, id, first),
            record(6, [9, 9], b"another's"),
            record(6, id, last),
        ]
        .concat();
    }
    let status = if name == "fails" { 3 } else { 0 };
    match name {
        "half" => bytes.truncate(20),
        "other-id" => bytes[2..4].copy_from_slice(&[9, 9]),
        "die" => std::process::exit(4),
        _ => {
            bytes.extend(record(6, id, b""));
            bytes.extend(record(3, id, &[0, 0, 0, status, 0, 0, 0, 0]));
        }
    }
    if name == "twice" {
        bytes = [bytes.clone(), bytes].concat();
    }
    bytes
}

fn record(kind: u8, id: [u8; 2], content: &[u8]) -> Vec<u8> {
    let [long, short] = (content.len() as u16).to_be_bytes();
    let mut bytes = vec![1, kind, id[0], id[1], long, short, 0, 0];
    bytes.extend_from_slice(content);
    bytes
}

/// The id of the next request, once it is complete.
fn read_request(stream: &mut TcpStream) -> Option<[u8; 2]> {
    loop {
        let mut header = [0; 8];
        stream.read_exact(&mut header).ok()?;
        let length = usize::from(header[4]) << 8 | usize::from(header[5]);
        stream
            .read_exact(&mut vec![0; length + usize::from(header[6])])
            .ok()?;
        if header[1] == 5 && length == 0 {
            return Some([header[2], header[3]]);
        }
    }
}
