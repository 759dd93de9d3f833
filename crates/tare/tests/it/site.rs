//! `tare site`: a folder that a browser can show. Where there is a Chromium, one does.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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

#[test]
fn a_browser_draws_it_and_heeds_the_address() {
    let Some(browser) = ["chromium", "chromium-browser", "google-chrome"]
        .iter()
        .find_map(|name| tare_host::command::find(name, None))
    else {
        eprintln!("skipped: there is no Chromium here (Debian: apt install chromium)");
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
        // As root there is no sandbox to be had; the page is our own.
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
