//! What a responder of FastCGI 1.0 sends (§3.3, §5, §8): records with a header of 8 bytes.

use std::io::{self, IoSlice, Write};
use std::net::TcpStream;
use std::os::unix::process::ExitStatusExt;

use super::End;

/// The most bytes of content of one record.
pub(super) const MOST: usize = 65_535;

const END_REQUEST: u8 = 3;
const STDOUT: u8 = 6;
const STDERR: u8 = 7;

/// Sends a piece of output, of [`MOST`] bytes at most.
pub(super) fn output(mut stream: &TcpStream, id: [u8; 2], piece: &[u8]) -> io::Result<()> {
    let header = header(STDOUT, id, piece.len());
    let mut rest = &mut [IoSlice::new(&header), IoSlice::new(piece)][..];
    while !rest.is_empty() {
        match stream.write_vectored(rest)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => IoSlice::advance_slices(&mut rest, written),
        }
    }
    Ok(())
}

/// Sends the end of an answer.
pub(super) fn end(mut stream: &TcpStream, id: [u8; 2], end: &End) -> io::Result<()> {
    let mut bytes = header(STDOUT, id, 0).to_vec();
    let status = match end {
        End::Done(status) => status.into_raw(),
        End::Odd(said) => {
            let said = &said.as_bytes()[..said.len().min(MOST)];
            bytes.extend(header(STDERR, id, said.len()));
            bytes.extend(said);
            1
        }
    };
    bytes.extend(header(END_REQUEST, id, 8));
    bytes.extend(status.to_be_bytes());
    bytes.extend([0; 4]);
    stream.write_all(&bytes)
}

fn header(kind: u8, id: [u8; 2], length: usize) -> [u8; 8] {
    let length = u16::try_from(length).expect("content comes in pieces of 65,535 bytes at most");
    let [long, short] = length.to_be_bytes();
    [1, kind, id[0], id[1], long, short, 0, 0]
}
