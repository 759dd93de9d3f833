//! Folders of other suites of web servers, read as they are: FrameworkBenchmarks (`benchmark_config.json`) and HttpArena
//! (`meta.json`).
//!
//! Foreign files in, plain types out: what contender an implementation would be (a container), which tests it has, which
//! services it needs, and why it cannot run here. Nothing is built or started. Whatever is in a checkout was written by
//! somebody else, so sizes are bounded, names that could lead elsewhere are refused, and scripts are read and never run.
//!
//! - `checkout`: which suite a folder is of, and the folders of its implementations.
//! - `tfb`, `arena`: one implementation of each suite.
//! - `answers`: what right answers to HttpArena's requests are.
//! - `lab`: implementations as contenders of a lab.
//! - `profiles`: HttpArena's profiles, as the scripts of the checkout have them.
//! - `shell`, `field`, `files`, `dockerfile`: how such files are read.

#![warn(unreachable_pub)]

mod answers;
mod arena;
mod checkout;
mod dockerfile;
mod field;
mod files;
mod lab;
mod obstacle;
mod profiles;
mod shell;
mod tfb;

pub use checkout::{Checkout, SuiteError, read};
pub use files::BadFile;
pub use lab::{Copied, LabError, LabFiles, Source, lab};
pub use obstacle::Obstacle;
pub use profiles::{Profile, RawFile, Traffic};

/// A suite whose folders are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suite {
    /// FrameworkBenchmarks of TechEmpower.
    FrameworkBenchmarks,
    /// HttpArena.
    HttpArena,
}

impl Suite {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::FrameworkBenchmarks => "FrameworkBenchmarks",
            Self::HttpArena => "HttpArena",
        }
    }
}

/// An implementation of a suite's tests: what contender it would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Implementation {
    /// Its name in the suite, unique there: `aiohttp-nginx`.
    pub name: String,
    /// Its folder, from the folder that was read.
    pub folder: String,
    /// What people call it.
    pub display_name: String,
    /// Its language, as the suite has it.
    pub language: String,
    /// What else the suite says of it: key and value.
    pub about: Vec<(&'static str, String)>,
    /// The container that it is built as and runs in.
    pub container: Container,
    /// The tests that it takes part in.
    pub tests: Vec<Test>,
    /// Why it cannot run at all, here or anywhere.
    pub obstacles: Vec<Obstacle>,
}

impl Implementation {
    /// Its tests that can run.
    pub fn runnable(&self) -> impl Iterator<Item = &Test> {
        let stands = self.obstacles.is_empty();
        self.tests
            .iter()
            .filter(move |test| stands && test.obstacle.is_none())
    }

    /// Why nothing of it can run; empty if some test can.
    pub fn why_not(&self) -> Vec<&Obstacle> {
        if self.runnable().next().is_some() {
            return Vec::new();
        }
        if !self.obstacles.is_empty() {
            return self.obstacles.iter().collect();
        }
        let mut all: Vec<&Obstacle> = Vec::new();
        for obstacle in self.tests.iter().filter_map(|test| test.obstacle.as_ref()) {
            if !all.contains(&obstacle) {
                all.push(obstacle);
            }
        }
        all
    }
}

/// How a container is built and run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Container {
    /// The folder that the build gets, from the folder that was read.
    pub context: String,
    /// The Dockerfile, from the folder that was read.
    pub dockerfile: String,
    /// Arguments of the build.
    pub build_args: Vec<(String, String)>,
    /// The command, in place of the image's; empty: the image's.
    pub command: Vec<String>,
    /// The port where it listens.
    pub port: u16,
    /// Names of hosts that it expects to find.
    pub hosts: Vec<&'static str>,
    /// Files and folders of the checkout that it finds in the container: from, to.
    pub mounts: Vec<(String, String)>,
    /// The images that it is built from.
    pub bases: Vec<String>,
}

/// A test that an implementation takes part in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// Its name in the suite: `json`, `limited-conn`.
    pub name: String,
    /// Path and query; of a number of queries only what stands before it. None: the test itself says.
    pub url: Option<String>,
    /// The databases that it needs.
    pub needs: Vec<Database>,
    /// Why it cannot run here.
    pub obstacle: Option<Obstacle>,
}

/// A service that implementations need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Database {
    /// PostgreSQL.
    Postgres,
    /// Another, by its name.
    Other(String),
}

impl Database {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Postgres => "PostgreSQL",
            Self::Other(name) => name,
        }
    }
}
