//! A small process that starts commands for tare. A child begins in the memory of the process that starts it, and the
//! kernel counts that towards the child's peak: so its starter should hold next to nothing. It also keeps tare's own work
//! between two runs out of the timing.
//!
//! It is tare's own binary with a hidden argument. It reads one request per line from its standard input and answers each
//! with a line on its standard output: `define` with a command, its texts in hexadecimal digits; `run NUMBER
//! NANOSECONDS`; `shadow`. It carries the group's marker, so that it ends with the group.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command as Process, ExitStatus, Stdio};
use std::time::Duration;

use tare_model::units::{Bytes, Seconds};

use crate::command::{Command, CommandSpec, End, Run, shadow};
use crate::error::{HostError, Result};
use crate::hex::{hex, unhex};
use crate::interrupt;
use crate::sys::{self, Birth};

/// The longest answer; of a refusal no more is read.
const LONGEST: u64 = 64 * 1024;
/// How often to check for an interrupt, if no signal ends the wait.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Runs commands by a process of their own. Dropping it ends that process.
#[derive(Debug)]
pub struct Spawner {
    argv: Vec<OsString>,
    marker: (String, String),
    specs: Vec<CommandSpec>,
    /// None if it was not started yet, or ended with an interrupted run.
    process: Option<Conversation>,
}

#[derive(Debug)]
struct Conversation {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Spawner {
    /// A spawner that starts when it is needed. `argv`: tare's own binary with the hidden argument that leads to [`serve`];
    /// `marker`: the variable of the group that everything it starts belongs to.
    pub fn new(argv: Vec<OsString>, marker: (&str, &str)) -> Self {
        Self {
            argv,
            marker: (marker.0.to_owned(), marker.1.to_owned()),
            specs: Vec::new(),
            process: None,
        }
    }

    /// Prepares a command; returns its number.
    ///
    /// # Errors
    /// [`HostError::Other`] if there is no such program or input, with the spawner's message.
    pub fn define(&mut self, spec: &CommandSpec) -> Result<usize> {
        self.ask(&define(spec), never)?;
        self.specs.push(spec.clone());
        Ok(self.specs.len() - 1)
    }

    /// Runs a command once, for at most `timeout`, and kills what is left of it. An interrupt ends the wait; what still
    /// runs ends with the group.
    ///
    /// # Errors
    /// If it cannot be started or waited for, or the spawner is gone.
    pub fn run(&mut self, number: usize, timeout: Duration) -> Result<Run> {
        self.run_unless(number, timeout, interrupt::asked)
    }

    /// Like [`run`](Self::run), for cleanup after an interrupt: only a second interrupt ends the wait.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    pub fn finish(&mut self, number: usize, timeout: Duration) -> Result<Run> {
        self.run_unless(number, timeout, interrupt::hurried)
    }

    fn run_unless(&mut self, number: usize, timeout: Duration, stop: fn() -> bool) -> Result<Run> {
        match self.ask(&format!("run {number} {}", timeout.as_nanos()), stop)? {
            Some(answer) => parse_run(&answer).ok_or_else(|| odd(&answer)),
            None => Ok(interrupted()),
        }
    }

    /// Ends the process, if it has not ended yet, and forgets the prepared commands. What it started ends with its group.
    pub fn renew(&mut self) {
        self.process = None;
        self.specs.clear();
    }

    /// Peak memory of a command below this cannot be measured.
    ///
    /// # Errors
    /// If the spawner is gone.
    pub fn shadow(&mut self) -> Result<Bytes> {
        let answer = self.ask("shadow", never)?.unwrap_or_default();
        answer.trim().parse().map(Bytes).map_err(|_| odd(&answer))
    }

    /// Its answer without the `ok`; none if `stop` returned true meanwhile: then it has been ended.
    fn ask(&mut self, request: &str, stop: fn() -> bool) -> Result<Option<String>> {
        if self.process.is_none() {
            self.begin()?;
        }
        let talk = self.process.as_mut().expect("it was started");
        let answer = talk.ask(request, stop);
        if !matches!(answer, Ok(Some(_))) {
            // It is busy or gone: the next request starts another.
            self.process = None;
        }
        let answer = answer.map_err(HostError::on("talk with", "the spawner"))?;
        answer.map(|answer| understood(&answer)).transpose()
    }

