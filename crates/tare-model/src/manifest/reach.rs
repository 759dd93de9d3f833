//! `speaks` and `listen`: how requests reach a contender whose job is HTTP.

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
    /// FastCGI 1.0, as a responder: the load does so, too.
    FastCgi,
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
    pub const ALL: [Speaks; 2] = [Speaks::Own, Speaks::FastCgi];

    /// The name used in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Speaks::Own => "http",
            Speaks::FastCgi => "fastcgi",
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
    }
}

/// Checks what a contender (`variant`: one of its variants, laid over it) says against the cases that it takes part in.
pub(super) fn check(source: &Source, own: &Layer, variant: &Layer, workload: &Workload) {
    let speaks = variant.reach.speaks.or(own.reach.speaks);
    let listen = variant.reach.listen.or(own.reach.listen);
    let way = speaks.map_or(Speaks::Own, |speaks| speaks.value);
    if let Some(listen) = listen.filter(|listen| listen.value == Listen::Stdin && way == Speaks::Own) {
        let hint = "add `speaks = \"fastcgi\"`, or leave `listen` out and listen on {port}";
        let text = "`listen`: only a FastCGI program finds its socket at its standard input";
        source.hinted(listen.line, text, hint);
    }
    let Some(speaks) = speaks.filter(|_| way != Speaks::Own) else {
        return;
    };
    let named = variant.cases.as_ref().or(own.cases.as_ref());
    let part = |case: &&Case| named.is_none_or(|named| named.value.contains(&case.name));
    for case in workload.cases.iter().filter(part) {
        check_case(source, speaks, case);
    }
}

fn check_case(source: &Source, speaks: Spot<Speaks>, case: &Case) {
    let (way, name) = (speaks.value.name(), &case.name);
    if !matches!(case.job, Job::Http(_)) {
        let text = format!(
            "`speaks`: `{way}` carries HTTP requests, but the job of the case `{name}` is `{}`",
            case.job.name()
        );
        let hint = "leave `speaks` out, or leave the case out of `cases`";
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
