//! Jobs of several requests, and how those follow each other: what is read of a manifest, how it is shown, and what is
//! refused in which words.

mod manifests;

use std::path::PathBuf;

use manifests::{Breakage, hold};
use tare_model::driving::{ConnectionUse, Refill};
use tare_model::manifest::workload::parse;
use tare_model::manifest::{HttpAnswer, Job, ManifestError, Sources, Workload, render};
use tare_model::metric::Mode;

const MIXED: &str = r#"schema = 1
summary = "sums"

[cases.sums]
summary = "of a query and a body"
placement = "one-core"
baseline = "c"

[cases.sums.job]
kind = "http"
path = "/sum?a=1&b=2"
expect = "3"
encoding = ["gzip", "br"]

[[cases.sums.job.then]]
method = "POST"
path = "/sum?a=1&b=2"
body = "4"
chunk_size = 2
expect = "7"

[modes.capacity]
primary = "throughput"
connections = 8
depth = 16
refill = "batches"
renew_after = 32

[modes.cost]
primary = "cpu_per_op"
connections = 8
renew_after = 10

[modes.batch]
primary = "duration"
connections = 8
requests = 5
depth = 2
refill = "batches"
"#;

fn read(bytes: &[u8]) -> Result<Workload, ManifestError> {
    parse(bytes, "w.toml", "sums", PathBuf::from("w"))
}

#[test]
fn requests_of_a_job_and_the_use_of_connections_are_read_and_shown() {
    let workload = read(MIXED.as_bytes()).unwrap();
    let case = &workload.cases[0];
    let Job::Http(http) = &case.job else {
        panic!("{:?}", case.job)
    };
    assert_eq!(http.encoding, ["gzip", "br"]);
    let [then] = http.then.as_slice() else {
        panic!("{:?}", http.then)
    };
    assert_eq!((then.method.as_str(), then.chunk_size), ("POST", Some(2)));
    assert_eq!(then.answer, Some(HttpAnswer::Text { body: "7".to_owned() }));
    let usage = |mode| case.driving(mode).unwrap().usage;
    let of = |refill, renew_after| ConnectionUse { refill, renew_after };
    assert_eq!(usage(Mode::Capacity), of(Refill::Batches, Some(32)));
    assert_eq!(usage(Mode::Cost), of(Refill::OneByOne, Some(10)));
    assert_eq!(usage(Mode::Batch), of(Refill::Batches, None));
    let shown = render::workload(&workload, &Sources::default());
    for line in [
        "capacity.refill",
        "\"batches\"",
        "capacity.renew_after",
        "cost.renew_after",
        "encoding = [\"gzip\", \"br\"]",
        "body = \"4\", chunk_size = 2, expect = \"7\" }]",
    ] {
        assert!(shown.contains(line), "{line} in\n{shown}");
    }
    assert!(!shown.contains("cost.refill"), "{shown}");
}

const REFUSED: &[Breakage] = &[
    (
        "encoding = [\"gzip\", \"br\"]",
        "encoding = [\"gzip\", \"zstd\", \"gzip\"]",
        "w.toml:13: `cases.sums.job.encoding`: `gzip` is there twice\nw.toml:13: unknown content coding `zstd`\n\nhint: expected one of: gzip, br",
    ),
    (
        "encoding = [\"gzip\", \"br\"]",
        "encoding = []",
        "w.toml:13: `cases.sums.job.encoding`: expected a content coding, found none\n\nhint: leave it out where answers need not be encoded",
    ),
    (
        "encoding = [\"gzip\", \"br\"]",
        "encoding = [\"gzip\"]\nheaders = { accept-encoding = \"br\" }",
        "w.toml:14: the header field `accept-encoding` is what `encoding` says already",
    ),
    (
        "body = \"4\"\n",
        "",
        "w.toml:18: `cases.sums.job.then[0].chunk_size`: there is no body to send in chunks\n\nhint: add `body`",
    ),
    (
        "chunk_size = 2",
        "chunk_size = 0",
        "w.toml:19: `cases.sums.job.then[0].chunk_size`: expected 1 to 100000000, found 0",
    ),
    (
        "chunk_size = 2",
        "chunk_siz = 2\nthen = []",
        "w.toml:19: unknown key `chunk_siz` in `cases.sums.job.then[0]`\n\nhint: did you mean `chunk_size`?\n\nw.toml:20: unknown key `then` in `cases.sums.job.then[0]`\n\nhint: known here: method, path, headers, body, chunk_size, encoding, type, fields, expect, answer, any_case",
    ),
    (
        "refill = \"batches\"\nrenew_after = 32",
        "refill = \"batch\"\nrenew_after = 0",
        "w.toml:26: unknown way to refill `batch`\n\nhint: expected one of: one-by-one, batches\n\nw.toml:27: `modes.capacity.renew_after`: expected 1 to 10000000, found 0",
    ),
    (
        "renew_after = 10",
        "refill = \"batches\"",
        "w.toml:32: `modes.cost.refill`: only the modes `capacity` and `batch` have `refill`",
    ),
    (
        "requests = 5",
        "requests = 5\nrenew_after = 5",
        "w.toml:38: `modes.batch.renew_after`: only the modes `capacity` and `cost` have `renew_after`",
    ),
];

#[test]
fn what_cannot_be_sent_so_is_refused() {
    hold(MIXED, REFUSED, read);
}
