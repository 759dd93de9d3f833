//! `tare load` as suites of web servers send: requests in turn from files, bodies in chunks, encoded answers, a number of
//! requests on a connection, batches.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::lab::Lab;
use crate::load::{OK, as_json, http, load};

/// `hello` in gzip.
const HELLO_GZ: &[u8] =
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36\x05\x00\x00\x00";

/// Reads a request; how its body came: nothing, with its length, or in so many chunks.
fn read(reader: &mut impl BufRead) -> Option<String> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        (reader.read_line(&mut head).ok()? > 0).then_some(())?;
    }
    let head = head.to_lowercase();
    if head.contains("transfer-encoding: chunked") {
        let (mut chunks, mut body) = (0, String::new());
        loop {
            let mut size = String::new();
            reader.read_line(&mut size).ok()?;
            let size = usize::from_str_radix(size.trim(), 16).ok()?;
            let mut chunk = vec![0; size + 2];
            reader.read_exact(&mut chunk).ok()?;
            if size == 0 {
                return Some(format!("{body} in {chunks}"));
            }
            chunks += 1;
            body += &String::from_utf8_lossy(&chunk[..size]);
        }
    }
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |text| text.parse().unwrap())];
    reader.read_exact(&mut body).ok()?;
    Some(String::from_utf8_lossy(&body).into_owned())
}

/// Requests by connection.
type Counts = Arc<Mutex<BTreeMap<usize, u32>>>;

/// A server that answers with how the body came, and notes each request before it answers.
fn telling() -> (String, Counts) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let counts = Counts::default();
    let noted = counts.clone();
    thread::spawn(move || {
        for (number, stream) in listener.incoming().flatten().enumerate() {
            let counts = noted.clone();
            thread::spawn(move || serve(stream, number, &counts));
        }
    });
    (url, counts)
}

