//! Contenders in containers. Most of what tare does needs no image: an engine that starts processes of this machine takes the
//! place of podman. Podman itself is in the slow tests.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::holds;
use crate::lab::{Lab, Ran, contender, is_root, list, run_line, unwrapped, wait_for};
use crate::misbehave;
use crate::supervision::{ENDLESS, started};

const PODMAN: &str = include_str!("containers/podman");

/// A lab with an engine of its own on the PATH.
pub struct Harbour {
    pub lab: Lab,
}

/// None, with the reason, where containers cannot be.
pub fn harbour() -> Option<Harbour> {
    let can = is_root()
        && Command::new("unshare")
            .args(["--net", "true"])
            .status()
            .is_ok_and(|end| end.success());
    if !can {
        println!("no root, or no network namespaces: no containers here");
        return None;
    }
    let lab = Lab::new(&[("good", "good")]);
    for (name, text) in [
        ("podman", PODMAN),
        ("runc", "#!/bin/sh\necho runc version 1.1.5\n"),
    ] {
        lab.write(&format!("bin/{name}"), text);
        let path = lab.path().join("bin").join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    Some(Harbour { lab })
}

impl Harbour {
    fn bin(&self) -> PathBuf {
        self.lab.path().join("bin")
    }

    /// A contender whose container runs the server that misbehaves in this way; `more` in its manifest's table.
    fn contained(&self, name: &str, way: &str, more: &str) {
        let command = list(&misbehave::command(way, "{port}"));
        self.lab.contender(
            name,
            &format!("[container]\ndockerfile = \"Dockerfile\"\ncommand = {command}\n{more}"),
        );
        self.dockerfile(name, "FROM debian:bookworm\n");
    }

    fn dockerfile(&self, name: &str, text: &str) {
        self.lab
            .write(&format!("workloads/fixture/contenders/{name}/Dockerfile"), text);
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.lab.tare(words);
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", self.bin().display()));
        command
    }

    pub fn run(&self, words: &[&str]) -> Ran {
        self.lab.start(self.command(words)).finish()
    }

    fn measure(&self) -> Ran {
        self.run(&[
            "run",
            "fixture",
            "--format",
            "json",
            "--launches",
            "1",
            "--rounds",
            "2",
            "--budget",
            "1s",
            "--seed",
            "7",
        ])
    }

    /// What was asked of the engine.
    pub fn calls(&self) -> String {
        fs::read_to_string(self.bin().join("calls")).unwrap_or_default()
    }

    /// The reason why a contender has no figures, after a run that fails with this status.
    #[track_caller]
    fn reason(&self, name: &str, status: i32, fault: &str) -> String {
        let document = self.measure().expect(status).json();
        self.lab.assert_clean_soon();
        let one = contender(&document, name);
        assert_eq!(one["fault"], fault, "{one:#}");
        one["reason"].as_str().unwrap().to_owned()
    }
}

#[track_caller]
fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in: {text}");
    }
}

#[test]
fn containers_are_measured_beside_processes_and_several_on_one_port() {
    let Some(harbour) = harbour() else { return };
    harbour.contained("boxed", "good", "");
    harbour.contained(
        "other",
        "good",
        "limits = { open_files = 500 }\nhosts = { db = \"127.0.0.1\" }\n",
    );
    let document = harbour.measure().expect(0).json();
    harbour.lab.assert_clean();
    for name in ["good", "boxed", "other"] {
        let one = contender(&document, name);
        assert_eq!(one["state"], "measured", "{one:#}");
        assert!(one["requests"]["valid"].as_u64().unwrap() > 0, "{one:#}");
        assert!(
            one["metrics"]["cpu_per_op"]["estimate"].as_f64().unwrap() > 0.0,
            "accounted: {one:#}"
        );
    }
    let container = &contender(&document, "boxed")["container"];
    assert_eq!(container["engine"], "podman 4.3.1 with runc 1.1.5");
    assert_eq!(container["image"], "c0ffee");
    assert_eq!(
        container["bases"]["docker.io/library/debian:bookworm"],
        "sha256:beef"
    );
    assert_eq!(
        container["substitutes"]["docker.io/library/debian:bookworm"],
        "Debian 13 for Debian 12"
    );
    assert_eq!(contender(&document, "good")["container"], Value::Null);
    let calls = harbour.calls();
    assert_says(
        &calls,
        &[
            "--ulimit=nofile=500:500",
            "--add-host=db:127.0.0.1",
            "--cpuset-cpus=",
        ],
    );
    assert!(
        !calls.contains("pause"),
        "the kernel's freezer does that: {calls}"
    );
    let builds = calls.matches(" build ").count();
    assert_eq!(builds, 2, "one for each folder: {calls}");
    let report = unwrapped(&harbour.run(&["report"]).expect(0).out);
    assert_says(
        &report,
        &[
            "boxed and other run in containers (podman 4.3.1 with runc 1.1.5), good does not: what a container costs",
        ],
    );
    // What was built is known; a changed file is not.
    harbour.run(&["check", "fixture"]).expect(0);
    assert_eq!(harbour.calls().matches(" build ").count(), builds);
    harbour.dockerfile("boxed", "FROM debian:bookworm\nENV A=b\n");
    harbour.run(&["check", "fixture"]).expect(0);
    assert_eq!(harbour.calls().matches(" build ").count(), builds + 1);
    harbour.lab.assert_clean();
}

