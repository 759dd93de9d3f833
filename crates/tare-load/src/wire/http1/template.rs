//! What a server's answers look like, byte by byte: learned from right answers, so that the next one costs a compare.
//!
//! A template is a right answer in which the values of some fields are masked: `Date`, and every field whose value
//! was seen to change (a random id). Fields that say where the answer ends are never masked. Masked bytes may be
//! anything that a field's value may hold, so that nothing hides a line's end.

use std::ops::Range;

use super::head::is_text;
use super::parse::{Answer, Field};

/// Fields on whose value the answer's end, or the connection's, depends.
const FRAMING: [&str; 3] = ["content-length", "transfer-encoding", "connection"];

/// A right answer with masked values.
#[derive(Debug)]
pub(super) struct Template {
    bytes: Vec<u8>,
    fields: Vec<Field>,
    /// Rising, not overlapping.
    masked: Vec<Range<usize>>,
}

impl Template {
    /// What `answer` and the template until now have in common; none where an answer cannot be told by its bytes
    /// alone (it ends with the connection).
    pub(super) fn learn(before: Option<Self>, answer: &Answer, bytes: &[u8]) -> Option<Self> {
        if answer.last {
            return None;
        }
        let bytes = bytes[..answer.len].to_vec();
        let before =
            before.filter(|before| before.bytes.len() == bytes.len() && before.fields == answer.fields);
        let changes = |field: &&Field| {
            let (name, value) = (&bytes[field.name.clone()], &field.value);
            let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
            let changed = before.as_ref().is_some_and(|before| {
                before.masked.contains(value) || before.bytes[value.clone()] != bytes[value.clone()]
            });
            !FRAMING.into_iter().any(is) && (is("date") || changed)
        };
        let masked = answer
            .fields
            .iter()
            .filter(changes)
            .map(|field| field.value.clone())
            .collect();
        Some(Self {
            masked,
            fields: answer.fields.clone(),
            bytes,
        })
    }

    /// The answer's length, if `bytes` begin with one that fits.
    #[inline]
    pub(super) fn matches(&self, bytes: &[u8]) -> Option<usize> {
        let found = bytes.get(..self.bytes.len())?;
        let mut at = 0;
        for mask in &self.masked {
            let fits = found[at..mask.start] == self.bytes[at..mask.start]
                && found[mask.clone()].iter().all(|&byte| is_text(byte));
            if !fits {
                return None;
            }
            at = mask.end;
        }
        (found[at..] == self.bytes[at..]).then_some(self.bytes.len())
    }
}
