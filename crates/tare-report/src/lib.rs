//! Results in, text out: terminal tables, HTML, SVG, Markdown, CSV, JSON and raw slices.
//!
//! A pure room: it opens no file, asks no clock and no terminal, prints nothing, and computes no statistics. What
//! it shows is what [`tare_model::results::Results`] says; where two exporters say the same thing, the sentence
//! is in [`words`]. **Invariant**: no verdict leaves this room without its interval, its α and its number of
//! rounds and launches.
//!
//! Everything that a contender may have written (fault details, versions, summaries) is foreign: it passes
//! through [`escape`] on its way out.

pub mod across;
pub mod charts;
pub mod claims;
pub mod comment;
pub mod csv;
pub mod draw;
pub mod escape;
pub mod explanation;
pub mod findings;
pub mod flame;
pub mod history;
pub mod html;
pub mod imported;
pub mod json;
pub mod levels;
pub mod markdown;
pub mod runs;
pub mod site;
pub mod slices;
pub mod svg;
pub mod sweep;
pub mod tails;
pub mod terminal;
pub mod tfb;
pub mod view;
pub mod when;
pub mod words;
