//! Complete reports of hand-made results.

#![allow(clippy::print_stdout, clippy::print_stderr)]
// A table of cases is one function, however many they are.
#![allow(clippy::too_many_lines)]

mod across;
mod benchmarks;
mod chance;
mod commands;
mod containers;
mod explained;
mod fixture;
mod formats;
mod golden;
mod hostile;
mod invariants;
mod pages;
mod plan;
mod pull_request;
mod site;
mod sizes;
mod slow;
mod tails;
mod tfb;
mod wellformed;
