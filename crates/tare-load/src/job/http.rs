//! HTTP requests, repeated: one, or several in turn.

use std::sync::OnceLock;

use tare_model::manifest::{HttpAnswer, HttpJob};

use super::{BadJob, RequestPool, Trial, Work, clamps};
use crate::address::Address;
use crate::check::rows::Rows;
use crate::check::{Content, Expectation};
use crate::wire::{Http1, Protocol, is_token};

/// Options of an HTTP request that no manifest has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpOptions {
    /// The status that every answer must have; none: any of 2xx.
    pub status: Option<u16>,
    /// The value of `Host`, unless the headers have one (RFC 9110 §7.2: the authority of the URL); none: the address.
    pub host: Option<String>,
    /// The body of the request, in place of the job's.
    pub body: Option<Vec<u8>>,
    /// Whether the request goes over TLS, which HTTP/2 names as its scheme.
    pub secure: bool,
    /// Whether answers may have any body, each another: only their heads and ends are checked.
    pub any_body: bool,
}

impl Work {
    /// The HTTP requests of a job to a server at `address`, which `Host` names unless the headers do.
    ///
    /// # Errors
    /// The part of the job that cannot be sent.
    pub fn http(job: &HttpJob, address: &Address) -> Result<Self, BadJob> {
        Self::http_with(job, address, &HttpOptions::default())
    }

    /// The same, with options.
    ///
    /// # Errors
    /// The part of the job that cannot be sent.
    pub fn http_with(job: &HttpJob, address: &Address, options: &HttpOptions) -> Result<Self, BadJob> {
        check_host(options.host.as_deref().unwrap_or_default())?;
        let framed = |one: &HttpJob| Framed::of(one, address, options);
        let all = job.requests().map(framed).collect::<Result<_, _>>()?;
        let mut work = Self::in_turn(all);
        for (one, trial) in job.requests().zip(&mut work.trials) {
            for odd in clamps::jobs(one) {
                trial.also.push(Self::in_turn(vec![framed(&odd)?]));
            }
        }
        if let Some(first) = work.trials.first_mut() {
            for one in &job.also {
                first.also.push(Self::in_turn(vec![framed(one)?]));
            }
        }
        Ok(work)
    }

    /// Requests that are sent in turn; at least one.
    pub(super) fn in_turn(all: Vec<Framed>) -> Self {
        let (mut requests, count) = (RequestPool::default().in_turn(), all.len());
        let mut trials = Vec::with_capacity(count);
        let mut lanes = Vec::with_capacity(count);
        for (n, one) in all.into_iter().enumerate() {
            requests.push(&one.bytes, &Http1::expected(n, count));
            trials.push(Trial {
                http1: true,
                ..one.trial
            });
            lanes.push((one.method, one.expected));
        }
        Self {
            requests,
            protocol: Protocol::InOrder(Box::new(Http1::new(lanes))),
            trials,
            tls: None,
        }
    }
}

/// A request that can be sent.
pub(super) struct Framed {
    pub(super) method: String,
    pub(super) bytes: Vec<u8>,
    pub(super) expected: Expectation,
    pub(super) trial: Trial,
}

impl Framed {
    fn of(job: &HttpJob, address: &Address, options: &HttpOptions) -> Result<Self, BadJob> {
        check(job)?;
        let expected = expected(job, options)?;
        Ok(Self {
            method: job.method.clone(),
            bytes: framed(job, address, options)?,
            trial: trial(job, &expected),
            expected,
        })
    }
}

/// Refuses a job of several requests where each request has to be the same.
pub(super) fn refuse_several(job: &HttpJob) -> Result<(), BadJob> {
    let path = job.then.first().map_or("", |one| one.path.as_str());
    let why = "a job with further requests is for HTTP/1.1 alone";
    refuse(!job.then.is_empty(), "further request", path, why)
}

/// Refuses a body in chunks where there are none.
pub(super) fn refuse_chunks(job: &HttpJob) -> Result<(), BadJob> {
    let size = job.chunk_size.unwrap_or_default().to_string();
    let why = "only HTTP/1.1 sends a body in chunks";
    refuse(job.chunk_size.is_some(), "chunk size", &size, why)
}

/// Checks that the name of the server can be sent.
pub(super) fn check_host(host: &str) -> Result<(), BadJob> {
    let odd = !host.bytes().all(|byte| byte.is_ascii_graphic());
    refuse(odd, "host", host, "it is not plain text; write names in Punycode")
}

