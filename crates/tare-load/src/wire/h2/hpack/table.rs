//! The tables of HPACK (RFC 7541 §2.3): a static one, and one that the server fills for each connection.

use std::collections::VecDeque;

use super::Field;

/// The largest size of the dynamic table: that of RFC 9113 §6.5.2, as our SETTINGS say nothing else.
pub(super) const MOST: usize = 4096;

/// What an entry counts beyond its bytes (RFC 7541 §4.1).
pub(super) const OVERHEAD: usize = 32;

/// RFC 7541, appendix A.
#[rustfmt::skip]
pub(super) const STATIC: [(&str, &str); 61] = [
    (":authority", ""), (":method", "GET"), (":method", "POST"), (":path", "/"), (":path", "/index.html"),
    (":scheme", "http"), (":scheme", "https"), (":status", "200"), (":status", "204"), (":status", "206"),
    (":status", "304"), (":status", "400"), (":status", "404"), (":status", "500"), ("accept-charset", ""),
    ("accept-encoding", "gzip, deflate"), ("accept-language", ""), ("accept-ranges", ""), ("accept", ""),
    ("access-control-allow-origin", ""), ("age", ""), ("allow", ""), ("authorization", ""),
    ("cache-control", ""), ("content-disposition", ""), ("content-encoding", ""), ("content-language", ""),
    ("content-length", ""), ("content-location", ""), ("content-range", ""), ("content-type", ""),
    ("cookie", ""), ("date", ""), ("etag", ""), ("expect", ""), ("expires", ""), ("from", ""), ("host", ""),
    ("if-match", ""), ("if-modified-since", ""), ("if-none-match", ""), ("if-range", ""),
    ("if-unmodified-since", ""), ("last-modified", ""), ("link", ""), ("location", ""), ("max-forwards", ""),
    ("proxy-authenticate", ""), ("proxy-authorization", ""), ("range", ""), ("referer", ""), ("refresh", ""),
    ("retry-after", ""), ("server", ""), ("set-cookie", ""), ("strict-transport-security", ""),
    ("transfer-encoding", ""), ("user-agent", ""), ("vary", ""), ("via", ""), ("www-authenticate", ""),
];

/// The dynamic table of a connection.
#[derive(Debug)]
pub(in super::super) struct Table {
    /// The newest first.
    entries: VecDeque<Field>,
    size: usize,
    most: usize,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            entries: VecDeque::new(),
            size: 0,
            most: MOST,
        }
    }
}

impl Table {
    /// The entry with this index, which may be of the static table.
    pub(super) fn get(&self, index: usize) -> Option<Field> {
        match index.checked_sub(STATIC.len() + 1) {
            Some(dynamic) => self.entries.get(dynamic).cloned(),
            None => {
                let (name, value) = STATIC.get(index.checked_sub(1)?)?;
                Some(Field::new(name.as_bytes(), value.as_bytes()))
            }
        }
    }

    /// Adds an entry; the oldest ones make room. One that is larger than the table empties it (RFC 7541 §4.4).
    pub(in super::super) fn insert(&mut self, field: Field) {
        self.size += field.size();
        self.entries.push_front(field);
        self.evict();
    }

    /// Changes the largest size. Returns whether it may be so large.
    pub(super) fn limit(&mut self, most: usize) -> bool {
        self.most = most;
        self.evict();
        most <= MOST
    }

    fn evict(&mut self) {
        while self.size > self.most
            && let Some(oldest) = self.entries.pop_back()
        {
            self.size -= oldest.size();
        }
    }

    /// Whether it is as large as its entries, and no larger than it may be.
    #[cfg(test)]
    pub(in super::super) fn is_within_its_size(&self) -> bool {
        let sum: usize = self.entries.iter().map(Field::size).sum();
        sum == self.size && self.size <= self.most
    }

    /// The size, and the entries from the newest on.
    #[cfg(test)]
    pub(super) fn shown(&self) -> (usize, Vec<String>) {
        let texts = self.entries.iter().map(ToString::to_string);
        (self.size, texts.collect())
    }
}
