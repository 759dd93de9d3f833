//! Several generator processes at once, where one may not open so many files: each has its share of the connections and
//! of the rate, and source addresses of its own. They begin together.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use tare_host::interrupt;
use tare_load::{Load, Schedule, Target, limits};

use super::{Order, Outcome, live, part};
use crate::args::LoadArgs;
use crate::context::{self, Context};
use crate::failure::{self, Failure};

/// Each has so many source addresses to itself: more than one process can use.
const SOURCES: u32 = 64;

/// What a process says when its connections are open, and is told when all are.
const READY: &str = "ready";
const GO: &[u8] = b"go\n";

/// Before the right answers so far, which a process tells once a second where somebody looks on.
const SO_FAR: &str = "so far ";

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
    args: &LoadArgs,
    schedule: &Schedule,
) -> Result<u8, Failure> {
    // Raises the limit of open files; what else there may be too little of, who started us has looked at.
    limits::most_of_one_process();
    let mut target = target.from_source(number * SOURCES);
    if let Err(failed) = load.connect(&mut target, schedule.connections(), interrupt::flag()) {
        context::put(&part::write(&Outcome::from(failed)))?;
        return Ok(0);
    }
    context::put(&format!("{READY}\n"))?;
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
    let (over, ended) = channel::<()>();
    let teller = args.more.live.then(|| {
        let onlooker = load.answer_counter();
        thread::spawn(move || {
            while ended.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                // Who started us may be gone: then that is seen elsewhere.
                let _ = context::put(&format!("{SO_FAR}{}\n", onlooker.answers()));
            }
        })
    });
    let outcome = super::drive(load, &mut target, schedule, args);
    drop(over);
    if let Some(teller) = teller {
        // It ends at once, and does not panic; its lines must not come after the last.
        let _ = teller.join();
    }
    context::put(&part::write(&outcome))?;
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
    /// Right answers so far, of which process.
    SoFar(u32, u64),
    Told(Box<Outcome>),
    /// Its output has come to its end.
    Gone,
}

/// What a line of one of them says.
fn heard(number: u32, line: &str) -> Option<Heard> {
    if line == READY {
        return Some(Heard::Ready);
    }
    if let Some(count) = line.strip_prefix(SO_FAR) {
        return Some(Heard::SoFar(number, count.parse().ok()?));
    }
    Some(Heard::Told(Box::new(part::read(line)?)))
}

/// Drives by so many processes; what they saw together. The first fault ends all.
pub fn drive(context: &Context, order: &Order<'_>, count: u32) -> Result<Outcome, Failure> {
    let (tell, hear) = channel();
    let seen: Arc<Vec<AtomicU64>> = Arc::new((0..count).map(|_| AtomicU64::new(0)).collect());
    let shown = live::wanted(context);
    let more = [("--live", shown), ("--awake", order.is_awake())];
    let parts: Result<Vec<Part>, Failure> = (0..count)
        .map(|number| start(order, (number, count), &more, &tell))
        .collect();
    let (mut parts, mut told) = (parts?, Vec::new());
    let (mut ready, mut gone) = (0, 0);
    let mut live = None;
    while gone < count {
        match hear.recv_timeout(Duration::from_millis(50)) {
            Ok(Heard::Ready) => {
                ready += 1;
                if ready == count {
                    parts.iter_mut().for_each(Part::go);
                    let seen = seen.clone();
                    live = shown.then(|| live::show(move || together(&seen)));
                }
            }
            Ok(Heard::SoFar(number, answers)) => {
                seen[number as usize].store(answers, Ordering::Relaxed);
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
    drop(live);
    let all = part::join(told, interrupt::asked());
    match all.fault.is_some() || all.interrupted || ready == count {
        true => Ok(all),
        false => Err(
            Failure::outside("a generator process ended before its connections were open")
                .hint("see what it said above; is the memory exhausted (dmesg)?"),
        ),
    }
}

fn together(seen: &[AtomicU64]) -> u64 {
    seen.iter().map(|one| one.load(Ordering::Relaxed)).sum()
}

/// Starts the process of a number among so many, with the flags that are set.
fn start(
    order: &Order<'_>,
    (number, count): (u32, u32),
    flags: &[(&str, bool)],
    tell: &Sender<Heard>,
) -> Result<Part, Failure> {
    let failed = |error: std::io::Error| {
        Failure::outside(format!("a generator process could not be started: {error}"))
    };
    let program = std::env::current_exe().map_err(failed)?;
    let mut command = Command::new(program);
    command
        .args(words(order, number, count))
        .args(flags.iter().filter(|(_, set)| *set).map(|(flag, _)| flag))
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
            // Whoever listens outlives the processes.
            let _ = heard(number, &line).map(|heard| tell.send(heard));
        }
        let _ = tell.send(Heard::Gone);
    });
    Ok(Part { child, input })
}

