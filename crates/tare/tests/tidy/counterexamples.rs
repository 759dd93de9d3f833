//! Counterexamples: every rule can fail.

use crate::pages::{contents, links};
use crate::repository::{Room, Tree, read_rooms};
use crate::rules::{HOUSE, SOMEONES, arrows, contender, named, publishable, someones_paths, workloads};

fn tree(files: &[(&str, &str)]) -> Tree {
    files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect()
}

/// What a rule finds wrong with one file.
fn of(rule: fn(&Tree) -> Vec<String>, path: &str, text: &str) -> usize {
    rule(&tree(&[(path, text)])).len()
}

#[test]
fn an_arrow_too_many_is_seen() {
    let good: Vec<Room> = HOUSE.iter().map(|(name, needs)| room(name, needs)).collect();
    assert_eq!(arrows(&good), [""; 0]);
    let with = |name: &str, needs: &[&str]| {
        let kept = good.iter().filter(|(room, _)| room != name).cloned();
        arrows(&kept.chain([room(name, needs)]).collect::<Vec<_>>())
    };
    assert_eq!(
        with("tare-stats", &["tare-model"]),
        ["tare-stats must not know tare-model"]
    );
    assert_eq!(
        with("tare-lab", &["tare-model", "tare-host"]),
        ["tare-lab must not know tare-host"]
    );
    assert_eq!(with("tare-attic", &[]).len(), 1);
    assert_eq!(arrows(&good[1..]).len(), 1);
}

fn room(name: &str, needs: &[&str]) -> Room {
    (
        name.to_owned(),
        needs.iter().map(|need| (*need).to_owned()).collect(),
    )
}

#[test]
fn arrows_of_tests_do_not_count_and_those_of_builds_do() {
    let metadata = serde_json::json!({"packages": [
        {"name": "a", "dependencies": [
            {"name": "b", "kind": null}, {"name": "c", "kind": "dev"}, {"name": "d", "kind": "build"},
            {"name": "elsewhere", "kind": null},
        ]},
        {"name": "b", "dependencies": []}, {"name": "c", "dependencies": []}, {"name": "d", "dependencies": []},
    ]});
    assert_eq!(read_rooms(&metadata)[0], room("a", &["b", "d"]));
}

#[test]
fn a_room_that_cannot_be_published_is_seen() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let with = |key: &str, value: serde_json::Value| {
        let mut package = serde_json::json!({
            "name": "a", "description": "Internal room of Tare: a.", "manifest_path": manifest, "publish": null,
            "dependencies": [
                {"name": "b", "path": "/b", "req": "=0.1.0", "kind": null},
                {"name": "c", "path": "/c", "req": "*", "kind": "dev"},
                {"name": "elsewhere", "req": "^1", "kind": null},
            ],
        });
        package[key] = value;
        publishable(&serde_json::json!({ "packages": [package] })).len()
    };
    assert_eq!(with("publish", serde_json::Value::Null), 0);
    assert_eq!(with("publish", serde_json::json!([])), 1);
    assert_eq!(with("description", "A room.".into()), 1);
    assert_eq!(with("manifest_path", "/nowhere/Cargo.toml".into()), 2);
    let loose = serde_json::json!([{"name": "b", "path": "/b", "req": "*", "kind": null}]);
    assert_eq!(with("dependencies", loose), 1);
}

#[test]
fn paths_of_one_machine_are_seen() {
    for folder in SOMEONES {
        assert_eq!(
            of(someones_paths, "docs/index.md", &format!("see {folder}notes")),
            1
        );
    }
    assert_eq!(
        of(
            someones_paths,
            "docs/index.md",
            "see workloads/doubling and /usr/lib"
        ),
        0
    );
}

#[test]
fn an_incomplete_workload_is_seen() {
    let whole = [
        ("workloads/w/workload.toml", "source = \"a report\""),
        ("workloads/w/README.md", ""),
        ("workloads/w/published.toml", ""),
        ("workloads/w/contenders/c/contender.toml", ""),
        ("workloads/w/contenders/c/main.c", ""),
    ];
    assert_eq!(workloads(&tree(&whole)), [""; 0]);
    for lost in 0..whole.len() {
        let mut part = whole.to_vec();
        part.remove(lost);
        assert_eq!(workloads(&tree(&part)).len(), 1, "{}", whole[lost].0);
    }
    assert!(
        workloads(&tree(&whole[..3]))
            .iter()
            .any(|wrong| wrong.ends_with("has no contenders"))
    );
}

#[test]
fn versions_that_float_are_seen() {
    let with = |file: &str, text: &str| {
        let folder = "workloads/w/contenders/c/";
        let files = [
            (format!("{folder}contender.toml"), ""),
            (format!("{folder}{file}"), text),
        ];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        contender(&tree(&files), folder).len()
    };
    assert_eq!(with("Cargo.toml", "[dependencies]\ntokio = \"1\""), 1);
    assert_eq!(with("Cargo.toml", "[package]"), 0);
    assert_eq!(with("package.json", "{\"dependencies\": {}}"), 1);
    assert_eq!(with("go.mod", "module server\n\nrequire example.org/x v1.0.0"), 1);
    assert_eq!(with("go.mod", "module server"), 0);
    assert_eq!(with("requirements.txt", "uvloop>=0.20\n# why\n"), 1);
    assert_eq!(with("requirements.txt", "uvloop==0.21.0\n"), 0);
}

#[test]
fn a_link_that_leads_nowhere_is_seen() {
    let page = |text: &str| {
        links(&tree(&[
            ("docs/a.md", text),
            ("README.md", ""),
            (
                "docs/b.md",
                "# B\n\n## The `part`, in 2\n\n```\n# no heading\n```\n",
            ),
        ]))
        .len()
    };
    assert_eq!(
        page(
            "# X\n[b](b.md) [b](b.md#the-part-in-2) [up](../README.md) [far](https://example.org) [here](#x) [d](../docs)"
        ),
        0
    );
    for dead in [
        "[c](c.md)",
        "[up](README.md)",
        "[b](b.md#other)",
        "[b](b.md#no-heading)",
        "[here](#x)",
    ] {
        assert_eq!(page(dead), 1, "{dead}");
    }
    assert_eq!(page("```\n[c](c.md)\n```"), 0);
}

#[test]
fn a_page_that_the_contents_leave_out_is_seen() {
    let files = |summary: &str| {
        contents(&tree(&[
            ("docs/SUMMARY.md", summary),
            ("docs/a.md", ""),
            ("docs/commands/b.md", ""),
            ("docs/results/data.json", ""),
            ("README.md", ""),
        ]))
    };
    assert_eq!(files("- [A](a.md)\n  - [B](commands/b.md)\n"), [""; 0]);
    assert_eq!(
        files("- [A](a.md)\n"),
        ["docs/SUMMARY.md does not name docs/commands/b.md"]
    );
}

#[test]
fn a_name_that_the_manual_lacks_is_seen() {
    assert_eq!(
        named(&tree(&[("docs/a.md", "`x`")]), "docs/a.md", &["x", "y"]).len(),
        1
    );
}
