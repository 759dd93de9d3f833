//! What is asked of a server, as its URL and the options say it.

use tare_load::job::{GrpcAnswer, GrpcCall, HttpOptions, Message, Messages, RawJob};
use tare_load::{Address, BadJob, Work};
use tare_model::manifest::{HttpAnswer, HttpJob, Job};
use tare_model::scheme::{Scheme, Speech};

use super::error::ServersError;
use super::request::{Files, InFlight, LoadRequest, Requests};
use super::scheme::{self, usual_port};
use super::url::{Url, parse};

type Result<T> = std::result::Result<T, ServersError>;

/// The schemes of URLs with the options that mean something for each.
const STREAMS: &str = "HTTP/2 (h2c://, h2://, --http 2) and grpc://";
const PIPELINE: &str = "http://, tcp:// and ws://";
const SEND: &str = "tcp:// and ws://";
const HTTP: &str = "http:// and h2c://";
const HTTP_1: &str = "http://";

/// What is asked of a server.
pub(super) enum What {
    Http(HttpJob, HttpOptions),
    /// With the content codings of which answers must have one.
    Raw(Vec<RawJob>, HttpOptions, Vec<String>),
    H2(HttpJob, HttpOptions),
    Grpc(GrpcCall),
    WebSocket(Messages),
    Lines(Job),
}

impl What {
    /// What is asked of the server of a URL.
    pub(super) fn of(url: &str, (parts, scheme): (&Url, Scheme), request: &LoadRequest) -> Result<Self> {
        let asked = &request.requests;
        let streams = matches!(scheme.speech, Speech::H2 | Speech::Grpc);
        refuse_in_flight(streams, request.in_flight)?;
        if scheme.speech != Speech::Grpc {
            only("grpc://", &[("--server-streaming", asked.server_streaming)])?;
        }
        if scheme.speech != Speech::Http {
            only_http1(asked)?;
        }
        if !matches!(scheme.speech, Speech::Lines | Speech::WebSocket) {
            only(SEND, &[("--send", asked.send.is_some())])?;
        }
        Ok(match scheme.speech {
            Speech::Http if !asked.raw.is_empty() => {
                let options = options(request, parts, scheme)?;
                Self::Raw(raw(request, url, parts)?, options, asked.encoding.clone())
            }
            Speech::Http => Self::Http(http(request, &parts.path)?, options(request, parts, scheme)?),
            Speech::H2 => Self::H2(http(request, &parts.path)?, options(request, parts, scheme)?),
            Speech::Grpc => Self::Grpc(grpc(request, parts, scheme)?),
            Speech::WebSocket => Self::WebSocket(websocket(request, parts, scheme)?),
            Speech::Lines => Self::Lines(lines(request)?),
        })
    }

    /// The kind of its job.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Http(..) | Self::Raw(..) | Self::H2(..) => "http",
            Self::Grpc(_) => "grpc",
            Self::WebSocket(_) => "ws",
            Self::Lines(_) => "tcp",
        }
    }

    /// Its requests, for a server at an address.
    pub(super) fn work(&self, address: &Address, seed: u64) -> std::result::Result<Work, BadJob> {
        match self {
            Self::Http(job, options) => Work::http_with(job, address, options),
            Self::Raw(jobs, options, encoding) => Work::raw(jobs, options, encoding),
            Self::H2(job, options) => Work::h2(job, address, options),
            Self::Grpc(call) => Work::grpc(call, address),
            Self::WebSocket(messages) => Work::websocket(messages, address, seed),
            Self::Lines(job) => Work::new(job, address, seed),
        }
    }
}

/// The files that requests name to the server of a URL: to some kinds a text that begins with `@` is a text.
pub(super) fn files(url: &str, asked: &Requests) -> Result<Vec<String>> {
    let named: Vec<&String> = match scheme::of(url, &parse(url)?, None)?.speech {
        Speech::Http | Speech::H2 => asked.body.iter().collect(),
        Speech::Grpc => asked.body.iter().chain(&asked.expect).collect(),
        Speech::WebSocket => asked.send.iter().chain(&asked.expect).collect(),
        Speech::Lines => Vec::new(),
    };
    let named = named.into_iter().filter_map(|text| text.strip_prefix('@'));
    let raw = asked.raw.iter().map(String::as_str);
    Ok(named.chain(raw).map(str::to_owned).collect())
}

