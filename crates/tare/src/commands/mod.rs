//! One command, one file.

pub mod bench;
pub mod check;
pub mod doctor;
pub mod diff;
mod hold;
pub mod list;
pub mod load;
pub mod new;
mod pace;
pub mod report;
pub mod run;
pub mod setup;
pub mod show;
mod target;
pub mod time;
mod weigh;
mod whole;
