//! How a release is installed: the shell steps of the action (`action.yml`) and the script that they call (`.ci/fetch`), on a
//! folder with the files of a release, as a runner would run them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::pages;

const VERSION: &str = "9.9.9";

/// A folder with a release of a `tare` that says only its version, and a place to install it to.
struct Release {
    folder: tempfile::TempDir,
}

impl Release {
    /// None where there is nothing to fetch it with.
    fn new() -> Option<Self> {
        if Command::new("curl").arg("--version").output().is_err() {
            eprintln!("skipped, for want of curl");
            return None;
        }
        let release = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        release.holds(VERSION);
        Some(release)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn archive() -> String {
        format!("tare-{VERSION}-{}-unknown-linux-musl", std::env::consts::ARCH)
    }

    /// Makes the archive anew, of a program that says this version, with its checksum.
    fn holds(&self, version: &str) {
        let name = Self::archive();
        fs::create_dir_all(self.path(&name).join("bin")).unwrap();
        fs::write(
            self.path(&name).join("bin/tare"),
            format!("#!/bin/sh\necho tare {version}\n"),
        )
        .unwrap();
        let script = format!(
            "chmod +x {name}/bin/tare && mkdir -p files/v{VERSION} && cd files/v{VERSION} \
             && tar -czf {name}.tar.gz -C ../.. {name} && sha256sum -- *.tar.gz >SHA256SUMS"
        );
        fs::remove_dir_all(self.path("files")).ok();
        assert!(self.sh(&script));
    }

    fn sh(&self, script: &str) -> bool {
        let mut sh = Command::new("sh");
        let status = sh.args(["-euc", script]).current_dir(self.folder.path()).status();
        status.unwrap().success()
    }

    fn releases(&self) -> String {
        format!("file://{}", self.path("files").display())
    }

    /// Runs the action's step with what its expressions would give; its status and what it said.
    fn act(&self, version: &str, address: &str) -> (bool, String) {
        let releases = self.releases();
        let given = [
            ("VERSION", version),
            ("ADDRESS", address),
            ("RELEASES", &releases),
        ];
        let step = Step::of_the_action();
        assert_eq!(step.variables, given.map(|(name, _)| name), "of action.yml");
        let output = Command::new("bash")
            .args(["-e", "-o", "pipefail", "-c", &step.script])
            .current_dir(self.folder.path())
            .envs(given)
            .env("GITHUB_ACTION_PATH", pages::root())
            .env("GITHUB_PATH", self.path("paths"))
            .env("GITHUB_OUTPUT", self.path("outputs"))
            .env("RUNNER_TEMP", self.path("temp"))
            .output()
            .unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    }

    /// The action refuses, says this, and puts nothing on the path.
    #[track_caller]
    fn refused(&self, version: &str, address: &str, parts: &[&str]) {
        let (passed, err) = self.act(version, address);
        assert!(
            !passed && err.contains("error: ") && err.contains("\n\nhint: "),
            "{err}"
        );
        for part in parts {
            assert!(err.contains(part), "no {part:?}: {err}");
        }
        assert!(!self.path("paths").exists() && !self.path("outputs").exists());
    }

    /// Nothing was unpacked either.
    #[track_caller]
    fn nothing_unpacked(&self) {
        assert!(!self.path("temp").exists());
    }
}

/// The step of the action: the variables that it gets, and its shell script.
struct Step {
    variables: Vec<String>,
    script: String,
}

impl Step {
    fn of_the_action() -> Self {
        let text = fs::read_to_string(pages::root().join("action.yml")).unwrap();
        let (before, script) = text.split_once("      run: |\n").expect("the step's script");
        let (_, variables) = before.split_once("      env:\n").expect("the step's variables");
        assert!(
            script.lines().all(|line| line.starts_with("        ")),
            "the step is the last: {script}"
        );
        let names = variables.lines().filter_map(|line| line.trim().split_once(": "));
        Self {
            variables: names.map(|(name, _)| name.to_owned()).collect(),
            script: script.lines().map(|line| format!("{}\n", line.trim())).collect(),
        }
    }
}

#[test]
fn the_action_puts_a_release_on_the_path() {
    let Some(release) = Release::new() else { return };
    // By the action's own tag, from the releases of its repository.
    let (passed, err) = release.act("v9.9.9", "");
    assert!(passed, "{err}");
    let folder = fs::read_to_string(release.path("paths")).unwrap();
    assert_eq!(Path::new(folder.trim_end()), release.path("temp/tare/bin"));
    let program = Path::new(folder.trim_end()).join("tare");
    assert_eq!(
        Command::new(program).output().unwrap().stdout,
        b"tare 9.9.9\n",
        "it can be run"
    );
    let outputs = fs::read_to_string(release.path("outputs")).unwrap();
    assert_eq!(outputs, "version=9.9.9\n");
    // By a version, from a folder that is named.
    fs::remove_dir_all(release.path("temp")).unwrap();
    let (passed, err) = release.act(VERSION, &format!("{}/v9.9.9/", release.releases()));
    assert!(passed && release.path("temp/tare/bin/tare").exists(), "{err}");
}

#[test]
fn what_is_not_the_release_is_refused() {
    let Some(release) = Release::new() else { return };
    let archive = format!("{}.tar.gz", Release::archive());
    // The action was taken by a branch, and no version was named.
    release.refused("main", "", &["`main` is no version", "such as 0.1.0"]);
    release.refused("8.8.8", "", &["cannot fetch", "/v8.8.8/SHA256SUMS"]);
    // A list that does not name the file, though it ends alike, proves nothing.
    let sums = format!("files/v{VERSION}/SHA256SUMS");
    assert!(release.sh(&format!("sed -i 's/tare-/other-tare-/' {sums}")));
    release.refused(VERSION, "", &["has no checksum of", &archive]);
    // One byte more.
    release.holds(VERSION);
    assert!(release.sh(&format!("echo >>files/v{VERSION}/{archive}")));
    release.refused(VERSION, "", &[&archive, "is not what its checksum says"]);
    assert!(release.sh(&format!("rm files/v{VERSION}/{archive}")));
    release.refused(VERSION, "", &["cannot fetch", &archive]);
    release.nothing_unpacked();
    // All in order, but another version.
    release.holds("9.9.8");
    release.refused(VERSION, "", &["is not tare 9.9.9"]);
}

/// Pages show the action with the version that they are of.
#[test]
fn the_manual_installs_this_version() {
    let uses = concat!("uses: OWNER/tare@v", env!("CARGO_PKG_VERSION"), "\n");
    for page in ["docs/github-actions.md", "docs/benchmarks.md"] {
        let text = fs::read_to_string(pages::root().join(page)).unwrap();
        assert!(text.contains(uses), "{page} does not have `{}`", uses.trim());
        assert!(!text.contains("cargo install"), "{page} compiles tare");
    }
}
