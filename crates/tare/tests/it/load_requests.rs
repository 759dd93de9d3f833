//! What `tare load` sends: method, head fields and body as they were asked for, and to whom.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::thread;

use crate::lab::Lab;
use crate::load::{OK, answer_all, as_json, load};

/// A server that answers each request with what it was: `METHOD PATH, WORD, BODY`, WORD the value of `X-Word`.
fn echo() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || while echo_one(&stream).is_some() {});
        }
    });
    url
}

fn echo_one(stream: &TcpStream) -> Option<()> {
    // One byte at a time: what follows belongs to the next request.
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        let mut from = stream;
        from.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let field = |name: &str| {
        let mut fields = head.lines().skip(1).filter_map(|line| line.split_once(": "));
        fields
            .find(|(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    };
    let length = field("content-length").map_or(0, |text| text.parse().unwrap());
    let mut body = vec![0; length];
    let mut from = stream;
    from.read_exact(&mut body).ok()?;
    let first: Vec<&str> = head.lines().next()?.split(' ').collect();
    let text = format!(
        "{} {}, {}, {}",
        first[0],
        first[1],
        field("x-word").unwrap_or("none"),
        String::from_utf8_lossy(&body)
    );
    let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{text}", text.len());
    from.write_all(answer.as_bytes()).ok()
}

#[test]
fn requests_are_sent_as_given() {
    let url = echo();
    let item = format!("{url}/item?id=1");
    let cases: [(&str, &[&str], &str); 5] = [
        (&url, &[], "GET /, none, "),
        (&item, &["-X", "DELETE"], "DELETE /item?id=1, none, "),
        (&url, &["-H", "X-Word: pear"], "GET /, pear, "),
        // A body makes it a POST, unless another method is given.
        (&url, &["--body", r#"{"id":1}"#], r#"POST /, none, {"id":1}"#),
        (
            &item,
            &[
                "-X",
                "PUT",
                "-H",
                "X-Word: plum",
                "--body",
                "ten bytes!",
                "--pipeline",
                "3",
            ],
            "PUT /item?id=1, plum, ten bytes!",
        ),
    ];
    for (url, words, expected) in cases {
        let right = [words, &["-n", "60", "--expect", expected]].concat();
        let document = as_json(url, &right, 0);
        assert!(document["answers"].as_u64().unwrap() >= 60, "{expected}");
        let wrong = [words, &["-n", "60", "--expect", "something else"]].concat();
        let document = as_json(url, &wrong, 3);
        let first = document["errors"]["wrong"]["first"].as_str().unwrap();
        assert!(
            first.contains(&expected.replace('"', "\\\"")),
            "{expected}: {first}"
        );
    }
}

#[test]
fn impossible_requests_are_refused() {
    let url = echo();
    let ran = load(&url, &["-n", "1", "-H", "no field"]).expect(2);
    assert!(
        ran.err.contains("is not a header field") && ran.err.contains("Accept"),
        "{}",
        ran.err
    );
    for words in [["-X", "PUT"], ["-H", "A: b"], ["--body", "x"]] {
        let ran = load("tcp://127.0.0.1:9", &[&["-n", "1"][..], &words[..]].concat()).expect(2);
        assert!(ran.err.contains("for http:// targets"), "{}", ran.err);
    }
}

#[test]
fn a_body_may_be_a_file_and_may_begin_with_a_dash() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("body.txt");
    std::fs::write(&path, "of a file").unwrap();
    let file = format!("@{}", path.display());
    let url = echo();
    for (body, expected) in [
        (file.as_str(), "POST /, none, of a file"),
        ("-x", "POST /, none, -x"),
        ("--y=1", "POST /, none, --y=1"),
    ] {
        for more in [&[][..], &["--processes", "2"]] {
            let words = ["-n", "60", "--body", body, "--expect", expected];
            let document = as_json(&url, &[&words[..], more].concat(), 0);
            assert_eq!(document["answers"], 60, "{body}");
        }
    }
    let ran = load(&url, &["-n", "1", "--body", "@/nonexistent/body"]).expect(2);
    assert!(ran.err.contains("/nonexistent/body"), "{}", ran.err);
}

/// Every byte is unchanged: what the server received is compared with the file.
#[test]
fn the_bytes_of_a_file_are_sent_as_they_are() {
    let bytes: Vec<u8> = (0..=255).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("body");
    std::fs::write(&path, &bytes).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let server = thread::spawn(move || {
        // The first connection only finds out whether anything listens.
        drop(listener.accept().unwrap());
        let (mut stream, _) = listener.accept().unwrap();
        let mut seen = Vec::new();
        let mut piece = [0; 4096];
        let begins = |seen: &[u8]| {
            seen.windows(4)
                .position(|four| four == b"\r\n\r\n")
                .map(|at| at + 4)
        };
        while begins(&seen).is_none_or(|at| seen.len() < at + 256) {
            let len = stream.read(&mut piece).unwrap();
            assert!(len > 0, "the end comes after the body");
            seen.extend_from_slice(&piece[..len]);
        }
        stream.write_all(OK.as_bytes()).unwrap();
        let at = begins(&seen).unwrap();
        let head = String::from_utf8(seen[..at].to_vec()).unwrap();
        // The connection stays open until all is over.
        (head, seen[at..].to_vec(), stream, listener)
    });
    let file = format!("@{}", path.display());
    let lab = Lab::new(&[]);
    lab.run(&["load", &url, "-c", "1", "-n", "1", "--body", &file])
        .expect(0);
    let (head, body, ..) = server.join().unwrap();
    assert!(head.contains("Content-Length: 256\r\n"), "{head}");
    assert_eq!(body, bytes);
}

/// The address that this machine would reach others from, if it has any but loopback. Nothing is sent.
fn own_address() -> Option<SocketAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    let own = socket.local_addr().ok()?;
    (!own.ip().is_loopback() && !own.ip().is_unspecified()).then_some(own)
}

#[test]
fn an_address_of_this_machine_is_not_remote() {
    let Some(own) = own_address() else {
        eprintln!("this machine has no address but loopback");
        return;
    };
    let listener = TcpListener::bind((own.ip(), 0)).unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let out = stream.try_clone().unwrap();
            thread::spawn(move || answer_all(stream, out, OK));
        }
    });
    let document = as_json(&url, &["-n", "50"], 0);
    assert!(document["answers"].as_u64().unwrap() >= 50);
}
