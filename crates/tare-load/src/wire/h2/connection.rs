//! The state of one connection: what received frames say, and what has to be sent.

use super::answer::{came, end, piece};
use super::fields::Place;
use super::frame::{
    self, ACK, CANCEL, CONTINUATION, DATA, ENABLE_PUSH, END_HEADERS, END_STREAM, ENHANCE_YOUR_CALM,
    FIRST_WINDOW, FLOW_CONTROL_ERROR, FRAME_SIZE_ERROR, Frame, GOAWAY, HEADER, HEADER_TABLE_SIZE, HEADERS,
    INITIAL_WINDOW_SIZE, MAX_CONCURRENT_STREAMS, MAX_FRAME_SIZE, MOST, NO_ERROR, PING, PREFACE, PRIORITY,
    PROTOCOL_ERROR, PUSH_PROMISE, REFUSED_STREAM, RST_STREAM, SETTINGS, WINDOW_UPDATE,
};
use super::heads::Context;
use super::shared::Shared;
use super::streams::{Phase, Streams};
use super::trouble::{Trouble, flaw, flaw_of};
use super::uploads::Uploads;
use crate::show;
use crate::wire::dialog::{Answered, Breach, News, Taken, Times};

/// Frames that neither answer nor carry anything, one after the other, beyond which they are a flood.
const IDLE: u32 = 1000;

/// The longest header block: 256 KiB, as a head of HTTP/1.1.
const LONGEST_BLOCK: usize = 256 << 10;

/// A connection.
#[derive(Debug, Default)]
pub(super) struct Connection {
    /// Whether the server's SETTINGS have come.
    greeted: bool,
    /// Whether it takes no further requests.
    ending: bool,
    pub(super) streams: Streams,
    context: Context,
    /// A header block of which more is to come.
    cut: Option<CutBlock>,
    /// Frames that have to be sent.
    owed: Vec<u8>,
    /// Bytes of DATA since the window was last refilled.
    received: u32,
    /// Frames since the last one that answered or carried something.
    idle: u32,
    server: Server,
    uploads: Uploads,
}

/// What the server's SETTINGS allow.
#[derive(Debug)]
struct Server {
    streams: u32,
    /// Streams before this one may be refused: more were allowed when they were opened.
    refusable: u32,
    table: TableSize,
}

/// Whether our encoder, which uses no table, has said so to a server that makes it smaller (RFC 7541 §4.2).
#[derive(Debug, PartialEq, Eq)]
enum TableSize {
    Usual,
    ToBeSaid,
    Said,
}

/// A header block of which more is to come.
#[derive(Debug)]
struct CutBlock {
    stream: u32,
    ends: bool,
    bytes: Vec<u8>,
    frames: u32,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            streams: u32::MAX,
            refusable: 0,
            table: TableSize::Usual,
        }
    }
}

impl Connection {
    /// One that was just opened: preface, SETTINGS, and a large window are to be sent.
    pub(super) fn begin(depth: u32, window: u32) -> Self {
        let mut connection = Self::default();
        connection.streams.resize(depth);
        let owed = &mut connection.owed;
        owed.extend_from_slice(PREFACE);
        frame::push_settings(owed, &[(ENABLE_PUSH, 0), (INITIAL_WINDOW_SIZE, window)]);
        if let Some(more) = window.checked_sub(FIRST_WINDOW).filter(|more| *more > 0) {
            frame::push(owed, WINDOW_UPDATE, 0, 0, &more.to_be_bytes());
        }
        connection
    }

    pub(super) fn room(&self, depth: u32) -> u32 {
        if !self.greeted || self.ending {
            return 0;
        }
        self.server.streams.min(depth).saturating_sub(self.streams.open())
    }

