//! The connection with the fewest requests in flight, and of several such connections the one that has been so longest.

/// No connection.
const NONE: u32 = u32::MAX;

/// A queue of connections for each number of requests in flight; all operations take constant time (in `depth`).
#[derive(Debug)]
pub(crate) struct LeastLoaded {
    /// The first and last connection in the queue of each level.
    ends: Vec<(u32, u32)>,
    links: Vec<Link>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    before: u32,
    after: u32,
    /// The level whose queue it is in; the depth if it is in none.
    level: u32,
}

impl LeastLoaded {
    /// With all connections free.
    pub(crate) fn new(connections: usize, depth: u32) -> Self {
        let link = Link {
            before: NONE,
            after: NONE,
            level: depth,
        };
        let mut levels = Self {
            ends: vec![(NONE, NONE); depth as usize],
            links: vec![link; connections],
        };
        (0..connections).for_each(|conn| levels.set(conn, 0));
        levels
    }

    /// The connection with the fewest requests in flight, if one is below the depth.
    pub(crate) fn least(&self) -> Option<usize> {
        self.ends
            .iter()
            .find(|(first, _)| *first != NONE)
            .map(|(first, _)| *first as usize)
    }

    /// Moves a connection to the end of the queue of a level, unless it is in that queue.
    pub(crate) fn set(&mut self, conn: usize, level: u32) {
        let level = level.min(self.ends.len() as u32);
        if self.links[conn].level == level && (level as usize) < self.ends.len() {
            return;
        }
        self.unlink(conn);
        self.links[conn] = Link {
            before: NONE,
            after: NONE,
            level,
        };
        if (level as usize) < self.ends.len() {
            self.append(conn, level as usize);
        }
    }

    fn append(&mut self, conn: usize, level: usize) {
        let (first, last) = self.ends[level];
        self.links[conn].before = last;
        match last {
            NONE => self.ends[level] = (conn as u32, conn as u32),
            _ => {
                self.links[last as usize].after = conn as u32;
                self.ends[level] = (first, conn as u32);
            }
        }
    }

    fn unlink(&mut self, conn: usize) {
        let Link { before, after, level } = self.links[conn];
        let Some(ends) = self.ends.get_mut(level as usize) else {
            return;
        };
        match before {
            NONE => ends.0 = after,
            _ => self.links[before as usize].after = after,
        }
        match after {
            NONE => ends.1 = before,
            _ => self.links[after as usize].before = before,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_loaded_comes_first_and_of_those_the_longest_free() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
        let (connections, depth) = (7, 3);
        let mut levels = LeastLoaded::new(connections, depth);
        // The model: each connection's level, and when it came there.
        let mut model: Vec<(u32, u32)> = (0..connections as u32).map(|conn| (0, conn)).collect();
        for step in 100..20_000 {
            let (conn, level) = (rng.usize(..connections), rng.u32(..=depth));
            levels.set(conn, level);
            if model[conn].0 != level {
                model[conn] = (level, step);
            }
            let expected = (0..connections)
                .filter(|&conn| model[conn].0 < depth)
                .min_by_key(|&conn| model[conn]);
            assert_eq!(levels.least(), expected, "step {step}");
        }
    }
}
