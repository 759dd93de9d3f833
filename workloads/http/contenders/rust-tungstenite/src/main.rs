//! Echoes messages over WebSocket, by tokio-tungstenite: a task a connection.

use std::error::Error;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_tungstenite::accept_async;

const BACKLOG: u32 = 4096;

type Failure = Box<dyn Error + Send + Sync>;

/// Sends back what comes, until the connection ends. Pings are answered while reading.
async fn echo(stream: TcpStream) -> Result<(), Failure> {
    stream.set_nodelay(true)?;
    let mut socket = accept_async(stream).await?;
    while let Some(message) = socket.next().await {
        let message = message?;
        if message.is_text() || message.is_binary() {
            socket.send(message).await?;
        }
    }
    Ok(())
}

async fn accept_all(listener: TcpListener) {
    loop {
        // An accept that fails is one connection lost (it was reset, or descriptors ran out), not the server.
        if let Ok((stream, _)) = listener.accept().await {
            // A connection that breaks concerns nobody but its peer.
            tokio::spawn(async move { echo(stream).await.ok() });
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

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let (Some(port), Some(threads)) = (args.next(), args.next()) else {
        return Err("usage: server PORT THREADS".into());
    };
    let port = port.parse()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads.parse()?)
        .enable_io()
        .build()?;
    runtime.block_on(async move {
        let listener = listen(host()?, port)?;
        // Spawned, so that it runs on a worker and not on the main thread beside them.
        tokio::spawn(accept_all(listener)).await?;
        Ok(())
    })
}
