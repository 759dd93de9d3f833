//! A load by several generator processes: the command line of each, and the progress of all. [`tare_rig::fleet`] runs them.

use std::ffi::OsString;
use std::process::Command;
use std::time::Duration;

use tare_host::interrupt;
use tare_load::Load;
use tare_prepare::servers::{Generators, InFlight, LoadRequest, ServerLoad};
use tare_rig::fleet::{Fleet, FleetError, Member, share};

use super::{Outcome, is_awake, live};
use crate::context::Context;
use crate::failure::{self, Failure};

/// Takes part as one of several processes, which tare itself started; returns the exit status.
pub fn take_part(number: u32, progress: bool, generator: &mut Load, load: ServerLoad) -> Result<u8, Failure> {
    let member = Member { number, progress };
    let ServerLoad {
        target,
        schedule,
        length,
    } = load;
    match member.take_part(generator, target, &schedule, length, interrupt::flag()) {
        Ok(true) => Ok(0),
        Ok(false) => Ok(failure::INTERRUPTED),
        Err(error) => Err(Failure::outside(format!(
            "cannot write to standard output: {error}"
        ))),
    }
}

/// Drives a load of a server by several processes; returns what they saw together.
pub fn drive(
    context: &Context,
    url: &str,
    request: &LoadRequest,
    generators: &Generators,
) -> Result<Outcome, Failure> {
    let program = std::env::current_exe().map_err(|error| failed(FleetError::Start(error)))?;
    let (count, shown) = (generators.processes, live::wanted(context));
    let flags = [("--live", shown), ("--awake", is_awake(generators))];
    let command = |number| {
        let mut command = Command::new(&program);
        let set = flags.iter().filter(|(_, set)| *set).map(|(flag, _)| flag);
        command.args(words(url, request, number, count)).args(set);
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
fn words(url: &str, request: &LoadRequest, number: u32, count: u32) -> Vec<OsString> {
    let asked = &request.requests;
    let mut words: Vec<OsString> = ["load", url, "-q"].map(OsString::from).to_vec();
    let mut option = |name: &str, value: OsString| {
        let mut word = OsString::from(format!("--{name}="));
        word.push(value);
        words.push(word);
    };
    for (name, value) in numbers(request, number, count) {
        value.into_iter().for_each(|value| option(name, value.into()));
    }
    let texts = [
        ("method", &asked.method),
        ("body", &asked.body),
        ("send", &asked.send),
        ("expect", &asked.expect),
    ];
    for (name, value) in texts {
        value.iter().for_each(|value| option(name, value.into()));
    }
    let headers = asked.headers.iter();
    headers.for_each(|header| option("header", header.into()));
    let socket = request.unix_socket.iter();
    socket.for_each(|path| option("unix-socket", path.into()));
    let flags = [
        ("--fresh", asked.fresh),
        ("--any-body", asked.any_body),
        ("--server-streaming", asked.server_streaming),
        ("--check-whole", asked.check_whole),
        ("--remote", request.remote),
    ];
    let given = flags.iter().filter(|(_, given)| *given);
    words.extend(given.map(|(flag, _)| OsString::from(flag)));
    words
}

/// The options of one of them that are numbers: its share of the load.
fn numbers(request: &LoadRequest, number: u32, count: u32) -> [(&'static str, Option<String>); 12] {
    let mine = share(u64::from(request.connections), number, count);
    // By its connections, so that each has its share of the load.
    let part = mine as f64 / f64::from(request.connections);
    let millis = |time: Duration| format!("{}ms", time.as_millis());
    let requests = request.count.map(|all| share(all, number, count));
    let cores = request.cores.as_ref();
    let (pipeline, streams) = match request.in_flight {
        InFlight::One => (None, None),
        InFlight::Pipelined(depth) => (Some(depth), None),
        InFlight::Streams(depth) => (None, Some(depth)),
    };
    [
        ("part", Some(number.to_string())),
        ("parts", Some(count.to_string())),
        ("seed", Some(request.seed.to_string())),
        ("connections", Some(mine.to_string())),
        ("pipeline", pipeline.map(|depth| depth.to_string())),
        ("streams", streams.map(|depth| depth.to_string())),
        ("timeout", Some(millis(request.timeout))),
        ("requests", requests.map(|requests| requests.to_string())),
        ("duration", requests.is_none().then(|| millis(request.duration()))),
        ("rate", request.rate.map(|rate| (rate.0 * part).to_string())),
        ("status", request.requests.status.map(|status| status.to_string())),
        ("cores", cores.map(|cores| core_of(cores, number))),
    ]
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
    use super::*;
    use crate::args::LoadArgs;

    /// What the words of one of several processes mean to it.
    fn understood(typed: &[OsString], number: u32, count: u32) -> LoadArgs {
        let request = LoadArgs::typed(typed).request();
        let request = LoadRequest { seed: 42, ..request };
        LoadArgs::typed(&words(&request.urls[0], &request, number, count)[1..])
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
        let streams = text(&["h2c://h/", "--streams", "32"]);
        let mine = understood(&streams, 0, 2);
        assert_eq!((mine.streams, mine.pipeline), (Some(32), None));
        assert!(
            understood(&text(&["http://h/", "--any-body"]), 0, 1)
                .more
                .any_body
        );
    }
}
