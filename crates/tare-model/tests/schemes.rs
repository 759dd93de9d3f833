//! `scheme`: what it resolves to in a case and in a contender, and what is refused, in which words.

mod manifests;

use manifests::{Breakage, hold};
use tare_model::manifest::{Contender, Job, ManifestError, Sources, Workload, contender, render, workload};
use tare_model::scheme::Scheme;

const WORKLOAD: &str = r#"schema = 1
summary = "a page"
job = { kind = "http", path = "/" }

[cases.clear]
summary = "as the job has it"
placement = "one-core"
baseline = "page"

[cases.secure]
summary = "over TLS"
scheme = "https"
placement = "one-core"
baseline = "page"

[cases.several]
summary = "two requests in turn"
placement = "one-core"
baseline = "page"
job = { kind = "http", path = "/a", then = [{ path = "/b" }] }

[cases.fixed]
summary = "with exchanges"
placement = "one-core"
baseline = "page"
[[cases.fixed.exchanges]]
name = "a page"
send = "GET / HTTP/1.1\r\n\r\n"
expect = ""

[cases.lines]
summary = "no pages"
placement = "one-core"
baseline = "page"
job = { kind = "doubling" }

[cases.inside]
summary = "in process"
placement = "one-core"
baseline = "page"
job = { kind = "probe", reference = "reference.txt" }
[cases.inside.modes.capacity]
primary = "time_per_op"

[modes.capacity]
primary = "throughput"
connections = [8]
"#;

const PAGE: &str = r#"schema = 1
language = "c"
summary = "a page"
style = "idiomatic"
cases = ["clear", "secure"]
run = ["{out}/server", "{port}", "{scheme}", "{cert}", "{key}"]

[variants.any]

[variants.two]
scheme = "h2"
"#;

fn pages(bytes: &[u8]) -> Result<Workload, ManifestError> {
    workload::parse(bytes, "w.toml", "pages", std::path::PathBuf::from("w"))
}

fn parse(bytes: &[u8]) -> Result<Vec<Contender>, ManifestError> {
    let workload = pages(WORKLOAD.as_bytes()).unwrap();
    contender::parse(bytes, "p.toml", "page", &workload, &manifests::languages())
}

#[test]
fn a_contender_says_it_before_its_case_and_that_before_its_job() {
    let workload = pages(WORKLOAD.as_bytes()).unwrap();
    let contenders = parse(PAGE.as_bytes()).unwrap();
    let name = |contender: &Contender, case: &str| {
        let scheme = contender.scheme_in(workload.case(case).unwrap());
        scheme.map(Scheme::name)
    };
    let [any, two] = contenders.as_slice() else {
        panic!("{contenders:?}")
    };
    for (case, of_any, of_two) in [
        ("clear", "http", "h2"),
        ("secure", "https", "h2"),
        ("lines", "tcp", "h2"),
    ] {
        assert_eq!(
            (name(any, case), name(two, case)),
            (Some(of_any), Some(of_two)),
            "{case}"
        );
    }
    assert_eq!(name(any, "inside"), None);
    let shown = render::contender(two);
    assert!(shown.contains("scheme      = \"h2\""), "{shown}");
    assert!(
        !render::contender(any).contains("scheme "),
        "what is not said is not shown"
    );
    let shown = render::workload(&workload, &Sources::default());
    assert!(shown.contains("cases.secure.scheme"), "{shown}");
}

const REFUSED: &[Breakage] = &[
    (
        "scheme = \"h2\"",
        "scheme = \"htp\"",
        "p.toml:11: unknown scheme `htp`\n\nhint: did you mean `http`? expected one of: http, https, h2c, h2, grpc, grpcs, ws, wss",
    ),
    (
        "scheme = \"h2\"",
        "scheme = \"https\"\ncases = [\"lines\"]",
        "p.toml:11: `scheme`: the job of the case `lines` is `doubling`, which is not done by `https`\n\nhint: leave `scheme` out",
    ),
    (
        "scheme = \"h2\"",
        "scheme = \"grpc\"\ncases = [\"clear\"]",
        "p.toml:11: `scheme`: the job of the case `clear` is `http`, which is not done by `grpc`\n\nhint: by one of: http, https, h2c, h2",
    ),
    (
        "scheme = \"h2\"",
        "scheme = \"https\"\ncases = [\"fixed\"]",
        "p.toml:11: `scheme`: the case `fixed` has exchanges, which are bytes of HTTP/1.1 in clear\n\nhint: give the case none of them, or leave `scheme` out",
    ),
    (
        "scheme = \"h2\"",
        "scheme = \"h2\"\ncases = [\"several\"]",
        "p.toml:11: `scheme`: only HTTP/1.1 sends several requests in turn or a body in chunks, as the case `several` does\n\nhint: `https` is HTTP/1.1 over TLS",
    ),
    (
        "scheme = \"h2\"",
        "speaks = \"fastcgi\"",
        "p.toml:11: `speaks`: `fastcgi` is reached in clear by HTTP/1.1 at most, and not by `https` as in the case `secure`\n\nhint: leave the case out of `cases`",
    ),
];

