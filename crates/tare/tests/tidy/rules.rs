//! The rules: from the repository to what is wrong with it.

use std::path::Path;

use crate::repository::{Room, Tree};

/// The rooms, and for each the rooms that it may know. No other arrows.
pub const HOUSE: [(&str, &[&str]); 18] = [
    ("tare-model", &[]),
    ("tare-stats", &[]),
    ("tare-sys", &[]),
    ("tare-remote", &[]),
    ("tare-cluster", &[]),
    ("tare-harness", &["tare-model"]),
    ("tare-suites", &["tare-model"]),
    ("tare-tls", &["tare-model"]),
    ("tare-load", &["tare-model", "tare-sys", "tare-tls"]),
    ("tare-host", &["tare-model", "tare-sys"]),
    ("tare-analysis", &["tare-model", "tare-stats"]),
    ("tare-lab", &["tare-model", "tare-stats", "tare-analysis"]),
    ("tare-explain", &["tare-model", "tare-stats"]),
    ("tare-store", &["tare-model"]),
    ("tare-report", &["tare-model"]),
    (
        "tare-rig",
        &[
            "tare-model",
            "tare-lab",
            "tare-host",
            "tare-load",
            "tare-harness",
            "tare-remote",
        ],
    ),
    (
        "tare-prepare",
        &[
            "tare-model",
            "tare-lab",
            "tare-host",
            "tare-load",
            "tare-tls",
            "tare-harness",
            "tare-remote",
            "tare-rig",
            "tare-suites",
        ],
    ),
    (
        "tare-bench",
        &[
            "tare-model",
            "tare-stats",
            "tare-load",
            "tare-host",
            "tare-analysis",
            "tare-lab",
            "tare-explain",
            "tare-harness",
            "tare-store",
            "tare-report",
            "tare-remote",
            "tare-rig",
            "tare-prepare",
            "tare-suites",
            "tare-cluster",
        ],
    ),
];

/// Home folders of a file's author. Put together, so that this file does not hold them.
pub const SOMEONES: [&str; 4] = [
    concat!("/", "root/"),
    concat!("/", "work/"),
    concat!("/", "home/"),
    concat!("/", "Users/"),
];

pub fn arrows(rooms: &[Room]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, _) in HOUSE {
        if !rooms.iter().any(|(room, _)| room == name) {
            wrong.push(format!("the room {name} is on the list but not in the workspace"));
        }
    }
    for (room, needs) in rooms {
        let Some((_, allowed)) = HOUSE.iter().find(|(name, _)| name == room) else {
            wrong.push(format!(
                "{room} is no room of the house: add it to the list on purpose"
            ));
            continue;
        };
        let forbidden = needs.iter().filter(|need| !allowed.contains(&need.as_str()));
        wrong.extend(forbidden.map(|need| format!("{room} must not know {need}")));
    }
    wrong
}

/// A room says that it is one, brings the texts of its licence along, and depends on the others' exact version: they change
/// with each other. `.ci/run crates` compiles the packages.
pub fn publishable(metadata: &serde_json::Value) -> Vec<String> {
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let mut wrong = Vec::new();
    for package in list(&metadata["packages"]) {
        let name = text(&package["name"]);
        if package["publish"].as_array().is_some_and(Vec::is_empty) {
            wrong.push(format!(
                "{name} must not be published: take `publish = false` out"
            ));
        }
        if name != "tare-bench" && !text(&package["description"]).starts_with("Internal room of Tare: ") {
            wrong.push(format!(
                "the description of {name} does not begin with `Internal room of Tare: `"
            ));
        }
        let folder = text(&package["manifest_path"]);
        let folder = Path::new(&folder).parent().unwrap_or(Path::new(""));
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            if !folder.join(licence).is_file() {
                wrong.push(format!("{name} has no {licence}: link to ../../{licence}"));
            }
        }
        for need in list(&package["dependencies"]) {
            let loose = !need["path"].is_null() && !text(&need["req"]).starts_with('=');
            if loose && need["kind"] != "dev" {
                let need = text(&need["name"]);
                wrong.push(format!("{name} depends on {need} without its exact version"));
            }
        }
    }
    wrong
}

pub fn someones_paths(tree: &Tree) -> Vec<String> {
    let mut wrong = Vec::new();
    for (path, text) in tree {
        for (number, line) in text.lines().enumerate() {
            let found = SOMEONES.iter().filter(|folder| line.contains(**folder));
            wrong.extend(
                found.map(|folder| format!("{path}:{}: a path of one machine, {folder}", number + 1)),
            );
        }
    }
    wrong
}

/// A workload has its manifest, a page about it, contenders, and the figures of the report that it reproduces.
pub fn workloads(tree: &Tree) -> Vec<String> {
    let mut wrong = Vec::new();
    for workload in folders(tree, "workloads/") {
        let manifest = tree.get(&format!("{workload}workload.toml"));
        let mut needed = vec!["workload.toml", "README.md"];
        if manifest.is_some_and(|text| text.lines().any(|line| line.starts_with("source ="))) {
            needed.push("published.toml");
        }
        let lacking = needed
            .iter()
            .filter(|file| !tree.contains_key(&format!("{workload}{file}")));
        wrong.extend(lacking.map(|file| format!("{workload} lacks {file}")));
        let contenders = folders(tree, &format!("{workload}contenders/"));
        if contenders.is_empty() {
            wrong.push(format!("{workload} has no contenders"));
        }
        contenders
            .iter()
            .for_each(|folder| wrong.extend(contender(tree, folder)));
    }
    wrong
}

/// A contender has its manifest, sources, and its dependencies' versions locked.
pub fn contender(tree: &Tree, folder: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let own = || tree.keys().filter(|path| path.starts_with(folder));
    if !tree.contains_key(&format!("{folder}contender.toml")) {
        wrong.push(format!("{folder} lacks contender.toml"));
    }
    if own().all(|path| path.ends_with("/contender.toml")) {
        wrong.push(format!("{folder} has no sources"));
    }
    let locks = [
        ("Cargo.toml", "dependencies]", "Cargo.lock"),
        ("package.json", "ependencies\"", "package-lock.json"),
        ("go.mod", "require", "go.sum"),
    ];
    for (manifest, needs, lock) in locks {
        let needy = tree
            .get(&format!("{folder}{manifest}"))
            .is_some_and(|text| text.contains(needs));
        if needy && !tree.contains_key(&format!("{folder}{lock}")) {
            wrong.push(format!(
                "{folder}{manifest} has dependencies, but there is no {lock}"
            ));
        }
    }
    let requirements = tree
        .get(&format!("{folder}requirements.txt"))
        .map_or("", String::as_str);
    let loose = requirements
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with(['#', '-']));
    let loose = loose.filter(|line| !line.contains("=="));
    wrong.extend(loose.map(|line| format!("{folder}requirements.txt: `{line}` has no exact version")));
    wrong
}

/// What the manual must name: each of them, as code.
pub fn named(tree: &Tree, page: &str, names: &[&str]) -> Vec<String> {
    let text = tree.get(page).map_or("", String::as_str);
    let missing = names.iter().filter(|name| !text.contains(&format!("`{name}`")));
    missing
        .map(|name| format!("{page} does not name `{name}`"))
        .collect()
}

/// The folders directly under one, each with its end: `workloads/doubling/`.
fn folders(tree: &Tree, under: &str) -> Vec<String> {
    let below = tree.keys().filter_map(|path| path.strip_prefix(under));
    let mut names: Vec<String> = below
        .filter_map(|rest| rest.split_once('/'))
        .map(|(name, _)| format!("{under}{name}/"))
        .collect();
    names.dedup();
    names
}