/// What every answer must be, by the job and its options.
pub(super) fn expected(job: &HttpJob, options: &HttpOptions) -> Result<Expectation, BadJob> {
    let mut expected = expectation(job)?;
    expected.status = options.status;
    if options.any_body {
        (expected.content, expected.known) = (Content::Any, OnceLock::new());
    }
    Ok(expected)
}

/// What several answers together must show.
pub(super) fn trial(job: &HttpJob, expected: &Expectation) -> Trial {
    Trial {
        dated: job.fields.iter().any(|field| field.eq_ignore_ascii_case("date")),
        rows: rows(expected),
        also: Vec::new(),
        http1: false,
    }
}

/// The number of rows of the table of which answers are random rows, where they are.
pub(super) fn rows(expected: &Expectation) -> Option<u32> {
    match expected.content {
        Content::World(rows) | Content::Rows(Rows { rows, .. }) => Some(rows),
        _ => None,
    }
}

/// Checks that the request can be sent.
pub(super) fn check(job: &HttpJob) -> Result<(), BadJob> {
    let HttpJob {
        method,
        path,
        headers,
        ..
    } = job;
    refuse(
        !is_token(method.as_bytes()),
        "method",
        method,
        "a method is letters, such as GET",
    )?;
    let odd = !path.starts_with(['/', '*']) || !path.bytes().all(|byte| byte.is_ascii_graphic());
    refuse(
        odd,
        "path",
        path,
        "a path begins with `/` and has no space or control character; percent-encode it",
    )?;
    refuse(
        job.needs_size(),
        "path",
        path,
        "a size is open that only a case with `sweep` gives; `{size}` stands for it (write braces as %7B and %7D)",
    )?;
    for (name, value) in headers {
        refuse(
            !is_token(name.as_bytes()),
            "header name",
            name,
            "a name is letters, digits and dashes",
        )?;
        refuse(
            value.contains(|c: char| c.is_ascii_control()),
            "header value",
            value,
            "it holds a control character",
        )?;
    }
    let bodiless = job.text().map_or(job.answer.is_some(), |body| !body.is_empty());
    refuse(
        method == "HEAD" && bodiless,
        "expected body",
        method,
        "an answer to HEAD has none; use GET",
    )
}

/// What every answer must be.
pub(super) fn expectation(job: &HttpJob) -> Result<Expectation, BadJob> {
    let mut expected = match &job.answer {
        None => Expectation::bytes(None),
        Some(HttpAnswer::Text { body }) if job.any_case => Expectation {
            content: Content::AnyCase(body.clone()),
            ..Expectation::default()
        },
        Some(HttpAnswer::Text { body }) => Expectation::bytes(Some(body.as_bytes())),
        Some(HttpAnswer::Letters { bytes }) => Expectation::bytes(Some(&letters(bytes.unwrap_or_default()))),
        Some(answer) => Expectation {
            content: content(answer)?,
            ..Expectation::default()
        },
    };
    expected.any_case = job.any_case;
    expected.media_type.clone_from(&job.media_type);
    expected.encoding.clone_from(&job.encoding);
    expected.fields.clone_from(&job.fields);
    Ok(expected)
}

fn content(answer: &HttpAnswer) -> Result<Content, BadJob> {
    Ok(match answer {
        HttpAnswer::Text { .. } | HttpAnswer::Letters { .. } => Content::Bytes,
        HttpAnswer::World { rows } => Content::World(*rows),
        HttpAnswer::WorldList { rows, count, .. } => list(*rows, *count, false),
        HttpAnswer::WorldUpdates { rows, count } => list(*rows, *count, true),
        HttpAnswer::Fortunes => Content::Fortunes,
        HttpAnswer::Table { columns, rows } => Content::Table {
            columns: *columns,
            rows: rows.unwrap_or_default(),
        },
        HttpAnswer::Json { value } => Content::Json(serde_json::from_str(value).or_else(|_| {
            let odd = refuse(true, "expected body", value, "it is not JSON");
            odd.map(|()| serde_json::Value::Null)
        })?),
    })
}

fn list(rows: u32, count: Option<u32>, changed: bool) -> Content {
    Content::Rows(Rows {
        rows,
        count: count.unwrap_or_default(),
        changed,
    })
}

/// This number of bytes, of which the k-th is `a` + (k mod 26).
fn letters(bytes: u32) -> Vec<u8> {
    (b'a'..=b'z').cycle().take(bytes as usize).collect()
}

