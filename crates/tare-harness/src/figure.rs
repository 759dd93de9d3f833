//! What programs print of what they measured becomes figures.

use tare_model::figure::{Figure, Quantity};

use crate::text::{Printed, name_fault, short};

/// One sample in a file that a harness wrote for somebody else: the benchmark's program and name, and its figures.
pub(crate) type Entry = (String, String, Vec<Figure>);

/// A figure as it was printed, with the worth of its last digit.
pub(crate) fn as_printed(quantity: Quantity, printed: Printed) -> Figure {
    Figure {
        step: Some(printed.step),
        ..Figure::of(quantity, printed.value)
    }
}

/// Why it is no figure.
pub(crate) fn fault(figure: &Figure) -> Option<String> {
    let part = Some(figure.part.as_str()).filter(|part| !part.is_empty());
    let mut names = [part, figure.quantity.own_unit()].into_iter().flatten();
    if let Some(why) = names.find_map(name_fault) {
        return Some(format!("of a figure, {why}"));
    }
    let value = figure.value;
    match figure.quantity {
        _ if !value.is_finite() => Some(format!("{value} is no figure")),
        Quantity::Time if value <= 0.0 => Some(format!(
            "{value} is no time: perhaps the compiler removed the work"
        )),
        Quantity::Custom(_) => None,
        _ if value < 0.0 => Some(format!("{value} is below zero")),
        _ => None,
    }
}

/// Seconds in a unit of time as harnesses write it.
pub(crate) fn seconds(unit: &str) -> Option<f64> {
    Some(match unit {
        "ps" => 1e-12,
        "ns" => 1e-9,
        "us" | "µs" | "μs" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        _ => return None,
    })
}

/// A figure as programs print it in a line of text: `110.4 ns/op`, `453.06 MB/s`, `32 B/op`, `10 words/op`.
pub(crate) fn from_line(number: Printed, unit: &str) -> Figure {
    let per = unit.strip_suffix("/op").or_else(|| unit.strip_suffix("/iter"));
    let of_bytes = |unit: &str| bytes(unit.strip_suffix("/s")?);
    if let Some(factor) = seconds(per.unwrap_or(unit)) {
        as_printed(Quantity::Time, number.times(factor))
    } else if let Some(factor) = of_bytes(unit) {
        as_printed(Quantity::Throughput("B".to_owned()), number.times(factor))
    } else {
        match per.unwrap_or(unit) {
            "B" => as_printed(Quantity::Bytes, number),
            "allocs" => as_printed(Quantity::Allocations, number),
            _ => as_printed(Quantity::Custom(short(unit)), number),
        }
    }
}

/// Bytes in a unit: `MB`, `KiB`.
pub(crate) fn bytes(unit: &str) -> Option<f64> {
    Some(match unit {
        "B" => 1.0,
        "kB" | "KB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "TB" => 1e12,
        "KiB" => 1024.0,
        "MiB" => 1024f64.powi(2),
        "GiB" => 1024f64.powi(3),
        "TiB" => 1024f64.powi(4),
        _ => return None,
    })
}

/// The middle of some values: the figure of a process that measured several times, of which some were disturbed.
pub(crate) fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    Some(if values.len() % 2 == 1 {
        upper
    } else {
        f64::midpoint(values[values.len() / 2 - 1], upper)
    })
}

#[cfg(test)]
mod tests {
    use tare_model::figure::Better;

    use super::*;

    fn line(number: &str, unit: &str) -> (Quantity, f64, Option<Better>) {
        let figure = from_line(Printed::read(number).unwrap(), unit);
        let better = figure.quantity.better();
        (figure.quantity, figure.value, better)
    }

    #[test]
    fn units_say_what_a_figure_is() {
        assert_eq!(line("2", "us/op"), (Quantity::Time, 2e-6, Some(Better::Less)));
        assert_eq!(line("2", "ms"), (Quantity::Time, 2e-3, Some(Better::Less)));
        assert_eq!(
            line("3", "MB/s"),
            (Quantity::Throughput("B".to_owned()), 3e6, Some(Better::More))
        );
        assert_eq!(line("32", "B/op"), (Quantity::Bytes, 32.0, Some(Better::Less)));
        assert_eq!(line("1", "allocs/op").0, Quantity::Allocations);
        assert_eq!(
            line("9", "words/op"),
            (Quantity::Custom("words/op".to_owned()), 9.0, None)
        );
        assert_eq!(line("9", "req/s").2, Some(Better::More));
    }

    #[test]
    fn what_is_no_figure_is_none() {
        for value in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
            assert!(fault(&Figure::time(value)).is_some(), "{value}");
        }
        let custom = |unit: &str, value| Figure::of(Quantity::Custom(unit.to_owned()), value);
        assert_eq!(fault(&custom("words/op", -1.0)), None);
        assert!(fault(&custom("words/op", f64::NAN)).is_some());
        assert!(fault(&custom("a\u{1b}", 1.0)).is_some());
        assert_eq!(fault(&Figure::of(Quantity::Bytes, 0.0)), None);
    }

    #[test]
    fn a_median_is_in_the_middle() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&mut []), None);
    }
}
