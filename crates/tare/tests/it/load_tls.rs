//! `tare load` over TLS.

use std::path::{Path, PathBuf};

use rustls::ServerConfig;
use rustls::version::{TLS12, TLS13};
use serde_json::Value;

#[path = "../../../tare-load/tests/common/tls.rs"]
pub mod fixture;

use fixture::authority::{Authority, HERE, server};
use fixture::{Manner, front};

use crate::lab::Lab;
use crate::load::{OK, as_json, http, load};
use crate::load_dialogs::{h2, hello};

/// Servers of one authority, whose certificate is in a file.
pub struct Secured {
    authority: Authority,
    folder: tempfile::TempDir,
}

impl Secured {
    pub fn new() -> Self {
        Self::named("ours")
    }

    fn named(name: &str) -> Self {
        let (authority, folder) = (Authority::new(name), tempfile::tempdir().unwrap());
        std::fs::write(folder.path().join("ca.pem"), authority.pem()).unwrap();
        Self { authority, folder }
    }

    /// The file of its certificate.
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// A server before one in clear at `HOST:PORT`; its `HOST:PORT`.
    pub fn front(&self, protocols: &[&str], behind: &str) -> String {
        self.with(server(self.authority.here(), protocols, &[&TLS13]), behind)
    }

    fn with(&self, config: ServerConfig, behind: &str) -> String {
        let behind = behind.trim_start_matches("http://").trim_end_matches('/');
        front(config, &behind.parse().unwrap(), Manner::default()).to_string()
    }

    /// A server with a certificate for these names that ends with this year.
    fn certified(&self, names: &[&str], until: i32) -> String {
        let config = server(self.authority.signs(names, until), &[], &[&TLS13]);
        format!("https://{}/", self.with(config, &http(OK)))
    }

    fn cacert(&self) -> String {
        format!("--cacert={}", self.file().display())
    }
}

fn tls(document: &Value, key: &str) -> Value {
    document["tls"][key].clone()
}

#[test]
fn an_https_server_is_loaded_and_its_certificate_is_checked() {
    let ours = Secured::new();
    let url = format!("https://{}/", ours.front(&["http/1.1"], &http(OK)));
    let cacert = ours.cacert();
    for more in [
        &[][..],
        &["--rate", "500"],
        &["--pipeline", "3"],
        &["--processes", "2"],
    ] {
        let words = [&["-n", "120", "--expect", "hello", &cacert], more].concat();
        let document = as_json(&url, &words, 0);
        assert_eq!(document["answers"], 120, "{more:?}");
        let agreed = tls(&document, "agreed");
        assert_eq!(agreed.as_array().map(Vec::len), Some(1), "{document:#}");
        assert_eq!(agreed[0]["version"], "TLS 1.3");
        assert_eq!(agreed[0]["suite"], "TLS_AES_128_GCM_SHA256");
        assert_eq!(
            (&agreed[0]["group"], &agreed[0]["alpn"]),
            (&"X25519".into(), &"http/1.1".into())
        );
        assert_eq!(tls(&document, "certificate_checked"), true);
        assert_eq!(
            (tls(&document, "handshakes"), tls(&document, "resumed")),
            (4.into(), 0.into())
        );
        assert!(
            tls(&document, "handshake_p50")
                .as_f64()
                .is_some_and(|time| time > 0.0)
        );
        assert!(tls(&document, "handshakes_per_second").is_null());
    }
    let text = load(&url, &["-n", "100", &cacert]).expect(0).out;
    let line = "tls         TLS 1.3, TLS_AES_128_GCM_SHA256, X25519, http/1.1; certificate checked";
    assert!(
        text.contains(line) && text.contains("handshakes  4, 0 of them resumed; p50"),
        "{text}"
    );
    let clear = as_json(&http(OK), &["-n", "20"], 0);
    assert!(clear["tls"].is_null(), "{clear:#}");
    let wrong = load(&url, &["-n", "100", &cacert, "--expect", "HELLO"]).expect(3);
    assert!(wrong.out.contains("a wrong answer"), "{}", wrong.out);
}

