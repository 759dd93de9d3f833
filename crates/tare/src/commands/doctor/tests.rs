//! Advice that a person will type as root must be right: it parses, fits the machine, and takes nothing away.

use std::process::Command as Process;

use clap::Parser;
use tare_model::manifest::PlacementKind;
use tare_prepare::commands::words;
use tare_prepare::placement;

use super::*;
use crate::cli::Cli;
use crate::commands::Command;
use crate::values;

/// What a command of a hint may begin with.
const PROGRAMS: [&str; 11] = [
    "tare",
    "taskset",
    "sudo",
    "systemd-run",
    "echo",
    "sysctl",
    "ulimit",
    "cpupower",
    "top",
    "apt-get",
    "update-grub",
];

/// The commands of a hint: what stands before its explanation.
fn commands_of(hint: &str) -> Vec<Vec<String>> {
    let before = hint.split_once(": ").map_or(hint, |(commands, _)| commands);
    let parts = before.split("; or ").flat_map(|part| part.split(" && "));
    parts
        .map(|part| words(part).unwrap_or_else(|error| panic!("{part}: {error}")))
        .collect()
}

/// Each hint has commands; what tare and taskset are told is understood by them, and the cores are among those allowed.
pub fn commands(checks: &[Check], cores: &Cores) {
    for check in checks.iter().filter(|check| !check.hint.is_empty()) {
        let hint = &check.hint;
        assert!(!hint.contains('…'), "{}: nobody can type {hint:?}", check.what);
        for command in commands_of(hint) {
            assert!(
                PROGRAMS.contains(&command[0].as_str()),
                "{}: no command in {hint:?}",
                check.what
            );
            fits(&command, cores);
        }
    }
}

fn fits(command: &[String], cores: &Cores) {
    if command[0] == "taskset" {
        assert_eq!(command[1], "-c", "{command:?}");
        let named: values::Cores = command[2].parse().unwrap();
        assert!(
            named.0.iter().all(|core| cores.allowed().contains(core)),
            "{command:?} of {cores:?}"
        );
        assert!(
            named.0.len() > 1,
            "{command:?} would make contender and load share"
        );
    }
    let Some(at) = command.iter().position(|word| word == "tare") else {
        return;
    };
    let cli = Cli::try_parse_from(&command[at..]).unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let Command::Run(args) = cli.command else {
        panic!("{command:?} is no run");
    };
    for kind in [PlacementKind::OneCore, PlacementKind::AllCores] {
        let placed = placement(
            kind,
            cores.allowed(),
            &args.request(tare_prepare::Choice::default()),
        );
        let placed = placed.unwrap_or_else(|error| panic!("{command:?} of {cores:?}: {error}"));
        if args.load.cores_load.is_some() {
            assert!(placed.load_alone(), "{command:?} of {cores:?}");
        }
    }
}

fn bad(cores: &Cores) -> Facts {
    Facts {
        cores: cores.allowed().to_vec(),
        less_exact: vec!["children count in steps".to_owned()],
        pressure: false,
        steal_seen: true,
        open_files: 1024,
        governors: vec!["powersave".to_owned()],
    }
}

#[test]
fn each_advice_has_its_command_and_fits_the_machine() {
    for cores in cores::tests::machines() {
        let mut checks = of_machine(&Machine::default(), &bad(&cores), &cores);
        checks.extend(governors(&bad(&cores)));
        checks.extend(limits::checks(1024));
        checks.extend(cores::threads(&cores));
        commands(&checks, &cores);
        let with_hint = checks.iter().filter(|check| !check.hint.is_empty()).count();
        let of_cores = usize::from((2..4).contains(&cores.allowed().len()));
        assert!(
            with_hint >= 5 + of_cores,
            "everything here is bad: {with_hint} of {cores:?}"
        );
    }
}

#[test]
fn the_counterexamples_are_caught() {
    let cores = &cores::tests::machines()[0];
    for wrong in [
        "reboot",
        "tare run … --budget 20m: waits",
        "tare run --cores-load 0 --cores-contender 1: keeps them apart",
        "taskset -c 0,1 tare run: uses one of each",
        "tare run --budgets 20m",
    ] {
        let check = [check("x", String::new(), wrong)];
        let caught = std::panic::catch_unwind(|| commands(&check, cores));
        assert!(caught.is_err(), "{wrong} was let through");
    }
}

/// GRUB's scripts read the file as a shell does: what was there must still be there.
#[test]
fn what_the_kernel_is_started_with_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("grub");
    std::fs::write(&file, "GRUB_CMDLINE_LINUX=\"root=/dev/sda1 quiet\"\n").unwrap();
    let (commands, _) = REPORT_PRESSURE.split_once(" && ").unwrap();
    let here = commands.replace("/etc/default/grub", "\"$1\"");
    assert_ne!(here, commands);
    let script = format!("{here} && . \"$1\" && echo \"$GRUB_CMDLINE_LINUX\"");
    let ran = Process::new("sh")
        .args(["-c", &script, "sh"])
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&ran.stdout),
        "root=/dev/sda1 quiet psi=1\n"
    );
    assert!(
        !REPORT_PRESSURE.contains("reboot"),
        "when to restart is a person's to say"
    );
}
