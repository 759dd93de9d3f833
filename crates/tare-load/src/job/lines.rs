//! One fixed line out, one expected back.

use super::{BadJob, RequestPool, Work};
use crate::wire::{Lines, Protocol};

impl Work {
    /// A fixed line and its answer, both without their ends (a line feed is added to each).
    ///
    /// # Errors
    /// A line that holds a line feed.
    pub fn lines(send: &str, expect: &str) -> Result<Self, BadJob> {
        let mut requests = RequestPool::default();
        requests.push(&framed("line to send", send)?, &framed("expected line", expect)?);
        Ok(Self {
            requests,
            protocol: Protocol::InOrder(Box::new(Lines)),
            trials: vec![super::Trial::default()],
            tls: None,
        })
    }

    /// Adds a farewell: a line (without its end) that a batch sends last on each connection, after which the server must
    /// close.
    ///
    /// # Errors
    /// A line that holds a line feed.
    pub fn with_farewell(mut self, line: &str) -> Result<Self, BadJob> {
        self.requests = self.requests.with_farewell(&framed("farewell", line)?);
        Ok(self)
    }
}

fn framed(what: &'static str, line: &str) -> Result<Vec<u8>, BadJob> {
    if line.contains('\n') {
        let text = line.escape_default().to_string();
        return Err(BadJob {
            what,
            text,
            why: "it holds a line feed; give one line without its end",
        });
    }
    Ok(format!("{line}\n").into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_framed() {
        let work = Work::lines("ping", "pong").unwrap();
        assert_eq!(work.pair(0), (&b"ping\n"[..], &b"pong\n"[..]));
        let error = Work::lines("a\nb", "x").unwrap_err().to_string();
        assert!(
            error.contains("line to send") && error.contains("a\\nb"),
            "{error}"
        );
    }
}
