//! The median of what a few slices or runs yielded.

/// The median, the upper one of an even number of values; none without any.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
