//! Reading `/proc`: processes, their memory and switches, and which process holds a port.

use std::fs;
use std::io::{BufRead, BufReader};
use std::iter::Sum;
use std::time::Duration;

use tare_model::units::{Bytes, Seconds};
use tare_sys::proc::labelled;

/// The fields of `/proc/PID/stat` (see proc(5)).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stat {
    /// Its id.
    pub pid: u32,
    /// Its name, at most 15 bytes.
    pub name: String,
    /// `R`unning, `S`leeping, `D` (waiting without being interruptible), `T` (stopped), `Z`ombie …
    pub state: char,
    /// Its parent.
    pub parent: u32,
    /// Its POSIX process group.
    pub pgrp: u32,
    /// Its session: the id of the process that started it.
    pub session: u32,
    /// CPU time of its children that ended and were waited for, in clock ticks.
    pub child_ticks: u64,
    /// When it started, in clock ticks since boot: together with the id, unique to the process.
    pub start: u64,
}

impl Stat {
    /// Whether it has ended, and only waits to be reaped by its parent.
    pub fn is_dead(&self) -> bool {
        matches!(self.state, 'Z' | 'X' | 'x')
    }
}

/// Parses a line of `/proc/PID/stat`. The name may hold blanks and brackets, and ends at the last bracket.
pub fn parse_stat(text: &str) -> Option<Stat> {
    let (pid, rest) = text.split_once(" (")?;
    let (name, rest) = rest.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some(Stat {
        pid: pid.parse().ok()?,
        name: name.to_owned(),
        state: fields.first()?.chars().next()?,
        parent: number(1)? as u32,
        pgrp: number(2)? as u32,
        session: number(3)? as u32,
        child_ticks: number(13)?.saturating_add(number(14)?),
        start: number(19)?,
    })
}

/// The state of a process; none if it is gone.
pub fn stat(pid: u32) -> Option<Stat> {
    parse_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Whether a process runs; a zombie does not.
pub(crate) fn is_alive(pid: u32) -> bool {
    stat(pid).is_some_and(|stat| !stat.is_dead())
}

/// Every visible process.
pub fn pids() -> Vec<u32> {
    numbered("/proc")
}

/// Every thread of a process.
pub fn threads(pid: u32) -> Vec<u32> {
    numbered(&format!("/proc/{pid}/task"))
}

fn numbered(folder: &str) -> Vec<u32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}

/// The states of all threads of a process.
pub(crate) fn thread_states(pid: u32) -> Vec<char> {
    let state = |thread: u32| fs::read_to_string(format!("/proc/{pid}/task/{thread}/stat")).ok();
    threads(pid)
        .into_iter()
        .filter_map(|thread| parse_stat(&state(thread)?).map(|stat| stat.state))
        .collect()
}

/// Waits until no thread of a process that is being stopped is on a core. Reading `/proc/PID/task/TID/syscall` waits for
/// that in the kernel (which has to read the thread's registers), as long as the thread is not runnable. If the file may
/// not be read, this does not wait.
pub(crate) fn wait_until_off_core(pid: u32) {
    for thread in threads(pid) {
        for _ in 0..100 {
            match fs::read(format!("/proc/{pid}/task/{thread}/syscall")) {
                Ok(text) if text.starts_with(b"running") => std::thread::yield_now(),
                _ => break,
            }
        }
    }
}

/// Resident memory of a process: now, and its peak.
pub fn memory(pid: u32) -> Option<(Bytes, Bytes)> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let kib = |key: &str| Some(Bytes(labelled(&status, key)? * 1024));
    Some((kib("VmRSS:")?, kib("VmHWM:")?))
}

/// What living threads did since their start.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Threads {
    /// Context switches, voluntary and not.
    pub switches: u64,
    /// CPU time of those that compile code while it runs.
    pub compilers: Seconds,
}

impl Sum for Threads {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            switches: sum.switches + one.switches,
            compilers: Seconds(sum.compilers.0 + one.compilers.0),
        })
    }
}

/// The first bytes of the names of threads that compile: of HotSpot, Graal, OpenJ9 and .NET.
const COMPILERS: [&str; 5] = [
    "C1 Compiler",
    "C2 Compiler",
    "JVMCI",
    "JIT Compilation",
    ".NET Tiered Com",
];

