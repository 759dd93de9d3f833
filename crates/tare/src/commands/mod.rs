//! One command, one file.

pub mod bench;
pub mod check;
pub mod doctor;
mod hold;
pub mod list;
pub mod load;
pub mod new;
pub mod report;
pub mod run;
pub mod setup;
pub mod show;
mod target;
pub mod time;
mod weigh;
