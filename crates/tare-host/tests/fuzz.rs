//! Output of the kernel about processes with arbitrary names, and versions as programs print them.

#[path = "../../../fuzz/harness.rs"]
mod harness;

use harness::{fuzz, mangle};
use tare_host::procfs::{parse_socket, parse_stat};
use tare_host::profile::collector::Dialect;
use tare_host::profile::compiler;
use tare_host::tools::{at_least, number_in};

#[test]
fn fuzz_tables_of_the_kernel() {
    fuzz(
        "proc",
        &[" ", "(", ") ", ":", "0A", "\n", "-1", "18446744073709551616"],
        |bytes| {
            let text = String::from_utf8_lossy(bytes);
            let _ = (parse_stat(&text), parse_socket(&text));
        },
    );
}

/// A program may call itself anything, also what looks like the rest of the line.
#[test]
fn fuzz_names_of_processes() {
    let mut rng = harness::rng();
    for _ in harness::Bound::or(2000).rounds() {
        let mut name = b"a) S 1 2 3 (".to_vec();
        mangle(&mut rng, &mut name, &[") ", " (", "Z", "\n", "7"]);
        let name = String::from_utf8_lossy(&name).into_owned();
        let line = format!("77 ({name}) S 5 6 7 0 -1 0 1 2 3 4 5 6 11 13 20 0 1 0 4567 0\n");
        let stat = parse_stat(&line).expect("a line of the kernel's");
        assert_eq!(
            (stat.pid, &stat.name, stat.state, stat.parent),
            (77, &name, 'S', 5)
        );
        assert_eq!((stat.child_ticks, stat.start), (24, 4567));
    }
}

#[test]
fn fuzz_versions() {
    fuzz(
        "version",
        &["\n", ".", "Picked up ", "99999999999999999999"],
        |bytes| {
            let text = String::from_utf8_lossy(bytes);
            if let Some(number) = number_in(&text) {
                assert!(number.chars().all(|c| c.is_ascii_digit() || c == '.') && text.contains(number));
                assert!(at_least(&text, number) && at_least(&text, "0"));
            }
        },
    );
}

/// The parts of a garbage collector's work add up, whatever the log says.
#[test]
fn fuzz_logs_of_collectors() {
    let words = [
        "GC(",
        ") Pause ",
        "->",
        "M",
        "ms",
        "gc ",
        " @",
        "1e308",
        "-1",
        "NaN",
        "\n",
        "exit",
        " total ",
        ", used ",
        "tare: v8: ",
        " bytes new, ",
        " us",
    ];
    fuzz("gc-log", &words, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        for name in ["jvm", "go", "ghc", "v8"] {
            let read = Dialect::of(name).expect("a dialect").read(&text, 10);
            if let Some(told) = read {
                // HotSpot's last word bounds what was allocated where nothing was collected.
                assert!(
                    (told.collections > 0 || name == "jvm")
                        && told.paused.0.is_finite()
                        && told.paused.0 >= 0.0,
                    "{name}: {told:?}"
                );
            }
        }
    });
}

/// A log says of a compiler what its lines say, one by one.
#[test]
fn fuzz_logs_of_compilers() {
    let words = [
        "[jit,compilation",
        "]",
        " (",
        " bytes)",
        "(native)",
        "(static)",
        "\n",
        "\r",
        "-1",
        "18446744073709551615",
        "18446744073709551616",
    ];
    let jvm = compiler::Dialect::of("jvm").expect("a dialect");
    fuzz("jit-log", &words, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let read = jvm.read(&text);
        let lines: Vec<_> = text.lines().map(|line| jvm.read(line)).collect();
        assert_eq!(read.methods, lines.iter().map(|line| line.methods).sum::<u64>());
        let bytes = lines
            .iter()
            .fold(0_u64, |sum, line| sum.saturating_add(line.bytes));
        assert_eq!(read.bytes, bytes);
        assert!(
            lines
                .iter()
                .all(|line| line.methods <= 1 && (line.methods == 1 || line.bytes == 0))
        );
    });
}
