//! A server as its URL says it, and what is asked of it.

use std::fs;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use tare_load::job::{self, HttpOptions};
use tare_load::{Address, BadJob, Target, Work};
use tare_model::manifest::{HttpAnswer, HttpJob, Job};

use super::error::ServersError;
use super::request::LoadRequest;
use super::there::is_here;
use super::url::{Url, parse};

type Result<T> = std::result::Result<T, ServersError>;

/// A server, and what is asked of it.
pub(super) struct Asked {
    pub(super) address: Address,
    pub(super) job: Job,
    /// Options of HTTP that no manifest has.
    pub(super) options: HttpOptions,
}

/// The server of a URL, and what is to be sent to it.
pub(super) fn target(url: &str, request: &LoadRequest) -> Result<Asked> {
    let parts = parse(url)?;
    let asked = &request.requests;
    match parts.scheme.as_str() {
        "http" => Ok(Asked {
            address: place(&parts, 80, request)?,
            job: http(request, &parts.path)?,
            options: HttpOptions {
                status: asked.status,
                host: Some(parts.named()),
                body: asked.body.as_deref().map(body).transpose()?,
                any_body: asked.any_body,
            },
        }),
        "tcp" if parts.path == "/" => Ok(Asked {
            address: place(&parts, 0, request)?,
            job: lines(request)?,
            options: HttpOptions::default(),
        }),
        "https" => Err(ServersError::Tls(url.to_owned())),
        _ => Err(ServersError::NoTarget(url.to_owned())),
    }
}

impl Asked {
    /// The server with the requests that are sent to it.
    pub(super) fn driven(self, request: &LoadRequest) -> Result<Target> {
        let work: std::result::Result<Work, BadJob> = match &self.job {
            Job::Http(http) => Work::http_with(http, &self.address, &self.options),
            other => Work::new(other, &self.address, request.seed),
        };
        let share = if request.requests.check_whole {
            1.0
        } else {
            job::WHOLE
        };
        let work = work.map_err(ServersError::Job)?.sampled(share);
        let fresh = request.requests.fresh;
        Ok(Target::new(self.address, if fresh { work.fresh() } else { work }))
    }
}

/// Where the server listens: at the Unix socket of the request, or where the URL says. `usual`: the default port; 0: the
/// URL must name one.
fn place(url: &Url, usual: u16, request: &LoadRequest) -> Result<Address> {
    match &request.unix_socket {
        Some(path) => Ok(Address::Unix(path.clone())),
        None => address(&url.host, url.port.unwrap_or(usual), request.remote),
    }
}

fn address(host: &str, port: u16, remote: bool) -> Result<Address> {
    if port == 0 {
        return Err(ServersError::NoPort(host.to_owned()));
    }
    let found: Vec<SocketAddr> = (host, port)
        .to_socket_addrs()
        .map_err(|source| ServersError::NotFound {
            host: host.to_owned(),
            source,
        })?
        .collect();
    let first = preferred(&found).ok_or_else(|| ServersError::NoAddress(host.to_owned()))?;
    if !is_here(first) && !remote {
        return Err(ServersError::Remote(first));
    }
    Ok(Address::Ip(first))
}

/// A body as text, or after an `@` the content of a file.
fn body(text: &str) -> Result<Vec<u8>> {
    match text.strip_prefix('@') {
        None => Ok(text.as_bytes().to_vec()),
        Some(path) => fs::read(path).map_err(|source| ServersError::Body {
            path: path.to_owned(),
            source,
        }),
    }
}

/// Of several addresses (`localhost` is two) the first that a server listens at, or else the first.
fn preferred(found: &[SocketAddr]) -> Option<SocketAddr> {
    let near = found.iter().filter(|address| is_here(**address));
    let listens = |address: &&SocketAddr| TcpStream::connect_timeout(address, Duration::from_secs(1)).is_ok();
    match found {
        [_, _, ..] => near
            .copied()
            .find(|address| listens(&address))
            .or(found.first().copied()),
        _ => found.first().copied(),
    }
}

fn http(request: &LoadRequest, path: &str) -> Result<Job> {
    let asked = &request.requests;
    only("tcp", &[("--send", asked.send.is_some())])?;
    if asked.fresh && request.depth > 1 {
        return Err(ServersError::FreshInFlight);
    }
    if asked.fresh && request.programs.is_some() {
        return Err(ServersError::FreshBatch);
    }
    let headers = asked.headers.iter().map(|field| header(field));
    let mut headers: Vec<(String, String)> = headers.collect::<Result<_>>()?;
    let says = |(name, _): &(String, String)| name.eq_ignore_ascii_case("connection");
    if asked.fresh && !headers.iter().any(says) {
        headers.push(("Connection".to_owned(), "close".to_owned()));
    }
    let method = asked.method.clone();
    let answer = asked.expect.clone().map(|body| HttpAnswer::Text { body });
    Ok(Job::Http(HttpJob {
        method: method.unwrap_or_else(|| if asked.body.is_some() { "POST" } else { "GET" }.to_owned()),
        path: path.to_owned(),
        headers,
        answer,
        ..HttpJob::default()
    }))
}

