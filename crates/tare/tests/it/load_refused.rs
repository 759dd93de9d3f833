//! Options of `tare load` that do what they say, or are refused before anything is opened.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::Value;

use crate::lab::Lab;
use crate::load::{OK, as_json, http, load};

/// Nothing listens there: an attempt to connect ends with another exit status.
const NOBODY: &str = "tcp://127.0.0.1:9";

#[test]
fn options_for_several_servers_are_refused_for_one_with_a_hint() {
    for words in [
        &["--fail-if", "slower"][..],
        &["--margin", "1%"],
        &["--alpha", "5%"],
        &["--baseline", "a"],
        &["--names", "a"],
        &["--export-md", "x"],
        &["--export-csv", "x"],
        &["--export-html", "x"],
        &["--export-hyperfine", "x"],
    ] {
        let ran = load(NOBODY, words).expect(2);
        let option = if words[0] == "--fail-if" {
            "--fail-if slower"
        } else {
            words[0]
        };
        let says = format!("{option} is for several servers");
        assert!(
            ran.err.contains(&says) && ran.err.contains("--export-json"),
            "{}",
            ran.err
        );
    }
    for format in ["csv", "html"] {
        let ran = load(NOBODY, &["--format", format]).expect(2);
        assert!(ran.err.contains("it is one of text, json"), "{}", ran.err);
    }
}

#[test]
fn options_for_one_server_are_refused_for_several_before_loading() {
    let lab = Lab::new(&[]);
    let cases: [(&[&str], &str); 6] = [
        (&["--export-hyperfine", "x"], "for commands"),
        (&["--latency"], "--latency is for one server"),
        (&["-n", "5"], "-n is for one server"),
        (&["--unix-socket", "x"], "--unix-socket is for one server"),
        (&["--fail-if", "slower:nobody"], "nothing here is called `nobody`"),
        (&["--baseline", "nobody"], "nothing here is called `nobody`"),
    ];
    for (words, says) in cases {
        let ran = lab.run(&[&["load", NOBODY, NOBODY], words].concat()).expect(2);
        assert!(ran.err.contains(says), "{words:?}: {}", ran.err);
    }
    assert_eq!(lab.slices_kept(), 0);
}

#[test]
fn options_of_other_load_generators_work_or_give_a_hint() {
    let ran = load(NOBODY, &["-t", "2"]).expect(2);
    assert!(ran.err.contains("--cores 0,1"), "{}", ran.err);
    let ran = load(NOBODY, &["-t4", "-d", "1"]).expect(2);
    assert!(ran.err.contains("has no -t"), "{}", ran.err);
    let ran = load(NOBODY, &["-n", "0"]).expect(2);
    assert!(ran.err.contains("one request at the least"), "{}", ran.err);
    let document = as_json(&http(OK), &["-R", "400", "-d", "300ms"], 0);
    assert!(document["rate_kept"].is_boolean(), "{document:#}");
    let document = as_json(&http(OK), &["-n", "2", "--processes", "4"], 0);
    assert_eq!(document["answers"], 2, "some have no share of so few");
}

#[test]
fn the_document_goes_to_a_file_and_has_the_seed() {
    let lab = Lab::new(&[]);
    let path = lab.path().join("load.json");
    let words = ["load", &http(OK), "-n", "60", "-c", "2", "--seed", "9"];
    let ran = lab.run(&[&words[..], &["--export-json", path.to_str().unwrap()]].concat());
    assert!(ran.expect(0).out.contains("60 right of 60 sent"));
    let document: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!((&document["answers"], &document["seed"]), (&60.into(), &9.into()));
    assert_eq!(document["unsent"], 0);
    // Without one it is drawn.
    let seeds = [(); 2].map(|()| as_json(&http(OK), &["-n", "20"], 0)["seed"].clone());
    assert_ne!(seeds[0], seeds[1]);
}

/// A server that takes as many connections as that, and is gone.
fn gone_after(connections: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || listener.incoming().take(connections).for_each(drop));
    url
}

