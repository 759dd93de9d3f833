//! What the other rooms talk about: workloads, contenders, ids, units, slices and results.
//!
//! This room does no I/O but reading manifests, starts nothing, measures nothing and prints nothing.

pub mod claim;
pub mod driving;
pub mod evidence;
pub mod explanation;
pub mod fault;
pub mod histogram;
pub mod history;
pub mod ids;
pub mod late;
pub mod manifest;
pub mod measure;
pub mod metric;
pub mod record;
pub mod results;
mod serial;
pub mod settings;
pub mod spread;
pub mod subject;
pub mod sweep;
pub mod units;