/// What a process's living threads did.
pub fn threads_did(pid: u32) -> Threads {
    let of = |thread: u32| -> Option<Threads> {
        let folder = format!("/proc/{pid}/task/{thread}");
        let status = fs::read_to_string(format!("{folder}/status")).ok()?;
        let compilers = match compiles(&status) {
            true => on_core(&fs::read_to_string(format!("{folder}/schedstat")).unwrap_or_default()),
            false => None,
        };
        Some(Threads {
            switches: labelled(&status, "voluntary_ctxt_switches:")?
                + labelled(&status, "nonvoluntary_ctxt_switches:")?,
            compilers: compilers.unwrap_or_default(),
        })
    };
    threads(pid).into_iter().filter_map(of).sum()
}

/// Whether a thread with this `status` is a compiler.
fn compiles(status: &str) -> bool {
    let name = status.lines().find_map(|line| line.strip_prefix("Name:"));
    name.is_some_and(|name| COMPILERS.iter().any(|known| name.trim_start().starts_with(known)))
}

/// How long a thread was on a core: the first number of `schedstat`.
fn on_core(text: &str) -> Option<Seconds> {
    let nanos: u64 = text.split_ascii_whitespace().next()?.parse().ok()?;
    Some(Seconds(nanos as f64 / 1e9))
}

/// How long the threads of a process were ready to run and waited for a core, since their starts: the second number
/// of `schedstat` (kernel documentation, scheduler/sched-stats). Zero if the kernel does not report it.
pub fn waited(pid: u32) -> Duration {
    let of = |thread: u32| fs::read_to_string(format!("/proc/{pid}/task/{thread}/schedstat")).ok();
    threads(pid)
        .into_iter()
        .filter_map(|thread| parse_waited(&of(thread)?))
        .sum()
}

/// Like [`waited`], of the calling thread.
pub fn own_waited() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    parse_waited(&text).unwrap_or_default()
}

fn parse_waited(text: &str) -> Option<Duration> {
    text.split_ascii_whitespace()
        .nth(1)?
        .parse()
        .ok()
        .map(Duration::from_nanos)
}

/// Whether a process was started with this exact variable in its environment.
pub(crate) fn has_variable(pid: u32, assignment: &str) -> bool {
    let environ = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    environ
        .split(|&byte| byte == 0)
        .any(|entry| entry == assignment.as_bytes())
}

/// `123 (node)`, or the bare number if the process is gone.
pub fn describe(pid: u32) -> String {
    match stat(pid) {
        Some(stat) => format!("{pid} ({})", stat.name),
        None => pid.to_string(),
    }
}

/// `123 (node, S), 124 (node, R)`: the first five at most.
pub(crate) fn describe_all(pids: &[u32]) -> String {
    let with_state = |pid: &u32| match stat(*pid) {
        Some(stat) => format!("{pid} ({}, {})", stat.name, stat.state),
        None => format!("{pid} (gone)"),
    };
    let mut words: Vec<String> = pids.iter().take(5).map(with_state).collect();
    if pids.len() > 5 {
        words.push(format!("and {} more", pids.len() - 5));
    }
    words.join(", ")
}

/// A TCP socket of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Socket {
    /// Its local port.
    pub port: u16,
    /// Whether it listens.
    pub listens: bool,
    /// Its inode; 0 for a socket without a process (a closed connection that lingers).
    pub inode: u64,
}

/// Parses a line of `/proc/net/tcp` or `tcp6`; none for the heading.
pub fn parse_socket(line: &str) -> Option<Socket> {
    const LISTEN: &str = "0A";
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let (_, port) = fields.get(1)?.rsplit_once(':')?;
    Some(Socket {
        port: u16::from_str_radix(port, 16).ok()?,
        listens: *fields.get(3)? == LISTEN,
        inode: fields.get(9)?.parse().ok()?,
    })
}

/// The listening TCP sockets of this network namespace. The kernel lists them first, and this reads no further: after a
/// batch, hundreds of thousands of closed connections follow them.
pub fn listeners() -> Vec<Socket> {
    listeners_in("/proc/net")
}

