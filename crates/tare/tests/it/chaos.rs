//! What becomes of a run when tare or a contender is killed at any moment, or the disk fills at any moment: nothing is
//! left running, nothing is frozen, no control group stays, the store opens, and finished rounds are there.
//!
//! Not run by default. `TARE_CHAOS=100 cargo test -p tare-bench --test it chaos -- --ignored` is the full form; without the
//! number there are 3 moments each. Every way of holding processes that this machine has takes its turn, and half of the
//! moments are known to be within a measured launch. `TARE_CHAOS_SEED` repeats a run.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::holds;
use crate::lab::{Lab, Ran, Running, kill, wait_for};
use crate::supervision::{ENDLESS, SmallDisk, assert_kept};

/// From the command to the middle of a launch it takes about this long here, in ms; moments are spread over twice that.
const LONGEST: u64 = 4000;

/// And behind the first slice that was kept, in ms: short enough to fall within the run of a contender that is killed.
const WITHIN: u64 = 1000;

/// Number of labs at once: most of the time each waits for its slices to end.
const AT_ONCE: usize = 4;

/// A moment: its number, its dice, and how processes are held at it.
struct Moment<'a> {
    number: usize,
    rng: fastrand::Rng,
    way: &'a str,
}

impl Moment<'_> {
    /// Every other one is known to be within a launch.
    fn within(&self) -> bool {
        self.number.is_multiple_of(2)
    }

    fn lab(&self) -> Lab {
        let mut lab = Lab::new(&[("good", "good"), ("twin", "good")]);
        lab.hold(self.way);
        lab
    }

    /// Lets a run go on to this moment; the slices kept until then. It decides when something is done to it, and no verdict.
    fn wait(&mut self, lab: &Lab, run: &mut Running) -> usize {
        if self.within() {
            wait_for("a slice to be kept", || {
                assert!(!run.ended(), "{self}: it has ended: {}", run.said());
                lab.slices_kept() > 0
            });
        }
        let most = if self.within() { WITHIN } else { LONGEST };
        thread::sleep(Duration::from_millis(self.rng.u64(..most)));
        lab.slices_kept()
    }
}

impl std::fmt::Display for Moment<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "moment {} (held by {})", self.number, self.way)
    }
}

/// Does something at each of the moments; what came of each.
fn at_moments<T: Send>(act: impl Fn(Moment<'_>) -> T + Sync) -> Vec<T> {
    let seed =
        std::env::var("TARE_CHAOS_SEED").map_or_else(|_| fastrand::u64(..), |seed| seed.parse().unwrap());
    println!("TARE_CHAOS_SEED={seed}");
    let moments =
        std::env::var("TARE_CHAOS").map_or(3, |count| count.parse().expect("TARE_CHAOS is a number"));
    let ways = holds::ways();
    let (next, done) = (AtomicUsize::new(1), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(moments) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number > moments {
                        return;
                    }
                    let rng = fastrand::Rng::with_seed(seed.wrapping_add(number as u64));
                    // By twos, so that each way has moments within a launch and others.
                    let way = ways[number / 2 % ways.len()];
                    let came = act(Moment { number, rng, way });
                    done.lock().unwrap().push(came);
                }
            });
        }
    });
    done.into_inner().unwrap()
}

/// What was asked of many moments would be empty if none had anything to lose.
fn assert_some_kept(kept: &[usize]) {
    if kept.len() > 1 {
        assert!(
            kept.iter().any(|kept| *kept > 0),
            "nothing was ever kept: {kept:?}"
        );
    }
}

#[test]
#[ignore = "chaos: takes its time"]
fn chaos_tare_is_killed_at_any_moment() {
    let kept = at_moments(|mut moment| {
        let lab = moment.lab();
        let mut run = lab.start(lab.tare(&ENDLESS));
        let kept = moment.wait(&lab, &mut run);
        assert!(!run.ended(), "{moment}: {}", run.said());
        run.signal("KILL");
        run.finish().expect(-9);
        lab.assert_clean_soon();
        println!("{moment}: {kept} slices were kept");
        lab.run(&["list", "runs"]).expect(0);
        if moment.within() || kept > 0 {
            assert_kept(&lab, kept.max(1));
        }
        // The lab is as good as new.
        lab.run(&["check", "fixture"]).expect(0);
        lab.assert_clean();
        kept
    });
    assert_some_kept(&kept);
}

/// A run that has an end of its own.
fn short_run(lab: &Lab) -> Running {
    let mut words = vec!["run", "fixture", "--launches", "2", "--rounds", "10"];
    words.extend(["--margin", "0%", "--budget", "12s"]);
    words.extend(["--format", "json", "--timeout", "30s"]);
    lab.start(lab.tare(&words))
}

