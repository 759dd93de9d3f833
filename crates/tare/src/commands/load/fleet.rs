//! A load by several generator processes: how many, and the command line of each. [`tare_rig::fleet`] runs them.

use std::ffi::OsString;
use std::process::Command;

use tare_host::interrupt;
use tare_load::{Load, Schedule, Target, limits};
use tare_rig::fleet::{Fleet, FleetError, Member, share};

use super::{LoadCommand, Outcome, live};
use crate::args::LoadArgs;
use crate::context::Context;
use crate::failure::{self, Failure};

/// How many processes a load takes here: as many as were asked for, or as few as can hold its connections.
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
    if count > args.connections {
        return Err(Failure::usage(
            "a process without a connection has nothing to do: fewer --processes",
        ));
    }
    Ok(count)
}

/// Takes part as one of several processes, which tare itself started; returns the exit status.
pub fn take_part(
    number: u32,
    load: &mut Load,
    target: Target,
    args: &LoadArgs,
    schedule: &Schedule,
) -> Result<u8, Failure> {
    let member = Member {
        number,
        progress: args.more.live,
    };
    let took = member.take_part(load, target, schedule, super::length(args), interrupt::flag());
    match took {
        Ok(true) => Ok(0),
        Ok(false) => Ok(failure::INTERRUPTED),
        Err(error) => Err(Failure::outside(format!(
            "cannot write to standard output: {error}"
        ))),
    }
}

/// Drives a load by this many processes; returns what they saw together.
pub fn drive(context: &Context, order: &LoadCommand<'_>, count: u32) -> Result<Outcome, Failure> {
    let program = std::env::current_exe().map_err(|error| failed(FleetError::Start(error)))?;
    let shown = live::wanted(context);
    let flags = [("--live", shown), ("--awake", order.is_awake())];
    let command = |number| {
        let mut command = Command::new(&program);
        let set = flags.iter().filter(|(_, set)| *set).map(|(flag, _)| flag);
        command.args(words(order, number, count)).args(set);
        command
    };
    let fleet = Fleet::start((0..count).map(command)).map_err(failed)?;
    let answers = fleet.answers();
    let mut live = None;
    let outcome = fleet.run(interrupt::asked, || {
        live = shown.then(|| live::show(move || answers.total()));
    });
    drop(live);
    outcome.map_err(failed)
}

fn failed(error: FleetError) -> Failure {
    let failure = Failure::outside(&error);
    match error {
        FleetError::Start(_) => failure,
        FleetError::EndedEarly => failure.hint("see what it said above; is the memory exhausted (dmesg)?"),
    }
}

/// The arguments of one of them. Each option is one word with its value, which may begin with a dash.
fn words(order: &LoadCommand<'_>, number: u32, count: u32) -> Vec<OsString> {
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// What the words of one of several processes mean to it.
    fn understood(typed: &[OsString], number: u32, count: u32) -> LoadArgs {
        let args = LoadArgs::typed(typed);
        let order = LoadCommand {
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
}
