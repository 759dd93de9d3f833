//! WebSocket (RFC 6455): a message for each request, and one for each answer, in order. The server may send pings in between,
//! and answers in fragments.

mod handshake;
mod sha1;

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use super::dialog::{Answered, Breach, BreachKind, Dialog, KeptAnswer, News, Taken, Times};
use crate::show;
pub(crate) use handshake::Handshake;

/// Messages up to this length (64 KiB) are kept masked with several keys; a longer one with one.
const SEVERAL_UP_TO: usize = 64 << 10;

/// The number of keys that a message is masked with.
const KEYS: usize = 16;

/// Frames that neither answer nor carry anything, one after the other, beyond which they are a flood.
const IDLE: u32 = 1000;

/// The longest message: 256 MiB, so that memory is bounded.
const LONGEST: usize = 256 << 20;

const CONTINUATION: u8 = 0;
const TEXT: u8 = 1;
const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// The first bit of a frame: it is the last of its message; and of its second byte: it is masked.
const LAST: u8 = 0x80;
const MASKED: u8 = 0x80;

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Text.
    Text(String),
    /// Bytes.
    Binary(Vec<u8>),
}

/// A message, repeated over WebSocket.
#[derive(Debug)]
pub(crate) struct WebSocket {
    shared: Shared,
    connections: Vec<Connection>,
}

/// What the connections of one load core share.
#[derive(Debug)]
struct Shared {
    handshake: Arc<Handshake>,
    /// The request as a frame, masked with several keys, and which one is next.
    requests: Arc<[Vec<u8>]>,
    next: usize,
    expected: Arc<OnceLock<Expected>>,
    depth: u32,
    kept: Option<KeptAnswer>,
}

/// The right answer.
#[derive(Debug)]
struct Expected {
    message: Message,
    /// As one frame.
    frame: Vec<u8>,
}

/// A connection.
#[derive(Debug, Default)]
struct Connection {
    greeted: bool,
    ending: bool,
    owed: Vec<u8>,
    pending: VecDeque<Times>,
    idle: u32,
    /// Of the current frame, the payload that has not come.
    left: u64,
    /// Whether the current frame is the last of its message.
    last: bool,
    /// The kind of the current message; 0: none has begun.
    kind: u8,
    /// Bytes of the current message so far; they are those that are expected.
    at: usize,
    /// The same, where it is not known yet what is expected.
    gathered: Vec<u8>,
}

/// A frame's header.
#[derive(Debug, Clone, Copy)]
struct Frame {
    last: bool,
    kind: u8,
    header: usize,
    len: u64,
}

impl Message {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Binary(bytes) => bytes,
        }
    }

    fn kind(&self) -> u8 {
        match self {
            Self::Text(_) => TEXT,
            Self::Binary(_) => BINARY,
        }
    }
}

impl Expected {
    fn new(message: Message) -> Self {
        let mut frame = Vec::new();
        push(&mut frame, message.kind(), message.bytes(), None);
        Self { message, frame }
    }
}

impl WebSocket {
    /// `send`: the message of each request; `expect`: that of each answer; none: that of the first.
    pub(crate) fn new(
        handshake: Handshake,
        send: &Message,
        expect: Option<Message>,
        rng: &mut fastrand::Rng,
    ) -> Self {
        let keys = if send.bytes().len() <= SEVERAL_UP_TO {
            KEYS
        } else {
            1
        };
        let masked = |_| {
            let mut out = Vec::new();
            push(
                &mut out,
                send.kind(),
                send.bytes(),
                Some(rng.u32(..).to_be_bytes()),
            );
            out
        };
        let expected = OnceLock::new();
        if let Some(message) = expect {
            expected.get_or_init(|| Expected::new(message));
        }
        Self {
            shared: Shared {
                handshake: Arc::new(handshake),
                requests: (0..keys).map(masked).collect(),
                next: 0,
                expected: Arc::new(expected),
                depth: 1,
                kept: None,
            },
            connections: Vec::new(),
        }
    }
}