    /// Starts the process, and defines all commands again.
    fn begin(&mut self) -> Result<()> {
        let mut talk = Conversation::start(&self.argv, &self.marker)?;
        for spec in &self.specs {
            let answer = talk
                .ask(&define(spec), never)
                .map_err(HostError::on("talk with", "the spawner"))?;
            // A refused command would shift the numbers of the others.
            understood(&answer.unwrap_or_default())?;
        }
        self.process = Some(talk);
        Ok(())
    }
}

fn never() -> bool {
    false
}

/// An answer without the `ok`.
fn understood(answer: &str) -> Result<String> {
    if let Some(rest) = answer.strip_prefix("ok") {
        return Ok(rest.trim_start().to_owned());
    }
    match answer.strip_prefix("no ").and_then(text) {
        Some(why) => Err(HostError::Other(why)),
        None => Err(odd(answer)),
    }
}

impl Conversation {
    fn start(argv: &[OsString], marker: &(String, String)) -> Result<Self> {
        let (program, arguments) = argv
            .split_first()
            .ok_or_else(|| HostError::Other("the spawner needs a command".to_owned()))?;
        let mut command = Process::new(program);
        command
            .args(arguments)
            .env(&marker.0, &marker.1)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        // Tare handles the terminal's signals, and ends the group.
        let birth = Birth {
            deaf: true,
            ..Birth::default()
        };
        sys::prepare(&mut command, birth).map_err(HostError::on("prepare", "the spawner"))?;
        let mut child = command
            .spawn()
            .map_err(HostError::on("start the spawner", program))?;
        let ends = child.stdin.take().zip(child.stdout.take());
        let (input, output) = ends.expect("both were asked for");
        Ok(Self {
            child,
            input,
            output: BufReader::new(output),
        })
    }

