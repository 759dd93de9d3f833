//! The repository as the rules see it: its files, and its packages as cargo lists them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Folders and files that are made, not written.
const MADE: [&str; 5] = [".git", ".tare", "target", "node_modules", "__pycache__"];

/// The repository's files by their path from its root. Those that are no text are there, and empty.
pub type Tree = BTreeMap<String, String>;

/// A room and the rooms it needs, in builds (not only in tests).
pub type Room = (String, Vec<String>);

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/tare lies two folders deep")
}

pub fn repository() -> Tree {
    let mut tree = Tree::new();
    gather(root(), "", &mut tree);
    assert!(
        tree.contains_key("Cargo.toml"),
        "this is not the repository: {}",
        root().display()
    );
    tree
}

fn gather(folder: &Path, prefix: &str, tree: &mut Tree) {
    for entry in fs::read_dir(folder).expect("a folder of the repository can be read") {
        let entry = entry.expect("an entry of the repository can be read");
        let name = entry.file_name().to_string_lossy().into_owned();
        // What a link leads to is looked at where it lies.
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if is_link || MADE.contains(&name.as_str()) {
            continue;
        }
        let path = format!("{prefix}{name}");
        if entry.path().is_dir() {
            gather(&entry.path(), &format!("{path}/"), tree);
        } else {
            let bytes = fs::read(entry.path()).unwrap_or_default();
            tree.insert(path, String::from_utf8(bytes).unwrap_or_default());
        }
    }
}

/// The workspace as cargo describes it.
pub fn metadata() -> serde_json::Value {
    let answer = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo can be started");
    assert!(
        answer.status.success(),
        "{}",
        String::from_utf8_lossy(&answer.stderr)
    );
    serde_json::from_slice(&answer.stdout).expect("cargo metadata is JSON")
}

pub fn read_rooms(metadata: &serde_json::Value) -> Vec<Room> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let packages = list(&metadata["packages"]);
    let names: Vec<String> = packages.iter().map(|package| text(&package["name"])).collect();
    let needs = |package: &serde_json::Value| {
        let all = list(&package["dependencies"]);
        let built = all.iter().filter(|need| need["kind"] != "dev");
        built
            .map(|need| text(&need["name"]))
            .filter(|name| names.contains(name))
            .collect()
    };
    packages
        .iter()
        .map(|package| (text(&package["name"]), needs(package)))
        .collect()
}
