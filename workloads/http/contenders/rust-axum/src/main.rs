//! FrameworkBenchmarks' tests on axum, and an echo over WebSocket. Over TLS by rustls.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::ws::{Message as Frame, WebSocket, WebSocketUpgrade};
use axum::extract::{RawQuery, State};
use axum::http::header::{HeaderValue, SERVER};
use axum::http::StatusCode;
use axum::routing::get;
use axum::serve::ListenerExt;
use axum::response::{Html, Response};
use axum::{Json, Router};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use secured::acceptor;
use serde::Serialize;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_rustls::TlsAcceptor;
use tower_http::set_header::SetResponseHeaderLayer;
use world::{count, Error, Row, World};

#[path = "../with/secured.rs"]
mod secured;
#[path = "../with/world.rs"]
mod world;

const BACKLOG: u32 = 4096;

#[derive(Serialize)]
struct Message {
    message: &'static str,
}

async fn plaintext() -> &'static str {
    "Hello, World!"
}

async fn json() -> Json<Message> {
    Json(Message {
        message: "Hello, World!",
    })
}

type Answer<T> = Result<T, (StatusCode, String)>;

fn failed(error: Error) -> (StatusCode, String) {
    (StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}

async fn db(State(world): State<Arc<World>>) -> Answer<Json<Row>> {
    world.random_row().await.map(Json).map_err(failed)
}

async fn queries(State(world): State<Arc<World>>, RawQuery(query): RawQuery) -> Answer<Json<Vec<Row>>> {
    let rows = world.random_rows(count(query.as_deref(), "queries")).await;
    rows.map(Json).map_err(failed)
}

async fn cached_queries(State(world): State<Arc<World>>, RawQuery(query): RawQuery) -> Answer<Json<Vec<Row>>> {
    let rows = world.cached_rows(count(query.as_deref(), "count"));
    rows.map(Json).map_err(failed)
}

async fn updates(State(world): State<Arc<World>>, RawQuery(query): RawQuery) -> Answer<Json<Vec<Row>>> {
    let rows = world.updated_rows(count(query.as_deref(), "queries")).await;
    rows.map(Json).map_err(failed)
}

async fn fortunes(State(world): State<Arc<World>>) -> Answer<Html<String>> {
    world.fortunes().await.map(Html).map_err(failed)
}

async fn ws(upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(echo)
}

/// Sends back what comes, until the connection ends. Pings are answered while receiving.
async fn echo(mut socket: WebSocket) {
    while let Some(Ok(message)) = socket.recv().await {
        let data = matches!(message, Frame::Text(_) | Frame::Binary(_));
        if data && socket.send(message).await.is_err() {
            return;
        }
    }
}

/// hyper, below, adds Date and Content-Length.
fn application(world: Option<World>) -> Router {
    let mut router = Router::new()
        .route("/plaintext", get(plaintext))
        .route("/json", get(json))
        .route("/ws", get(ws));
    if let Some(world) = world {
        let of_database = Router::new()
            .route("/db", get(db))
            .route("/queries", get(queries))
            .route("/cached-queries", get(cached_queries))
            .route("/updates", get(updates))
            .route("/fortunes", get(fortunes));
        router = router.merge(of_database.with_state(Arc::new(world)));
    }
    let server = HeaderValue::from_static("axum");
    router.layer(SetResponseHeaderLayer::overriding(SERVER, server))
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

/// In clear: HTTP/1.1, or HTTP/2 where the client begins with that.
async fn serve(listener: TcpListener, application: Router) -> Result<(), Error> {
    // Otherwise the second of two small writes waits for the acknowledgement of the first.
    let listener = listener.tap_io(|stream| {
        // A connection that breaks concerns nobody but its peer.
        stream.set_nodelay(true).ok();
    });
    Ok(axum::serve(listener, application).await?)
}

/// Over TLS, which axum leaves to whoever accepts.
async fn serve_secured(listener: TcpListener, acceptor: TlsAcceptor, application: Router) -> Result<(), Error> {
    loop {
        // An accept that fails is one connection lost (it was reset, or descriptors ran out), not the server.
        if let Ok((stream, _)) = listener.accept().await {
            let (acceptor, application) = (acceptor.clone(), application.clone());
            tokio::spawn(async move { serve_one(stream, acceptor, application).await.ok() });
        }
    }
}

async fn serve_one(stream: TcpStream, acceptor: TlsAcceptor, application: Router) -> Result<(), Error> {
    stream.set_nodelay(true)?;
    let stream = TokioIo::new(acceptor.accept(stream).await?);
    let http = auto::Builder::new(TokioExecutor::new());
    http.serve_connection(stream, TowerToHyperService::new(application)).await
}

async fn run(port: u16, connections: usize, secured: Option<TlsAcceptor>) -> Result<(), Error> {
    let application = application(World::from_environment(connections).await?);
    let listener = listen(host()?, port)?;
    match secured {
        Some(acceptor) => serve_secured(listener, acceptor, application).await,
        None => serve(listener, application).await,
    }
}

fn main() -> Result<(), Error> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [port, threads, scheme, certificate, key] = args.as_slice() else {
        return Err("usage: server PORT THREADS SCHEME CERTIFICATE KEY".into());
    };
    let (port, threads) = (port.parse()?, threads.parse()?);
    let secured = match scheme.as_str() {
        "https" | "h2" => Some(acceptor(certificate, key)?),
        _ => None,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_io()
        .enable_time() // axum waits a second where it cannot accept
        .build()?;
    // Spawned, so that it runs on a worker and not on the main thread beside them.
    runtime.block_on(async move { tokio::spawn(run(port, threads, secured)).await? })
}
