//! What this machine has of the things that connections take.

use std::fs;

use crate::limits::raise_open_files;
use crate::proc;

/// The kernel's default of `net.core.somaxconn` since Linux 5.4.
const BACKLOG: u64 = 4096;

/// What this machine has; none where the kernel does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resources {
    /// Open files that this process may have.
    pub files: u64,
    /// Ephemeral ports of one source address.
    pub ports: u64,
    /// Connections that may wait to be accepted by a listener.
    pub backlog: u64,
    /// Open files of all processes (`fs.file-max`).
    pub all_files: Option<Quota>,
    /// Bytes of memory that are available without taking them from any process.
    pub memory: Option<u64>,
    /// Connections that the firewall tracks, also over loopback (conntrack); none where it is not loaded.
    pub tracked: Option<Quota>,
    /// Pages for the buffers of all TCP sockets (tcp(7), `tcp_mem`).
    pub tcp_pages: Option<Quota>,
}

/// The part of something that is used, and how much of it there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// What is used.
    pub used: u64,
    /// The most that may be used.
    pub most: u64,
}

impl Quota {
    /// What is left.
    pub fn left(self) -> u64 {
        self.most.saturating_sub(self.used)
    }
}

impl Resources {
    /// What this machine has now. Raises this process's soft limit of open files to the hard one.
    pub fn here() -> Self {
        let text = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let (first, last) = proc::outgoing_ports();
        let tracked = proc::number("/proc/sys/net/netfilter/nf_conntrack_count");
        let most = proc::number("/proc/sys/net/netfilter/nf_conntrack_max");
        let available = proc::labelled(&text("/proc/meminfo"), "MemAvailable:");
        Self {
            files: raise_open_files(),
            ports: (u64::from(last) + 1).saturating_sub(u64::from(first)),
            backlog: backlog(),
            all_files: files(&text("/proc/sys/fs/file-nr")),
            memory: available.map(|kib| kib * 1024),
            // 0: no limit.
            tracked: tracked
                .zip(most.filter(|most| *most > 0))
                .map(|(used, most)| Quota { used, most }),
            tcp_pages: tcp_pages(&text("/proc/sys/net/ipv4/tcp_mem"), &text("/proc/net/sockstat")),
        }
    }
}

/// Connections that may wait to be accepted by a listener (`net.core.somaxconn`).
pub fn backlog() -> u64 {
    proc::number("/proc/sys/net/core/somaxconn").unwrap_or(BACKLOG)
}

/// `file-nr`: allocated, allocated and unused (0 since Linux 2.6), the most.
fn files(text: &str) -> Option<Quota> {
    let mut numbers = text.split_ascii_whitespace().map(str::parse::<u64>);
    let used = numbers.next()?.ok()?;
    let most = numbers.nth(1)?.ok()?;
    Some(Quota { used, most })
}

/// The third number of `tcp_mem`, and what `sockstat` says is used.
fn tcp_pages(tcp_mem: &str, sockstat: &str) -> Option<Quota> {
    let most = tcp_mem.split_ascii_whitespace().nth(2)?.parse().ok()?;
    let tcp = sockstat.lines().find_map(|line| line.strip_prefix("TCP:"))?;
    let mut words = tcp.split_ascii_whitespace().skip_while(|word| *word != "mem");
    let used = words.nth(1)?.parse().ok()?;
    Some(Quota { used, most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_files_are_read() {
        let quota = |used, most| Some(Quota { used, most });
        assert_eq!(files("1997\t0\t2466177\n"), quota(1997, 2_466_177));
        assert_eq!(files("1997"), None);
        let sockstat =
            "sockets: used 346\nTCP: inuse 263 orphan 0 tw 604 alloc 327 mem 12\nUDP: inuse 0 mem 0\n";
        assert_eq!(
            tcp_pages("287901\t383868\t575802\n", sockstat),
            quota(12, 575_802)
        );
        assert_eq!(tcp_pages("1 2\n", sockstat), None);
        assert_eq!(tcp_pages("1 2 3\n", ""), None);
    }

    #[test]
    fn this_machine_has_something_of_each() {
        let here = Resources::here();
        assert!(here.files > 0 && here.ports > 0 && here.backlog > 0, "{here:?}");
        assert!(here.all_files.is_some_and(|quota| quota.left() > 0), "{here:?}");
        assert!(here.memory.is_some_and(|bytes| bytes > 0), "{here:?}");
    }
}
