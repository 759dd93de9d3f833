//! An address of this machine that containers reach, where the services of their case listen. Each container has a link to it,
//! a pair of virtual interfaces. The kernel removes a pair with the namespace that one end is in: so nothing of it outlives
//! tare.

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::time::Duration;

use tare_model::fault::{Fault, FaultKind};
use tare_sys::network::Namespace;

use super::call::{Said, call};
use crate::command;
use crate::error::{HostError, Result};

/// Networks of this form are tare's: 10.78.N.0/24, one for each run. The machine's end of all links is 10.78.N.1.
const FIRST: [u8; 2] = [10, 78];

/// How long one change of the machine's interfaces may take.
const WITHIN: Duration = Duration::from_secs(20);

/// An address of this machine that containers reach. It is gone when this is dropped and their containers have ended.
#[derive(Debug)]
pub struct HostAddress {
    ip: PathBuf,
    network: u8,
    /// The last address that was given to an end.
    last: AtomicU8,
    /// Holds the address from the beginning: the other end of its first link is in it.
    anchor: Namespace,
}

impl HostAddress {
    /// A new address, which services can listen on at once.
    ///
    /// # Errors
    /// `NoService` without the program `ip`, or if the kernel has no such interfaces; with a hint.
    pub fn new() -> std::result::Result<Self, Fault> {
        let ip = command::find("ip", None).ok_or_else(no_program)?;
        let anchor = Namespace::new().map_err(|error| not_linked(&HostError::Other(error.to_string())))?;
        let network = free_network(&ip).map_err(|error| not_linked(&error))?;
        let made = Self {
            ip,
            network,
            last: AtomicU8::new(1),
            anchor,
        };
        made.attach(&made.anchor).map_err(|error| not_linked(&error))?;
        Ok(made)
    }

    /// The address.
    pub fn address(&self) -> Ipv4Addr {
        self.at(1)
    }

    fn at(&self, last: u8) -> Ipv4Addr {
        Ipv4Addr::new(FIRST[0], FIRST[1], self.network, last)
    }

    /// Gives a network namespace a link to it.
    pub(super) fn attach(&self, namespace: &Namespace) -> Result<()> {
        let number = self.last.fetch_add(1, Ordering::Relaxed).checked_add(1);
        let number = number.filter(|number| *number < u8::MAX).ok_or_else(|| {
            HostError::Other("a run has links for 253 containers; start the run again".to_owned())
        })?;
        let (own, other) = (self.address().to_string(), self.at(number).to_string());
        let name = next_name()?;
        let there = namespace.path().display().to_string();
        self.change(&[
            "link", "add", &name, "type", "veth", "peer", "name", "eth0", "netns", &there,
        ])?;
        self.change(&["address", "add", &own, "dev", &name])?;
        self.change(&["link", "set", &name, "up"])?;
        self.change(&["route", "add", &other, "dev", &name, "src", &own])?;
        let _stay = namespace
            .enter()
            .map_err(HostError::on("enter", "the network namespace of a container"))?;
        self.change(&["address", "add", &other, "dev", "eth0"])?;
        self.change(&["link", "set", "eth0", "up"])?;
        self.change(&["route", "add", &own, "dev", "eth0", "src", &other])
    }

    fn change(&self, words: &[&str]) -> Result<()> {
        let said = ask(&self.ip, words)?;
        if said.status.success() {
            return Ok(());
        }
        Err(HostError::Other(format!(
            "`ip {}` failed: {}",
            words.join(" "),
            said.failure()
        )))
    }
}

/// A name for an interface of this process: at most 15 characters, of which a process id takes up to seven. Several addresses
/// share the numbers.
fn next_name() -> Result<String> {
    static LAST: AtomicU32 = AtomicU32::new(0);
    let number = LAST.fetch_add(1, Ordering::Relaxed);
    let digit = |place: u32| char::from_digit(number / 36_u32.pow(place) % 36, 36).unwrap_or('0');
    if number >= 36_u32.pow(3) {
        return Err(HostError::Other(
            "this process has made links for 46656 containers; start the run again".to_owned(),
        ));
    }
    Ok(format!(
        "tare{}-{}{}{}",
        std::process::id(),
        digit(2),
        digit(1),
        digit(0)
    ))
}

fn ask(ip: &PathBuf, words: &[&str]) -> Result<Said> {
    let mut command = Command::new(ip);
    command.args(words);
    call(command, WITHIN)
}

/// A network that no interface of this machine is in.
fn free_network(ip: &PathBuf) -> Result<u8> {
    let first = std::process::id() % 254;
    for step in 0..254 {
        let network = ((first + step) % 254 + 1) as u8;
        let range = format!("{}.{}.{network}.0/24", FIRST[0], FIRST[1]);
        let said = ask(ip, &["-4", "-oneline", "address", "show", "to", &range])?;
        if said.status.success() && said.out.trim().is_empty() {
            return Ok(network);
        }
    }
    Err(HostError::Other(format!(
        "every network {}.{}.N.0/24 is in use",
        FIRST[0], FIRST[1]
    )))
}

fn no_program() -> Fault {
    let text = "a container reaches a service over a link that the program `ip` makes, which is missing\n\nhint: apt-get install \
                --no-install-recommends iproute2";
    Fault::new(FaultKind::NoService, text)
}

fn not_linked(error: &HostError) -> Fault {
    let text = format!(
        "no link between containers and services: {error}\n\nhint: it takes CAP_NET_ADMIN, and a kernel with veth interfaces; \
         name the cases without services in `cases`"
    );
    Fault::new(FaultKind::NoService, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn names_of_links_are_short_and_all_different() {
        let names: Vec<String> = (0..100).map(|_| next_name().unwrap()).collect();
        assert!(names.iter().all(|name| name.len() <= 15), "{names:?}");
        let different: std::collections::HashSet<&String> = names.iter().collect();
        assert_eq!(different.len(), names.len());
    }

    #[test]
    fn what_listens_at_the_address_is_reached_from_a_namespace_and_is_gone_with_it() {
        // Needs root and veth.
        let made = match HostAddress::new() {
            Ok(made) => made,
            Err(fault) => {
                println!("{fault}");
                assert!(fault.detail.contains("hint: "), "{fault}");
                return;
            }
        };
        let listener = TcpListener::bind((made.address(), 0)).unwrap();
        let at = listener.local_addr().unwrap();
        let inside = Namespace::new().unwrap();
        made.attach(&inside).unwrap();
        {
            let _stay = inside.enter().unwrap();
            assert!(TcpStream::connect(at).is_ok());
        }
        assert!(TcpStream::connect(at).is_ok(), "this machine reaches it, too");
        let address = made.address();
        drop((inside, made));
        drop(listener);
        let gone = || TcpListener::bind((address, 0)).is_err();
        // The kernel removes a namespace a moment after its last use.
        let began = std::time::Instant::now();
        while !gone() {
            assert!(
                began.elapsed() < Duration::from_secs(60),
                "{address} is still there"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
