//! The host: finds toolchains, builds, starts, waits for readiness, pins, pauses, accounts, stops and guards.
//!
//! Linux only. This room must not know what is measured, in which order, or what the figures mean. Its unsafe code is in
//! [`sys`] and `spawn`.
//!
//! The order of use: take the [`lock`], [`guard::sweep`] what a killed run left, [`groups::detect`] how this machine can
//! hold processes, start a [`guard::Guard`], and make a [`keeper::Keeper`] of the two; every process then runs in a
//! [`groups::ProcessGroup`] of the keeper's and ends with it.

#![warn(unreachable_pub)]

pub mod account;
pub mod build;
pub mod command;
pub mod containers;
pub mod error;
pub mod fifo;
pub mod fingerprint;
pub mod forker;
pub mod groups;
pub mod guard;
mod hex;
pub mod interrupt;
pub mod keeper;
pub mod lock;
pub mod machine;
pub mod ordinary;
pub mod ports;
pub mod private;
pub mod process;
pub mod procfs;
pub mod profile;
pub mod ready;
mod registry;
pub mod revisions;
pub mod service;
mod signals;
mod spawn;
pub mod spawner;
pub mod stop;
pub mod substitute;
pub mod sys;
pub mod talk;
pub mod tools;
