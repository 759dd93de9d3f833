//! Every way of holding processes, and without root: everything works, and a loss of accuracy is reported once.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};

use crate::lab::{Lab, Ran, contender, is_root, list, wait_for};
use crate::misbehave;

/// A user that owns nothing: `nobody` on Debian.
pub const NOBODY: u32 = 65534;

const WORDS: [&str; 12] = [
    "run",
    "fixture",
    "--format",
    "json",
    "--launches",
    "2",
    "--rounds",
    "2",
    "--budget",
    "1s",
    "--timeout",
    "5s",
];

fn lab() -> Lab {
    Lab::new(&[
        ("dies", "die:100"),
        ("good", "good"),
        ("leak", "leak"),
        ("stubborn", "stubborn"),
    ])
}

/// The ways of holding processes that this machine has: signals at the least.
pub fn ways() -> Vec<&'static str> {
    let works = |way: &&str| {
        let mut lab = Lab::new(&[]);
        lab.hold(way);
        lab.run(&["doctor", "--quick"]).status == 0
    };
    let ways: Vec<&str> = ["v2", "v1", "plain"].into_iter().filter(works).collect();
    assert!(ways.contains(&"plain"), "{ways:?}");
    ways
}

/// What the other tests find nothing of when all is over, is found while it is there.
#[test]
fn control_groups_are_seen_while_a_run_has_them() {
    for way in ways().into_iter().filter(|way| *way != "plain") {
        let mut lab = Lab::new(&[("good", "good"), ("twin", "good")]);
        lab.hold(way);
        let mut run = lab.start(lab.tare(&crate::supervision::ENDLESS));
        wait_for("the groups of a run", || {
            assert!(!run.ended(), "{way}: {}", run.said());
            !lab.cgroups().is_empty()
        });
        run.signal("INT");
        run.finish().expect(130);
        lab.assert_clean();
    }
}

fn assert_well(lab: &Lab, ran: Ran, freezer: &str) {
    lab.assert_clean();
    let ran = ran.expect(3);
    let document = ran.json();
    assert_eq!(document["run"]["machine"]["freezer"], freezer, "{document:#}");
    assert_eq!(contender(&document, "dies")["fault"], "died");
    for name in ["good", "leak", "stubborn"] {
        let one = contender(&document, name);
        assert!(
            one["metrics"]["cpu_per_op"]["estimate"].as_f64().unwrap() > 0.0,
            "{one:#}"
        );
    }
    let notes = document["run"]["notes"].to_string();
    assert!(notes.contains("leak left processes behind"), "{notes}");
    assert!(notes.contains("stubborn did not end on SIGTERM"), "{notes}");
    let plain = freezer == "SIGSTOP";
    assert_eq!(notes.contains("without cgroups"), plain, "{notes}");
    assert_eq!(
        ran.err.matches("without cgroups").count(),
        usize::from(plain),
        "{}",
        ran.err
    );
}

fn held_by(way: &str, freezer: &str) {
    let mut lab = lab();
    lab.hold(way);
    let ran = lab.run(&WORDS);
    if ran.status == 1 && ran.out.is_empty() && way != "plain" {
        // It must say why, and that is all that can be asked of it here.
        assert!(ran.err.contains(freezer), "{}", ran.err);
        eprintln!("skipped: {freezer} cannot be used here: {}", ran.err);
        return;
    }
    assert_well(&lab, ran, freezer);
}

#[test]
fn held_by_cgroup_v2() {
    held_by("v2", "cgroup v2");
}

#[test]
fn held_by_cgroup_v1() {
    held_by("v1", "cgroup v1");
}

#[test]
fn held_by_signals() {
    held_by("plain", "SIGSTOP");
}

#[test]
fn an_unknown_way_of_holding_is_wrong_usage() {
    let mut lab = Lab::new(&[("good", "good")]);
    lab.hold("v3");
    let ran = lab.run(&["check", "fixture"]).expect(2);
    assert!(
        ran.err
            .contains("TARE_HOLD is `v3`: expected one of v2, v1, plain"),
        "{}",
        ran.err
    );
}

