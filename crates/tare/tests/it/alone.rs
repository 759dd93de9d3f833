//! `tare` without any other program, as in a container with nothing but its static executable.

use std::process::Command;

use crate::lab::Lab;

#[test]
fn commands_are_timed_without_any_other_program() {
    let lab = Lab::new(&[]);
    let tare = env!("CARGO_BIN_EXE_tare");
    let nowhere = lab.path().join("nowhere");
    let mut command = Command::new(tare);
    command
        .args(["time", "-N", &format!("{tare} --version"), "--runs", "2", "-C"])
        .arg(lab.path())
        .env("PATH", &nowhere)
        .env("NO_COLOR", "1");
    let ran = lab.start(command).finish().expect(0);
    assert!(ran.out.contains("time/commands"), "{}", ran.out);
    lab.assert_clean();
    // Its results are found again.
    let mut command = lab.tare(&["report"]);
    command.env("PATH", &nowhere);
    let ran = lab.start(command).finish().expect(0);
    assert!(ran.out.contains("time/commands"), "{}", ran.out);
}
