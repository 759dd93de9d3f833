//! Whether this machine can carry a load, checked before the load begins.
//!
//! `need.rs` says what connections need, `tare_sys::resources` what the machine has; here the two are compared.

mod need;

pub(crate) use need::unanswered_at_most;

use tare_sys::limits::raise_open_files;
use tare_sys::resources::{Quota, Resources};

use crate::address::Address;
use crate::schedule::Schedule;
use crate::session::Target;
use need::{BACKLOG, ENDS, Need, OTHER_FILES};

/// Below this number of connections only what belongs to one process can be short: the figures of a machine whose memory is
/// short for a moment are no obstacle.
const MANY: u64 = 1000;

/// A limit of this machine that a load would exceed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {need} are needed, {found} are there; {hint}")]
pub struct LimitError {
    /// What is short.
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
    /// Which levels are left out, and why; none if all are left.
    pub remark: Option<String>,
}

/// Cuts levels of connections to those that this machine can carry, where this number of `targets` hold their connections
/// at the same time (contenders that take turns keep theirs).
///
/// # Errors
/// The limit that the lowest level exceeds, if no level is left.
pub fn cut(levels: &[u32], targets: u32, address: &Address) -> Result<Cut, LimitError> {
    cut_to(levels, targets, address, Resources::here())
}

fn cut_to(levels: &[u32], targets: u32, address: &Address, machine: Resources) -> Result<Cut, LimitError> {
    let fits = |level: &u32| verdict(&Need::of_targets(*level, targets, address), machine);
    let (kept, cut): (Vec<u32>, Vec<u32>) = levels.iter().partition(|level| fits(level).is_ok());
    let Some(error) = cut.first().and_then(|level| fits(level).err()) else {
        return Ok(Cut {
            levels: kept,
            remark: None,
        });
    };
    if kept.is_empty() {
        return Err(error);
    }
    let cut: Vec<String> = cut.iter().map(u32::to_string).collect();
    let held = match targets {
        0 | 1 => String::new(),
        targets => format!(" for {targets} contenders at once"),
    };
    Ok(Cut {
        levels: kept,
        remark: Some(format!("left out {} connections{held}: {error}", cut.join(", "))),
    })
}

/// Checks that this machine can carry a load: descriptors (the soft limit is raised to the hard one), ephemeral ports of
/// each source address, and what all processes share. Returns remarks about what is no obstacle.
///
/// # Errors
/// The first limit that is too low, with the need and a hint.
pub fn check(schedule: &Schedule, address: &Address) -> Result<Vec<String>, LimitError> {
    against(schedule, &Need::shared(schedule, address, 1), Resources::here())
}

/// The same for the load of a target, which several generator processes may share: what belongs to a process must suffice
/// for a share, and what belongs to the machine for all together.
///
/// # Errors
/// The first limit that is too low, with the need and a hint.
pub fn check_target(schedule: &Schedule, target: &Target, processes: u32) -> Result<Vec<String>, LimitError> {
    let need = Need::shared(schedule, target.address(), processes);
    let need = if target.work().is_over_tls() {
        need.secured()
    } else {
        need
    };
    against(schedule, &need, Resources::here())
}

fn against(schedule: &Schedule, need: &Need, machine: Resources) -> Result<Vec<String>, LimitError> {
    verdict(need, machine)?;
    let batch = matches!(schedule, Schedule::Batch { .. });
    let backlog = if batch { backlog(need, machine) } else { None };
    Ok(backlog.into_iter().chain(buffers(need, machine)).collect())
}

fn verdict(need: &Need, machine: Resources) -> Result<(), LimitError> {
    of_process(need, machine)?;
    if need.connections < MANY {
        return Ok(());
    }
    of_machine(need, machine)
}

/// Whether one process can hold its connections.
fn of_process(need: &Need, machine: Resources) -> Result<(), LimitError> {
    let files = need.files_of_process();
    if machine.files < files {
        return Err(LimitError {
            what: "open files of one process",
            need: files,
            found: machine.files,
            hint: "raise the hard limit (`ulimit -Hn`, or limits.conf), or use fewer connections".to_owned(),
        });
    }
    if need.tcp && machine.ports < need.per_source {
        return Err(LimitError {
            what: "ephemeral ports of one source address",
            need: need.per_source,
            found: machine.ports,
            hint: "widen it (`sysctl net.ipv4.ip_local_port_range=\"1024 65535\"`), or use fewer connections"
                .to_owned(),
        });
    }
    Ok(())
}