/// Refuses requests in flight of the other kind.
fn refuse_in_flight(streams: bool, in_flight: InFlight) -> Result<()> {
    match in_flight {
        InFlight::Streams(_) => only(STREAMS, &[("--streams", !streams)]),
        InFlight::Pipelined(_) => only(PIPELINE, &[("--pipeline", streams)]),
        InFlight::One => Ok(()),
    }
}

fn options(request: &LoadRequest, url: &Url, scheme: Scheme) -> Result<HttpOptions> {
    let asked = &request.requests;
    Ok(HttpOptions {
        status: asked.status,
        secure: scheme.secure,
        host: Some(url.named(usual_port(scheme))),
        body: given(&request.files, asked.body.as_deref())?,
        any_body: asked.any_body,
    })
}

fn http(request: &LoadRequest, path: &str) -> Result<HttpJob> {
    let asked = &request.requests;
    if asked.fresh && request.in_flight.depth() > 1 {
        return Err(ServersError::FreshInFlight);
    }
    if asked.fresh && request.programs.is_some() {
        return Err(ServersError::FreshBatch);
    }
    let mut headers = headers(asked)?;
    let says = |(name, _): &(String, String)| name.eq_ignore_ascii_case("connection");
    if asked.fresh && !headers.iter().any(says) {
        headers.push(("Connection".to_owned(), "close".to_owned()));
    }
    let method = asked.method.clone();
    let answer = expected(asked)?.map(|body| HttpAnswer::Text {
        body: body.to_owned(),
    });
    Ok(HttpJob {
        method: method.unwrap_or_else(|| if asked.body.is_some() { "POST" } else { "GET" }.to_owned()),
        path: path.to_owned(),
        headers,
        chunk_size: asked.chunk_size,
        encoding: asked.encoding.clone(),
        answer,
        ..HttpJob::default()
    })
}

/// Requests from files.
fn raw(request: &LoadRequest, url: &str, parts: &Url) -> Result<Vec<RawJob>> {
    let asked = &request.requests;
    if parts.path != "/" {
        return Err(ServersError::RawPath(url.to_owned()));
    }
    let (requests, expects) = (asked.raw.len(), asked.expect.len());
    if expects > 0 && expects != requests {
        return Err(ServersError::Expects { requests, expects });
    }
    let job = |(n, path): (usize, &String)| {
        Ok(RawJob {
            name: path.clone(),
            bytes: request.files.content(path)?,
            expect: asked.expect.get(n).map(|text| text.as_bytes().to_vec()),
        })
    };
    asked.raw.iter().enumerate().map(job).collect()
}

/// What every answer to one request must be.
fn expected(asked: &Requests) -> Result<Option<&str>> {
    match asked.expect.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        several => Err(ServersError::Expects {
            requests: 1,
            expects: several.len(),
        }),
    }
}

fn headers(asked: &Requests) -> Result<Vec<(String, String)>> {
    asked.headers.iter().map(|field| header(field)).collect()
}

/// Refuses what is about requests of HTTP alone.
fn refuse_of_http(asked: &Requests) -> Result<()> {
    only(
        HTTP,
        &[
            ("-X", asked.method.is_some()),
            ("--status", asked.status.is_some()),
            ("--any-body", asked.any_body),
            ("--encoding", !asked.encoding.is_empty()),
        ],
    )
}

/// Refuses what is about requests of HTTP/1.1 alone.
fn only_http1(asked: &Requests) -> Result<()> {
    only(
        HTTP_1,
        &[
            ("--fresh", asked.fresh),
            ("--chunk-size", asked.chunk_size.is_some()),
            ("--raw", !asked.raw.is_empty()),
        ],
    )
}

fn grpc(request: &LoadRequest, url: &Url, scheme: Scheme) -> Result<GrpcCall> {
    let asked = &request.requests;
    refuse_of_http(asked)?;
    Ok(GrpcCall {
        path: url.path.clone(),
        headers: headers(asked)?,
        secure: scheme.secure,
        host: Some(url.named(usual_port(scheme))),
        message: given(&request.files, asked.body.as_deref())?.unwrap_or_default(),
        answer: grpc_answer(request)?,
    })
}