#[test]
fn what_a_container_lacks_is_said_with_a_hint() {
    let Some(harbour) = harbour() else { return };
    harbour.contained("boxed", "dies-at-once", "");
    let reason = harbour.reason("boxed", 1, "died-at-start");
    assert_says(
        &reason,
        &[
            "`podman run the image of fixture/boxed",
            "exit status 3",
            "alas, no configuration",
        ],
    );

    harbour.contained("boxed", "build-fails", "");
    let reason = harbour.reason("boxed", 1, "died-at-start");
    assert!(!reason.contains("it was refused"), "{reason}");

    harbour.lab.contender(
        "boxed",
        "[container]\ndockerfile = \"Dockerfile\"\ncommand = [\"sh\", \"-c\", \"echo mount: Operation not permitted; exit 32\"]\n",
    );
    let reason = harbour.reason("boxed", 1, "died-at-start");
    assert_says(&reason, &["exit status 32", "hint: it was refused something"]);

    harbour.dockerfile("boxed", "FROM debian:bookworm\nRUN false\n");
    let reason = harbour.reason("boxed", 1, "build-failed");
    assert_says(
        &reason,
        &["RUN false", "exit status 1", "STEP 1: reading the Dockerfile"],
    );
    assert_says(
        &harbour.calls(),
        &[" ps --all --external", " image prune --force"],
    );

    harbour.dockerfile("boxed", "FROM example.org/missing:1\n");
    let reason = harbour.reason("boxed", 1, "build-failed");
    assert_says(
        &reason,
        &[
            "example.org/missing:1 is not here",
            "nobody serves images here",
            "podman pull",
        ],
    );

    let file = harbour
        .lab
        .path()
        .join("workloads/fixture/contenders/boxed/Dockerfile");
    fs::rename(&file, file.with_file_name("page.dockerfile")).unwrap();
    let reason = harbour.reason("boxed", 1, "build-failed");
    assert_says(
        &reason,
        &["Dockerfile cannot be read", "there are page.dockerfile"],
    );
}

#[test]
fn without_an_engine_the_others_go_on_and_the_packages_are_named() {
    let Some(harbour) = harbour() else { return };
    harbour.contained("boxed", "good", "");
    let folder = harbour.lab.path().join("nothing");
    fs::create_dir(&folder).unwrap();
    for tool in ["sh", "sleep"] {
        symlink(find(tool), folder.join(tool)).unwrap();
    }
    let mut command = harbour.command(&[
        "run",
        "fixture",
        "--format",
        "json",
        "--launches",
        "1",
        "--rounds",
        "2",
    ]);
    let document = harbour.lab.start({
        command.env("PATH", &folder);
        command
    });
    let document = document.finish().expect(0).json();
    harbour.lab.assert_clean();
    let boxed = contender(&document, "boxed");
    assert_eq!(boxed["fault"], "missing-tool", "{boxed:#}");
    let reason = boxed["reason"].as_str().unwrap();
    assert_says(
        reason,
        &[
            "no container engine works here: podman: not on the PATH; docker: not on the PATH",
            "hint: `--install`, or",
            "apt-get install --no-install-recommends podman runc catatonit",
        ],
    );
    assert_eq!(contender(&document, "good")["state"], "measured");
}

/// A system program.
fn find(name: &str) -> PathBuf {
    let folders = ["/bin", "/usr/bin"].map(Path::new);
    let found = folders
        .iter()
        .map(|folder| folder.join(name))
        .find(|path| path.exists());
    found.expect("every system has it")
}

