//! What one slice yields: the raw data behind every figure, stored unchanged.

use crate::figure::Figure;
use crate::histogram::Histogram;
use crate::metric::Metric;
use crate::tls::TlsReading;
use crate::units::{Bytes, Seconds, Share};

/// The request counts of a slice; they balance: `sent = valid + invalid + lost`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequestCounts {
    /// Requests whose first byte was passed to the kernel.
    pub sent: u64,
    /// Answers that were right.
    pub valid: u64,
    /// Answers that were wrong.
    pub invalid: u64,
    /// Requests without an answer at the timeout, or when the connection closed.
    pub lost: u64,
}

/// What the load generator saw of a slice.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LoadReading {
    /// Connections driven (of each load program, in a batch); 0: in process, by the contender's own loop and clock.
    pub connections: u32,
    /// From the first send to the end of the measured time; in process: the time that the contender reported.
    pub wall: Seconds,
    /// Right answers within `wall`: what throughput counts.
    pub answers: u64,
    /// The whole slice's request counts, drain included.
    pub requests: RequestCounts,
    /// Requests that were due and never sent, because every connection was full to the end; they are in no count and no
    /// latency. Only `tare load` drops them: the slices of a run send every request that is due.
    pub unsent: u64,
    /// Latency of each right answer; open loop: from the intended send time.
    pub latency: Histogram,
    /// How late the generator sent, against the intended time (open loop only).
    pub lag: Histogram,
    /// Duration of each load program (batch only).
    pub programs: Vec<Seconds>,
    /// Bytes sent by the generator.
    pub bytes_out: Bytes,
    /// Bytes received by the generator.
    pub bytes_in: Bytes,
    /// Share of the right answers whose bytes were all checked.
    pub checked: Share,
    /// CPU time that the generator's threads used.
    pub cpu: Seconds,
    /// Share of `wall` that the generator's busiest thread worked (not waiting).
    pub busy: Share,
    /// Connections that had to be opened again before the slice, because the contender had closed idle ones.
    pub reopened: u32,
    /// TCP segments retransmitted on the whole machine during the slice, and connections dropped by full backlogs.
    pub retransmits: u64,
    /// Times that a listener's backlog overflowed on the whole machine during the slice.
    pub overflows: u64,
    /// The fewest streams that the server allowed on a connection (HTTP/2), where those were fewer than the requests in
    /// flight that were asked for.
    pub streams: Option<u32>,
    /// What was seen of TLS; none of connections in clear.
    pub tls: Option<TlsReading>,
}

/// What the host saw of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HostReading {
    /// CPU time of the contender's process tree between the two readings in the paused state.
    pub cpu: Seconds,
    /// Of that, what threads used that compile code while it runs, as far as their names tell: HotSpot's, OpenJ9's, .NET's.
    pub compilers: Seconds,
    /// Wall time that the contender was running (not paused).
    pub thawed: Seconds,
    /// Share of its cores that the contender kept busy in that time.
    pub busy: Share,
    /// Resident memory of the tree at the end of the slice.
    pub memory: Bytes,
    /// Highest resident memory of the tree since its start, as far as the kernel reports it.
    pub memory_peak: Bytes,
    /// Context switches of the tree, voluntary and not.
    pub switches: u64,
    /// Time stolen by the hypervisor, over all cores.
    pub steal: Seconds,
    /// Share of time in which some task waited for a CPU (pressure stall information), where the kernel
    /// reports it.
    pub pressure: Option<Share>,
}

/// What a service used during a slice.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ServiceReading {
    /// The service's name.
    pub name: String,
    /// CPU time of its process tree between the contender's two readings. A service is never paused.
    pub cpu: Seconds,
}

/// One slice of one contender.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SliceReading {
    /// When it began, in seconds since the run began.
    pub began: Seconds,
    /// What the load generator saw.
    pub load: LoadReading,
    /// What the host saw.
    pub host: HostReading,
    /// What the services of its case used during the slice: not part of the contender's cost.
    pub services: Vec<ServiceReading>,
    /// What a benchmark's harness printed; empty of all else.
    pub figures: Vec<Figure>,
}

impl RequestCounts {
    /// Whether the request counts balance.
    pub fn balance(&self) -> bool {
        self.sent == self.valid + self.invalid + self.lost
    }
}

impl SliceReading {
    /// The slice's value on a metric; none where it holds too few answers.
    ///
    /// `cpu_per_op` divides the CPU time between the two readings by *all* right answers between them, settling and
    /// draining included. A quantile `q` needs 50/(1−q) answers.
    pub fn value(&self, metric: Metric) -> Option<f64> {
        let right = self.load.requests.valid;
        let value = match metric {
            Metric::Throughput => self.load.answers as f64 / self.load.wall.0,
            Metric::CpuPerOp => self.host.cpu.0 / right as f64,
            Metric::TimePerOp => self.load.wall.0 / self.load.answers as f64,
            Metric::Duration => {
                let programs = &self.load.programs;
                programs.iter().map(|duration| duration.0).sum::<f64>() / programs.len() as f64
            }
            Metric::MemoryPeak => self.host.memory_peak.0 as f64,
            Metric::LatencyP50 | Metric::LatencyP90 | Metric::LatencyP99 | Metric::LatencyP999 => {
                self.latency(metric)?
            }
        };
        (value.is_finite() && value > 0.0).then_some(value)
    }

    fn latency(&self, metric: Metric) -> Option<f64> {
        let enough = self.load.latency.count() >= metric.answers_needed()?;
        let nanos = self
            .load
            .latency
            .quantile(metric.quantile()?)
            .filter(|_| enough)?;
        Some(Seconds::from_nanos(nanos).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_needs_its_answers() {
        let mut slice = SliceReading::default();
        (0..4999).for_each(|_| slice.load.latency.record(1000));
        assert_eq!(slice.value(Metric::LatencyP99), None);
        slice.load.latency.record(1000);
        assert_eq!(slice.value(Metric::LatencyP99), Some(1e-6));
    }

    #[test]
    fn nothing_measured_is_no_figure() {
        let slice = SliceReading::default();
        assert!(Metric::ALL.iter().all(|&metric| slice.value(metric).is_none()));
    }

    #[test]
    fn cpu_counts_every_answer_and_throughput_only_those_in_time() {
        let mut slice = SliceReading::default();
        slice.load.wall = Seconds(0.5);
        slice.load.answers = 100;
        slice.load.requests = RequestCounts {
            sent: 110,
            valid: 110,
            ..Default::default()
        };
        slice.host.cpu = Seconds(0.011);
        assert_eq!(slice.value(Metric::Throughput), Some(200.0));
        assert!((slice.value(Metric::CpuPerOp).unwrap() - 1e-4).abs() < 1e-12);
    }
}
