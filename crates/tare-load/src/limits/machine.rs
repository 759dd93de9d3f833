//! What this machine has, as the kernel tells it.

use std::fs;

use super::BACKLOG;
use crate::reactor;

/// What this machine has; none: the kernel does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Machine {
    /// Open files of one process.
    pub files: u64,
    /// Ephemeral ports of one source address.
    pub ports: u64,
    /// Connections that wait to be accepted.
    pub backlog: u64,
    /// Open files of all processes (`fs.file-max`).
    pub all_files: Option<Quota>,
    /// Bytes of memory that could be had without taking them from anybody.
    pub memory: Option<u64>,
    /// Connections that a firewall keeps track of, loopback's too; none: it is not loaded.
    pub tracked: Option<Quota>,
    /// Pages for TCP's buffers.
    pub buffers: Option<Buffers>,
}

/// So much of something is used, of so much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quota {
    pub used: u64,
    pub most: u64,
}

/// Pages for the buffers of all TCP sockets (tcp(7), `tcp_mem`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Buffers {
    pub quota: Quota,
}

impl Quota {
    pub fn left(self) -> u64 {
        self.most.saturating_sub(self.used)
    }
}

impl Buffers {
    /// The command that leaves so many pages: under half of the whole the kernel is at ease, over three quarters it saves.
    pub fn hint(self, need: u64) -> String {
        let most = self.quota.used + need;
        format!(
            "sysctl -w net.ipv4.tcp_mem='{} {} {most}'",
            most / 2,
            most * 3 / 4
        )
    }
}

impl Machine {
    pub fn here() -> Self {
        let text = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let tracked = number("/proc/sys/net/netfilter/nf_conntrack_count");
        let most = number("/proc/sys/net/netfilter/nf_conntrack_max");
        Self {
            files: reactor::raise_open_files().unwrap_or(0),
            ports: range(&text("/proc/sys/net/ipv4/ip_local_port_range")).unwrap_or(60_999 - 32_768 + 1),
            backlog: backlog(),
            all_files: files(&text("/proc/sys/fs/file-nr")),
            memory: available(&text("/proc/meminfo")),
            // 0: without an end.
            tracked: tracked
                .zip(most.filter(|most| *most > 0))
                .map(|(used, most)| Quota { used, most }),
            buffers: buffers(&text("/proc/sys/net/ipv4/tcp_mem"), &text("/proc/net/sockstat")),
        }
    }
}

/// How many connections may wait to be accepted.
pub(super) fn backlog() -> u64 {
    number("/proc/sys/net/core/somaxconn").unwrap_or(BACKLOG)
}

fn number(path: &str) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// How many ports the kernel chooses from.
fn range(text: &str) -> Option<u64> {
    let (low, high) = text.trim().split_once(char::is_whitespace)?;
    let (low, high) = (low.parse::<u64>().ok()?, high.trim().parse::<u64>().ok()?);
    (high + 1).checked_sub(low)
}

/// `file-nr`: allocated, allocated and unused (0 since Linux 2.6), the most (proc(5)).
fn files(text: &str) -> Option<Quota> {
    let mut numbers = text.split_ascii_whitespace().map(str::parse::<u64>);
    let used = numbers.next()?.ok()?;
    let most = numbers.nth(1)?.ok()?;
    Some(Quota { used, most })
}

/// `MemAvailable`, in bytes.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kib * 1024)
}

/// The third of `tcp_mem`, and what `sockstat` says is used.
fn buffers(tcp_mem: &str, sockstat: &str) -> Option<Buffers> {
    let most = tcp_mem.split_ascii_whitespace().nth(2)?.parse().ok()?;
    let tcp = sockstat.lines().find_map(|line| line.strip_prefix("TCP:"))?;
    let mut words = tcp.split_ascii_whitespace().skip_while(|word| *word != "mem");
    let used = words.nth(1)?.parse().ok()?;
    let quota = Quota { used, most };
    Some(Buffers { quota })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_files_are_read() {
        assert_eq!(range("32768\t60999\n"), Some(28_232));
        assert_eq!(range("x"), None);
        let quota = |used, most| Some(Quota { used, most });
        assert_eq!(files("1997\t0\t2466177\n"), quota(1997, 2_466_177));
        assert_eq!(files("1997"), None);
        assert_eq!(
            available("MemTotal: 9 kB\nMemAvailable:   23133220 kB\n"),
            Some(23_133_220 << 10)
        );
        assert_eq!(available("MemTotal: 9 kB\n"), None);
        let sockstat =
            "sockets: used 346\nTCP: inuse 263 orphan 0 tw 604 alloc 327 mem 12\nUDP: inuse 0 mem 0\n";
        let found = buffers("287901\t383868\t575802\n", sockstat).map(|buffers| buffers.quota);
        assert_eq!(found, quota(12, 575_802));
        assert_eq!(buffers("1 2\n", sockstat), None);
        assert_eq!(buffers("1 2 3\n", ""), None);
    }

    #[test]
    fn this_machine_tells() {
        let here = Machine::here();
        assert!(here.files > 0 && here.ports > 0 && here.backlog > 0, "{here:?}");
        assert!(here.all_files.is_some_and(|quota| quota.left() > 0), "{here:?}");
        assert!(here.memory.is_some_and(|bytes| bytes > 0), "{here:?}");
    }
}
