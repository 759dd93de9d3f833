//! Numbers in, intervals and verdicts out. No I/O, no clock, no unsafe.
