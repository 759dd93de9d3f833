//! Listeners and streams of every family of sockets.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tare_load::Address;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Family {
    V4,
    V6,
    Unix,
    /// TLS over IPv4, ended by a server before this one.
    Tls,
}

impl Family {
    /// Whether this machine has it: some have no IPv6.
    pub fn is_here(self) -> bool {
        Listener::bind(self).is_ok()
    }
}

pub enum Listener {
    Tcp(TcpListener),
    /// With its path, which is removed with it.
    Unix(UnixListener, PathBuf),
}

impl Listener {
    /// Listens at an address of its own.
    pub fn bind(family: Family) -> io::Result<(Self, Address)> {
        let at = match family {
            Family::V4 | Family::Tls => "127.0.0.1:0",
            Family::V6 => "[::1]:0",
            Family::Unix => {
                static NEXT: AtomicU32 = AtomicU32::new(0);
                let number = NEXT.fetch_add(1, Ordering::Relaxed);
                let name = format!("tare-lies-{}-{number}", std::process::id());
                let path = std::env::temp_dir().join(name);
                let listener = UnixListener::bind(&path)?;
                return Ok((Self::Unix(listener, path.clone()), Address::Unix(path)));
            }
        };
        let listener = TcpListener::bind(at)?;
        let address = listener.local_addr()?.into();
        Ok((Self::Tcp(listener), address))
    }

    pub fn accept(&self) -> io::Result<Stream> {
        match self {
            Self::Tcp(listener) => {
                let (stream, _) = listener.accept()?;
                stream.set_nodelay(true)?;
                Ok(Stream::Tcp(stream))
            }
            Self::Unix(listener, _) => listener.accept().map(|(stream, _)| Stream::Unix(stream)),
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Self::Unix(_, path) = self {
            let _ = std::fs::remove_file(path);
        }
    }
}

pub enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Stream {
    pub fn try_clone(&self) -> io::Result<Self> {
        match self {
            Self::Tcp(stream) => stream.try_clone().map(Self::Tcp),
            Self::Unix(stream) => stream.try_clone().map(Self::Unix),
        }
    }

    /// Ends its own direction or both.
    pub fn end(&self, both: bool) {
        let how = if both { Shutdown::Both } else { Shutdown::Write };
        let _ = match self {
            Self::Tcp(stream) => stream.shutdown(how),
            Self::Unix(stream) => stream.shutdown(how),
        };
    }

    /// Connects, and closes again.
    pub fn knock(address: &Address) {
        let _ = address.reach(Duration::from_millis(100));
    }
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(into),
            Self::Unix(stream) => stream.read(into),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            Self::Unix(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
