//! Whether this machine can carry a load, asked before it is begun rather than found out in the middle of it.

use std::fs;

use crate::address::{Address, PER_SOURCE};
use crate::reactor;
use crate::schedule::Schedule;

/// Descriptors that are open besides connections: standard streams, event queues, logs, the store, with room.
const OTHER_FILES: u64 = 64;

/// The least backlog that a batch's server is expected to listen with.
const BACKLOG: u64 = 4096;

/// A limit of this machine that a load would meet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {need} are needed, {found} are there; {cure}")]
pub struct LimitError {
    /// Of what there is too little.
    pub what: &'static str,
    /// How much of it the load needs.
    pub need: u64,
    /// How much there is.
    pub found: u64,
    /// What helps.
    pub cure: String,
}

/// What this machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Machine {
    files: u64,
    ports: u64,
    backlog: u64,
}

/// Levels of connections that were cut to what this machine can carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The levels that are left; at least one.
    pub levels: Vec<u32>,
    /// Which ones are not, and why; none: all are left.
    pub remark: Option<String>,
}

/// Cuts levels of connections to those that this machine can carry, where so many `targets` hold their connections
/// at the same time (contenders that take turns keep theirs).
///
/// # Errors
/// The limit that the lowest level meets, if none is left.
pub fn cut(levels: &[u32], targets: u32, address: &Address) -> Result<Cut, LimitError> {
    cut_to(levels, targets, address, Machine::here())
}

fn cut_to(levels: &[u32], targets: u32, address: &Address, machine: Machine) -> Result<Cut, LimitError> {
    let targets = u64::from(targets.max(1));
    let fits = |level: &u32| {
        let ports = of_one_source(u64::from(*level), address);
        carries(u64::from(*level) * targets, ports, address, machine)
    };
    let kept: Vec<u32> = levels
        .iter()
        .copied()
        .filter(|level| fits(level).is_ok())
        .collect();
    let first = levels.iter().find_map(|level| fits(level).err());
    let Some(error) = first else {
        return Ok(Cut {
            levels: kept,
            remark: None,
        });
    };
    if kept.is_empty() {
        return Err(error);
    }
    let cut: Vec<String> = levels
        .iter()
        .filter(|level| !kept.contains(level))
        .map(u32::to_string)
        .collect();
    let held = match targets {
        1 => String::new(),
        targets => format!(" for {targets} contenders at once"),
    };
    Ok(Cut {
        levels: kept,
        remark: Some(format!("left out {} connections{held}: {error}", cut.join(", "))),
    })
}

/// Checks that this machine can carry a load: descriptors (the soft limit is raised to the hard one), and ephemeral
/// ports of each source address. Returns what is worth a remark but no obstacle.
///
/// # Errors
/// The first limit that is too low, with the need and the cure.
pub fn check(schedule: &Schedule, address: &Address) -> Result<Vec<String>, LimitError> {
    against(schedule, address, Machine::here())
}

impl Machine {
    fn here() -> Self {
        Self {
            files: reactor::raise_open_files().unwrap_or(0),
            ports: ephemeral_ports(),
            backlog: number("/proc/sys/net/core/somaxconn").unwrap_or(BACKLOG),
        }
    }
}

fn against(schedule: &Schedule, address: &Address, machine: Machine) -> Result<Vec<String>, LimitError> {
    let (connections, ports) = (u64::from(schedule.connections()), per_source(schedule, address));
    carries(connections, ports, address, machine)?;
    Ok(remarks(schedule, machine))
}

/// Whether it can hold so many connections, with so many ports of one source address.
fn carries(connections: u64, ports: u64, address: &Address, machine: Machine) -> Result<(), LimitError> {
    let need = connections + OTHER_FILES;
    if machine.files < need {
        let cure = "raise the hard limit (`ulimit -Hn`, or limits.conf), or use fewer connections".to_owned();
        return Err(LimitError {
            what: "open files of one process",
            need,
            found: machine.files,
            cure,
        });
    }
    if matches!(address, Address::Ip(_)) && machine.ports < ports {
        let cure =
            "widen it (`sysctl net.ipv4.ip_local_port_range=\"1024 65535\"`), or use fewer connections"
                .to_owned();
        return Err(LimitError {
            what: "ephemeral ports of one source address",
            need: ports,
            found: machine.ports,
            cure,
        });
    }
    Ok(())
}

/// Connections from one source address to one destination: each needs a port of its own.
fn per_source(schedule: &Schedule, address: &Address) -> u64 {
    match *schedule {
        Schedule::Batch { connections, .. } if address.source(0).is_some() => u64::from(connections),
        _ => of_one_source(u64::from(schedule.connections()), address),
    }
}

/// How many of so many connections come from one source address: where these can be chosen, not all of them.
fn of_one_source(connections: u64, address: &Address) -> u64 {
    match address.source(0) {
        Some(_) => connections.min(u64::from(PER_SOURCE)),
        None => connections,
    }
}

/// The most connections that one process of this machine can hold.
pub fn most_of_one_process() -> u32 {
    let files = reactor::raise_open_files().unwrap_or(0);
    u32::try_from(files.saturating_sub(OTHER_FILES)).unwrap_or(u32::MAX)
}

