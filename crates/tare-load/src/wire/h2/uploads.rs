//! Bodies of requests that are being sent, as far as the server's windows allow.

use super::frame::{self, DATA, END_STREAM, FIRST_WINDOW, FLOW_CONTROL_ERROR, LARGEST_WINDOW, MOST};
use super::trouble::{Trouble, flaw_of};

/// The bodies of a connection that are not sent to their end.
#[derive(Debug)]
pub(super) struct Uploads {
    list: Vec<Upload>,
    /// The longest payload of a frame.
    pub(super) frame: usize,
    /// The connection's window, in bytes.
    window: i64,
    /// The window that a stream begins with.
    stream_window: i64,
    /// The bytes of a body that was sent to its end.
    sent: i64,
}

/// A body that is being sent.
#[derive(Debug)]
struct Upload {
    stream: u32,
    sent: usize,
    window: i64,
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            frame: MOST,
            window: i64::from(FIRST_WINDOW),
            stream_window: i64::from(FIRST_WINDOW),
            sent: 0,
        }
    }
}

impl Uploads {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The body of the request on a stream that was just opened.
    pub(super) fn begin(&mut self, stream: u32) {
        self.list.push(Upload {
            stream,
            sent: 0,
            window: self.stream_window,
        });
    }

    /// Appends what windows allow of each; `body` is that of every request.
    pub(super) fn send(&mut self, body: &[u8], out: &mut Vec<u8>) {
        let (connection, longest) = (&mut self.window, self.frame as i64);
        self.list.retain_mut(|upload| {
            loop {
                let rest = &body[upload.sent..];
                let most = (*connection).min(upload.window).clamp(0, longest);
                let (piece, after) = rest.split_at(rest.len().min(most as usize));
                if piece.is_empty() {
                    return true;
                }
                let flags = if after.is_empty() { END_STREAM } else { 0 };
                frame::push(out, DATA, flags, upload.stream, piece);
                upload.sent += piece.len();
                upload.window -= piece.len() as i64;
                *connection -= piece.len() as i64;
                if after.is_empty() {
                    self.sent = body.len() as i64;
                    return false;
                }
            }
        });
    }

    /// Sends no more of a stream's body; returns whether there was more of it.
    #[inline]
    pub(super) fn forget(&mut self, stream: u32) -> bool {
        let before = self.list.len();
        self.list.retain(|upload| upload.stream != stream);
        self.list.len() < before
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    /// The window that streams begin with, which is that of those under way, too (RFC 9113 §6.9.2).
    pub(super) fn resize(&mut self, window: u32) -> Result<(), Trouble> {
        let window = i64::from(window);
        let more = window - std::mem::replace(&mut self.stream_window, window);
        self.list.iter_mut().for_each(|upload| upload.window += more);
        let over = |window: i64| window > LARGEST_WINDOW;
        if over(window) || self.list.iter().any(|upload| over(upload.window)) {
            return flaw_of(FLOW_CONTROL_ERROR, "SETTINGS with a window of 2 GiB or more");
        }
        Ok(())
    }

    /// Adds to a window: the connection's (0), or that of a stream. Returns whether there is such a one: that of a stream whose
    /// body was sent is not kept, and only seen to be too large where one frame makes it so.
    pub(super) fn widen(&mut self, stream: u32, more: i64) -> Result<bool, Trouble> {
        let mut list = self.list.iter_mut();
        let window = match stream {
            0 => Some(&mut self.window),
            _ => list
                .find(|upload| upload.stream == stream)
                .map(|upload| &mut upload.window),
        };
        let (kept, window) = match window {
            Some(window) => {
                *window += more;
                (true, *window)
            }
            None => (false, self.stream_window - self.sent + more),
        };
        if window > LARGEST_WINDOW {
            return flaw_of(FLOW_CONTROL_ERROR, "a WINDOW_UPDATE beyond 2 GiB");
        }
        Ok(kept)
    }
}
