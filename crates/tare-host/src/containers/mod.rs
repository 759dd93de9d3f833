//! Containers: contenders that bring their system along, run by an engine (podman or docker).
//!
//! - [`Engine`]: which one is there, and how it is called.
//! - [`image`]: images, built or found, with the base images that they come from.
//! - [`start`]: a container becomes a [`Process`](crate::process::Process): its processes are in a process group of tare's, which pauses,
//!   counts and ends them as any other, in a network namespace of their own.
//! - [`HostAddress`]: an address of this machine that containers reach, for services.
//! - `remains`: what is left of a container or of a build when tare is killed, and how that is removed.
//!
//! The engine starts a container and removes it; everything in between is the kernel's: `podman pause` takes 30 to 60 ms,
//! `cgroup.freeze` 0.3.

mod base;
mod call;
mod engine;
pub mod image;
mod instance;
mod link;
mod place;
mod remains;
mod start;

pub use engine::{Engine, NoEngine};
pub use link::HostAddress;
pub use place::RunFolder;
pub(crate) use remains::Remains;
pub use start::{ContainerSpec, start};
