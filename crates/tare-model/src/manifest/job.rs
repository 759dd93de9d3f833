//! `job`: what goes over the wire, and what must come back.

use toml_edit::{InlineTable, Value};

use super::document;
use super::error::ManifestError;
use super::fields::choose;
use super::grpc::{GRPC_KEYS, GrpcJob, take_grpc};
use super::http::{self, HttpJob};
use super::keys::{Kind, Taken};
use super::kinds::one;
use super::probe::{PROBE_KEYS, Probe, take_probe};
use super::table::Table;
use super::websocket::{WEBSOCKET_KEYS, WebSocketJob, take_websocket};
use super::words::short;
use super::write::text;
use crate::asked::Asked;
use crate::scheme::{Scheme, Speech};

/// The job: the protocol, its requests and what their answers must be.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Job {
    /// Lines over TCP: random integers, doubled.
    #[default]
    Doubling,
    /// Lines over TCP: one line out, one expected back.
    Lines {
        /// The line sent, without its end.
        send: String,
        /// The line expected, without its end.
        expect: String,
    },
    /// HTTP/1.1.
    Http(HttpJob),
    /// A unary call of gRPC.
    Grpc(GrpcJob),
    /// A message over WebSocket.
    WebSocket(WebSocketJob),
    /// Calls within the contender's own process (docs/probe.md).
    Probe(Probe),
    /// Exchanges between two processes of one contender, over pipes (docs/probe.md).
    Pipe(Probe),
}

