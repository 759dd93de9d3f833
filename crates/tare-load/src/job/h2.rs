//! One HTTP request, repeated over HTTP/2; and one gRPC call.

use tare_model::manifest::{GrpcJob, HttpJob};

use super::http::{self, HttpOptions, refuse};
use super::{BadJob, RequestPool, Work};
use crate::address::Address;
use crate::check::messages::{self, prefixed};
use crate::check::{Content, Expectation};
use crate::wire::{H2, Manner, OF_CONNECTIONS, Protocol, encode};

/// A call of gRPC: one message there, and one back, or a stream of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrpcCall {
    /// `/package.Service/Method`.
    pub path: String,
    /// Header fields beyond those of gRPC.
    pub headers: Vec<(String, String)>,
    /// The value of `:authority`; none: the address.
    pub host: Option<String>,
    /// Whether it goes over TLS, which is named as its scheme.
    pub secure: bool,
    /// The message that is sent.
    pub message: Vec<u8>,
    /// What must come back.
    pub answer: GrpcAnswer,
}

impl GrpcCall {
    /// The call of a manifest.
    pub(super) fn of(job: &GrpcJob, secure: bool) -> Self {
        Self {
            path: job.path.clone(),
            headers: job.headers.clone(),
            host: None,
            secure,
            message: job.message.clone(),
            answer: GrpcAnswer::One(job.answer.clone()),
        }
    }
}

/// What a call of gRPC is answered with; none: the same as the first time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrpcAnswer {
    /// One message.
    One(Option<Vec<u8>>),
    /// A stream of messages, each behind its prefix of five bytes, as on the wire.
    Stream(Option<Vec<u8>>),
}

impl Default for GrpcAnswer {
    fn default() -> Self {
        Self::One(None)
    }
}

impl GrpcAnswer {
    fn expected(&self) -> Result<Expectation, BadJob> {
        let (several, bytes) = match self {
            Self::One(message) => (false, message.as_deref().map(prefixed)),
            Self::Stream(messages) => (true, messages.clone()),
        };
        if let Some(bytes) = &bytes {
            let why = "expected messages, each behind its prefix of five bytes: a 0, and its length in four";
            let text = String::from_utf8_lossy(bytes);
            refuse(
                messages::check(bytes, several).is_err(),
                "expected answer",
                &text,
                why,
            )?;
        }
        Ok(Expectation {
            status: Some(200),
            content: Content::Messages { several },
            ..Expectation::bytes(bytes.as_deref())
        })
    }
}

impl Work {
    /// An HTTP request over HTTP/2; in clear by prior knowledge.
    ///
    /// # Errors
    /// The part of the job that cannot be sent.
    pub fn h2(job: &HttpJob, address: &Address, options: &HttpOptions) -> Result<Self, BadJob> {
        http::refuse_several(job)?;
        http::refuse_chunks(job)?;
        let expected = http::expected(job, options)?;
        let own = job.body.as_ref().map(String::as_bytes);
        let body = options.body.as_deref().or(own);
        let scheme = scheme(options.secure);
        let mut fields = head((&job.method, scheme), job, address, options.host.as_deref())?;
        let is = |name: &'static str| move |field: &(String, String)| field.0 == name;
        if let Some(body) = body
            && !fields.iter().any(is("content-length"))
        {
            fields.push(("content-length".to_owned(), body.len().to_string()));
        }
        if !job.encoding.is_empty() && !fields.iter().any(is("accept-encoding")) {
            fields.push(("accept-encoding".to_owned(), job.encoding.join(", ")));
        }
        if let Some((_, value)) = fields
            .iter()
            .find(|field| is("te")(field) && field.1 != "trailers")
        {
            refuse(
                true,
                "header value",
                value,
                "with HTTP/2, `te` can be `trailers` only",
            )?;
        }
        let name = format!("{} {} over HTTP/2", job.method, job.path);
        let body = body.unwrap_or_default().to_vec();
        Ok(Self {
            trials: vec![http::trial(job, &expected)],
            requests: RequestPool::default().with_name(name),
            protocol: h2(&job.method, &fields, body, expected, Manner::Http),
            tls: None,
        })
    }