/// Appends a frame that is a whole message, masked if there is a key (RFC 6455 §5.2).
fn push(out: &mut Vec<u8>, kind: u8, payload: &[u8], key: Option<[u8; 4]>) {
    let masked = if key.is_some() { MASKED } else { 0 };
    out.push(LAST | kind);
    match payload.len() {
        len @ ..=125 => out.push(masked | len as u8),
        len @ ..=0xffff => {
            out.push(masked | 126);
            out.extend_from_slice(&(len as u16).to_be_bytes());
        }
        len => {
            out.push(masked | 127);
            out.extend_from_slice(&(len as u64).to_be_bytes());
        }
    }
    let Some(key) = key else {
        return out.extend_from_slice(payload);
    };
    out.extend_from_slice(&key);
    out.extend(
        payload
            .iter()
            .zip(key.iter().cycle())
            .map(|(byte, key)| byte ^ key),
    );
}

impl Frame {
    /// Reads the header of a server's frame. None: more of it is needed, this number of bytes.
    fn read(bytes: &[u8]) -> Result<std::result::Result<Self, usize>, &'static str> {
        let [first, second, ..] = *bytes else {
            return Ok(Err(2));
        };
        if first & 0x70 != 0 {
            return Err("a frame with reserved bits, though no extension was agreed on");
        }
        if second & MASKED != 0 {
            return Err("a masked frame, which only clients may send");
        }
        let (header, len) = match second {
            126 => (4, bytes.get(2..4).map(|two| two.iter().fold(0, add))),
            127 => (10, bytes.get(2..10).map(|eight| eight.iter().fold(0, add))),
            len => (2, Some(u64::from(len))),
        };
        let Some(len) = len else { return Ok(Err(header)) };
        let least = [(4, 126), (10, 0x1_0000)]
            .into_iter()
            .find(|(of, _)| *of == header);
        if least.is_some_and(|(_, least)| len < least) {
            return Err("a length that is not written in the shortest way");
        }
        let (last, kind) = (first & LAST != 0, first & 0x0f);
        match kind {
            CLOSE | PING | PONG if !last => Err("a control frame in fragments"),
            CLOSE | PING | PONG if len > 125 => Err("a control frame of more than 125 bytes"),
            CONTINUATION | TEXT | BINARY | CLOSE | PING | PONG => Ok(Ok(Self {
                last,
                kind,
                header,
                len,
            })),
            _ => Err("a frame of an unknown kind"),
        }
    }

    fn is_control(self) -> bool {
        self.kind >= CLOSE
    }
}

fn add(sum: u64, byte: &u8) -> u64 {
    sum << 8 | u64::from(*byte)
}

/// What is no frame, with its bytes.
#[cold]
fn flaw<T>(why: &str, bytes: &[u8]) -> Result<T, Breach> {
    let got = show::bytes(bytes);
    Err(Breach {
        kind: BreachKind::Protocol,
        why: format!("no WebSocket: {why}\n  expected frames as RFC 6455 has them\n  got      {got}"),
    })
}

impl Connection {
    /// Takes frames from the beginning of `bytes`. Returns the number of bytes, and how many after them are needed.
    fn take(&mut self, shared: &mut Shared, bytes: &[u8], news: &mut News) -> Result<Taken, Breach> {
        let mut at = 0;
        let need = loop {
            let rest = &bytes[at..];
            if self.left > 0 {
                let piece = &rest[..rest.len().min(usize::try_from(self.left).unwrap_or(usize::MAX))];
                if piece.is_empty() {
                    break 1;
                }
                self.left -= piece.len() as u64;
                at += piece.len();
                self.piece(shared, piece)?;
                self.end_of_frame(shared, piece, news)?;
                continue;
            }
            if !self.greeted {
                let len = match shared.handshake.answered(rest)? {
                    Ok(len) => len,
                    Err(need) => break need,
                };
                at += len;
                (self.greeted, news.greeted) = (true, true);
                continue;
            }
            if let Some(expected) = shared.expected.get()
                && self.kind == 0
                && shared.kept.is_none()
                && rest.starts_with(&expected.frame)
                && let Some(times) = self.pending.pop_front()
            {
                at += expected.frame.len();
                self.idle = 0;
                news.answered.push(Answered {
                    intended: times.intended,
                    whole: true,
                });
                continue;
            }
            let frame = match Frame::read(rest) {
                Ok(Ok(frame)) => frame,
                Ok(Err(need)) => break need,
                Err(why) => return flaw(why, rest),
            };
            if frame.is_control() {
                let end = frame.header + frame.len as usize;
                let Some(payload) = rest.get(frame.header..end) else {
                    break end;
                };
                self.control(frame.kind, payload, rest)?;
                at += end;
                continue;
            }
            self.begin_frame(frame, rest)?;
            at += frame.header;
            self.end_of_frame(shared, rest, news)?;
        };
        news.ending = self.ending;
        Ok(Taken { len: at, need })
    }

