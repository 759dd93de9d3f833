//! How requests reach a contender: whether `speaks`, `listen`, `front` and `run` fit together, and fit its cases.

use crate::manifest::case::Case;
use crate::manifest::contender::keys::Contender;
use crate::manifest::fields::check_name;
use crate::manifest::http::HttpJob;
use crate::manifest::job::Job;
use crate::manifest::source::{Source, Spot};
use crate::manifest::speaks::{Listen, Speaks};
use crate::manifest::workload::Workload;
use crate::scheme::{Scheme, Speech};

impl Contender {
    /// How the load speaks to it in a case; none where nothing goes over a socket.
    pub fn scheme_in(&self, case: &Case) -> Option<Scheme> {
        self.scheme.or(case.scheme())
    }
}

/// Checks a contender, or a variant with what it inherits, against the cases that it takes part in.
pub(super) fn check(source: &Source, contender: &Contender, workload: &Workload) {
    check_together(source, contender);
    check_scheme(source, contender, workload);
    let line = contender.sources.line("speaks");
    let Some(line) = line.filter(|_| contender.speaks != Speaks::Own) else {
        return;
    };
    let speaks = Spot {
        value: contender.speaks,
        line,
    };
    for case in &workload.cases {
        if contender.cases.contains(&case.name) {
            check_case(source, speaks, contender.front.is_some(), case);
            check_clear(source, speaks, contender, case);
        }
    }
}

/// Whether its cases can be done by the scheme that it names.
fn check_scheme(source: &Source, contender: &Contender, workload: &Workload) {
    let Some((line, scheme)) = contender.sources.line("scheme").zip(contender.scheme) else {
        return;
    };
    let its = workload
        .cases
        .iter()
        .filter(|case| contender.cases.contains(&case.name));
    for (text, hint) in its.filter_map(|case| case.misfit(scheme)) {
        source.hinted(line, text, hint);
    }
}

/// What is behind a front, or speaks FastCGI or CGI, is reached in clear.
fn check_clear(source: &Source, speaks: Spot<Speaks>, contender: &Contender, case: &Case) {
    let scheme = contender.scheme.or(case.scheme);
    if let Some(scheme) = scheme.filter(|scheme| *scheme != Scheme::clear(Speech::Http)) {
        let text = format!(
            "`speaks`: `{}` is reached in clear by HTTP/1.1 at most, and not by `{}` as in the case `{}`",
            speaks.value.name(),
            scheme.name(),
            case.name
        );
        source.hinted(speaks.line, text, "leave the case out of `cases`");
    }
}

/// Keys that mean nothing for a contender in a container.
const OUTSIDE: [(&str, &str); 6] = [
    ("build", "its image is built from the Dockerfile"),
    (
        "run",
        "`command` in `[container]` is run instead of the image's own command",
    ),
    (
        "speaks",
        "a container speaks HTTP, or whatever the job is, by itself",
    ),
    ("listen", "it opens its own socket, on `port` in `[container]`"),
    ("front", "a web server in front of it belongs into its image"),
    ("uses", "its tools are in its image"),
];

/// Checks a contender in a container, and its variants: what is built and run is in its image.
pub(super) fn check_contained(
    source: &Source,
    own: &Contender,
    variants: &[(Contender, u32)],
    workload: &Workload,
) {
    if let Some(line) = own.sources.line("language") {
        check_name(source, "language", &own.language, line);
    }
    let line = own.sources.line("container").unwrap_or(1);
    let in_process = |case: &&Case| own.cases.contains(&case.name) && case.job.in_process().is_some();
    if let Some(case) = workload.cases.iter().find(in_process) {
        let (name, job) = (&case.name, case.job.name());
        let text = format!(
            "`container`: the job of the case `{name}` is `{job}`, which needs pipes to the contender"
        );
        source.hinted(line, text, "leave the case out of `cases`");
    }
    check_certificate(source, line, own, variants, workload);
    let all = std::iter::once(own).chain(variants.iter().map(|(variant, _)| variant));
    let mut seen = Vec::new();
    for contender in all {
        for (key, hint) in OUTSIDE {
            if let Some(line) = contender.sources.line(key).filter(|line| !seen.contains(line)) {
                seen.push(line);
                let text = format!("`{key}`: the contender runs in a container");
                source.hinted(line, text, hint);
            }
        }
    }
}