    /// Appends a request.
    #[inline]
    pub(super) fn send(&mut self, shared: &Shared, times: Times, out: &mut Vec<u8>) {
        let stream = self.streams.push(times);
        let resized = self.server.table == TableSize::ToBeSaid;
        shared.request.write(stream, resized, out);
        if resized {
            self.server.table = TableSize::Said;
        }
        if !shared.request.body.is_empty() {
            self.uploads.begin(stream);
            self.uploads.send(&shared.request.body, out);
        }
        if !self.streams.have_ids() {
            self.ending = true;
        }
    }

    /// Appends the frames that have to be sent, and bodies as far as windows allow.
    pub(super) fn owed(&mut self, shared: &Shared, out: &mut Vec<u8>) {
        out.append(&mut self.owed);
        self.uploads.send(&shared.request.body, out);
    }

    /// Takes received bytes.
    pub(super) fn take(
        &mut self,
        shared: &mut Shared,
        bytes: &[u8],
        news: &mut News,
    ) -> Result<Taken, Breach> {
        let mut at = 0;
        let need = loop {
            let rest = &bytes[at..];
            let Some(header) = rest.first_chunk() else {
                break HEADER;
            };
            let frame = Frame::read(header);
            let taken = self.may_come(frame, rest).and_then(|()| {
                let Some(payload) = rest.get(HEADER..HEADER + frame.len) else {
                    return Ok(false);
                };
                self.frame(shared, frame, payload, news).map(|()| true)
            });
            match taken {
                Ok(true) => at += HEADER + frame.len,
                Ok(false) => break HEADER + frame.len,
                Err(trouble) => {
                    self.give_up(&trouble);
                    return Err(trouble.breach(rest));
                }
            }
        };
        news.ending = self.ending;
        news.allowed = (self.greeted && self.server.streams < shared.depth).then_some(self.server.streams);
        Ok(Taken { len: at, need })
    }

    /// What the server is told before the connection is closed (RFC 9113 §5.4.1).
    #[cold]
    fn give_up(&mut self, trouble: &Trouble) {
        let error = trouble.error();
        if error != NO_ERROR {
            frame::push_goaway(&mut self.owed, error);
        }
    }

    /// Whether a frame may come now; `rest` begins with it.
    #[inline]
    fn may_come(&self, frame: Frame, rest: &[u8]) -> Result<(), Trouble> {
        if frame.len > MOST {
            return match !self.greeted && rest.starts_with(b"HTTP/1") {
                true => flaw("it speaks HTTP/1.1 (http://), not HTTP/2 with prior knowledge"),
                false => flaw_of(
                    FRAME_SIZE_ERROR,
                    format!("a frame of {} bytes, where 16,384 are allowed", frame.len),
                ),
            };
        }
        if !self.greeted && (frame.kind != SETTINGS || frame.has(ACK)) {
            return flaw("a connection that does not begin with SETTINGS");
        }
        match &self.cut {
            Some(cut) if frame.kind != CONTINUATION || frame.stream != cut.stream => {
                flaw("another frame within a header block")
            }
            None if frame.kind == CONTINUATION => flaw("CONTINUATION without a header block"),
            _ => Ok(()),
        }
    }

    #[inline]
    fn frame(
        &mut self,
        shared: &mut Shared,
        frame: Frame,
        payload: &[u8],
        news: &mut News,
    ) -> Result<(), Trouble> {
        match frame.kind {
            DATA => self.data(shared, frame, payload, news),
            HEADERS => {
                let block = frame.content(payload)?;
                if frame.has(END_HEADERS) {
                    return self.block(shared, frame.stream, frame.has(END_STREAM), block, news);
                }
                self.cut = Some(CutBlock {
                    stream: frame.stream,
                    ends: frame.has(END_STREAM),
                    bytes: block.to_vec(),
                    frames: 0,
                });
                Ok(())
            }
            CONTINUATION => self.continuation(shared, frame, payload, news),
            _ => self.control(frame, payload, news),
        }
    }

