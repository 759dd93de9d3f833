//! Doubles integers, one a line: a task a connection, sequential code, tokio's scheduler underneath.

use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};

use bytes::{Buf, BytesMut};
use num_bigint::BigInt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

const MAX_LINE: usize = 64 * 1024;
const BACKLOG: u32 = 4096;
/// Room for at least so much is made before each read.
const READ_SIZE: usize = 4096;

/// What a batch of lines leaves to do.
#[derive(PartialEq)]
enum Next {
    Read,
    Close,
}

fn is_integer(line: &str) -> bool {
    let digits = line.strip_prefix('-').unwrap_or(line);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn answer(line: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    let Some(line) = std::str::from_utf8(line).ok().filter(|line| is_integer(line)) else {
        return writeln!(out, "not an integer");
    };
    match line.parse::<i64>().ok().and_then(|number| number.checked_mul(2)) {
        Some(double) => writeln!(out, "{double}"),
        None => {
            let number: BigInt = line.parse().expect("digits are a number");
            writeln!(out, "{}", number * 2)
        }
    }
}

/// Answers all whole lines; an unfinished one stays in `input`.
fn answer_all(input: &mut BytesMut, out: &mut Vec<u8>) -> io::Result<Next> {
    while let Some(end) = memchr::memchr(b'\n', input) {
        let line = input[..end].strip_suffix(b"\r").unwrap_or(&input[..end]);
        if line == b"end" {
            return Ok(Next::Close);
        }
        answer(line, out)?;
        input.advance(end + 1);
    }
    Ok(if input.len() > MAX_LINE {
        Next::Close
    } else {
        Next::Read
    })
}

async fn serve(mut stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut input = BytesMut::with_capacity(2 * READ_SIZE);
    let mut out = Vec::with_capacity(READ_SIZE);
    loop {
        input.reserve(READ_SIZE);
        if stream.read_buf(&mut input).await? == 0 {
            return Ok(());
        }
        let next = answer_all(&mut input, &mut out)?;
        stream.write_all(&out).await?;
        out.clear();
        if next == Next::Close {
            return Ok(());
        }
    }
}

async fn accept_all(listener: TcpListener) {
    loop {
        // An accept that fails is one connection lost (it was reset, or descriptors ran out), not the server.
        if let Ok((stream, _)) = listener.accept().await {
            // A connection that breaks concerns nobody but its peer.
            tokio::spawn(async move { serve(stream).await.ok() });
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(port), Some(threads)) = (args.next(), args.next()) else {
        return Err("usage: server PORT THREADS".into());
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads.parse()?)
        .enable_io()
        .build()?;
    let (host, port) = (host()?, port.parse()?);
    runtime.block_on(async move {
        let listener = listen(host, port)?;
        // Spawned, so that it runs on a worker and not on the main thread beside them.
        tokio::spawn(accept_all(listener)).await?;
        Ok(())
    })
}
