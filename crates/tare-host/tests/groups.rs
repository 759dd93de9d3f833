//! Every backing that works here is put to the same questions.

mod common;

use std::time::Duration;

use common::{Lab, lives, possible, until};
use tare_host::account::{FROZEN_ALLOWANCE, Snapshot, kept_still, reading};
use tare_host::groups::Backing;
use tare_model::units::Seconds;

#[test]
fn a_paused_tree_uses_no_cpu_and_continues_when_resumed() {
    for backing in possible() {
        let lab = Lab::new(backing);
        let process = lab.start(&["spin-tree"]);
        let group = process.group();
        until("three processes", || group.procs().len() == 3);
        for _ in 0..3 {
            let before = group.cpu().unwrap();
            until("some CPU is used", || group.cpu().unwrap().0 > before.0 + 0.02);
            group.freeze().unwrap();
            let frozen = Snapshot::take(group).unwrap();
            std::thread::sleep(Duration::from_millis(100));
            let later = Snapshot::take(group).unwrap();
            assert_eq!(kept_still(group.name(), &frozen, &later), Ok(()), "{backing:?}");
            group.thaw().unwrap();
        }
    }
}

/// Four threads spin, so what they use is near the number of cores; a loaded machine gives less, never more.
#[test]
fn cpu_is_counted_over_the_tree_and_not_twice() {
    for backing in possible() {
        let lab = Lab::new(backing);
        let process = lab.start(&["spin-tree"]);
        let group = process.group();
        until("three processes", || group.procs().len() == 3);
        group.freeze().unwrap();
        let before = Snapshot::take(group).unwrap();
        let each_before = clocks(&group.procs());
        group.thaw().unwrap();
        until("every process used some", || {
            let now = clocks(&group.procs());
            now.len() == 3
                && now
                    .iter()
                    .zip(&each_before)
                    .all(|(now, before)| now - before > 0.02)
        });
        group.freeze().unwrap();
        let after = Snapshot::take(group).unwrap();
        let each = clocks(&group.procs()).iter().sum::<f64>() - each_before.iter().sum::<f64>();
        let seen = reading(&before, &after, Seconds(1.0), 1).cpu.0;
        // The clocks of the processes are another way to the same figure.
        assert!(
            (seen - each).abs() < 0.02 * each + 0.002,
            "{backing:?}: {seen} s, clocks say {each} s"
        );
        assert!(after.threads.switches >= before.threads.switches && after.memory.now.0 > 0);
    }
}

fn clocks(pids: &[u32]) -> Vec<f64> {
    let mut pids = pids.to_vec();
    pids.sort_unstable();
    let clock = |pid| tare_host::sys::process_clock(pid).map(|seconds| seconds.0);
    pids.into_iter().filter_map(clock).collect()
}

#[test]
fn cpu_of_children_that_ended_is_counted() {
    for backing in possible() {
        let lab = Lab::new(backing);
        let mut spec = lab.spec(&[]);
        // The shell waits for its children, each of which burns some time.
        let burn = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done";
        spec.argv = [
            "sh",
            "-c",
            &format!("for n in 1 2 3; do sh -c '{burn}'; done; echo done; exec sleep 60"),
        ]
        .map(str::to_owned)
        .into();
        let process = tare_host::process::Process::start(lab.keeper.group().unwrap(), spec).unwrap();
        until("the children ended", || process.log_tail(1) == "done");
        let seen = process.group().cpu().unwrap().0;
        let stat = tare_host::procfs::stat(process.pid()).unwrap();
        let ended = stat.child_ticks as f64 / tare_host::sys::ticks_per_second();
        assert!(
            seen >= ended - 0.02 && seen > 0.01,
            "{backing:?}: {seen} s, of which ended {ended} s"
        );
    }
}

