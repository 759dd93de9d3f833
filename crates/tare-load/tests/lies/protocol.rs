//! The protocols from the side of the server: how a request is read, and its right answer.

use std::io::{BufRead, Read, Write};
use std::sync::LazyLock;

use tare_load::job::{HttpOptions, Message, Messages};
use tare_load::{Address, Work};
use tare_model::manifest::{HttpAnswer, HttpJob};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Protocol {
    Lines,
    Http,
    FastCgi,
    /// HTTP with a body that is judged piece by piece.
    Large,
    /// The same, but of each body only the ends are looked at; the bytes between them are skipped.
    Sampled,
    H2,
    WebSocket,
}

pub const ALL: [Protocol; 7] = [
    Protocol::Lines,
    Protocol::Http,
    Protocol::FastCgi,
    Protocol::Large,
    Protocol::Sampled,
    Protocol::H2,
    Protocol::WebSocket,
];

/// The body of a small answer.
pub const BODY: &str = "hello";

/// The body of a large answer: a part of it in another place is wrong there.
static LARGE: LazyLock<String> = LazyLock::new(|| {
    let letter = |at: u32| char::from(b'a' + ((at + at / 26 + at / 676) % 26) as u8);
    (0..200_000).map(letter).collect()
});

impl Protocol {
    /// The job over this protocol.
    pub fn work(self, address: &Address) -> Work {
        let body = self.body().into();
        let job = HttpJob {
            answer: Some(HttpAnswer::Text { body }),
            ..HttpJob::default()
        };
        match self {
            Self::Lines => Work::doubling(1),
            Self::Http | Self::Large => Work::http(&job, address).unwrap(),
            Self::Sampled => Work::http(&job, address).unwrap().sampled(0.0),
            Self::FastCgi => Work::fastcgi(&job, address).unwrap(),
            Self::H2 => Work::h2(&job, address, &HttpOptions::default()).unwrap(),
            Self::WebSocket => {
                let message = |text: &str| Message::Text(text.to_owned());
                let messages = Messages {
                    path: "/".to_owned(),
                    headers: Vec::new(),
                    host: None,
                    send: message("ping"),
                    expect: Some(message(BODY)),
                };
                Work::websocket(&messages, address, 1).unwrap()
            }
        }
    }

