//! The reports as a whole, over hand-made results.

mod chance;
mod fixture;
mod golden;
mod hostile;
mod invariants;
mod site;
mod sizes;
mod wellformed;
