//! The reports as a whole, over hand-made results.

mod across;
mod browser;
mod chance;
mod commands;
mod explained;
mod fixture;
mod golden;
mod hostile;
mod invariants;
mod site;
mod sizes;
mod tails;
mod tfb;
mod wellformed;
