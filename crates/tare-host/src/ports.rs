//! Free ports for contenders.

use std::collections::{BTreeSet, VecDeque};
use std::net::{IpAddr, TcpListener};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::sync::Mutex;

use crate::error::{HostError, Result};
use crate::sys;

/// Ports that this process gave out: none is given twice while there are others.
static GIVEN: Mutex<Given> = Mutex::new(Given {
    ports: BTreeSet::new(),
    claims: VecDeque::new(),
});

struct Given {
    ports: BTreeSet<u16>,
    /// Claims on the latest of them, the oldest first.
    claims: VecDeque<UnixListener>,
}

/// The number of ports that are claimed at a time. Whoever got one before these has bound it, or has ended.
const CLAIMS: usize = 64;

/// The lowest port that is given out.
const FROM: u16 = 15_000;

/// A free port of the loopback interface, not bound, so that a contender can bind it.
///
/// It is below the range that the kernel takes ports of outgoing connections from: otherwise a connection of the load
/// could take the port before the contender does. Ports with any socket, even one that lingers from an earlier launch, are
/// skipped, since a contender may not set SO_REUSEADDR.
///
/// # Errors
/// [`HostError::Other`] if none is left.
pub fn free_port() -> Result<u16> {
    let (outgoing_from, _) = tare_sys::proc::outgoing_ports();
    let end = outgoing_from.max(FROM + 1);
    let mut given = GIVEN.lock().expect("no thread panics while it holds this");
    // Two tares at a time should not try the same ports in the same order.
    let span = u32::from(end - FROM);
    let first = std::process::id().wrapping_mul(97) % span;
    for _ in 0..2 {
        let candidates = (0..span).map(|step| FROM + ((first + step) % span) as u16);
        for port in candidates {
            if given.ports.contains(&port) || !sys::can_bind(port) {
                continue;
            }
            let Some(claim) = claim(port) else { continue };
            given.ports.insert(port);
            given.claims.push_back(claim);
            if given.claims.len() > CLAIMS {
                given.claims.pop_front();
            }
            return Ok(port);
        }
        given.ports.clear();
    }
    Err(HostError::Other(format!(
        "no port from {FROM} to {} is free on 127.0.0.1\n\nhint: see which processes hold them with `ss -tlnp`",
        end - 1
    )))
}

/// Keeps other tares from giving out the port until a contender has bound it, which one that is slow to start, or never
/// listens, leaves free for seconds. A name in the abstract namespace is gone with its process, and, like ports, is a
/// network namespace's own. None if another tare has claimed the port.
fn claim(port: u16) -> Option<UnixListener> {
    let name = SocketAddr::from_abstract_name(format!("tare-port-{port}")).ok()?;
    UnixListener::bind_addr(&name).ok()
}

/// A socket that listens on a free port of an address of this machine, and the port: for contenders that inherit a socket.
///
/// # Errors
/// As [`free_port`], or if it cannot listen there.
pub fn listener(host: IpAddr) -> Result<(TcpListener, u16)> {
    let port = free_port()?;
    let listener = TcpListener::bind((host, port));
    let listener = listener.and_then(|listener| sys::lengthen_queue(&listener).map(|()| listener));
    let failed = |error| HostError::Other(format!("cannot listen on {host}:{port}: {error}"));
    Ok((listener.map_err(failed)?, port))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpStream;

    #[test]
    fn ports_are_free_and_given_once() {
        let ports: BTreeSet<u16> = (0..20).map(|_| free_port().unwrap()).collect();
        assert_eq!(ports.len(), 20);
        let held: Vec<TcpListener> = ports
            .iter()
            .filter_map(|&port| TcpListener::bind(("127.0.0.1", port)).ok())
            .collect();
        // Another program of this machine may have taken a few in the meantime.
        assert!(held.len() >= 15, "{} of 20", held.len());
    }

    #[test]
    fn a_port_that_another_tare_gave_out_is_skipped() {
        let port = free_port().unwrap();
        assert!(claim(port).is_none(), "it is claimed");
        let claimed = claim(14_999).expect("no tare gives it out");
        assert!(claim(14_999).is_none());
        drop(claimed);
        assert!(claim(14_999).is_some(), "a claim ends with its socket");
    }

    #[test]
    fn a_port_with_a_connection_that_lingers_is_skipped() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        assert!(!sys::can_bind(port), "it is listened on");
        let client = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let (served, _) = listener.accept().unwrap();
        drop(served); // the side that closes first lingers
        drop(client);
        drop(listener);
        assert!(!sys::can_bind(port), "a closed connection lingers on it");
    }
}
