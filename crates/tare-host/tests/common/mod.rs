//! What the host's tests share: a lab folder, the fixture program, and every backing that works on this machine.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tare_host::groups::{Backing, detect};
use tare_host::keeper::Keeper;
use tare_host::lock::Lock;
use tare_host::process::{Process, ProcessSpec};
use tempfile::TempDir;

/// The program that misbehaves on request.
pub const FIXTURE: &str = env!("CARGO_BIN_EXE_tare-host-fixture");

/// So long that only a fault reaches it: no verdict may depend on how busy the machine is.
pub const LONG: Duration = Duration::from_secs(60);

pub static NEVER: AtomicBool = AtomicBool::new(false);

/// A lab of a test's own.
pub struct Lab {
    pub folder: TempDir,
    pub lock: Lock,
    pub keeper: Keeper,
}

/// The backings that work here: plain always does.
pub fn possible() -> Vec<Backing> {
    let works = |backing: &Backing| detect(Some(*backing)).is_ok();
    let found: Vec<Backing> = Backing::ALL.into_iter().filter(works).collect();
    assert!(found.contains(&Backing::Plain));
    found
}

impl Lab {
    pub fn new(backing: Backing) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::take(folder.path(), "test").unwrap();
        let keeper = Keeper::new(&lock, "run", detect(Some(backing)).unwrap(), None).unwrap();
        Self { folder, lock, keeper }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn spec(&self, arguments: &[&str]) -> ProcessSpec {
        let mut argv = vec![FIXTURE.to_owned()];
        argv.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        ProcessSpec {
            argv,
            env: Default::default(),
            cwd: self.path().to_owned(),
            cores: Vec::new(),
            log: self.path().join("log"),
        }
    }

    pub fn start(&self, arguments: &[&str]) -> Process {
        Process::start(self.keeper.group().unwrap(), self.spec(arguments)).unwrap()
    }
}

/// Whether a process lives: zombies do not.
pub fn lives(pid: u32) -> bool {
    tare_host::procfs::stat(pid).is_some_and(|stat| !stat.is_dead())
}

/// Asks every few milliseconds until the answer is yes; panics if it never is.
pub fn until(what: &str, mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(began.elapsed() < LONG, "never: {what}");
        std::thread::sleep(Duration::from_millis(3));
    }
}
