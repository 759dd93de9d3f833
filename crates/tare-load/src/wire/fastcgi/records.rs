//! Records (FastCGI 1.0, §3.3, §5, §8): a header of 8 bytes (version, type, id, content length, padding length, one
//! reserved), content, padding. Numbers have their most significant byte first.

/// The length of a header in bytes.
pub(super) const HEADER: usize = 8;

/// The most bytes of content in one record.
const MOST: usize = 65_535;

const VERSION: u8 = 1;
const BEGIN_REQUEST: u8 = 1;
const END_REQUEST: u8 = 3;
const PARAMS: u8 = 4;
const STDIN: u8 = 5;
const STDOUT: u8 = 6;
const STDERR: u8 = 7;

/// The kinds of records that a responder may send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `FCGI_STDOUT`.
    Output,
    /// `FCGI_STDERR`.
    Errors,
    /// `FCGI_END_REQUEST`.
    End,
}

/// A record whose header was read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record {
    pub(super) kind: Kind,
    /// Bytes of content and of padding that have not come yet.
    content: usize,
    padding: usize,
}

impl Record {
    /// Reads a header, which must be that of a record of the request `id`.
    pub(super) fn read(header: &[u8; HEADER], id: [u8; 2]) -> Result<Self, String> {
        let [version, kind, high, low, long, short, padding, _] = *header;
        if version != VERSION {
            return Err(format!("a record of version {version}, not 1"));
        }
        let kind = match kind {
            STDOUT => Kind::Output,
            STDERR => Kind::Errors,
            END_REQUEST => Kind::End,
            other => {
                return Err(format!(
                    "a record of type {other}, not STDOUT (6), STDERR (7) or END_REQUEST (3)"
                ));
            }
        };
        if [high, low] != id {
            return Err(format!(
                "a record of request {}, where only request {} was open",
                u16::from_be_bytes([high, low]),
                u16::from_be_bytes(id)
            ));
        }
        let content = usize::from(u16::from_be_bytes([long, short]));
        if kind == Kind::End && content != 8 {
            return Err(format!("an END_REQUEST with {content} bytes, not 8"));
        }
        Ok(Self {
            kind,
            content,
            padding: usize::from(padding),
        })
    }

    /// Whether it has no content, and so ends its stream.
    pub(super) fn is_empty(&self) -> bool {
        self.content == 0
    }

    /// Bytes of it that have not come yet.
    pub(super) fn left(&self) -> usize {
        self.content + self.padding
    }

    /// Takes the part of its content that is there.
    pub(super) fn take<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let there = &bytes[..bytes.len().min(self.content)];
        self.content -= there.len();
        there
    }

    /// Skips the part of its padding that is there after its content. Returns its length in bytes.
    pub(super) fn skip(&mut self, bytes: &[u8]) -> usize {
        if self.content > 0 {
            return 0;
        }
        let there = bytes.len().min(self.padding);
        self.padding -= there;
        there
    }
}

/// Checks the content of an END_REQUEST: the status of the program (4 bytes) and of the protocol (1 byte).
pub(super) fn judge_end(content: &[u8]) -> Result<(), String> {
    let protocol = content.get(4).copied().unwrap_or_default();
    match protocol {
        0 => {}
        1 => return Err("the request was refused: FCGI_CANT_MPX_CONN, though one was open only".to_owned()),
        2 => return Err("the request was refused: FCGI_OVERLOADED".to_owned()),
        3 => {
            return Err(
                "the request was refused: FCGI_UNKNOWN_ROLE, though a responder was asked".to_owned(),
            );
        }
        other => return Err(format!("an unknown protocol status, {other}")),
    }
    match status(content) {
        0 => Ok(()),
        status => Err(format!("the application's status is {status}, not 0")),
    }
}

/// The application status in the content of an END_REQUEST.
pub(super) fn status(content: &[u8]) -> u32 {
    content.first_chunk().map_or(0, |four| u32::from_be_bytes(*four))
}

/// A request as records: begin (a responder, the connection kept open), parameters, standard input.
pub(crate) fn request(id: u16, params: &[(String, String)], body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    push(&mut out, BEGIN_REQUEST, id, &[0, 1, 1, 0, 0, 0, 0, 0]);
    let mut pairs = Vec::new();
    for (name, value) in params {
        [name, value]
            .into_iter()
            .for_each(|text| push_length(&mut pairs, text.len()));
        pairs.extend_from_slice(name.as_bytes());
        pairs.extend_from_slice(value.as_bytes());
    }
    for (kind, stream) in [(PARAMS, &pairs[..]), (STDIN, body)] {
        stream
            .chunks(MOST)
            .for_each(|chunk| push(&mut out, kind, id, chunk));
        push(&mut out, kind, id, &[]);
    }
    out
}

fn push(out: &mut Vec<u8>, kind: u8, id: u16, content: &[u8]) {
    let [high, low] = id.to_be_bytes();
    let length = u16::try_from(content.len()).expect("content comes in pieces of 65,535 bytes at most");
    let [long, short] = length.to_be_bytes();
    out.extend_from_slice(&[VERSION, kind, high, low, long, short, 0, 0]);
    out.extend_from_slice(content);
}

/// A length: one byte up to 127, else four bytes with the first bit set (§3.4).
fn push_length(out: &mut Vec<u8>, length: usize) {
    match u8::try_from(length) {
        Ok(short @ 0..=127) => out.push(short),
        _ => {
            let length = u32::try_from(length).expect("a parameter is shorter than 2 GiB");
            out.extend_from_slice(&(length | 1 << 31).to_be_bytes());
        }
    }
}

/// The output in the records of a whole answer; none if they do not end with an END_REQUEST.
pub(super) fn output(bytes: &[u8]) -> Option<Vec<u8>> {
    let (mut at, mut output) = (0, Vec::new());
    loop {
        let header: &[u8; HEADER] = bytes.get(at..)?.first_chunk()?;
        let mut record = Record::read(header, [header[2], header[3]]).ok()?;
        at += HEADER;
        let content = record.take(&bytes[at..]);
        match record.kind {
            Kind::Output => output.extend_from_slice(content),
            Kind::Errors => {}
            Kind::End => return Some(output),
        }
        at += content.len() + record.padding;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_framed_as_the_specification_has_it() {
        let params = [
            ("A".to_owned(), "bc".to_owned()),
            ("LONG".to_owned(), "x".repeat(128)),
        ];
        let bytes = request(0x0102, &params, b"in");
        let mut expected = vec![1, 1, 1, 2, 0, 8, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0];
        expected.extend([1, 4, 1, 2, 0, 5 + 137, 0, 0, 1, 2, b'A', b'b', b'c']);
        expected.extend([4, 0x80, 0, 0, 128]);
        expected.extend(b"LONG");
        expected.extend([b'x'; 128]);
        expected.extend([1, 4, 1, 2, 0, 0, 0, 0]);
        expected.extend([1, 5, 1, 2, 0, 2, 0, 0, b'i', b'n']);
        expected.extend([1, 5, 1, 2, 0, 0, 0, 0]);
        assert_eq!(bytes, expected);
    }

    #[test]
    fn large_streams_are_cut_into_records() {
        let bytes = request(1, &[], &vec![7; MOST + 1]);
        let records = bytes
            .windows(4)
            .filter(|window| *window == [1, STDIN, 0, 1])
            .count();
        assert_eq!(records, 3, "a full one, one byte, and the end");
        assert_eq!(bytes.len(), 16 + 8 + 3 * 8 + MOST + 1);
    }
}
