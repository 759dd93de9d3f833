//! The host: finds toolchains, builds, starts, waits for readiness, pins, freezes, accounts, stops and guards.
//!
//! Linux only. All unsafe code of the instrument lives here (in [`sys`]) or in the load's reactor. This room must
//! not know what is measured, in which order, or what the figures mean.
//!
//! The order of things: take the [`lock`], [`guard::sweep`] what a killed run left, [`groups::detect`] how this
//! machine lets processes be held, start a [`guard::Guard`], make a [`keeper::Keeper`] of the two; every process
//! then runs in a [`groups::Group`] of the keeper's and ends with it.

pub mod account;
pub mod build;
pub mod command;
pub mod error;
pub mod fifo;
pub mod fingerprint;
pub mod forker;
pub mod groups;
pub mod guard;
pub mod interrupt;
pub mod keeper;
pub mod lock;
pub mod machine;
pub mod ordinary;
pub mod ports;
pub mod process;
pub mod procfs;
pub mod profile;
pub mod ready;
pub mod revisions;
pub mod service;
mod spawn;
pub mod spawner;
pub mod stop;
pub mod substitute;
pub mod sys;
pub mod talk;
pub mod tools;
