//! Shorter slices for the tests of a debug build, whose runs are about what happens and not about figures.

use tare_lab::plan::Rules;
use tare_model::units::Seconds;

/// The environment variable that holds the length of a slice over sockets, in milliseconds. A release build ignores it.
const SLICE: &str = "TARE_TEST_SLICE";

/// The rules of a run, with the slices that the tests want.
pub fn of(rules: Rules) -> Rules {
    if !cfg!(debug_assertions) {
        return rules;
    }
    let length = std::env::var(SLICE)
        .ok()
        .and_then(|text| text.parse::<f64>().ok());
    match length {
        Some(millis) => shortened(rules, Seconds(millis / 1e3)),
        None => rules,
    }
}

/// Every slice shorter by the same factor.
fn shortened(rules: Rules, slice: Seconds) -> Rules {
    let probe_slice = Seconds(rules.probe_slice.0 * slice.0 / rules.slice.0);
    Rules {
        slice,
        probe_slice,
        ..rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_slices_are_shorter_by_one_factor() {
        let usual = Rules::default();
        let short = shortened(usual.clone(), Seconds(usual.slice.0 / 4.0));
        assert_eq!(short.slice, Seconds(usual.slice.0 / 4.0));
        assert_eq!(short.probe_slice, Seconds(usual.probe_slice.0 / 4.0));
    }
}