    /// Begins a frame of a message.
    fn begin_frame(&mut self, frame: Frame, bytes: &[u8]) -> Result<(), Breach> {
        match (frame.kind, self.kind) {
            (CONTINUATION, 0) => return flaw("a continuation without a beginning", bytes),
            (CONTINUATION, _) => {}
            (_, 0) if self.pending.is_empty() => {
                let got = show::bytes(bytes);
                let why = format!("a message with no request outstanding\n  got      {got}");
                return Err(Breach {
                    kind: BreachKind::Unasked,
                    why,
                });
            }
            (kind, 0) => (self.kind, self.at) = (kind, 0),
            _ => return flaw("a new message within another", bytes),
        }
        if frame.len > (LONGEST - self.at) as u64 {
            return flaw("a message of more than 256 MiB", bytes);
        }
        (self.left, self.last) = (frame.len, frame.last);
        if frame.len == 0 && !frame.last {
            return self.idle("empty fragments", bytes);
        }
        Ok(())
    }

    /// Takes a piece of the payload.
    fn piece(&mut self, shared: &mut Shared, piece: &[u8]) -> Result<(), Breach> {
        self.idle = 0;
        if let Some(kept) = &mut shared.kept {
            kept.body.extend_from_slice(piece);
        }
        match shared.expected.get() {
            Some(expected) => {
                let known = expected.message.bytes();
                if !known[self.at.min(known.len())..].starts_with(piece) {
                    let seen = [&known[..self.at.min(known.len())], piece].concat();
                    return self.wrong(show::difference(known, &seen));
                }
            }
            None => self.gathered.extend_from_slice(piece),
        }
        self.at += piece.len();
        Ok(())
    }

    /// Checks a message that has ended, if it has.
    fn end_of_frame(&mut self, shared: &mut Shared, bytes: &[u8], news: &mut News) -> Result<(), Breach> {
        if self.left > 0 || !self.last {
            return Ok(());
        }
        let (kind, len) = (std::mem::take(&mut self.kind), self.at);
        self.last = false;
        if shared.expected.get().is_none() {
            let gathered = std::mem::take(&mut self.gathered);
            let message = match kind {
                TEXT => match String::from_utf8(gathered) {
                    Ok(text) => Message::Text(text),
                    Err(error) => {
                        let got = show::bytes(error.as_bytes());
                        return self.wrong(format!("expected text\n  got      {got}, which is not UTF-8"));
                    }
                },
                _ => Message::Binary(gathered),
            };
            shared.expected.get_or_init(|| Expected::new(message));
        }
        let expected = &shared.expected.get().expect("it was just set").message;
        if len < expected.bytes().len() {
            let got = &expected.bytes()[..len];
            return self.wrong(show::difference(expected.bytes(), got));
        }
        if kind != expected.kind() {
            let name = |kind| if kind == TEXT { "text" } else { "binary" };
            let (expected, got) = (name(expected.kind()), name(kind));
            let bytes = show::bytes(bytes);
            return self.wrong(format!(
                "expected a {expected} message\n  got      a {got} one: {bytes}"
            ));
        }
        if let Some(times) = self.pending.pop_front() {
            news.answered.push(Answered {
                intended: times.intended,
                whole: true,
            });
        }
        Ok(())
    }

