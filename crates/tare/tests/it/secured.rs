//! Contenders that are reached over TLS, by HTTP/1.1 and HTTP/2: the certificate of the run, what was negotiated, and what is
//! refused. The server of these labs is this very test binary, started again.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::thread;
use std::time::Duration;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::version::{TLS12, TLS13};
use serde_json::Value;

use crate::lab::{Lab, contender, list};
use crate::load::{OK, http};
use crate::load_dialogs::{h2, hello};
use crate::load_tls::fixture::authority::{Authority, Identity, server};
use crate::load_tls::fixture::{Manner, front_at};

/// Whatever it is asked, the server ends by itself after this.
const LIFE: Duration = Duration::from_secs(180);

const WORKLOAD: &str = r#"schema = 1
summary = "a greeting"
job = { kind = "http", path = "/", expect = "hello" }

[cases.one]
summary = "HTTP/1.1 over TLS"
scheme = "https"
placement = "one-core"
baseline = "good"

[cases.two]
summary = "HTTP/2 over TLS"
scheme = "h2"
placement = "one-core"
baseline = "good"

[modes.capacity]
primary = "throughput"
connections = 4
"#;

/// A server that behaves in this way: `good`, `older` (TLS 1.2 alone), `foreign` (its own certificate), `clear`.
fn lab(contenders: &[(&str, &str)]) -> Lab {
    let lab = Lab::new(&[]);
    lab.write("workloads/fixture/workload.toml", WORKLOAD);
    for (way, more) in contenders {
        let program = std::env::current_exe().unwrap();
        let name = concat!(module_path!(), "::secured").split_once("::").unwrap().1;
        let mut words = vec![program.to_str().unwrap().to_owned()];
        words.extend(["--exact", "--ignored", "--nocapture", name].map(str::to_owned));
        words.push(format!("way={way}"));
        words.extend(["port", "scheme", "cert", "key"].map(|name| format!("{name}={{{name}}}")));
        lab.contender(way, &format!("run = {}\n{more}", list(&words)));
    }
    lab
}

#[test]
#[ignore = "no test: the server that the others start"]
fn secured() {
    let argument = |key: &str| std::env::args().find_map(|word| word.strip_prefix(key).map(str::to_owned));
    // Started by hand, with all ignored tests: nothing to do.
    let (Some(way), Some(port), Some(scheme)) = (argument("way="), argument("port="), argument("scheme="))
    else {
        return;
    };
    thread::spawn(|| {
        thread::sleep(LIFE);
        std::process::exit(5)
    });
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).unwrap();
    let behind = match scheme.as_str() {
        "h2" => h2(16, hello),
        _ => http(OK),
    };
    let behind = behind
        .trim_start_matches("http://")
        .trim_end_matches('/')
        .parse()
        .unwrap();
    let files = ["cert", "key"].map(|name| argument(&format!("{name}=")).unwrap());
    let protocols: &[&str] = if scheme == "h2" { &["h2"] } else { &["http/1.1"] };
    front_at(
        listener,
        config(&way, files, protocols),
        &behind,
        Manner::default(),
    );
    thread::park();
}

fn config(way: &str, [certificate, key]: [String; 2], protocols: &[&str]) -> Option<ServerConfig> {
    if way == "clear" {
        assert!(
            certificate.is_empty() && key.is_empty(),
            "what is reached in clear has no certificate"
        );
        return None;
    }
    // The environment says the same, and the key is a secret.
    assert_eq!(std::env::var("TARE_CERT").as_ref(), Ok(&certificate));
    assert_eq!(std::env::var("TARE_KEY").as_ref(), Ok(&key));
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    let versions: &[_] = if way == "older" { &[&TLS12] } else { &[&TLS13] };
    let identity = match way {
        "foreign" => Authority::new("another").here(),
        _ => Identity {
            chain: vec![CertificateDer::from_pem_file(certificate).unwrap()],
            key: PrivateKeyDer::from_pem_file(key).unwrap(),
        },
    };
    Some(server(identity, protocols, versions))
}

fn notes(document: &Value) -> Vec<&str> {
    let notes = document["run"]["notes"].as_array().unwrap();
    notes.iter().filter_map(Value::as_str).collect()
}

#[test]
fn contenders_are_measured_over_tls_with_what_they_negotiated() {
    let lab = lab(&[("good", ""), ("older", "cases = [\"one\"]\n")]);
    // As many rounds as they need for every case, however long that takes.
    let short = ["--rounds", "2", "--budget", "10m", "--format", "json"];
    let document = lab
        .run(&[&["run", "fixture", "--launches", "2"][..], &short].concat())
        .expect(0)
        .json();
    lab.assert_clean();
    assert!(
        !lab.path().join(".tare/tls").exists(),
        "the key is gone with the run"
    );
    let notes = notes(&document);
    let has = |part: &str| {
        assert!(
            notes.iter().any(|note| note.contains(part)),
            "{part} in {notes:#?}"
        )
    };
    has("fixture/one: good negotiated TLS 1.3, TLS_AES_128_GCM_SHA256, X25519, http/1.1");
    has("fixture/one: older negotiated TLS 1.2, ");
    has("fixture/one: warning: the servers negotiated different kinds of TLS");
    has("fixture/two: all negotiated TLS 1.3, TLS_AES_128_GCM_SHA256, X25519, h2");
    assert_eq!(contender(&document, "good")["scheme"], "https");
    assert_eq!(document["workloads"][1]["contenders"][0]["scheme"], "h2");
    let id = document["run"]["id"].as_str().unwrap();
    // Launches of a resumed run have a certificate of their own.
    let longer = [&["run", "--resume", id][..], &short, &["--launches", "3"]].concat();
    let resumed = lab.run(&longer).expect(0).json();
    assert_eq!(resumed["workloads"][0]["launches"], 3);
}

#[test]
fn a_contender_says_how_it_is_reached_itself() {
    let lab = lab(&[("good", ""), ("clear", "cases = [\"one\"]\nscheme = \"http\"\n")]);
    let ran = lab.run(&["check", "fixture"]).expect(0);
    assert!(ran.out.contains("ok       fixture/one clear\n"), "{}", ran.out);
    let document = lab.measure("good,clear", &[]).expect(0).json();
    assert!(
        contender(&document, "clear")["scheme"].is_null(),
        "it is its job's own"
    );
    let notes = notes(&document);
    assert!(
        notes
            .iter()
            .any(|note| note.contains("some servers were reached by TLS and some in clear")),
        "{notes:#?}"
    );
}

#[test]
fn another_certificate_than_that_of_the_run_is_a_fault() {
    let lab = lab(&[("good", ""), ("foreign", "")]);
    let ran = lab.run(&["check", "fixture/one"]).expect(3);
    assert!(ran.out.contains("ok       fixture/one good\n"), "{}", ran.out);
    assert!(ran.out.contains("FAULT    fixture/one foreign\n"), "{}", ran.out);
    assert!(
        ran.out
            .contains("the certificate of the run, whose files are {cert} and {key}"),
        "{}",
        ran.out
    );
}

#[test]
fn the_key_of_a_killed_run_is_swept_by_the_next() {
    let lab = Lab::new(&[("good", "good")]);
    lab.write(".tare/tls/key.pem", "a secret");
    lab.run(&["check", "fixture"]).expect(0);
    assert!(!lab.path().join(".tare/tls").exists());
}
