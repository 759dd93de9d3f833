//! FrameworkBenchmarks' tests on hyper alone: a task a connection, paths matched by hand.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{HeaderValue, CONTENT_TYPE, SERVER};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde::Serialize;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use world::{count, Error, World};

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

async fn serve(stream: TcpStream, world: Arc<Option<World>>) -> Result<(), Error> {
    stream.set_nodelay(true)?;
    let service = service_fn(move |request| handle(request, world.clone()));
    let mut http = http1::Builder::new();
    // The answers to pipelined requests leave together.
    http.pipeline_flush(true);
    Ok(http.serve_connection(TokioIo::new(stream), service).await?)
}

async fn accept_all(listener: TcpListener, world: Arc<Option<World>>) {
    loop {
        // An accept that fails is one connection lost (it was reset, or descriptors ran out), not the server.
        if let Ok((stream, _)) = listener.accept().await {
            let world = world.clone();
            // A connection that breaks concerns nobody but its peer.
            tokio::spawn(async move { serve(stream, world).await.ok() });
        }
    }
}

fn listen(port: u16) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    socket.listen(BACKLOG)
}

fn main() -> Result<(), Error> {
    let mut args = std::env::args().skip(1);
    let (Some(port), Some(threads)) = (args.next(), args.next()) else {
        return Err("usage: server PORT THREADS".into());
    };
    let (port, threads) = (port.parse()?, threads.parse()?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_io()
        .build()?;
    runtime.block_on(async move {
        let world = World::from_environment(threads).await?;
        let listener = listen(port)?;
        // Spawned, so that it runs on a worker and not on the main thread beside them.
        tokio::spawn(accept_all(listener, Arc::new(world))).await?;
        Ok(())
    })
}
