//! Two revisions of a repository, each in a tree of its own.

mod command;
mod contender;
mod setup;
pub(crate) mod side;
mod sides;
mod unused;

pub use command::{CommandDiff, Setup, Trees};
pub(crate) use contender::{Found, of_side, two};
pub use contender::{TwoRevisions, contender_at};
pub(crate) use setup::{SideSetup, how};
pub use side::Side;
pub use sides::sides;
pub(crate) use sides::{NAMES, ignore};
pub(crate) use unused::used;
