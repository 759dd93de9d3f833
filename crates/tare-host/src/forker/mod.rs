//! The forker: starts a CGI program for each request, if no web server does.
//!
//! It is tare's own binary, a process in the contender's group. It listens on its standard input and speaks FastCGI, one
//! request at a time on each connection. For each request it starts the program with the request's parameters as its
//! environment (RFC 3875), forwards its output as it arrives, and waits for its end. Each connection has a thread, which
//! waits for its own program; programs are started by `vfork` (the standard library's `posix_spawn`), which copies no
//! memory.
//!
//! At the end of an answer, FastCGI's application status is the program's status as `wait` returns it; the FastCGI error
//! stream holds messages of the forker. The program's own standard error goes to the log.

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

/// The name under which its CPU time is reported.
pub const NAME: &str = "forker";

/// Variables of the forker's own environment that programs get besides the contender's: the search path of script
/// interpreters, and the marker of the group.
const ALWAYS: [&str; 2] = ["PATH", MARKER];

/// If a program has ended, and its output is silent for this long but still open, a process that it left behind holds it
/// open.
const SILENCE: Duration = Duration::from_secs(1);

/// The stack of a thread that waits for one program: more than it needs.
const STACK: usize = 256 << 10;

/// The program that it starts.
#[derive(Debug)]
struct Program {
    path: PathBuf,
    environment: Vec<(OsString, OsString)>,
    orphans: Orphans,
}

/// How the answer of a program ended.
#[derive(Debug)]
enum End {
    /// All of its output was forwarded, and it ended with this status.
    Done(ExitStatus),
    /// Something went wrong that only the forker can see.
    Odd(String),
}

/// The arguments of the forker: the program, and the names of the variables of the forker's environment that it gets.
pub fn words(program: &str, variables: impl IntoIterator<Item = String>) -> Vec<String> {
    let always = ALWAYS.map(str::to_owned);
    std::iter::once(program.to_owned())
        .chain(variables)
        .chain(always)
        .collect()
}

/// Runs the forker with its [`words`]; its standard input is a listening socket.
///
/// # Errors
/// [`HostError::Other`] when it can accept no more connections.
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
        // The other side reports a broken connection.
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
        // The program's own failure comes first: it may be why processes were left behind.
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
        let input = if request.body.is_empty() {
            Stdio::null()
        } else {
            Stdio::piped()
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

/// Forwards a program's output, and waits for its end.
fn answer(stream: &TcpStream, request: &Request, child: &mut Child, piece: &mut [u8]) -> io::Result<End> {
    let mut output = child.stdout.take().expect("it is piped");
    let forwarded = match child.stdin.take() {
        None => forward(stream, request.id, child, &mut output, piece),
        Some(input) => thread::scope(|scope| {
            // A thread of its own: a program may write before it has read everything.
            scope.spawn(|| feed(input, &request.body));
            forward(stream, request.id, child, &mut output, piece)
        }),
    };
    let status = child.wait()?;
    Ok(forwarded?.map_or(End::Done(status), End::Odd))
}

fn feed(mut input: ChildStdin, body: &[u8]) {
    // A program need not read it.
    let _ = input.write_all(body);
}

/// Forwards output until its end; returns what is wrong if the end does not come. Kills the program if the other side is
/// gone.
fn forward(
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
        let forwarded = match output.read(piece) {
            Ok(0) => return Ok(None),
            Ok(len) => records::output(stream, id, &piece[..len]),
            Err(error) => Err(error),
        };
        if let Err(error) = forwarded
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
