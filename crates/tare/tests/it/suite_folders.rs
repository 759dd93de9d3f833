//! `tfb:DIR` and `httparena:DIR`: folders of other suites, measured as they are. The engine is the one that starts processes of
//! this machine; what a container would run is this test binary, as a small web server.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;

use crate::containers::{Harbour, harbour};
use crate::diff::git;
use crate::lab::{contender, unwrapped};

/// Whatever becomes of its test, the server ends by itself after this.
const LIFE: Duration = Duration::from_secs(180);

/// The words that make this binary the server.
fn server(port: u16, pages: &str) -> String {
    let program = std::env::current_exe().unwrap();
    let name = concat!(module_path!(), "::serve").split_once("::").unwrap().1;
    format!(
        "{} --exact --ignored --nocapture {name} port={port} pages={pages}",
        program.display()
    )
}

#[test]
#[ignore = "no test: the server that the others start"]
fn serve() {
    let argument = |key: &str| std::env::args().find_map(|word| word.strip_prefix(key).map(str::to_owned));
    let (Some(port), Some(pages)) = (argument("port="), argument("pages=")) else {
        return;
    };
    thread::spawn(|| {
        thread::sleep(LIFE);
        std::process::exit(5)
    });
    let listener = TcpListener::bind(("127.0.0.1", port.parse().unwrap())).unwrap();
    for stream in listener.incoming().flatten() {
        let pages = pages.clone();
        thread::spawn(move || drop(talk(stream, &pages)));
    }
}

/// Answers requests of a connection, one after the other. `pages`: `PATH=TEXT` with commas between.
fn talk(mut stream: TcpStream, pages: &str) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let (mut read, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        while let Some((path, rest)) = request(&read) {
            read = rest;
            let page = pages
                .split(',')
                .find_map(|page| page.split_once('=').filter(|(known, _)| *known == path));
            let (status, text) = page.map_or(("404 Not Found", "none"), |(_, text)| ("200 OK", text));
            let text = text.replace('_', " ").replace('~', ",");
            let answer = format!(
                "HTTP/1.1 {status}\r\nServer: test\r\nDate: {}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n{text}",
                date(),
                text.len()
            );
            stream.write_all(answer.as_bytes())?;
        }
        match stream.read(&mut buffer)? {
            0 => return Ok(()),
            count => read.extend_from_slice(&buffer[..count]),
        }
    }
}

