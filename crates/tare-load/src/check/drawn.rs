//! What answers show that was drawn at random: ids of rows, and the numbers that were written into them.

use super::draws::Draws;
use super::expectation::Content;
use super::rows::{NUMBERS, Rows};

/// Rows per window of the test for randomness, and the chance that a window of honest draws fails it. A run may have a
/// million windows.
const WINDOW: (u32, f64) = (1000, 1e-15);

/// The draws of one load core from one target.
#[derive(Debug)]
pub(super) struct Drawn {
    ids: Draws,
    numbers: Option<Draws>,
}

impl Drawn {
    /// None: nothing is drawn at random.
    pub(super) fn of(content: &Content) -> Option<Self> {
        let (rows, changed) = match content {
            Content::World(rows) => (*rows, false),
            Content::Rows(Rows { rows, changed, .. }) => (*rows, *changed),
            _ => return None,
        };
        let numbers = changed.then(|| Draws::new(NUMBERS, WINDOW.0, WINDOW.1).of("numbers"));
        Some(Self {
            ids: Draws::new(rows, WINDOW.0, WINDOW.1),
            numbers,
        })
    }

    /// Adds rows unless a window ends with them, where the test is due. Returns whether they were added.
    #[inline]
    pub(super) fn add_quietly(&mut self, rows: &[(u64, u64)]) -> bool {
        self.ids.has_room_for(rows.len()) && self.add(rows).is_ok()
    }

    /// Adds rows, which are of the table.
    ///
    /// # Errors
    /// At the end of a window that fails: why its ids or numbers are not drawn at random.
    #[inline]
    pub(super) fn add(&mut self, rows: &[(u64, u64)]) -> Result<(), String> {
        for &(id, number) in rows {
            self.ids.add(id)?;
            if let Some(numbers) = &mut self.numbers {
                numbers.add(number)?;
            }
        }
        Ok(())
    }
}