pub(super) fn refuse(when: bool, what: &'static str, text: &str, why: &'static str) -> Result<(), BadJob> {
    if !when {
        return Ok(());
    }
    Err(BadJob {
        what,
        text: text.escape_default().to_string(),
        why,
    })
}

fn framed(request: &HttpJob, address: &Address, options: &HttpOptions) -> Result<Vec<u8>, BadJob> {
    let has = |name: &str| {
        request
            .headers
            .iter()
            .any(|(found, _)| found.eq_ignore_ascii_case(name))
    };
    let mut text = format!("{} {} HTTP/1.1\r\n", request.method, request.path);
    if !has("host") {
        let host = options.host.clone().unwrap_or_else(|| host(address));
        text += &format!("Host: {host}\r\n");
    }
    if !request.encoding.is_empty() && !has("accept-encoding") {
        text += &format!("Accept-Encoding: {}\r\n", request.encoding.join(", "));
    }
    let own = request.body.as_ref().map(String::as_bytes);
    let body = options.body.as_deref().or(own);
    let framed = has("content-length") || has("transfer-encoding");
    if let Some(size) = request.chunk_size {
        let why = if framed {
            "a header field says already how the body is framed"
        } else {
            "there is no body, or a chunk has no bytes"
        };
        let odd = framed || body.is_none() || size == 0;
        refuse(odd, "chunk size", &size.to_string(), why)?;
        text += "Transfer-Encoding: chunked\r\n";
    } else if let Some(body) = body.filter(|_| !framed) {
        text += &format!("Content-Length: {}\r\n", body.len());
    }
    for (name, value) in &request.headers {
        text += &format!("{name}: {value}\r\n");
    }
    text += "\r\n";
    let body = body.unwrap_or_default();
    Ok(match request.chunk_size {
        Some(size) => [text.into_bytes(), chunks(body, size as usize)].concat(),
        None => [text.as_bytes(), body].concat(),
    })
}

/// A body in chunks of `size` bytes, the last of which may be shorter.
fn chunks(body: &[u8], size: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(body.len() + 16);
    for chunk in body.chunks(size) {
        bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        bytes.extend_from_slice(chunk);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"0\r\n\r\n");
    bytes
}

