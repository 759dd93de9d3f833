//! The ways from a request to the answer to it: through bytes, through pipes.

use std::env;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};

use serde::{Deserialize, Serialize};

use crate::format::{Format, Result};

/// One job: what its client asks, what its server does, and what its client reads.
pub trait Exchange {
    type Request<'a>: Serialize + Deserialize<'a>;
    type Response<'a>: Serialize + Deserialize<'a>;

    /// The client makes a request.
    fn ask(input: usize) -> Self::Request<'static>;

    /// The server answers it.
    fn serve(request: Self::Request<'_>) -> Self::Response<'_>;

    /// The client reads the response.
    fn answer(response: Self::Response<'_>) -> u64;
}

/// bytes: both messages become bytes and are read from these.
pub fn in_bytes<E: Exchange, F: Format>(input: usize) -> Result<u64> {
    read::<E, F>(&request::<E, F>(input)?)
}

/// The request of one input, in bytes.
pub fn request<E: Exchange, F: Format>(input: usize) -> Result<Vec<u8>> {
    F::write(&E::ask(input))
}

/// The answer to a request in bytes.
pub fn read<E: Exchange, F: Format>(request: &[u8]) -> Result<u64> {
    let response = F::write(&E::serve(F::read(request)?))?;
    let answer = E::answer(F::read(&response)?);
    Ok(answer)
}

/// pipe, the client's side.
pub struct Client {
    out: BufWriter<File>,
    answers: BufReader<File>,
    buffer: Vec<u8>,
}

impl Client {
    /// Opens the two pipes that the environment names.
    pub fn open() -> io::Result<Self> {
        let path = |name| env::var_os(name).ok_or_else(|| io::Error::other(format!("{name} is not set")));
        let out = File::options().write(true).open(path("TARE_PIPE_OUT")?)?;
        let answers = File::open(path("TARE_PIPE_IN")?)?;
        Ok(Self {
            out: BufWriter::new(out),
            answers: BufReader::new(answers),
            buffer: Vec::new(),
        })
    }

    pub fn exchange<E: Exchange, F: Format>(&mut self, input: usize) -> Result<u64> {
        send(&mut self.out, &F::write(&E::ask(input))?)?;
        if !receive(&mut self.answers, &mut self.buffer)? {
            return Err(io::Error::other("the server is gone").into());
        }
        let answer = E::answer(F::read(&self.buffer)?);
        Ok(answer)
    }
}

/// pipe, the server's side: until its input ends.
pub fn serve<E: Exchange, F: Format>() -> Result<()> {
    let mut requests = BufReader::new(io::stdin().lock());
    let mut out = BufWriter::new(io::stdout().lock());
    let mut buffer = Vec::new();
    while receive(&mut requests, &mut buffer)? {
        send(&mut out, &F::write(&E::serve(F::read(&buffer)?))?)?;
    }
    Ok(())
}

/// These formats do not say where a message ends: its length goes before it, in four bytes, little endian.
fn send(pipe: &mut impl Write, message: &[u8]) -> io::Result<()> {
    let length = u32::try_from(message.len()).map_err(io::Error::other)?;
    pipe.write_all(&length.to_le_bytes())?;
    pipe.write_all(message)?;
    pipe.flush()
}

/// Waits for a message; false where the pipe has ended.
fn receive(pipe: &mut impl Read, message: &mut Vec<u8>) -> io::Result<bool> {
    let mut length = [0; 4];
    match pipe.read_exact(&mut length) {
        Err(end) if end.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
        other => other?,
    }
    message.resize(u32::from_le_bytes(length) as usize, 0);
    pipe.read_exact(message)?;
    Ok(true)
}