    fn continuation(
        &mut self,
        shared: &mut Shared,
        frame: Frame,
        payload: &[u8],
        news: &mut News,
    ) -> Result<(), Trouble> {
        let Some(mut cut) = self.cut.take() else {
            return Ok(());
        };
        cut.bytes.extend_from_slice(payload);
        cut.frames += 1;
        if cut.frames > IDLE || cut.bytes.len() > LONGEST_BLOCK {
            let (frames, bytes) = (cut.frames, cut.bytes.len());
            let why = format!("a flood: a header block of {frames} CONTINUATION frames and {bytes} bytes");
            return flaw_of(ENHANCE_YOUR_CALM, why);
        }
        if frame.has(END_HEADERS) {
            return self.block(shared, cut.stream, cut.ends, &cut.bytes, news);
        }
        self.cut = Some(cut);
        Ok(())
    }

    /// Takes a whole header block.
    #[inline]
    fn block(
        &mut self,
        shared: &mut Shared,
        id: u32,
        ends: bool,
        block: &[u8],
        news: &mut News,
    ) -> Result<(), Trouble> {
        let Some(stream) = self.streams.get(id) else {
            return Err(self.not_open("HEADERS", id));
        };
        let wrong = |why: String| Err(Trouble::Answer(id, why));
        let place = match stream.phase {
            Phase::Asked => Place::Head,
            _ => Place::Trailers,
        };
        let head = match shared
            .heads
            .read(&mut self.context, block, place, &shared.checker)
        {
            Ok(head) => head,
            Err(why) => return wrong(why),
        };
        stream.succeeded |= head.succeeded;
        if place == Place::Head && !head.interim {
            stream.phase = Phase::Head;
            stream.length = head.length.unwrap_or(usize::MAX);
            stream.coding = head.coding;
        }
        match ends {
            true if head.interim => {
                wrong("an interim (1xx) head that ends the stream\n  expected a final one".to_owned())
            }
            true => self.finish(shared, id, news),
            false if place == Place::Trailers => {
                let got = show::bytes(block);
                wrong(format!(
                    "a second head\n  expected the end of the stream\n  got      a block {got}"
                ))
            }
            false if head.interim => self.idle("interim heads"),
            false => Ok(()),
        }
    }

    #[inline]
    fn data(
        &mut self,
        shared: &mut Shared,
        frame: Frame,
        payload: &[u8],
        news: &mut News,
    ) -> Result<(), Trouble> {
        self.refill(frame.len as u32, shared.window)?;
        let content = frame.content(payload)?;
        let (id, ends) = (frame.stream, frame.has(END_STREAM));
        let Some(stream) = self.streams.get(id) else {
            return Err(self.not_open("DATA", id));
        };
        if content.is_empty() && !ends {
            return self.idle("empty DATA");
        }
        if !content.is_empty() {
            self.idle = 0;
            piece(stream, shared, content)?;
        }
        if ends {
            return self.finish(shared, id, news);
        }
        Ok(())
    }

    /// Counts bytes of DATA, and gives the server a new window at half of it.
    #[inline]
    fn refill(&mut self, bytes: u32, window: u32) -> Result<(), Trouble> {
        self.received += bytes;
        if self.received > window {
            let why = format!("more DATA than the connection's window of {window} bytes");
            return flaw_of(FLOW_CONTROL_ERROR, why);
        }
        if self.received > window / 2 {
            let more = std::mem::take(&mut self.received);
            frame::push(&mut self.owed, WINDOW_UPDATE, 0, 0, &more.to_be_bytes());
        }
        Ok(())
    }

    /// Ends the answer on an open stream, which must be whole and right.
    #[inline]
    fn finish(&mut self, shared: &mut Shared, id: u32, news: &mut News) -> Result<(), Trouble> {
        let Some(stream) = self.streams.get(id) else {
            return Ok(());
        };
        let intended = stream.intended;
        let whole = end(stream, shared)?;
        self.streams.close(id);
        self.idle = 0;
        news.answered.push(Answered { intended, whole });
        // A body that was not sent to its end ends here, as the answer has come already (RFC 9113 §8.1).
        if self.uploads.forget(id) {
            frame::push(&mut self.owed, RST_STREAM, 0, id, &CANCEL.to_be_bytes());
        }
        Ok(())
    }

