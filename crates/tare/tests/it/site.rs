//! `tare site`: a folder that a browser can show. Where there is a Chromium, one does (with `TARE_NEED_BROWSER` there must
//! be one).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tare_model::evidence::Evidence;
use tare_model::metric::Mode;
use tare_model::units::Seconds;
use tare_store::{NewRun, Store};

use crate::lab::Lab;

fn site(lab: &Lab) -> PathBuf {
    for seed in ["1", "2"] {
        let words = [
            "time",
            "true",
            "sleep 0.02",
            "--names",
            "one,two",
            "--runs",
            "4",
            "--seed",
            seed,
        ];
        lab.run(&words).expect(0);
    }
    let folder = lab.path().join("public");
    lab.run(&["site", folder.to_str().unwrap()]).expect(0);
    folder
}

#[test]
fn every_run_has_its_page_and_its_slices_and_links_lead_there() {
    let lab = Lab::new(&[]);
    let folder = site(&lab);
    let list = |name: &str| fs::read_dir(folder.join(name)).unwrap().count();
    assert_eq!((list("runs"), list("slices")), (2, 2));
    let index = fs::read_to_string(folder.join("index.html")).unwrap();
    for entry in fs::read_dir(folder.join("runs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(index.contains(name.trim_end_matches(".html")), "{name}");
    }
    // Nothing is fetched from anywhere.
    assert!(!index.contains("http://") && !index.contains("https://"));
    let ran = lab.run(&["site", "other", "--store", "no-such-store"]).expect(1);
    assert!(ran.err.contains("no-such-store"), "{}", ran.err);
}

const THEIRS: &str = r#"{
  "name": "Round 99", "environmentDescription": "Physical", "startTime": 1533900000000, "duration": 10,
  "concurrencyLevels": [16], "rawData": { "json": { "good": [ { "totalRequests": 5000 } ] } }
}"#;

/// The pages of a site's runs, in the order of their names.
fn pages(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder.join("runs")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names
        .map(|name| name.trim_end_matches(".html").to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn runs_have_the_names_that_show_gives_them() {
    let lab = Lab::new(&[]);
    let ids = pages(&site(&lab));
    let make = |folder: &str, more: &[&str]| lab.run(&[&["site", folder], more].concat());
    let latest = &ids[1];
    // Whatever it is called by, it is there once.
    make("a", &["--runs", &format!("latest,{latest}")]).expect(0);
    assert_eq!(pages(&lab.path().join("a")), [latest.as_str()]);
    let ran = make("b", &["--runs", &format!("{latest},TYPO")]).expect(2);
    for part in ["no run is called `TYPO`", latest, "hint: `--runs`"] {
        assert!(ran.err.contains(part), "no {part:?}: {}", ran.err);
    }
    assert!(
        !lab.path().join("b").exists(),
        "nothing is written of half a site"
    );
    let ran = make("b", &["--runs", "20"]).expect(2);
    assert!(ran.err.contains("type more of it"), "{}", ran.err);
    // A run of any of the stores will do.
    let stores = [".tare/results.sqlite", "other.sqlite"].map(|name| lab.path().join(name));
    fs::copy(&stores[0], &stores[1]).unwrap();
    let [one, two] = stores.each_ref().map(|path| path.to_str().unwrap());
    let both = ["--store", one, "--store", two, "--runs"];
    make("c", &[&both[..], &["latest"]].concat()).expect(0);
    assert_eq!(
        pages(&lab.path().join("c")),
        [latest.clone(), format!("{latest}.2")]
    );
    let ran = make("d", &[&both[..], &["TYPO"]].concat()).expect(2);
    assert!(ran.err.contains("no run is called `TYPO`"), "{}", ran.err);
}

#[test]
fn what_an_index_cannot_show_is_left_out_and_named() {
    let lab = Lab::new(&[]);
    lab.write("theirs.json", THEIRS);
    let imported = lab
        .run(&["import", "theirs.json"])
        .expect(0)
        .out
        .trim()
        .to_owned();
    let explained = explanation(&lab);
    // Asked for or not.
    let left_out = [
        format!("{imported} (imported)"),
        format!("{explained} (an explanation only)"),
    ];
    let ran = lab.run(&["site", "a", "--runs", &format!("{imported},{explained}")]);
    assert!(
        ran.err.contains("there is no run to make a site of"),
        "{}",
        ran.err
    );
    assert!(left_out.iter().all(|one| ran.err.contains(one)), "{}", ran.err);
    ran.expect(2);
    let words = ["time", "true", "false", "--ignore-failure", "--runs", "2"];
    lab.run(&words).expect(0);
    let ran = lab.run(&["site", "a"]).expect(0);
    assert!(
        ran.err.contains("1 run: ") && ran.err.contains("tare report RUN"),
        "{}",
        ran.err
    );
    assert!(left_out.iter().all(|one| ran.err.contains(one)), "{}", ran.err);
    assert_eq!(pages(&lab.path().join("a")).len(), 1);
}

/// A run that holds evidence alone, as `tare explain` begins it; its id.
fn explanation(lab: &Lab) -> String {
    let store = Store::open(lab.path().join(".tare/results.sqlite")).unwrap();
    let id = |name: &str| name.parse().unwrap();
    let evidence = Evidence {
        workload: "fixture".to_owned(),
        case: "all".to_owned(),
        mode: Mode::Capacity,
        size: None,
        made: 1_795_293_912,
        cores: 1,
        a: id("good"),
        b: id("twin"),
        floor: None,
        subjects: Vec::new(),
        notes: Vec::new(),
    };
    let new = NewRun {
        started: evidence.made,
        ..NewRun::default()
    };
    let writer = store.begin_run(&new).unwrap();
    let run = writer.id().to_owned();
    writer.finish(Seconds(1.0), true, &[]).unwrap();
    store.keep_evidence(&run, &evidence).unwrap();
    run
}

#[test]
fn a_browser_draws_the_page_that_the_address_names() {
    let Some(browser) = ["chromium", "chromium-browser", "google-chrome"]
        .iter()
        .find_map(|name| tare_host::command::find(name, None))
    else {
        let missing = "there is no Chromium here (Debian: apt install chromium)";
        assert!(std::env::var_os("TARE_NEED_BROWSER").is_none(), "{missing}");
        eprintln!("skipped: {missing}");
        return;
    };
    let lab = Lab::new(&[]);
    let folder = site(&lab);
    let all = drawn(&browser, &lab, &folder, "");
    for part in ["data-drawn=\"3\"", ">one<", ">two<", ">nothing<", "time/commands"] {
        assert!(all.contains(part), "no {part}: {all}");
    }
    let some = drawn(&browser, &lab, &folder, "#name=two");
    assert!(
        some.contains("data-drawn=\"1\"") && !some.contains("\"name\">one<"),
        "{some}"
    );
}

/// The page as it is once its script has run.
fn drawn(browser: &Path, lab: &Lab, folder: &Path, view: &str) -> String {
    let url = format!("file://{}/index.html{view}", folder.display());
    let ran = Command::new(browser)
        // Chromium has no sandbox as root; the page is our own.
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--dump-dom",
            "--virtual-time-budget=10000",
        ])
        .arg(format!(
            "--user-data-dir={}",
            lab.path().join("browser").display()
        ))
        .arg(&url)
        .output()
        .unwrap();
    String::from_utf8_lossy(&ran.stdout).into_owned()
}