/// What one of them is started with, behind the program's name. Each option is one word with its value, which may begin
/// with a dash.
fn words(order: &Order<'_>, number: u32, count: u32) -> Vec<OsString> {
    let (args, more) = (order.args, &order.args.more);
    let mut words: Vec<OsString> = ["load", order.url, "-q"].map(OsString::from).to_vec();
    let mut option = |name: &str, value: OsString| {
        let mut word = OsString::from(format!("--{name}="));
        word.push(value);
        words.push(word);
    };
    let mine = share(u64::from(args.connections), number, count);
    // By its connections, so that each has its share of the load.
    let part = mine as f64 / f64::from(args.connections);
    let duration = || format!("{}ms", super::duration(args).as_millis());
    let numbers = [
        ("part", Some(number.to_string())),
        ("parts", Some(count.to_string())),
        ("seed", Some(order.seed.to_string())),
        ("connections", Some(mine.to_string())),
        ("pipeline", Some(args.pipeline.to_string())),
        ("timeout", Some(format!("{}ms", args.timeout.0.as_millis()))),
        (
            "requests",
            args.requests.map(|all| share(all, number, count).to_string()),
        ),
        ("duration", args.requests.is_none().then(duration)),
        ("rate", args.rate.map(|rate| (rate.0 * part).to_string())),
        ("status", more.status.map(|status| status.to_string())),
        (
            "cores",
            args.cores.as_ref().map(|cores| core_of(&cores.0, number)),
        ),
    ];
    let typed = [
        ("method", &args.method),
        ("body", &args.body),
        ("send", &args.send),
        ("expect", &args.expect),
    ];
    let typed = typed.map(|(name, value)| (name, value.clone()));
    for (name, value) in numbers.into_iter().chain(typed) {
        value.into_iter().for_each(|value| option(name, value.into()));
    }
    args.headers
        .iter()
        .for_each(|header| option("header", header.into()));
    more.unix_socket
        .iter()
        .for_each(|path| option("unix-socket", path.into()));
    let flags = [
        ("--fresh", more.fresh),
        ("--any-body", more.any_body),
        ("--check-whole", more.check_whole),
        ("--remote", args.remote),
    ];
    words.extend(
        flags
            .iter()
            .filter(|(_, given)| *given)
            .map(|(flag, _)| OsString::from(flag)),
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
    fn lines_of_a_process_are_told_apart() {
        assert!(matches!(heard(3, "ready"), Some(Heard::Ready)));
        assert!(matches!(heard(3, "so far 1234"), Some(Heard::SoFar(3, 1234))));
        assert!(heard(3, "so far away").is_none() && heard(3, "").is_none());
        let seen = [AtomicU64::new(2), AtomicU64::new(40)];
        assert_eq!(together(&seen), 42);
    }

    /// What the words of one of several processes mean to it.
    fn understood(typed: &[OsString], number: u32, count: u32) -> LoadArgs {
        let args = LoadArgs::typed(typed);
        let order = Order {
            args: &args,
            url: &args.urls[0],
            schedule: super::super::schedule(&args).unwrap(),
            seed: 42,
            waiting: None,
        };
        LoadArgs::typed(&words(&order, number, count)[1..])
    }

    #[test]
    fn a_process_understands_what_was_typed_whatever_it_begins_with() {
        use std::os::unix::ffi::OsStringExt;
        let text = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let mut typed = text(&[
            "http://h/",
            "-c",
            "5",
            "--body=-x",
            "--expect=--y",
            "-H=-Odd: -1",
            "-X",
            "PUT",
        ]);
        typed.extend(text(&[
            "--check-whole",
            "--fresh",
            "-R",
            "100",
            "-d",
            "3s",
            "--status",
            "201",
        ]));
        let socket = OsString::from_vec(b"--unix-socket=-\xff".to_vec());
        typed.push(socket);
        let mine = understood(&typed, 1, 2);
        assert_eq!(mine.body.as_deref(), Some("-x"));
        assert_eq!(mine.expect.as_deref(), Some("--y"));
        assert_eq!(mine.headers, ["-Odd: -1"]);
        assert_eq!(mine.method.as_deref(), Some("PUT"));
        let path = mine.more.unix_socket.unwrap().into_os_string();
        assert_eq!(path.into_vec(), b"-\xff");
        assert_eq!(
            (mine.more.part, mine.more.parts, mine.versus.seed),
            (Some(1), 2, Some(42))
        );
        assert_eq!((mine.connections, mine.more.status), (2, Some(201)));
        assert!(mine.more.check_whole && mine.more.fresh && !mine.more.any_body);
        assert_eq!(mine.rate.map(|rate| rate.0), Some(40.0));
        assert_eq!(
            mine.duration.map(|duration| duration.0),
            Some(Duration::from_secs(3))
        );
        let lines = text(&["tcp://h:1", "--send", "-21", "--expect", "-42", "-n", "7"]);
        let mine = understood(&lines, 0, 3);
        assert_eq!(
            (mine.send.as_deref(), mine.expect.as_deref()),
            (Some("-21"), Some("-42"))
        );
        assert_eq!((mine.requests, mine.connections), (Some(3), 22));
        assert!(
            understood(&text(&["http://h/", "--any-body"]), 0, 1)
                .more
                .any_body
        );
    }

    #[test]
    fn shares_add_up_and_differ_by_one_at_most() {
        for (all, count) in [(50_000, 3), (7, 7), (10, 4), (1, 1)] {
            let shares: Vec<u64> = (0..count).map(|number| share(all, number, count)).collect();
            assert_eq!(shares.iter().sum::<u64>(), all);
            assert!(shares.iter().max().unwrap() - shares.iter().min().unwrap() <= 1);
        }
    }
}