#[test]
fn a_killed_run_leaves_no_container() {
    for guarded in [true, false] {
        let Some(harbour) = harbour() else { return };
        harbour.contained("boxed", "good", "");
        let (run, _) = started(&harbour.lab, harbour.command(&ENDLESS));
        if !guarded {
            // Then it is for the next start.
            let left = harbour.lab.left();
            let guard = left.iter().find(|line| line.contains("guard"));
            let guard = guard.unwrap_or_else(|| panic!("there is a guard: {left:?}"));
            let pid = guard.split(' ').next().unwrap().parse().unwrap();
            crate::lab::kill("KILL", pid);
        }
        run.signal("KILL");
        run.finish().expect(-9);
        if !guarded {
            assert!(!harbour.lab.cgroups().is_empty(), "nobody was there to end it");
            harbour.run(&["check", "fixture"]).expect(0);
        }
        harbour.lab.assert_clean_soon();
        assert_says(&harbour.calls(), &[" rm --force "]);
    }
}

#[test]
fn a_process_of_the_same_port_is_not_in_the_way() {
    let Some(harbour) = harbour() else { return };
    // Whoever listens on the machine's own port: the container's is another one.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    harbour.contained("boxed", "good", &format!("port = {port}\n"));
    harbour.lab.contender("good", &run_line("good"));
    let document = harbour.measure().expect(0).json();
    assert_eq!(contender(&document, "boxed")["state"], "measured", "{document:#}");
    harbour.lab.assert_clean();
}

const SERVED: &str = r#"schema = 1
summary = "doubles integers"
job = { kind = "doubling" }

[cases.served]
summary = "with a service"
placement = "one-core"
baseline = "good"
services = ["fixture"]

[modes.capacity]
primary = "cpu_per_op"
connections = 4
"#;

#[test]
fn services_are_reached_from_a_container_as_from_outside() {
    let Some(harbour) = harbour() else { return };
    let lab = &harbour.lab;
    lab.write("workloads/fixture/workload.toml", SERVED);
    let mut serves = misbehave::command("good", "{port}");
    serves.push("host={host}".to_owned());
    let serves = list(&serves);
    lab.write(
        "services/fixture/service.toml",
        &format!("schema = 1\nsummary = \"the service\"\nrun = {serves}\n\n[gives]\nfixture = \"{{host}}:{{port}}\"\n"),
    );
    let mut asks = misbehave::command("good", "{port}");
    asks.push("ask={fixture}".to_owned());
    lab.contender("good", &format!("run = {}\n", list(&asks)));
    harbour.dockerfile("boxed", "FROM debian:bookworm\n");
    let own = format!(
        "[container]\ndockerfile = \"Dockerfile\"\nhosts = {{ db = \"{{services}}\" }}\ncommand = {}\n",
        list(&asks)
    );
    lab.contender("boxed", &own);
    let ran = harbour.measure();
    if ran.err.contains("no link between containers and services") {
        println!("no veth interfaces here: {}", ran.err);
        return;
    }
    let document = ran.expect(0).json();
    lab.assert_clean();
    for name in ["good", "boxed"] {
        let one = contender(&document, name);
        assert_eq!(one["state"], "measured", "{one:#}");
        // Each answer is the service's, so it has used CPU time for both.
        assert!(
            one["services"]["fixture"]["cpu_per_op"].as_f64().unwrap() > 0.0,
            "{one:#}"
        );
    }
    assert_says(&harbour.calls(), &["--add-host=db:10.78."]);
    wait_for("its links to be gone", || links_of_the_dead().is_empty());
}

/// Links between containers and services whose tare has ended: their names have its process id.
fn links_of_the_dead() -> Vec<String> {
    let entries = fs::read_dir("/sys/class/net").unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let dead = |name: &String| {
        let owner = name.strip_prefix("tare").and_then(|rest| rest.split_once('-'));
        owner.is_some_and(|(pid, _)| !Path::new("/proc").join(pid).exists())
    };
    names.filter(dead).collect()
}

#[test]
fn without_control_groups_there_are_no_containers() {
    let Some(mut harbour) = harbour() else { return };
    harbour.lab.hold("plain");
    harbour.contained("boxed", "good", "");
    let reason = harbour.reason("boxed", 1, "instrument");
    assert_says(&reason, &["containers need control groups", "hint: "]);
}

