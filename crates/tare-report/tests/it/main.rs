//! The reports as a whole, over hand-made results.

// A table of cases is one function, however many they are.
#![allow(clippy::too_many_lines)]

mod across;
mod browser;
mod chance;
mod commands;
mod explained;
mod fixture;
mod golden;
mod hostile;
mod invariants;
mod pull_request;
mod site;
mod sizes;
mod tails;
mod tfb;
mod wellformed;
