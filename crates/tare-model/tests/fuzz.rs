//! Manifests and histograms as strangers may write them: nothing panics, every problem has its words, and what is
//! wrong with a file is a problem with a line of that file.

#[path = "../../../fuzz/harness.rs"]
mod harness;
mod manifests;

use std::path::PathBuf;
use std::str::FromStr;

use harness::fuzz;
use tare_model::histogram::Histogram;
use tare_model::ids::{ContenderId, Selector};
use tare_model::manifest::{ManifestError, contender, language, published, service, workload};
use tare_model::raw_request::RawRequest;

/// What readers of TOML may trip over.
const TOML: [&str; 20] = [
    "\n[",
    "]",
    "[[",
    "]]\n",
    " = ",
    "\"",
    "'''",
    "\"\"\"",
    "{",
    "}",
    "#",
    "\\u0000",
    "0x",
    "1e999",
    "-1",
    "9223372036854775808",
    "true",
    "1979-05-27",
    "{port}",
    "\u{ff}",
];

/// Every problem has a text, and a line that the file has.
fn hold<T>(bytes: &[u8], parsed: Result<T, ManifestError>) {
    let Err(error) = parsed else { return };
    assert!(!error.problems.is_empty());
    // A file's end is on a line of its own.
    let lines = 1 + bytes.iter().filter(|&&byte| byte == b'\n').count() as u32;
    for problem in &error.problems {
        assert!(!problem.text.is_empty());
        assert!(
            problem.line.is_none_or(|line| (1..=lines).contains(&line)),
            "{problem}"
        );
    }
    assert!(error.to_string().starts_with("fuzz.toml"), "{error}");
}

const FILE: &str = "fuzz.toml";

#[test]
fn fuzz_workloads() {
    fuzz("workload", &TOML, |bytes| {
        hold(bytes, workload::parse(bytes, FILE, "w", PathBuf::from("w")))
    });
}

#[test]
fn fuzz_contenders() {
    let (workload, languages) = (manifests::workload(), manifests::languages());
    fuzz("contender", &TOML, |bytes| {
        hold(
            bytes,
            contender::parse(bytes, FILE, "plain", &workload, &languages),
        );
    });
}

#[test]
fn fuzz_languages() {
    fuzz("language", &TOML, |bytes| {
        hold(bytes, language::parse(bytes, FILE, "c"))
    });
}

#[test]
fn fuzz_services() {
    fuzz("service", &TOML, |bytes| {
        hold(bytes, service::parse(bytes, FILE, "s"))
    });
}

#[test]
fn fuzz_published_figures() {
    let workload = manifests::workload();
    fuzz("published", &TOML, |bytes| {
        hold(bytes, published::parse(bytes, FILE, &workload))
    });
}

/// Whatever is read as a histogram is one: it survives its own encoding, and its figures are in order.
#[test]
fn fuzz_stored_histograms() {
    fuzz("histogram", &["\u{1}", "\u{7f}", "\u{0}"], |bytes| {
        let Ok(histogram) = Histogram::decode(bytes) else {
            return;
        };
        let again = Histogram::decode(&histogram.encode()).expect("what was encoded here");
        assert_eq!(again, histogram);
        let quantiles: Vec<u64> = [0.0, 0.5, 0.99, 1.0]
            .iter()
            .filter_map(|&q| histogram.quantile(q))
            .collect();
        assert_eq!(quantiles.is_empty(), histogram.count() == 0);
        assert!(quantiles.is_sorted(), "{quantiles:?}");
        let counted: u64 = histogram.buckets().map(|(_, _, count)| u64::from(count)).sum();
        assert_eq!(counted, histogram.count());
    });
}

/// Ids that are read are those that were written.
#[test]
fn fuzz_ids() {
    fuzz("ids", &["@", "/", "-", "..", "\u{0}"], |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(id) = ContenderId::from_str(&text) {
            assert_eq!(id.to_string(), text);
        }
        if let Ok(selector) = Selector::from_str(&text) {
            assert_eq!(selector.to_string(), text);
        }
    });
}

#[test]
fn fuzz_raw_requests() {
    let words = [
        "\r\n",
        "\n",
        ":",
        ";",
        "0\r\n\r\n",
        "Content-Length: 2\r\n",
        "Transfer-Encoding: chunked\r\n",
        "ffffffff",
    ];
    fuzz("raw-request", &words, |bytes| {
        let Ok(request) = RawRequest::parse(bytes) else {
            return;
        };
        assert!(request.body.len() <= bytes.len());
        assert!(request.path.starts_with(['/', '*']));
        // It is exactly one: neither its beginning nor more than it is one.
        assert!(RawRequest::parse(&bytes[..bytes.len() - 1]).is_err());
        assert!(RawRequest::parse(&[bytes, b"G"].concat()).is_err());
    });
}