#[test]
fn http_2_and_grpc_are_spoken_over_tls() {
    let ours = Secured::new();
    let behind = h2(100, hello);
    let at = ours.front(&["h2", "http/1.1"], &behind);
    let cacert = ours.cacert();
    let words = ["-n", "120", "--streams", "8", "--expect", "hello", &cacert];
    for (url, more) in [
        (format!("https://{at}/"), &["--http", "2"][..]),
        (format!("h2://{at}/"), &[]),
        (format!("h2://{at}/"), &["--rate", "500", "--processes", "2"]),
    ] {
        let document = as_json(&url, &[&words, more].concat(), 0);
        assert_eq!(
            (&document["answers"], &document["sent"]),
            (&120.into(), &120.into())
        );
        assert_eq!(tls(&document, "agreed")[0]["alpn"], "h2", "{document:#}");
    }
    // It answers 200 and no status of gRPC: the call went through.
    let ran = load(&format!("grpcs://{at}/a.Service/Method"), &["-n", "10", &cacert]).expect(3);
    assert!(ran.out.contains("grpc"), "{}", ran.out);
    // The same versions in clear.
    let document = as_json(&format!("http://{behind}/"), &["-n", "20", "--http", "2"], 0);
    assert_eq!(document["answers"], 20);
    let only_1 = format!("https://{}/", ours.front(&["http/1.1"], &http(OK)));
    let ran = load(&only_1, &["-n", "10", "--http", "2", &cacert]).expect(3);
    assert!(
        ran.out.contains("stopped at the first fault (tls)") && ran.out.contains("leave out --http 2"),
        "{}",
        ran.out
    );
}

#[test]
fn a_certificate_that_is_not_accepted_is_a_fault_unless_none_is_checked() {
    let (ours, theirs) = (Secured::new(), Secured::named("theirs"));
    let (mine, other) = (ours.cacert(), theirs.cacert());
    for (url, cacert, says) in [
        (ours.certified(&HERE, 2020), &mine, "has expired"),
        (ours.certified(&HERE, 4000), &other, "unknown issuer"),
        (ours.certified(&["a.example"], 4000), &mine, "not for 127.0.0.1"),
    ] {
        let document = as_json(&url, &["-n", "10", cacert], 3);
        let first = document["errors"]["tls"]["first"].as_str().unwrap();
        assert!(first.contains(says) && first.contains("--insecure"), "{first}");
        let ran = load(&url, &["-n", "10", "--insecure"]).expect(0);
        assert!(
            ran.out.contains("certificate not checked (--insecure)"),
            "{}",
            ran.out
        );
    }
    let named = ours.certified(&["a.example"], 4000);
    load(&named, &["-n", "10", &mine, "--sni", "a.example"]).expect(0);
}

#[test]
fn a_connection_for_each_request_counts_handshakes() {
    let ours = Secured::new();
    let closing = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
    let url = format!("https://{}/", ours.front(&[], &http(closing)));
    let cacert = ours.cacert();
    for resume in [false, true] {
        let mut words = vec!["-n", "60", "--fresh", &cacert];
        words.extend(resume.then_some("--resume"));
        let document = as_json(&url, &words, 0);
        let number = |key: &str| tls(&document, key).as_f64().unwrap();
        assert!(number("handshakes") >= 60.0, "{document:#}");
        assert!(number("handshakes_per_second") > 0.0, "{document:#}");
        assert_eq!(number("resumed") > 30.0, resume, "{document:#}");
        assert!(number("handshake_p50") <= number("handshake_max"));
    }
}

fn notes(document: &Value) -> Vec<&str> {
    let notes = document["run"]["notes"].as_array().unwrap();
    notes.iter().filter_map(Value::as_str).collect()
}

