//! `speaks`, `listen` and `front`: how requests reach a contender whose job is HTTP.

use super::argv::Argv;
use super::contender::Layer;
use super::fields::choose;
use super::toml::{Source, Spot, Table};
use super::{Case, Job, Workload};

/// What a contender speaks to whoever sends it requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Speaks {
    /// The protocol of its job itself.
    #[default]
    Own,
    /// FastCGI 1.0, as a responder; with no front, the load does so, too.
    FastCgi,
    /// SCGI, to its front.
    Scgi,
    /// CGI: a process for each request, which its front starts; with no front, tare does.
    Cgi,
    /// Nothing: its front serves the files that its build made.
    Files,
}

/// Where a contender finds the socket that it listens on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Listen {
    /// It makes it, on `{port}`.
    #[default]
    Port,
    /// It is there at its start, listening, as its standard input (descriptor 0): so FastCGI programs expect it.
    Stdin,
}

impl Speaks {
    /// All ways.
    pub const ALL: [Speaks; 5] = [
        Speaks::Own,
        Speaks::FastCgi,
        Speaks::Scgi,
        Speaks::Cgi,
        Speaks::Files,
    ];

    /// Whether there is a process that waits for requests, besides a front.
    pub fn is_resident(self) -> bool {
        matches!(self, Speaks::Own | Speaks::FastCgi | Speaks::Scgi)
    }

    /// The name used in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Speaks::Own => "http",
            Speaks::FastCgi => "fastcgi",
            Speaks::Scgi => "scgi",
            Speaks::Cgi => "cgi",
            Speaks::Files => "files",
        }
    }
}

impl Listen {
    /// All ways.
    pub const ALL: [Listen; 2] = [Listen::Port, Listen::Stdin];

    /// The name used in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Listen::Port => "port",
            Listen::Stdin => "stdin",
        }
    }
}

/// What a contender or a variant says of this.
#[derive(Debug, Clone, Default)]
pub(super) struct RawReach {
    pub speaks: Option<Spot<Speaks>>,
    pub listen: Option<Spot<Listen>>,
    /// The name of a service that is a front.
    pub front: Option<Spot<String>>,
}

/// Takes the keys, all of which may be missing.
pub(super) fn take_reach(table: &Table) -> RawReach {
    let source = table.source;
    let speaks = table.optional::<String>("speaks");
    let listen = table.optional::<String>("listen");
    let ways = Speaks::ALL.map(|way| (way.name(), way));
    let places = Listen::ALL.map(|place| (place.name(), place));
    RawReach {
        speaks: speaks.and_then(|name| choose(source, "way to speak", &name, &ways)),
        listen: listen.and_then(|name| choose(source, "way to listen", &name, &places)),
        front: table.optional("front"),
    }
}

/// A contender's keys with a variant's laid over them.
struct Effective<'l> {
    speaks: Option<Spot<Speaks>>,
    listen: Option<Spot<Listen>>,
    front: Option<&'l Spot<String>>,
    run: Option<&'l Spot<Argv>>,
}

/// Checks what a contender (`variant`: one of its variants, laid over it) says against the cases that it takes part in.
pub(super) fn check(source: &Source, own: &Layer, variant: &Layer, workload: &Workload) {
    let all = Effective {
        speaks: variant.reach.speaks.or(own.reach.speaks),
        listen: variant.reach.listen.or(own.reach.listen),
        front: variant.reach.front.as_ref().or(own.reach.front.as_ref()),
        run: variant.run.as_ref().or(own.run.as_ref()),
    };
    all.check_together(source);
    let Some(speaks) = all.speaks.filter(|speaks| speaks.value != Speaks::Own) else {
        return;
    };
    let named = variant.cases.as_ref().or(own.cases.as_ref());
    let part = |case: &&Case| named.is_none_or(|named| named.value.contains(&case.name));
    for case in workload.cases.iter().filter(part) {
        check_case(source, speaks, all.front.is_some(), case);
    }
}

/// Whether there is nothing to run, since a front serves files.
pub(super) fn runs_nothing(own: &Layer, variant: &Layer) -> bool {
    let speaks = variant.reach.speaks.or(own.reach.speaks);
    speaks.is_some_and(|speaks| speaks.value == Speaks::Files)
}

impl Effective<'_> {
    fn check_together(&self, source: &Source) {
        let way = self.speaks.map_or(Speaks::Own, |speaks| speaks.value);
        let sockets = matches!(way, Speaks::FastCgi | Speaks::Scgi);
        if let Some(listen) = self
            .listen
            .filter(|listen| listen.value == Listen::Stdin && !sockets)
        {
            let text = "`listen`: only a FastCGI or SCGI program finds its socket at its standard input";
            let hint = "add `speaks = \"fastcgi\"`, or leave `listen` out and listen on {port}";
            source.hinted(listen.line, text, hint);
        }
        match (self.speaks, self.front) {
            (Some(speaks), None) if matches!(way, Speaks::Scgi | Speaks::Files) => {
                let text = format!("`speaks`: `{}` needs a web server in front", way.name());
                source.hinted(speaks.line, text, "add `front = \"lighttpd\"`");
            }
            (_, Some(front)) if way == Speaks::Own => {
                let text = "`front`: what speaks HTTP needs none";
                let hint = "leave `front` out, or say what it speaks to it: `speaks = \"fastcgi\"`, `\"scgi\"`, \
                            `\"cgi\"` or `\"files\"`";
                source.hinted(front.line, text, hint);
            }
            _ => {}
        }
        if let Some(run) = self.run {
            check_run(source, way, run);
        }
    }
}

fn check_run(source: &Source, way: Speaks, run: &Spot<Argv>) {
    match way {
        Speaks::Cgi if run.value.0.len() != 1 => {
            let text = format!(
                "`run`: expected one word, the program that is started for each request, found {}",
                run.value.0.len()
            );
            let hint = "a script names its interpreter in its first line, as in `#!/usr/bin/perl`, and is executable";
            source.hinted(run.line, text, hint);
        }
        Speaks::Files => {
            let hint = "leave `run` out: the front serves what the build makes in {out}";
            source.hinted(run.line, "`run`: files are not run", hint);
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