/// A container cannot read files of this machine, and the certificate of a run is one.
fn check_certificate(
    source: &Source,
    line: u32,
    own: &Contender,
    variants: &[(Contender, u32)],
    workload: &Workload,
) {
    let own = [own];
    let all: Vec<&Contender> = match variants {
        [] => own.to_vec(),
        some => some.iter().map(|(variant, _)| variant).collect(),
    };
    for contender in all {
        check_scheme(source, contender, workload);
        let secure = |case: &&Case| {
            let scheme = contender.scheme_in(case);
            contender.cases.contains(&case.name) && scheme.is_some_and(|scheme| scheme.secure)
        };
        if let Some(case) = workload.cases.iter().find(secure) {
            let text = format!(
                "`container`: the case `{}` is over TLS, and a container cannot read the certificate of the run",
                case.name
            );
            source.hinted(line, text, "leave the case out of `cases`");
        }
    }
}

fn check_together(source: &Source, contender: &Contender) {
    let way = contender.speaks;
    let line = |key: &str| contender.sources.line(key);
    let sockets = matches!(way, Speaks::FastCgi | Speaks::Scgi);
    if let Some(line) = line("listen").filter(|_| contender.listen == Listen::Stdin && !sockets) {
        let text = "`listen`: only a FastCGI or SCGI program finds its socket at its standard input";
        let hint = "add `speaks = \"fastcgi\"`, or leave `listen` out and listen on {port}";
        source.hinted(line, text, hint);
    }
    match (line("speaks"), line("front")) {
        (Some(line), None) if matches!(way, Speaks::Scgi | Speaks::Files) => {
            let text = format!("`speaks`: `{}` needs a web server in front", way.name());
            source.hinted(line, text, "add `front = \"lighttpd\"`");
        }
        (_, Some(line)) if way == Speaks::Own => {
            let text = "`front`: what speaks HTTP needs none";
            let hint = "leave `front` out, or say what it speaks to it: `speaks = \"fastcgi\"`, `\"scgi\"`, \
                        `\"cgi\"` or `\"files\"`";
            source.hinted(line, text, hint);
        }
        _ => {}
    }
    if let Some(line) = line("run") {
        check_run(source, way, &contender.run, line);
    }
}

fn check_run(source: &Source, way: Speaks, run: &[String], line: u32) {
    match way {
        Speaks::Cgi if run.len() != 1 => {
            let text = format!(
                "`run`: expected one word, the program that is started for each request, found {}",
                run.len()
            );
            let hint = "a script names its interpreter in its first line, as in `#!/usr/bin/perl`, and is executable";
            source.hinted(line, text, hint);
        }
        Speaks::Files => {
            let hint = "leave `run` out: the front serves what the build makes in {out}";
            source.hinted(line, "`run`: files are not run", hint);
        }
        _ => {}
    }
}

fn check_case(source: &Source, speaks: Spot<Speaks>, fronted: bool, case: &Case) {
    let (way, name) = (speaks.value.name(), &case.name);
    if !matches!(case.job, Job::Http(_)) {
        let text = format!(
            "`speaks`: `{way}` carries HTTP requests, but the job of the case `{name}` is `{}`",
            case.job.name()
        );
        let hint = "leave `speaks` out, or leave the case out of `cases`";
        source.hinted(speaks.line, text, hint);
    }
    if fronted {
        // To the front, the load speaks HTTP.
        return;
    }
    let special =
        |http: &HttpJob| !http.then.is_empty() || !http.also.is_empty() || http.chunk_size.is_some();
    if matches!(&case.job, Job::Http(http) if special(http)) {
        let text = format!(
            "`speaks`: `{way}` carries one request, sent with its length, but the case `{name}` has several, or sends its \
             body in chunks"
        );
        let hint = "leave the case out of `cases`, or add a front";
        source.hinted(speaks.line, text, hint);
    }
    if let Some(deep) = case.drivings.iter().find(|driving| driving.depth > 1) {
        let text = format!(
            "`speaks`: `{way}` has one request in flight on a connection, but the case `{name}` has {} (mode {})",
            deep.depth, deep.mode
        );
        let hint = "set `depth = 1` in the case's modes, or leave the case out of `cases`";
        source.hinted(speaks.line, text, hint);
    }
    if !case.exchanges.is_empty() {
        let text =
            format!("`speaks`: the case `{name}` has exchanges, which are bytes of HTTP, not of `{way}`");
        let hint =
            "move the exchanges to the cases whose contenders speak HTTP, or leave the case out of `cases`";
        source.hinted(speaks.line, text, hint);
    }
}
