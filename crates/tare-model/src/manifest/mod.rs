//! Manifests: what they may hold, and what they resolve to. Workloads, contenders, languages and services each have a file
//! with their type and the table of their keys (see `keys.rs`); [`Lab`] is the folder that holds them all.
//!
//! Never in a manifest: ports, cores, durations, sleeps. The lab owns those and passes them through the
//! placeholders `{host}`, `{port}`, `{cores}`, `{core_list}`, `{out}`, `{src}`, `{lab}`, `{tools}`, and the name
//! of each tool (`{cc}`, `{java}`).

mod about;
pub mod argv;
mod case;
mod complete;
pub mod contender;
pub mod counts;
mod document;
mod driving;
mod error;
mod exchange;
mod explain;
mod fields;
mod grpc;
mod http;
mod instrumentation;
mod job;
mod keys;
mod kinds;
mod lab;
pub mod language;
mod node;
mod probe;
mod process;
pub mod published;
pub mod render;
pub mod scaffold;
mod scheme;
pub mod service;
mod source;
mod sources;
mod speaks;
mod stated;
pub mod stock;
pub mod suite;
mod suites;
mod table;
mod take;
mod tools;
mod websocket;
mod words;
pub mod workload;
mod write;

pub use case::{Case, Defaults, PlacementKind, Sweep};
pub use contender::{Broken, Container, Contender, Dockerfile, Image, Limits, Origin, Style};
pub use counts::Counts;
pub use driving::ModeDriving;
pub use error::{ManifestError, Problem};
pub use exchange::Exchange;
pub use explain::{Additions, Explain};
pub use grpc::GrpcJob;
pub use http::{HttpAnswer, HttpJob};
pub use job::{Job, job_value};
pub use lab::Lab;
pub use language::Language;
pub use probe::Probe;
pub use process::Ready;
pub use published::{Figure, Reported};
pub use service::Service;
pub use sources::Sources;
pub use speaks::{Listen, Speaks};
pub use stated::StatedClaim;
pub use suite::{Machines, Part, Suite};
pub use tools::{Needs, Tool};
pub use websocket::WebSocketJob;
pub use workload::Workload;
