//! What a web server sends to a responder of FastCGI 1.0: parameters and a body.

use std::ffi::OsString;
use std::io::{self, BufRead, ErrorKind};
use std::os::unix::ffi::OsStringExt;

const BEGIN_REQUEST: u8 = 1;
const PARAMS: u8 = 4;
const STDIN: u8 = 5;

/// The most bytes of parameters and body: far more than a load sends.
const LONGEST: usize = 64 << 20;

/// A request.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) id: [u8; 2],
    /// The environment of a CGI program.
    pub(super) parameters: Vec<(OsString, OsString)>,
    pub(super) body: Vec<u8>,
}

impl Request {
    /// Reads the next one; none if the other side has closed.
    ///
    /// # Errors
    /// `InvalidData` if it is not a request, `UnexpectedEof` if it is incomplete.
    pub(super) fn read(reader: &mut impl BufRead) -> io::Result<Option<Self>> {
        if reader.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let (mut request, mut pairs) = (Self::default(), Vec::new());
        loop {
            let mut header = [0; 8];
            reader.read_exact(&mut header)?;
            let [version, kind, high, low, long, short, padding, _] = header;
            let mut content = vec![0; usize::from(u16::from_be_bytes([long, short]))];
            reader.read_exact(&mut content)?;
            reader.read_exact(&mut vec![0; usize::from(padding)])?;
            match (version, kind) {
                (1, BEGIN_REQUEST) => request.id = [high, low],
                (1, PARAMS) => pairs.append(&mut content),
                (1, STDIN) if content.is_empty() => break,
                (1, STDIN) => request.body.append(&mut content),
                _ => return Err(ErrorKind::InvalidData.into()),
            }
            if pairs.len() + request.body.len() > LONGEST {
                return Err(ErrorKind::InvalidData.into());
            }
        }
        request.parameters = parameters(&pairs).ok_or(ErrorKind::InvalidData)?;
        Ok(Some(request))
    }
}

/// Names and values (§3.4); none if they are incomplete.
fn parameters(mut bytes: &[u8]) -> Option<Vec<(OsString, OsString)>> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let name = length(&mut bytes)?;
        let value = length(&mut bytes)?;
        let (name, rest) = bytes.split_at_checked(name)?;
        let (value, rest) = rest.split_at_checked(value)?;
        let owned = |text: &[u8]| OsString::from_vec(text.to_vec());
        all.push((owned(name), owned(value)));
        bytes = rest;
    }
    Some(all)
}

/// A length: one byte up to 127, otherwise four, of which the first bit is set.
fn length(bytes: &mut &[u8]) -> Option<usize> {
    let (&first, rest) = bytes.split_first()?;
    if first < 128 {
        *bytes = rest;
        return Some(usize::from(first));
    }
    let (four, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some((u32::from_be_bytes(*four) & !(1 << 31)) as usize)
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u8, content: &[u8], padding: u8) -> Vec<u8> {
        let [long, short] = (content.len() as u16).to_be_bytes();
        let mut bytes = vec![1, kind, 2, 3, long, short, padding, 0];
        bytes.extend_from_slice(content);
        bytes.extend(vec![0xaa; usize::from(padding)]);
        bytes
    }

    fn request(pairs: &[u8], body: &[u8]) -> Vec<u8> {
        [
            record(1, &[0, 1, 1, 0, 0, 0, 0, 0], 3),
            record(4, &pairs[..1], 0),
            record(4, &pairs[1..], 1),
            record(4, b"", 0),
            record(5, body, 7),
            record(5, b"", 0),
        ]
        .concat()
    }

    #[test]
    fn requests_are_read_one_after_the_other() {
        let mut pairs = b"\x01\x02Abc\x80\x00\x00\x80\x00".to_vec();
        pairs.extend([b'x'; 128]);
        let mut bytes = request(&pairs, b"in");
        bytes.extend(request(b"\x01\x00A", b"more"));
        let mut reader = &bytes[..];
        let first = Request::read(&mut reader).unwrap().unwrap();
        assert_eq!((first.id, &first.body[..]), ([2, 3], &b"in"[..]));
        let long = "x".repeat(128);
        assert_eq!(
            first.parameters,
            [("A".into(), "bc".into()), (long.into(), OsString::new())]
        );
        let second = Request::read(&mut reader).unwrap().unwrap();
        assert_eq!(second.parameters, [("A".into(), OsString::new())]);
        assert_eq!(Request::read(&mut reader).unwrap(), None);
    }

    #[test]
    fn what_is_none_is_refused() {
        let whole = request(b"\x01\x01Ab", b"in");
        for cut in 1..whole.len() - 1 {
            assert!(Request::read(&mut &whole[..cut]).is_err(), "cut at {cut}");
        }
        for pairs in [&b"\x01\x02Ab"[..], b"\x80\x00", b"\xff\xff\xff\xff\x01A"] {
            let odd = Request::read(&mut &request(pairs, b"")[..]);
            assert_eq!(odd.unwrap_err().kind(), ErrorKind::InvalidData, "{pairs:?}");
        }
        let http = Request::read(&mut &b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"[..]);
        assert!(http.is_err());
    }
}
