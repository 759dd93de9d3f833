//! What becomes of contenders when tare is killed.

mod common;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::{FIXTURE, Lab, lives, possible, until};
use tare_host::groups::Backing;
use tare_host::guard::{Guard, sweep};
use tare_host::lock::Lock;
use tare_host::sys;

/// Starts a tare of the fixture's, with a frozen contender and a running one; the ids of all their processes.
fn tare(backing: Backing, state: &Path, guarded: &str) -> (Child, Vec<u32>) {
    let mut child = Command::new(FIXTURE)
        .args(["tare", &format!("{backing:?}")])
        .arg(state)
        .arg(guarded)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let mut pids: Vec<u32> = line
        .split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect();
    let running = pids[1];
    until("the tree is there", || children(running).len() == 2);
    pids.extend(children(running));
    (child, pids)
}

fn children(parent: u32) -> Vec<u32> {
    let stats = tare_host::procfs::pids()
        .into_iter()
        .filter_map(tare_host::procfs::stat);
    let children = stats.filter(|stat| stat.parent == parent && !stat.is_dead());
    children.map(|stat| stat.pid).collect()
}

fn kill_9(mut tare: Child) {
    tare.kill().unwrap();
    tare.wait().unwrap();
}

#[test]
fn the_guard_ends_everything_when_tare_is_killed() {
    for backing in possible() {
        let folder = tempfile::tempdir().unwrap();
        let (tare, pids) = tare(backing, folder.path(), "guarded");
        assert!(pids.iter().all(|&pid| lives(pid)), "{backing:?}");
        kill_9(tare);
        until("all have ended", || !pids.iter().any(|&pid| lives(pid)));
        until("the registry is empty", || entries(folder.path()) == 0);
        let lock = Lock::take(folder.path(), "test").unwrap();
        assert_eq!(sweep(&lock).unwrap(), Vec::<String>::new());
    }
}

#[test]
fn the_next_start_ends_processes_that_no_guard_ended() {
    for backing in possible() {
        let folder = tempfile::tempdir().unwrap();
        let (tare, pids) = tare(backing, folder.path(), "alone");
        kill_9(tare);
        assert!(
            pids.iter().all(|&pid| lives(pid)),
            "{backing:?}: nobody is there to end them"
        );
        assert_eq!(entries(folder.path()), 2);
        let lock = Lock::take(folder.path(), "test").unwrap();
        let ended = sweep(&lock).unwrap();
        assert_eq!(ended.len(), 2, "{ended:?}");
        assert!(!pids.iter().any(|&pid| lives(pid)), "{backing:?}");
        assert_eq!(entries(folder.path()), 0);
    }
}

#[test]
fn the_sweep_leaves_other_labs_alone() {
    for backing in possible() {
        let (ours, theirs) = (Lab::new(backing), Lab::new(backing));
        let process = theirs.start(&["sleep"]);
        let name = process.group().name().to_owned();
        let entry = theirs.path().join("groups").join(&name);
        // Even a registry that someone copied names nothing that we may end.
        std::fs::copy(&entry, ours.path().join("groups").join(&name)).unwrap();
        assert_eq!(sweep(&ours.lock).unwrap(), Vec::<String>::new());
        assert!(lives(process.pid()), "{backing:?}");
    }
}

fn entries(state: &Path) -> usize {
    std::fs::read_dir(state.join("groups")).map_or(0, Iterator::count)
}

#[test]
fn the_guard_ignores_signals_of_the_terminal_and_ends_with_tare() {
    let folder = tempfile::tempdir().unwrap();
    let lock = Lock::take(folder.path(), "test").unwrap();
    let guard = Guard::start(&lock, &[FIXTURE.into(), "guard".into()]).unwrap();
    let pid = guard.pid();
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT] {
        sys::kill(pid, signal).unwrap();
    }
    std::thread::sleep(Duration::from_millis(50));
    assert!(lives(pid));
    let stat = tare_host::procfs::stat(pid).unwrap();
    assert_eq!(stat.session, pid, "a session of its own");
    drop(guard);
    assert!(!lives(pid));
}

#[test]
fn a_guard_that_is_gone_is_noticed_before_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let lock = Lock::take(folder.path(), "test").unwrap();
    let guard = Guard::start(&lock, &[FIXTURE.into(), "guard".into()]).unwrap();
    let pid = guard.pid();
    let grouping = tare_host::groups::detect(Some(Backing::Plain)).unwrap();
    let keeper = tare_host::keeper::Keeper::new(&lock, "run", grouping, Some(guard)).unwrap();
    drop(keeper.group().unwrap());
    sys::kill(pid, libc::SIGKILL).unwrap();
    until("it is gone", || !lives(pid));
    let error = keeper.group().unwrap_err().to_string();
    assert!(error.contains("is gone") && error.contains("hint: "), "{error}");
    assert_eq!(entries(folder.path()), 0);
}
