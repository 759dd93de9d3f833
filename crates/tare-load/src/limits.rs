//! Whether this machine can carry a load, asked before it is begun rather than found out in the middle of it.

mod machine;
mod memory;

use crate::address::{Address, PER_SOURCE};
use crate::reactor;
use crate::schedule::Schedule;
use machine::{Machine, Quota};

/// Descriptors that are open besides connections: standard streams, event queues, logs, the store, with room.
const OTHER_FILES: u64 = 64;

/// The least backlog that a batch's server is expected to listen with.
const BACKLOG: u64 = 4096;

/// So many connections are none that a machine would be short of anything for but what belongs to one process.
const MANY: u64 = 1000;

/// A limit of this machine that a load would meet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {need} are needed, {found} are there; {hint}")]
pub struct LimitError {
    /// Of what there is too little.
    pub what: &'static str,
    /// How much of it the load needs.
    pub need: u64,
    /// How much there is.
    pub found: u64,
    /// What helps.
    pub hint: String,
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
            .and_then(|()| in_all(u64::from(*level) * targets, address, machine))
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
/// The first limit that is too low, with the need and a hint.
pub fn check(schedule: &Schedule, address: &Address) -> Result<Vec<String>, LimitError> {
    against(schedule, address, Machine::here())
}

/// The same of a load that so many generator processes share: what belongs to a process is asked of each one's share, and
/// what belongs to the machine of all together.
///
/// # Errors
/// The first limit that is too low, with the need and a hint.
pub fn check_shared(
    schedule: &Schedule,
    address: &Address,
    processes: u32,
) -> Result<Vec<String>, LimitError> {
    let machine = Machine::here();
    let processes = u64::from(processes.max(1));
    let share = u64::from(schedule.connections()).div_ceil(processes);
    carries(share, per_source(schedule, address).min(share), address, machine)?;
    in_all(u64::from(schedule.connections()), address, machine)?;
    Ok(remarks(schedule, address, machine))
}

/// For how many connections over loopback this machine has room, by each thing that all processes share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    /// What it is.
    pub what: &'static str,
    /// So many connections.
    pub connections: u64,
    /// The command that makes room for that many more; none where there is none.
    pub hint: Option<String>,
}

/// What a load of many connections would meet that no process has for itself; what the kernel does not tell is left out.
/// `wanted`: the connections that the hints make room for.
pub fn rooms(wanted: u64) -> Vec<Room> {
    rooms_of(wanted, Machine::here())
}

fn rooms_of(wanted: u64, machine: Machine) -> Vec<Room> {
    let files = machine.all_files.map(|quota| Room {
        what: "machine's files",
        connections: quota.left() / ENDS,
        hint: Some(more_files(quota, wanted * ENDS)),
    });
    let tracked = machine.tracked.map(|quota| Room {
        what: "conntrack",
        connections: quota.left(),
        hint: Some(more_tracked(quota, wanted)),
    });
    let buffers = machine.buffers.map(|pages| Room {
        what: "TCP buffers",
        connections: pages.quota.left() / ENDS,
        hint: Some(pages.hint(wanted * ENDS)),
    });
    let memory = machine.memory.map(|bytes| Room {
        what: "memory",
        connections: bytes / memory::of(1, ENDS),
        hint: None,
    });
    [files, memory, buffers, tracked].into_iter().flatten().collect()
}

/// Ends of a connection over loopback that this machine holds.
const ENDS: u64 = 2;

/// How many ends of a connection to an address this machine holds.
fn ends(address: &Address) -> u64 {
    match address {
        Address::Ip(to) if !to.ip().is_loopback() => 1,
        _ => ENDS,
    }
}

fn more_files(quota: Quota, need: u64) -> String {
    format!("sysctl -w fs.file-max={}", quota.used + need)
}

fn more_tracked(quota: Quota, need: u64) -> String {
    format!("sysctl -w net.netfilter.nf_conntrack_max={}", quota.used + need)
}

fn against(schedule: &Schedule, address: &Address, machine: Machine) -> Result<Vec<String>, LimitError> {
    let (connections, ports) = (u64::from(schedule.connections()), per_source(schedule, address));
    carries(connections, ports, address, machine)?;
    in_all(connections, address, machine)?;
    Ok(remarks(schedule, address, machine))
}

/// Whether the machine can hold so many connections, whoever holds them.
fn in_all(connections: u64, address: &Address, machine: Machine) -> Result<(), LimitError> {
    let lacks = |what, need, found, hint| {
        Err(LimitError {
            what,
            need,
            found,
            hint,
        })
    };
    // What little is asked for is had: the figures of a machine whose memory is short for a moment are no obstacle.
    if connections < MANY {
        return Ok(());
    }
    let ends = ends(address);
    if let Some(quota) = machine.all_files
        && quota.left() < connections * ends
    {
        let hint = format!("`{}` helps", more_files(quota, connections * ends));
        return lacks(
            "open files of the whole machine",
            connections * ends,
            quota.left(),
            hint,
        );
    }
    if let Some(quota) = machine.tracked
        && matches!(address, Address::Ip(_))
        && quota.left() < connections
    {
        let hint = format!("`{}` helps", more_tracked(quota, connections));
        return lacks(
            "connections that the firewall tracks (conntrack)",
            connections,
            quota.left(),
            hint,
        );
    }
    let bytes = memory::of(connections, ends);
    if let Some(free) = machine.memory.filter(|free| *free < bytes) {
        let hint = "end something that takes it (`ps -eo rss,comm --sort -rss`), or use fewer connections"
            .to_owned();
        return lacks("KiB of memory for connections", bytes / 1024, free / 1024, hint);
    }
    Ok(())
}

