//! Results of other tools, as anybody may write them: nothing panics, a refusal names the place, and every figure that is
//! taken is a number.

#[path = "../../../fuzz/harness.rs"]
mod harness;

use harness::fuzz;
use tare_model::ids::ContenderId;
use tare_report::{httparena, hyperfine, tfb};

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

#[test]
fn fuzz_results_of_the_arena() {
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
        "rps",
        "results",
        "-512",
        "target_rate",
    ];
    fuzz("httparena", &words, |bytes| {
        for path in ["results/baseline/512/warp.json", "data/baseline-512.json"] {
            let file = httparena::FileOf {
                path: path.as_ref(),
                bytes,
            };
            match httparena::read(&[file], "x", 0) {
                Err(why) => assert!(!why.why.is_empty()),
                Ok(run) => {
                    let mut figures = run.arenas.iter().flat_map(|arena| &arena.published);
                    assert!(figures.all(|figure| figure.value.is_finite() && figure.value > 0.0));
                }
            }
        }
    });
}

/// What a refusal says may be shown on a terminal.
#[test]
fn fuzz_files_of_hyperfine() {
    let words = [
        "{",
        "}",
        "[",
        "]",
        "null",
        "-1",
        "1e999",
        "1e-999",
        "0",
        "\"",
        ",",
        "\\u001b[2J",
        "\\u0000",
        "99999999999999999999",
        "\"results\"",
        "\"command\"",
        "\"median\"",
        "sleep 1",
    ];
    let ours = [(ContenderId::plain("ours"), "sleep 1".to_owned())];
    fuzz("hyperfine", &words, |bytes| {
        match hyperfine::read(bytes, "h.json", &ours) {
            Ok(found) => {
                assert!(!found.is_empty());
                for one in found {
                    assert!(one.value.is_finite() && one.value > 0.0, "{one:?}");
                    assert_eq!(one.label, "sleep 1");
                }
            }
            Err(unfit) => {
                assert!(unfit.why.starts_with("h.json: "), "{unfit:?}");
                let text = unfit.why + &unfit.hint;
                assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
            }
        }
    });
}
