//! The ways from a request to the answer to it: in place, through bytes, through pipes.

use std::env;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};

use capnp::message::{Builder, HeapAllocator, Reader, ReaderSegments};
use capnp::traits::Owned;
use capnp::Result;

use crate::framing::Framing;

/// One job: what its client asks, what its server does, and what its client reads.
pub trait Exchange {
    type Request: Owned;
    type Response: Owned;

    /// The client builds a request.
    fn ask(input: usize, request: <Self::Request as Owned>::Builder<'_>) -> Result<()>;

    /// The server answers it.
    fn serve(
        request: <Self::Request as Owned>::Reader<'_>,
        response: <Self::Response as Owned>::Builder<'_>,
    ) -> Result<()>;

    /// The client reads the response.
    fn answer(response: <Self::Response as Owned>::Reader<'_>) -> Result<u64>;
}

type Message = Builder<HeapAllocator>;

fn asked<E: Exchange>(input: usize) -> Result<Message> {
    let mut request = Builder::new_default();
    E::ask(input, request.init_root())?;
    Ok(request)
}

fn served<E: Exchange>(request: &Reader<impl ReaderSegments>) -> Result<Message> {
    let mut response = Builder::new_default();
    E::serve(request.get_root()?, response.init_root())?;
    Ok(response)
}

fn answered<E: Exchange>(response: &Reader<impl ReaderSegments>) -> Result<u64> {
    E::answer(response.get_root()?)
}

/// object: both messages are read where they were built.
pub fn in_place<E: Exchange>(input: usize) -> Result<u64> {
    let request = asked::<E>(input)?;
    let response = served::<E>(&request.into_reader())?;
    answered::<E>(&response.into_reader())
}

/// bytes, bytes-packed: both messages become bytes and are read from these.
pub fn in_bytes<E: Exchange, F: Framing>(input: usize) -> Result<u64> {
    read::<E, F>(&F::bytes(&asked::<E>(input)?)?)
}

/// The answer to a request in bytes.
pub fn read<E: Exchange, F: Framing>(request: &[u8]) -> Result<u64> {
    let response = F::bytes(&served::<E>(&F::read(request)?)?)?;
    let response = F::read(&response)?;
    answered::<E>(&response)
}

/// The request of one input, in bytes.
pub fn request<E: Exchange, F: Framing>(input: &str) -> Result<Vec<u8>> {
    let input = input
        .parse()
        .map_err(|why: std::num::ParseIntError| capnp::Error::failed(format!("{input:?}: {why}")))?;
    F::bytes(&asked::<E>(input)?)
}

/// pipe, pipe-packed, the client's side.
pub struct Client {
    out: BufWriter<File>,
    answers: BufReader<File>,
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
        })
    }

    pub fn exchange<E: Exchange, F: Framing>(&mut self, input: usize) -> Result<u64> {
        F::send(&mut self.out, &asked::<E>(input)?)?;
        self.out.flush()?;
        let gone = || capnp::Error::failed("the server is gone".into());
        answered::<E>(&F::receive(&mut self.answers)?.ok_or_else(gone)?)
    }
}

/// pipe, pipe-packed, the server's side: until its input ends.
pub fn serve<E: Exchange, F: Framing>() -> Result<()> {
    let mut requests = BufReader::new(io::stdin().lock());
    // Standard output looks for line ends; the pipe behind it does not.
    let mut out = BufWriter::new(io::stdout().lock());
    while let Some(request) = F::receive(&mut requests)? {
        F::send(&mut out, &served::<E>(&request)?)?;
        out.flush()?;
    }
    Ok(())
}
