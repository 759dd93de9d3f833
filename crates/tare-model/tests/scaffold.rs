//! What `tare new` writes: manifests that parse, and programs that do the job from the first minute.
//!
//! Programs are built and run for every language whose tools are on the PATH; the others are named and left out.

#![allow(clippy::print_stdout)]

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tare_model::manifest::{GrpcJob, HttpAnswer, HttpJob, Job, Lab, Probe, scaffold};

/// Generous: it only bounds how long a failure takes, on a machine however busy.
const PATIENCE: Duration = Duration::from_secs(120);

fn jobs() -> [Job; 3] {
    let text = "gr\u{fc}n \"{port}\" \\ %s @EXPECT@ */ \"\"\" \t\u{1f600}9".to_owned();
    [
        Job::Doubling,
        Job::Lines {
            send: "ask".to_owned(),
            expect: text.clone(),
        },
        Job::Http(HttpJob {
            method: "POST".to_owned(),
            path: "/a?b=\"c\"".to_owned(),
            headers: vec![("X-A".to_owned(), "\"b\"".to_owned())],
            body: Some("{\"a\": 1}\n".to_owned()),
            answer: Some(HttpAnswer::Text {
                body: format!("{text}\r\n"),
            }),
            ..HttpJob::default()
        }),
    ]
}

fn write(folder: &Path, files: &[(String, String)]) {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

#[test]
fn new_workloads_parse_and_keep_their_job() {
    for language in scaffold::LANGUAGES {
        for job in jobs() {
            let folder = tempfile::tempdir().unwrap();
            let toml = "schema = 1\nsummary = \"x\"\nrun = [\"{out}/server\", \"{port}\"]\n".to_owned();
            write(folder.path(), &[(format!("languages/{language}.toml"), toml)]);
            let files = scaffold::workload("fresh", language, &job).unwrap();
            write(&folder.path().join("workloads/fresh"), &files);
            let lab = Lab::new(folder.path());
            let workload = lab
                .workload("fresh")
                .unwrap_or_else(|error| panic!("{language}: {error}"));
            assert_eq!(workload.cases[0].job, job);
            assert_eq!(workload.cases[0].floor.as_ref().unwrap().to_string(), language);
            let contenders = lab.contenders(&workload);
            assert_eq!(contenders.len(), 1);
            assert_eq!(contenders[0].as_ref().unwrap().language, language);
            let second = scaffold::contender("second", language, &job).unwrap();
            write(&folder.path().join("workloads/fresh/contenders/second"), &second);
            assert!(lab.contender(&workload, &"second".parse().unwrap()).is_ok());
        }
    }
}

/// What a manifest can say of a job, `job_value` says again: a workload written with it reads the same.
#[test]
fn every_answer_is_written_as_it_is_read() {
    let answers = [
        None,
        Some(HttpAnswer::Json {
            value: "{\"message\":\"Hello, World!\"}".into(),
        }),
        Some(HttpAnswer::World { rows: 10_000 }),
        Some(HttpAnswer::WorldList {
            rows: 10_000,
            count: Some(20),
            cached: true,
        }),
        Some(HttpAnswer::WorldUpdates {
            rows: 10_000,
            count: Some(20),
        }),
        Some(HttpAnswer::Fortunes),
        Some(HttpAnswer::Letters { bytes: Some(13) }),
        Some(HttpAnswer::Table {
            columns: 50,
            rows: Some(1000),
        }),
    ];
    for answer in answers {
        let job = Job::Http(HttpJob {
            media_type: Some("text/html".into()),
            fields: vec!["Server".into(), "Date".into()],
            answer,
            ..HttpJob::default()
        });
        let folder = tempfile::tempdir().unwrap();
        let toml = "schema = 1\nsummary = \"x\"\nrun = [\"{out}/server\", \"{port}\"]\n".to_owned();
        write(folder.path(), &[("languages/c.toml".to_owned(), toml)]);
        let files = scaffold::workload("fresh", "c", &job).unwrap();
        write(&folder.path().join("workloads/fresh"), &files);
        let workload = Lab::new(folder.path()).workload("fresh").unwrap();
        assert_eq!(workload.cases[0].job, job);
    }
}

#[test]
fn no_placeholder_is_left_in_a_program() {
    for language in scaffold::LANGUAGES {
        for job in [Job::Doubling, Job::Http(HttpJob::default())] {
            for (path, text) in scaffold::workload("fresh", language, &job).unwrap() {
                let mark = text
                    .split('@')
                    .nth(1)
                    .filter(|word| word.chars().all(|c| c.is_ascii_uppercase() || c == '_'));
                assert_eq!(mark, None, "{language}: {path}");
            }
        }
    }
}

#[test]
fn what_cannot_be_scaffolded_is_refused() {
    assert_eq!(
        scaffold::contender("mine", "pyton", &Job::Doubling)
            .unwrap_err()
            .to_string(),
        "there is no beginning of a contender in `pyton`\n\n\
         hint: did you mean `python`? there are: c, go, haskell, java, node, python, rust"
    );
    let probe = Job::Probe(Probe {
        reference: "reference.txt".to_owned(),
        floor_reference: None,
        interop: None,
    });
    let refused = scaffold::contender("mine", "python", &probe).unwrap_err();
    assert!(
        refused.to_string().contains("for a `probe`\n\nhint: kits/"),
        "{refused}"
    );
    let refused = scaffold::contender("mine", "go", &Job::Grpc(GrpcJob::default())).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("for a `grpc`\n\nhint: begin with a copy"),
        "{refused}"
    );
    assert_eq!(
        scaffold::workload("My Job", "c", &Job::Doubling)
            .unwrap_err()
            .to_string(),
        "`My Job` is no workload: names are lower-case letters, digits and single dashes, and start with a letter"
    );
}

