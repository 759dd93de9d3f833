//! What is common to the contenders on axum: the query that asks for a page, and a server.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use axum::http::StatusCode;
use axum::serve::ListenerExt;
use axum::Router;
use serde::Deserialize;
use tokio::net::{TcpListener, TcpSocket};

const BACKLOG: u32 = 4096;

/// A page's size, as the query says.
#[derive(Deserialize)]
pub struct Asked {
    pub rows: u32,
    #[serde(default = "usual_columns")]
    pub columns: u32,
}

fn usual_columns() -> u32 {
    50
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = (StatusCode, String);

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        let query = Query::<Asked>::from_request_parts(parts, state).await;
        let Query(asked) = query.map_err(|why: QueryRejection| (why.status(), why.body_text()))?;
        if !(1..=10_000).contains(&asked.rows) || !(1..=100).contains(&asked.columns) {
            let why = "expected rows=1 to 10000, columns=1 to 100".to_owned();
            return Err((StatusCode::BAD_REQUEST, why));
        }
        Ok(asked)
    }
}

fn listen(port: u16) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    socket.listen(BACKLOG)
}

async fn serve(port: u16, router: Router) -> io::Result<()> {
    let listener = listen(port)?.tap_io(|stream| {
        // A connection that breaks concerns nobody but its peer.
        stream.set_nodelay(true).ok();
    });
    axum::serve(listener, router).await
}

/// Serves on the port and with as many threads as the command line says.
pub fn run(router: Router) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
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
    runtime.block_on(async move { tokio::spawn(serve(port, router)).await? })?;
    Ok(())
}