/// The path of a whole request without a body, and what follows it.
fn request(bytes: &[u8]) -> Option<(String, Vec<u8>)> {
    let end = bytes.windows(4).position(|end| end == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let path = head.split(' ').nth(1)?.to_owned();
    Some((path, bytes[end + 4..].to_vec()))
}

/// Now, as header fields have it (RFC 9110, 5.6.7).
fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][(days % 7) as usize];
    let (mut year, mut left) = (1970, days);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while left >= 365 + u64::from(leap(year)) {
        left -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [
        31,
        28 + u64::from(leap(year)),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    let names = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let mut month = 0;
    while left >= lengths[month] {
        left -= lengths[month];
        month += 1;
    }
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!(
        "{weekday}, {:02} {} {year} {hour:02}:{minute:02}:{second:02} GMT",
        left + 1,
        names[month]
    )
}

const BRIEF: [&str; 8] = [
    "--launches",
    "1",
    "--rounds",
    "2",
    "--budget",
    "1s",
    "--format",
    "json",
];

/// The connections of a test are many, and this server has a thread for each.
const FEW: [&str; 4] = ["--connections", "4", "--seed", "7"];

/// A checkout of HttpArena with one implementation.
fn arena(harbour: &Harbour, text: &str) {
    let put = |path: &str, text: &str| harbour.lab.write(&format!("arena/{path}"), text);
    put(
        "frameworks/Beads/meta.json",
        r#"{"display_name": "Beads", "language": "Abacus", "type": "tuned", "tests": ["pipelined", "upload"]}"#,
    );
    let server = server(8080, &format!("/pipeline={text}"));
    put(
        "frameworks/Beads/Dockerfile",
        &format!("FROM debian:bookworm\nCMD {server}\n"),
    );
    put(
        "scripts/lib/profiles.sh",
        "PROFILES=(\n[pipelined]=\"4|0|0-3|8|pipe\"\n[upload]=\"1|0|0-3|8|up\"\n)\nendpoint_tool() {\n\
         case \"$1\" in *) echo gcannon ;; esac\n}\n",
    );
    put(
        "scripts/lib/tools/gcannon.sh",
        "gcannon_build_args() {\ncase \"$e\" in pipe) args=(\"http://localhost:$PORT/pipeline\") ;;\n\
         up) args=(\"http://localhost:$PORT/upload\") ;; esac\n}\n",
    );
    put(
        "scripts/lib/framework.sh",
        "framework_start() {\nargs=(-v \"$DATA_DIR/dataset.json:/data/dataset.json:ro\")\n}\n",
    );
    put("data/dataset.json", "[]");
}

fn state(document: &Value, name: &str) -> String {
    let one = contender(document, name);
    assert_eq!(one["state"], "measured", "{one:#}");
    one["requests"]["valid"].to_string()
}

#[test]
fn a_folder_is_measured_with_itself_and_the_run_is_continued() {
    let Some(harbour) = harbour() else { return };
    arena(&harbour, "ok");
    let folder = "httparena:arena/frameworks/Beads";
    let words = [
        &["run", folder, folder, "--profile", "pipelined"],
        &FEW[..],
        &BRIEF[..],
    ]
    .concat();
    let ran = harbour.run(&words).expect(0);
    let document = ran.json();
    harbour.lab.assert_clean();
    for name in ["beads", "beads-2"] {
        assert_ne!(state(&document, name), "0");
    }
    let arena = &document["workloads"][0];
    assert_eq!(
        (&arena["name"], &arena["case"]),
        (&"httparena".into(), &"pipelined".into())
    );
    let folders = &document["run"]["settings"]["contenders"]["folders"];
    assert_eq!(folders["named"], serde_json::json!([folder, folder]));
    assert!(
        harbour.calls().contains(":/data/dataset.json:ro"),
        "{}",
        harbour.calls()
    );
    // The folder may change meanwhile: what was measured is kept.
    fs::remove_dir_all(harbour.lab.path().join("arena")).unwrap();
    let more = [
        "run",
        "--resume",
        "latest",
        "--launches",
        "2",
        "--rounds",
        "2",
        "--budget",
        "20s",
        "--format",
        "json",
    ];
    let document = harbour.run(&more).expect(0).json();
    state(&document, "beads-2");
    let text = unwrapped(&harbour.run(&["report"]).expect(0).out);
    assert!(text.contains("beads-2"), "{text}");
    harbour.lab.assert_clean();
}

#[test]
fn two_revisions_of_a_folder_are_measured_side_by_side() {
    let Some(harbour) = harbour() else { return };
    let root = harbour.lab.path().join("tfb");
    frameworks(harbour.lab.path());
    git(&root, &["init", "-q", "-b", "main"]);
    git(&root, &["add", "."]);
    git(&root, &["commit", "-q", "-m", "one"]);
    let config = root.join("frameworks/Abacus/beads/benchmark_config.json");
    let changed = fs::read_to_string(&config).unwrap().replace("World!", "Mars!");
    fs::write(&config, changed).unwrap();
    let beads = "tfb:tfb/frameworks/Abacus/beads:beads";
    let ran = harbour
        .run(&["check", &format!("{beads}@HEAD"), beads, "--test", "plaintext"])
        .expect(3);
    assert!(
        ran.out.contains("ok       tfb/plaintext beads-head"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("FAULT    tfb/plaintext beads\n"), "{}", ran.out);
    assert!(ran.out.contains("Hello, Mars!"), "{}", ran.out);
    // A diff asks the same of both, and says which side is wrong.
    let ran = harbour.run(&[
        "diff",
        "HEAD",
        beads,
        "--test",
        "plaintext",
        "--budget",
        "1s",
        "--format",
        "json",
    ]);
    let document = ran.expect(3).json();
    assert_eq!(
        contender(&document, "beads@after")["fault"],
        "wrong",
        "{document:#}"
    );
    assert_eq!(contender(&document, "beads@before")["fault"], Value::Null);
    let ran = harbour
        .run(&["diff", "HEAD", "tfb:tfb/frameworks/Abacus/beads"])
        .expect(2);
    assert!(ran.err.contains("several implementations"), "{}", ran.err);
    harbour.lab.assert_clean();
}

/// A folder of FrameworkBenchmarks with two implementations, the second at a path and a port of its own.
fn frameworks(root: &Path) {
    let folder = root.join("tfb/frameworks/Abacus/beads");
    fs::create_dir_all(&folder).unwrap();
    let [one, other] = [
        server(8080, "/plaintext=Hello~_World!"),
        server(9000, "/plain=Hello~_World!"),
    ];
    let config = serde_json::json!({"framework": "beads", "tests": [{
        "default": {"plaintext_url": "/plaintext", "json_url": "/json", "port": 8080, "language": "Abacus", "docker_cmd": one},
        "rods": {"plaintext_url": "/plain", "port": 9000, "language": "Abacus", "docker_cmd": other,
            "dockerfile": "beads.dockerfile"},
        "old": {"plaintext_url": "/plain", "port": 9000, "language": "Abacus", "tags": ["broken"],
            "dockerfile": "beads.dockerfile"},
    }]});
    fs::write(folder.join("benchmark_config.json"), config.to_string()).unwrap();
    fs::write(folder.join("beads.dockerfile"), "FROM debian:bookworm\n").unwrap();
}

#[test]
fn implementations_of_a_folder_are_asked_where_they_answer() {
    let Some(harbour) = harbour() else { return };
    frameworks(harbour.lab.path());
    let words = ["run", "tfb:tfb/frameworks/Abacus/beads", "--test", "plaintext"];
    let ran = harbour
        .run(&[&words[..], &FEW[..], &BRIEF[..]].concat())
        .expect(0);
    let document = ran.json();
    for name in ["beads", "beads-rods"] {
        state(&document, name);
    }
    assert!(
        ran.err
            .contains("left out: beads-old: the suite marks it as broken"),
        "{}",
        ran.err
    );
    let calls = harbour.calls();
    for part in [
        "--add-host=tfb-database:127.0.0.1",
        "--add-host=tfb-server:127.0.0.1",
        "--build-arg=TFB_TEST_NAME=beads-rods",
    ] {
        assert!(calls.contains(part), "no {part} in {calls}");
    }
    let plan = harbour
        .run(&["run", "tfb:tfb/frameworks", "--plan", "--test", "plaintext"])
        .expect(0);
    assert!(plan.out.contains("plaintext"), "{}", plan.out);
    harbour.lab.assert_clean();
}

#[test]
fn words_that_do_not_fit_are_refused_with_what_would() {
    let Some(harbour) = harbour() else { return };
    frameworks(harbour.lab.path());
    let beads = "tfb:tfb/frameworks/Abacus/beads";
    for (words, parts) in [
        (
            &[beads, "--test", "jsn"][..],
            &["has a test `jsn`", "hint: their tests are json, plaintext"][..],
        ),
        (&["tfb:nowhere"], &["nowhere is no folder"]),
        (
            &["httparena:tfb/frameworks"],
            &["is of FrameworkBenchmarks", "`tfb:DIR`"],
        ),
        (
            &[beads, "fixture"],
            &["`fixture` is of the lab", "not compared in one run"],
        ),
        (
            &["fixture", "--test", "json"],
            &["is for folders of another suite"],
        ),
        (
            &[beads, "--only", "bead"],
            &["there are beads, beads-old, beads-rods"],
        ),
        (
            &[beads, "--only", "beads-old"],
            &["the suite marks it as broken", "tare import DIR"],
        ),
        (&["tfb:tfb@v1"], &["is in no git repository"]),
    ] {
        for command in ["run", "check"] {
            let ran = harbour.run(&[&[command], words].concat()).expect(2);
            for part in parts {
                assert!(ran.err.contains(part), "no {part:?}: {}", ran.err);
            }
        }
    }
    harbour.lab.assert_clean();
}
