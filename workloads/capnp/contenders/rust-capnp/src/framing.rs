//! The two ways in which a message becomes bytes, and comes back.

use std::io::{BufRead, Write};

use capnp::message::{Builder, HeapAllocator, Reader, ReaderOptions, ReaderSegments};
use capnp::serialize::{BufferSegments, OwnedSegments};
use capnp::{serialize, serialize_packed, Result};

/// Either way.
pub trait Framing {
    /// What the check knows it as.
    const NAME: &'static str;

    /// Where a message is that was read from bytes: there, or in memory of its own.
    type Segments<'a>: ReaderSegments;

    /// The message's bytes.
    fn bytes(message: &Builder<HeapAllocator>) -> Result<Vec<u8>>;

    /// A reader over bytes.
    fn read(bytes: &[u8]) -> Result<Reader<Self::Segments<'_>>>;

    /// Sends a message over a stream.
    fn send(stream: &mut impl Write, message: &Builder<HeapAllocator>) -> Result<()>;

    /// Waits for a message from a stream; none at its end.
    fn receive(stream: &mut impl BufRead) -> Result<Option<Reader<OwnedSegments>>>;
}

/// Words as they are.
pub struct Plain;

impl Framing for Plain {
    const NAME: &'static str = "capnp";
    type Segments<'a> = BufferSegments<&'a [u8]>;

    fn bytes(message: &Builder<HeapAllocator>) -> Result<Vec<u8>> {
        Ok(serialize::write_message_to_words(message))
    }

    fn read(bytes: &[u8]) -> Result<Reader<BufferSegments<&[u8]>>> {
        let segments = BufferSegments::new(bytes, ReaderOptions::new())?;
        Ok(Reader::new(segments, ReaderOptions::new()))
    }

    fn send(stream: &mut impl Write, message: &Builder<HeapAllocator>) -> Result<()> {
        serialize::write_message(stream, message)
    }

    fn receive(stream: &mut impl BufRead) -> Result<Option<Reader<OwnedSegments>>> {
        serialize::try_read_message(stream, ReaderOptions::new())
    }
}

/// Words without most of their zero bytes.
pub struct Packed;

impl Framing for Packed {
    const NAME: &'static str = "capnp-packed";
    type Segments<'a> = OwnedSegments;

    fn bytes(message: &Builder<HeapAllocator>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        serialize_packed::write_message(&mut bytes, message)?;
        Ok(bytes)
    }

    fn read(mut bytes: &[u8]) -> Result<Reader<OwnedSegments>> {
        serialize_packed::read_message(&mut bytes, ReaderOptions::new())
    }

    fn send(stream: &mut impl Write, message: &Builder<HeapAllocator>) -> Result<()> {
        serialize_packed::write_message(stream, message)
    }

    fn receive(stream: &mut impl BufRead) -> Result<Option<Reader<OwnedSegments>>> {
        serialize_packed::try_read_message(stream, ReaderOptions::new())
    }
}
