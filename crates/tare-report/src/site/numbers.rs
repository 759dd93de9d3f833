//! Figures as the index has them.

use serde_json::{Value, json};
use tare_model::estimate::Estimate;

/// A figure and its interval; four digits are enough for a page.
pub(super) fn three(figure: &Estimate) -> Value {
    json!([
        short(figure.estimate),
        figure.low.map(short),
        figure.high.map(short)
    ])
}

/// The value with four significant digits.
pub(super) fn short(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
