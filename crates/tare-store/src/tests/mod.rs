//! The store against random records, hostile files, full disks and kill -9.

mod round_trip;
mod sample;