struct Toolchain {
    language: &'static str,
    /// Commands that succeed where the language can be tried.
    tools: &'static [&'static [&'static str]],
    build: &'static [&'static str],
    run: &'static [&'static str],
}

/// A running server; ended when dropped.
struct Server {
    child: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(words: &[&str], out: &Path, port: &str) -> Command {
    let fill = |word: &&str| {
        word.replace("{out}", out.to_str().unwrap())
            .replace("{port}", port)
    };
    let words: Vec<String> = words.iter().map(fill).collect();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdin(Stdio::null());
    command
}

fn succeeds(words: &[&str]) -> bool {
    let mut command = command(words, Path::new(""), "");
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

impl Toolchain {
    fn try_job(&self, job: &Job) {
        let folder = tempfile::tempdir().unwrap();
        write(
            folder.path(),
            &scaffold::contender("fresh", self.language, job).unwrap(),
        );
        let out = folder.path().join("out");
        fs::create_dir(&out).unwrap();
        if !self.build.is_empty() {
            let built = command(self.build, &out, "")
                .current_dir(folder.path())
                .output()
                .unwrap();
            assert!(
                built.status.success(),
                "{}:\n{}",
                self.language,
                String::from_utf8_lossy(&built.stderr)
            );
        }
        let server = self.start(folder.path(), &out);
        match job {
            Job::Doubling => try_doubling(&server),
            Job::Lines { expect, .. } => {
                exchange(
                    &server,
                    b"ask\nask\n",
                    format!("{expect}\n{expect}\n").as_bytes(),
                    false,
                );
            }
            Job::Http(http) => try_http(&server, http.text().unwrap()),
            Job::Grpc(_) | Job::WebSocket(_) | Job::Probe(_) | Job::Pipe(_) => {
                unreachable!("these have no beginning")
            }
        }
    }

    /// Starts the server and waits until it accepts; a port that was taken meanwhile is tried again.
    fn start(&self, folder: &Path, out: &Path) -> Server {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let port = TcpListener::bind("127.0.0.1:0")
                .unwrap()
                .local_addr()
                .unwrap()
                .port();
            let child = command(self.run, out, &port.to_string())
                .current_dir(folder)
                .spawn()
                .unwrap();
            let mut server = Server { child, port };
            while Instant::now() < deadline && server.child.try_wait().unwrap().is_none() {
                if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                    return server;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        panic!("{}: never listened", self.language);
    }
}

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

fn exchange(server: &Server, send: &[u8], expect: &[u8], closes: bool) {
    let mut stream = connect(server);
    stream.write_all(send).unwrap();
    let mut found = vec![0; expect.len()];
    stream.read_exact(&mut found).unwrap();
    assert_eq!(String::from_utf8_lossy(&found), String::from_utf8_lossy(expect));
    if !closes {
        stream.shutdown(Shutdown::Write).unwrap();
    }
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    assert_eq!(String::from_utf8_lossy(&rest), "", "nothing follows");
}

fn try_doubling(server: &Server) {
    exchange(server, b"21\n-21\n007\n-0\n", b"42\n-42\n14\n0\n", false);
    exchange(
        server,
        b"word\n-\n+5\n\n5 \n1_0\n--1\n5\r\n",
        b"not an integer\n"
            .repeat(7)
            .iter()
            .chain(b"10\n")
            .copied()
            .collect::<Vec<u8>>()
            .as_slice(),
        false,
    );
    exchange(server, b"1\nend\n2\n", b"2\n", true);
    let long = format!("-{}\n", "5".repeat(5000));
    exchange(
        server,
        long.as_bytes(),
        format!("-1{}0\n", "1".repeat(4999)).as_bytes(),
        false,
    );
    let mut slow = connect(server);
    slow.set_nodelay(true).unwrap();
    for byte in b"12\n34\nend\n" {
        slow.write_all(&[*byte]).unwrap();
    }
    let mut found = String::new();
    slow.read_to_string(&mut found).unwrap();
    assert_eq!(found, "24\n68\n");
}

/// Two requests in one write, with bodies; then the answers' bodies by their lengths.
fn try_http(server: &Server, expect: &str) {
    let mut stream = connect(server);
    let request = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
    stream.write_all(request.repeat(2).as_bytes()).unwrap();
    let mut held = Vec::new();
    for _ in 0..2 {
        let head = read_until(&mut stream, &mut held, |bytes| {
            bytes
                .windows(4)
                .position(|window| window == b"\r\n\r\n")
                .map(|at| at + 4)
        });
        let head = String::from_utf8(head).unwrap().to_lowercase();
        assert!(head.starts_with("http/1.1 200 "), "{head}");
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"))
            .expect(&head);
        let length: usize = length.trim().parse().unwrap();
        let body = read_until(&mut stream, &mut held, |bytes| {
            (bytes.len() >= length).then_some(length)
        });
        assert_eq!(String::from_utf8(body).unwrap(), expect);
    }
    assert_eq!(held, b"");
}

fn read_until(stream: &mut TcpStream, held: &mut Vec<u8>, end: impl Fn(&[u8]) -> Option<usize>) -> Vec<u8> {
    loop {
        if let Some(end) = end(held) {
            return held.drain(..end).collect();
        }
        let mut buffer = [0; 4096];
        let got = match stream.read(&mut buffer) {
            // A read with a timeout is not restarted where the process was paused meanwhile.
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            got => got.unwrap(),
        };
        assert!(got > 0, "ended after {:?}", String::from_utf8_lossy(held));
        held.extend_from_slice(&buffer[..got]);
    }
}

fn try_language(toolchain: &Toolchain) {
    if let Some(missing) = toolchain.tools.iter().find(|tool| !succeeds(tool)) {
        println!(
            "left out: {}: `{}` does not run here",
            toolchain.language,
            missing.join(" ")
        );
        return;
    }
    jobs().iter().for_each(|job| toolchain.try_job(job));
}

#[test]
fn c_works() {
    try_language(&Toolchain {
        language: "c",
        tools: &[&["cc", "--version"]],
        build: &[
            "cc",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pthread",
            "-o",
            "{out}/server",
            "main.c",
        ],
        run: &["{out}/server", "{port}", "1"],
    });
}

#[test]
#[ignore = "slow: builds and starts servers in Go"]
fn slow_go_works() {
    try_language(&Toolchain {
        language: "go",
        tools: &[&["go", "version"]],
        build: &[
            "go",
            "build",
            "-trimpath",
            "-buildvcs=false",
            "-o",
            "{out}/server",
            ".",
        ],
        run: &["{out}/server", "{port}"],
    });
}

#[test]
#[ignore = "slow: builds and starts servers in Haskell"]
fn slow_haskell_works() {
    try_language(&Toolchain {
        language: "haskell",
        tools: &[&["ghc", "--version"], &["ghc-pkg", "describe", "network"]],
        build: &[
            "ghc",
            "-O",
            "-threaded",
            "-rtsopts",
            "-outputdir",
            "{out}/obj",
            "-o",
            "{out}/server",
            "Main.hs",
        ],
        run: &["{out}/server", "{port}", "+RTS", "-N1", "-RTS"],
    });
}

/// Folders with a JDK that has virtual threads: JAVA_HOME, the usual place, and the PATH's.
fn jdk() -> Option<String> {
    let usual = fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten();
    let usual = usual.map(|entry| format!("{}/bin/", entry.path().display()));
    let home = std::env::var("JAVA_HOME").ok().map(|home| format!("{home}/bin/"));
    let mut folders = home.into_iter().chain(usual).chain([String::new()]);
    folders.find(|folder| succeeds(&[&format!("{folder}javac"), "--release", "21", "--version"]))
}

#[test]
#[ignore = "slow: builds and starts servers in Java"]
fn slow_java_works() {
    let Some(jdk) = jdk() else {
        println!("left out: java: no JDK of 21 or newer");
        return;
    };
    let javac: &'static str = String::leak(format!("{jdk}javac"));
    let java: &'static str = String::leak(format!("{jdk}java"));
    try_language(&Toolchain {
        language: "java",
        tools: &[],
        build: Vec::leak(vec![javac, "-proc:none", "-d", "{out}/classes", "Main.java"]),
        run: Vec::leak(vec![java, "-cp", "{out}/classes", "Main", "{port}"]),
    });
}

#[test]
fn node_works() {
    try_language(&Toolchain {
        language: "node",
        tools: &[&["node", "--version"]],
        build: &[],
        run: &["node", "main.js", "{port}"],
    });
}

#[test]
fn python_works() {
    try_language(&Toolchain {
        language: "python",
        tools: &[&["python3", "--version"]],
        build: &[],
        run: &["python3", "main.py", "{port}"],
    });
}

#[test]
#[ignore = "slow: builds and starts servers in Rust"]
fn slow_rust_works() {
    let cargo = Path::new(env!("CARGO")).to_path_buf();
    let cargo: &'static str = PathBuf::leak(cargo).to_str().unwrap();
    let build = vec![
        cargo,
        "build",
        "--locked",
        "--offline",
        "--target-dir",
        "{out}/target",
    ];
    try_language(&Toolchain {
        language: "rust",
        tools: &[],
        build: Vec::leak(build),
        run: &["{out}/target/debug/server", "{port}", "1"],
    });
}