fn header(field: &str) -> Result<(String, String)> {
    match field.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(ServersError::NoHeader(field.to_owned())),
    }
}

fn lines(request: &LoadRequest) -> Result<Job> {
    let asked = &request.requests;
    only(
        "http",
        &[
            ("-X", asked.method.is_some()),
            ("-H", !asked.headers.is_empty()),
            ("--body", asked.body.is_some()),
            ("--status", asked.status.is_some()),
            ("--fresh", asked.fresh),
            ("--any-body", asked.any_body),
        ],
    )?;
    match (&asked.send, &asked.expect) {
        (Some(send), Some(expect)) => Ok(Job::Lines {
            send: send.clone(),
            expect: expect.clone(),
        }),
        (None, None) => Ok(Job::Doubling),
        _ => Err(ServersError::HalfLine),
    }
}

/// Refuses the first of these options that was given: they are for servers of another kind.
fn only(scheme: &'static str, options: &[(&'static str, bool)]) -> Result<()> {
    match options.iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(ServersError::Kind { option, scheme }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::request::Requests;
    use super::*;
    use crate::error::{Cause, PrepareError};

    /// An error as it is shown: with its hint.
    fn told(error: ServersError) -> String {
        let error = PrepareError::from(error);
        assert_eq!(error.cause(), Cause::Request);
        format!("{error}; {}", error.hint().unwrap_or_default())
    }

    fn refused(url: &str, request: &LoadRequest) -> String {
        told(target(url, request).err().expect(url))
    }

    #[test]
    fn what_is_no_target_is_told_with_what_would_be_one() {
        for (url, says) in [
            ("https://127.0.0.1/", "reached by TLS, which tare does not speak"),
            ("ftp://127.0.0.1/", "expected http://"),
            ("tcp://127.0.0.1:7000/x", "expected http://"),
            ("tcp://127.0.0.1", "names no port"),
            ("http://me@127.0.0.1/", "Authorization: Basic"),
            ("http://::1:80/", "[::1]:PORT"),
        ] {
            let text = refused(url, &LoadRequest::default());
            assert!(text.contains(says), "{url}: {text}");
        }
    }

    #[test]
    fn what_means_nothing_for_a_kind_of_server_is_refused() {
        let of = |url: &str, requests: Requests| {
            let request = LoadRequest {
                requests,
                ..LoadRequest::default()
            };
            refused(url, &request)
        };
        let text = || Some("x".to_owned());
        let (http, tcp) = ("http://127.0.0.1/", "tcp://127.0.0.1:7000");
        let send = Requests {
            send: text(),
            ..Requests::default()
        };
        assert!(of(http, send.clone()).contains("--send is for tcp:// targets"));
        assert!(of(tcp, send).contains("--send LINE --expect LINE"));
        let body = Requests {
            body: text(),
            ..Requests::default()
        };
        assert!(of(tcp, body).contains("--body is for http:// targets"));
        let headers = Requests {
            headers: vec!["no field".to_owned()],
            ..Requests::default()
        };
        assert!(of(http, headers).contains("-H 'Accept: text/plain'"));
    }

    #[test]
    fn addresses_are_found_with_their_usual_port() {
        let at = |url: &str| {
            let target = target(url, &LoadRequest::default()).map_err(|error| error.to_string());
            target.map(|target| target.address.to_string())
        };
        assert_eq!(at("http://127.0.0.1"), Ok("127.0.0.1:80".to_owned()));
        assert_eq!(at("http://[::1]"), Ok("[::1]:80".to_owned()));
        assert_eq!(at("http://[::1]:8080?x"), Ok("[::1]:8080".to_owned()));
        assert_eq!(at("TCP://127.0.0.1:7000"), Ok("127.0.0.1:7000".to_owned()));
    }

    /// An address that is reserved for documentation (RFC 5737); nothing is sent to it here.
    #[test]
    fn what_is_not_on_this_machine_is_taken_where_that_is_said() {
        let url = "http://192.0.2.1:8080/";
        let text = refused(url, &LoadRequest::default());
        assert!(text.contains("--remote"), "{text}");
        let remote = LoadRequest {
            remote: true,
            ..LoadRequest::default()
        };
        let taken = target(url, &remote).map_err(|error| error.to_string());
        let taken = taken.expect("it was asked for");
        assert_eq!(taken.address.to_string(), "192.0.2.1:8080");
        assert_eq!(taken.options.host.as_deref(), Some("192.0.2.1:8080"));
    }

    #[test]
    fn a_body_is_text_or_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("body");
        fs::write(&path, [0, 255, 10]).unwrap();
        assert_eq!(body("a@b").unwrap(), b"a@b");
        assert_eq!(body(&format!("@{}", path.display())).unwrap(), [0, 255, 10]);
        let text = told(body("@/nonexistent/file").unwrap_err());
        assert!(text.contains("/nonexistent/file"), "{text}");
    }
}
