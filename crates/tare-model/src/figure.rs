//! What a benchmark harness measured: the figures of one sample, and the unit of each.

use serde::{Deserialize, Serialize};

/// Which way a figure is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// As a time.
    Less,
    /// As a rate.
    More,
}

/// What was measured, and the unit of its value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Quantity {
    /// Seconds per iteration.
    Time,
    /// Units of something per second: `B`, `items`. It follows from the time, and is no measurement of its own.
    Throughput(String),
    /// Bytes allocated per iteration.
    Bytes,
    /// Allocations per iteration.
    Allocations,
    /// Whatever the benchmark reports under a unit or name of its own.
    Custom(String),
}

/// A figure of one sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// What was measured.
    pub quantity: Quantity,
    /// Which of several results of one benchmark this is: `t=2`. Empty for the only one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub part: String,
    /// The value, in the quantity's unit; finite, and of a time above zero.
    pub value: f64,
    /// How coarse it was printed: smaller differences mean nothing. None if all digits were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
}

impl Quantity {
    /// Which way it is better. None for a custom unit that does not say.
    pub fn better(&self) -> Option<Better> {
        match self {
            Quantity::Time | Quantity::Bytes | Quantity::Allocations => Some(Better::Less),
            Quantity::Throughput(_) => Some(Better::More),
            Quantity::Custom(unit) if unit.ends_with("/s") || unit.ends_with("/sec") => Some(Better::More),
            Quantity::Custom(_) => None,
        }
    }

    /// Whether it is counted rather than timed: no other program on the machine changes it.
    pub fn counted(&self) -> bool {
        matches!(self, Quantity::Bytes | Quantity::Allocations)
    }

    /// The name used in documents.
    pub fn name(&self) -> &'static str {
        match self {
            Quantity::Time => "time",
            Quantity::Throughput(_) => "throughput",
            Quantity::Bytes => "bytes",
            Quantity::Allocations => "allocations",
            Quantity::Custom(_) => "custom",
        }
    }

    /// The unit used in documents: `s`, `B`, an empty text for a number of allocations; of a throughput what is counted a second.
    pub fn unit(&self) -> &str {
        match self {
            Quantity::Time => "s",
            Quantity::Bytes => "B",
            Quantity::Allocations => "",
            Quantity::Throughput(unit) | Quantity::Custom(unit) => unit,
        }
    }

    /// The unit that a benchmark gave, if it did.
    pub fn own_unit(&self) -> Option<&str> {
        match self {
            Quantity::Throughput(unit) | Quantity::Custom(unit) => Some(unit),
            _ => None,
        }
    }
}

impl Figure {
    /// A figure of a quantity, the only one of its kind, with all its digits.
    pub fn of(quantity: Quantity, value: f64) -> Self {
        let part = String::new();
        Self {
            quantity,
            part,
            value,
            step: None,
        }
    }

    /// Seconds per iteration.
    pub fn time(value: f64) -> Self {
        Self::of(Quantity::Time, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_say_which_way_is_better() {
        let custom = |unit: &str| Quantity::Custom(unit.to_owned()).better();
        assert_eq!(Quantity::Time.better(), Some(Better::Less));
        assert_eq!(Quantity::Throughput("B".to_owned()).better(), Some(Better::More));
        assert_eq!((custom("req/s"), custom("words/op")), (Some(Better::More), None));
    }
}