/// Whether the machine can hold all connections, in whatever processes.
fn of_machine(need: &Need, machine: Resources) -> Result<(), LimitError> {
    let files = need.files();
    if let Some(quota) = machine.all_files
        && quota.left() < files
    {
        return Err(LimitError {
            what: "open files of the whole machine",
            need: files,
            found: quota.left(),
            hint: format!("`{}` helps", more_files(quota, files)),
        });
    }
    if let Some(quota) = machine.tracked.filter(|_| need.tcp)
        && quota.left() < need.connections
    {
        return Err(LimitError {
            what: "connections that the firewall tracks (conntrack)",
            need: need.connections,
            found: quota.left(),
            hint: format!("`{}` helps", more_tracked(quota, need.connections)),
        });
    }
    let bytes = need.memory();
    if let Some(free) = machine.memory.filter(|free| *free < bytes) {
        return Err(LimitError {
            what: "KiB of memory for connections",
            need: bytes / 1024,
            found: free / 1024,
            hint: "end something that takes it (`ps -eo rss,comm --sort -rss`), or use fewer connections"
                .to_owned(),
        });
    }
    Ok(())
}

/// A remark where a batch opens more connections at once than wait to be accepted.
fn backlog(need: &Need, machine: Resources) -> Option<String> {
    let (backlog, at_once) = (machine.backlog, need.connections);
    (backlog < at_once.min(BACKLOG)).then(|| {
        format!(
            "net.core.somaxconn is {backlog}, and {at_once} connections are opened at once: servers drop some, which are \
             tried again a second or more later; `sysctl -w net.core.somaxconn={BACKLOG}` helps"
        )
    })
}

/// A remark where the buffers of all connections may not suffice: a connection without a page waits for one.
fn buffers(need: &Need, machine: Resources) -> Option<String> {
    let quota = machine.tcp_pages.filter(|_| need.tcp)?;
    let (connections, pages) = (need.connections, need.tcp_pages());
    (connections >= MANY && quota.left() < pages).then(|| {
        format!(
            "net.ipv4.tcp_mem leaves {} pages for the buffers of all connections, and {connections} may take {pages} at once: \
             the kernel drops what is beyond, and it is sent again later; `{}` helps",
            quota.left(),
            more_tcp_pages(quota, pages)
        )
    })
}

fn more_files(quota: Quota, need: u64) -> String {
    format!("sysctl -w fs.file-max={}", quota.used + need)
}

fn more_tracked(quota: Quota, need: u64) -> String {
    format!("sysctl -w net.netfilter.nf_conntrack_max={}", quota.used + need)
}

/// Below the first number of `tcp_mem` the kernel does not regulate, above the second it saves (tcp(7)).
fn more_tcp_pages(quota: Quota, need: u64) -> String {
    let most = quota.used + need;
    format!(
        "sysctl -w net.ipv4.tcp_mem='{} {} {most}'",
        most / 2,
        most * 3 / 4
    )
}

/// The number of connections over loopback for which this machine has enough of one thing that all processes share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Headroom {
    /// What it is.
    pub what: &'static str,
    /// The number of connections.
    pub connections: u64,
    /// The command that provides more of it; none where there is none.
    pub hint: Option<String>,
}

/// The headroom for connections of each thing that all processes share; what the kernel does not tell is left out.
/// `wanted`: the number of connections that the hints provide for.
pub fn headroom(wanted: u64) -> Vec<Headroom> {
    headroom_of(wanted, Resources::here())
}

fn headroom_of(wanted: u64, machine: Resources) -> Vec<Headroom> {
    let files = machine.all_files.map(|quota| Headroom {
        what: "machine's files",
        connections: quota.left() / ENDS,
        hint: Some(more_files(quota, wanted * ENDS)),
    });
    let tracked = machine.tracked.map(|quota| Headroom {
        what: "conntrack",
        connections: quota.left(),
        hint: Some(more_tracked(quota, wanted)),
    });
    let buffers = machine.tcp_pages.map(|quota| Headroom {
        what: "TCP buffers",
        connections: quota.left() / ENDS,
        hint: Some(more_tcp_pages(quota, wanted * ENDS)),
    });
    let memory = machine.memory.map(|bytes| Headroom {
        what: "memory",
        connections: bytes / need::memory(1, ENDS),
        hint: None,
    });
    [files, memory, buffers, tracked].into_iter().flatten().collect()
}

/// The most connections that one process of this machine can hold.
pub fn most_of_one_process() -> u32 {
    u32::try_from(raise_open_files().saturating_sub(OTHER_FILES)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
