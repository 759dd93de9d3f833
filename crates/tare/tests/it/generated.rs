//! Completions and man pages: every command and option that may be typed is in them, and nothing else.

use std::fs;
use std::process::Command;

/// What `tare` says; no lab is around.
fn tare(words: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_tare"))
        .args(words)
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "{words:?}: {}",
        String::from_utf8_lossy(&ran.stderr)
    );
    String::from_utf8(ran.stdout).unwrap()
}

/// The commands, as `tare --help` lists them.
fn commands() -> Vec<String> {
    let help = tare(&["--help"]);
    let (list, _) = help.split_once("\nOptions:\n").unwrap();
    let names = list.lines().filter_map(|line| {
        let name = line.strip_prefix("  ")?.split(' ').next();
        name.filter(|name| !name.is_empty())
    });
    names.map(str::to_owned).collect()
}

/// The long options of a command, as its `--help` lists them.
fn options(command: &str) -> Vec<String> {
    let help = tare(&[command, "--help"]);
    let lines = help
        .lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with('-'));
    let long = lines.filter_map(|line| {
        let word = line
            .split([' ', ',', '=', '['])
            .find(|word| word.starts_with("--"))?;
        Some(word.to_owned())
    });
    long.collect()
}

#[test]
fn there_are_commands_and_options() {
    let commands = commands();
    assert!(
        commands.len() >= 15 && commands.contains(&"diff".to_owned()),
        "{commands:?}"
    );
    let options = options("diff");
    for option in ["--same-output", "--fail-if", "--format", "--help"] {
        assert!(options.contains(&option.to_owned()), "{options:?}");
    }
}

#[test]
fn completions_offer_every_command_and_option() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = tare(&["completions", shell]);
        for command in commands() {
            assert!(text.contains(&command), "{shell}: no {command}");
            for option in options(&command) {
                // fish has the name alone, behind -l.
                let name = option.trim_start_matches('-');
                let there = text.contains(&option) || text.contains(&format!("-l {name}"));
                assert!(there, "{shell}: no {option} of {command}");
            }
        }
        for hidden in ["__guard", "__aa", "__forker", "__spawn"] {
            assert!(!text.contains(hidden), "{shell}: {hidden} is nobody's to type");
        }
    }
}

/// What a shell itself makes of it: bash, since every machine here has one.
#[test]
fn bash_completes_a_partial_word() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tare");
    fs::write(&file, tare(&["completions", "bash"])).unwrap();
    let complete = |words: &str, at: usize| {
        let script = format!(
            "source '{}'; COMP_WORDS=({words}); COMP_CWORD={at}; _tare tare \"${{COMP_WORDS[{at}]}}\" x; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            file.display()
        );
        let ran = Command::new("bash").args(["-c", &script]).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let text = String::from_utf8(ran.stdout).unwrap();
        text.lines().map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(complete("tare hist", 1), ["history"]);
    assert_eq!(complete("tare diff --same", 2), ["--same-output"]);
    assert!(!complete("tare ''", 1).iter().any(|word| word.starts_with("__")));
}

#[test]
fn every_command_has_its_man_page() {
    let folder = tempfile::tempdir().unwrap();
    tare(&["man", folder.path().to_str().unwrap()]);
    let page = |name: &str| fs::read_to_string(folder.path().join(format!("{name}.1"))).unwrap();
    let plain = |text: String| text.replace("\\-", "-");
    let index = plain(page("tare"));
    for command in commands() {
        assert!(
            index.contains(&format!("tare-{command}(1)")),
            "{command}: {index}"
        );
        let text = plain(page(&format!("tare-{command}")));
        assert!(
            text.contains(&format!(".TH tare-{command} 1")) && text.contains(".SH SYNOPSIS"),
            "{text}"
        );
        assert!(text.contains(&format!("\\fBtare {command}\\fR")), "{text}");
        for option in options(&command) {
            assert!(
                text.contains(&format!("{option}\\fR")),
                "{command}: no {option}: {text}"
            );
        }
    }
    assert!(
        index.contains("interrupted; everything measured so far is kept"),
        "{index}"
    );
    let pages = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(pages, commands().len() + 1, "nothing that is hidden");
}
