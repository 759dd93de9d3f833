use std::fs;
use std::path::Path;

use tare_model::ids::ContenderId;
use tare_model::manifest::{HttpAnswer, Job, Lab};

use super::*;
use crate::read;

fn put(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A checkout with two implementations in a folder, and one that cannot run.
fn frameworks(root: &Path) {
    put(
        root,
        "frameworks/Abacus/Beads/benchmark_config.json",
        r#"{"framework": "Beads", "tests": [{
            "default": {"json_url": "/json", "plaintext_url": "/plaintext", "port": 8080, "language": "C++",
                "approach": "Stripped", "database": "None", "display_name": "Beads"},
            "pg": {"dockerfile": "beads.dockerfile", "docker_cmd": "/app/rods --at {x}", "json_url": "/j", "db_url": "/db",
                "query_url": "/queries?n=", "update_url": "/updates/", "fortune_url": "/f", "port": 9000, "database": "Postgres",
                "language": "C++"},
            "my": {"dockerfile": "beads.dockerfile", "db_url": "/db", "port": 1, "database": "MySQL", "language": "C++"}
        }]}"#,
    );
    put(
        root,
        "frameworks/Abacus/Beads/beads.dockerfile",
        "FROM debian:bookworm\n",
    );
    put(
        root,
        "frameworks/Abacus/Beads/Beads.dockerfile",
        "FROM debian:bookworm\n",
    );
}

fn source(root: &Path, revision: Option<&str>) -> Source {
    Source {
        checkout: read(root).unwrap(),
        revision: revision.map(str::to_owned),
        described: revision.map(str::to_owned),
    }
}

/// Writes the files, and reads them as any lab's.
fn written(files: &LabFiles) -> (tempfile::TempDir, Lab) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in &files.files {
        put(folder.path(), path, text);
    }
    let lab = Lab::new(folder.path());
    (folder, lab)
}

fn all(_: &ContenderId) -> bool {
    true
}

#[test]
fn frameworks_are_contenders_whose_manifests_can_be_read() {
    let root = tempfile::tempdir().unwrap();
    frameworks(root.path());
    let files = lab(&[source(root.path(), None)], &[], all).unwrap();
    let (_folder, lab) = written(&files);
    let workload = lab.workload("tfb").unwrap();
    let names: Vec<&str> = workload.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["json", "plaintext", "db", "query", "fortune", "update"]);
    let of = |name: &str| lab.contender(&workload, &ContenderId::plain(name)).unwrap();
    let (plain, pg) = (of("beads"), of("beads-pg"));
    assert_eq!((plain.cases.len(), pg.cases.len()), (2, 5));
    assert_eq!((plain.language.as_str(), plain.style.name()), ("cpp", "tuned"));
    // The case has the path of its first contender; each has its own.
    assert_eq!(plain.paths["json"], "/json");
    assert_eq!(pg.paths["json"], "/j");
    let query = workload.case("query").unwrap();
    let Job::Http(job) = &query.job else { panic!() };
    assert_eq!(job.path, "/queries?n={size}");
    assert_eq!(query.sweep.as_ref().unwrap().sizes, [1, 5, 10, 15, 20]);
    let container = pg.container.unwrap();
    assert_eq!((container.port, container.command.len()), (9000, 3));
    assert_eq!(container.command[2], "{{x}}");
    assert_eq!(container.hosts["tfb-database"], "{services}");
    assert_eq!(container.hosts["tfb-server"], "127.0.0.1");
    assert_eq!(files.left_out[0].0, "beads-my");
    assert!(files.left_out[0].1.contains("MySQL"), "{:?}", files.left_out);
}

