//! What is asked of a database: by answers, which need so much of it, or as it counts by itself.

/// How much a database was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asked {
    /// Queries that return rows.
    pub queries: u64,
    /// The rows that they returned.
    pub read: u64,
    /// Rows that were changed.
    pub written: u64,
}

impl Asked {
    /// So many rows, each by a query of its own.
    pub(crate) fn rows(rows: u64) -> Self {
        Self {
            queries: rows,
            read: rows,
            written: 0,
        }
    }

    /// What so many answers need that each need this much, at least. `rows`: of the table from which each draws the rows
    /// that it changes.
    ///
    /// An answer may draw a row twice, which one statement changes only once. With n draws from R rows it does so n(n−1)/2R
    /// times in the mean, so over all answers about μ times, and more than μ + 8√μ + 20 times with a chance below 1e-12
    /// (Bernstein).
    pub(crate) fn by(self, answers: u64, rows: u32) -> Self {
        let drawn = self.written as f64;
        let mean = drawn * (drawn - 1.0).max(0.0) / 2.0 / f64::from(rows.max(1)) * answers as f64;
        let twice = if mean > 0.0 {
            (mean + 8.0 * mean.sqrt() + 20.0) as u64
        } else {
            0
        };
        Self {
            queries: self.queries * answers,
            read: self.read * answers,
            written: (self.written * answers).saturating_sub(twice),
        }
    }

    /// What was asked after `before` was.
    pub fn since(self, before: Self) -> Self {
        Self {
            queries: self.queries.saturating_sub(before.queries),
            read: self.read.saturating_sub(before.read),
            written: self.written.saturating_sub(before.written),
        }
    }

    /// What is less than what was needed: its name, how much was needed, and how much there is.
    pub fn short_of(self, needed: Self) -> Option<(&'static str, u64, u64)> {
        let all = [
            ("queries", needed.queries, self.queries),
            ("rows read", needed.read, self.read),
            ("rows changed", needed.written, self.written),
        ];
        all.into_iter().find(|(_, needed, found)| found < needed)
    }

    /// Reads `queries=N read=N written=N`, in this order.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let mut next = |name: &str| words.next()?.strip_prefix(name)?.strip_prefix('=')?.parse().ok();
        let asked = Self {
            queries: next("queries")?,
            read: next("read")?,
            written: next("written")?,
        };
        words.next().is_none().then_some(asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UPDATES: Asked = Asked {
        queries: 20,
        read: 20,
        written: 20,
    };

    #[test]
    fn what_is_short_is_named() {
        let needed = Asked::rows(20).by(100, 10_000);
        assert_eq!(Asked::rows(2000).short_of(needed), None);
        assert_eq!(Asked::rows(1999).short_of(needed), Some(("queries", 2000, 1999)));
        // Of twenty rows by one query, each is read.
        let by_one = Asked {
            queries: 100,
            ..Asked::rows(2000)
        };
        assert_eq!(by_one.short_of(needed), Some(("queries", 2000, 100)));
        let unread = Asked {
            read: 1500,
            ..Asked::rows(2000)
        };
        assert_eq!(unread.short_of(needed), Some(("rows read", 2000, 1500)));
        let unwritten = Asked::rows(20).short_of(UPDATES);
        assert_eq!(unwritten, Some(("rows changed", 20, 0)));
    }

    #[test]
    fn rows_that_are_drawn_twice_may_be_changed_once_and_no_more_are_forgiven() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
        for answers in [1, 10, 1000, 20_000] {
            let needed = UPDATES.by(answers, 10_000);
            let mut changed = 0;
            for _ in 0..answers {
                let mut ids: Vec<u32> = (0..20).map(|_| rng.u32(..10_000)).collect();
                ids.sort_unstable();
                ids.dedup();
                changed += ids.len() as u64;
            }
            assert!(changed >= needed.written, "{answers}: {changed} of {needed:?}");
        }
        // Under a load of a slice, one row in a hundred that is not changed is seen.
        let needed = UPDATES.by(1000, 10_000);
        assert!(needed.written > 19_800, "{needed:?}");
        // A single row cannot be drawn twice.
        let one = Asked {
            written: 1,
            ..Asked::rows(1)
        };
        assert_eq!(one.by(50, 10_000).written, 50);
    }

    #[test]
    fn counts_are_read_as_they_are_written_or_not_at_all() {
        let asked = Asked {
            queries: 1,
            read: 20,
            written: 3,
        };
        assert_eq!(Asked::parse("queries=1 read=20 written=3"), Some(asked));
        let odd = [
            "",
            "queries=1",
            "queries=1 written=3 read=20",
            "queries=-1 read=2 written=3",
        ];
        for text in odd.into_iter().chain(["queries=1 read=20 written=3 more=1"]) {
            assert_eq!(Asked::parse(text), None, "{text}");
        }
        let before = Asked::rows(7);
        assert_eq!(Asked::rows(10).since(before), Asked::rows(3));
        assert_eq!(before.since(before), Asked::default());
    }
}