/// The value of `Host` for a server.
pub(super) fn host(address: &Address) -> String {
    address
        .ip()
        .map_or_else(|| "localhost".to_owned(), ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(request: &HttpJob) -> String {
        let work = Work::http(request, &Address::loopback(8080)).unwrap();
        String::from_utf8(work.pair(0).0.to_vec()).unwrap()
    }

    #[test]
    fn requests_are_framed_with_host_and_length() {
        assert_eq!(
            sent(&HttpJob::default()),
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"
        );
        let post = HttpJob {
            method: "POST".into(),
            path: "/a?b=c".into(),
            headers: vec![("hOST".into(), "x".into()), ("A".into(), "b".into())],
            body: Some("hello".into()),
            ..HttpJob::default()
        };
        assert_eq!(
            sent(&post),
            "POST /a?b=c HTTP/1.1\r\nContent-Length: 5\r\nhOST: x\r\nA: b\r\n\r\nhello"
        );
    }

    #[test]
    fn a_body_goes_out_in_chunks_and_codings_are_asked_for() {
        let post = |chunk_size, headers| HttpJob {
            method: "POST".into(),
            body: Some("hello".into()),
            chunk_size: Some(chunk_size),
            encoding: vec!["gzip".into(), "br".into()],
            headers,
            ..HttpJob::default()
        };
        let head = "POST / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAccept-Encoding: gzip, br\r\n\
                    Transfer-Encoding: chunked\r\n\r\n";
        assert_eq!(
            sent(&post(2, vec![])),
            format!("{head}2\r\nhe\r\n2\r\nll\r\n1\r\no\r\n0\r\n\r\n")
        );
        assert_eq!(sent(&post(99, vec![])), format!("{head}5\r\nhello\r\n0\r\n\r\n"));
        let length = vec![("content-length".to_owned(), "5".to_owned())];
        let none = HttpJob {
            body: None,
            ..post(2, vec![])
        };
        for (job, why) in [
            (post(2, length), "framed"),
            (post(0, vec![]), "no bytes"),
            (none, "no body"),
        ] {
            let error = Work::http(&job, &Address::loopback(1)).unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
        }
    }

    #[test]
    fn requests_of_a_job_are_sent_in_turn() {
        let path = |path: &str| HttpJob {
            path: path.into(),
            ..HttpJob::default()
        };
        let job = HttpJob {
            then: vec![path("/b"), path("/c")],
            ..path("/a")
        };
        let work = Work::http(&job, &Address::loopback(1)).unwrap();
        let (mut rng, mut last) = (fastrand::Rng::with_seed(1), 1);
        let numbers: Vec<u32> = (0..4).map(|_| work.requests.next(&mut rng, &mut last)).collect();
        assert_eq!(numbers, [2, 0, 1, 2]);
        assert!(work.pair(2).0.starts_with(b"GET /c "));
        assert_eq!((work.trials.len(), work.pair(2).1), (3, &[0, 2][..]));
        let bad = HttpJob {
            then: vec![path("b")],
            ..path("/a")
        };
        assert!(Work::http(&bad, &Address::loopback(1)).is_err());
    }

    #[test]
    fn each_of_several_requests_has_odd_ones_of_its_own() {
        let rows = HttpJob {
            path: "/queries?n=7".into(),
            answer: Some(HttpAnswer::WorldList {
                rows: 9,
                count: Some(7),
                cached: false,
            }),
            ..HttpJob::default()
        };
        let job = HttpJob {
            then: vec![rows],
            ..HttpJob::default()
        };
        let work = Work::http(&job, &Address::loopback(1)).unwrap();
        let also: Vec<usize> = work.trials.iter().map(|trial| trial.also.len()).collect();
        assert_eq!(also, [0, 5]);
        let odd = work.trials[1].also[0].pair(0).0;
        assert!(odd.starts_with(b"GET /queries?n=2 "));
    }

    fn sent_with(options: &HttpOptions, headers: &[(&str, &str)]) -> Result<Vec<u8>, BadJob> {
        let named = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let request = HttpJob {
            headers: headers.iter().map(named).collect(),
            ..HttpJob::default()
        };
        let work = Work::http_with(&request, &Address::loopback(8080), options)?;
        Ok(work.pair(0).0.to_vec())
    }

    #[test]
    fn the_host_is_the_given_one_unless_a_header_names_one() {
        let host = |text: &str| HttpOptions {
            host: Some(text.to_owned()),
            ..HttpOptions::default()
        };
        let sent = sent_with(&host("example.org:81"), &[("A", "b")]).unwrap();
        assert_eq!(sent, b"GET / HTTP/1.1\r\nHost: example.org:81\r\nA: b\r\n\r\n");
        let sent = sent_with(&host("example.org"), &[("host", "other")]).unwrap();
        assert_eq!(sent, b"GET / HTTP/1.1\r\nhost: other\r\n\r\n");
        for odd in ["a b", "a\r\nX: y", "b\u{fc}cher.example"] {
            assert!(sent_with(&host(odd), &[]).is_err(), "{odd:?}");
        }
    }

    #[test]
    fn a_body_may_be_any_bytes() {
        let body = HttpOptions {
            body: Some(vec![0, 255, b'\n', b'\r']),
            ..HttpOptions::default()
        };
        let sent = sent_with(&body, &[]).unwrap();
        assert!(
            sent.ends_with(b"Content-Length: 4\r\n\r\n\x00\xff\n\r"),
            "{sent:?}"
        );
    }

    #[test]
    fn letters_repeat_after_z() {
        assert_eq!(letters(28), b"abcdefghijklmnopqrstuvwxyzab");
        assert_eq!(letters(0), b"");
    }

    #[test]
    fn what_would_break_the_request_is_refused() {
        let bad = [
            HttpJob {
                method: "GET /".into(),
                ..HttpJob::default()
            },
            HttpJob {
                path: "/{size}".into(),
                ..HttpJob::default()
            },
            HttpJob {
                answer: Some(HttpAnswer::Letters { bytes: None }),
                ..HttpJob::default()
            },
            HttpJob {
                path: "x".into(),
                ..HttpJob::default()
            },
            HttpJob {
                path: "/a b".into(),
                ..HttpJob::default()
            },
            HttpJob {
                path: "/\r\nX: y".into(),
                ..HttpJob::default()
            },
            HttpJob {
                headers: vec![("A B".into(), "c".into())],
                ..HttpJob::default()
            },
            HttpJob {
                headers: vec![("A".into(), "b\r\nC: d".into())],
                ..HttpJob::default()
            },
            HttpJob {
                method: "HEAD".into(),
                answer: Some(HttpAnswer::Text { body: "x".into() }),
                ..HttpJob::default()
            },
        ];
        for request in bad {
            let error = Work::http(&request, &Address::loopback(1))
                .unwrap_err()
                .to_string();
            assert!(error.contains("cannot be sent"), "{error}");
        }
    }
}