/// A process of a contender, chosen at random; none where none runs.
fn any_contender(lab: &Lab, rng: &mut fastrand::Rng) -> Option<u32> {
    let left = lab.left();
    let theirs: Vec<&String> = left.iter().filter(|line| line.contains(" way=good")).collect();
    let line = theirs.get(rng.usize(..theirs.len().max(1)))?;
    line.split(' ').next()?.parse().ok()
}

#[test]
#[ignore = "chaos: takes its time"]
fn chaos_a_contender_is_killed_at_any_moment() {
    let came = at_moments(|mut moment| {
        let lab = moment.lab();
        let mut run = short_run(&lab);
        let kept = moment.wait(&lab, &mut run);
        let killed = any_contender(&lab, &mut moment.rng).is_some_and(|pid| kill("KILL", pid));
        let ran = run.finish();
        lab.assert_clean();
        let told = is_told(&ran, killed, &moment);
        let in_all = lab.slices_kept();
        println!(
            "{moment}: killed: {killed}, told: {told}, exit status {}; {kept} slices were kept before, {in_all} in all",
            ran.status
        );
        assert!(in_all >= kept, "{moment}: {in_all} of {kept} slices are left");
        let report = lab.run(&["report", "--format", "json"]).expect(0).json();
        assert_eq!(report["run"]["complete"], true, "{moment}: {report:#}");
        (kept, moment.within() && killed, told)
    });
    assert_some_kept(&came.iter().map(|(kept, ..)| *kept).collect::<Vec<_>>());
    let within: Vec<bool> = came.iter().filter(|came| came.1).map(|came| came.2).collect();
    let told = within.iter().filter(|told| **told).count();
    println!(
        "of {} that were killed within a launch, {told} were told",
        within.len()
    );
    // One that is killed behind its last slice is being ended anyway.
    match within.len() {
        0..3 => {}
        3..8 => assert!(told > 0, "none of {within:?}"),
        all => assert!(2 * told > all, "{told} of {all}"),
    }
}

/// Whether a contender is reported as killed. Nothing else may be wrong, and the exit status agrees.
fn is_told(ran: &Ran, killed: bool, moment: &Moment<'_>) -> bool {
    assert!(
        matches!(ran.status, 0 | 1 | 3),
        "{moment}: {} {}",
        ran.status,
        ran.err
    );
    let document = ran.json();
    let contenders = document["workloads"][0]["contenders"].as_array().unwrap();
    let failed: Vec<_> = contenders.iter().filter(|one| one["state"] == "failed").collect();
    assert!(failed.len() <= usize::from(killed), "{moment}: {document:#}");
    assert_eq!(ran.status == 0, failed.is_empty(), "{moment}: {document:#}");
    for one in &failed {
        let reason = one["reason"].as_str().unwrap();
        assert!(
            reason.contains("SIGKILL") || reason.contains("signal 9"),
            "{moment}: {reason}"
        );
    }
    !failed.is_empty()
}

#[test]
#[ignore = "chaos: takes its time"]
fn chaos_the_disk_is_full_at_any_moment() {
    let kept = at_moments(|mut moment| {
        let lab = moment.lab();
        // From too small for an empty store, through too small for a line of a contender's log, to room for some seconds.
        // Where the moment is to be within a launch, room for the first rounds at least.
        let kilobytes = match moment.within() {
            true => moment.rng.u32(350..550),
            false => moment.rng.u32(100..350),
        };
        let disk = SmallDisk::mount(&lab.path().join(".tare"), &format!("size={kilobytes}k"));
        let Some(_disk) = disk else {
            eprintln!("skipped: this user may not mount a small file system");
            return None;
        };
        let ran = lab.start(lab.tare(&ENDLESS)).finish().expect(1);
        assert_eq!(lab.left(), Vec::<String>::new(), "{moment}");
        assert_eq!(lab.cgroups(), Vec::<std::path::PathBuf>::new(), "{moment}");
        assert!(
            ["free some space", "No space left", "check the disk"]
                .iter()
                .any(|word| ran.err.contains(word)),
            "{moment}, {kilobytes} KB: {}",
            ran.err
        );
        let kept = lab.slices_kept();
        println!("{moment}: {kept} slices were kept on {kilobytes} KB");
        if kept > 0 {
            // A contender that could not write a line of its log is out: a round is then a slice of the other.
            assert_kept(&lab, 1);
        }
        Some(kept)
    });
    assert_some_kept(&kept.into_iter().flatten().collect::<Vec<_>>());
}
