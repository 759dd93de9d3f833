//! One HTTP request, over and over.

use super::{BadJob, Pool, Work};
use crate::address::Address;
use crate::wire::http1::{Http1, is_token};

/// An HTTP/1.1 request, and what its answer must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// The method.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Further header fields. `Host` and `Content-Length` are added where they are not among them.
    pub headers: Vec<(String, String)>,
    /// The body sent.
    pub body: Option<Vec<u8>>,
    /// The body that every answer must have; none: any, and the same as the first. The status must be 2xx.
    pub expect: Option<String>,
}

impl Default for HttpRequest {
    fn default() -> Self {
        Self {
            method: "GET".into(),
            path: "/".into(),
            headers: Vec::new(),
            body: None,
            expect: None,
        }
    }
}

impl Work {
    /// An HTTP request to a server at `address`, which `Host` names unless the headers do.
    pub fn http(request: &HttpRequest, address: &Address) -> Result<Self, BadJob> {
        let HttpRequest {
            method,
            path,
            headers,
            ..
        } = request;
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
        let bodiless = method == "HEAD" && request.expect.as_ref().is_some_and(|body| !body.is_empty());
        refuse(
            bodiless,
            "expected body",
            method,
            "an answer to HEAD has none; use GET",
        )?;
        let mut pool = Pool::default();
        pool.push(&framed(request, address), b"");
        let wire = Http1::new(method, request.expect.as_ref().map(String::as_bytes));
        Ok(Self {
            pool,
            wire: Box::new(wire),
        })
    }
}

fn refuse(when: bool, what: &'static str, text: &str, why: &'static str) -> Result<(), BadJob> {
    match when {
        true => Err(BadJob {
            what,
            text: text.escape_default().to_string(),
            why,
        }),
        false => Ok(()),
    }
}

fn framed(request: &HttpRequest, address: &Address) -> Vec<u8> {
    let has = |name: &str| {
        request
            .headers
            .iter()
            .any(|(found, _)| found.eq_ignore_ascii_case(name))
    };
    let mut text = format!("{} {} HTTP/1.1\r\n", request.method, request.path);
    if !has("host") {
        let host = match address {
            Address::Ip(address) => address.to_string(),
            Address::Unix(_) => "localhost".to_owned(),
        };
        text += &format!("Host: {host}\r\n");
    }
    if let Some(body) = &request.body
        && !has("content-length")
        && !has("transfer-encoding")
    {
        text += &format!("Content-Length: {}\r\n", body.len());
    }
    for (name, value) in &request.headers {
        text += &format!("{name}: {value}\r\n");
    }
    text += "\r\n";
    [text.as_bytes(), request.body.as_deref().unwrap_or_default()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(request: &HttpRequest) -> String {
        let work = Work::http(request, &Address::loopback(8080)).unwrap();
        String::from_utf8(work.pair(0).0.to_vec()).unwrap()
    }

    #[test]
    fn requests_are_framed_with_host_and_length() {
        assert_eq!(
            sent(&HttpRequest::default()),
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"
        );
        let post = HttpRequest {
            method: "POST".into(),
            path: "/a?b=c".into(),
            headers: vec![("hOST".into(), "x".into()), ("A".into(), "b".into())],
            body: Some(b"hello".to_vec()),
            expect: None,
        };
        assert_eq!(
            sent(&post),
            "POST /a?b=c HTTP/1.1\r\nContent-Length: 5\r\nhOST: x\r\nA: b\r\n\r\nhello"
        );
    }

    #[test]
    fn what_would_break_the_request_is_refused() {
        let bad = [
            HttpRequest {
                method: "GET /".into(),
                ..HttpRequest::default()
            },
            HttpRequest {
                path: "x".into(),
                ..HttpRequest::default()
            },
            HttpRequest {
                path: "/a b".into(),
                ..HttpRequest::default()
            },
            HttpRequest {
                path: "/\r\nX: y".into(),
                ..HttpRequest::default()
            },
            HttpRequest {
                headers: vec![("A B".into(), "c".into())],
                ..HttpRequest::default()
            },
            HttpRequest {
                headers: vec![("A".into(), "b\r\nC: d".into())],
                ..HttpRequest::default()
            },
            HttpRequest {
                method: "HEAD".into(),
                expect: Some("x".into()),
                ..HttpRequest::default()
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
