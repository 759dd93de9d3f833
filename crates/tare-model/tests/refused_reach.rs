//! `speaks` and `listen`: what they resolve to, and what is refused, in which words.

mod manifests;

use manifests::{Breakage, hold};
use tare_model::manifest::{Contender, Listen, Speaks, contender, render, workload};

const WORKLOAD: &str = r#"schema = 1
summary = "a page"
job = { kind = "http", path = "/?rows=10" }

[cases.direct]
summary = "one core each"
placement = "one-core"
baseline = "page"

[cases.deep]
summary = "the same, several requests in flight"
placement = "one-core"
baseline = "page"
[cases.deep.modes.capacity]
primary = "throughput"
connections = [8]
depth = 3

[cases.fixed]
summary = "with exchanges"
placement = "one-core"
baseline = "page"
[[cases.fixed.exchanges]]
name = "a page"
send = "GET / HTTP/1.1\r\n\r\n"
expect = ""

[cases.several]
summary = "two requests in turn"
placement = "one-core"
baseline = "page"
job = { kind = "http", path = "/a", then = [{ path = "/b" }] }

[cases.lines]
summary = "no pages"
placement = "one-core"
baseline = "page"
job = { kind = "doubling" }

[modes.capacity]
primary = "throughput"
connections = [8]
"#;

const PAGE: &str = r#"schema = 1
language = "c"
summary = "a page by FastCGI"
style = "idiomatic"
cases = ["direct"]
speaks = "fastcgi"
listen = "stdin"

[variants.own-port]
listen = "port"

[variants.given]

[variants.http]
speaks = "http"
listen = "port"
"#;

fn parse(bytes: &[u8]) -> Result<Vec<Contender>, tare_model::manifest::ManifestError> {
    let folder = std::path::PathBuf::from("w");
    let workload = workload::parse(WORKLOAD.as_bytes(), "w.toml", "pages", folder).unwrap();
    contender::parse(bytes, "p.toml", "page", &workload, &manifests::languages())
}

#[test]
fn a_variant_is_laid_over_its_contender() {
    let ways: Vec<(Speaks, Listen)> = parse(PAGE.as_bytes())
        .unwrap()
        .iter()
        .map(|contender| (contender.speaks, contender.listen))
        .collect();
    assert_eq!(
        ways,
        [
            (Speaks::FastCgi, Listen::Port),
            (Speaks::FastCgi, Listen::Stdin),
            (Speaks::Own, Listen::Port)
        ]
    );
    let shown = render::contender(&parse(PAGE.as_bytes()).unwrap()[0]);
    for line in [
        "speaks      = \"fastcgi\"",
        "listen      = \"port\"",
        "# p.toml:10 (variant)",
    ] {
        assert!(shown.contains(line), "{line} in\n{shown}");
    }
}

const REFUSED: &[Breakage] = &[
    (
        "speaks = \"fastcgi\"\nlisten = \"stdin\"",
        "speaks = \"fast-cgi\"\nlisten = \"port\"",
        "p.toml:6: unknown way to speak `fast-cgi`\n\nhint: did you mean `fastcgi`? expected one of: http, fastcgi, scgi, cgi, files",
    ),
    (
        "speaks = \"fastcgi\"\nlisten = \"stdin\"",
        "speaks = \"fastcgi\"\nlisten = \"socket\"",
        "p.toml:7: unknown way to listen `socket`\n\nhint: expected one of: port, stdin",
    ),
    (
        "speaks = \"http\"\nlisten = \"port\"",
        "speaks = \"http\"",
        "p.toml:7: `listen`: only a FastCGI or SCGI program finds its socket at its standard input\n\nhint: add `speaks = \"fastcgi\"`, or leave `listen` out and listen on {port}",
    ),
    (
        "cases = [\"direct\"]",
        "cases = [\"lines\"]",
        "p.toml:6: `speaks`: `fastcgi` carries HTTP requests, but the job of the case `lines` is `doubling`\n\nhint: leave `speaks` out, or leave the case out of `cases`",
    ),
    (
        "cases = [\"direct\"]",
        "cases = [\"deep\"]",
        "p.toml:6: `speaks`: `fastcgi` has one request in flight on a connection, but the case `deep` has 3 (mode capacity)\n\nhint: set `depth = 1` in the case's modes, or leave the case out of `cases`",
    ),
    (
        "cases = [\"direct\"]",
        "cases = [\"fixed\"]",
        "p.toml:6: `speaks`: the case `fixed` has exchanges, which are bytes of HTTP, not of `fastcgi`\n\nhint: move the exchanges to the cases whose contenders speak HTTP, or leave the case out of `cases`",
    ),
    (
        "cases = [\"direct\"]",
        "cases = [\"several\"]",
        "p.toml:6: `speaks`: `fastcgi` carries one request, sent with its length, but the case `several` has several, or sends its body in chunks\n\nhint: leave the case out of `cases`, or add a front",
    ),
    (
        "[variants.given]",
        "[variants.given]\ncases = [\"deep\"]",
        "p.toml:6: `speaks`: `fastcgi` has one request in flight on a connection, but the case `deep` has 3 (mode capacity)\n\nhint: set `depth = 1` in the case's modes, or leave the case out of `cases`",
    ),
    (
        "[variants.given]",
        "[variants.given]\nspeaks = \"scgi\"",
        "p.toml:13: `speaks`: `scgi` needs a web server in front\n\nhint: add `front = \"lighttpd\"`",
    ),
    (
        "[variants.given]",
        "[variants.given]\nspeaks = \"files\"\nlisten = \"port\"",
        "p.toml:13: `speaks`: `files` needs a web server in front\n\nhint: add `front = \"lighttpd\"`",
    ),
    (
        "[variants.http]",
        "[variants.http]\nfront = \"lighttpd\"",
        "p.toml:15: `front`: what speaks HTTP needs none\n\nhint: leave `front` out, or say what it speaks to it: `speaks = \"fastcgi\"`, `\"scgi\"`, `\"cgi\"` or `\"files\"`",
    ),
    (
        "[variants.given]",
        "[variants.given]\nfront = \"lighttpd\"\nlisten = \"port\"\nspeaks = \"cgi\"\nrun = [\"perl\", \"page.pl\"]",
        "p.toml:16: `run`: expected one word, the program that is started for each request, found 2\n\nhint: a script names its interpreter in its first line, as in `#!/usr/bin/perl`, and is executable",
    ),
    (
        "[variants.given]",
        "[variants.given]\nfront = \"lighttpd\"\nlisten = \"port\"\nspeaks = \"files\"\nrun = [\"{out}/page\"]",
        "p.toml:16: `run`: files are not run\n\nhint: leave `run` out: the front serves what the build makes in {out}",
    ),
];

#[test]
fn a_front_takes_any_case_of_http() {
    let fronted = PAGE.replace(
        "cases = [\"direct\"]",
        "cases = [\"direct\", \"deep\", \"fixed\", \"several\"]",
    );
    let fronted = fronted.replace(
        "listen = \"stdin\"\n",
        "listen = \"stdin\"\nfront = \"lighttpd\"\n",
    );
    let fronted = fronted.split("[variants.http]").next().unwrap();
    let all = parse(fronted.as_bytes()).unwrap();
    assert!(all.iter().all(|one| one.front.as_deref() == Some("lighttpd")));
}

#[test]
fn impossible_combinations_are_refused() {
    hold(PAGE, REFUSED, parse);
}
