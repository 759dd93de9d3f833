//! Limits of the kernel that a load or a profile may meet.

use std::fs;

/// What the kernel allows; none if it does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelLimits {
    /// Connections that may wait for a listener (`net.core.somaxconn`).
    pub backlog: Option<u64>,
    /// Ports for outgoing connections, for each source address and server (`net.ipv4.ip_local_port_range`).
    pub ports: Option<u32>,
    /// Who may sample stacks (`kernel.perf_event_paranoid`); none if the kernel has no perf events.
    pub perf_paranoid: Option<i64>,
}

impl KernelLimits {
    /// Reads them from `/proc/sys`.
    pub fn read() -> Self {
        let text = |name: &str| fs::read_to_string(format!("/proc/sys/{name}")).ok();
        Self {
            backlog: text("net/core/somaxconn").and_then(|text| text.trim().parse().ok()),
            ports: text("net/ipv4/ip_local_port_range").and_then(|text| ports(&text)),
            perf_paranoid: text("kernel/perf_event_paranoid").and_then(|text| text.trim().parse().ok()),
        }
    }
}

/// How many ports a range (`FIRST LAST`) has.
fn ports(range: &str) -> Option<u32> {
    let mut ends = range.split_ascii_whitespace().map(str::parse::<u32>);
    let (low, high) = (ends.next()?.ok()?, ends.next()?.ok()?);
    high.checked_add(1)?.checked_sub(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_ports_is_counted() {
        assert_eq!(
            (ports("32768\t60999\n"), ports("60000 61000")),
            (Some(28_232), Some(1001))
        );
        assert_eq!((ports(""), ports("9 1"), ports("x y")), (None, None, None));
    }

    #[test]
    fn this_kernel_has_a_backlog_and_ports() {
        let limits = KernelLimits::read();
        assert!(limits.backlog.is_some() && limits.ports.is_some(), "{limits:?}");
    }
}