    fn wrong<T>(&mut self, why: String) -> Result<T, Breach> {
        let kind = BreachKind::Answer("the oldest".to_owned());
        self.pending.pop_front();
        Err(Breach { kind, why })
    }

    fn control(&mut self, kind: u8, payload: &[u8], bytes: &[u8]) -> Result<(), Breach> {
        match kind {
            PING => push(
                &mut self.owed,
                PONG,
                payload,
                Some(fastrand::u32(..).to_be_bytes()),
            ),
            PONG => {}
            _ if self.pending.is_empty() => self.ending = true,
            _ => {
                let said = match payload {
                    [high, low, reason @ ..] => {
                        let code = u16::from_be_bytes([*high, *low]);
                        format!("with status {code} and {}", show::bytes(reason))
                    }
                    _ => "without a status".to_owned(),
                };
                let (kind, why) = (
                    BreachKind::Ended,
                    format!("the server closed the WebSocket {said}"),
                );
                return Err(Breach { kind, why });
            }
        }
        self.idle(if kind == PING { "pings" } else { "pongs" }, bytes)
    }

    /// Counts a frame that neither answers nor carries anything.
    fn idle(&mut self, what: &str, bytes: &[u8]) -> Result<(), Breach> {
        self.idle += 1;
        if self.idle > IDLE {
            return flaw(
                &format!("a flood of {what}: {IDLE} frames without an answer"),
                bytes,
            );
        }
        Ok(())
    }
}

impl Dialog for WebSocket {
    fn resize(&mut self, n: usize, depth: u32) {
        self.shared.depth = depth;
        self.connections.resize_with(n, Connection::default);
    }

    fn begin(&mut self, conn: usize) {
        self.connections[conn] = Connection {
            owed: self.shared.handshake.request().to_vec(),
            ..Connection::default()
        };
    }

    fn owed(&mut self, conn: usize, out: &mut Vec<u8>) {
        out.append(&mut self.connections[conn].owed);
    }

    fn room(&self, conn: usize) -> u32 {
        let connection = &self.connections[conn];
        if !connection.greeted || connection.ending {
            return 0;
        }
        self.shared.depth.saturating_sub(connection.pending.len() as u32)
    }

    #[inline]
    fn send(&mut self, conn: usize, times: Times, out: &mut Vec<u8>) {
        let shared = &mut self.shared;
        if let Some(kept) = &mut shared.kept {
            *kept = KeptAnswer::default();
        }
        out.extend_from_slice(&shared.requests[shared.next]);
        shared.next = (shared.next + 1) % shared.requests.len();
        self.connections[conn].pending.push_back(times);
    }

    fn take(&mut self, conn: usize, bytes: &[u8], news: &mut News) -> Result<Taken, Breach> {
        self.connections[conn].take(&mut self.shared, bytes, news)
    }

    fn take_back(&mut self, conn: usize) -> Option<Vec<u64>> {
        let connection = &mut self.connections[conn];
        let begun = connection.kind != 0 || connection.left > 0;
        let all = (!begun).then(|| std::mem::take(&mut connection.pending))?;
        Some(all.into_iter().rev().map(|times| times.intended).collect())
    }

    fn oldest(&self, conn: usize) -> Option<u64> {
        self.connections[conn].pending.front().map(|times| times.sent)
    }

    fn waiting(&self, conn: usize) -> String {
        let connection = &self.connections[conn];
        match connection.kind {
            0 => "of whose answer it had sent nothing".to_owned(),
            _ => format!("of whose answer it had sent {} bytes", connection.at),
        }
    }

    fn greeting(&self) -> &'static str {
        "its answer to the handshake"
    }

    fn keep_answers(&mut self) {
        self.shared.kept = Some(KeptAnswer::default());
    }

    fn kept(&self) -> Option<&KeptAnswer> {
        self.shared.kept.as_ref()
    }

    fn fork(&self) -> Box<dyn Dialog> {
        let shared = &self.shared;
        Box::new(Self {
            shared: Shared {
                handshake: shared.handshake.clone(),
                requests: shared.requests.clone(),
                expected: shared.expected.clone(),
                kept: None,
                ..*shared
            },
            connections: Vec::new(),
        })
    }
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
