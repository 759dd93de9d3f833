//! A lab in a temporary folder, `tare` run in it, and what is left of it afterwards.

use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::misbehave;

/// Far more than anything here takes, on a machine however loaded: only what hangs meets it.
pub const PATIENCE: Duration = Duration::from_secs(150);
const POLL: Duration = Duration::from_millis(20);

/// The environment variable that says how contenders are held.
const HOLD: &str = "TARE_HOLD";

/// Slices of this many milliseconds instead of 80 (`src/short_slices.rs`): these tests are about what happens, not about figures.
pub const SLICE: (&str, &str) = ("TARE_TEST_SLICE", "10");

/// The job `doubling`, as it is driven here. `CASES` are the suites and cases of a workload.
const DOUBLING: &str = r#"schema = 1
summary = "doubles integers"
job = { kind = "doubling" }

CASES
[modes.capacity]
primary = "throughput"
connections = 4
depth = 2

[modes.cost]
primary = "cpu_per_op"
connections = 4
depth = 2

[[exchanges]]
name = "a line"
send = "21\n"
expect = "42\n"
"#;

const CASES: &str = r#"[cases.all]
summary = "all of them"
placement = "one-core"
baseline = "good"
modes = ["capacity"]
"#;

const END: &str = r#"
[[exchanges]]
name = "the end"
send = "-5\nend\n"
expect = "-10\n"
closes = true
"#;

/// The manifest of a workload with the job `doubling`, and these suites and cases.
pub fn doubling(cases: &str) -> String {
    DOUBLING.replace("CASES", cases)
}

/// A lab with one workload, `fixture`. What still runs of it when it is dropped is reported and ended.
pub struct Lab {
    folder: tempfile::TempDir,
    program: PathBuf,
    hold: Option<String>,
}

/// A command that has ended.
#[derive(Debug)]
pub struct Ran {
    pub status: i32,
    pub out: String,
    pub err: String,
}

/// A command under way.
pub struct Running {
    child: Option<Child>,
    out: PathBuf,
    err: PathBuf,
}

