//! @SUMMARY@
//! A thread a connection. Answers are sent when no whole line is left to answer.

use std::io::{BufRead, BufReader, Read, Result, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::fd::AsRawFd;

/// No line is longer; a connection that sends a longer one is closed.
const LONGEST: u64 = 65536;

@ANSWER@
fn serve(stream: TcpStream) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::with_capacity(65536, &stream);
    let (mut line, mut out) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        reader.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        if line.pop() != Some(b'\n') {
            return Ok(());
        }
        let open = answer(&mut out, &line);
        if !open || !reader.buffer().contains(&b'\n') {
            (&stream).write_all(&out)?;
            out.clear();
        }
        if !open {
            // Closing with bytes unread would reset the connection and may take answers with it.
            stream.shutdown(Shutdown::Write)?;
            std::io::copy(&mut reader, &mut std::io::sink())?;
            return Ok(());
        }
    }
}

@LISTEN@