/// Whether it can hold so many connections, with so many ports of one source address.
fn carries(connections: u64, ports: u64, address: &Address, machine: Machine) -> Result<(), LimitError> {
    let need = connections + OTHER_FILES;
    if machine.files < need {
        let hint = "raise the hard limit (`ulimit -Hn`, or limits.conf), or use fewer connections".to_owned();
        return Err(LimitError {
            what: "open files of one process",
            need,
            found: machine.files,
            hint,
        });
    }
    if matches!(address, Address::Ip(_)) && machine.ports < ports {
        let hint =
            "widen it (`sysctl net.ipv4.ip_local_port_range=\"1024 65535\"`), or use fewer connections"
                .to_owned();
        return Err(LimitError {
            what: "ephemeral ports of one source address",
            need: ports,
            found: machine.ports,
            hint,
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
    let backlog = machine::backlog().min(BACKLOG);
    (backlog - backlog / 32).max(1) as u32
}

fn remarks(schedule: &Schedule, address: &Address, machine: Machine) -> Vec<String> {
    let at_once = u64::from(schedule.connections());
    let batch = matches!(schedule, Schedule::Batch { .. });
    let few = (batch && machine.backlog < at_once.min(BACKLOG)).then(|| {
        format!(
            "net.core.somaxconn is {}, and {at_once} connections are opened at once: servers drop some and are waited for \
             a second or more; `sysctl -w net.core.somaxconn={BACKLOG}` helps",
            machine.backlog
        )
    });
    few.into_iter()
        .chain(buffers(at_once, address, machine))
        .collect()
}

/// A page of buffer at each end, where all are answered at once: what one of them would lack, it waits for.
fn buffers(connections: u64, address: &Address, machine: Machine) -> Option<String> {
    let pages = machine.buffers.filter(|_| matches!(address, Address::Ip(_)))?;
    let need = connections * ends(address);
    (connections >= MANY && pages.quota.left() < need).then(|| {
        format!(
            "net.ipv4.tcp_mem leaves {} pages for the buffers of all connections, and {connections} may take {need} at once: \
             the kernel drops what is beyond, and it is sent again later; `{}` helps",
            pages.quota.left(),
            pages.hint(need)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MACHINE: Machine = Machine {
        files: 20_000,
        ports: 28_232,
        backlog: 4096,
        all_files: None,
        memory: None,
        tracked: None,
        buffers: None,
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

    fn capacity(connections: u32) -> Schedule {
        Schedule::Capacity {
            connections,
            depth: 1,
        }
    }

    #[test]
    fn what_all_processes_share_is_asked_of_the_machine() {
        let quota = |used, most| Some(Quota { used, most });
        let short = [
            (
                Machine {
                    all_files: quota(1000, 10_999),
                    ..MACHINE
                },
                "fs.file-max=11000",
            ),
            (
                Machine {
                    tracked: quota(20, 5019),
                    ..MACHINE
                },
                "nf_conntrack_max=5020",
            ),
            (
                Machine {
                    memory: Some(5000 * 10_239),
                    ..MACHINE
                },
                "fewer connections",
            ),
        ];
        for (machine, hint) in short {
            let text = judged(capacity(5000), machine).unwrap_err();
            assert!(
                text.contains(hint) && text.contains("are needed"),
                "{hint}: {text}"
            );
            assert_eq!(judged(capacity(4900), machine), Ok(0), "{hint}");
        }
        let unix: Address = "unix:/x".parse().unwrap();
        assert!(
            against(&capacity(5000), &unix, short[1].0).is_ok(),
            "nobody tracks a Unix socket"
        );
        let far: Address = "192.0.2.1:80".parse().unwrap();
        assert!(
            against(&capacity(5000), &far, short[0].0).is_ok(),
            "the other end's file is not here"
        );
        let full = Machine {
            memory: Some(0),
            ..MACHINE
        };
        assert_eq!(judged(capacity(64), full), Ok(0), "64 connections are nothing");
    }

    #[test]
    fn buffers_that_may_not_do_are_remarked() {
        let pages = |left: u64| Machine {
            buffers: Some(machine::Buffers {
                quota: Quota {
                    used: 50,
                    most: left + 50,
                },
            }),
            ..MACHINE
        };
        assert_eq!(judged(capacity(5000), pages(10_000)), Ok(0));
        let remarks = against(&capacity(5000), &Address::loopback(1), pages(9_999)).unwrap();
        assert!(
            remarks[0].contains("9999 pages") && remarks[0].contains("tcp_mem='5025 7537 10050'"),
            "{remarks:?}"
        );
    }

    #[test]
    fn rooms_are_told_in_connections_with_the_command_for_more() {
        let machine = Machine {
            all_files: Some(Quota { used: 10, most: 1010 }),
            memory: Some(10_240 * 7),
            ..MACHINE
        };
        let rooms = rooms_of(50_000, machine);
        assert_eq!((rooms[0].connections, rooms[1].connections), (500, 7));
        assert_eq!(rooms[0].hint.as_deref(), Some("sysctl -w fs.file-max=100010"));
        assert_eq!((rooms.len(), &rooms[1].hint), (2, &None));
    }

    #[test]
    fn a_process_holds_its_share_and_the_machine_all() {
        let address = Address::loopback(1);
        let most = most_of_one_process();
        let beyond = capacity(most.saturating_add(1));
        assert!(check(&beyond, &address).is_err(), "{most}");
        // One process may hold so many; that this machine has not the memory for twice as many would be told otherwise.
        if let Err(error) = check_shared(&beyond, &address, 2) {
            assert!(!error.what.contains("one process"), "{error}");
        }
    }

    #[test]
    fn this_machine_carries_one_connection() {
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
