//! Waiting until a contender is ready, polled every 2 ms, and the faults of one that never is.

use std::fs::File;
use std::io::Read;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::Ready;
use tare_model::units::Seconds;
use tare_sys::network::Namespace;

use crate::process::{Process, describe_exit};
use crate::procfs::{self, Socket};
use crate::sys;

const POLL: Duration = Duration::from_millis(2);
/// How many times in a row another process must be seen to hold the port before that is a fault: a process that is being
/// killed gives up its socket a moment before its end can be seen.
const DOUBTS: usize = 10;
/// With less free space than this (one page) nothing more can be written to a disk.
const BLOCK: u64 = 4096;
/// How many of its last lines a fault shows.
const LINES: usize = 20;

/// Waits until a contender is ready; returns how long that took since the call.
///
/// # Errors
/// `DiedAtStart` if it ended, `NeverReady` if it was not ready in time or another process holds the port, `Instrument`
/// if `cancel` was set.
pub fn wait(
    process: &mut Process,
    ready: &Ready,
    port: u16,
    timeout: Duration,
    cancel: &AtomicBool,
) -> Result<Seconds, Fault> {
    wait_at(
        process,
        ready,
        (Ipv4Addr::LOCALHOST, port).into(),
        timeout,
        cancel,
    )
}

/// Like [`wait`], for a process that listens at another address of this machine than loopback's.
///
/// # Errors
/// As [`wait`].
pub fn wait_at(
    process: &mut Process,
    ready: &Ready,
    at: SocketAddr,
    timeout: Duration,
    cancel: &AtomicBool,
) -> Result<Seconds, Fault> {
    poll(process, ready, (at, false), timeout, cancel)
}

/// Like [`wait_at`], for a process that is told where to listen, and may not do so: one that listens on loopback instead is
/// refused at once, and one that only says that it is ready has to be reached, too.
///
/// # Errors
/// As [`wait`].
pub fn wait_on(
    process: &mut Process,
    ready: &Ready,
    at: SocketAddr,
    timeout: Duration,
    cancel: &AtomicBool,
) -> Result<Seconds, Fault> {
    let told = at.ip() != Ipv4Addr::LOCALHOST;
    poll(process, ready, (at, told), timeout, cancel)
}

fn poll(
    process: &mut Process,
    ready: &Ready,
    (at, told): (SocketAddr, bool),
    timeout: Duration,
    cancel: &AtomicBool,
) -> Result<Seconds, Fault> {
    let port = at.port();
    let began = Instant::now();
    let mut log = match ready {
        Ready::Connect => None,
        Ready::Line(text) => Some(Watch::new(&process.spec().log, text)),
    };
    let (mut printed, mut doubts, mut astray) = (false, 0, 0);
    loop {
        // Checked before its death is: a contender that died because its port was taken is not ready.
        let signalled = match &mut log {
            None => accepts(process, at),
            Some(watch) => {
                printed |= watch.seen();
                printed
            }
        };
        let signalled = signalled && (!told || accepts(process, at));
        if let Some(status) = process.ended() {
            return Err(died(process, port, &describe_exit(status)));
        }
        if let Some(fault) = process.died(FaultKind::DiedAtStart) {
            return Err(fault);
        }
        if signalled {
            match foreign_holder(process, port) {
                None => return Ok(Seconds::from_duration(began.elapsed())),
                Some(_) if doubts < DOUBTS => doubts += 1,
                Some(holder) => return Err(taken(process, port, &holder)),
            }
        }
        if told && !signalled && accepts(process, (Ipv4Addr::LOCALHOST, port).into()) {
            astray += 1;
            // It may listen on both, one after the other.
            if astray > DOUBTS {
                return Err(on_loopback(process, at));
            }
        }
        if cancel.load(Ordering::SeqCst) {
            return Err(Fault::new(
                FaultKind::Instrument,
                "interrupted while a contender started",
            ));
        }
        if began.elapsed() >= timeout {
            return Err(never(process, ready, at, timeout));
        }
        thread::sleep(POLL);
    }
}

fn accepts(process: &Process, at: SocketAddr) -> bool {
    let Ok(_stay) = process.network().map(Namespace::enter).transpose() else {
        return false;
    };
    // On loopback a closed port refuses at once; only a full backlog makes this wait.
    TcpStream::connect_timeout(&at, Duration::from_millis(250)).is_ok()
}

/// The process that holds the port, if it is not the contender: `pid 12 (nginx)`. None also if nothing listens, or if the
/// contender has a network of its own.
fn foreign_holder(process: &Process, port: u16) -> Option<String> {
    if process.network().is_some() {
        return None;
    }
    let listeners: Vec<Socket> = procfs::listeners()
        .into_iter()
        .filter(|socket| socket.port == port)
        .collect();
    if listeners.is_empty() || procfs::holder(&listeners, &process.group().procs()).is_some() {
        return None;
    }
    Some(match procfs::holder(&listeners, &procfs::pids()) {
        Some(pid) => format!("pid {}", procfs::describe(pid)),
        None => "a process that this user may not look at".to_owned(),
    })
}

fn taken(process: &Process, port: u16, holder: &str) -> Fault {
    Fault::new(
        FaultKind::NeverReady,
        format!(
            "port {port} is in use by {holder}, not by `{}`, which should listen on it\n{}\n\nhint: end that \
             process, or start the run again for another port",
            process.spec().argv.join(" "),
            process.log_words(LINES)
        ),
    )
}

