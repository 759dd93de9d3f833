//! A target as people type it: `http://127.0.0.1:8080/path`, `tcp://localhost:7000`.

use std::fs;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use tare_load::Address;
use tare_load::job::HttpOptions;
use tare_model::manifest::{HttpAnswer, HttpJob, Job};

use crate::args::LoadArgs;
use crate::commands::load::there::is_here;
use crate::failure::Failure;

/// A server, and what is asked of it.
pub struct Target {
    pub address: Address,
    pub job: Job,
    /// Options of HTTP that no manifest has.
    pub asked: HttpOptions,
}

/// A URL, taken apart.
#[derive(Debug, PartialEq, Eq)]
struct Url {
    /// In lower case.
    scheme: String,
    /// A name or an address; an IPv6 address without its brackets.
    host: String,
    port: Option<u16>,
    /// Path and query; `/` where there is neither.
    path: String,
}

/// The target that a URL and the options describe.
pub fn target(url: &str, args: &LoadArgs) -> Result<Target, Failure> {
    let parts = parse(url)?;
    match parts.scheme.as_str() {
        "http" => Ok(Target {
            address: place(&parts, 80, args)?,
            job: http(args, &parts.path)?,
            asked: HttpOptions {
                status: args.more.status,
                host: Some(parts.named()),
                body: args.body.as_deref().map(body).transpose()?,
                any_body: args.more.any_body,
            },
        }),
        "tcp" if parts.path == "/" => Ok(Target {
            address: place(&parts, 0, args)?,
            job: lines(args)?,
            asked: HttpOptions::default(),
        }),
        _ => Err(no_url(url)),
    }
}

fn no_url(url: &str) -> Failure {
    Failure::usage(format!("`{url}` is not a target"))
        .hint("expected http://HOST:PORT/PATH, or tcp://HOST:PORT for lines; TLS is not spoken")
}

/// Parses the parts of RFC 3986 §3 that are needed. What follows `#` is not sent; a user is refused.
fn parse(url: &str) -> Result<Url, Failure> {
    let (scheme, rest) = url.split_once("://").ok_or_else(|| no_url(url))?;
    let rest = rest.split('#').next().unwrap_or_default();
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    if authority.contains('@') {
        return Err(Failure::usage(format!("`{url}` names a user"))
            .hint("send it as a header field: -H 'Authorization: Basic …'"));
    }
    let (host, port) = host_and_port(authority).ok_or_else(|| {
        Failure::usage(format!("`{authority}` in `{url}` is not a host and port")).hint(
            "expected HOST or HOST:PORT, of an IPv6 address [::1] or [::1]:PORT; a port is from 1 to 65535",
        )
    })?;
    Ok(Url {
        scheme: scheme.to_ascii_lowercase(),
        host,
        port,
        path: if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("/{path}")
        },
    })
}

