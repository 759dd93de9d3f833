//! Benchmarks from a checkout to samples: found, built, listed, matched, and measured one process each, by the rooms alone.

mod checkout;
mod harnesses;
mod native;
mod scripts;