    /// A frame on a stream that is not open.
    #[cold]
    fn not_open(&self, what: &str, id: u32) -> Trouble {
        let flaw = |why: String| Trouble::Flaw {
            why,
            error: PROTOCOL_ERROR,
        };
        match id {
            0 => flaw(format!("{what} on stream 0")),
            _ if id.is_multiple_of(2) => {
                flaw(format!("{what} on stream {id}, which only a server could open"))
            }
            _ if id >= self.streams.next() => {
                Trouble::Unasked(format!("{what} on stream {id}, which was never opened"))
            }
            _ => Trouble::Unasked(format!("{what} on stream {id}, whose answer had ended")),
        }
    }

    /// Counts a frame that neither answers nor carries anything.
    fn idle(&mut self, what: &str) -> Result<(), Trouble> {
        self.idle += 1;
        if self.idle > IDLE {
            let why = format!("a flood of {what}: {IDLE} frames without an answer or data");
            return flaw_of(ENHANCE_YOUR_CALM, why);
        }
        Ok(())
    }

    #[cold]
    fn control(&mut self, frame: Frame, payload: &[u8], news: &mut News) -> Result<(), Trouble> {
        let of_connection = matches!(frame.kind, SETTINGS | PING | GOAWAY);
        if of_connection && frame.stream != 0 {
            return flaw(format!("{} on stream {}", frame.name(), frame.stream));
        }
        match frame.kind {
            SETTINGS => self.settings(frame, payload, news)?,
            PING if payload.len() != 8 => return flaw_of(FRAME_SIZE_ERROR, "a PING that is not 8 bytes"),
            PING if frame.has(ACK) => {}
            PING => frame::push(&mut self.owed, PING, ACK, 0, payload),
            GOAWAY => self.goaway(payload, news)?,
            WINDOW_UPDATE => self.window_update(frame.stream, payload)?,
            RST_STREAM => self.reset(frame.stream, payload, news)?,
            PUSH_PROMISE => return flaw("PUSH_PROMISE, which our SETTINGS forbid"),
            PRIORITY if payload.len() != 5 => {
                return flaw_of(FRAME_SIZE_ERROR, "a PRIORITY that is not 5 bytes");
            }
            _ => {}
        }
        self.idle(&frame.name())
    }

    fn settings(&mut self, frame: Frame, payload: &[u8], news: &mut News) -> Result<(), Trouble> {
        if frame.has(ACK) {
            return match payload.is_empty() {
                true => Ok(()),
                false => flaw_of(FRAME_SIZE_ERROR, "an acknowledgement of SETTINGS that holds some"),
            };
        }
        let (settings, rest) = payload.as_chunks::<6>();
        if !rest.is_empty() {
            return flaw_of(FRAME_SIZE_ERROR, "SETTINGS that are cut");
        }
        for [a, b, value @ ..] in settings {
            self.setting(u16::from_be_bytes([*a, *b]), u32::from_be_bytes(*value))?;
        }
        frame::push(&mut self.owed, SETTINGS, ACK, 0, &[]);
        news.greeted |= !std::mem::replace(&mut self.greeted, true);
        Ok(())
    }

    fn setting(&mut self, name: u16, value: u32) -> Result<(), Trouble> {
        let server = &mut self.server;
        match name {
            MAX_CONCURRENT_STREAMS => {
                if value < server.streams {
                    server.refusable = self.streams.next();
                }
                server.streams = value;
            }
            INITIAL_WINDOW_SIZE => return self.uploads.resize(value),
            MAX_FRAME_SIZE => match value {
                0x4000..=0xff_ffff => self.uploads.frame = value as usize,
                _ => return flaw(format!("SETTINGS that allow frames of {value} bytes")),
            },
            HEADER_TABLE_SIZE if value < 4096 && server.table == TableSize::Usual => {
                server.table = TableSize::ToBeSaid;
            }
            ENABLE_PUSH if value != 0 => return flaw("SETTINGS that enable push"),
            _ => {}
        }
        Ok(())
    }