/// None where the text is neither a host nor a host with a port. An empty port is no port (RFC 3986 §3.2.3).
fn host_and_port(authority: &str) -> Option<(String, Option<u16>)> {
    let (host, rest) = match authority.strip_prefix('[') {
        Some(inner) => inner.split_once(']')?,
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let digits = match rest {
        "" => "",
        _ => rest.strip_prefix(':')?,
    };
    let port = match digits {
        "" => None,
        // A number may have a sign, a port may not.
        _ if !digits.bytes().all(|byte| byte.is_ascii_digit()) => return None,
        _ => Some(digits.parse::<u16>().ok().filter(|port| *port > 0)?),
    };
    (!host.is_empty()).then(|| (host.to_owned(), port))
}

impl Url {
    /// As `Host` has it (RFC 9110 §7.2): the port is left out where it is the usual one.
    fn named(&self) -> String {
        let host = if self.host.contains(':') {
            format!("[{}]", self.host)
        } else {
            self.host.clone()
        };
        match self.port {
            None | Some(80) => host,
            Some(port) => format!("{host}:{port}"),
        }
    }
}

/// Where the server listens: at the Unix socket of the options, or where the URL says. `usual`: the default port; 0: the
/// URL must name one.
fn place(url: &Url, usual: u16, args: &LoadArgs) -> Result<Address, Failure> {
    match &args.more.unix_socket {
        Some(path) => Ok(Address::Unix(path.clone())),
        None => address(&url.host, url.port.unwrap_or(usual), args.remote),
    }
}

fn address(host: &str, port: u16, remote: bool) -> Result<Address, Failure> {
    if port == 0 {
        return Err(Failure::usage(format!("`{host}` names no port")).hint("as in tcp://localhost:7000"));
    }
    let found: Vec<SocketAddr> = (host, port)
        .to_socket_addrs()
        .map_err(|error| Failure::usage(format!("`{host}` cannot be found: {error}")))?
        .collect();
    let first = preferred(&found).ok_or_else(|| Failure::usage(format!("`{host}` has no address")))?;
    if !is_here(first) && !remote {
        return Err(Failure::usage(format!("{first} is not on this machine"))
            .hint("load only what is yours to load; if it is, say --remote"));
    }
    Ok(Address::Ip(first))
}

/// A body as it was typed, or with `@` the content of a file.
fn body(text: &str) -> Result<Vec<u8>, Failure> {
    match text.strip_prefix('@') {
        None => Ok(text.as_bytes().to_vec()),
        Some(path) => fs::read(path).map_err(|error| {
            Failure::usage(format!("the body `{path}` cannot be read: {error}"))
                .hint("--body @FILE sends a file; a body that begins with @ is sent from one, too")
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

fn http(args: &LoadArgs, path: &str) -> Result<Job, Failure> {
    refuse(args.send.is_some(), "--send is for tcp:// targets")?;
    refuse(
        args.more.fresh && args.pipeline > 1,
        "--fresh has one request in flight: leave out --pipeline",
    )?;
    refuse(
        args.more.fresh && args.programs.is_some(),
        "a batch has a number of requests on each connection: leave out --fresh",
    )?;
    let mut headers = args
        .headers
        .iter()
        .map(|field| header(field))
        .collect::<Result<Vec<_>, _>>()?;
    if args.more.fresh
        && !headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("connection"))
    {
        headers.push(("Connection".to_owned(), "close".to_owned()));
    }
    let method = args.method.clone();
    let answer = args.expect.clone().map(|body| HttpAnswer::Text { body });
    Ok(Job::Http(HttpJob {
        method: method.unwrap_or_else(|| if args.body.is_some() { "POST" } else { "GET" }.to_owned()),
        path: path.to_owned(),
        headers,
        answer,
        ..HttpJob::default()
    }))
}

fn header(field: &str) -> Result<(String, String), Failure> {
    match field.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(Failure::usage(format!("`{field}` is not a header field"))
            .hint("expected one as in -H 'Accept: text/plain'")),
    }
}

fn lines(args: &LoadArgs) -> Result<Job, Failure> {
    refuse(args.method.is_some(), "-X is for http:// targets")?;
    refuse(!args.headers.is_empty(), "-H is for http:// targets")?;
    refuse(args.body.is_some(), "--body is for http:// targets")?;
    refuse(args.more.status.is_some(), "--status is for http:// targets")?;
    refuse(args.more.fresh, "--fresh is for http:// targets")?;
    refuse(args.more.any_body, "--any-body is for http:// targets")?;
    match (&args.send, &args.expect) {
        (Some(send), Some(expect)) => Ok(Job::Lines {
            send: send.clone(),
            expect: expect.clone(),
        }),
        (None, None) => Ok(Job::Doubling),
        _ => Err(Failure::usage(
            "a line that is sent needs one that is expected: --send LINE --expect LINE",
        )),
    }
}

fn refuse(wrong: bool, message: &str) -> Result<(), Failure> {
    if wrong {
        Err(Failure::usage(message))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args_of(url: &str, more: &[&str]) -> LoadArgs {
        LoadArgs::typed([&[url], more].concat())
    }

    /// `SCHEME HOST PORT PATH, HOST-FIELD`; a port that is not named is a dash.
    fn taken(url: &str) -> Option<String> {
        let url = parse(url).ok()?;
        let port = url.port.map_or("-".to_owned(), |port| port.to_string());
        Some(format!(
            "{} {} {port} {}, {}",
            url.scheme,
            url.host,
            url.path,
            url.named()
        ))
    }

    #[test]
    fn urls_are_taken_apart() {
        for (url, expected) in [
            ("http://a.example", "http a.example - /, a.example"),
            ("http://a.example/", "http a.example - /, a.example"),
            (
                "HTTP://A.example:8080/x",
                "http A.example 8080 /x, A.example:8080",
            ),
            ("http://a:80/", "http a 80 /, a"),
            ("http://a:/x", "http a - /x, a"),
            ("http://a?b=c/d", "http a - /?b=c/d, a"),
            ("http://a:81?b", "http a 81 /?b, a:81"),
            ("http://a/b?c#d", "http a - /b?c, a"),
            ("http://a#d/e", "http a - /, a"),
            ("http://a/b@c", "http a - /b@c, a"),
            ("http://[::1]", "http ::1 - /, [::1]"),
            ("http://[::1]:8080/", "http ::1 8080 /, [::1]:8080"),
            ("http://127.0.0.1:8080/", "http 127.0.0.1 8080 /, 127.0.0.1:8080"),
            ("tcp://localhost:7000", "tcp localhost 7000 /, localhost:7000"),
        ] {
            assert_eq!(taken(url).as_deref(), Some(expected), "{url}");
        }
        for bad in [
            "a.example/",
            "http:/a",
            "http://",
            "http:///x",
            "http://:80/",
            "http://a:99999/",
            "http://a:0/",
            "http://a:+80/",
            "http://a:b/",
            "http://::1/",
            "http://[::1/",
            "http://[::1]x/",
            "http://[]:80/",
            "http://user:word@a/",
        ] {
            assert_eq!(taken(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_is_no_target_is_told_with_what_would_be_one() {
        let told = |url: &str| {
            let failure = target(url, &args_of(url, &[])).err().expect(url);
            (failure.status, failure.to_string())
        };
        for (url, says) in [
            ("https://127.0.0.1/", "TLS is not spoken"),
            ("ftp://127.0.0.1/", "expected http://"),
            ("tcp://127.0.0.1:7000/x", "expected http://"),
            ("tcp://127.0.0.1", "names no port"),
            ("http://me@127.0.0.1/", "Authorization: Basic"),
            ("http://::1:80/", "[::1]:PORT"),
        ] {
            let (status, text) = told(url);
            assert!(status == 2 && text.contains(says), "{url}: {text}");
        }
    }

    #[test]
    fn addresses_are_found_with_their_usual_port() {
        let at = |url: &str| {
            let target = target(url, &args_of(url, &[])).map_err(|failure| failure.to_string());
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
        let refused = target(url, &args_of(url, &[]))
            .err()
            .expect("nobody asked for it");
        assert!(
            refused.status == 2 && refused.to_string().contains("--remote"),
            "{refused}"
        );
        let taken = target(url, &args_of(url, &["--remote"])).map_err(|failure| failure.to_string());
        let taken = taken.expect("it was asked for");
        assert_eq!(taken.address.to_string(), "192.0.2.1:8080");
        assert_eq!(taken.asked.host.as_deref(), Some("192.0.2.1:8080"));
    }

    #[test]
    fn a_body_is_text_or_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("body");
        fs::write(&path, [0, 255, 10]).unwrap();
        assert_eq!(body("a@b").unwrap(), b"a@b");
        assert_eq!(body(&format!("@{}", path.display())).unwrap(), [0, 255, 10]);
        let failure = body("@/nonexistent/file").unwrap_err();
        assert!(
            failure.status == 2 && failure.to_string().contains("/nonexistent/file"),
            "{failure}"
        );
    }
}
