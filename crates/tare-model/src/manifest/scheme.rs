//! `scheme`: how the load speaks to a contender, in a case or where the contender says so.

use super::job::Job;
use super::kinds::{Maybe, OneOf};
use super::words::list;
use crate::scheme::{Scheme, Speech};

/// What a manifest may say: whatever has another that can take its place.
const SCHEMES: [Scheme; 8] = [
    Scheme::clear(Speech::Http),
    Scheme::over_tls(Speech::Http),
    Scheme::clear(Speech::H2),
    Scheme::over_tls(Speech::H2),
    Scheme::clear(Speech::Grpc),
    Scheme::over_tls(Speech::Grpc),
    Scheme::clear(Speech::WebSocket),
    Scheme::over_tls(Speech::WebSocket),
];

/// `scheme`: a name, which may be missing.
pub(super) fn scheme_kind() -> Maybe<OneOf<Scheme>> {
    Maybe(OneOf("scheme", &SCHEMES, Scheme::name))
}

/// Why a case with this job cannot be done by a scheme, with a hint. `exchanges`: whether it has some.
pub(super) fn misfit(scheme: Scheme, name: &str, job: &Job, exchanges: bool) -> Option<(String, String)> {
    let way = scheme.name();
    if !carries(scheme, job) {
        let text = format!(
            "`scheme`: the job of the case `{name}` is `{}`, which is not done by `{way}`",
            job.name()
        );
        let fitting = SCHEMES.into_iter().filter(|scheme| carries(*scheme, job));
        let fitting: Vec<&str> = fitting.map(Scheme::name).collect();
        let hint = match fitting.as_slice() {
            [] => "leave `scheme` out".to_owned(),
            some => format!("by one of: {}", list(some.iter().copied())),
        };
        return Some((text, hint));
    }
    if exchanges && scheme != Scheme::clear(Speech::Http) {
        let text = format!("`scheme`: the case `{name}` has exchanges, which are bytes of HTTP/1.1 in clear");
        return Some((
            text,
            "give the case none of them, or leave `scheme` out".to_owned(),
        ));
    }
    if scheme.speech == Speech::H2 && several(job) {
        let text = format!(
            "`scheme`: only HTTP/1.1 sends several requests in turn or a body in chunks, as the case `{name}` does"
        );
        return Some((text, "`https` is HTTP/1.1 over TLS".to_owned()));
    }
    None
}

fn carries(scheme: Scheme, job: &Job) -> bool {
    match job {
        Job::Http(_) => matches!(scheme.speech, Speech::Http | Speech::H2),
        Job::Grpc(_) => scheme.speech == Speech::Grpc,
        Job::WebSocket(_) => scheme.speech == Speech::WebSocket,
        Job::Doubling | Job::Lines { .. } | Job::Probe(_) | Job::Pipe(_) => false,
    }
}

/// Whether a job has several requests, or a body in chunks.
fn several(job: &Job) -> bool {
    matches!(job, Job::Http(http) if !http.then.is_empty() || http.chunk_size.is_some())
}