#[test]
fn an_ordinary_user_has_everything() {
    if !is_root() {
        eprintln!("skipped: every other test ran as an ordinary user already");
        return;
    }
    let mut lab = lab();
    let tare = copied(&lab, Path::new(env!("CARGO_BIN_EXE_tare")), "tare");
    let built = std::env::current_exe().unwrap();
    let fixture = copied(&lab, &built, "fixture");
    let built = built.display().to_string();
    for (name, way) in [
        ("dies", "die:100"),
        ("good", "good"),
        ("leak", "leak"),
        ("stubborn", "stubborn"),
    ] {
        let mut words = misbehave::command(way, "{port}");
        let program = words.iter().position(|word| *word == built).unwrap();
        words[program] = fixture.display().to_string();
        lab.contender(name, &format!("run = {}\n", list(&words)));
    }
    lab.program(tare);
    give(lab.path());
    let mut command = lab.tare(&WORDS);
    command.uid(NOBODY).gid(NOBODY).env("HOME", lab.path());
    let ran = lab.start(command).finish();
    // Where this user was given a cgroup of its own, that is used.
    let freezer = ran.json()["run"]["machine"]["freezer"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_well(&lab, ran, &freezer);
}

/// What needs no lab: commands, and servers that run already. Neither says that anything is less exact.
#[test]
fn an_ordinary_user_times_commands_and_compares_servers() {
    if !is_root() {
        eprintln!("skipped: every other test ran as an ordinary user already");
        return;
    }
    let mut lab = Lab::new(&[]);
    lab.program(copied(&lab, Path::new(env!("CARGO_BIN_EXE_tare")), "tare"));
    give(lab.path());
    let as_nobody = |words: &[&str]| {
        let mut command = lab.tare(words);
        command.uid(NOBODY).gid(NOBODY).env("HOME", lab.path());
        let ran = lab.start(command).finish();
        lab.assert_clean();
        ran
    };
    let words = [
        "time",
        "sleep 0.01",
        "sleep 0.2",
        "--names",
        "a,b",
        "--budget",
        "20s",
        "--format",
        "json",
    ];
    let ran = as_nobody(&words).expect(0);
    assert_eq!(contender(&ran.json(), "b")["state"], "measured");
    assert!(!ran.err.contains("without cgroups"), "{}", ran.err);
    let server = crate::load::Server::start("good");
    let url = server.url();
    let words = [
        "load", &url, &url, "-c", "2", "-d", "2s", "--names", "a,b", "--format", "json",
    ];
    let document = as_nobody(&words).expect(0).json();
    assert_eq!(contender(&document, "b")["state"], "measured");
}

#[test]
fn an_ordinary_user_compares_revisions() {
    if !is_root() {
        eprintln!("skipped: every other test ran as an ordinary user already");
        return;
    }
    let lab = crate::diff::slowed();
    let tare = copied(&lab, Path::new(env!("CARGO_BIN_EXE_tare")), "tare");
    give(lab.path());
    let mut command = std::process::Command::new(tare);
    command
        .args([
            "diff",
            "HEAD~1..HEAD",
            "--setup",
            "cp work made",
            "--budget",
            "20s",
        ])
        .args(["--fail-if", "slower", "--format", "json", "--", "sh", "made"])
        .current_dir(lab.path())
        .env("HOME", lab.path())
        .uid(NOBODY)
        .gid(NOBODY);
    let ran = lab.start(command).finish().expect(4);
    lab.assert_clean();
    assert_eq!(contender(&ran.json(), "after")["state"], "measured");
    assert!(!ran.err.contains("without cgroups"), "{}", ran.err);
}

#[test]
fn an_ordinary_user_compares_revisions_of_a_contender() {
    if !is_root() {
        eprintln!("skipped: every other test ran as an ordinary user already");
        return;
    }
    let mut lab = crate::diff::repository();
    let built = std::env::current_exe().unwrap();
    let (built, fixture) = (built.display().to_string(), lab.path().join("fixture"));
    let words: Vec<String> = misbehave::command("good", "{port}")
        .into_iter()
        .map(|word| {
            if word == built {
                fixture.display().to_string()
            } else {
                word
            }
        })
        .collect();
    let run = format!("run = {}\n", list(&words));
    lab.contender("good", &run);
    crate::diff::commit(&lab, "Add it");
    lab.contender("good", &format!("{run}env = {{ CHANGED = \"yes\" }}\n"));
    copied(&lab, Path::new(&built), "fixture");
    let tare = copied(&lab, Path::new(env!("CARGO_BIN_EXE_tare")), "tare");
    lab.program(tare);
    give(lab.path());
    let mut command = lab.tare(&[
        "diff",
        "HEAD",
        "fixture/good",
        "--launches",
        "2",
        "--rounds",
        "2",
        "--budget",
        "2s",
        "--format",
        "json",
    ]);
    command.uid(NOBODY).gid(NOBODY).env("HOME", lab.path());
    let ran = lab.start(command).finish().expect(0);
    lab.assert_clean();
    let document = ran.json();
    for side in ["good@before", "good@after"] {
        assert_eq!(contender(&document, side)["state"], "measured", "{document:#}");
    }
    // Reported once, unless this user has a cgroup of its own.
    let plain = document["run"]["machine"]["freezer"] == "SIGSTOP";
    assert_eq!(
        ran.err.matches("without cgroups").count(),
        usize::from(plain),
        "{}",
        ran.err
    );
}

#[test]
fn a_read_only_lab_is_reported_with_a_hint() {
    let mut lab = Lab::new(&[("good", "good")]);
    lab.program(copied(&lab, Path::new(env!("CARGO_BIN_EXE_tare")), "tare"));
    let allow = |mode| fs::set_permissions(lab.path(), fs::Permissions::from_mode(mode)).unwrap();
    let mut command = lab.tare(&["check", "fixture"]);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    let refused =
        [lab.path().join("out"), lab.path().join("err")].map(|path| fs::File::create(path).unwrap());
    allow(0o555);
    let [out, err] = refused;
    let status = command.stdout(out).stderr(err).status().unwrap();
    allow(0o755);
    let said = fs::read_to_string(lab.path().join("err")).unwrap();
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(
        said.contains(".tare") && said.contains("Permission denied"),
        "{said}"
    );
    assert!(said.contains("hint: "), "{said}");
}

/// A copy of a program in the lab, which everybody may run: the built ones may lie where only root may look.
pub fn copied(lab: &Lab, from: &Path, name: &str) -> PathBuf {
    let to = lab.path().join(name);
    fs::copy(from, &to).unwrap();
    fs::set_permissions(&to, fs::Permissions::from_mode(0o755)).unwrap();
    to
}

/// Gives a folder and all in it to the user that owns nothing.
pub fn give(path: &Path) {
    std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            give(&entry.unwrap().path());
        }
    }
}