fn grpc_answer(request: &LoadRequest) -> Result<GrpcAnswer> {
    let asked = &request.requests;
    let text = expected(asked)?;
    let bytes = given(&request.files, text)?;
    match (text, asked.server_streaming) {
        (_, false) => Ok(GrpcAnswer::One(bytes)),
        (Some(text), true) if !text.starts_with('@') => Err(ServersError::StreamAsText),
        (_, true) => Ok(GrpcAnswer::Stream(bytes)),
    }
}

fn websocket(request: &LoadRequest, url: &Url, scheme: Scheme) -> Result<Messages> {
    let asked = &request.requests;
    only("http://, h2c:// and grpc://", &[("--body", asked.body.is_some())])?;
    refuse_of_http(asked)?;
    Ok(Messages {
        path: url.path.clone(),
        headers: headers(asked)?,
        host: Some(url.named(usual_port(scheme))),
        send: asked
            .send
            .as_deref()
            .map(|text| message(&request.files, text))
            .ok_or(ServersError::NoMessage)??,
        expect: expected(asked)?
            .map(|text| message(&request.files, text))
            .transpose()?,
    })
}

fn lines(request: &LoadRequest) -> Result<Job> {
    let asked = &request.requests;
    only(
        HTTP_1,
        &[
            ("-X", asked.method.is_some()),
            ("-H", !asked.headers.is_empty()),
            ("--body", asked.body.is_some()),
            ("--encoding", !asked.encoding.is_empty()),
            ("--status", asked.status.is_some()),
            ("--any-body", asked.any_body),
        ],
    )?;
    match (&asked.send, expected(asked)?) {
        (Some(send), Some(expect)) => Ok(Job::Lines {
            send: send.clone(),
            expect: expect.to_owned(),
        }),
        (None, None) => Ok(Job::Doubling),
        _ => Err(ServersError::HalfLine),
    }
}

/// A body as text, or after an `@` the content of a file.
fn body(files: &Files, text: &str) -> Result<Vec<u8>> {
    match text.strip_prefix('@') {
        None => Ok(text.as_bytes().to_vec()),
        Some(path) => files.content(path),
    }
}

fn given(files: &Files, text: Option<&str>) -> Result<Option<Vec<u8>>> {
    text.map(|text| body(files, text)).transpose()
}

/// A message: text, or after an `@` the bytes of a file.
fn message(files: &Files, text: &str) -> Result<Message> {
    match text.strip_prefix('@') {
        None => Ok(Message::Text(text.to_owned())),
        Some(_) => body(files, text).map(Message::Binary),
    }
}

fn header(field: &str) -> Result<(String, String)> {
    match field.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(ServersError::NoHeader(field.to_owned())),
    }
}

/// Refuses the first of these options that was given: they are for servers of another kind.
fn only(schemes: &'static str, options: &[(&'static str, bool)]) -> Result<()> {
    match options.iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(ServersError::Kind { option, schemes }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_text_or_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("body");
        std::fs::write(&path, [0, 255, 10]).unwrap();
        let body = |text: &str| body(&Files::Here, text);
        assert_eq!(body("a@b").unwrap(), b"a@b");
        assert_eq!(body(&format!("@{}", path.display())).unwrap(), [0, 255, 10]);
        let text = body("@/nonexistent/file").unwrap_err().to_string();
        assert!(text.contains("/nonexistent/file"), "{text}");
    }

    /// Whoever makes a part of a load for others has to know them all.
    #[test]
    fn files_are_known_before_they_are_read() {
        let text = |text: &str| Some(text.to_owned());
        let asked = Requests {
            body: text("@body"),
            send: text("@send"),
            raw: vec!["@a.raw".to_owned(), "b.raw".to_owned()],
            expect: vec!["@expect".to_owned(), "text".to_owned()],
            ..Requests::default()
        };
        let of = |url: &str| files(url, &asked).unwrap();
        assert_eq!(of("https://127.0.0.1/"), ["body", "@a.raw", "b.raw"]);
        assert_eq!(of("grpc://127.0.0.1/a.B/C")[..2], ["body", "expect"]);
        assert_eq!(of("ws://127.0.0.1/")[..2], ["send", "expect"]);
    }
}