impl Lab {
    /// A lab whose contenders are given by their names and their ways to misbehave.
    pub fn new(contenders: &[(&str, &str)]) -> Self {
        let folder = tempfile::Builder::new().prefix("tare-it-").tempdir().unwrap();
        let program = PathBuf::from(env!("CARGO_BIN_EXE_tare"));
        let lab = Self {
            folder,
            program,
            hold: None,
        };
        lab.write("languages/fixture.toml", "schema = 1\nsummary = \"a fixture\"\n");
        lab.write(
            "workloads/fixture/workload.toml",
            &format!("{}{END}", doubling(CASES)),
        );
        for (name, way) in contenders {
            lab.contender(name, &run_line(way));
        }
        lab
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes one of its files.
    pub fn write(&self, file: &str, text: &str) {
        let path = self.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a contender's manifest: what every one needs, and `more`.
    pub fn contender(&self, name: &str, more: &str) {
        let text = format!(
            "schema = 1\nlanguage = \"fixture\"\nsummary = \"the contender {name}\"\nstyle = \"idiomatic\"\n{more}"
        );
        self.write(&contender_file(name), &text);
    }

    /// From now on contenders are held in this way (`v2`, `v1`, `plain`).
    pub fn hold(&mut self, way: &str) {
        self.hold = Some(way.to_owned());
    }

    /// From now on another copy of tare is used.
    pub fn program(&mut self, program: PathBuf) {
        self.program = program;
    }

    /// `tare` with these words, in this lab.
    pub fn tare(&self, words: &[&str]) -> Command {
        self.through(&[], words)
    }

    /// The same, started by another program, which is given `tare` and its words behind its own.
    pub fn through(&self, other: &[&str], words: &[&str]) -> Command {
        let mut all: Vec<OsString> = other.iter().map(OsString::from).collect();
        all.push(self.program.clone().into());
        all.extend(words.iter().map(OsString::from));
        let mut command = Command::new(&all[0]);
        command
            .args(&all[1..])
            .arg("-C")
            .arg(self.path())
            .current_dir(self.path())
            .stdin(Stdio::null())
            .env("NO_COLOR", "1")
            .env(SLICE.0, SLICE.1)
            .env_remove(HOLD);
        if let Some(hold) = &self.hold {
            command.env(HOLD, hold);
        }
        command
    }

    /// Runs `tare` with these words to its end.
    pub fn run(&self, words: &[&str]) -> Ran {
        self.start(self.tare(words)).finish()
    }

    /// Starts a command of the lab.
    pub fn start(&self, command: Command) -> Running {
        Running::start(command, self.path())
    }

    /// A run as short as can be of these contenders, its results as JSON, and whatever more was asked for.
    pub fn measure(&self, only: &str, more: &[&str]) -> Ran {
        let mut words = vec!["run", "fixture", "--format", "json", "--only", only];
        words.extend([
            "--launches",
            "2",
            "--rounds",
            "2",
            "--budget",
            "1s",
            "--seed",
            "7",
        ]);
        words.extend(more);
        self.run(&words)
    }

    /// The number of slices kept of the last run; 0 before there is one.
    pub fn slices_kept(&self) -> usize {
        let ran = self.run(&["report", "--format", "slices"]);
        ran.out.lines().count().saturating_sub(1)
    }

    /// Processes that have anything to do with this lab, as `pid (state): command`.
    pub fn left(&self) -> Vec<String> {
        pids()
            .into_iter()
            .filter(|&pid| pid != std::process::id() && self.is_ours(pid))
            .filter_map(describe)
            .collect()
    }

    fn is_ours(&self, pid: u32) -> bool {
        let about = |file: &str| fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
        let folder = self.path().as_os_str().as_encoded_bytes();
        let mentions = |bytes: &[u8]| bytes.windows(folder.len()).any(|window| window == folder);
        let within = |link: &str| {
            fs::read_link(format!("/proc/{pid}/{link}")).is_ok_and(|target| target.starts_with(self.path()))
        };
        within("cwd") || within("exe") || mentions(&about("cmdline")) || mentions(&about("environ"))
    }

    /// The control groups of this lab's processes that are there, wherever control groups are mounted.
    pub fn cgroups(&self) -> Vec<PathBuf> {
        let Some(prefix) = self.group_prefix() else {
            return Vec::new();
        };
        let mounts = fs::read_to_string("/proc/self/mounts").unwrap();
        let mut folders: Vec<PathBuf> = mounts.lines().filter_map(cgroup_mount).collect();
        let mut found = Vec::new();
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            for entry in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
                if entry.file_name().to_string_lossy().starts_with(&prefix) {
                    found.push(entry.path());
                }
                folders.push(entry.path());
            }
        }
        found
    }

    /// How the names of its groups begin: with a hash of the path of its state (SHA-256, which the tests' own crates have
    /// not). None before there is any state.
    pub fn group_prefix(&self) -> Option<String> {
        let state = self.path().join(".tare").canonicalize().ok()?;
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "printf %s \"$1\" | sha256sum", "sh"])
            .arg(state);
        let hash = String::from_utf8(shell.output().unwrap().stdout).unwrap();
        Some(format!("tare-{}-", &hash[..8]))
    }

    /// Nothing of this lab runs or is frozen any more, and none of its groups is registered or there.
    pub fn assert_clean(&self) {
        assert_eq!(self.left(), Vec::<String>::new());
        assert_eq!(self.cgroups(), Vec::<PathBuf>::new());
        let groups = fs::read_dir(self.path().join(".tare/groups"));
        let groups: Vec<OsString> = groups
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(groups, Vec::<OsString>::new());
    }

    /// The same within a bounded time: for what ends without tare waiting for it.
    pub fn assert_clean_soon(&self) {
        let began = Instant::now();
        while began.elapsed() < PATIENCE && !(self.left().is_empty() && self.cgroups().is_empty()) {
            thread::sleep(POLL);
        }
        // Says what is left, where something is.
        self.assert_clean();
    }
}

impl Drop for Lab {
    /// A test that failed half-way leaves nothing either.
    fn drop(&mut self) {
        for pid in pids() {
            if pid != std::process::id() && self.is_ours(pid) {
                // It may have ended meanwhile.
                kill("KILL", pid);
                kill("CONT", pid);
            }
        }
    }
}

