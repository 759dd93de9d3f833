//! A request as frames, made once; only the ids of its stream are written anew.

use super::frame::{self, CONTINUATION, END_HEADERS, END_STREAM, HEADER, HEADERS, MOST};

/// A change of the dynamic table's size to 0 (RFC 7541 §6.3).
const NO_TABLE: u8 = 0x20;

/// A request.
#[derive(Debug)]
pub(super) struct Request {
    /// Its fields, encoded.
    block: Vec<u8>,
    pub(super) body: Vec<u8>,
    /// Its head as frames of stream 0, and where they have the id.
    frames: Vec<u8>,
    ids: Vec<usize>,
}

impl Request {
    pub(super) fn new(block: Vec<u8>, body: Vec<u8>) -> Self {
        let (frames, ids) = framed(&block, body.is_empty());
        Self {
            block,
            body,
            frames,
            ids,
        }
    }

    /// Appends its head on a stream. `resized`: after a change of the table's size to 0.
    #[inline]
    pub(super) fn write(&self, stream: u32, resized: bool, out: &mut Vec<u8>) {
        if resized {
            let block = [&[NO_TABLE], &*self.block].concat();
            let (frames, ids) = framed(&block, self.body.is_empty());
            return append(&frames, &ids, stream, out);
        }
        append(&self.frames, &self.ids, stream, out);
    }
}

#[inline]
fn append(frames: &[u8], ids: &[usize], stream: u32, out: &mut Vec<u8>) {
    let begin = out.len();
    out.extend_from_slice(frames);
    for at in ids {
        out[begin + at..begin + at + 4].copy_from_slice(&stream.to_be_bytes());
    }
}

/// A block as HEADERS and, where it is long, CONTINUATION.
fn framed(block: &[u8], ends: bool) -> (Vec<u8>, Vec<usize>) {
    let (mut out, mut ids) = (Vec::new(), Vec::new());
    let pieces = block.len().div_ceil(MOST).max(1);
    for (n, piece) in block.chunks(MOST).enumerate() {
        let kind = if n == 0 { HEADERS } else { CONTINUATION };
        let mut flags = if n == 0 && ends { END_STREAM } else { 0 };
        if n + 1 == pieces {
            flags |= END_HEADERS;
        }
        // The id is the last part of the header.
        ids.push(out.len() + HEADER - 4);
        frame::push(&mut out, kind, flags, 0, piece);
    }
    (out, ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_one_frame_or_some_of_one_stream() {
        let mut out = b"before".to_vec();
        Request::new(vec![0x82], Vec::new()).write(0x0102_0305, false, &mut out);
        assert_eq!(out, b"before\x00\x00\x01\x01\x05\x01\x02\x03\x05\x82");
        out.clear();
        Request::new(vec![0x82], vec![1]).write(3, true, &mut out);
        assert_eq!(out, b"\x00\x00\x02\x01\x04\x00\x00\x00\x03\x20\x82");
        out.clear();
        Request::new(vec![7; MOST + 1], Vec::new()).write(5, false, &mut out);
        assert_eq!(out[..9], [0, 0x40, 0, HEADERS, END_STREAM, 0, 0, 0, 5]);
        assert_eq!(
            out[HEADER + MOST..],
            [0, 0, 1, CONTINUATION, END_HEADERS, 0, 0, 0, 5, 7]
        );
    }
}
