//! perf's output on threads and functions with arbitrary names.

use std::path::Path;

use super::super::harness;
use super::{CallReader, LONGEST_SYMBOL, StackReader, Window};

#[test]
fn samples_and_calls() {
    let words = [
        "\n\n",
        "\t",
        " (",
        ")",
        ":",
        "2519/2520",
        "cpu-clock: ",
        "[unknown]",
        "sys_enter: NR ",
        "LOST ",
        "1e308",
    ];
    let windows = [
        Window {
            round: 0,
            from: 10.0,
            to: 11.0,
        },
        Window {
            round: 3,
            from: 20.0,
            to: 21.0,
        },
    ];
    harness::fuzz("perf-script", &words, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let mut reader = StackReader::new(&windows, Path::new("/lab/out"));
        text.lines().for_each(|line| reader.line(line));
        let profile = reader.finish();
        for stack in &profile.stacks {
            assert!([0, 3].contains(&stack.round));
            assert!(
                stack
                    .frames
                    .iter()
                    .all(|&frame| (frame as usize) < profile.frames.len())
            );
        }
        let longest = profile
            .frames
            .iter()
            .map(|frame| frame.symbol.chars().count())
            .max();
        assert!(
            longest.is_none_or(|longest| longest <= LONGEST_SYMBOL + 1),
            "{longest:?}"
        );
        let mut reader = CallReader::new(&windows);
        text.lines().for_each(|line| reader.line(line));
        reader.finish();
    });
}
