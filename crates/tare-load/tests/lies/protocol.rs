//! The three protocols, from the server's side: how a request is read, and what its right answer is.

use std::io::{BufRead, Read};

use tare_load::{Address, Work};
use tare_model::manifest::{HttpAnswer, HttpJob};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Protocol {
    Lines,
    Http,
    FastCgi,
}

pub const ALL: [Protocol; 3] = [Protocol::Lines, Protocol::Http, Protocol::FastCgi];

/// Every HTTP answer's body.
pub const BODY: &str = "hello";

impl Protocol {
    /// The job that is done in it.
    pub fn work(self, address: &Address) -> Work {
        let job = HttpJob {
            answer: Some(HttpAnswer::Text { body: BODY.into() }),
            ..HttpJob::default()
        };
        match self {
            Self::Lines => Work::doubling(1),
            Self::Http => Work::http(&job, address).unwrap(),
            Self::FastCgi => Work::fastcgi(&job, address).unwrap(),
        }
    }

    /// How a request begins where a fault shows it.
    pub fn request(self) -> &'static str {
        match self {
            Self::Lines => "\"",
            Self::Http => "\"GET / HTTP/1.1\\r\\n",
            Self::FastCgi => "GET / by FastCGI (request ",
        }
    }

    /// Requests in flight on a connection: so many as the protocol takes, up to three.
    pub fn depth(self) -> u32 {
        match self {
            Self::FastCgi => 1,
            _ => 3,
        }
    }

    /// Reads a request to its end; its right answer. None: there is no more.
    pub fn read(self, requests: &mut impl BufRead) -> Option<Vec<u8>> {
        match self {
            Self::Lines => line(requests),
            Self::Http => {
                while line_of(requests)? != b"\r\n" {}
                Some(http("Content-Length: 5\r\n", BODY))
            }
            Self::FastCgi => records(requests).map(|id| fastcgi(id, PAGE)),
        }
    }

    /// A right answer with one byte of its content changed.
    pub fn spoilt(self, right: &[u8]) -> Vec<u8> {
        let mut bytes = right.to_vec();
        let at = match self {
            Self::Lines => 0,
            Self::Http => bytes.len() - 1,
            Self::FastCgi => bytes.windows(5).position(|text| text == BODY.as_bytes()).unwrap(),
        };
        bytes[at] = b'x';
        bytes
    }
}

fn line_of(requests: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    requests
        .read_until(b'\n', &mut line)
        .ok()
        .filter(|&len| len > 0)?;
    Some(line)
}

fn line(requests: &mut impl BufRead) -> Option<Vec<u8>> {
    let line = line_of(requests)?;
    let text = String::from_utf8_lossy(&line);
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    (text != "end").then(|| format!("{}\n", tare_load::job::double(text)).into_bytes())
}

/// An HTTP answer with these further header lines.
pub fn http(fields: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\n{fields}\r\n{body}").into_bytes()
}

/// What a CGI program says that answers rightly.
pub const PAGE: &str = "Content-Type: text/plain\r\n\r\nhello";

/// Reads the records of a request; its id.
fn records(requests: &mut impl Read) -> Option<[u8; 2]> {
    loop {
        let mut header = [0; 8];
        requests.read_exact(&mut header).ok()?;
        let [_, kind, high, low, long, short, padding, _] = header;
        let length = usize::from(long) << 8 | usize::from(short);
        requests
            .read_exact(&mut vec![0; length + usize::from(padding)])
            .ok()?;
        // The empty record of its standard input is the last.
        if kind == 5 && length == 0 {
            return Some([high, low]);
        }
    }
}

/// A record of FastCGI without padding.
pub fn record(kind: u8, id: [u8; 2], content: &[u8]) -> Vec<u8> {
    let [long, short] = u16::try_from(content.len()).unwrap().to_be_bytes();
    let mut bytes = vec![1, kind, id[0], id[1], long, short, 0, 0];
    bytes.extend_from_slice(content);
    bytes
}

/// The record kinds that a responder sends.
pub const END: u8 = 3;
pub const OUT: u8 = 6;
pub const ERR: u8 = 7;

/// A whole answer with this output.
pub fn fastcgi(id: [u8; 2], page: &str) -> Vec<u8> {
    [
        record(OUT, id, page.as_bytes()),
        record(OUT, id, b""),
        record(END, id, &[0; 8]),
    ]
    .concat()
}