#[test]
fn the_database_is_there_for_whom_the_suite_starts_it_and_counts_where_it_can() {
    let root = tempfile::tempdir().unwrap();
    frameworks(root.path());
    let files = lab(&[source(root.path(), None)], &[], all).unwrap();
    let (_folder, lab) = written(&files);
    let workload = lab.workload("tfb").unwrap();
    let case = |name: &str| workload.case(name).unwrap();
    assert_eq!(case("json").services, ["tfb-database"]);
    assert!(case("plaintext").services.is_empty());
    assert!(case("db").counted && case("update").counted && !case("json").counted);
    assert_eq!(lab.service("tfb-database").unwrap().expected_at, Some(5432));
    let plain = super::lab(&[source(root.path(), None)], &["plaintext".to_owned()], all).unwrap();
    assert!(plain.files.iter().all(|(path, _)| !path.starts_with("services/")));
}

#[test]
fn plaintext_is_sent_as_the_suite_sends_it() {
    let root = tempfile::tempdir().unwrap();
    frameworks(root.path());
    let files = lab(&[source(root.path(), None)], &["plaintext".to_owned()], all).unwrap();
    let text = &files.files[0].1;
    for part in [
        "refill = \"batches\"",
        "connections = [256, 1024, 4096, 16384]",
        "depth = 16",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn what_cannot_be_measured_together_is_refused() {
    let (root, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    frameworks(root.path());
    arena(other.path());
    let refused = |sources: &[Source], tests: &[&str], only: &str| {
        let tests: Vec<String> = tests.iter().map(|test| (*test).to_owned()).collect();
        lab(sources, &tests, |id| only.is_empty() || id.name == only)
            .unwrap_err()
            .to_string()
    };
    let one = source(root.path(), None);
    assert!(refused(&[one.clone(), source(other.path(), None)], &[], "").contains("two suites"));
    assert!(refused(std::slice::from_ref(&one), &["jason"], "").contains("has a test `jason`"));
    assert!(refused(std::slice::from_ref(&one), &["db"], "beads-my").contains("MySQL"));
    assert!(refused(std::slice::from_ref(&one), &["db"], "beads").contains("it has no test db"));
    assert!(refused(&[one], &[], "no-one").contains("there are beads, beads-my, beads-pg"));
}

#[test]
fn the_same_folder_twice_or_at_a_revision_has_names_of_its_own() {
    let root = tempfile::tempdir().unwrap();
    frameworks(root.path());
    let three = [None, None, Some("main~1")].map(|revision| source(root.path(), revision));
    let files = lab(&three, &["plaintext".to_owned()], all).unwrap();
    let (_folder, lab) = written(&files);
    let workload = lab.workload("tfb").unwrap();
    let contenders = lab.contenders(&workload);
    let ids: Vec<String> = contenders
        .iter()
        .map(|one| one.as_ref().unwrap().id.to_string())
        .collect();
    assert_eq!(ids, ["beads", "beads-2", "beads-main-1"]);
    let origin = contenders[2].as_ref().unwrap().origin.as_ref().unwrap();
    assert_eq!(
        origin.text,
        "FrameworkBenchmarks, frameworks/Abacus/Beads at main~1"
    );
}

/// A checkout of HttpArena.
fn arena(at: &Path) {
    put(
        at,
        "frameworks/beads/meta.json",
        r#"{"display_name": "Beads", "language": "Abacus", "tests": ["sums", "deep", "upload", "echo"]}"#,
    );
    put(at, "frameworks/beads/Dockerfile", "FROM debian:bookworm\n");
    put(
        at,
        "scripts/lib/profiles.sh",
        "PROFILES=(\n[sums]=\"1|10|0|8,64|\"\n[deep]=\"16|0|0|8|pipe\"\n[upload]=\"1|0|0|8|up\"\n[echo]=\"16|0|0|512|echo\"\n)\nendpoint_tool() {\ncase \"$1\" \
         in *) echo gcannon ;; esac\n}\n",
    );
    put(
        at,
        "scripts/lib/tools/gcannon.sh",
        "gcannon_build_args() {\ncase \"$e\" in \"\") args=(\"http://localhost:$PORT\" --raw \
         \"$REQUESTS_DIR/get.raw,$REQUESTS_DIR/post.raw\" -r \"$r\") ;;\npipe) args=(\"http://localhost:$PORT/pipeline\") ;;\necho) \
         args=(\"http://localhost:$PORT/ws\" --ws) ;;\nup) \
         args=(\"http://localhost:$PORT/upload\") ;; esac\n}\n",
    );
    put(
        at,
        "scripts/lib/framework.sh",
        "framework_start() {\nargs=(-v \"$DATA_DIR/dataset.json:/data/dataset.json:ro\" -v \"$CERTS_DIR:/certs:ro\")\n}\n",
    );
    put(at, "data/dataset.json", "[]");
    put(at, "certs/server.crt", "");
    put(
        at,
        "requests/get.raw",
        "GET /baseline11?a=13&b=42 HTTP/1.1\r\nHost: x\r\n\r\n",
    );
    put(
        at,
        "requests/post.raw",
        "POST /baseline11?a=13&b=42 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n20\r\n0\r\n\r\n",
    );
}

#[test]
fn profiles_are_cases_with_the_answers_that_the_rules_demand() {
    let root = tempfile::tempdir().unwrap();
    arena(root.path());
    let files = lab(&[source(root.path(), None)], &[], all).unwrap();
    let (_folder, lab) = written(&files);
    let workload = lab.workload("httparena").unwrap();
    let names: Vec<&str> = workload.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(
        names,
        ["sums", "deep", "echo"],
        "an upload has no answer that is known here"
    );
    let Job::WebSocket(echo) = &workload.case("echo").unwrap().job else {
        panic!()
    };
    assert_eq!(
        (echo.path.as_str(), echo.expect.as_deref()),
        ("/ws", Some("hello"))
    );
    let Job::Http(sums) = &workload.case("sums").unwrap().job else {
        panic!()
    };
    let answer = |body: &str| {
        Some(HttpAnswer::Text {
            body: body.to_owned(),
        })
    };
    assert_eq!(
        (&sums.answer, &sums.then[0].answer),
        (&answer("55"), &answer("75"))
    );
    assert_eq!((sums.then[0].chunk_size, sums.also.len()), (Some(2), 3));
    let contender = lab.contender(&workload, &ContenderId::plain("beads")).unwrap();
    let container = contender.container.unwrap();
    assert_eq!(container.files["/data/dataset.json"], "beside/data/dataset.json");
    assert_eq!(container.files["/certs"], "beside/certs");
    let copied: Vec<&str> = files
        .copies
        .iter()
        .map(|one| one.to.rsplit_once("beads/").unwrap().1)
        .collect();
    assert_eq!(copied, ["src", "beside/data/dataset.json", "beside/certs"]);
}

#[test]
fn a_build_in_another_folder_brings_its_dockerfile() {
    let root = tempfile::tempdir().unwrap();
    arena(root.path());
    for (line, dockerfile, copies) in [
        (
            "docker build -t b -f \"$SCRIPT_DIR/Dockerfile\" \"$ROOT_DIR\"",
            "src/frameworks/beads/Dockerfile",
            1,
        ),
        (
            "docker build -t b -f \"$SCRIPT_DIR/Dockerfile\" \"$ROOT_DIR/data\"",
            "Dockerfile",
            2,
        ),
    ] {
        put(root.path(), "frameworks/beads/build.sh", line);
        let files = lab(&[source(root.path(), None)], &["deep".to_owned()], all).unwrap();
        let (_folder, lab) = written(&files);
        let workload = lab.workload("httparena").unwrap();
        let contender = lab.contender(&workload, &ContenderId::plain("beads")).unwrap();
        let tare_model::manifest::Image::Built(from) = contender.container.unwrap().image else {
            panic!()
        };
        assert_eq!(from.path, dockerfile);
        assert_eq!(files.copies.len(), copies + 2, "{line}");
    }
}
