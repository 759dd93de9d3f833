//! A unary call of gRPC, by tonic. The module `greeter` is made of workloads/http/shared/grpc/greeter.proto.

use std::error::Error;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use greeter::greeter_server::{Greeter, GreeterServer};
use greeter::{HelloReply, HelloRequest};
use tokio::net::{TcpListener, TcpSocket};
use tonic::transport::server::TcpIncoming;
use tonic::transport::Server;
use tonic::{Request, Response, Status};

mod greeter {
    tonic::include_proto!("tare");
}

const BACKLOG: u32 = 4096;

type Failure = Box<dyn Error + Send + Sync>;

struct Greetings;

#[tonic::async_trait]
impl Greeter for Greetings {
    async fn say_hello(&self, request: Request<HelloRequest>) -> Result<Response<HelloReply>, Status> {
        let message = format!("Hello, {}!", request.into_inner().name);
        Ok(Response::new(HelloReply { message }))
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

async fn serve(port: u16) -> Result<(), Failure> {
    let incoming = TcpIncoming::from(listen(host()?, port)?).with_nodelay(Some(true));
    let server = Server::builder().add_service(GreeterServer::new(Greetings));
    Ok(server.serve_with_incoming(incoming).await?)
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
        .enable_time()
        .build()?;
    // Spawned, so that it runs on a worker and not on the main thread beside them.
    runtime.block_on(async move { tokio::spawn(serve(port)).await? })
}
