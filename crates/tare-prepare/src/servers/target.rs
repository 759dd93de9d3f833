//! A server as its URL says it, and what is asked of it.

use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use tare_load::{Address, Target, job};
use tare_tls::Client;

use super::asked::What;
use super::error::ServersError;
use super::request::{LoadRequest, Whereabouts};
use super::scheme::{self, refuse_in_clear, usual_port};
use super::secure;
use super::there::is_here;
use super::url::{Url, parse};

type Result<T> = std::result::Result<T, ServersError>;

/// A server, and what is asked of it.
pub(super) struct Asked {
    pub(super) address: Address,
    what: What,
    /// What secures connections; none in clear.
    client: Option<Client>,
}

/// The server of a URL, and what is to be sent to it.
pub(super) fn target(url: &str, request: &LoadRequest) -> Result<Asked> {
    let parts = parse(url)?;
    let scheme = scheme::of(url, &parts, request.http)?;
    refuse_in_clear(scheme, request)?;
    let what = What::of(url, (&parts, scheme), request)?;
    let address = place(&parts, usual_port(scheme), request)?;
    let client = || secure::client(url, &parts.host, scheme.speech, &request.tls);
    Ok(Asked {
        address,
        what,
        client: scheme.secure.then(client).transpose()?,
    })
}

impl Asked {
    /// The kind of its job: only servers of one kind can be compared.
    pub(super) fn kind(&self) -> &'static str {
        self.what.kind()
    }

    /// The server with the requests that are sent to it.
    pub(super) fn driven(self, request: &LoadRequest) -> Result<Target> {
        let share = if request.requests.check_whole {
            1.0
        } else {
            job::WHOLE
        };
        let work = self.what.work(&self.address, request.seed);
        let work = work.map_err(ServersError::Job)?.sampled(share);
        let work = match self.client {
            Some(client) => work.over_tls(client),
            None => work,
        };
        Ok(Target::new(self.address, work))
    }
}