#[test]
fn servers_are_compared_over_tls_with_what_they_negotiated() {
    let (lab, ours) = (Lab::new(&[]), Secured::new());
    let url = |config: ServerConfig| format!("https://{}/", ours.with(config, &http(OK)));
    let new = url(server(ours.authority.here(), &["http/1.1"], &[&TLS13]));
    let again = url(server(ours.authority.here(), &["http/1.1"], &[&TLS13]));
    let old = url(server(ours.authority.here(), &["http/1.1"], &[&TLS12]));
    let compare = |other: &str, more: &[&str]| {
        let words = ["load", other, &new, "-c", "2", "-d", "1s", "--names", "one,two"];
        let cacert = ours.cacert();
        lab.run(&[&words[..], &["--format", "json", &cacert], more].concat())
            .expect(0)
            .json()
    };
    let same = compare(&again, &[]);
    let said = notes(&same);
    let agreed = "negotiated TLS 1.3, TLS_AES_128_GCM_SHA256, X25519, http/1.1";
    assert!(
        said.contains(&&*format!("one {agreed}")) && said.contains(&&*format!("two {agreed}")),
        "{said:?}"
    );
    assert!(!said.iter().any(|note| note.starts_with("warning")), "{said:?}");
    for (other, says) in [
        (old.as_str(), "the servers negotiated different kinds of TLS"),
        (
            http(OK).as_str(),
            "some servers were reached by TLS and some in clear",
        ),
    ] {
        let document = compare(other, &[]);
        let said = notes(&document);
        assert!(said.iter().any(|note| note.contains(says)), "{said:?}");
    }
    let settings = &same["run"]["settings"]["requests"];
    assert!(
        settings["tls"]["cacert"]
            .as_str()
            .is_some_and(|path| path.ends_with("ca.pem")),
        "{settings:#}"
    );
    // Over either version.
    let h2 = format!("h2://{}/", ours.front(&["h2"], &h2(100, hello)));
    let document = compare(&h2, &["--expect", "hello"]);
    assert!(
        notes(&document).iter().any(|note| note.ends_with("X25519, h2")),
        "{:?}",
        notes(&document)
    );
    // One that is not accepted is not measured.
    let strange = Secured::named("strange");
    let bad = format!("https://{}/", strange.front(&[], &http(OK)));
    let words = ["load", &new, &bad, "-c", "2", "-d", "1s", "--names", "good,bad"];
    let ran = lab.run(&[&words[..], &[&ours.cacert()]].concat()).expect(3);
    let said = format!("{}{}", ran.out, ran.err);
    assert!(said.contains("unknown issuer"), "{said}");
    assert!(
        said.contains("bad negotiated nothing") && !said.contains("in clear"),
        "{said}"
    );
}

#[test]
fn options_that_cannot_be_meant_are_refused_before_anything_is_opened() {
    let gone = Path::new("/nonexistent/ca.pem");
    let cacert = format!("--cacert={}", gone.display());
    for (url, words, says) in [
        (
            "http://127.0.0.1:9/",
            &["--insecure"][..],
            "--insecure is about TLS",
        ),
        ("http://127.0.0.1:9/", &["--resume"], "--resume is about TLS"),
        ("https://127.0.0.1:9/", &[&cacert], "(--cacert) cannot be read"),
        (
            "https://127.0.0.1:9/",
            &["--insecure", &cacert],
            "cannot be used with",
        ),
        ("https://127.0.0.1:9/", &["--streams", "3", "-k"], "--http 2"),
        (
            "grpcs://127.0.0.1:9/a/b",
            &["--http", "1.1", "-k"],
            "is reached by HTTP/2",
        ),
        (
            "wss://127.0.0.1:9/",
            &["--http", "2", "-k", "--send", "x"],
            "is reached by HTTP/1.1",
        ),
        ("https://127.0.0.1:9/", &["--http2"], "--http 2"),
        ("https://127.0.0.1:9/", &["--http", "3"], "1.1"),
    ] {
        let ran = load(url, words).expect(2);
        assert!(ran.err.contains(says), "{url} {words:?}: {}", ran.err);
    }
}
