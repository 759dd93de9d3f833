//! Limits of the kernel that a load or a profile would meet.

use std::fs;

use tare_load::limits::Headroom;

use super::{Finding, finding};

/// What they are, and the command where one is low.
pub fn findings(open_files: u64) -> Vec<Finding> {
    let mut findings = vec![files(open_files)];
    let number = |path: &str| -> Option<i64> { fs::read_to_string(path).ok()?.trim().parse().ok() };
    findings.extend(number("/proc/sys/net/core/somaxconn").map(backlog));
    let range = fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
    findings.extend(ports(&range));
    let rooms = tare_load::limits::headroom(WANTED);
    findings.extend(rooms.into_iter().map(room));
    findings.push(profiles(number("/proc/sys/kernel/perf_event_paranoid")));
    findings
}

/// Connections that a load may well ask for: a machine with room for fewer is told how to make it.
const WANTED: u64 = 50_000;

fn room(room: Headroom) -> Finding {
    let short = room.connections < WANTED;
    let hint = room.hint.filter(|_| short).unwrap_or_default();
    let found = format!("room for {} connections over loopback", room.connections);
    finding(room.what, found, &hint)
}

fn files(limit: u64) -> Finding {
    let most = limit.saturating_sub(100);
    let found = format!("{limit} a process, so up to about {most} connections");
    let hint = if limit < 6000 {
        "ulimit -n 20000: as root; it holds for what that shell starts"
    } else {
        ""
    };
    finding("open files", found, hint)
}

fn backlog(limit: i64) -> Finding {
    let hint = if limit < 4096 {
        "sysctl -w net.core.somaxconn=4096"
    } else {
        ""
    };
    finding("listen queues", format!("{limit} connections at once"), hint)
}

fn ports(range: &str) -> Option<Finding> {
    let mut ends = range.split_ascii_whitespace().map(str::parse::<u32>);
    let (low, high) = (ends.next()?.ok()?, ends.next()?.ok()?);
    let count = (high + 1).checked_sub(low)?;
    let hint = if count < 20_000 {
        "sysctl -w net.ipv4.ip_local_port_range='1024 65535'"
    } else {
        ""
    };
    Some(finding(
        "ports",
        format!("{count} for each source address and server"),
        hint,
    ))
}

/// Whether stacks of processes can be sampled, by the kernel's leave.
fn profiles(paranoid: Option<i64>) -> Finding {
    match paranoid {
        None => finding("profiles", "this kernel has no perf events".to_owned(), ""),
        Some(level) if level > 2 && !tare_host::ordinary::is_root() => {
            let found = format!("root only (perf_event_paranoid is {level})");
            finding("profiles", found, "sysctl -w kernel.perf_event_paranoid=1")
        }
        Some(_) => finding("profiles", "stacks may be sampled".to_owned(), ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_low_has_a_cure() {
        for (low, high) in [
            (files(1024), files(20_000)),
            (backlog(128), backlog(4096)),
            (ports("60000\t61000").unwrap(), ports("32768\t60999\n").unwrap()),
        ] {
            assert!(
                !low.hint.is_empty() && high.hint.is_empty(),
                "{} {}",
                low.hint,
                high.hint
            );
        }
        let of = |connections| {
            room(Headroom {
                what: "x",
                connections,
                hint: Some("sysctl".to_owned()),
            })
        };
        assert_eq!((of(10).hint.as_str(), of(50_000).hint.as_str()), ("sysctl", ""));
        assert!(ports("").is_none() && ports("5 1").is_none());
        assert!(profiles(None).hint.is_empty() && profiles(Some(1)).hint.is_empty());
    }
}