    /// None if `stop` returned true before it answered: the caller ends it then.
    fn ask(&mut self, request: &str, stop: fn() -> bool) -> io::Result<Option<String>> {
        self.input.write_all(format!("{request}\n").as_bytes())?;
        while self.output.buffer().is_empty()
            && !sys::wait_readable(self.output.get_ref().as_fd(), LOOK_EVERY)?
        {
            if stop() {
                return Ok(None);
            }
        }
        let mut line = String::new();
        match (&mut self.output).take(LONGEST).read_line(&mut line)? {
            0 => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it has ended")),
            _ => Ok(Some(line.trim_end().to_owned())),
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // It has nothing to finish; what it started ends with its group.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the spawner process: answers requests until its input ends. Returns the exit status.
pub fn serve() -> i32 {
    let name = crate::groups::MARKER;
    let value = std::env::var(name).unwrap_or_default();
    let mut commands: Vec<Command> = Vec::new();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines().map_while(io::Result::ok) {
        let answer = match answer(&line, &mut commands, (name, &value)) {
            Ok(text) => format!("ok {text}\n"),
            Err(error) => format!("no {}\n", hex(error.to_string().as_bytes())),
        };
        if out
            .write_all(answer.as_bytes())
            .and_then(|()| out.flush())
            .is_err()
        {
            return 1;
        }
    }
    0
}

fn answer(line: &str, commands: &mut Vec<Command>, marker: (&str, &str)) -> Result<String> {
    let misunderstood = || HostError::Other(format!("not understood: {line}"));
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "define" => {
            let spec = parse_spec(rest).ok_or_else(misunderstood)?;
            commands.push(Command::new(&spec, marker)?);
            Ok(String::new())
        }
        "run" => {
            let (number, nanos) = rest.split_once(' ').ok_or_else(misunderstood)?;
            let command = number.parse().ok().and_then(|number: usize| commands.get(number));
            let nanos: u64 = nanos.parse().map_err(|_| misunderstood())?;
            let run = command
                .ok_or_else(misunderstood)?
                .run(Duration::from_nanos(nanos))?;
            Ok(show_run(&run))
        }
        "shadow" => Ok(shadow().0.to_string()),
        _ => Err(misunderstood()),
    }
}

/// `define`, the folder and the three files (`-` for none), the number of words, the words, then names and values.
fn define(spec: &CommandSpec) -> String {
    let text = |text: &str| format!("={}", hex(text.as_bytes()));
    let path = |path: &Option<PathBuf>| match path {
        Some(path) => format!("={}", hex(path.as_os_str().as_encoded_bytes())),
        None => "-".to_owned(),
    };
    let mut words = vec!["define".to_owned()];
    words.extend([&spec.cwd, &spec.input, &spec.output, &spec.errors].map(path));
    words.push(spec.argv.len().to_string());
    words.extend(spec.argv.iter().map(|word| text(word)));
    words.extend(
        spec.env
            .iter()
            .flat_map(|(name, value)| [text(name), text(value)]),
    );
    words.join(" ")
}

fn parse_spec(line: &str) -> Option<CommandSpec> {
    let mut words = line.split(' ');
    let mut path = || -> Option<Option<PathBuf>> {
        match words.next()? {
            "-" => Some(None),
            word => Some(Some(PathBuf::from(bytes(word)?))),
        }
    };
    let [cwd, input, output, errors] = [path()?, path()?, path()?, path()?];
    let count: usize = words.next()?.parse().ok()?;
    let rest: Option<Vec<String>> = words.map(|word| text(word.strip_prefix('=')?)).collect();
    let mut argv = rest?;
    let env = argv.split_off(count.min(argv.len()));
    let env = env
        .chunks_exact(2)
        .map(|pair| (pair[0].clone(), pair[1].clone()))
        .collect();
    Some(CommandSpec {
        argv,
        env,
        cwd,
        input,
        output,
        errors,
    })
}

fn show_run(run: &Run) -> String {
    let (end, status) = match run.end {
        End::Exit(status) => ("exit", status.into_raw()),
        End::Late => ("late", 0),
        End::Interrupted => ("interrupted", 0),
    };
    let nanos = |seconds: Seconds| (seconds.0 * 1e9).round() as u64;
    format!(
        "{} {} {} {} {} {end} {status} {}",
        run.wall.as_nanos(),
        nanos(run.user),
        nanos(run.system),
        run.peak.map_or(0, |peak| peak.0),
        run.switches,
        u8::from(run.left)
    )
}

fn parse_run(text: &str) -> Option<Run> {
    let words: Vec<&str> = text.split(' ').collect();
    let number = |index: usize| words.get(index)?.parse::<u64>().ok();
    let end = match *words.get(5)? {
        "exit" => End::Exit(ExitStatus::from_raw(words.get(6)?.parse().ok()?)),
        "late" => End::Late,
        "interrupted" => End::Interrupted,
        _ => return None,
    };
    Some(Run {
        wall: Duration::from_nanos(number(0)?),
        user: Seconds::from_nanos(number(1)?),
        system: Seconds::from_nanos(number(2)?),
        peak: Some(Bytes(number(3)?)).filter(|peak| peak.0 > 0),
        switches: number(4)?,
        end,
        left: number(7)? == 1,
    })
}

fn interrupted() -> Run {
    Run {
        wall: Duration::ZERO,
        user: Seconds(0.0),
        system: Seconds(0.0),
        peak: None,
        switches: 0,
        end: End::Interrupted,
        left: false,
    }
}

fn odd(answer: &str) -> HostError {
    HostError::Other(format!("the spawner answered `{answer}`; this is a bug in tare"))
}

fn bytes(word: &str) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt;
    word.strip_prefix('=').and_then(unhex).map(OsString::from_vec)
}

fn text(digits: &str) -> Option<String> {
    unhex(digits).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_answers_are_read_as_they_were_written() {
        let spec = CommandSpec {
            argv: ["a b", "", "ö\n="].map(str::to_owned).to_vec(),
            env: vec![("N".to_owned(), "a=b".to_owned())],
            cwd: Some("/x y".into()),
            input: None,
            output: Some("/o".into()),
            errors: None,
        };
        let line = define(&spec);
        assert_eq!(parse_spec(line.strip_prefix("define ").unwrap()), Some(spec));
        let run = Run {
            wall: Duration::from_nanos(123_456_789),
            user: Seconds(0.25),
            system: Seconds(0.125),
            peak: None,
            switches: 7,
            end: End::Exit(ExitStatus::from_raw(9)),
            left: true,
        };
        assert_eq!(parse_run(&show_run(&run)), Some(run));
        for end in [End::Late, End::Interrupted] {
            let run = Run { end, ..run };
            assert_eq!(parse_run(&show_run(&run)), Some(run));
        }
        for bad in ["", "1 2", "1 2 3 4 5 dead 0 0", "x 2 3 4 5 late 0 0"] {
            assert_eq!(parse_run(bad), None, "{bad}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        let mut commands = Vec::new();
        for line in [
            "",
            "run",
            "run 0 5",
            "run x y",
            "define",
            "define - - - - x",
            "define - - - - 1 =6",
        ] {
            assert!(
                answer(line, &mut commands, ("TARE_GROUP", "tare-test-9")).is_err(),
                "{line}"
            );
        }
    }
}
