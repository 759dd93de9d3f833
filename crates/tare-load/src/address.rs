//! Where a server listens.

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use tare_sys::network::{Namespace, Stay};

/// Connections from one source address, where more are opened than it has ports: the kernel's default range has 28,232, and
/// finding a free one takes longer the fuller the range is.
pub(crate) const PER_SOURCE: u32 = 16_384;

/// Where a server listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// TCP over IPv4 or IPv6.
    Ip(SocketAddr),
    /// The same, in another network namespace.
    Inside(Namespace, SocketAddr),
    /// A Unix stream socket.
    Unix(PathBuf),
}

/// Text that is not an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an address: expected IP:PORT such as 127.0.0.1:8080 or [::1]:8080, or unix:PATH")]
pub struct BadAddress(String);

impl Address {
    /// The address of a port on IPv4 loopback.
    pub fn loopback(port: u16) -> Self {
        Self::Ip(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
    }

    /// Opens one connection, and closes it.
    ///
    /// # Errors
    /// What the kernel says; `ConnectionRefused` or `NotFound` where nothing listens.
    pub fn reach(&self, patience: Duration) -> io::Result<()> {
        let _stay = self.enter()?;
        match self {
            Address::Ip(address) | Address::Inside(_, address) => {
                TcpStream::connect_timeout(address, patience).map(drop)
            }
            Address::Unix(path) => UnixStream::connect(path).map(drop),
        }
    }

    /// Its IP address, in whichever network namespace.
    pub(crate) fn ip(&self) -> Option<&SocketAddr> {
        match self {
            Address::Ip(address) | Address::Inside(_, address) => Some(address),
            Address::Unix(_) => None,
        }
    }

    /// Moves the calling thread to where sockets for this address are opened, until the result is dropped.
    pub(crate) fn enter(&self) -> io::Result<Option<Stay>> {
        match self {
            Address::Inside(namespace, _) => namespace.enter().map(Some),
            Address::Ip(_) | Address::Unix(_) => Ok(None),
        }
    }

    /// Whether a connection to it is open as soon as it is begun, unless it was dropped: no network lies between.
    pub(crate) fn is_at_hand(&self) -> bool {
        self.ip().is_some_and(|to| to.ip().is_loopback())
    }

    /// The source address of a load program, so that each program has ephemeral ports of its own: 127.0.0.2 and up where the
    /// target is on IPv4 loopback (all of 127.0.0.0/8), none elsewhere.
    pub(crate) fn source(&self, program: u32) -> Option<Ipv4Addr> {
        match self.ip() {
            Some(SocketAddr::V4(to)) if to.ip().is_loopback() => {
                // Never more than 16 million programs, so the sum stays within 127/8.
                let base = u32::from(Ipv4Addr::LOCALHOST);
                Some(Ipv4Addr::from(base + 1 + program % 0x00ff_fff0))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Ip(address) | Address::Inside(_, address) => write!(f, "{address}"),
            Address::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

impl FromStr for Address {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        if let Some(path) = text.strip_prefix("unix:").filter(|path| !path.is_empty()) {
            return Ok(Self::Unix(path.into()));
        }
        text.parse()
            .map(Self::Ip)
            .map_err(|_| BadAddress(text.to_owned()))
    }
}

impl From<SocketAddr> for Address {
    fn from(address: SocketAddr) -> Self {
        Self::Ip(address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_from_their_own_text() {
        for text in ["127.0.0.1:80", "[::1]:8080", "unix:/run/x.sock"] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
        assert!("localhost".parse::<Address>().is_err());
        assert!("unix:".parse::<Address>().is_err());
    }

    #[test]
    fn an_address_in_another_namespace_is_another_one() {
        use tare_sys::network::Namespace;
        // Without the right to make a namespace there are none to confuse.
        let Ok(namespace) = Namespace::new() else { return };
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let here: Address = listener.local_addr().unwrap().into();
        let there = Address::Inside(namespace, *here.ip().unwrap());
        assert_eq!(here.to_string(), there.to_string());
        assert_ne!(here, there);
        assert!(here.reach(Duration::from_secs(9)).is_ok());
        let refused = there.reach(Duration::from_secs(9)).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
        assert!(here.reach(Duration::from_secs(9)).is_ok(), "this thread is back");
    }

    #[test]
    fn each_program_has_its_own_source_on_ipv4_loopback_only() {
        let local = Address::loopback(1);
        assert_eq!(local.source(0), Some(Ipv4Addr::new(127, 0, 0, 2)));
        assert_eq!(local.source(254), Some(Ipv4Addr::new(127, 0, 1, 0)));
        assert_eq!("[::1]:1".parse::<Address>().unwrap().source(0), None);
        assert_eq!("192.0.2.1:1".parse::<Address>().unwrap().source(0), None);
    }
}
