//! The experiment: plan, rounds, epochs, stop rule; slices to results.
