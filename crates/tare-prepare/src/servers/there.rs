//! What can be known of a server before it is loaded, where it is a process of this machine.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::time::Duration;

use tare_host::procfs;
use tare_load::Address;

use super::error::ServersError;

/// Whether an address is one of this machine's own. The kernel knows: it reaches its own addresses from the same address,
/// others from a different one. Nothing is sent to find out.
pub(super) fn is_here(address: SocketAddr) -> bool {
    let ip = address.ip();
    let any: IpAddr = match ip {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let from = || {
        let socket = UdpSocket::bind((any, 0)).ok()?;
        // Any port except 0, which is not one.
        socket.connect((ip, address.port().max(1))).ok()?;
        Some(socket.local_addr().ok()?.ip())
    };
    ip.is_loopback() || ip.is_unspecified() || from() == Some(ip)
}

/// Refuses an address at which nothing listens: one connection is opened, and closed. Whatever else is wrong with a server
/// the load finds out. `url`: as it was typed.
pub(super) fn refuse_absent(url: &str, address: &Address) -> Result<(), ServersError> {
    const PATIENCE: Duration = Duration::from_secs(1);
    let absent = [io::ErrorKind::ConnectionRefused, io::ErrorKind::NotFound];
    match address.reach(PATIENCE) {
        Err(source) if absent.contains(&source.kind()) => Err(ServersError::NobodyListens {
            url: url.to_owned(),
            address: address.to_string(),
            source,
        }),
        _ => Ok(()),
    }
}

/// The processes that listen at an address, where it is this machine's and all of them can be seen.
pub(super) fn servers(address: &Address) -> Option<Vec<u32>> {
    let Address::Ip(address) = address else {
        return None;
    };
    let pids = is_here(*address).then(procfs::pids)?;
    let sockets = procfs::listeners();
    let mine = sockets.iter().filter(|socket| socket.port == address.port());
    let mut found = mine
        .map(|socket| procfs::holder(std::slice::from_ref(socket), &pids))
        .collect::<Option<Vec<u32>>>()?;
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// Any server can open this many files. Finding its process takes some 10 ms of CPU, since the kernel searches its whole
/// table of connections for listeners: more than a short load of few connections takes.
const FEW: u32 = 256;

/// A remark where the processes that listen at an address may open fewer files than there are connections to come.
pub(super) fn remark(address: &Address, connections: u32) -> Option<String> {
    if connections <= FEW {
        return None;
    }
    let limit = |pid: u32| {
        let limits = fs::read_to_string(format!("/proc/{pid}/limits")).ok()?;
        Some((pid, open_files(&limits)?))
    };
    let limits: Option<BTreeMap<u32, u64>> = servers(address)?.into_iter().map(limit).collect();
    told(&limits?, connections)
}

/// The remark, given the limit of each process.
fn told(limits: &BTreeMap<u32, u64>, connections: u32) -> Option<String> {
    let all = limits
        .values()
        .fold(0, |sum: u64, limit| sum.saturating_add(*limit));
    let (pid, _) = limits.first_key_value()?;
    (all < u64::from(connections)).then(|| {
        format!(
            "the server (process {pid}) may open {all} files, and {connections} connections take one each: raise it with \
             `prlimit --pid {pid} --nofile={0}:{0}`, or start several server processes",
            u64::from(connections) + 100
        )
    })
}

/// The soft limit in `/proc/PID/limits` (proc(5)); unlimited where there is none.
pub(super) fn open_files(limits: &str) -> Option<u64> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))?;
    let soft = line.split_ascii_whitespace().next()?;
    Some(soft.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_too_few_files_are_remarked() {
        let line = "Limit                     Soft Limit           Hard Limit           Units     \n\
                    Max open files            1024                 20000                files     \n";
        assert_eq!(open_files(line), Some(1024));
        assert_eq!(
            open_files("Max open files            unlimited            unlimited            files\n"),
            Some(u64::MAX)
        );
        let limits = |counts: &[u64]| (1..).zip(counts.iter().copied()).collect();
        let text = told(&limits(&[1024, 1024]), 5000).unwrap();
        assert!(
            text.contains("process 1") && text.contains("2048") && text.contains("prlimit --pid 1"),
            "{text}"
        );
        assert_eq!(told(&limits(&[20_000, 20_000]), 30_000), None);
        assert_eq!(
            told(&limits(&[]), 30_000),
            None,
            "nobody listens: the load will tell"
        );
    }

    #[test]
    fn own_addresses_are_here_and_others_are_not() {
        let here = |text: &str| is_here(text.parse().unwrap());
        assert!(here("127.0.0.1:80") && here("127.9.9.9:80") && here("[::1]:80") && here("0.0.0.0:80"));
        // Addresses that are kept for documentation (RFC 5737) belong to no machine.
        assert!(!here("192.0.2.1:80") && !here("198.51.100.7:0") && !here("[2001:db8::1]:80"));
        // The address that this machine reaches others from, if it has one beside loopback.
        let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
        if socket.connect("192.0.2.1:9").is_ok() {
            let own = socket.local_addr().unwrap().ip();
            assert!(is_here(SocketAddr::new(own, 80)), "{own}");
        }
    }

    #[test]
    fn an_address_without_a_listener_is_refused() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address: Address = listener.local_addr().unwrap().into();
        assert!(refuse_absent("x", &address).is_ok());
        drop(listener);
        let error = refuse_absent("x", &address).unwrap_err().to_string();
        assert!(error.contains("nothing listens at 127.0.0.1:"), "{error}");
        let gone = Address::Unix("no/such/socket".into());
        assert!(refuse_absent("x", &gone).is_err());
    }

    #[test]
    fn a_listener_of_our_own_is_found() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address: Address = listener.local_addr().unwrap().into();
        assert_eq!(remark(&address, FEW + 1), None);
        assert_eq!(remark(&address, FEW), None, "not looked for");
        let text = remark(&address, u32::MAX);
        // No process may open four billion files today.
        assert!(text.is_some_and(|text| text.contains(&format!("process {}", std::process::id()))));
    }
}