fn serve(mut stream: TcpStream, number: usize, counts: &Counts) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while let Some(text) = read(&mut reader) {
        *counts.lock().unwrap().entry(number).or_insert(0) += 1;
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{text}", text.len());
        if stream.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

#[test]
fn raw_requests_are_sent_in_turn_each_with_its_answer() {
    let (url, _) = telling();
    let lab = Lab::new(&[]);
    for (name, text) in [
        ("get.raw", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
        (
            "post.raw",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n20",
        ),
        (
            "chunks.raw",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n2\r\n1\r\n0\r\n0\r\n\r\n",
        ),
        ("half.raw", "GET / HTTP/1.1\r\nHost: x\r\n"),
    ] {
        fs::write(lab.path().join(name), text).unwrap();
    }
    let run = |words: &[&str]| {
        let all = [&["load", &url, "-n", "300", "-c", "3", "--format", "json"], words].concat();
        lab.run(&all)
    };
    let three = ["--raw", "get.raw,post.raw", "--raw", "chunks.raw"];
    let expects = ["--expect", "", "--expect", "20", "--expect", "20 in 2"];
    let ran = run(&[&three[..], &expects].concat()).expect(0);
    assert_eq!(ran.json()["answers"], 300);
    run(&three).expect(0);
    let wrong = ["--expect", "", "--expect", "20", "--expect", "20"];
    let ran = run(&[&three[..], &wrong].concat()).expect(3);
    let first = ran.json()["errors"]["wrong"]["first"].to_string();
    assert!(
        first.contains("20 in 2") && first.contains("Transfer-Encoding"),
        "{first}"
    );
    for (words, why) in [
        (&["--raw", "half.raw"][..], "half.raw (byte "),
        (&["--raw", "none.raw"], "`none.raw` cannot be read"),
        (
            &["--raw", "get.raw", "--expect", "a", "--expect", "b"],
            "2 expected answers for 1 requests",
        ),
        (&["--raw", "get.raw", "--body", "x"], "cannot be used with"),
        (
            &["--expect", "a", "--expect", "b"],
            "2 expected answers for 1 requests",
        ),
    ] {
        let ran = run(words).expect(2);
        assert!(ran.err.contains(why), "{words:?}: {}", ran.err);
    }
    let at_path = format!("{url}/a");
    let ran = lab.run(&["load", &at_path, "--raw", "get.raw"]).expect(2);
    assert!(ran.err.contains("paths of their own"), "{}", ran.err);
}

#[test]
fn a_body_may_go_out_in_chunks() {
    let (url, _) = telling();
    let words = [
        "-n",
        "60",
        "--body",
        "hello",
        "--chunk-size",
        "2",
        "--expect",
        "hello in 3",
    ];
    assert_eq!(as_json(&url, &words, 0)["answers"], 60);
    let h2 = url.replace("http:", "h2c:");
    let ran = load(&h2, &["--body", "x", "--chunk-size", "1"]).expect(2);
    assert!(
        ran.err.contains("--chunk-size is for http:// targets"),
        "{}",
        ran.err
    );
}

#[test]
fn a_connection_is_renewed_after_so_many_requests() {
    let (url, counts) = telling();
    let words = [
        "-n",
        "100",
        "--pipeline",
        "4",
        "--refill",
        "batches",
        "--renew-after",
        "10",
    ];
    let document = as_json(&url, &words, 0);
    assert_eq!(document["answers"], 100);
    assert_eq!(
        (&document["depth"], &document["refill"], &document["renew_after"]),
        (&4.into(), &"batches".into(), &10.into())
    );
    let counts = counts.lock().unwrap();
    assert!(counts.values().all(|count| *count <= 10), "{counts:?}");
    assert!(counts.len() >= 10, "{counts:?}");
    for (words, why) in [
        (
            &["--refill", "batches", "--pipeline", "4", "--rate", "100"][..],
            "leave out --refill",
        ),
        (&["--refill", "batches"], "--pipeline"),
        (
            &["--refill", "pairs", "--pipeline", "2"],
            "expected one-by-one or batches",
        ),
        (
            &["--programs", "2", "-n", "5", "--renew-after", "2"],
            "leave out --renew-after",
        ),
        (&["--fresh", "--renew-after", "2"], "cannot be used with"),
    ] {
        let ran = load(&url, words).expect(2);
        assert!(ran.err.contains(why), "{words:?}: {}", ran.err);
    }
}

#[test]
fn encoded_answers_are_decoded_and_compared() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                loop {
                    let mut head = String::new();
                    while !head.ends_with("\r\n\r\n") {
                        if reader.read_line(&mut head).unwrap_or(0) == 0 {
                            return;
                        }
                    }
                    let (fields, body) = if head.contains("Accept-Encoding: gzip, br\r\n") {
                        ("Content-Encoding: gzip\r\n", HELLO_GZ)
                    } else {
                        ("", &b"hello"[..])
                    };
                    let head = format!(
                        "HTTP/1.1 200 OK\r\n{fields}Content-Length: {}\r\n\r\n",
                        body.len()
                    );
                    if stream.write_all(&[head.as_bytes(), body].concat()).is_err() {
                        return;
                    }
                }
            });
        }
    });
    let asked = ["-n", "60", "--encoding", "gzip,br", "--expect", "hello"];
    let document = as_json(&url, &asked, 0);
    assert_eq!(
        (&document["answers"], &document["checked"]),
        (&60.into(), &1.0.into())
    );
    assert_eq!(
        as_json(&url, &["-n", "60", "--expect", "hello"], 0)["answers"],
        60
    );
    let document = as_json(&url, &["-n", "60", "--encoding", "br"], 3);
    let first = document["errors"]["wrong"]["first"].as_str().unwrap();
    assert!(
        first.contains("expected a Content-Encoding of br, found none"),
        "{first}"
    );
    let ran = load(&url, &["--encoding", "zstd"]).expect(2);
    assert!(ran.err.contains("it is one of gzip, br"), "{}", ran.err);
}

#[test]
fn a_comparison_says_how_connections_were_used() {
    let server = http(OK);
    let words = [
        "-d",
        "1s",
        "--pipeline",
        "4",
        "--refill",
        "batches",
        "--renew-after",
        "100",
        "-c",
        "2",
    ];
    let all = [
        &["load", &server, &server, "--names", "a,b", "--format", "json"],
        &words[..],
    ]
    .concat();
    let document = Lab::new(&[]).run(&all).expect(0).json();
    let driving = document["workloads"][0]["driving"].clone();
    assert_eq!(
        (&driving["depth"], &driving["refill"], &driving["renew_after"]),
        (&4.into(), &"batches".into(), &100.into()),
        "{driving:#}"
    );
}
