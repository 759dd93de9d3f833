//! The reports as a whole, over hand-made results.

mod chance;
mod explained;
mod fixture;
mod golden;
mod hostile;
mod invariants;
mod sizes;
mod wellformed;
