//! FrameworkBenchmarks' tests on hyper alone: a task a connection, paths matched by hand. Over TLS by rustls.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{HeaderValue, CONTENT_TYPE, SERVER};
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use secured::acceptor;
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_rustls::TlsAcceptor;
use world::{count, Error, World};

#[path = "../with/secured.rs"]
mod secured;
#[path = "../with/world.rs"]
mod world;

const BACKLOG: u32 = 4096;

#[derive(Serialize)]
struct Message {
    message: &'static str,
}

type Answer = Response<Full<Bytes>>;

/// hyper adds Date and Content-Length.
fn answer(kind: &'static str, body: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(body.into()));
    let headers = answer.headers_mut();
    headers.insert(SERVER, HeaderValue::from_static("hyper"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

fn json(value: &impl Serialize) -> Result<Answer, Error> {
    Ok(answer("application/json", serde_json::to_vec(value)?))
}

fn missing() -> Answer {
    let mut answer = answer("text/plain", "");
    *answer.status_mut() = StatusCode::NOT_FOUND;
    answer
}

async fn handle(request: Request<Incoming>, world: Arc<Option<World>>) -> Result<Answer, Error> {
    if request.method() != Method::GET {
        return Ok(missing());
    }
    let query = request.uri().query();
    match (request.uri().path(), &*world) {
        ("/plaintext", _) => Ok(answer("text/plain", "Hello, World!")),
        ("/json", _) => json(&Message {
            message: "Hello, World!",
        }),
        ("/db", Some(world)) => json(&world.random_row().await?),
        ("/queries", Some(world)) => json(&world.random_rows(count(query, "queries")).await?),
        ("/cached-queries", Some(world)) => json(&world.cached_rows(count(query, "count"))?),
        ("/updates", Some(world)) => json(&world.updated_rows(count(query, "queries")).await?),
        ("/fortunes", Some(world)) => Ok(answer("text/html; charset=utf-8", world.fortunes().await?)),
        _ => Ok(missing()),
    }
}

/// How clients are spoken to.
#[derive(Clone)]
enum Scheme {
    Http1,
    /// In clear, as the client knows beforehand.
    Http2,
    /// HTTP/1.1 or HTTP/2, as the client chooses.
    Tls(TlsAcceptor),
}

impl Scheme {
    fn new(name: &str, certificate: &str, key: &str) -> Result<Self, Error> {
        match name {
            "http" => Ok(Scheme::Http1),
            "h2c" => Ok(Scheme::Http2),
            "https" | "h2" => Ok(Scheme::Tls(acceptor(certificate, key)?)),
            other => Err(format!("unknown scheme: {other}").into()),
        }
    }
}

async fn serve(stream: TcpStream, scheme: Scheme, world: Arc<Option<World>>) -> Result<(), Error> {
    stream.set_nodelay(true)?;
    match scheme {
        Scheme::Http1 => serve_http1(stream, world).await,
        Scheme::Http2 => serve_http2(stream, world).await,
        Scheme::Tls(acceptor) => {
            let stream = acceptor.accept(stream).await?;
            if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
                serve_http2(stream, world).await
            } else {
                serve_http1(stream, world).await
            }
        }
    }
}

async fn serve_http1<S>(stream: S, world: Arc<Option<World>>) -> Result<(), Error>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let service = service_fn(move |request| handle(request, world.clone()));
    let mut http = http1::Builder::new();
    // The answers to pipelined requests leave together.
    http.pipeline_flush(true);
    Ok(http.serve_connection(TokioIo::new(stream), service).await?)
}

async fn serve_http2<S>(stream: S, world: Arc<Option<World>>) -> Result<(), Error>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let service = service_fn(move |request| handle(request, world.clone()));
    let http = http2::Builder::new(TokioExecutor::new());
    Ok(http.serve_connection(TokioIo::new(stream), service).await?)
}

async fn accept_all(listener: TcpListener, scheme: Scheme, world: Arc<Option<World>>) {
    loop {
        // An accept that fails is one connection lost (it was reset, or descriptors ran out), not the server.
        if let Ok((stream, _)) = listener.accept().await {
            let (scheme, world) = (scheme.clone(), world.clone());
            // A connection that breaks concerns nobody but its peer.
            tokio::spawn(async move { serve(stream, scheme, world).await.ok() });
        }
    }
}

/// Where to listen: on loopback, unless other machines are to reach it.
fn host() -> Result<Ipv4Addr, std::net::AddrParseError> {
    std::env::var("HOST").map_or(Ok(Ipv4Addr::LOCALHOST), |host| host.parse())
}

fn listen(host: Ipv4Addr, port: u16) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(SocketAddr::from((host, port)))?;
    socket.listen(BACKLOG)
}

fn main() -> Result<(), Error> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [port, threads, scheme, certificate, key] = args.as_slice() else {
        return Err("usage: server PORT THREADS SCHEME CERTIFICATE KEY".into());
    };
    let (port, threads) = (port.parse()?, threads.parse()?);
    let scheme = Scheme::new(scheme, certificate, key)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_io()
        .build()?;
    runtime.block_on(async move {
        let world = World::from_environment(threads).await?;
        let listener = listen(host()?, port)?;
        // Spawned, so that it runs on a worker and not on the main thread beside them.
        tokio::spawn(accept_all(listener, scheme, Arc::new(world))).await?;
        Ok(())
    })
}