    fn goaway(&mut self, payload: &[u8], news: &mut News) -> Result<(), Trouble> {
        let (Some(last), Some(code)) = (
            payload.get(..4).and_then(frame::number),
            payload.get(4..8).and_then(frame::number),
        ) else {
            return flaw_of(FRAME_SIZE_ERROR, "a GOAWAY that is cut");
        };
        if code != NO_ERROR {
            let said = match &payload[8..] {
                [] => String::new(),
                text => format!(", saying {}", show::bytes(text)),
            };
            return Err(Trouble::Ended(format!(
                "the server ended the connection with GOAWAY {}{said}",
                frame::error(code)
            )));
        }
        self.ending = true;
        let unprocessed = self.streams.close_after(last & 0x7fff_ffff);
        for (id, intended) in unprocessed {
            self.uploads.forget(id);
            news.taken_back.push(intended);
        }
        Ok(())
    }

    fn window_update(&mut self, id: u32, payload: &[u8]) -> Result<(), Trouble> {
        let more = match frame::number(payload) {
            None => return flaw_of(FRAME_SIZE_ERROR, "a WINDOW_UPDATE that is not 4 bytes"),
            Some(more) => i64::from(more & 0x7fff_ffff),
        };
        if more == 0 {
            return flaw("a WINDOW_UPDATE of 0 bytes");
        }
        if id != 0 && (id.is_multiple_of(2) || id >= self.streams.next()) {
            return Err(self.not_open("WINDOW_UPDATE", id));
        }
        let widened = self.uploads.widen(id, more);
        if widened.is_err() && id != 0 {
            frame::push(
                &mut self.owed,
                RST_STREAM,
                0,
                id,
                &FLOW_CONTROL_ERROR.to_be_bytes(),
            );
        }
        if !widened? {
            return Ok(());
        }
        // What it lets out is progress.
        if !self.uploads.is_empty() {
            self.idle = 0;
        }
        Ok(())
    }

    fn reset(&mut self, id: u32, payload: &[u8], news: &mut News) -> Result<(), Trouble> {
        let Some(code) = frame::number(payload) else {
            return flaw_of(FRAME_SIZE_ERROR, "a RST_STREAM that is not 4 bytes");
        };
        let (refusable, next) = (self.server.refusable, self.streams.next());
        match self.streams.get(id) {
            // Also after an answer that came before the request had been read.
            None if id % 2 == 1 && id < next => Ok(()),
            None => Err(self.not_open("RST_STREAM", id)),
            Some(stream) if code == REFUSED_STREAM && id < refusable && stream.phase == Phase::Asked => {
                news.taken_back.push(stream.intended);
                self.streams.close(id);
                self.uploads.forget(id);
                Ok(())
            }
            Some(stream) => {
                let (name, came) = (frame::error(code), came(stream));
                Err(Trouble::Ended(format!(
                    "the server reset stream {id} ({name}), of whose answer it had sent {came}"
                )))
            }
        }
    }

    /// Forgets all outstanding requests; returns their intended times, the last one first. None: a part of an answer has
    /// come.
    pub(super) fn take_back(&mut self) -> Option<Vec<u64>> {
        if self.streams.are_answered() {
            return None;
        }
        let all = self.streams.close_after(0);
        self.uploads.clear();
        Some(all.into_iter().map(|(_, intended)| intended).collect())
    }

    /// The stream that has waited for longest, for a person.
    pub(super) fn waiting(&self) -> String {
        match self.streams.oldest() {
            Some(stream) => format!(
                "on stream {}, of whose answer it had sent {}",
                stream.id,
                came(stream)
            ),
            None => "which was not sent as the server allows no stream".to_owned(),
        }
    }
}
