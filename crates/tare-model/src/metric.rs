//! Modes and metrics: names, units, and which direction is better.

use std::fmt;
use std::str::FromStr;

/// How a contender is driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Closed loop: maximum throughput.
    Capacity,
    /// Open loop: the same rate for all contenders.
    Cost,
    /// The duration of a fixed job.
    Batch,
    /// Whole commands, each run in a process of its own (`tare time`); not available in manifests.
    Command,
    /// Benchmarks of a harness, each sample a process of its own (`tare bench`); not available in manifests.
    Benchmark,
}

impl Mode {
    /// All modes, in listing order.
    pub const ALL: [Mode; 5] = [
        Mode::Capacity,
        Mode::Cost,
        Mode::Batch,
        Mode::Command,
        Mode::Benchmark,
    ];

    /// The modes that a workload may have: those in which contenders are resident.
    pub(crate) const OF_WORKLOADS: [Mode; 3] = [Mode::Capacity, Mode::Cost, Mode::Batch];

    /// The name used in manifests, options and results.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Capacity => "capacity",
            Mode::Cost => "cost",
            Mode::Batch => "batch",
            Mode::Command => "command",
            Mode::Benchmark => "benchmark",
        }
    }
}

/// What a slice is measured by. Times are in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// Right answers per second.
    Throughput,
    /// Median latency.
    LatencyP50,
    /// 90th percentile of latency.
    LatencyP90,
    /// 99th percentile of latency.
    LatencyP99,
    /// 99.9th percentile of latency.
    LatencyP999,
    /// CPU time of the contender's process tree per right answer, between two readings in the paused state.
    CpuPerOp,
    /// Wall time per operation, in process.
    TimePerOp,
    /// Duration of a load program of a batch, or of a run of a command (the mean over a slice).
    Duration,
    /// Peak resident memory of the contender's process tree.
    MemoryPeak,
}

/// A name that is not one of a list: of the metrics, modes or phases.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a {what}: expected one of {expected}")]
pub struct UnknownName {
    /// What was asked for.
    pub what: &'static str,
    /// What was given.
    pub text: String,
    /// The names to choose from.
    pub expected: String,
}

impl Metric {
    /// All metrics, in the order of the tables.
    pub const ALL: [Metric; 9] = [
        Metric::Throughput,
        Metric::Duration,
        Metric::CpuPerOp,
        Metric::TimePerOp,
        Metric::LatencyP50,
        Metric::LatencyP90,
        Metric::LatencyP99,
        Metric::LatencyP999,
        Metric::MemoryPeak,
    ];

    /// The name used in manifests, options and results.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Throughput => "throughput",
            Metric::LatencyP50 => "latency_p50",
            Metric::LatencyP90 => "latency_p90",
            Metric::LatencyP99 => "latency_p99",
            Metric::LatencyP999 => "latency_p999",
            Metric::CpuPerOp => "cpu_per_op",
            Metric::TimePerOp => "time_per_op",
            Metric::Duration => "duration",
            Metric::MemoryPeak => "memory_peak",
        }
    }

    /// Its name for readers: `CPU per operation`.
    pub fn title(self) -> &'static str {
        match self {
            Metric::Throughput => "throughput",
            Metric::LatencyP50 => "median latency",
            Metric::LatencyP90 => "p90 latency",
            Metric::LatencyP99 => "p99 latency",
            Metric::LatencyP999 => "p99.9 latency",
            Metric::CpuPerOp => "CPU per operation",
            Metric::TimePerOp => "time per operation",
            Metric::Duration => "duration",
            Metric::MemoryPeak => "peak memory",
        }
    }

    /// The unit of its values: `s`, `1/s` or `bytes`.
    pub fn unit(self) -> &'static str {
        match self {
            Metric::Throughput => "1/s",
            Metric::MemoryPeak => "bytes",
            _ => "s",
        }
    }

    /// Whether more is better (only throughput).
    pub fn more_is_better(self) -> bool {
        self == Metric::Throughput
    }

    /// The quantile that a latency metric stands for.
    pub fn quantile(self) -> Option<f64> {
        match self {
            Metric::LatencyP50 => Some(0.5),
            Metric::LatencyP90 => Some(0.9),
            Metric::LatencyP99 => Some(0.99),
            Metric::LatencyP999 => Some(0.999),
            _ => None,
        }
    }

    /// Answers that a slice needs for a value: 50/(1 − q) for a quantile q, so that 50 lie beyond it.
    pub fn answers_needed(self) -> Option<u64> {
        Some((50.0 / (1.0 - self.quantile()?)).round() as u64)
    }

    /// A value with its unit, for readers.
    pub fn show(self, value: f64) -> String {
        match self.unit() {
            "1/s" => crate::units::PerSecond(value).to_string(),
            "bytes" => crate::units::Bytes(value.max(0.0) as u64).to_string(),
            _ => crate::units::Seconds(value).to_string(),
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Metric {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        Metric::ALL
            .into_iter()
            .find(|metric| metric.name() == text)
            .ok_or_else(|| UnknownName {
                what: "metric",
                text: text.to_owned(),
                expected: Metric::ALL.map(Metric::name).join(", "),
            })
    }
}

impl FromStr for Mode {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        Mode::ALL
            .into_iter()
            .find(|mode| mode.name() == text)
            .ok_or_else(|| UnknownName {
                what: "mode",
                text: text.to_owned(),
                expected: Mode::ALL.map(Mode::name).join(", "),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_parsing() {
        for metric in Metric::ALL {
            assert_eq!(metric.name().parse::<Metric>().unwrap(), metric);
        }
        for mode in Mode::ALL {
            assert_eq!(mode.name().parse::<Mode>().unwrap(), mode);
        }
        assert_eq!(
            "fast".parse::<Mode>().unwrap_err().to_string(),
            "`fast` is not a mode: expected one of capacity, cost, batch, command, benchmark"
        );
    }
}
