//! Several generator processes at once, where one may not open so many files: each has its share of the connections and
//! of the rate, and source addresses of its own. They begin together.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use tare_host::interrupt;
use tare_load::{Load, Schedule, Target, limits};

use super::{Outcome, part};
use crate::args::LoadArgs;
use crate::context;
use crate::failure::{self, Failure};

/// Each has so many source addresses to itself: more than one process can use.
const SOURCES: u32 = 64;

/// What a process says when its connections are open, and is told when all are.
const READY: &str = "ready\n";
const GO: &[u8] = b"go\n";

/// How many processes so many connections take here: as many as were asked for, or as few as can hold them.
pub fn processes(args: &LoadArgs) -> Result<u32, Failure> {
    let most = limits::most_of_one_process().max(1);
    let count = match (args.more.processes, args.programs) {
        (Some(1), _) | (None, Some(_)) => 1,
        (Some(_), Some(_)) => {
            return Err(Failure::usage(
                "a batch is driven by one process: leave out --processes",
            ));
        }
        (Some(count), None) => count,
        (None, None) => args.connections.div_ceil(most),
    };
    match count > args.connections {
        true => Err(Failure::usage(
            "a process without a connection has nothing to do: fewer --processes",
        )),
        false => Ok(count),
    }
}

/// What one of several is to do of a number: its share, the first ones one more where it does not come out even.
fn share(all: u64, number: u32, count: u32) -> u64 {
    let (count, number) = (u64::from(count), u64::from(number));
    all / count + u64::from(number < all % count)
}

/// One of several processes: opens its connections, says so, waits for the others, and tells what it saw.
pub fn be_part(
    number: u32,
    load: &mut Load,
    target: Target,
    schedule: &Schedule,
    drive: impl FnOnce(&mut Load, &mut Target) -> Outcome,
) -> Result<u8, Failure> {
    let mut target = target.from_source(number * SOURCES);
    if let Err(failed) = load.connect(&mut target, schedule.connections(), interrupt::flag()) {
        context::put(&part::write(&Outcome::from(failed)))?;
        return Ok(0);
    }
    context::put(READY)?;
    let mut word = vec![0; GO.len()];
    if std::io::stdin().read_exact(&mut word).is_err() {
        // Another one failed, or who started us is gone.
        return Ok(failure::INTERRUPTED);
    }
    // From now on the end of our input is the end of all.
    thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        interrupt::flag().store(true, Ordering::Relaxed);
    });
    context::put(&part::write(&drive(load, &mut target)))?;
    Ok(0)
}

/// One that was started. It ends with this, if it has not ended by itself.
struct Part {
    child: Child,
    /// Dropped: it is to stop.
    input: Option<ChildStdin>,
}

/// What is heard of one.
enum Heard {
    Ready,
    Told(Box<Outcome>),
    /// Its output has come to its end.
    Gone,
}

/// Drives by so many processes; what they saw together. The first fault ends all.
pub fn drive(args: &LoadArgs, url: &str, count: u32) -> Result<Outcome, Failure> {
    let (tell, hear) = channel();
    let parts: Result<Vec<Part>, Failure> = (0..count)
        .map(|number| start(args, url, number, count, &tell))
        .collect();
    let (mut parts, mut told) = (parts?, Vec::new());
    let (mut ready, mut gone) = (0, 0);
    while gone < count {
        match hear.recv_timeout(Duration::from_millis(50)) {
            Ok(Heard::Ready) => {
                ready += 1;
                if ready == count {
                    parts.iter_mut().for_each(Part::go);
                }
            }
            Ok(Heard::Told(outcome)) => {
                if outcome.fault.is_some() {
                    parts.iter_mut().for_each(Part::stop);
                }
                told.push(*outcome);
            }
            Ok(Heard::Gone) => {
                gone += 1;
                // One that ended before all were ready: the others need not wait.
                if ready < count {
                    parts.iter_mut().for_each(Part::stop);
                }
            }
            Err(_) if interrupt::asked() => parts.iter_mut().for_each(Part::stop),
            Err(_) => {}
        }
    }
    let all = part::join(told, interrupt::asked());
    match all.fault.is_some() || all.interrupted || ready == count {
        true => Ok(all),
        false => Err(
            Failure::outside("a generator process ended before its connections were open")
                .hint("see what it said above; is the memory exhausted (dmesg)?"),
        ),
    }
}

