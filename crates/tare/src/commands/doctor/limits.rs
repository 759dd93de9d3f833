//! Checks on the kernel's limits that a load or a profile may meet.

use tare_load::limits::Headroom;
use tare_rig::doctor::KernelLimits;

use super::{Check, check};

/// What they are, and the command where one is low.
pub fn checks(open_files: u64) -> Vec<Check> {
    let limits = KernelLimits::read();
    let mut checks = vec![files(open_files)];
    checks.extend(limits.backlog.map(backlog));
    checks.extend(limits.ports.map(ports));
    let rooms = tare_load::limits::headroom(WANTED);
    checks.extend(rooms.into_iter().map(room));
    checks.push(profiles(limits.perf_paranoid));
    checks
}

/// Connections that a load may well ask for: where there is room for fewer, a hint says how to make more.
const WANTED: u64 = 50_000;

fn room(room: Headroom) -> Check {
    let short = room.connections < WANTED;
    let hint = room.hint.filter(|_| short).unwrap_or_default();
    let found = format!("room for {} connections over loopback", room.connections);
    check(room.what, found, &hint)
}

fn files(limit: u64) -> Check {
    let most = limit.saturating_sub(100);
    let found = format!("{limit} a process, so up to about {most} connections");
    let hint = if limit < 6000 {
        "ulimit -n 20000: as root; it applies to what that shell starts"
    } else {
        ""
    };
    check("open files", found, hint)
}

fn backlog(limit: u64) -> Check {
    let hint = if limit < 4096 {
        "sysctl -w net.core.somaxconn=4096"
    } else {
        ""
    };
    check("listen queues", format!("{limit} connections at once"), hint)
}

fn ports(count: u32) -> Check {
    let hint = if count < 20_000 {
        "sysctl -w net.ipv4.ip_local_port_range='1024 65535'"
    } else {
        ""
    };
    check(
        "ports",
        format!("{count} for each source address and server"),
        hint,
    )
}

/// Whether the kernel allows stacks of processes to be sampled.
fn profiles(paranoid: Option<i64>) -> Check {
    match paranoid {
        None => check("profiles", "this kernel has no perf events".to_owned(), ""),
        Some(level) if level > 2 && !tare_host::ordinary::is_root() => {
            let found = format!("root only (perf_event_paranoid is {level})");
            check("profiles", found, "sysctl -w kernel.perf_event_paranoid=1")
        }
        Some(_) => check("profiles", "stacks may be sampled".to_owned(), ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_low_has_a_hint() {
        for (low, high) in [
            (files(1024), files(20_000)),
            (backlog(128), backlog(4096)),
            (ports(1001), ports(28_232)),
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
        assert!(profiles(None).hint.is_empty() && profiles(Some(1)).hint.is_empty());
    }
}