/// How many connections may be opened before the server has answered on them: a few less than fit into a listen queue,
/// whatever contenders with a backlog of 4096 do. One more would be dropped by the kernel and tried again a second later,
/// and a batch would show that second.
pub(crate) fn ahead() -> u32 {
    let backlog = number("/proc/sys/net/core/somaxconn")
        .unwrap_or(BACKLOG)
        .min(BACKLOG);
    (backlog - backlog / 32).max(1) as u32
}

fn remarks(schedule: &Schedule, machine: Machine) -> Vec<String> {
    let at_once = u64::from(schedule.connections());
    if !matches!(schedule, Schedule::Batch { .. }) || machine.backlog >= at_once.min(BACKLOG) {
        return Vec::new();
    }
    vec![format!(
        "net.core.somaxconn is {}, and {at_once} connections are opened at once: servers drop some and are waited for a \
         second or more; `sysctl net.core.somaxconn={BACKLOG}` helps",
        machine.backlog
    )]
}

fn number(path: &str) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// How many ports the kernel chooses from; its default range where it does not tell.
fn ephemeral_ports() -> u64 {
    let text = fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
    range(&text).unwrap_or(60_999 - 32_768 + 1)
}

fn range(text: &str) -> Option<u64> {
    let (low, high) = text.trim().split_once(char::is_whitespace)?;
    let (low, high) = (low.parse::<u64>().ok()?, high.trim().parse::<u64>().ok()?);
    (high + 1).checked_sub(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MACHINE: Machine = Machine {
        files: 20_000,
        ports: 28_232,
        backlog: 4096,
    };

    fn batch(programs: u32, connections: u32) -> Schedule {
        Schedule::Batch {
            programs,
            connections,
            requests: 10,
            depth: 3,
        }
    }

    fn judged(schedule: Schedule, machine: Machine) -> Result<usize, String> {
        let result = against(&schedule, &Address::loopback(1), machine);
        result
            .map(|remarks| remarks.len())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_load_within_the_limits_passes() {
        assert_eq!(judged(batch(10, 500), MACHINE), Ok(0));
        assert_eq!(
            judged(
                Schedule::Capacity {
                    connections: 256,
                    depth: 3
                },
                MACHINE
            ),
            Ok(0)
        );
    }

    #[test]
    fn too_few_descriptors_are_told_with_need_and_cure() {
        let text = judged(
            batch(10, 500),
            Machine {
                files: 1024,
                ..MACHINE
            },
        )
        .unwrap_err();
        assert!(
            text.contains("open files") && text.contains("5064") && text.contains("1024"),
            "{text}"
        );
        assert!(text.contains("ulimit -Hn"), "{text}");
    }

    #[test]
    fn ports_are_counted_for_each_source_address() {
        let few = Machine {
            ports: 1000,
            ..MACHINE
        };
        assert_eq!(
            judged(batch(10, 500), few),
            Ok(0),
            "each program has a source of its own"
        );
        let text = judged(
            Schedule::Capacity {
                connections: 5000,
                depth: 1,
            },
            few,
        )
        .unwrap_err();
        assert!(
            text.contains("ephemeral ports") && text.contains("ip_local_port_range"),
            "{text}"
        );
        let far = "192.0.2.1:80".parse().unwrap();
        assert!(
            against(&batch(10, 500), &far, few).is_err(),
            "but not off loopback"
        );
        let unix = "unix:/x".parse().unwrap();
        assert!(
            against(&batch(10, 500), &unix, few).is_ok(),
            "and a Unix socket needs none"
        );
    }

    #[test]
    fn levels_are_cut_to_what_is_carried_and_the_reason_is_told() {
        let levels = [256, 1024, 4096, 16_384];
        let cut = |targets, machine| cut_to(&levels, targets, &Address::loopback(1), machine);
        let one = cut(1, MACHINE).unwrap();
        assert_eq!((&one.levels[..], one.remark), (&levels[..], None));
        let many = cut(13, MACHINE).unwrap();
        assert_eq!(many.levels, [256, 1024]);
        let remark = many.remark.unwrap();
        for part in [
            "4096, 16384 connections",
            "13 contenders",
            "open files",
            "ulimit -Hn",
        ] {
            assert!(remark.contains(part), "{part}: {remark}");
        }
        let ports = Machine {
            ports: 5000,
            ..MACHINE
        };
        let few = cut(1, ports).unwrap();
        assert_eq!(few.levels, [256, 1024, 4096]);
        assert!(few.remark.unwrap().contains("ip_local_port_range"));
        let none = Machine {
            files: 100,
            ..MACHINE
        };
        assert_eq!(cut(1, none).unwrap_err().need, 256 + OTHER_FILES);
    }

    #[test]
    fn a_small_backlog_is_remarked() {
        let low = Machine {
            backlog: 128,
            ..MACHINE
        };
        assert_eq!(judged(batch(10, 500), low), Ok(1));
        assert_eq!(judged(batch(1, 100), low), Ok(0));
    }

    #[test]
    fn the_port_range_is_read() {
        assert_eq!(range("32768\t60999\n"), Some(28_232));
        assert_eq!(range("x"), None);
        assert!(
            check(
                &Schedule::Capacity {
                    connections: 1,
                    depth: 1
                },
                &Address::loopback(1)
            )
            .is_ok()
        );
    }
}
