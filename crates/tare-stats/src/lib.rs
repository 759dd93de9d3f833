//! Numbers in, intervals and verdicts out. No I/O, no clock, no unsafe.
//!
//! The way of a number through this room: the slices of one launch become one *centre* ([`huber`]); the centres of
//! several launches become an interval that is valid at any look ([`tseq`]); the interval and a margin
//! become a verdict ([`verdict`]). Before there are enough launches, [`provisional`] draws an interval from blocks of rounds.
//! [`fdr`] finds the real differences among many questions; [`nodes`] says which launches of several machines count together.
//! [`sizes`] fits costs by lines over sizes, and finds where two of them cross. [`power`] predicts which differences a run
//! can detect, and [`aa`] which differences the noise of an A/A test leaves detectable. [`simulate`] tests all of this on
//! simulated machines whose truth is known.
//!
//! Everything but [`net`] and [`sizes`] is in log units unless it says otherwise: a difference of 0.01 is a ratio of
//! 1.01. This room knows no contender, no metric and no unit; which sign is "faster" is for the caller to say.

#![warn(unreachable_pub)]
#![forbid(unsafe_code)]

pub mod aa;
pub mod changes;
pub mod early;
pub mod fdr;
pub mod huber;
pub mod interval;
pub mod leads;
pub mod mean;
pub mod mser;
pub mod multiplicity;
pub mod net;
pub mod nodes;
pub mod power;
pub mod provisional;
pub mod rounds;
pub mod simulate;
pub mod sizes;
pub mod special;
pub mod tseq;
pub mod verdict;

pub use interval::Interval;
