//! `tare load --rate`: whether the generator kept it, how it waited, and what it says of both.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::lab::{Lab, kill, wait_for};
use crate::load::{OK, Server, answer_all, as_json, http_after, load};

/// Counts what is written.
struct Counting<W> {
    to: W,
    seen: Arc<AtomicUsize>,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.seen.fetch_add(1, Ordering::SeqCst);
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// An HTTP server within the test that counts its answers.
fn counting() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let answers = Arc::new(AtomicUsize::new(0));
    let seen = answers.clone();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let to = stream.try_clone().unwrap();
            let seen = seen.clone();
            thread::spawn(move || answer_all(stream, Counting { to, seen }, OK));
        }
    });
    (url, answers)
}

/// The generator is stopped for six seconds soon after it begins, of six: however late that is, most of its requests are
/// late by more than the server takes.
#[test]
fn a_delayed_generator_says_so_and_reports_no_latency() {
    let (url, answers) = counting();
    let lab = Lab::new(&[]);
    let words = [
        "load",
        &url,
        "-c",
        "64",
        "--pipeline",
        "16",
        "-d",
        "6s",
        "--rate",
        "200",
        "--format",
        "json",
    ];
    let run = lab.start(lab.tare(&words));
    wait_for("the load to be under way", || answers.load(Ordering::SeqCst) > 10);
    assert!(kill("STOP", run.pid()));
    thread::sleep(Duration::from_secs(6));
    assert!(kill("CONT", run.pid()));
    let document = run.finish().expect(0).json();
    assert_eq!(document["rate_kept"], false, "{document:#}");
    assert_eq!(document["latency_p50"], Value::Null);
    let reason = document["late"]["reason"].as_str().unwrap();
    assert!(reason.contains("could not keep the rate"), "{reason}");
    assert!(
        document["lag_p999"].as_f64().unwrap() > 1.0,
        "it was not there for seconds: {document:#}"
    );
    assert_eq!(
        document["answers"], document["sent"],
        "all were answered in the end"
    );
}

/// It takes at least 50 ms for each answer on each of four connections, and is offered two thousand a second. What it owes
/// at the end takes it longer than the timeout; no answer of it nearly so long.
#[test]
fn a_server_below_the_rate_is_no_fault_and_its_other_figures_are_reported() {
    let url = http_after(Duration::from_millis(50), OK);
    let words = ["--rate", "2000", "-d", "500ms", "--timeout", "5s"];
    for more in [&[][..], &["--processes", "2"]] {
        let document = as_json(&url, &[&words[..], more].concat(), 0);
        let count = |name: &str| document[name].as_u64().unwrap();
        assert_eq!(count("sent") + count("unsent"), 1000, "{document:#}");
        assert!(count("answers") >= 4 && count("unsent") > 800, "{document:#}");
        assert!(document["rate_kept"].is_boolean(), "{document:#}");
    }
    let text = load(&url, &words).expect(0).out;
    assert!(text.contains("requests were due and never sent: "), "{text}");
}

/// The requested number of requests is sent, however long it takes.
#[test]
fn a_fixed_number_of_requests_is_sent_completely_at_too_high_a_rate() {
    let url = http_after(Duration::from_millis(50), OK);
    let document = as_json(&url, &["--rate", "2000", "-n", "500", "--timeout", "5s"], 0);
    assert_eq!(
        (&document["answers"], &document["unsent"]),
        (&500.into(), &0.into())
    );
}

/// The first core that this test may use.
fn core() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))
        .unwrap();
    list.trim().split([',', '-']).next().unwrap().to_owned()
}

#[test]
fn on_its_own_cores_the_generator_busy_waits_and_that_is_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let listener = UnixListener::bind(&path).unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let out = stream.try_clone().unwrap();
            thread::spawn(move || answer_all(stream, out, OK));
        }
    });
    let core = core();
    let words = [
        "--unix-socket",
        path.to_str().unwrap(),
        "--rate",
        "50",
        "-d",
        "1s",
        "--cores",
        &core,
    ];
    let document = as_json("http://localhost/", &words, 0);
    assert_eq!(document["awake"], true);
    let cpu = document["cpu_per_op"].as_f64().unwrap() * document["answers"].as_f64().unwrap();
    assert!(
        cpu < document["wall"].as_f64().unwrap() / 2.0,
        "50 requests are not half a second's work, waiting for them awake is: {document:#}"
    );
    let ran = load("http://localhost/", &words).expect(0);
    let told = format!("awake on core {core}");
    assert!(
        ran.out.contains(&told) && ran.err.contains(&told),
        "{} {}",
        ran.out,
        ran.err
    );
}

#[test]
fn on_shared_cores_the_generator_sleeps_and_gives_a_hint() {
    let server = Server::start("good");
    let core = core();
    let words = ["--rate", "100", "-d", "300ms", "--cores", &core];
    let document = as_json(&server.url(), &words, 0);
    assert_eq!(document["awake"], false);
    let text = load(&server.url(), &words).expect(0).out;
    assert!(
        text.contains("waiting     asleep: the server (process") && text.contains("may run on core"),
        "{text}"
    );
    let document = as_json(&server.url(), &["-n", "50"], 0);
    assert_eq!(document["awake"], Value::Null, "a closed loop waits for nothing");
}

/// The text of the line that is overwritten on a terminal.
#[test]
fn one_of_several_processes_reports_progress() {
    let server = Server::start("good");
    let mut child = Command::new(env!("CARGO_BIN_EXE_tare"))
        .arg("__generator")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let requests = serde_json::json!({"method": null, "headers": [], "body": null, "chunk_size": null, "encoding": [],
        "raw": [], "send": null, "expect": [], "server_streaming": false, "files": {},
        "status": null, "any_body": false, "check_whole": false, "fresh": false});
    let part = serde_json::json!({"url": server.url(), "server": {"ip": server.url().trim_start_matches("tcp://")},
        "http": null, "tls": {"insecure": false, "cacert": null, "sni": null, "resume": false}, "requests": requests, "connections": 2, "in_flight": "one",
        "refill": "one_by_one", "renew_after": null, "rate": null, "count": null,
        "duration": {"secs": 2, "nanos": 500_000_000}, "cores": null, "timeout": {"secs": 10, "nanos": 0}, "seed": 1,
        "first": 0, "processes": 1, "of": 1, "awake": false, "progress": true});
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", serde_json::json!({ "load": part })).unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok);
    assert_eq!(lines.next().as_deref(), Some("ready"));
    input.write_all(b"\"go\"\n").unwrap();
    assert_eq!(lines.next().as_deref(), Some("began"));
    let rest: Vec<String> = lines.collect();
    drop(input);
    assert!(child.wait().unwrap().success());
    let (last, before) = rest.split_last().expect("it says what it saw");
    let outcome: Value = serde_json::from_str(last).expect("its last line is all");
    let counts: Vec<u64> = before
        .iter()
        .map(|line| {
            line.strip_prefix("so far ")
                .expect("nothing else")
                .parse()
                .unwrap()
        })
        .collect();
    assert!(!counts.is_empty() && counts.is_sorted(), "{before:?}");
    assert!(counts.last().unwrap() <= &outcome["requests"][1].as_u64().unwrap());
}
