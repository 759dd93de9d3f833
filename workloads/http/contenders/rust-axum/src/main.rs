//! FrameworkBenchmarks' tests on axum.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{HeaderValue, SERVER};
use axum::http::StatusCode;
use axum::routing::get;
use axum::serve::ListenerExt;
use axum::{Json, Router};
use serde::Serialize;
use tokio::net::{TcpListener, TcpSocket};
use tower_http::set_header::SetResponseHeaderLayer;
use world::{Error, Row, World};

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

async fn db(State(world): State<Arc<World>>) -> Result<Json<Row>, (StatusCode, String)> {
    let row = world.random_row().await;
    row.map(Json)
        .map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}

/// hyper, below, adds Date and Content-Length.
fn application(world: Option<World>) -> Router {
    let mut router = Router::new()
        .route("/plaintext", get(plaintext))
        .route("/json", get(json));
    if let Some(world) = world {
        let db = Router::new().route("/db", get(db));
        router = router.merge(db.with_state(Arc::new(world)));
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
