//! A request as CGI programs see it: meta-variables (RFC 3875 §4.1) instead of a head.

use tare_model::manifest::HttpJob;

use super::{BadJob, http};
use crate::address::Address;

/// The meta-variables of a request to a program that serves all paths of a server at `address`: `SCRIPT_NAME` is empty and
/// `PATH_INFO` is the whole path.
///
/// # Errors
/// The part of the request that cannot be sent.
pub(super) fn environment(job: &HttpJob, address: &Address) -> Result<Vec<(String, String)>, BadJob> {
    http::check(job)?;
    http::refuse_several(job)?;
    http::refuse_chunks(job)?;
    let (path, query) = job.path.split_once('?').unwrap_or((&job.path, ""));
    let (host, port) = match address.ip() {
        Some(address) => (address.ip().to_string(), address.port().to_string()),
        None => ("localhost".to_owned(), "80".to_owned()),
    };
    let mut variables = vec![
        // First what a person looks for when the beginning of a request is shown.
        ("REQUEST_METHOD", job.method.clone()),
        ("REQUEST_URI", job.path.clone()),
        ("QUERY_STRING", query.to_owned()),
        ("GATEWAY_INTERFACE", "CGI/1.1".to_owned()),
        ("SERVER_PROTOCOL", "HTTP/1.1".to_owned()),
        ("SERVER_SOFTWARE", "tare".to_owned()),
        ("SERVER_NAME", host.clone()),
        ("SERVER_PORT", port),
        ("SERVER_ADDR", host),
        ("REMOTE_ADDR", "127.0.0.1".to_owned()),
        ("SCRIPT_NAME", String::new()),
        ("PATH_INFO", decoded(path)),
    ];
    if let Some(body) = &job.body {
        variables.push(("CONTENT_LENGTH", body.len().to_string()));
    }
    let mut all: Vec<(String, String)> = variables
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    let lacks = |field: &str| {
        let mut names = job.headers.iter().map(|(name, _)| name);
        names.all(|name| !name.eq_ignore_ascii_case(field))
    };
    let host = ("Host".to_owned(), http::host(address));
    let host = lacks("host").then_some(&host);
    let codings = ("Accept-Encoding".to_owned(), job.encoding.join(", "));
    let asks = !job.encoding.is_empty() && lacks("accept-encoding");
    let headers = host
        .into_iter()
        .chain(asks.then_some(&codings))
        .chain(&job.headers);
    all.extend(headers.filter_map(|(name, value)| Some((meta_name(name)?, value.clone()))));
    Ok(all)
}

/// The variable of a header field; none for a field that has a variable of its own.
fn meta_name(field: &str) -> Option<String> {
    let name = field.to_ascii_uppercase().replace('-', "_");
    match name.as_str() {
        "CONTENT_LENGTH" => None,
        "CONTENT_TYPE" => Some(name),
        _ => Some(format!("HTTP_{name}")),
    }
}

/// A path with each `%XX` decoded. Anything else stays; bytes that are not UTF-8 are replaced.
fn decoded(path: &str) -> String {
    let (bytes, mut out, mut at) = (path.as_bytes(), Vec::new(), 0);
    while let Some(&byte) = bytes.get(at) {
        let digits = (byte == b'%').then(|| path.get(at + 1..at + 3)).flatten();
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(decoded) => out.push(decoded),
            None => out.push(byte),
        }
        at += if digits.is_some_and(|digits| u8::from_str_radix(digits, 16).is_ok()) {
            3
        } else {
            1
        };
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_becomes_variables() {
        let job = HttpJob {
            method: "POST".into(),
            path: "/a%20b/%zz?rows=1000&x=%20".into(),
            headers: vec![
                ("X-Own".into(), "y".into()),
                ("content-type".into(), "a/b".into()),
            ],
            body: Some("hello".into()),
            ..HttpJob::default()
        };
        let variables = environment(&job, &Address::loopback(8080)).unwrap();
        let value = |name: &str| {
            let found = variables.iter().find(|(found, _)| found == name);
            found.map(|(_, value)| value.as_str())
        };
        for (name, expected) in [
            ("GATEWAY_INTERFACE", "CGI/1.1"),
            ("SERVER_PROTOCOL", "HTTP/1.1"),
            ("REQUEST_METHOD", "POST"),
            ("SCRIPT_NAME", ""),
            ("PATH_INFO", "/a b/%zz"),
            ("QUERY_STRING", "rows=1000&x=%20"),
            ("REQUEST_URI", "/a%20b/%zz?rows=1000&x=%20"),
            ("SERVER_NAME", "127.0.0.1"),
            ("SERVER_PORT", "8080"),
            ("HTTP_HOST", "127.0.0.1:8080"),
            ("HTTP_X_OWN", "y"),
            ("CONTENT_TYPE", "a/b"),
            ("CONTENT_LENGTH", "5"),
        ] {
            assert_eq!(value(name), Some(expected), "{name}");
        }
        let plain = environment(&HttpJob::default(), &Address::loopback(1)).unwrap();
        assert!(plain.iter().all(|(name, _)| !name.starts_with("CONTENT_")));
        let bad = HttpJob {
            path: "x".into(),
            ..HttpJob::default()
        };
        assert!(environment(&bad, &Address::loopback(1)).is_err());
    }
}
