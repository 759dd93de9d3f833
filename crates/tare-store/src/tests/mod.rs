//! The store against random records, hostile files, full disks and kill -9.

mod choose;
mod damage;
mod explained;
mod golden;
mod killed;
mod merge;
mod refused;
mod round_trip;
mod sample;
mod size;
mod together;
