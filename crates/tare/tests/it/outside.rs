//! Outside of any lab: a file of settings, and labs that begin anywhere, with languages, services and kits of the program's own.

use std::fs;
use std::process::Command;

use crate::newcomer::{Newcomer, assert_message, ran};

/// `tare.toml` has what is always the same.
#[test]
fn the_nearest_file_of_settings_gives_what_no_option_does() {
    let new = Newcomer::new();
    let below = new.folder.path().join("deep/er");
    fs::create_dir_all(&below).unwrap();
    let write = |text: &str| fs::write(new.folder.path().join("tare.toml"), text).unwrap();
    let time = |more: &[&str]| {
        let words = [&["time", ":", "true", "-r", "1", "--format", "json"], more].concat();
        let mut command = new.command(&words);
        command.current_dir(&below);
        ran(command)
    };
    write("margin = \"3%\"\n\n[time]\nalpha = \"1%\"\nnames = [\"a\", \"b\"]\n\n[run]\nalpha = \"2%\"\n");
    let document = time(&[]).expect(0).json();
    let settings = &document["run"]["settings"];
    assert_eq!(
        (settings["margin"].as_f64(), settings["alpha"].as_f64()),
        (Some(0.03), Some(0.01))
    );
    assert_eq!(document["workloads"][0]["baseline"], "a");
    let document = time(&["--margin", "5%"]).expect(0).json();
    assert_eq!(document["run"]["settings"]["margin"].as_f64(), Some(0.05));
    for (text, parts) in [
        (
            "margin = \"3%\"\naplha = 1\n",
            &["tare.toml:2: ", "no option `--aplha`", "did you mean `alpha`?"][..],
        ),
        (
            "[time]\nmargin = \"x\"\n",
            &["tare.toml:2: ", "`x` is not a percentage"],
        ),
        (
            "[tiem]\n",
            &["tare.toml:1: ", "no command `tiem`", "did you mean `time`?"],
        ),
        ("margin = {}\n", &["tare.toml:1: ", "a text, a number"]),
        (
            "[time]\nprepare = \"rm x\"\n",
            &["tare.toml:2: ", "`prepare` has to be typed"],
        ),
        ("margin\n", &["tare.toml:1"]),
    ] {
        write(text);
        let ran = time(&[]).expect(2);
        assert_message(&ran.err, parts);
    }
}

/// Far from any lab a new workload brings its language along, so that it is checked and run at once.
#[test]
fn a_new_workload_anywhere_is_ready_to_check_and_run() {
    let found = Command::new("python3").arg("--version").output();
    let new = Newcomer::new();
    let said = new.run(&["new", "workload", "mine"]).expect(0).err;
    assert!(
        said.contains("wrote languages/python.toml") && said.contains("`tare check mine`"),
        "{said}"
    );
    // A lab's own language is not overwritten.
    let language = new.folder.path().join("languages/python.toml");
    let own = fs::read_to_string(&language).unwrap() + "# our own\n";
    fs::write(&language, &own).unwrap();
    new.run(&["new", "workload", "workloads/other"]).expect(0);
    assert_eq!(fs::read_to_string(&language).unwrap(), own);
    new.run(&["list", "contenders"]).expect(0);
    let shown = new.run(&["show", "mine/python"]).expect(0).out;
    assert!(shown.contains("languages/python.toml"), "{shown}");
    if found.is_err() {
        eprintln!("skipped: there is no Python here");
        return;
    }
    let checked = new.run(&["check", "mine"]).expect(0).out;
    assert!(checked.starts_with("ok "), "{checked}");
    let words = [
        "run", "mine", "--quick", "--rounds", "2", "--budget", "1s", "--format", "json",
    ];
    let document = new.run(&words).expect(0).json();
    assert_eq!(document["workloads"][0]["contenders"][0]["id"], "python");
}

#[test]
fn services_and_kits_are_in_the_binary() {
    let new = Newcomer::new();
    let here = |path: &str| new.folder.path().join(path).exists();
    new.run(&["new", "service", "postgresql"]).expect(0);
    new.run(&["new", "kit", "kits/go"]).expect(0);
    assert!(
        here("services/postgresql/service.toml")
            && here("kits/go/probe.go")
            && here("kits/examples/go/main.go")
    );
    let ran = new.run(&["new", "service", "oracle"]).expect(2);
    assert_message(
        &ran.err,
        &["no `services/oracle`", "lighttpd, postgresql, world-sqlite"],
    );
    new.run(&["new", "kit", "go"]).expect(2);
}
