//! One command, one file.

pub mod aa;
pub mod bench;
pub mod check;
pub mod diff;
pub mod doctor;
pub mod explain;
pub mod generate;
pub mod history;
pub mod hold;
pub mod import;
pub mod list;
pub mod load;
pub mod new;
mod pace;
pub mod report;
pub mod run;
pub mod setup;
pub mod show;
pub mod site;
mod target;
pub mod time;
mod weigh;
mod whole;
