//! What tare-stats yields, as the types of the results.

use tare_model::estimate::Estimate;
use tare_model::sweep::{BreakEven, Cheaper};
use tare_stats::Interval;
use tare_stats::mean::Mean;
use tare_stats::sizes::{Even, Zeros};

/// A mean as a figure of the results.
pub(crate) fn as_estimate(mean: &Mean) -> Estimate {
    Estimate {
        estimate: mean.value,
        low: mean.interval.map(|interval| interval.low),
        high: mean.interval.map(|interval| interval.high),
    }
}

/// Where two contenders break even among sizes of 0 and more.
pub(crate) fn break_even(even: Even) -> BreakEven {
    let at = |size| cheaper(even.difference.at(size));
    match even.zeros {
        Zeros::Within(sizes) if sizes.high < 0.0 => BreakEven::Nowhere { cheaper: at(0.0) },
        Zeros::Within(Interval { low, high }) if low > 0.0 => BreakEven::Between {
            low,
            high,
            below: at(0.0),
        },
        Zeros::Within(sizes) => BreakEven::UpTo {
            high: sizes.high,
            above: cheaper(even.difference.per_unit),
        },
        Zeros::Outside(sizes) if sizes.high <= 0.0 => BreakEven::Everywhere,
        Zeros::Outside(sizes) if sizes.low <= 0.0 => BreakEven::From {
            low: sizes.high,
            below: at(0.0),
        },
        Zeros::Outside(Interval { low, high }) => BreakEven::Outside {
            low,
            high,
            within: at(0.5 * (low + high)),
        },
        Zeros::Everywhere => BreakEven::Everywhere,
    }
}

/// The cheaper of two whose costs differ by this much, the first's minus the second's.
fn cheaper(difference: f64) -> Cheaper {
    if difference < 0.0 { Cheaper::A } else { Cheaper::B }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_stats::sizes::Line;
    use tare_stats::verdict::Side;

    #[test]
    fn a_break_even_is_what_the_difference_is_at_each_size() {
        let ends = [(-2.0, -1.0), (-1.0, 3.0), (2.0, 3.0)].map(|(low, high)| Interval { low, high });
        let within = ends.map(Zeros::Within);
        let outside = ends.map(Zeros::Outside);
        let mut names = Vec::new();
        for zeros in within.into_iter().chain(outside).chain([Zeros::Everywhere]) {
            // Within the ends it is zero; outside, where these are the sizes at which it is not, it has a sign.
            for (fixed, per_unit) in match zeros {
                Zeros::Within(Interval { low, high }) => {
                    [(-(low + high) / 2.0, 1.0), ((low + high) / 2.0, -1.0)]
                }
                _ => [(1.0, 0.0), (-1.0, 0.0)],
            } {
                let even = Even {
                    zeros,
                    difference: Line { fixed, per_unit },
                };
                let set = break_even(even);
                names.push(set.name());
                for size in [0.0, 1.0, 2.5, 4.0, 1e6] {
                    let side = match set.cheaper_at(size) {
                        Some(Cheaper::A) => Side::Below,
                        Some(Cheaper::B) => Side::Above,
                        None => Side::Astride,
                    };
                    assert_eq!(side, even.side(size), "{even:?} at {size}: {set:?}");
                }
            }
        }
        names.dedup();
        let all = [
            "nowhere",
            "up-to",
            "between",
            "everywhere",
            "from",
            "outside",
            "everywhere",
        ];
        assert_eq!(names, all);
    }
}
