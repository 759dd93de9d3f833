//! The formats that a run can be shown in: each is one file and one line in the list.

pub mod csv;
pub mod html;
pub mod httparena;
pub mod json;
pub mod markdown;
pub mod slices;
pub mod svg;
pub mod terminal;
pub mod tfb;

use crate::format::Format;

/// All formats, in the order in which they are offered. The first is the default.
pub const ALL: &[&Format] = &[
    &terminal::FORMAT,
    &json::FORMAT,
    &html::FORMAT,
    &markdown::FORMAT,
    &csv::FORMAT,
    &svg::FORMAT,
    &slices::FORMAT,
    &tfb::FORMAT,
    &httparena::FORMAT,
];
