//! Results of another suite, as strangers may write them: nothing panics; what is refused is told with its place, and
//! what is taken is a run whose figures are numbers.

#[path = "../../../fuzz/harness.rs"]
mod harness;

use harness::fuzz;
use tare_report::tfb;

#[test]
fn fuzz_imported_results() {
    let words = [
        "{",
        "}",
        "[",
        "]",
        "null",
        "-1",
        "1e999",
        "0",
        "\"",
        ",",
        "\\u0000",
        "99999999999999999999",
        "rawData",
    ];
    fuzz("tfb", &words, |bytes| match tfb::read(bytes) {
        Err(why) => assert!(!why.why.is_empty()),
        Ok(run) => {
            let figures = run.arenas.iter().flat_map(|arena| &arena.published);
            for figure in figures {
                assert!(figure.value.is_finite() && figure.value >= 0.0, "{figure:?}");
            }
        }
    });
}