/// Where the server listens: where the request says, or else the URL says. `usual`: the default port; 0: the
/// URL must name one.
fn place(url: &Url, usual: u16, request: &LoadRequest) -> Result<Address> {
    match &request.at {
        Some(Whereabouts::Unix(path)) => Ok(Address::Unix(path.clone())),
        Some(Whereabouts::Ip(address)) => Ok(Address::Ip(*address)),
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

#[cfg(test)]
mod tests {
    use super::super::request::{Authorities, InFlight, Requests, TlsRequest};
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
            ("httpx://127.0.0.1/", "over TLS https://, h2://"),
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
        assert!(of(http, send.clone()).contains("--send is for tcp:// and ws:// targets"));
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
        let insecure = LoadRequest {
            tls: TlsRequest {
                insecure: true,
                ..TlsRequest::default()
            },
            ..LoadRequest::default()
        };
        let secured = target("https://127.0.0.1", &insecure).map_err(told).ok().unwrap();
        assert_eq!(secured.address.to_string(), "127.0.0.1:443");
        assert!(secured.client.is_some() && secured.kind() == "http");
        let What::Http(_, options) = secured.what else {
            panic!("it is asked by HTTP")
        };
        assert_eq!(
            (options.host.as_deref(), options.secure),
            (Some("127.0.0.1"), true)
        );
    }

    /// A request with these options, each with a value.
    fn with(options: &str, in_flight: InFlight) -> LoadRequest {
        let mut asked = Requests::default();
        for option in options.split_whitespace() {
            let (name, value) = option.split_once('=').unwrap_or((option, "x"));
            let value = Some(value.to_owned());
            match name {
                "-X" => asked.method = value,
                "--body" => asked.body = value,
                "--send" => asked.send = value,
                "--expect" => asked.expect = value.into_iter().collect(),
                "--fresh" => asked.fresh = true,
                "--server-streaming" => asked.server_streaming = true,
                _ => panic!("{name}"),
            }
        }
        LoadRequest {
            requests: asked,
            in_flight,
            ..LoadRequest::default()
        }
    }

    #[test]
    fn streams_of_messages_are_of_grpc_and_come_from_files() {
        let told = |url: &str, options: &str| {
            let asked = target(url, &with(options, InFlight::One)).map(|asked| asked.kind());
            asked.map_err(told)
        };
        let grpc = "grpc://127.0.0.1/a.B/C";
        assert_eq!(told(grpc, "--server-streaming"), Ok("grpc"));
        let why = told("h2c://127.0.0.1/x", "--server-streaming").unwrap_err();
        assert!(why.contains("--server-streaming is for grpc:// targets"), "{why}");
        let why = told(grpc, "--server-streaming --expect=x").unwrap_err();
        assert!(why.contains("--expect @FILE"), "{why}");
    }

    #[test]
    fn each_kind_of_server_has_its_options() {
        let (h2c, grpc, ws) = ("h2c://127.0.0.1/x", "grpc://127.0.0.1/a.B/C", "ws://127.0.0.1/");
        let (streams, pipelined) = (InFlight::Streams(3), InFlight::Pipelined(3));
        for (url, in_flight, options, expected) in [
            (h2c, streams, "-X", "http"),
            (grpc, streams, "--body --expect", "grpc"),
            (ws, pipelined, "--send", "ws"),
        ] {
            let kind = target(url, &with(options, in_flight)).map(|asked| asked.kind());
            assert_eq!(kind.map_err(told), Ok(expected));
        }
        for (url, in_flight, options, why) in [
            (
                h2c,
                pipelined,
                "",
                "--pipeline is for http://, tcp:// and ws:// targets",
            ),
            (
                ws,
                streams,
                "--send",
                "--streams is for HTTP/2 (h2c://, h2://, --http 2) and grpc:// targets",
            ),
            (
                "http://127.0.0.1/",
                streams,
                "",
                "--streams is for HTTP/2 (h2c://, h2://, --http 2) and grpc:// targets",
            ),
            (h2c, streams, "--fresh", "--fresh is for http:// targets"),
            (grpc, streams, "-X", "-X is for http:// and h2c:// targets"),
            (
                grpc,
                streams,
                "--expect=@/nonexistent",
                "`/nonexistent` cannot be read",
            ),
            (ws, pipelined, "", "--send TEXT"),
            (
                ws,
                pipelined,
                "--send=@/nonexistent",
                "`/nonexistent` cannot be read",
            ),
            (
                ws,
                pipelined,
                "--send --body",
                "--body is for http://, h2c:// and grpc://",
            ),
        ] {
            let found = refused(url, &with(options, in_flight));
            assert!(found.contains(why), "{url}: {found}");
        }
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
        let What::Http(_, options) = taken.what else {
            panic!("it is asked by HTTP")
        };
        assert_eq!(options.host.as_deref(), Some("192.0.2.1:8080"));
    }

    #[test]
    fn options_of_tls_are_for_connections_over_it() {
        let with = |tls: TlsRequest, urls: &[&str]| LoadRequest {
            tls,
            urls: urls.iter().map(|url| (*url).to_owned()).collect(),
            ..LoadRequest::default()
        };
        let insecure = TlsRequest {
            insecure: true,
            ..TlsRequest::default()
        };
        let clear = "http://127.0.0.1/";
        let text = refused(clear, &with(insecure.clone(), &[clear]));
        assert!(text.contains("--insecure is about TLS"), "{text}");
        // One of several is.
        assert!(target(clear, &with(insecure, &[clear, "HTTPS://127.0.0.1/"])).is_ok());
        let of = |cacert: &str, sni: &str| TlsRequest {
            cacert: Some(Authorities::File(cacert.into())),
            sni: Some(sni.to_owned()),
            ..TlsRequest::default()
        };
        let text = refused("https://127.0.0.1/", &with(of("/nonexistent", "a"), &[]));
        assert!(
            text.contains("`/nonexistent` (--cacert) cannot be read"),
            "{text}"
        );
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().to_str().unwrap();
        let text = refused("https://127.0.0.1/", &with(of(path, "a"), &[]));
        assert!(
            text.contains("no certificate in PEM") && text.contains("BEGIN CERTIFICATE"),
            "{text}"
        );
        let text = refused("https://127.0.0.1/", &with(of(path, "a b"), &[]));
        assert!(
            text.contains("`a b` is not a name") && text.contains("--sni"),
            "{text}"
        );
    }
}