fn on_loopback(process: &Process, at: SocketAddr) -> Fault {
    let argv = process.spec().argv.join(" ");
    let text = format!(
        "`{argv}` listens on 127.0.0.1:{}, and not on {at}, where agents on other machines would reach it\n\nhint: it must \
         listen on the address that {{host}} stands for, in `run` or `env` of its manifest, or on all addresses",
        at.port()
    );
    Fault::new(FaultKind::NeverReady, text)
}

fn died(process: &Process, port: u16, how: &str) -> Fault {
    let in_use = foreign_holder(process, port).map_or_else(String::new, |holder| {
        format!("; port {port} is in use by {holder}")
    });
    Fault::new(
        FaultKind::DiedAtStart,
        format!(
            "`{}` ended before it was ready: {how}{in_use}{}\n{}{}",
            process.spec().argv.join(" "),
            full(&process.spec().log),
            process.log_words(LINES),
            background(process)
        ),
    )
}

/// A remark if its log's disk is full: some programs end because of that, and cannot log it.
fn full(log: &Path) -> String {
    match sys::free_space(log) {
        Some(free) if free < BLOCK => "; the disk of its log is full: free some space".to_owned(),
        _ => String::new(),
    }
}

/// A hint for a contender that went into the background, as daemons do: what it left running may serve, but its death
/// would go unnoticed.
fn background(process: &Process) -> String {
    let children: Vec<String> = process
        .group()
        .procs()
        .into_iter()
        .filter(|&pid| pid != process.pid())
        .map(procfs::describe)
        .collect();
    if children.is_empty() {
        return String::new();
    }
    format!(
        "\n\nhint: it left running {}, which were ended; tell it to stay in the foreground",
        children.join(", ")
    )
}

fn never(process: &Process, ready: &Ready, at: SocketAddr, timeout: Duration) -> Fault {
    let elsewhere = elsewhere(process);
    let tried = match ready {
        Ready::Connect => format!("{at} accepted no connection{}", also(&elsewhere)),
        Ready::Line(text) => format!("it printed no line with {text:?}"),
    };
    let hint = match ready {
        Ready::Connect if !elsewhere.is_empty() => {
            "`port` in `[container]` is the port that it listens on, on 127.0.0.1 or on all addresses"
        }
        Ready::Connect if process.network().is_some() => {
            "`port` in `[container]` is the port that it must listen on; what it waits for must be in its image"
        }
        Ready::Connect => {
            "it must listen on the port that {port} in `run` stands for; `[ready]` may name a line \
                           that it prints instead"
        }
        Ready::Line(_) => {
            "`[ready]` in its manifest names the line; output to a file may be held back until it is \
                           flushed"
        }
    };
    Fault::new(
        FaultKind::NeverReady,
        format!(
            "`{}` was not ready within {} s: {tried}\n{}\n\nhint: {hint}",
            process.spec().argv.join(" "),
            timeout.as_secs_f64(),
            process.log_words(LINES)
        ),
    )
}

/// The ports that a contender with a network of its own listens on.
fn elsewhere(process: &Process) -> Vec<u16> {
    let mut ports = match process.network() {
        Some(_) => procfs::listening_ports(process.pid()),
        None => Vec::new(),
    };
    ports.sort_unstable();
    ports.dedup();
    ports
}

fn also(ports: &[u16]) -> String {
    let ports: Vec<String> = ports.iter().map(u16::to_string).collect();
    match ports.as_slice() {
        [] => String::new(),
        [port] => format!("; it listens on port {port}"),
        several => format!("; it listens on the ports {}", several.join(", ")),
    }
}

/// Searches a growing file for a text.
struct Watch {
    file: Option<File>,
    text: Vec<u8>,
    /// Bytes read that may hold the beginning of the text.
    pending: Vec<u8>,
}

impl Watch {
    fn new(path: &Path, text: &str) -> Self {
        Self {
            file: File::open(path).ok(),
            text: text.as_bytes().to_vec(),
            pending: Vec::new(),
        }
    }

    /// Whether the text has appeared since the last call.
    fn seen(&mut self) -> bool {
        if let Some(file) = &mut self.file {
            // What cannot be read now is read in the next call.
            let _ = file.read_to_end(&mut self.pending);
        }
        let found = self.text.is_empty()
            || self
                .pending
                .windows(self.text.len())
                .any(|window| window == self.text);
        let keep = self.text.len().saturating_sub(1);
        self.pending.drain(..self.pending.len().saturating_sub(keep));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_disk_with_room_is_not_called_full() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let free = sys::free_space(file.path()).expect("the file exists");
        assert_eq!(full(file.path()).is_empty(), free >= BLOCK);
        assert_eq!(full(Path::new("/nowhere/at all")), "");
        // Every device of this kind is full.
        assert!(sys::free_space(Path::new("/proc/self/stat")).is_none_or(|free| free < BLOCK));
    }

    #[test]
    fn ports_are_named() {
        assert_eq!(also(&[]), "");
        assert_eq!(also(&[3000]), "; it listens on port 3000");
        assert_eq!(also(&[80, 443]), "; it listens on the ports 80, 443");
    }

    #[test]
    fn a_text_is_found_across_two_writes() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let mut watch = Watch::new(file.path(), "listening on");
        assert!(!watch.seen());
        file.write_all(b"warming up\nnow liste").unwrap();
        assert!(!watch.seen());
        file.write_all(b"ning on 80").unwrap();
        assert!(watch.seen());
    }
}
