//! FrameworkBenchmarks' tests on axum.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::header::{HeaderValue, SERVER};
use axum::http::StatusCode;
use axum::routing::get;
use axum::serve::ListenerExt;
use axum::response::Html;
use axum::{Json, Router};
use serde::Serialize;
use tokio::net::{TcpListener, TcpSocket};
use tower_http::set_header::SetResponseHeaderLayer;
use world::{count, Error, Row, World};

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

/// hyper, below, adds Date and Content-Length.
fn application(world: Option<World>) -> Router {
    let mut router = Router::new()
        .route("/plaintext", get(plaintext))
        .route("/json", get(json));
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

fn listen(port: u16) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    socket.listen(BACKLOG)
}

async fn serve(port: u16, connections: usize) -> Result<(), Error> {
    let application = application(World::from_environment(connections).await?);
    // Otherwise the second of two small writes waits for the acknowledgement of the first.
    let listener = listen(port)?.tap_io(|stream| {
        // A connection that breaks concerns nobody but its peer.
        stream.set_nodelay(true).ok();
    });
    Ok(axum::serve(listener, application).await?)
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
        .enable_time() // axum waits a second where it cannot accept
        .build()?;
    // Spawned, so that it runs on a worker and not on the main thread beside them.
    runtime.block_on(async move { tokio::spawn(serve(port, threads)).await? })
}
