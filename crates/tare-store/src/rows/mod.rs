//! Each file maps one kind of record to its tables and back, column by column.

pub(crate) mod arena;
pub(crate) mod entrant;
pub(crate) mod evidence;
pub(crate) mod launch;
pub(crate) mod run;
pub(crate) mod slice;