impl Running {
    fn start(mut command: Command, folder: &Path) -> Self {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let (out, err) = (
            folder.join(format!("out-{number}")),
            folder.join(format!("err-{number}")),
        );
        command.stdout(File::create(&out).unwrap());
        command.stderr(File::create(&err).unwrap());
        let child = command.spawn().unwrap();
        Self {
            child: Some(child),
            out,
            err,
        }
    }

    pub fn pid(&self) -> u32 {
        self.child.as_ref().expect("not finished").id()
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: &str) {
        assert!(kill(signal, self.pid()), "SIG{signal} could not be sent");
    }

    /// Whether it has ended.
    pub fn ended(&mut self) -> bool {
        self.child
            .as_mut()
            .expect("not finished")
            .try_wait()
            .unwrap()
            .is_some()
    }

    /// Its standard error so far.
    pub fn said(&self) -> String {
        fs::read_to_string(&self.err).unwrap_or_default()
    }

    /// Waits for its end. One that does not end fails the test.
    pub fn finish(mut self) -> Ran {
        let began = Instant::now();
        while !self.ended() {
            if began.elapsed() > PATIENCE {
                panic!("it has not ended within {PATIENCE:?}; it said: {}", self.said());
            }
            thread::sleep(POLL);
        }
        let mut child = self.child.take().expect("not finished");
        let status = child.wait().unwrap();
        let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        Ran {
            status: status.code().unwrap_or_else(|| -status.signal().unwrap()),
            out: read(&self.out),
            err: read(&self.err),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            child.kill().ok();
            child.wait().ok();
        }
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            status: output
                .status
                .code()
                .unwrap_or_else(|| -output.status.signal().unwrap()),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }
}

impl Ran {
    /// The same, if it ended with this status.
    #[track_caller]
    pub fn expect(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{}\n{}", self.out, self.err);
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        match serde_json::from_str(&self.out) {
            Ok(value) => value,
            Err(error) => panic!("{error}\n{}\n{}", self.out, self.err),
        }
    }
}

/// The `run` of a contender that serves in this way, as a line of its manifest.
pub fn run_line(way: &str) -> String {
    format!("run = {}\n", list(&misbehave::command(way, "{port}")))
}

/// Words as a TOML list.
pub fn list(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
    format!("[{}]", words.join(", "))
}

/// The manifest of a contender.
pub fn contender_file(name: &str) -> String {
    format!("workloads/fixture/contenders/{name}/contender.toml")
}

/// A contender of a results document's only workload.
#[track_caller]
pub fn contender<'v>(document: &'v Value, name: &str) -> &'v Value {
    let all = document["workloads"][0]["contenders"].as_array().unwrap();
    let found = all.iter().find(|one| one["id"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {document:#}"))
}

/// Text as it was before it was wrapped for a terminal: runs of white space are one space.
pub fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Polls until something holds.
#[track_caller]
pub fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(
            began.elapsed() < PATIENCE,
            "waited {PATIENCE:?} in vain for {what}"
        );
        thread::sleep(POLL);
    }
}

/// Does something for each case, for all at once: in a lab of its own each waits most of the time.
pub fn at_once<T: Send>(cases: impl IntoIterator<Item = T>, act: impl Fn(T) + Sync) {
    let act = &act;
    thread::scope(|scope| {
        for case in cases {
            scope.spawn(move || act(case));
        }
    });
}

/// Whether tests run as root.
pub fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").unwrap().uid() == 0
}

/// Sends a signal, named without `SIG`; whether that could be done. By the shell: no unsafe code is needed here, and
/// every machine has one.
pub fn kill(signal: &str, pid: u32) -> bool {
    let line = format!("kill -s {signal} {pid}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).stderr(Stdio::null());
    shell.status().unwrap().success()
}

/// Where a line of mounts has a hierarchy of control groups, of either version.
fn cgroup_mount(line: &str) -> Option<PathBuf> {
    let mut words = line.split(' ').skip(1);
    let point = words.next()?;
    let kind = words.next()?;
    matches!(kind, "cgroup" | "cgroup2").then(|| PathBuf::from(point))
}

fn pids() -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}

/// None: it has ended meanwhile.
fn describe(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let state = stat.rsplit_once(") ")?.1.chars().next()?;
    let command = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let command = String::from_utf8_lossy(&command).replace('\0', " ");
    (!matches!(state, 'Z' | 'X')).then(|| format!("{pid} ({state}): {command}"))
}