/// The ports that are listened on in the network namespace of a process.
pub(crate) fn listening_ports(pid: u32) -> Vec<u16> {
    let sockets = listeners_in(&format!("/proc/{pid}/net"));
    sockets.into_iter().map(|socket| socket.port).collect()
}

fn listeners_in(folder: &str) -> Vec<Socket> {
    let mut found = Vec::new();
    for table in ["tcp", "tcp6"].map(|table| format!("{folder}/{table}")) {
        let Ok(file) = fs::File::open(table) else { continue };
        let lines = BufReader::new(file).lines().map_while(Result::ok).skip(1);
        found.extend(lines.map_while(|line| parse_socket(&line).filter(|socket| socket.listens)));
    }
    found
}

/// The first of these processes that holds one of the sockets open.
pub fn holder(sockets: &[Socket], among: &[u32]) -> Option<u32> {
    let names: Vec<String> = sockets.iter().map(|s| format!("socket:[{}]", s.inode)).collect();
    among.iter().copied().find(|&pid| holds(pid, &names))
}

fn holds(pid: u32, names: &[String]) -> bool {
    let entries = fs::read_dir(format!("/proc/{pid}/fd"))
        .into_iter()
        .flatten()
        .flatten();
    entries
        .filter_map(|entry| fs::read_link(entry.path()).ok())
        .any(|link| names.iter().any(|name| link.as_os_str() == name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_are_known_by_their_names() {
        for name in [
            "C2 CompilerThre",
            "C1 CompilerThre",
            "JVMCI-native Co",
            ".NET Tiered Com",
        ] {
            assert!(compiles(&format!("Name:\t{name}\nUmask:\t0022\n")), "{name}");
        }
        for name in ["java", "C2", "VM Thread", "Signal Dispatch"] {
            assert!(!compiles(&format!("Name:\t{name}\nUmask:\t0022\n")), "{name}");
        }
        assert_eq!(on_core("1500000000 7 3\n"), Some(Seconds(1.5)));
        assert_eq!(on_core(""), None);
    }

    #[test]
    fn what_threads_did_is_read() {
        let did = threads_did(std::process::id());
        assert!(did.switches > 0 && did.compilers == Seconds(0.0), "{did:?}");
    }

    #[test]
    fn waiting_for_a_core_is_the_second_number() {
        assert_eq!(parse_waited("812345 4200 17\n"), Some(Duration::from_nanos(4200)));
        assert_eq!(parse_waited(""), None);
    }

    #[test]
    fn a_name_may_hold_blanks_and_brackets() {
        let line = "42 (a) b (c)) S 7 42 41 0 -1 4194560 100 0 0 0 3 4 5 6 20 0 1 0 9001 1000 50";
        let stat = parse_stat(line).unwrap();
        assert_eq!((stat.pid, stat.name.as_str(), stat.state), (42, "a) b (c)", 'S'));
        assert_eq!((stat.parent, stat.session), (7, 41));
        assert_eq!((stat.child_ticks, stat.start), (11, 9001));
        for bad in ["", "42", "42 (x", "42 (x) ", "42 (x) S 1 2"] {
            assert_eq!(parse_stat(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn this_process_is_in_proc() {
        let own = stat(std::process::id()).unwrap();
        assert!(!own.is_dead());
        assert!(pids().contains(&own.pid));
        let (now, peak) = memory(own.pid).unwrap();
        assert!(now.0 > 0 && peak.0 > 0);
    }

    #[test]
    fn sockets_are_read_from_the_kernels_table() {
        let line =
            "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000  0 123456 1";
        assert_eq!(
            parse_socket(line),
            Some(Socket {
                port: 8080,
                listens: true,
                inode: 123_456
            })
        );
        assert_eq!(
            parse_socket("  sl  local_address rem_address   st tx_queue"),
            None
        );
    }

    #[test]
    fn a_listener_is_found_with_its_holder() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let ours: Vec<Socket> = listeners().into_iter().filter(|s| s.port == port).collect();
        assert_eq!(ours.len(), 1);
        assert_eq!(holder(&ours, &[std::process::id()]), Some(std::process::id()));
        assert_eq!(holder(&ours, &[]), None);
    }
}
