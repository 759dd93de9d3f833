//! The forker: starts a CGI program for each request, where no web server does.
//!
//! A process of tare's own binary in the contender's group. It listens on its standard input and speaks FastCGI, one
//! request at a time on each connection; for each it starts the program with the request's parameters as its environment
//! (RFC 3875), hands its output on as it comes, and waits for its end. A thread a connection: each waits for its own
//! program, and programs are started by `vfork` (the standard library's `posix_spawn`), which copies no memory.
//!
//! What it says with an answer's end: the application status of FastCGI is the program's status as `wait` has it, and
//! what goes over the stream of errors is said by the forker itself. What the program says there is in the log.

mod orphans;
mod records;
mod request;

use std::ffi::OsString;
use std::io::{self, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::error::{HostError, Result};
use crate::groups::MARKER;
use crate::process::describe_exit;
use crate::sys;
use orphans::Orphans;
use request::Request;

/// The name that its CPU time is told by.
pub const NAME: &str = "forker";

/// Variables of the forker's own environment that programs get besides the contender's: where a script's interpreter is
/// looked for, and what processes of a group are found by.
const ALWAYS: [&str; 2] = ["PATH", MARKER];

/// A program that has ended, and whose output was silent for so long without an end, has left a process behind that holds
/// it open.
const SILENCE: Duration = Duration::from_secs(1);

/// What a thread that waits for one program needs, and room to spare.
const STACK: usize = 256 << 10;

/// What it starts.
#[derive(Debug)]
struct Program {
    path: PathBuf,
    environment: Vec<(OsString, OsString)>,
    orphans: Orphans,
}

/// How a program's answer ended.
#[derive(Debug)]
enum End {
    /// All of its output is handed on, and it has ended so.
    Done(ExitStatus),
    /// Something is wrong that only the forker can see.
    Odd(String),
}

/// The words behind the forker's own command: the program, and the names of those variables of the forker's environment
/// that it gets.
pub fn words(program: &str, variables: impl IntoIterator<Item = String>) -> Vec<String> {
    let always = ALWAYS.map(str::to_owned);
    std::iter::once(program.to_owned())
        .chain(variables)
        .chain(always)
        .collect()
}

/// The forker's whole life, with [`words`]; its standard input is a listening socket.
///
/// # Errors
/// [`HostError::Other`] once it can accept no more.
pub fn serve(words: &[OsString]) -> Result<()> {
    let (path, names) = words
        .split_first()
        .ok_or_else(|| HostError::Other("the forker needs a program to start".to_owned()))?;
    let variable = |name: &OsString| Some((name.clone(), std::env::var_os(name)?));
    let program = Program {
        path: path.into(),
        environment: names.iter().filter_map(variable).collect(),
        orphans: Orphans::new(),
    };
    let ended = accept(&Arc::new(program));
    ended.map_err(|error| HostError::Other(format!("the forker cannot go on: {error}")))
}

fn accept(program: &Arc<Program>) -> io::Result<()> {
    sys::adopt_orphans()?;
    let listener = TcpListener::from(io::stdin().as_fd().try_clone_to_owned()?);
    loop {
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
            Err(error) => return Err(error),
        };
        stream.set_nodelay(true)?;
        let program = program.clone();
        // A connection that breaks is told of by the other side.
        let serve = move || drop(connection(&stream, &program));
        thread::Builder::new().stack_size(STACK).spawn(serve)?;
    }
}

/// Answers request after request, until the other side closes.
fn connection(stream: &TcpStream, program: &Program) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut piece = vec![0; records::MOST];
    while let Some(request) = Request::read(&mut reader)? {
        let end = match program.start(&request) {
            Ok(mut child) => answer(stream, &request, &mut child, &mut piece)?,
            Err(error) => End::Odd(format!(
                "{} could not be started: {error}",
                program.path.display()
            )),
        };
        // The program's own failure comes first: what it left behind may come of that.
        let end = match end {
            End::Done(status) if status.success() => {
                program.orphans.look().map_or(End::Done(status), End::Odd)
            }
            end => end,
        };
        records::end(stream, request.id, &end)?;
    }
    Ok(())
}

impl Program {
    fn start(&self, request: &Request) -> io::Result<Child> {
        let input = match request.body.is_empty() {
            true => Stdio::null(),
            false => Stdio::piped(),
        };
        let mut command = Command::new(&self.path);
        command
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .envs(request.parameters.iter().map(|(name, value)| (name, value)))
            .stdin(input)
            .stdout(Stdio::piped())
            .spawn()
    }
}

/// Hands a program's output on, and sees it end.
fn answer(stream: &TcpStream, request: &Request, child: &mut Child, piece: &mut [u8]) -> io::Result<End> {
    let mut output = child.stdout.take().expect("it was asked for");
    let handed_on = match child.stdin.take() {
        None => hand_on(stream, request.id, child, &mut output, piece),
        Some(input) => thread::scope(|scope| {
            // A thread of its own: a program may write before it has read everything.
            scope.spawn(|| feed(input, &request.body));
            hand_on(stream, request.id, child, &mut output, piece)
        }),
    };
    let status = child.wait()?;
    Ok(handed_on?.map_or(End::Done(status), End::Odd))
}

fn feed(mut input: ChildStdin, body: &[u8]) {
    // A program need not read it.
    let _ = input.write_all(body);
}

/// Hands output on until its end; what is odd, where that does not come. Where the other side is gone, so is the program.
fn hand_on(
    stream: &TcpStream,
    id: [u8; 2],
    child: &mut Child,
    output: &mut ChildStdout,
    piece: &mut [u8],
) -> io::Result<Option<String>> {
    loop {
        if !sys::wait_readable(output.as_fd(), SILENCE)? {
            match child.try_wait()? {
                Some(status) => return Ok(Some(held_open(status))),
                None => continue,
            }
        }
        let handed_on = match output.read(piece) {
            Ok(0) => return Ok(None),
            Ok(len) => records::output(stream, id, &piece[..len]),
            Err(error) => Err(error),
        };
        if let Err(error) = handed_on
            && error.kind() != io::ErrorKind::Interrupted
        {
            let _ = child.kill();
            return Err(error);
        }
    }
}

fn held_open(status: ExitStatus) -> String {
    format!(
        "the program has ended ({}), but a process that it left behind holds its output open, so that no end of it \
         was seen within {} s",
        describe_exit(status),
        SILENCE.as_secs()
    )
}
