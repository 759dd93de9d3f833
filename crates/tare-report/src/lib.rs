//! Results in, text out: terminal tables, HTML, SVG, Markdown, CSV, JSON and raw slices.
//!
//! A pure room: it opens no file, asks no clock and no terminal, prints nothing, and computes no statistics. It shows
//! [`tare_model::results::Results`] in [`formats`]. A sentence that two formats share is in [`words`] or [`view`]. **Invariant**: no verdict leaves this room without its interval, its α and its number of
//! rounds and launches.
//!
//! Everything that a contender may have written (fault details, versions, summaries) is foreign text and passes through
//! [`escape`].

#![warn(unreachable_pub)]

pub mod across;
pub mod benchmarks;
pub mod charts;
mod claims;
pub mod comment;
pub mod draw;
pub mod escape;
pub mod explanation;
mod findings;
mod flame;
pub mod forecast;
pub mod foreign;
pub mod format;
pub mod formats;
mod grid;
pub mod history;
pub mod hyperfine;
pub mod imported;
mod layout;
mod levels;
pub mod load;
mod nodes;
mod runs;
pub mod sentences;
pub mod site;
pub mod sweep;
pub mod tails;
pub mod view;
pub mod when;
pub mod words;

pub use formats::{csv, html, httparena, json, markdown, slices, svg, terminal, tfb};
