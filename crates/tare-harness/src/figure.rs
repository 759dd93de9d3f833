//! What a harness measured.

use crate::text::{Printed, name_fault, short};

/// Which way a figure is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// As a time.
    Less,
    /// As a rate.
    More,
}

/// What was measured, and the unit of its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Metric {
    /// Seconds an iteration.
    Time,
    /// So many of something a second: `B`, `items`. It follows from the time, and is no measurement of its own.
    Throughput(String),
    /// Bytes allocated an iteration.
    Bytes,
    /// Allocations an iteration.
    Allocations,
    /// Whatever the benchmark reports under a unit or name of its own.
    Custom(String),
}

/// A figure of one sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What was measured.
    pub metric: Metric,
    /// Which of several results of one benchmark this is: `t=2`. Empty for the only one.
    pub part: String,
    /// The value, in the metric's unit; finite, and of a time above zero.
    pub value: f64,
    /// How coarse it was printed: differences below this say nothing. None if all digits were given.
    pub step: Option<f64>,
}

impl Figure {
    /// Seconds an iteration.
    pub(crate) fn time(value: f64) -> Self {
        Self::of(Metric::Time, value)
    }

    pub(crate) fn of(metric: Metric, value: f64) -> Self {
        let part = String::new();
        Self {
            metric,
            part,
            value,
            step: None,
        }
    }

    pub(crate) fn printed(metric: Metric, printed: Printed) -> Self {
        Self {
            step: Some(printed.step),
            ..Self::of(metric, printed.value)
        }
    }

    /// Which way it is better. None for a custom figure whose unit does not say.
    pub fn better(&self) -> Option<Better> {
        match &self.metric {
            Metric::Time | Metric::Bytes | Metric::Allocations => Some(Better::Less),
            Metric::Throughput(_) => Some(Better::More),
            Metric::Custom(unit) if unit.ends_with("/s") || unit.ends_with("/sec") => Some(Better::More),
            Metric::Custom(_) => None,
        }
    }

    /// Whether it is counted rather than timed: no other program on the machine changes it.
    pub fn counted(&self) -> bool {
        matches!(self.metric, Metric::Bytes | Metric::Allocations)
    }

    /// Why it is no figure.
    pub(crate) fn fault(&self) -> Option<String> {
        let names = [
            Some(self.part.as_str()).filter(|part| !part.is_empty()),
            self.unit(),
        ];
        let name = names.into_iter().flatten().find_map(name_fault);
        match self.metric {
            _ if name.is_some() => name.map(|why| format!("of a figure, {why}")),
            _ if !self.value.is_finite() => Some(format!("{} is no figure", self.value)),
            Metric::Time if self.value <= 0.0 => Some(format!(
                "{} is no time: perhaps the compiler removed the work",
                self.value
            )),
            Metric::Custom(_) => None,
            _ if self.value < 0.0 => Some(format!("{} is below zero", self.value)),
            _ => None,
        }
    }

    fn unit(&self) -> Option<&str> {
        match &self.metric {
            Metric::Throughput(unit) | Metric::Custom(unit) => Some(unit),
            _ => None,
        }
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
pub(crate) fn from_line(printed: Printed, unit: &str) -> Figure {
    let per = unit.strip_suffix("/op").or_else(|| unit.strip_suffix("/iter"));
    let of_bytes = |unit: &str| bytes(unit.strip_suffix("/s")?);
    if let Some(factor) = seconds(per.unwrap_or(unit)) {
        Figure::printed(Metric::Time, printed.times(factor))
    } else if let Some(factor) = of_bytes(unit) {
        Figure::printed(Metric::Throughput("B".to_owned()), printed.times(factor))
    } else {
        match per.unwrap_or(unit) {
            "B" => Figure::printed(Metric::Bytes, printed),
            "allocs" => Figure::printed(Metric::Allocations, printed),
            _ => Figure::printed(Metric::Custom(short(unit)), printed),
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
    use super::*;

    fn line(number: &str, unit: &str) -> (Metric, f64, Option<Better>) {
        let figure = from_line(Printed::read(number).unwrap(), unit);
        let better = figure.better();
        (figure.metric, figure.value, better)
    }

    #[test]
    fn units_say_what_a_figure_is() {
        assert_eq!(line("2", "us/op"), (Metric::Time, 2e-6, Some(Better::Less)));
        assert_eq!(line("2", "ms"), (Metric::Time, 2e-3, Some(Better::Less)));
        assert_eq!(
            line("3", "MB/s"),
            (Metric::Throughput("B".to_owned()), 3e6, Some(Better::More))
        );
        assert_eq!(line("32", "B/op"), (Metric::Bytes, 32.0, Some(Better::Less)));
        assert_eq!(line("1", "allocs/op").0, Metric::Allocations);
        assert_eq!(
            line("9", "words/op"),
            (Metric::Custom("words/op".to_owned()), 9.0, None)
        );
        assert_eq!(line("9", "req/s").2, Some(Better::More));
    }

    #[test]
    fn what_is_no_figure_is_none() {
        for value in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
            assert!(Figure::time(value).fault().is_some(), "{value}");
        }
        let custom = |unit: &str, value| Figure::of(Metric::Custom(unit.to_owned()), value);
        assert_eq!(custom("words/op", -1.0).fault(), None);
        assert!(custom("words/op", f64::NAN).fault().is_some());
        assert!(custom("a\u{1b}", 1.0).fault().is_some());
        assert_eq!(Figure::of(Metric::Bytes, 0.0).fault(), None);
    }

    #[test]
    fn a_median_is_in_the_middle() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&mut []), None);
    }
}