    /// The body of every HTTP answer.
    pub fn body(self) -> &'static str {
        if self.is_large() { LARGE.as_str() } else { BODY }
    }

    /// Whether an answer takes many reads.
    pub fn is_large(self) -> bool {
        matches!(self, Self::Large | Self::Sampled)
    }

    /// The beginning of a request as a fault shows it.
    pub fn request(self) -> &'static str {
        match self {
            Self::Lines => "\"",
            Self::Http | Self::Large | Self::Sampled => "\"GET / HTTP/1.1\\r\\n",
            Self::FastCgi => "GET / by FastCGI (request ",
            Self::H2 => "GET / over HTTP/2",
            Self::WebSocket => "the message \"ping\"",
        }
    }

    /// Whether a connection begins with a greeting, and is used for several requests.
    pub fn is_dialog(self) -> bool {
        matches!(self, Self::H2 | Self::WebSocket)
    }

    /// Does what comes before the first request. Returns whether the conversation continues.
    pub fn open(self, requests: &mut impl BufRead, out: &mut impl Write) -> bool {
        let greeting = match self {
            Self::H2 => Some(frame(SETTINGS, 0, 0, b"")),
            Self::WebSocket => handshake(requests),
            _ => return true,
        };
        greeting.is_some_and(|greeting| out.write_all(&greeting).is_ok())
    }

    /// Requests in flight on a connection: as many as the protocol allows, up to three.
    pub fn depth(self) -> u32 {
        match self {
            Self::FastCgi => 1,
            _ => 3,
        }
    }

    /// Reads a request to its end and returns its right answer; none if there is no more.
    pub fn read(self, requests: &mut impl BufRead) -> Option<Vec<u8>> {
        match self {
            Self::Lines => line(requests),
            Self::Http | Self::Large | Self::Sampled => {
                while line_of(requests)? != b"\r\n" {}
                let body = self.body();
                Some(http(&format!("Content-Length: {}\r\n", body.len()), body))
            }
            Self::FastCgi => records(requests).map(|id| fastcgi(id, PAGE)),
            Self::H2 => stream(requests).map(|stream| h2(stream, &[OK], BODY.as_bytes())),
            Self::WebSocket => {
                message(requests).map(|()| [&[0x81, BODY.len() as u8], BODY.as_bytes()].concat())
            }
        }
    }

    /// A right answer with one byte of its content changed, among those that are looked at: in a large one, in the middle.
    pub fn spoilt(self, right: &[u8]) -> Vec<u8> {
        let mut bytes = right.to_vec();
        let at = match self {
            Self::Lines => 0,
            Self::Http | Self::Sampled | Self::H2 | Self::WebSocket => bytes.len() - 1,
            Self::Large => bytes.len() / 2,
            Self::FastCgi => bytes.windows(5).position(|text| text == BODY.as_bytes()).unwrap(),
        };
        bytes[at] = if bytes[at] == b'x' { b'y' } else { b'x' };
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

/// The output of a CGI program with the right answer.
pub const PAGE: &str = "Content-Type: text/plain\r\n\r\nhello";

/// Reads the records of a request and returns its id.
fn records(requests: &mut impl Read) -> Option<[u8; 2]> {
    loop {
        let mut header = [0; 8];
        requests.read_exact(&mut header).ok()?;
        let [_, kind, high, low, long, short, padding, _] = header;
        let length = usize::from(long) << 8 | usize::from(short);
        requests
            .read_exact(&mut vec![0; length + usize::from(padding)])
            .ok()?;
        // The empty record of its standard input is the last one.
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

/// Kinds and flags of frames of HTTP/2, and a head `:status: 200`.
pub const DATA: u8 = 0;
pub const HEADERS: u8 = 1;
pub const RST_STREAM: u8 = 3;
pub const SETTINGS: u8 = 4;
pub const PING: u8 = 6;
pub const GOAWAY: u8 = 7;
pub const CONTINUATION: u8 = 9;
pub const END_STREAM: u8 = 1;
pub const END_HEADERS: u8 = 4;
pub const OK: u8 = 0x88;

/// A frame of HTTP/2.
pub fn frame(kind: u8, flags: u8, stream: u32, content: &[u8]) -> Vec<u8> {
    let length = &(content.len() as u32).to_be_bytes()[1..];
    [length, &[kind, flags], &stream.to_be_bytes(), content].concat()
}

/// A whole answer over HTTP/2.
pub fn h2(stream: u32, head: &[u8], body: &[u8]) -> Vec<u8> {
    [
        frame(HEADERS, END_HEADERS, stream, head),
        frame(DATA, END_STREAM, stream, body),
    ]
    .concat()
}

/// Reads up to the end of a request over HTTP/2, which has no body; returns its stream.
fn stream(requests: &mut impl Read) -> Option<u32> {
    loop {
        let mut header = [0; 9];
        requests.read_exact(&mut header).ok()?;
        // The preface: 24 bytes.
        let length = match header {
            [b'P', ..] => 15,
            [a, b, c, ..] => usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c),
        };
        requests.read_exact(&mut vec![0; length]).ok()?;
        if header[3] == HEADERS && header[0] != b'P' {
            return Some(u32::from_be_bytes(*header.last_chunk().unwrap()));
        }
    }
}

/// Reads the handshake of a WebSocket; returns the answer.
fn handshake(requests: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut key = String::new();
    loop {
        let line = String::from_utf8(line_of(requests)?).ok()?;
        match line.trim_end().split_once(": ") {
            Some(("Sec-WebSocket-Key", value)) => key = value.to_owned(),
            _ if line == "\r\n" => break,
            _ => {}
        }
    }
    let accept = tungstenite::handshake::derive_accept_key(key.as_bytes());
    let fields = format!("Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: {accept}\r\n");
    Some(format!("HTTP/1.1 101 Switching Protocols\r\n{fields}\r\n").into_bytes())
}

/// Reads a short message of a WebSocket client.
fn message(requests: &mut impl Read) -> Option<()> {
    loop {
        let mut header = [0; 2];
        requests.read_exact(&mut header).ok()?;
        // The key, and the payload.
        requests
            .read_exact(&mut vec![0; 4 + usize::from(header[1] & 0x7f)])
            .ok()?;
        if header[0] & 0x0f < 8 {
            return Some(());
        }
    }
}

/// The record kinds that a responder sends.
pub const END: u8 = 3;
pub const OUT: u8 = 6;
pub const ERR: u8 = 7;

/// A complete answer with this output.
pub fn fastcgi(id: [u8; 2], page: &str) -> Vec<u8> {
    [
        record(OUT, id, page.as_bytes()),
        record(OUT, id, b""),
        record(END, id, &[0; 8]),
    ]
    .concat()
}
