//! An ordinary user can do all of it, less exactly. Tested where we are root and can become one.

mod common;

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::{fs, io};

use common::{FIXTURE, lives, until};
use tare_host::sys;

const NOBODY: u32 = 65_534;

#[test]
fn an_ordinary_user_holds_processes_without_cgroups() {
    if sys::user() != 0 {
        eprintln!("not root: the other tests already run as an ordinary user");
        return;
    }
    // The build's folder may be out of reach for others.
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let program = folder.path().join("fixture");
    fs::copy(FIXTURE, &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let as_nobody = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command
            .args(arguments)
            .uid(NOBODY)
            .gid(NOBODY)
            .current_dir(folder.path())
            .stdout(Stdio::piped());
        command
    };
    let said = retry_busy(|| as_nobody(&["detect"]).output());
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.status.success() && text.contains("backing: Plain"), "{text}");
    let state = folder.path().join("state").display().to_string();
    let mut tare = retry_busy(|| as_nobody(&["tare", "Plain", &state, "guarded"]).spawn());
    let mut line = String::new();
    let out = tare.stdout.take().unwrap();
    io::BufRead::read_line(&mut io::BufReader::new(out), &mut line).unwrap();
    let pids: Vec<u32> = line
        .split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect();
    assert_eq!(pids.len(), 2, "{line}");
    assert!(pids.iter().all(|&pid| lives(pid)));
    tare.kill().unwrap();
    tare.wait().unwrap();
    until("all have ended", || !pids.iter().any(|&pid| lives(pid)));
    let groups = folder.path().join("state/groups");
    until("the registry is empty", || {
        fs::read_dir(&groups).unwrap().count() == 0
    });
}

/// A program that was just written may be held open for writing by a fork of another thread, for a moment.
fn retry_busy<T>(mut attempt: impl FnMut() -> io::Result<T>) -> T {
    loop {
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => std::thread::yield_now(),
            other => return other.unwrap(),
        }
    }
}
