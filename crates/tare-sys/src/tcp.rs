//! The kernel's TCP counters, so that a measurement can say what was lost on the way.

use std::fs;

/// Counters since boot, of the calling thread's network namespace; 0 where the kernel does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Segments sent again.
    pub retransmits: u64,
    /// Connections that found a listener's backlog full. ListenDrops counts these and other drops at listeners,
    /// ListenOverflows only these, so the larger of the two is what was dropped.
    pub overflows: u64,
}

impl Counters {
    /// The counters as they are now.
    pub fn read() -> Self {
        let netstat = fs::read_to_string("/proc/thread-self/net/netstat").unwrap_or_default();
        let snmp = fs::read_to_string("/proc/thread-self/net/snmp").unwrap_or_default();
        Self::parse(&netstat, &snmp)
    }

    fn parse(netstat: &str, snmp: &str) -> Self {
        let of = |text, table, name| field(text, table, name).unwrap_or(0);
        Self {
            retransmits: of(snmp, "Tcp:", "RetransSegs"),
            overflows: of(netstat, "TcpExt:", "ListenOverflows").max(of(netstat, "TcpExt:", "ListenDrops")),
        }
    }

    /// The increase since an earlier reading.
    pub fn since(self, earlier: Self) -> Self {
        Self {
            retransmits: self.retransmits.saturating_sub(earlier.retransmits),
            overflows: self.overflows.saturating_sub(earlier.overflows),
        }
    }
}

/// A table is a line of names and then a line of values, both beginning with the table's name.
fn field(text: &str, table: &str, name: &str) -> Option<u64> {
    let mut lines = text
        .lines()
        .filter(|line| line.split_whitespace().next() == Some(table));
    let names = lines.next()?.split_whitespace();
    let values = lines.next()?.split_whitespace();
    names
        .zip(values)
        .find(|(found, _)| *found == name)?
        .1
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NETSTAT: &str =
        "TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 0 3 5\nIpExt: InOctets\nIpExt: 9\n";
    const SNMP: &str = "Tcp: RtoAlgorithm MaxConn RetransSegs InErrs\nTcp: 1 -1 12 0\n";

    #[test]
    fn counters_are_found_by_name() {
        assert_eq!(
            Counters::parse(NETSTAT, SNMP),
            Counters {
                retransmits: 12,
                overflows: 5
            }
        );
    }

    #[test]
    fn what_is_missing_is_zero() {
        assert_eq!(Counters::parse("", "Tcp: RetransSegs\n"), Counters::default());
        assert_eq!(Counters::parse("TcpExt: A\nTcpExt: 1\n", SNMP).overflows, 0);
    }
}