impl Job {
    /// The name used in manifests.
    pub fn name(&self) -> &'static str {
        match self {
            Job::Doubling => "doubling",
            Job::Lines { .. } => "lines",
            Job::Http(_) => "http",
            Job::Grpc(_) => "grpc",
            Job::WebSocket(_) => "websocket",
            Job::Probe(_) => "probe",
            Job::Pipe(_) => "pipe",
        }
    }

    /// How it is spoken in clear; none where nothing goes over a socket.
    pub fn scheme(&self) -> Option<Scheme> {
        match self {
            Job::Doubling | Job::Lines { .. } => Some(Scheme::clear(Speech::Lines)),
            Job::Http(_) => Some(Scheme::clear(Speech::Http)),
            Job::Grpc(_) => Some(Scheme::clear(Speech::Grpc)),
            Job::WebSocket(_) => Some(Scheme::clear(Speech::WebSocket)),
            Job::Probe(_) | Job::Pipe(_) => None,
        }
    }

    /// Whether it needs a swept case's size.
    pub fn needs_size(&self) -> bool {
        matches!(self, Job::Http(http) if http.needs_size())
    }

    /// The job at a size of a swept case; a job without a size stays as it is.
    pub fn at_size(&self, size: u64) -> Self {
        match self {
            Job::Http(http) => Job::Http(http.at_size(size)),
            other => other.clone(),
        }
    }

    /// What a right answer needs of a database, at least.
    pub fn asked(&self) -> Asked {
        match self {
            Job::Http(http) => http.asked(),
            _ => Asked::default(),
        }
    }

    /// What so many right answers need of a database, at least.
    pub fn asked_by(&self, answers: u64) -> Asked {
        match self {
            Job::Http(http) => http.asked_by(answers),
            _ => Asked::default(),
        }
    }

    /// The job as a text, which [`Job::parse`] reads: for a load on another machine.
    pub fn to_text(&self) -> String {
        format!("schema = 1\njob = {}\n", job_value(self))
    }

    /// The job of such a text, checked as one in a manifest is.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        document::read(text.as_bytes(), "the job", |root| {
            Some(JobKind.take(root, "job", true)?.value)
        })
    }

    /// The files of an in-process job; none for a job over sockets.
    pub fn in_process(&self) -> Option<&Probe> {
        match self {
            Job::Probe(probe) | Job::Pipe(probe) => Some(probe),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
enum Name {
    Doubling,
    Lines,
    Http,
    Grpc,
    WebSocket,
    Probe,
    Pipe,
}

const KINDS: [(&str, Name); 7] = [
    ("doubling", Name::Doubling),
    ("lines", Name::Lines),
    ("http", Name::Http),
    ("grpc", Name::Grpc),
    ("websocket", Name::WebSocket),
    ("probe", Name::Probe),
    ("pipe", Name::Pipe),
];

/// `job`: its kind, and the keys of that kind.
pub(super) struct JobKind;

impl Kind for JobKind {
    type Value = Job;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Job>> {
        let job = table.get::<Table>(key, must)?;
        let table = &job.value;
        let kind = table.required::<String>("kind");
        let Some(kind) = kind.and_then(|kind| choose(table.source, "job", &kind, &KINDS)) else {
            // Which of the other keys are right depends on the kind.
            table.tolerate(&["send"]);
            table.tolerate(&http::KEYS);
            table.tolerate(&GRPC_KEYS);
            table.tolerate(&WEBSOCKET_KEYS);
            table.tolerate(&PROBE_KEYS);
            table.finish();
            return None;
        };
        let value = match kind.value {
            Name::Doubling => Some(Job::Doubling),
            Name::Lines => take_lines(table),
            Name::Http => http::take_http(table).map(Job::Http),
            Name::Grpc => take_grpc(table).map(Job::Grpc),
            Name::WebSocket => take_websocket(table).map(Job::WebSocket),
            Name::Probe => take_probe(table).map(Job::Probe),
            Name::Pipe => take_probe(table).map(Job::Pipe),
        };
        table.finish();
        let value = value?;
        Some(job.map(|_| value).into())
    }

    fn show(&self, value: &Job) -> Vec<(String, Value)> {
        one(job_value(value))
    }
}

fn take_lines(table: &Table) -> Option<Job> {
    let send = table.required::<String>("send");
    let expect = table.required::<String>("expect");
    for (key, line) in [("send", &send), ("expect", &expect)] {
        if let Some(line) = line.as_ref().filter(|line| line.value.contains(['\n', '\r'])) {
            let text = format!(
                "`{}`: expected one line without its end, found \"{}\"",
                table.path(key),
                short(&line.value)
            );
            table.source.problem(line.line, text, None);
        }
    }
    Some(Job::Lines {
        send: send?.value,
        expect: expect?.value,
    })
}

/// A job as TOML writes it.
pub fn job_value(job: &Job) -> Value {
    let mut table = InlineTable::new();
    table.insert("kind", text(job.name()));
    match job {
        Job::Doubling => {}
        Job::Probe(probe) | Job::Pipe(probe) => {
            table.insert("reference", text(&probe.reference));
            if let Some(floor) = &probe.floor_reference {
                table.insert("floor_reference", text(floor));
            }
            if let Some(folder) = &probe.interop {
                table.insert("interop", text(folder));
            }
        }
        Job::Lines { send, expect } => {
            table.insert("send", text(send));
            table.insert("expect", text(expect));
        }
        Job::Http(http) => http.render(&mut table),
        Job::Grpc(call) => call.render(&mut table),
        Job::WebSocket(messages) => messages.render(&mut table),
    }
    table.into()
}

#[cfg(test)]
mod tests {
    use super::super::http::HttpAnswer;
    use super::*;

    #[test]
    fn a_job_survives_its_own_text() {
        let http = HttpJob {
            method: "POST".to_owned(),
            path: "/a?b=\"c\"".to_owned(),
            headers: vec![("Accept".to_owned(), "text/plain".to_owned())],
            body: Some("line\nline".to_owned()),
            answer: Some(HttpAnswer::Text {
                body: "é\u{1}".to_owned(),
            }),
            then: vec![HttpJob::default()],
            ..HttpJob::default()
        };
        for job in [
            Job::Doubling,
            Job::Lines {
                send: "a b".to_owned(),
                expect: "'".to_owned(),
            },
            Job::Http(http),
        ] {
            assert_eq!(Job::parse(&job.to_text()), Ok(job));
        }
        let sized = HttpJob {
            path: "/{size}".to_owned(),
            answer: Some(HttpAnswer::Letters { bytes: None }),
            ..HttpJob::default()
        };
        let job = Job::Http(sized).at_size(1000);
        assert_eq!(Job::parse(&job.to_text()), Ok(job));
    }

    #[test]
    fn what_is_no_job_is_refused() {
        for text in ["", "schema = 1", "schema = 1\njob = { kind = \"rm\" }\n", "\u{0}"] {
            assert!(Job::parse(text).is_err(), "{text:?}");
        }
        let more = format!("{}\nrun = [\"rm\"]\n", Job::Doubling.to_text());
        assert!(Job::parse(&more).is_err());
    }
}
