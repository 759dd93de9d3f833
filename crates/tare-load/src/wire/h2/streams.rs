//! The streams of a connection: those of outstanding requests, found by their ids without a search.

use crate::check::{BodyCheck, Coding};
use crate::wire::dialog::Times;

/// The largest id (RFC 9113 §5.1.1).
const LARGEST: u32 = (1 << 31) - 1;

/// How far the answer on a stream has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Phase {
    /// Its head has not come.
    #[default]
    Asked,
    /// Its head has come.
    Head,
    /// All of its body has come, and is right; its end has not come.
    Right,
}

/// The stream of an outstanding request.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// 0: none.
    pub(super) id: u32,
    pub(super) phase: Phase,
    /// Whether the head says that a gRPC call succeeded.
    pub(super) succeeded: bool,
    /// The length that the head announced; `usize::MAX`: none.
    pub(super) length: usize,
    /// How the body is encoded, as the head says.
    pub(super) coding: Option<Coding>,
    /// Bytes of the body so far.
    pub(super) body: usize,
    /// The body so far, where it came in several pieces.
    pub(super) check: Option<Box<BodyCheck>>,
    pub(super) intended: u64,
    pub(super) sent: u64,
}

/// The streams of a connection. The place of each follows from its id; an id whose place is taken is left out, which closes
/// it (RFC 9113 §5.1.1). There are twice as many places as streams, so this is rare.
#[derive(Debug, Default)]
pub(super) struct Streams {
    places: Vec<Stream>,
    mask: u32,
    open: u32,
    next: u32,
}

impl Streams {
    /// Room for up to `depth` streams; none is open now. Ids go on from where they were.
    pub(super) fn resize(&mut self, depth: u32) {
        let places = (2 * depth).next_power_of_two();
        self.places.clear();
        self.places.resize_with(places as usize, Stream::default);
        (self.mask, self.open, self.next) = (places - 1, 0, self.next.max(1));
    }

    pub(super) fn open(&self) -> u32 {
        self.open
    }

    /// Whether there are ids for further streams.
    pub(super) fn have_ids(&self) -> bool {
        self.next < LARGEST - 4 * self.mask
    }

    /// The least id that was not used.
    pub(super) fn next(&self) -> u32 {
        self.next
    }

    /// Opens a stream; returns its id.
    #[inline]
    pub(super) fn push(&mut self, times: Times) -> u32 {
        while self.places[self.place(self.next)].id != 0 {
            self.next += 2;
        }
        let id = self.next;
        let place = self.place(id);
        let stream = &mut self.places[place];
        stream.id = id;
        (stream.phase, stream.succeeded) = (Phase::Asked, false);
        (stream.length, stream.coding, stream.body) = (usize::MAX, None, 0);
        (stream.intended, stream.sent) = (times.intended, times.sent);
        self.open += 1;
        self.next += 2;
        id
    }

    #[inline]
    pub(super) fn get(&mut self, id: u32) -> Option<&mut Stream> {
        let place = self.place(id);
        let stream = &mut self.places[place];
        (stream.id == id && id != 0).then_some(stream)
    }

    /// Closes an open stream.
    #[inline]
    pub(super) fn close(&mut self, id: u32) {
        let place = self.place(id);
        let stream = &mut self.places[place];
        stream.id = 0;
        stream.check = None;
        self.open -= 1;
    }

    /// Closes the streams after this id; returns their ids and intended times, the last one first.
    pub(super) fn close_after(&mut self, last: u32) -> Vec<(u32, u64)> {
        let after = self.all().filter(|stream| stream.id > last);
        let mut found: Vec<(u32, u64)> = after.map(|stream| (stream.id, stream.intended)).collect();
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.iter().for_each(|(id, _)| self.close(*id));
        found
    }

    /// The open stream whose request was sent first.
    pub(super) fn oldest(&self) -> Option<&Stream> {
        self.all().min_by_key(|stream| (stream.sent, stream.id))
    }

    /// Whether a part of an answer has come on any.
    pub(super) fn are_answered(&self) -> bool {
        self.all().any(|stream| stream.phase != Phase::Asked)
    }

    fn all(&self) -> impl Iterator<Item = &Stream> {
        self.places.iter().filter(|stream| stream.id != 0)
    }

    #[inline]
    fn place(&self, id: u32) -> usize {
        (id >> 1 & self.mask) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(intended: u64) -> Times {
        Times {
            intended,
            sent: intended,
        }
    }

    #[test]
    fn streams_are_found_by_their_ids_in_whatever_order_they_close() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
        for depth in [1, 2, 5, 32] {
            let (mut streams, mut model) = (Streams::default(), Vec::new());
            streams.resize(depth);
            for now in 0..10_000 {
                if streams.open() < depth && rng.bool() {
                    let id = streams.push(times(now));
                    assert!(id % 2 == 1 && model.iter().all(|(before, _)| *before < id));
                    model.push((id, now));
                } else if !model.is_empty() {
                    // The first one is seldom closed.
                    let nth = if rng.u8(..50) == 0 {
                        0
                    } else {
                        rng.usize(..model.len())
                    };
                    let (id, intended) = model.remove(nth);
                    assert_eq!(streams.get(id).unwrap().intended, intended);
                    streams.close(id);
                    assert!(streams.get(id).is_none());
                }
                assert_eq!(streams.open() as usize, model.len());
                assert_eq!(
                    streams.oldest().map(|stream| stream.id),
                    model.first().map(|(id, _)| *id)
                );
            }
        }
    }

    #[test]
    fn the_last_ones_are_taken_back() {
        let mut streams = Streams::default();
        streams.resize(4);
        let ids: Vec<u32> = (0..4).map(|n| streams.push(times(n))).collect();
        assert_eq!(ids, [1, 3, 5, 7]);
        assert_eq!(streams.close_after(3), [(7, 3), (5, 2)]);
        assert_eq!(streams.open(), 2);
        assert!(streams.get(3).is_some() && streams.get(5).is_none() && streams.get(0).is_none());
    }
}
