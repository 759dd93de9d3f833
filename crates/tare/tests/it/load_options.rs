//! Further options of `tare load`: several processes, a connection for each request, other statuses, Unix sockets.

use std::io::Write;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::lab::{Lab, kill, wait_for};
use crate::load::{OK, Server, answer_all, as_json, http, load};

#[test]
fn several_processes_share_the_load_and_report_together() {
    let server = Server::start("good");
    let document = as_json(&server.url(), &["-n", "1001", "--processes", "3"], 0);
    assert_eq!(document["answers"], 1001);
    assert!(
        document["latency_p50"].as_f64().unwrap() > 0.0 && document["cpu_per_op"].as_f64().unwrap() > 0.0
    );
    let document = as_json(
        &server.url(),
        &["-d", "300ms", "--rate", "500", "--processes", "2"],
        0,
    );
    // Each has half of the connections, and of the rate. What a busy machine could not send in time is counted.
    let due = ["answers", "unsent"].map(|count| document[count].as_u64().unwrap());
    assert!((148..=152).contains(&due.iter().sum::<u64>()), "{document:#}");
    assert!(document["lag_p50"].as_f64().unwrap() >= 0.0);
}

#[test]
fn a_fault_in_one_of_several_processes_ends_all() {
    let server = Server::start("wrong:700");
    let document = as_json(&server.url(), &["-d", "10m", "--processes", "2"], 3);
    let first = document["errors"]["wrong"]["first"].as_str().unwrap();
    assert!(first.contains("a wrong answer to \""), "{first}");
}

/// Killed, it takes its processes with it: the end of their input is the end of them.
#[test]
fn several_processes_and_their_parent_end_together() {
    let server = Server::start("good");
    for (signal, status) in [("INT", 130), ("KILL", -9)] {
        let lab = Lab::new(&[]);
        let words = [
            "load",
            &server.url(),
            "-c",
            "4",
            "-d",
            "10m",
            "--processes",
            "2",
            "--format",
            "json",
        ];
        let run = lab.start(lab.tare(&words));
        wait_for("both to be started", || lab.left().len() == 3);
        assert!(kill(signal, run.pid()));
        let ran = run.finish().expect(status);
        wait_for("all to be gone", || lab.left().is_empty());
        if signal == "INT" {
            assert_eq!(ran.json()["interrupted"], true);
        }
    }
}

#[test]
fn a_process_without_a_connection_is_refused() {
    let server = Server::start("good");
    let ran = load(&server.url(), &["--processes", "5"]).expect(2);
    assert!(ran.err.contains("fewer --processes"), "{}", ran.err);
    let ran = load(&server.url(), &["-n", "2", "--programs", "2", "--processes", "2"]).expect(2);
    assert!(ran.err.contains("leave out --processes"), "{}", ran.err);
}

#[test]
fn each_request_may_have_a_connection_of_its_own() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let accepted = Arc::new(AtomicUsize::new(0));
    let seen = accepted.clone();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            seen.fetch_add(1, Ordering::SeqCst);
            let out = stream.try_clone().unwrap();
            thread::spawn(move || answer_all(stream, out, OK));
        }
    });
    as_json(&url, &["-n", "60", "--fresh"], 0);
    assert!(accepted.load(Ordering::SeqCst) >= 60);
    let ran = load(&url, &["-n", "60", "--fresh", "--pipeline", "2"]).expect(2);
    assert!(ran.err.contains("leave out --pipeline"), "{}", ran.err);
}

#[test]
fn another_status_may_be_expected() {
    let missing = http("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno");
    as_json(&missing, &["-n", "100", "--status", "404"], 0);
    let document = as_json(&missing, &["-n", "100", "--status", "200"], 3);
    let first = document["errors"]["wrong"]["first"].as_str().unwrap();
    assert!(
        first.contains("expected a status of 200") && first.contains("404"),
        "{first}"
    );
    let ran = load("tcp://127.0.0.1:9", &["-n", "1", "--status", "404"]).expect(2);
    assert!(ran.err.contains("--status is for http://"), "{}", ran.err);
}

#[test]
fn a_unix_socket_is_loaded_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let listener = UnixListener::bind(&path).unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let out = stream.try_clone().unwrap();
            thread::spawn(move || answer_all(stream, out, OK));
        }
    });
    let socket = path.to_str().unwrap();
    // The URL's name need not resolve.
    let document = as_json(
        "http://nowhere.invalid/",
        &["-n", "200", "--unix-socket", socket],
        0,
    );
    assert!(document["answers"].as_u64().unwrap() >= 200);
    let gone = folder.path().join("gone");
    let words = ["-n", "1", "--unix-socket", gone.to_str().unwrap()];
    let ran = load("http://localhost/", &words).expect(1);
    assert!(ran.err.contains("nothing listens at unix:"), "{}", ran.err);
}

#[test]
fn percentiles_are_listed_up_to_the_highest_with_enough_samples() {
    let text = load(&http(OK), &["-n", "2000", "--latency"]).expect(0).out;
    for line in ["50%", "99%", "99.9%", "100%"] {
        assert!(
            text.lines()
                .any(|found| found.trim_start().starts_with(&format!("{line} "))),
            "no {line}: {text}"
        );
    }
    assert!(
        !text.contains("99.9999%"),
        "of 2000 answers none is beyond that: {text}"
    );
}

/// `localhost` has two addresses on most machines; the server may listen at either.
#[test]
fn servers_at_localhost_are_found() {
    for address in ["127.0.0.1:0", "[::1]:0"] {
        // Some machines have no IPv6, and some no such name for it.
        let Ok(listener) = TcpListener::bind(address) else {
            continue;
        };
        let port = listener.local_addr().unwrap().port();
        let named = std::net::ToSocketAddrs::to_socket_addrs(&("localhost", port)).unwrap();
        if !named
            .into_iter()
            .any(|found| found.ip() == listener.local_addr().unwrap().ip())
        {
            continue;
        }
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let out = stream.try_clone().unwrap();
                let _ = stream.flush();
                thread::spawn(move || answer_all(stream, out, OK));
            }
        });
        as_json(&format!("http://localhost:{port}/"), &["-n", "50"], 0);
    }
}