    /// A call of gRPC over HTTP/2. Right is an answer with the status 0 and the expected messages.
    ///
    /// # Errors
    /// The part of the call that cannot be sent.
    pub fn grpc(call: &GrpcCall, address: &Address) -> Result<Self, BadJob> {
        let job = HttpJob {
            method: "POST".to_owned(),
            path: call.path.clone(),
            headers: call.headers.clone(),
            ..HttpJob::default()
        };
        let scheme = scheme(call.secure);
        let mut fields = head(("POST", scheme), &job, address, call.host.as_deref())?;
        for (name, value) in [("te", "trailers"), ("content-type", "application/grpc")] {
            if !fields.iter().any(|field| field.0 == name) {
                fields.push((name.to_owned(), value.to_owned()));
            }
        }
        let expected = call.answer.expected()?;
        let name = format!("the call {}", call.path);
        Ok(Self {
            trials: vec![super::Trial::default()],
            requests: RequestPool::default().with_name(name),
            protocol: h2("POST", &fields, prefixed(&call.message), expected, Manner::Grpc),
            tls: None,
        })
    }
}

fn h2(
    method: &str,
    fields: &[(String, String)],
    body: Vec<u8>,
    expected: Expectation,
    manner: Manner,
) -> Protocol {
    let block = encode(fields.iter().map(|(name, value)| (&**name, value.as_bytes())));
    Protocol::Dialog(Box::new(H2::new(method, block, body, expected, manner)))
}

/// The scheme of a request (RFC 9113 §8.3.1).
fn scheme(secure: bool) -> &'static str {
    if secure { "https" } else { "http" }
}

/// The fields of a request: those that stand for its first line, and its headers in lower case (RFC 9113 §8.3.1). A header
/// `Host` becomes the authority.
fn head(
    (method, scheme): (&str, &str),
    job: &HttpJob,
    address: &Address,
    host: Option<&str>,
) -> Result<Vec<(String, String)>, BadJob> {
    http::check(job)?;
    let host = host.map_or_else(|| http::host(address), str::to_owned);
    http::check_host(&host)?;
    let mut fields = [
        (":method", method),
        (":scheme", scheme),
        (":authority", &host),
        (":path", &job.path),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec();
    for (name, value) in &job.headers {
        let lower = name.to_ascii_lowercase();
        let why = "HTTP/2 has no such field: it is about connections of HTTP/1.1";
        refuse(
            OF_CONNECTIONS.contains(&lower.as_bytes()),
            "header name",
            name,
            why,
        )?;
        match lower.as_str() {
            "host" => fields[2].1.clone_from(value),
            _ => fields.push((lower, value.clone())),
        }
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(headers: &[(&str, &str)], host: Option<&str>) -> Result<Vec<String>, String> {
        let named = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let job = HttpJob {
            path: "/x?y".to_owned(),
            headers: headers.iter().map(named).collect(),
            ..HttpJob::default()
        };
        let fields = head(("GET", scheme(false)), &job, &Address::loopback(8080), host)
            .map_err(|error| error.to_string())?;
        Ok(fields
            .iter()
            .map(|(name, value)| format!("{name}: {value}"))
            .collect())
    }

    #[test]
    fn a_request_becomes_fields() {
        let first = |authority: &str| {
            let authority = format!(":authority: {authority}");
            [":method: GET", ":scheme: http", &authority, ":path: /x?y"]
                .map(str::to_owned)
                .to_vec()
        };
        assert_eq!(fields(&[], None).unwrap(), first("127.0.0.1:8080"));
        assert_eq!(fields(&[], Some("a.example")).unwrap(), first("a.example"));
        assert_eq!([false, true].map(scheme), ["http", "https"]);
        let mut expected = first("b.example");
        expected.push("x-own: Y".to_owned());
        assert_eq!(
            fields(&[("X-Own", "Y"), ("HOST", "b.example")], None).unwrap(),
            expected
        );
    }

    #[test]
    fn what_http_2_has_not_is_refused() {
        let error = fields(&[("Connection", "close")], None).unwrap_err();
        assert!(error.contains("HTTP/2 has no such field"), "{error}");
        assert!(fields(&[], Some("a b")).is_err());
        let job = HttpJob {
            headers: vec![("TE".into(), "gzip".into())],
            ..HttpJob::default()
        };
        let work = Work::h2(&job, &Address::loopback(1), &HttpOptions::default());
        assert!(work.unwrap_err().to_string().contains("`trailers` only"));
    }
}