#[test]
fn a_killed_group_is_empty_whatever_its_processes_do() {
    for backing in possible() {
        for (misbehaviour, frozen) in [
            (&["spin-tree"][..], false),
            (&["spin-tree"][..], true),
            (&["fork-forever"][..], false),
            (&["fork-forever"][..], true),
            (&["comet", "0"][..], false),
            (&["comet", "0"][..], true),
            (&["ignore-term"][..], false),
        ] {
            let lab = Lab::new(backing);
            let process = lab.start(misbehaviour);
            let group = process.group();
            // Without cgroups a look at /proc may find none of a comet's processes, however often it is repeated.
            if backing != Backing::Plain || misbehaviour[0] != "comet" {
                until("it is under way", || !group.procs().is_empty());
            }
            if frozen {
                group.freeze().unwrap();
            }
            let pids = group.procs();
            group.kill().unwrap();
            assert!(group.procs().is_empty(), "{backing:?} {misbehaviour:?}");
            assert!(!pids.into_iter().any(lives), "{backing:?} {misbehaviour:?}");
        }
    }
}

#[test]
fn a_chain_of_short_lived_processes_stops_when_paused() {
    for backing in possible() {
        let lab = Lab::new(backing);
        let process = lab.start(&["comet", "0"]);
        let group = process.group();
        let before = group.cpu().unwrap();
        // Without cgroups, what ended unseen is not counted, so there is nothing to wait for.
        if backing != Backing::Plain {
            until("it is under way", || group.cpu().unwrap().0 > before.0 + 0.005);
        }
        group.freeze().unwrap();
        let (pids, cpu) = (group.procs(), group.cpu().unwrap());
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(group.procs(), pids, "{backing:?}");
        assert!(
            group.cpu().unwrap().0 - cpu.0 <= FROZEN_ALLOWANCE.0,
            "{backing:?}"
        );
    }
}

#[test]
fn memory_is_that_of_the_tree() {
    for backing in possible() {
        let lab = Lab::new(backing);
        let process = lab.start(&["grow", "32"]);
        until("it has grown", || process.log_tail(1) == "grown");
        let memory = process.group().memory();
        assert!(
            memory.now.0 >= 32 << 20 && memory.now.0 < 96 << 20,
            "{backing:?}: {}",
            memory.now
        );
        assert!(memory.peak >= memory.now);
    }
}

#[test]
fn what_leaves_its_parent_and_session_stays_in_the_group() {
    for backing in possible() {
        let lab = Lab::new(backing);
        let port = tare_host::ports::free_port().unwrap().to_string();
        let mut process = lab.start(&["leak", &port]);
        until("the parent ended", || process.ended().is_some());
        let left = process.group().procs();
        assert_eq!(left.len(), 1, "{backing:?}: {left:?}");
        drop(process);
        assert!(!lives(left[0]), "{backing:?}");
    }
}

#[test]
fn a_dropped_group_leaves_no_trace() {
    for backing in possible() {
        let lab = Lab::new(backing);
        let process = lab.start(&["spin"]);
        let (pid, name) = (process.pid(), process.group().name().to_owned());
        let entry = lab.path().join("groups").join(&name);
        assert!(entry.exists());
        process.group().freeze().unwrap();
        drop(process);
        assert!(!lives(pid) && !entry.exists(), "{backing:?}");
        for root in ["unified", "freezer", "cpuacct", "."] {
            let folder = std::path::Path::new("/sys/fs/cgroup").join(root).join(&name);
            assert!(!folder.exists(), "{}", folder.display());
        }
    }
}

#[test]
fn cores_are_set_before_the_program_runs() {
    let all = tare_host::machine::cores();
    for core in all {
        let lab = Lab::new(Backing::Plain);
        let mut spec = lab.spec(&["fixed-affinity"]);
        spec.cores = vec![core];
        let mut process = tare_host::process::Process::start(lab.keeper.group().unwrap(), spec).unwrap();
        until("it has said so", || process.ended().is_some());
        assert_eq!(process.log_tail(1), format!("[{core}]"));
    }
}