#[test]
fn a_server_that_is_gone_is_an_outside_failure_and_the_settings_are_kept() {
    let server = http(OK);
    let lab = Lab::new(&[]);
    // It listens when tare looks, and not when it is loaded.
    let gone = gone_after(1);
    let words = [
        "load",
        &server,
        &gone,
        "-c",
        "2",
        "-d",
        "1s",
        "--names",
        "here,gone",
    ];
    let more = [
        "--seed",
        "5",
        "-X",
        "PUT",
        "-H",
        "Cookie: secret",
        "--body",
        "b",
        "--expect",
        "hello",
    ];
    let ran = lab.run(&[&words[..], &more, &["--format", "json"]].concat());
    assert!([1, 3].contains(&ran.status), "{}", ran.err);
    let document = ran.json();
    let contenders = document["workloads"][0]["contenders"].as_array().unwrap();
    let gone = contenders.iter().find(|one| one["id"] == "gone").unwrap();
    assert_eq!(gone["state"], "failed", "{gone:#}");
    let settings = &document["run"]["settings"];
    assert_eq!(
        (settings["budget"].as_f64(), settings["seed"].as_u64()),
        (Some(1.0), Some(5))
    );
    let requests = &settings["requests"];
    for (name, value) in [("method", "PUT"), ("body", "b"), ("expect", "hello")] {
        assert_eq!(requests[name], value, "{settings:#}");
    }
    assert_eq!(requests["headers"][0], "Cookie: (not kept)", "{settings:#}");
    // A wrong server is reported before a missing one.
    let gone = gone_after(1);
    let words = ["load", &server, &gone, "-c", "2", "-d", "1s"];
    lab.run(&[&words[..], &["--expect", "hallo"]].concat()).expect(3);
}

/// An HTTP server whose answers are made of their number.
fn numbered(body: impl Fn(usize) -> String + Send + Sync + Clone + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        static ANSWERS: AtomicUsize = AtomicUsize::new(0);
        for stream in listener.incoming().flatten() {
            let (body, mut out) = (body.clone(), stream.try_clone().unwrap());
            thread::spawn(move || {
                let heads = BufReader::new(stream).lines().map_while(Result::ok);
                for _ in heads.filter(|line| line.is_empty()) {
                    let text = body(ANSWERS.fetch_add(1, Ordering::SeqCst));
                    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", text.len());
                    if out.write_all((head + &text).as_bytes()).is_err() {
                        return;
                    }
                }
            });
        }
    });
    url
}

#[test]
fn a_server_whose_answers_change_can_be_loaded_with_an_option() {
    let url = numbered(|number| format!("visitor {number}"));
    let document = as_json(&url, &["-n", "100"], 3);
    assert!(document["errors"]["wrong"].is_object(), "{document:#}");
    for more in [&[][..], &["--pipeline", "3"], &["--processes", "2"]] {
        let document = as_json(&url, &[&["-n", "100", "--any-body"], more].concat(), 0);
        assert_eq!(
            (&document["answers"], &document["any_body"]),
            (&100.into(), &true.into())
        );
        assert_eq!(document["checked"], 0.0);
    }
    let text = load(&url, &["-n", "100", "--any-body"]).expect(0).out;
    assert!(
        text.contains("bodies not (--any-body)") && !text.contains("% checked whole"),
        "{text}"
    );
    let ran = load(&url, &["-n", "100", "--any-body", "--expect", "x"]).expect(2);
    assert!(ran.err.contains("--expect"), "{}", ran.err);
    let ran = load(NOBODY, &["-n", "100", "--any-body"]).expect(2);
    assert!(ran.err.contains("for http:// targets"), "{}", ran.err);
}

#[test]
fn every_byte_of_large_bodies_is_checked_on_request() {
    let url = numbered(|_| "0123456789".repeat(20_000));
    let document = as_json(&url, &["-n", "200", "--check-whole"], 0);
    assert_eq!(document["checked"], 1.0);
    let document = as_json(&url, &["-n", "200", "--check-whole", "--processes", "2"], 0);
    assert_eq!(document["checked"], 1.0);
    // One in eight is drawn: to draw each of 200 is practically impossible.
    let document = as_json(&url, &["-n", "200"], 0);
    assert!(document["checked"].as_f64().unwrap() < 1.0, "{document:#}");
}
