//! A target as people type it: `http://127.0.0.1:8080/path`, `tcp://localhost:7000`.

use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use tare_load::Address;
use tare_model::manifest::{HttpAnswer, HttpJob, Job};

use crate::args::LoadArgs;
use crate::commands::load::there::is_here;
use crate::failure::Failure;

/// Where to, and what to do there.
pub struct Target {
    pub address: Address,
    pub job: Job,
}

/// What a URL and the options say.
pub fn target(url: &str, args: &LoadArgs) -> Result<Target, Failure> {
    let (scheme, rest) = url.split_once("://").ok_or_else(|| no_url(url))?;
    let (authority, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, "/"),
    };
    match scheme {
        "http" => Ok(Target {
            address: place(authority, 80, args)?,
            job: http(args, path)?,
        }),
        "tcp" if path == "/" => Ok(Target {
            address: place(authority, 0, args)?,
            job: lines(args)?,
        }),
        _ => Err(no_url(url)),
    }
}

fn no_url(url: &str) -> Failure {
    Failure::usage(format!("`{url}` is no target"))
        .hint("expected http://HOST:PORT/PATH, or tcp://HOST:PORT for lines; TLS is not spoken")
}

/// Where the server listens: at the socket that is named, or else where the URL says.
fn place(authority: &str, default_port: u16, args: &LoadArgs) -> Result<Address, Failure> {
    match &args.more.unix_socket {
        Some(path) => Ok(Address::Unix(path.clone())),
        None => address(authority, default_port, args.remote),
    }
}

fn address(authority: &str, default_port: u16, remote: bool) -> Result<Address, Failure> {
    let has_port = authority
        .rsplit_once(':')
        .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let full = match (has_port, default_port) {
        (true, _) => authority.to_owned(),
        (false, 0) => return Err(Failure::usage(format!("`{authority}` names no port"))),
        (false, port) => format!("{authority}:{port}"),
    };
    let found: Vec<SocketAddr> = full
        .to_socket_addrs()
        .map_err(|error| Failure::usage(format!("`{authority}` cannot be found: {error}")))?
        .collect();
    let first = preferred(&found).ok_or_else(|| Failure::usage(format!("`{authority}` has no address")))?;
    if !is_here(first) && !remote {
        return Err(Failure::usage(format!("{first} is not on this machine"))
            .hint("load only what is yours to load; if it is, say --remote"));
    }
    Ok(Address::Ip(first))
}

/// Of several addresses (`localhost` is two) the first at which somebody listens, or else the first.
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
        body: args.body.clone(),
        answer,
        ..HttpJob::default()
    }))
}

fn header(field: &str) -> Result<(String, String), Failure> {
    match field.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(Failure::usage(format!("`{field}` is no header field"))
            .hint("expected one as in -H 'Accept: text/plain'")),
    }
}

fn lines(args: &LoadArgs) -> Result<Job, Failure> {
    refuse(args.method.is_some(), "-X is for http:// targets")?;
    refuse(!args.headers.is_empty(), "-H is for http:// targets")?;
    refuse(args.body.is_some(), "--body is for http:// targets")?;
    refuse(args.more.status.is_some(), "--status is for http:// targets")?;
    refuse(args.more.fresh, "--fresh is for http:// targets")?;
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
