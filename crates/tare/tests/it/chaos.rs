//! What becomes of a run when tare or a contender is killed at any moment, or the disk fills at any moment: nothing is
//! left running, nothing is frozen, the store opens, and finished rounds are there.
//!
//! Not run by default. `TARE_CHAOS=100 cargo test -p tare --test it chaos -- --ignored` is the full form; without the
//! number there are 3 moments each. `TARE_CHAOS_SEED` repeats a run.

use std::thread;
use std::time::Duration;

use crate::lab::{Lab, Ran, Running, kill};
use crate::supervision::{ENDLESS, SmallDisk, assert_kept};

/// From the command to the middle of an epoch it takes about this long here; moments are spread over twice that.
const LONGEST: u64 = 4000;

fn moments() -> usize {
    std::env::var("TARE_CHAOS").map_or(3, |count| count.parse().expect("TARE_CHAOS is a number"))
}

fn rng() -> fastrand::Rng {
    let seed =
        std::env::var("TARE_CHAOS_SEED").map_or_else(|_| fastrand::u64(..), |seed| seed.parse().unwrap());
    println!("TARE_CHAOS_SEED={seed}");
    fastrand::Rng::with_seed(seed)
}

/// Lets a run go on for a random time. It decides when something is done to it, and no verdict.
fn at_a_random_moment(rng: &mut fastrand::Rng) {
    thread::sleep(Duration::from_millis(rng.u64(..LONGEST)));
}

fn lab() -> Lab {
    Lab::new(&[("good", "good"), ("twin", "good")])
}

#[test]
#[ignore = "chaos: takes its time"]
fn chaos_tare_is_killed_at_any_moment() {
    let mut rng = rng();
    for moment in 1..=moments() {
        let lab = lab();
        let mut run = lab.start(lab.tare(&ENDLESS));
        at_a_random_moment(&mut rng);
        let kept = lab.slices_kept();
        assert!(!run.ended(), "moment {moment}: {}", run.said());
        run.signal("KILL");
        run.finish().expect(-9);
        lab.assert_clean_soon();
        println!("moment {moment}: {kept} slices were kept");
        lab.run(&["list", "runs"]).expect(0);
        if kept > 0 {
            assert_kept(&lab, kept);
        }
        // The lab is as good as new.
        lab.run(&["check", "fixture"]).expect(0);
        lab.assert_clean();
    }
}

/// A run that has an end of its own.
fn short_run(lab: &Lab) -> Running {
    let mut words = vec![
        "run", "fixture", "--epochs", "3", "--rounds", "12", "--budget", "20s",
    ];
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
    let mut rng = rng();
    for moment in 1..=moments() {
        let lab = lab();
        let run = short_run(&lab);
        at_a_random_moment(&mut rng);
        let kept = lab.slices_kept();
        let killed = any_contender(&lab, &mut rng).is_some_and(|pid| kill("KILL", pid));
        let ran = run.finish();
        lab.assert_clean();
        is_told(&ran, killed, moment);
        let in_all = lab.slices_kept();
        println!("moment {moment}: {kept} slices were kept before, {in_all} in all");
        assert!(
            in_all >= kept,
            "moment {moment}: {in_all} of {kept} slices are left"
        );
        let told = lab.run(&["report", "--format", "json"]).expect(0).json();
        assert_eq!(told["run"]["complete"], true, "moment {moment}: {told:#}");
    }
}

/// What was killed is told as the contender's end, unless it was being ended anyway; the other is measured.
fn is_told(ran: &Ran, killed: bool, moment: usize) {
    println!("moment {moment}: killed: {killed}, exit status {}", ran.status);
    assert!(
        matches!(ran.status, 0 | 1 | 3),
        "moment {moment}: {} {}",
        ran.status,
        ran.err
    );
    let document = ran.json();
    let contenders = document["workloads"][0]["contenders"].as_array().unwrap();
    let failed: Vec<_> = contenders.iter().filter(|one| one["state"] == "failed").collect();
    assert!(
        failed.len() <= usize::from(killed),
        "moment {moment}: {document:#}"
    );
    assert_eq!(
        ran.status == 0,
        failed.is_empty(),
        "moment {moment}: {document:#}"
    );
    for one in failed {
        let reason = one["reason"].as_str().unwrap();
        assert!(
            reason.contains("SIGKILL") || reason.contains("signal 9"),
            "moment {moment}: {reason}"
        );
    }
}

#[test]
#[ignore = "chaos: takes its time"]
fn chaos_the_disk_is_full_at_any_moment() {
    let mut rng = rng();
    for moment in 1..=moments() {
        let lab = lab();
        // From too small for an empty store to room for some seconds.
        let kilobytes = rng.u32(100..1000);
        let Some(_disk) = SmallDisk::mount(&lab.path().join(".tare"), &format!("size={kilobytes}k")) else {
            eprintln!("skipped: this user may not mount a small file system");
            return;
        };
        let ran = lab.start(lab.tare(&ENDLESS)).finish().expect(1);
        assert_eq!(lab.left(), Vec::<String>::new());
        assert!(
            ran.err.contains("free some space") || ran.err.contains("No space left"),
            "{kilobytes} KB: {}",
            ran.err
        );
        let kept = lab.slices_kept();
        println!("moment {moment}: {kept} slices were kept on {kilobytes} KB");
        if kept > 0 {
            assert_kept(&lab, 2);
        }
    }
}
