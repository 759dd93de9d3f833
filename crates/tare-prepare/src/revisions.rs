//! Two revisions of a repository, each in a tree of its own.

mod contender;
mod setup;
pub(crate) mod side;
mod sides;

pub use contender::{TwoRevisions, contender_at};
pub use setup::SideSetup;
pub use side::Side;
pub use sides::sides;
