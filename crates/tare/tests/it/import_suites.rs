//! `tare import DIR`: what of a checkout of another suite can run here, and why the rest cannot.

use std::fs;
use std::path::Path;

use crate::diff::git;
use crate::lab::Lab;

const BEADS: &str = r#"{"framework": "beads", "tests": [{
    "default": {"json_url": "/json", "plaintext_url": "/plaintext", "port": 8080, "language": "Abacus", "os": "Linux"},
    "rows": {"dockerfile": "beads.dockerfile", "db_url": "/db", "port": 8080, "language": "Abacus", "database": "Postgres"},
    "elsewhere": {"dockerfile": "beads.dockerfile", "db_url": "/db", "port": 8080, "language": "Abacus", "database": "MySQL"},
    "old": {"json_url": "/json", "port": 8080, "language": "Abacus", "tags": ["broken"]}
}]}"#;

fn put(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A checkout of FrameworkBenchmarks below a folder.
pub fn frameworks(root: &Path) {
    put(root, "frameworks/Abacus/beads/benchmark_config.json", BEADS);
    put(
        root,
        "frameworks/Abacus/beads/beads.dockerfile",
        "FROM debian:bookworm\n",
    );
    put(
        root,
        "frameworks/Slide/rule/benchmark_config.json",
        "{\"framework\": \"../rule\"}",
    );
}

#[test]
fn a_checkout_is_listed_with_what_can_run_and_why_the_rest_cannot() {
    let lab = Lab::new(&[]);
    frameworks(&lab.path().join("suite"));
    let ran = lab.run(&["import", "suite"]).expect(0);
    for line in [
        "implementation   folder                   language  tests           needs       why not",
        "beads            frameworks/Abacus/beads  Abacus    plaintext json  -",
        "beads-elsewhere  frameworks/Abacus/beads  Abacus    -               -           it needs MySQL, for which there is no \
         service here",
        "beads-rows       frameworks/Abacus/beads  Abacus    db              PostgreSQL",
    ] {
        assert!(
            ran.out.lines().any(|found| found.trim_end() == line),
            "{line}\n{}",
            ran.out
        );
    }
    assert!(ran.out.contains(
        "the suite marks it as broken; its Dockerfile `frameworks/Abacus/beads/beads-old.dockerfile`"
    ));
    assert!(
        ran.err
            .contains("2 of 4 implementations of FrameworkBenchmarks can run here"),
        "{}",
        ran.err
    );
    assert!(
        ran.err
            .contains("frameworks/Slide/rule/benchmark_config.json: `framework` is missing"),
        "{}",
        ran.err
    );
    let csv = lab
        .run(&["import", "suite/frameworks/Abacus", "--format", "csv"])
        .expect(0);
    assert!(
        csv.out.starts_with(
            "implementation,folder,language,tests,needs,why not\nbeads,frameworks/Abacus/beads,"
        )
    );
    assert_eq!(csv.out.lines().count(), 5);
    let document = lab.run(&["import", "suite", "--format", "json"]).expect(0).json();
    assert_eq!(document["suite"], "FrameworkBenchmarks");
    let beads = &document["implementations"][0];
    assert_eq!(
        (&beads["runs"], &beads["tests"][1]["url"]),
        (&true.into(), &"/json".into())
    );
    assert_eq!(beads["container"]["build_args"]["TFB_TEST_NAME"], "beads");
    assert_eq!(beads["container"]["bases"][0], "debian:bookworm");
    assert_eq!(
        document["implementations"][1]["why_not"][0],
        "it needs MySQL, for which there is no service here"
    );
    assert_eq!(document["unreadable"].as_array().unwrap().len(), 1);
}

#[test]
fn a_checkout_is_read_at_a_revision() {
    let lab = Lab::new(&[]);
    let suite = lab.path().join("suite");
    frameworks(&suite);
    git(&suite, &["init", "--quiet"]);
    git(&suite, &["add", "."]);
    git(&suite, &["commit", "--quiet", "-m", "Add beads"]);
    put(&suite, "frameworks/Abacus/beads/benchmark_config.json", "{}");
    put(&suite, "frameworks/Abacus/later/benchmark_config.json", BEADS);
    let now = lab.run(&["import", "suite/frameworks"]).expect(0);
    assert!(now.err.contains("0 of 4 implementations"), "{}", now.err);
    assert!(now.out.contains("frameworks/Abacus/later"));
    let then = lab
        .run(&["import", "suite/frameworks", "--rev", "HEAD"])
        .expect(0);
    assert!(!then.out.contains("frameworks/Abacus/later") && then.out.contains("frameworks/Abacus/beads"));
    assert!(then.err.contains("(Add beads) can run here"), "{}", then.err);
    for (words, why) in [
        (["suite", "--rev", "none"], "there is no revision `none`"),
        (
            ["suite/frameworks/Abacus/later", "--rev", "HEAD"],
            "there is no folder frameworks/Abacus/later at",
        ),
    ] {
        let ran = lab.run(&[&["import"], &words[..]].concat()).expect(2);
        assert!(ran.err.contains(why), "{}", ran.err);
    }
}

#[test]
fn what_is_no_checkout_is_refused() {
    let lab = Lab::new(&[]);
    fs::create_dir(lab.path().join("empty")).unwrap();
    fs::write(lab.path().join("file"), "").unwrap();
    for (words, why) in [
        (
            &["empty"][..],
            "is no checkout of FrameworkBenchmarks or HttpArena",
        ),
        (&["file", "--rev", "HEAD"], "--rev is for the checkout of a suite"),
        (&["file", "--format", "csv"], "prints text or json"),
        (&["empty", "--rev", "HEAD"], "no git repository"),
    ] {
        let ran = lab.run(&[&["import"], words].concat()).expect(2);
        assert!(
            ran.err.contains(why) && ran.err.contains("hint") != (why == "prints text or json"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn profiles_of_the_arena_are_what_its_scripts_say() {
    let lab = Lab::new(&[]);
    let root = lab.path().join("arena");
    put(
        &root,
        "frameworks/beads/meta.json",
        r#"{"language": "Abacus", "tests": ["sums", "secret"]}"#,
    );
    put(&root, "frameworks/beads/Dockerfile", "FROM debian:bookworm\n");
    put(
        &root,
        "requests/get.raw",
        "GET /baseline11?a=1 HTTP/1.1\r\nHost: x\r\n\r\n",
    );
    put(
        &root,
        "scripts/lib/profiles.sh",
        "PROFILES=(\n[sums]=\"1|10|0-3|8,64|\"\n[secret]=\"1|0|0-3|8|tls\"\n)\n\
         endpoint_tool() {\ncase \"$1\" in tls) echo wrk ;; *) echo gcannon ;; esac\n}\n",
    );
    put(
        &root,
        "scripts/lib/tools/gcannon.sh",
        "gcannon_build_args() {\ncase \"$e\" in \"\") args=(\"http://localhost:$PORT\" --raw \"$REQUESTS_DIR/get.raw\" -r \"$n\") ;; \
         esac\n}\n",
    );
    let ran = lab.run(&["import", "arena"]).expect(0);
    assert!(
        ran.err
            .contains("1 of 1 implementation of HttpArena can run here"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("sums   -      without secret"), "{}", ran.out);
    let document = lab.run(&["import", "arena", "--format", "json"]).expect(0).json();
    let sums = &document["profiles"][0];
    assert_eq!(sums["connections"], serde_json::json!([8, 64]));
    assert_eq!((&sums["pipeline"], &sums["renew_after"]), (&1.into(), &10.into()));
    assert_eq!(sums["sends"]["requests"][0]["path"], "/baseline11?a=1");
    let why = document["profiles"][1]["why_not"].as_str().unwrap();
    assert!(why.contains("sent by wrk"), "{why}");
}
