//! What the kernel says of a server whose name is of its own choosing.

#[path = "../../../../fuzz/harness.rs"]
mod harness;

use super::{awake, there};

#[test]
fn fuzz_limits_of_a_process() {
    let words = [
        "Max open files",
        " ",
        "\n",
        "unlimited",
        "-1",
        "18446744073709551616",
    ];
    harness::fuzz("proc-limits", &words, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Some(files) = there::open_files(&text) {
            assert!(text.contains("Max open files"));
            assert!(files == u64::MAX || text.contains(&files.to_string()), "{files}");
        }
    });
}

/// A list of cores is short however it is written, and in order; the name of the process is on a line of its own.
#[test]
fn fuzz_cores_of_a_process() {
    let words = [
        "Cpus_allowed_list:",
        "\t",
        "\n",
        ",",
        "-",
        "0-4095",
        "4096",
        "4294967296",
        "0-1:1/2",
        "+",
    ];
    harness::fuzz("proc-status", &words, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Some(cores) = awake::allowed(&text) {
            assert!(!cores.is_empty() && cores.len() <= 4096);
            assert!(cores.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(cores.iter().all(|core| *core < 4096));
        }
    });
}
