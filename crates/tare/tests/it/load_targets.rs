//! `tare load`: the name in `Host`, where URLs lead, and progress on a terminal.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::lab::{Lab, kill, wait_for};
use crate::load::{OK, as_json, http};

/// Answers each request with its target and every `Host` that it has: `/PATH a.example`.
fn tell_host(stream: impl Read, mut out: impl Write) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    while let Some(first) = lines.next() {
        let fields: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
        let hosts = fields.iter().filter_map(|field| {
            let (name, value) = field.split_once(": ")?;
            name.eq_ignore_ascii_case("host").then_some(value)
        });
        let target = first.split(' ').nth(1).unwrap_or_default();
        let text = hosts.fold(target.to_owned(), |text, host| format!("{text} {host}"));
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{text}", text.len());
        if out.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

/// Such a server, on every connection to this listener.
fn telling(listener: TcpListener) -> u16 {
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let out = stream.try_clone().unwrap();
            thread::spawn(move || tell_host(stream, out));
        }
    });
    port
}

#[track_caller]
fn sees(url: &str, words: &[&str], expected: &str) {
    let words = [words, &["-n", "60", "--expect", expected]].concat();
    let document = as_json(url, &words, 0);
    assert!(document["answers"].as_u64().unwrap() >= 60, "{url}");
}

#[test]
fn the_server_sees_the_host_of_the_url() {
    let port = telling(TcpListener::bind("127.0.0.1:0").unwrap());
    sees(
        &format!("http://127.0.0.1:{port}"),
        &[],
        &format!("/ 127.0.0.1:{port}"),
    );
    sees(
        &format!("HTTP://127.1:{port}?q"),
        &[],
        &format!("/?q 127.1:{port}"),
    );
    sees(
        &format!("http://127.0.0.1:{port}/a#b"),
        &["--processes", "2"],
        &format!("/a 127.0.0.1:{port}"),
    );
    let own = ["-H", "Host: shop.example"];
    sees(&format!("http://127.0.0.1:{port}/a"), &own, "/a shop.example");
    // A server that answers for another host alone is not loaded by the address.
    let wrong = ["-n", "60", "--expect", "/ shop.example"];
    as_json(&format!("http://127.0.0.1:{port}/"), &wrong, 3);
}

#[test]
fn a_unix_socket_does_not_change_the_host_of_a_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let listener = UnixListener::bind(&path).unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let out = stream.try_clone().unwrap();
            thread::spawn(move || tell_host(stream, out));
        }
    });
    let socket = ["--unix-socket", path.to_str().unwrap()];
    for (url, expected) in [
        ("http://shop.example/cart?id=1", "/cart?id=1 shop.example"),
        ("http://shop.example:80/", "/ shop.example"),
        ("http://shop.example:8080/", "/ shop.example:8080"),
        ("http://[::1]:8080/", "/ [::1]:8080"),
    ] {
        sees(url, &socket, expected);
    }
}

#[test]
fn an_ipv6_address_in_brackets_is_loaded() {
    let Ok(listener) = TcpListener::bind("[::1]:0") else {
        eprintln!("this machine has no IPv6");
        return;
    };
    let port = telling(listener);
    sees(&format!("http://[::1]:{port}/"), &[], &format!("/ [::1]:{port}"));
}

/// What is on this machine may be called remote; that anything else may is tested where URLs are resolved.
#[test]
fn remote_is_accepted_for_an_address_of_this_machine() {
    let own = UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
        // Nothing is sent for that (RFC 5737).
        socket.connect("192.0.2.1:9")?;
        socket.local_addr()
    });
    let Some(own) = own.ok().filter(|own| !own.ip().is_loopback()) else {
        eprintln!("this machine has no address but loopback");
        return;
    };
    let port = telling(TcpListener::bind((own.ip(), 0)).unwrap());
    let url = format!("http://{}:{port}/", own.ip());
    sees(&url, &["--remote"], &format!("/ {}:{port}", own.ip()));
}

/// `tare` on a terminal of `script`'s (util-linux); what is seen there grows in the second.
fn on_a_terminal(line: &str) -> Option<(Child, Arc<Mutex<String>>)> {
    let mut script = Command::new("script");
    script.args(["-q", "-e", "-c", line, "/dev/null"]);
    // Kept open: at its end the terminal would hang up.
    script
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = script.spawn().ok()?;
    let mut out = child.stdout.take()?;
    let seen = Arc::new(Mutex::new(String::new()));
    let shown = seen.clone();
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(len @ 1..) = out.read(&mut bytes) {
            shown
                .lock()
                .unwrap()
                .push_str(&String::from_utf8_lossy(&bytes[..len]));
        }
    });
    Some((child, seen))
}

#[test]
fn on_a_terminal_a_line_shows_progress() {
    let url = http(OK);
    for more in ["", "--processes 2"] {
        let lab = Lab::new(&[]);
        let line = format!(
            "exec '{}' load '{url}' -c 2 -d 10m {more} -C '{}'",
            env!("CARGO_BIN_EXE_tare"),
            lab.path().display()
        );
        let Some((mut child, seen)) = on_a_terminal(&line) else {
            eprintln!("there is no `script` of util-linux here");
            return;
        };
        let text = || seen.lock().unwrap().clone();
        // `   1 s   2345 answers   2.34k /s`, written over.
        let shown = || {
            text().split('\r').any(|part| {
                part.contains(" s   ") && part.contains(" answers   ") && part.contains("\u{1b}[K")
            })
        };
        wait_for("the live line", shown);
        let answered = |part: &str| {
            let count = part.split_once(" answers   ")?.0.split_whitespace().next_back()?;
            count.parse::<u64>().ok().filter(|count| *count > 0)
        };
        wait_for("answers in it", || {
            text().split('\r').any(|part| answered(part).is_some())
        });
        let named = format!("load {url}");
        let pid = lab
            .left()
            .iter()
            .filter(|process| {
                process.contains(&named) && !process.contains("exec ") && !process.contains("--part")
            })
            .find_map(|process| process.split(' ').next()?.parse::<u32>().ok());
        assert!(kill("INT", pid.expect("it runs")));
        let ended = child.wait().unwrap();
        wait_for("its figures", || {
            text().contains("interrupted: these are the figures until then")
        });
        assert_eq!(ended.code(), Some(130), "{}", text());
        wait_for("all to be gone", || lab.left().is_empty());
    }
}
