//! The heads of answers: decoded once, and then recognised by their bytes.
//!
//! A block without references to the dynamic table means the same on every connection at any time. It is compared with those
//! that came before; what it adds to the table is only noted, and added once a block refers to the table (nginx adds four
//! entries with every answer and never refers to them). A block with references is compared with those that came over the
//! same connection since the table changed. All others are decoded, which is rare: as often as `Date` changes.

use std::sync::Arc;

use super::fields::{Fields, Head, Manner, Place};
use super::hpack::{self, Block, ENTRIES, Field, Table};
use crate::check::Checker;
use crate::wire::dialog::KeptAnswer;

/// Blocks that are remembered for all connections, and for one.
const REMEMBERED: usize = 16;
const REMEMBERED_BY_ONE: usize = 4;

/// Notes of additions to a table; with more, they are made.
const NOTES: usize = 32;

/// A right block that is remembered.
#[derive(Debug)]
struct Known {
    block: Box<[u8]>,
    place: Place,
    head: Head,
    /// What it adds to the table.
    adds: Option<Arc<[Field]>>,
    /// Of one that refers to the table: how often that had changed.
    age: u64,
}

/// The heads that one load core has seen.
#[derive(Debug)]
pub(super) struct Heads {
    manner: Manner,
    known: Vec<Known>,
    /// The one that came last, and the one that is forgotten next.
    last: usize,
    oldest: usize,
    /// Where fields are kept: then each block is decoded.
    pub(super) kept: Option<KeptAnswer>,
}

/// What the heads of one connection depend on.
#[derive(Debug, Default)]
pub(super) struct Context {
    table: Table,
    /// Additions that were not made yet: what is added, and how often.
    noted: Vec<(Arc<[Field]>, u32)>,
    /// How often the table has changed.
    age: u64,
    known: Vec<Known>,
    oldest: usize,
}

impl Heads {
    pub(super) fn new(manner: Manner) -> Self {
        Self {
            manner,
            known: Vec::new(),
            last: 0,
            oldest: 0,
            kept: None,
        }
    }

    pub(super) fn fork(&self) -> Self {
        Self::new(self.manner)
    }

    pub(super) fn manner(&self) -> Manner {
        self.manner
    }

    /// Reads a block, whose fields must be right.
    ///
    /// # Errors
    /// What was expected and what was found.
    #[inline]
    pub(super) fn read(
        &mut self,
        context: &mut Context,
        block: &[u8],
        place: Place,
        checker: &Checker,
    ) -> Result<Head, String> {
        if let Some(known) = self.known.get(self.last)
            && *known.block == *block
            && known.place == place
            && known.adds.is_none()
        {
            return Ok(known.head);
        }
        self.read_another(context, block, place, checker)
    }

    #[inline(never)]
    fn read_another(
        &mut self,
        context: &mut Context,
        block: &[u8],
        place: Place,
        checker: &Checker,
    ) -> Result<Head, String> {
        let same = |known: &Known| *known.block == *block && known.place == place;
        let last = self.known.get(self.last).is_some_and(same).then_some(self.last);
        if let Some(at) = last.or_else(|| self.known.iter().position(same)) {
            self.last = at;
            context.note(self.known[at].adds.as_ref());
            return Ok(self.known[at].head);
        }
        let age = context.age;
        if let Some(known) = context.known.iter().find(|known| known.age == age && same(known)) {
            return Ok(known.head);
        }
        self.decode(context, block, place, checker)
    }

    #[cold]
    fn decode(
        &mut self,
        context: &mut Context,
        bytes: &[u8],
        place: Place,
        checker: &Checker,
    ) -> Result<Head, String> {
        context.catch_up();
        let block = hpack::decode(&mut context.table, bytes)?;
        let changed = block.resized || !block.added.is_empty();
        context.age += u64::from(changed);
        let head = Fields::new(&block.fields, self.manner).judge(place, checker)?;
        if let Some(kept) = &mut self.kept {
            if !head.interim {
                let pair = |field: &Field| (field.name.to_vec(), field.value.to_vec());
                kept.fields.extend(block.fields.iter().map(pair));
            }
            return Ok(head);
        }
        self.remember(context, bytes, place, head, block);
        Ok(head)
    }

    fn remember(&mut self, context: &mut Context, bytes: &[u8], place: Place, head: Head, block: Block) {
        let mut known = Known {
            block: bytes.into(),
            place,
            head,
            adds: None,
            age: context.age,
        };
        match (block.refers, block.resized) {
            (false, false) => {
                known.adds = (!block.added.is_empty()).then(|| block.added.into());
                self.last = keep(&mut self.known, &mut self.oldest, REMEMBERED, known);
            }
            // It changes what it depends on: no other will be as this one.
            _ if block.resized || !block.added.is_empty() => {}
            _ => {
                keep(&mut context.known, &mut context.oldest, REMEMBERED_BY_ONE, known);
            }
        }
    }
}

/// Puts one more into a list of at most this length, in place of the oldest; returns where.
fn keep(list: &mut Vec<Known>, oldest: &mut usize, most: usize, known: Known) -> usize {
    if list.len() < most {
        list.push(known);
        return list.len() - 1;
    }
    let at = *oldest;
    list[at] = known;
    *oldest = (at + 1) % most;
    at
}

impl Context {
    /// Notes what a block adds to the table.
    fn note(&mut self, adds: Option<&Arc<[Field]>>) {
        let Some(adds) = adds else { return };
        self.age += 1;
        match self.noted.last_mut() {
            Some((last, times)) if Arc::ptr_eq(last, adds) => *times = times.saturating_add(1),
            _ => {
                self.noted.push((adds.clone(), 1));
                if self.noted.len() > NOTES {
                    self.catch_up();
                }
            }
        }
    }

    /// Makes the additions that were noted; of many times the same only as many as the table holds.
    fn catch_up(&mut self) {
        for (adds, times) in std::mem::take(&mut self.noted) {
            let enough = ENTRIES / adds.len() + 1;
            for _ in 0..enough.min(times as usize) {
                adds.iter().for_each(|field| self.table.insert(field.clone()));
            }
        }
    }
}