#[test]
fn what_cannot_be_spoken_to_so_is_refused() {
    hold(PAGE, REFUSED, parse);
    // Over TLS it is still HTTP/1.1, which sends several requests.
    let several = PAGE.replace("scheme = \"h2\"", "scheme = \"https\"\ncases = [\"several\"]");
    parse(several.as_bytes()).unwrap();
}

#[test]
fn a_container_cannot_read_the_certificate() {
    let contained = "schema = 1\nlanguage = \"c\"\nsummary = \"a page\"\nstyle = \"idiomatic\"\ncases = [\"secure\"]\n\
                     \n[container]\nimage = \"page\"\n";
    let error = parse(contained.as_bytes()).unwrap_err().to_string();
    assert!(
        error.contains("p.toml:7: `container`: the case `secure` is over TLS, and a container cannot read the certificate"),
        "{error}"
    );
    parse(contained.replace("secure", "clear").as_bytes()).unwrap();
}

#[test]
fn calls_and_messages_are_jobs_with_schemes_of_their_own() {
    let with = |job: &str| WORKLOAD.replace("job = { kind = \"doubling\" }", job);
    let call = with(
        "scheme = \"grpcs\"\njob = { kind = \"grpc\", path = \"/a.B/C\", message = \"0a05576f726c64\", answer = \"\" }",
    );
    let workload = pages(call.as_bytes()).unwrap();
    let case = workload.case("lines").unwrap();
    let Job::Grpc(job) = &case.job else {
        panic!("{:?}", case.job)
    };
    assert_eq!(
        (job.message.as_slice(), job.answer.as_deref()),
        (&b"\x0a\x05World"[..], Some(&b""[..]))
    );
    assert_eq!(case.scheme().map(Scheme::name), Some("grpcs"));
    let shown = render::workload(&workload, &Sources::default());
    assert!(
        shown.contains("message = \"0a05576f726c64\", answer = \"\""),
        "{shown}"
    );
    let talk = with("job = { kind = \"websocket\", path = \"/ws\", send = \"a\", expect = \"a\" }");
    let case = pages(talk.as_bytes()).unwrap().case("lines").unwrap().clone();
    assert_eq!(case.scheme().map(Scheme::name), Some("ws"));
    for (message, what) in [("0a0", "0a0"), ("xy", "xy")] {
        let wrong = call.replace("0a05576f726c64", message);
        let error = pages(wrong.as_bytes()).unwrap_err().to_string();
        let says =
            format!("`cases.lines.job.message`: expected bytes in hexadecimal digits, found \"{what}\"");
        assert!(error.contains(&says), "{error}");
    }
}

#[test]
fn a_case_is_refused_where_its_job_cannot_be_done_so() {
    const CASES: &[Breakage] = &[
        (
            "summary = \"no pages\"",
            "summary = \"no pages\"\nscheme = \"https\"",
            "w.toml:33: `scheme`: the job of the case `lines` is `doubling`, which is not done by `https`\n\nhint: leave `scheme` out",
        ),
        (
            "summary = \"in process\"",
            "summary = \"in process\"\nscheme = \"http\"",
            "w.toml:39: `scheme`: the job of the case `inside` is `probe`, which is not done by `http`\n\nhint: leave `scheme` out",
        ),
        (
            "summary = \"with exchanges\"",
            "summary = \"with exchanges\"\nscheme = \"h2c\"",
            "w.toml:24: `scheme`: the case `fixed` has exchanges, which are bytes of HTTP/1.1 in clear\n\nhint: give the case none of them, or leave `scheme` out",
        ),
    ];
    hold(WORKLOAD, CASES, pages);
}