fn start(args: &LoadArgs, url: &str, number: u32, count: u32, tell: &Sender<Heard>) -> Result<Part, Failure> {
    let failed = |error: std::io::Error| {
        Failure::outside(format!("a generator process could not be started: {error}"))
    };
    let program = std::env::current_exe().map_err(failed)?;
    let mut command = Command::new(program);
    command
        .args(words(args, url, number, count))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let tell = tell.clone();
    thread::spawn(move || {
        for line in output
            .into_iter()
            .flat_map(|output| BufReader::new(output).lines())
            .map_while(Result::ok)
        {
            let heard = match part::read(&line) {
                Some(outcome) => Heard::Told(Box::new(outcome)),
                None => Heard::Ready,
            };
            // Whoever listens outlives the processes.
            let _ = tell.send(heard);
        }
        let _ = tell.send(Heard::Gone);
    });
    Ok(Part { child, input })
}

/// What one of them is started with.
fn words(args: &LoadArgs, url: &str, number: u32, count: u32) -> Vec<String> {
    let mut words: Vec<String> = ["load", url, "-q"].map(str::to_owned).to_vec();
    let mut option = |name: &str, value: String| words.extend([format!("--{name}"), value]);
    option("part", number.to_string());
    option(
        "connections",
        share(u64::from(args.connections), number, count).to_string(),
    );
    option("pipeline", args.pipeline.to_string());
    option("timeout", format!("{}ms", args.timeout.0.as_millis()));
    match args.requests {
        Some(requests) => option("requests", share(requests, number, count).to_string()),
        None => option("duration", format!("{}ms", super::duration(args).as_millis())),
    }
    // By its connections, so that each has its share of the load.
    let part = share(u64::from(args.connections), number, count) as f64 / f64::from(args.connections);
    for (name, value) in [
        ("rate", args.rate.map(|rate| (rate.0 * part).to_string())),
        ("method", args.method.clone()),
        ("body", args.body.clone()),
        ("send", args.send.clone()),
        ("expect", args.expect.clone()),
        ("status", args.more.status.map(|status| status.to_string())),
        (
            "unix-socket",
            args.more
                .unix_socket
                .as_ref()
                .map(|path| path.display().to_string()),
        ),
        (
            "cores",
            args.cores.as_ref().map(|cores| core_of(&cores.0, number)),
        ),
    ] {
        value.into_iter().for_each(|value| option(name, value));
    }
    args.headers
        .iter()
        .for_each(|header| option("header", header.clone()));
    let flags = [("--fresh", args.more.fresh), ("--remote", args.remote)];
    words.extend(
        flags
            .iter()
            .filter(|(_, given)| *given)
            .map(|(flag, _)| (*flag).to_owned()),
    );
    words
}

/// Each process has one of the cores, in turn.
fn core_of(cores: &[u32], number: u32) -> String {
    cores
        .get(number as usize % cores.len().max(1))
        .copied()
        .unwrap_or(0)
        .to_string()
}

impl Part {
    fn go(&mut self) {
        if let Some(input) = &mut self.input {
            // One that is gone is told as such by its output.
            let _ = input.write_all(GO);
        }
    }

    fn stop(&mut self) {
        self.input = None;
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_and_differ_by_one_at_most() {
        for (all, count) in [(50_000, 3), (7, 7), (10, 4), (1, 1)] {
            let shares: Vec<u64> = (0..count).map(|number| share(all, number, count)).collect();
            assert_eq!(shares.iter().sum::<u64>(), all);
            assert!(shares.iter().max().unwrap() - shares.iter().min().unwrap() <= 1);
        }
    }
}