/// Podman itself, in a lab of its own; none where it is not.
fn real() -> Option<Lab> {
    let there = is_root()
        && ["podman", "runc"]
            .iter()
            .all(|name| Command::new(name).arg("--version").output().is_ok());
    if !there {
        println!("no root, or no podman and runc: this needs both");
        return None;
    }
    let lab = Lab::new(&[("good", "good")]);
    // The test program needs a C library only: the machine's own files are its image.
    let program = misbehave::command("good", "{port}")[0].clone();
    lab.write("workloads/fixture/contenders/boxed/Dockerfile", DOCKERFILE);
    fs::copy(
        program,
        lab.path().join("workloads/fixture/contenders/boxed/server"),
    )
    .unwrap();
    for library in libraries() {
        let to = lab
            .path()
            .join("workloads/fixture/contenders/boxed/root")
            .join(library.strip_prefix("/").unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(library, to).unwrap();
    }
    let mut command = misbehave::command("good", "{port}");
    command[0] = "/server".to_owned();
    lab.contender(
        "boxed",
        &format!(
            "[container]\ndockerfile = \"Dockerfile\"\ncommand = {}\n",
            list(&command)
        ),
    );
    Some(lab)
}

const DOCKERFILE: &str = "FROM scratch\nCOPY root/ /\nCOPY server /server\nCMD [\"/server\"]\n";

/// The libraries that the test program is linked with.
fn libraries() -> Vec<PathBuf> {
    let own = std::env::current_exe().unwrap();
    let listed = Command::new("ldd").arg(own).output().unwrap();
    let text = String::from_utf8(listed.stdout).unwrap();
    let words = text.split_whitespace().filter(|word| word.starts_with('/'));
    words.map(PathBuf::from).collect()
}

/// Mounts, containers and podman's own processes that a lab left.
fn leavings(lab: &Lab) -> Vec<String> {
    let state = lab.path().join(".tare").display().to_string();
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap();
    let mut found: Vec<String> = mounts
        .lines()
        .filter(|line| line.contains(&state))
        .map(str::to_owned)
        .collect();
    let folder = lab.path().join(".tare/containers/storage/overlay-containers");
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        // A folder for each container; files are the list.
        if entry.file_type().unwrap().is_dir() {
            found.push(entry.path().display().to_string());
        }
    }
    found
}

#[test]
#[ignore = "slow: builds an image and starts containers with podman"]
fn slow_podman_builds_runs_and_leaves_nothing() {
    let Some(mut lab) = real() else { return };
    let mut document = Value::Null;
    for way in holds::ways().into_iter().filter(|way| *way != "plain") {
        lab.hold(way);
        document = lab.measure("good,boxed", &[]).expect(0).json();
        lab.assert_clean();
        assert_eq!(leavings(&lab), Vec::<String>::new(), "{way}");
        let prefix = lab.group_prefix().expect("there is a state");
        let run = Path::new("/run").join(prefix.trim_end_matches('-'));
        assert!(!run.exists(), "{}", run.display());
        for name in ["good", "boxed"] {
            let one = contender(&document, name);
            assert_eq!(one["state"], "measured", "{way}: {one:#}");
            assert!(
                one["metrics"]["cpu_per_op"]["estimate"].as_f64().unwrap() > 0.0,
                "{way}: {one:#}"
            );
        }
    }
    let engine = contender(&document, "boxed")["container"]["engine"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        engine.starts_with("podman ") && engine.contains(" with "),
        "{engine}"
    );
}

#[test]
#[ignore = "slow: builds an image and starts containers with podman"]
fn slow_podman_is_killed_with_tare_in_a_run_and_in_a_build() {
    let Some(lab) = real() else { return };
    let (run, _) = started(&lab, lab.tare(&ENDLESS));
    assert!(!leavings(&lab).is_empty(), "a container is mounted while it runs");
    run.signal("KILL");
    run.finish().expect(-9);
    lab.assert_clean_soon();
    wait_for("the container to be gone", || leavings(&lab).is_empty());

    // A step that never ends: the server itself.
    let mut step = misbehave::command("never-listens", "0");
    step[0] = "/server".to_owned();
    let text = DOCKERFILE.replace("CMD [\"/server\"]", &format!("RUN {}", list(&step)));
    lab.write("workloads/fixture/contenders/boxed/Dockerfile", &text);
    let run = lab.start(lab.tare(&["run", "fixture"]));
    wait_for("the step to run", || {
        lab.left().iter().any(|line| line.contains("way=never-listens")) || built(&lab)
    });
    assert!(!leavings(&lab).is_empty(), "a build is mounted while it runs");
    run.signal("KILL");
    run.finish().expect(-9);
    lab.assert_clean_soon();
    wait_for("the build to be gone", || leavings(&lab).is_empty());
}

/// Whether a process of a build's step runs: its root is in the lab, though its command line names nothing of it.
fn built(lab: &Lab) -> bool {
    let folders = fs::read_dir("/proc").unwrap().flatten();
    let mut roots = folders.filter_map(|entry| fs::read_link(entry.path().join("root")).ok());
    roots.any(|root| root.starts_with(lab.path()))
}
