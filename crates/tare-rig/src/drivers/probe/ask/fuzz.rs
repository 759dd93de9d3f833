//! Arbitrary answers of in-process benchmarks, and arbitrary reference files.

#[path = "../../../../../../fuzz/harness.rs"]
pub(crate) mod harness;

use super::{parse_error, parse_run, parse_show, shown};
use crate::reference::{Reference, unhex};
use harness::fuzz;

#[test]
fn answers_of_probes() {
    let words = [
        "ok ",
        "error ",
        " ",
        "-1",
        "18446744073709551616",
        "0x",
        "\u{1b}[2J",
        "\u{e9}",
    ];
    fuzz("probe", &words, |bytes| {
        // As lines arrive: bytes that are not UTF-8 are replaced.
        let line = String::from_utf8_lossy(bytes);
        if let Some((nanos, sum)) = parse_run(&line) {
            // Parsed as it was written, except for a sign or leading zeros.
            let again = parse_run(&format!("ok {nanos} {sum}"));
            assert_eq!(again, Some((nanos, sum)));
            assert!(parse_error(&line).is_none());
        }
        if let Some(hex) = parse_show(&line) {
            assert!(line.ends_with(hex) && !hex.contains(' '));
            if let Some(bytes) = unhex(hex) {
                assert_eq!(2 * bytes.len(), hex.len());
            }
        }
        let shown = shown(&line);
        assert!(!shown.chars().any(char::is_control), "{shown:?}");
    });
}

#[test]
fn reference_files() {
    fuzz(
        "reference",
        &["\n", " ", "0e", "00112233", "99999999999999999999", "x"],
        |bytes| {
            let text = String::from_utf8_lossy(bytes);
            match Reference::parse(&text, "reference.txt") {
                Err(why) => assert!(why.to_string().contains("reference.txt"), "{why}"),
                Ok(reference) => {
                    assert!(reference.inputs() > 0);
                    // The sum over all inputs twice is twice the sum.
                    let (once, twice) = (reference.inputs(), 2 * reference.inputs());
                    assert_eq!(
                        reference.checksum(twice),
                        reference.checksum(once).wrapping_mul(2)
                    );
                    assert!(reference.judge(0, "not hex").is_err());
                }
            }
        },
    );
}
