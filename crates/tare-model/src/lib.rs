//! The types that the other rooms share: workloads, contenders, ids, units, slices and results.
//!
//! The only I/O of this room is reading manifests. It starts nothing, measures nothing and prints nothing.

#![warn(unreachable_pub)]

pub mod asked;
pub mod benchmark;
pub mod claim;
pub mod comparison;
pub mod driving;
pub mod estimate;
pub mod evidence;
pub mod explanation;
pub mod fault;
pub mod figure;
pub mod forecast;
pub mod histogram;
pub mod history;
pub mod ids;
pub mod late;
pub mod manifest;
pub mod measure;
pub mod metric;
pub mod placement;
pub mod published;
pub mod raw_request;
pub mod record;
pub mod results;
pub mod scheme;
mod serial;
pub mod settings;
pub mod spread;
mod state;
pub mod subject;
pub mod sweep;
pub mod tls;
pub mod units;
