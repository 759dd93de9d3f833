//! @SUMMARY@
//! A thread a connection; requests may follow each other without waiting.

use std::io::{BufRead, BufReader, Read, Result, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsRawFd;

const BODY: &[u8] = @EXPECT@;
/// No line of a request's head is longer.
const LONGEST: u64 = 65536;

/// Reads one request; its body's length. None: the connection has ended.
fn head(reader: &mut impl BufRead) -> Result<Option<u64>> {
    let (mut line, mut length) = (String::new(), 0);
    loop {
        line.clear();
        reader.by_ref().take(LONGEST).read_line(&mut line)?;
        if !line.ends_with('\n') {
            return Ok(None);
        }
        if line.trim_end().is_empty() {
            return Ok(Some(length));
        }
        if let Some((name, value)) = line.split_once(':') {
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().unwrap_or(0);
            }
        }
    }
}

fn serve(stream: TcpStream) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut reply = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
        BODY.len()
    )
    .into_bytes();
    reply.extend_from_slice(BODY);
    let mut reader = BufReader::new(&stream);
    let mut out = Vec::new();
    while let Some(length) = head(&mut reader)? {
        std::io::copy(&mut reader.by_ref().take(length), &mut std::io::sink())?;
        out.extend_from_slice(&reply);
        if reader.buffer().is_empty() {
            (&stream).write_all(&out)?;
            out.clear();
        }
    }
    Ok(())
}

@LISTEN@
