//! The heads of a server's answers, byte by byte: learned from right answers, so that the next head costs a compare.
//!
//! A template is a head in which the values of some fields are masked: `Date`, and every field whose value was seen to
//! change (a random id). Masked bytes may be anything that a field's value may hold, so a mask cannot hide the end of a
//! line. Fields that say where the answer ends are never masked, with one exception: where bodies differ in length from
//! answer to answer, the digits of `Content-Length` may be other digits, which are read.

use std::ops::Range;

use super::body::Framing;
use super::head::Head;
use crate::check::Coding;
use crate::wire::header::{Field, is_text};

/// Fields whose values decide where the answer ends, what it means, or whether the connection ends.
const FIXED: [&str; 5] = [
    "content-length",
    "transfer-encoding",
    "connection",
    "content-type",
    "content-encoding",
];

/// A raw chunked body up to this length (64 KiB) is learned; a longer one is decoded each time.
const LONGEST_RAW: usize = 64 << 10;

/// A right head with masked values.
#[derive(Debug)]
pub(super) struct Template {
    /// The last head that matched.
    bytes: Vec<u8>,
    framing: Framing,
    /// How the body is encoded.
    coding: Option<Coding>,
    fields: Vec<Field>,
    /// In rising order, not overlapping; `length` is among them.
    masked: Vec<Range<usize>>,
    /// The digits of `Content-Length`, where they may change.
    length: Option<Range<usize>>,
    /// A right chunked body as it was sent; empty if none was learned.
    raw: Vec<u8>,
}

impl Template {
    /// What the template so far has in common with `head`, of which `bytes` are all bytes. `vary`: bodies differ in length.
    pub(super) fn learn(
        before: Option<Self>,
        head: &Head,
        bytes: &[u8],
        framing: Framing,
        vary: bool,
    ) -> Self {
        let before = before.filter(|before| {
            before.bytes.len() == bytes.len() && before.fields == head.fields && before.alike(framing, vary)
        });
        let is =
            |field: &Field, other: &str| bytes[field.name.clone()].eq_ignore_ascii_case(other.as_bytes());
        let length = head
            .fields
            .iter()
            .find(|field| vary && is(field, "content-length"));
        let length = length.map(|field| field.value.clone());
        let changes = |field: &&Field| {
            let value = &field.value;
            let changed = before.as_ref().is_some_and(|before| {
                before.masked.contains(value) || before.bytes[value.clone()] != bytes[value.clone()]
            });
            length.as_ref() == Some(value)
                || (!FIXED.iter().any(|fixed| is(field, fixed)) && (is(field, "date") || changed))
        };
        let masked = head
            .fields
            .iter()
            .filter(changes)
            .map(|field| field.value.clone())
            .collect();
        Self {
            masked,
            length,
            framing,
            coding: head.coding(bytes),
            fields: head.fields.clone(),
            bytes: bytes.to_vec(),
            raw: before.map(|before| before.raw).unwrap_or_default(),
        }
    }

    fn alike(&self, framing: Framing, vary: bool) -> bool {
        let lengths = matches!((self.framing, framing), (Framing::Length(_), Framing::Length(_)));
        self.framing == framing || (vary && lengths)
    }

    /// Learns a right chunked body as it was sent.
    pub(super) fn learn_raw(&mut self, body: &[u8]) {
        if body.len() <= LONGEST_RAW {
            self.raw = body.to_vec();
        }
    }

    /// How the body is encoded.
    pub(super) fn coding(&self) -> Option<Coding> {
        self.coding
    }

    /// The head's length.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// A right chunked body as it was sent; empty if none was learned.
    pub(super) fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// How the length of the body is given, if `bytes` begin with a head that matches.
    #[inline]
    pub(super) fn matches(&mut self, bytes: &[u8]) -> Option<Framing> {
        let found = bytes.get(..self.bytes.len())?;
        if found == self.bytes {
            return Some(self.framing);
        }
        self.fits(found)
    }

    fn fits(&mut self, found: &[u8]) -> Option<Framing> {
        let mut at = 0;
        for mask in &self.masked {
            let fits = found[at..mask.start] == self.bytes[at..mask.start]
                && found[mask.clone()].iter().all(|&byte| is_text(byte));
            if !fits {
                return None;
            }
            at = mask.end;
        }
        if found[at..] != self.bytes[at..] {
            return None;
        }
        if let Some(digits) = &self.length {
            self.framing = Framing::Length(number(&found[digits.clone()])?);
        }
        // The next head usually has the same date: then one compare is enough.
        self.bytes.copy_from_slice(found);
        Some(self.framing)
    }
}

fn number(digits: &[u8]) -> Option<usize> {
    let valid = !digits.is_empty() && digits.len() <= 9 && digits.iter().all(u8::is_ascii_digit);
    let add = |sum: usize, digit: &u8| sum * 10 + usize::from(digit - b'0');
    valid.then(|| digits.iter().fold(0, add))
}
