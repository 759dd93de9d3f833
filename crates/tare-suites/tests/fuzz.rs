//! Files of checkouts as strangers may write them: nothing panics, nothing leads out of the checkout, and nothing that is shown
//! does anything to a terminal.

#[path = "../../../fuzz/harness.rs"]
mod harness;

use std::fs;
use std::path::Path;

use harness::fuzz;
use tare_suites::{Checkout, Implementation, Obstacle, Traffic, read};

/// What readers of JSON may trip over.
const JSON: [&str; 16] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    "\\u0000",
    "\\u001b[2J",
    "../",
    "/",
    "null",
    "1e999",
    "-1",
    "\"tests\"",
    "\u{ff}",
];

/// What readers of scripts may trip over.
const SHELL: [&str; 18] = [
    "\"",
    "'",
    "\\",
    "#",
    ";;",
    "case x in",
    "esac",
    "(",
    ")",
    "|",
    "$",
    "{",
    "}",
    "\n",
    "--raw",
    "$REQUESTS_DIR/",
    "../",
    "[x]=\"1|0|0|8|\"",
];

fn put(root: &Path, path: &str, bytes: &[u8]) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// What a checkout says is harmless, wherever it came from.
fn hold(checkout: &Checkout) {
    for bad in &checkout.unreadable {
        assert!(!bad.why.is_empty() && is_shown(&bad.to_string()), "{bad}");
    }
    checkout.implementations.iter().for_each(hold_one);
    for profile in &checkout.profiles {
        assert!(!profile.name.contains('/') && !profile.connections.is_empty() && profile.pipeline > 0);
        match &profile.traffic {
            Traffic::Raw(files) => files.iter().for_each(|file| within(&file.path)),
            Traffic::Get { path, .. } | Traffic::WebSocket { path } => {
                assert!(path.starts_with('/') && is_shown(path), "{path:?}");
            }
            Traffic::Other(obstacle) => hold_obstacle(obstacle),
        }
    }
}

fn hold_one(one: &Implementation) {
    assert!(
        !one.name.is_empty() && !one.name.contains('/') && is_shown(&one.name),
        "{:?}",
        one.name
    );
    within(&one.container.dockerfile);
    within(&one.container.context);
    one.container.mounts.iter().for_each(|(from, _)| within(from));
    for text in one
        .about
        .iter()
        .map(|(_, text)| text)
        .chain([&one.language, &one.display_name])
    {
        assert!(is_shown(text), "{text:?}");
    }
    assert!(one.container.command.iter().all(|word| is_shown(word)));
    assert_eq!(one.why_not().is_empty(), one.runnable().next().is_some());
    one.why_not().into_iter().for_each(hold_obstacle);
    for test in &one.tests {
        assert!(is_shown(&test.name) && test.url.as_deref().is_none_or(is_shown));
    }
}

fn hold_obstacle(obstacle: &Obstacle) {
    assert!(is_shown(&obstacle.to_string()), "{obstacle:?}");
}

fn is_shown(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

fn within(path: &str) {
    let parts: Vec<&str> = path.split('/').collect();
    assert!(!path.starts_with('/') && !parts.contains(&".."), "{path:?}");
}

#[test]
fn fuzz_configurations_of_framework_benchmarks() {
    let root = tempfile::tempdir().unwrap();
    put(
        root.path(),
        "frameworks/Abacus/beads/beads.dockerfile",
        b"FROM debian:bookworm\n",
    );
    fuzz("benchmark-config", &JSON, |bytes| {
        put(
            root.path(),
            "frameworks/Abacus/beads/benchmark_config.json",
            bytes,
        );
        hold(&read(root.path()).unwrap());
    });
}

#[test]
fn fuzz_descriptions_of_the_arena() {
    let root = tempfile::tempdir().unwrap();
    put(
        root.path(),
        "frameworks/beads/Dockerfile",
        b"FROM debian:bookworm\n",
    );
    fuzz("arena-meta", &JSON, |bytes| {
        put(root.path(), "frameworks/beads/meta.json", bytes);
        hold(&read(root.path()).unwrap());
    });
}

#[test]
fn fuzz_scripts_of_the_arena() {
    let root = tempfile::tempdir().unwrap();
    put(
        root.path(),
        "frameworks/beads/meta.json",
        br#"{"tests": ["sums", "deep", "rows"]}"#,
    );
    put(
        root.path(),
        "requests/get.raw",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    );
    // One file stands for all: each reader looks for its own part.
    let one = root.path().join("scripts/lib/profiles.sh");
    put(root.path(), "scripts/lib/profiles.sh", b"");
    for path in [
        "scripts/lib/framework.sh",
        "scripts/lib/tools/gcannon.sh",
        "scripts/lib/tools/zrk.sh",
        "frameworks/beads/build.sh",
        "frameworks/beads/Dockerfile",
    ] {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::hard_link(&one, path).unwrap();
    }
    fuzz("arena-scripts", &SHELL, |bytes| {
        fs::write(&one, bytes).unwrap();
        hold(&read(root.path()).unwrap());
    });
}
