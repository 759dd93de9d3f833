//! What was counted per operation, of each side.

use std::collections::BTreeMap;

use tare_model::evidence::{Evidence, Glance, Look, Observed};
use tare_model::explanation::{Count, Sides, Unit};

use crate::sides::flat;

/// System calls that do the same for a program, under several names.
pub(crate) const FAMILIES: [(&str, &[&str]); 6] = [
    (
        "write",
        &[
            "write", "writev", "pwrite64", "sendto", "sendmsg", "sendmmsg", "sendfile", "splice",
        ],
    ),
    (
        "read",
        &["read", "readv", "pread64", "recvfrom", "recvmsg", "recvmmsg"],
    ),
    (
        "wait",
        &[
            "epoll_wait",
            "epoll_pwait",
            "epoll_pwait2",
            "poll",
            "ppoll",
            "select",
            "pselect6",
            "io_uring_enter",
            "nanosleep",
            "clock_nanosleep",
        ],
    ),
    ("futex", &["futex"]),
    ("epoll_ctl", &["epoll_ctl"]),
    (
        "memory",
        &["mmap", "munmap", "madvise", "mprotect", "brk", "mremap"],
    ),
];

/// Calls that start a process or a program.
pub(crate) const STARTS: [&str; 5] = ["execve", "clone", "clone3", "fork", "vfork"];

/// The counts of one side.
#[derive(Debug, Clone, Default)]
pub(crate) struct Side {
    /// Calls and bytes per operation, by name.
    pub calls: BTreeMap<String, (f64, f64)>,
    /// Whether calls were recorded.
    pub traced: bool,
    /// Cores used on average.
    pub cores: Option<f64>,
    /// Share of the duration in which the contender neither ran nor waited for a core: of one core, where it would have
    /// used at most one.
    pub off: Option<f64>,
    /// Time ready to run but without a core, over time on cores.
    pub queued: Option<f64>,
    /// Context switches per operation that a thread made to wait, and that were made to it.
    pub switches: Option<(f64, f64)>,
    /// Page faults per operation, without and with the disk.
    pub faults: Option<(f64, f64)>,
    /// Resident memory, the median of slices.
    pub memory: Option<f64>,
    /// Threads that worked: that used at least a hundredth of the CPU.
    pub working: Option<f64>,
    /// Bytes allocated per operation, from the collector's log.
    pub allocated: Option<f64>,
    /// Whether that is an upper bound, and the real value may be much lower.
    pub at_most: bool,
    /// Seconds that the program was stopped for collections, per operation.
    pub paused: Option<f64>,
    /// Methods compiled at run time while the rounds were made.
    pub compiled: Option<f64>,
}

/// The counts of all sides.
#[derive(Debug, Clone)]
pub(crate) struct Counted(pub Sides<Side>);

impl Counted {
    /// From the evidence: counters of plain runs, calls and collections of instrumented ones.
    pub(crate) fn of(evidence: &Evidence) -> Self {
        let ids = Sides::new(Some(&evidence.a), Some(&evidence.b), evidence.floor.as_ref());
        Self(flat(ids.map(|id| {
            let (plain, seen) = (evidence.plain(id)?, evidence.seen(id)?);
            Some(Side::of(plain, seen, evidence.cores))
        })))
    }

    /// As rows of a table: those that some side has.
    pub(crate) fn rows(&self) -> Vec<Count> {
        let mut rows = Vec::new();
        let mut row = |name: &str, unit, value: &dyn Fn(&Side) -> Option<f64>| {
            let value =
                flat(Sides::new(self.0.a.as_ref(), self.0.b.as_ref(), self.0.floor.as_ref()).map(value));
            if value.a.or(value.b).or(value.floor).is_some() {
                rows.push(Count {
                    name: name.to_owned(),
                    unit,
                    value,
                });
            }
        };
        let each = Unit::PerOperation;
        row("cores used", Unit::Number, &|side| side.cores);
        row("time asleep", Unit::Share, &|side| side.off);
        row("waiting for a core, over time on one", Unit::Share, &|side| {
            side.queued
        });
        row("threads that worked", Unit::Number, &|side| side.working);
        row("system calls", each, &|side| {
            side.traced
                .then(|| side.calls.values().map(|(count, _)| count).sum())
        });
        for name in self.called() {
            row(&format!("{name} calls"), each, &|side| {
                side.traced
                    .then(|| side.calls.get(&name).map_or(0.0, |(count, _)| *count))
            });
        }
        for (name, family) in [("bytes written", FAMILIES[0].1), ("bytes read", FAMILIES[1].1)] {
            row(name, Unit::BytesPerOperation, &|side| {
                side.traced.then(|| side.moved(family))
            });
        }
        row("voluntary switches", each, &|side| {
            side.switches.map(|(own, _)| own)
        });
        row("involuntary switches", each, &|side| {
            side.switches.map(|(_, forced)| forced)
        });
        row("minor faults", each, &|side| side.faults.map(|(minor, _)| minor));
        row("major faults", each, &|side| side.faults.map(|(_, major)| major));
        row("allocated", Unit::BytesPerOperation, &|side| side.allocated);
        row("stopped for collections", Unit::SecondsPerOperation, &|side| {
            side.paused
        });
        row("methods compiled in all rounds", Unit::Number, &|side| {
            side.compiled
        });
        row("resident memory", Unit::Bytes, &|side| side.memory);
        rows
    }

    /// Calls that any side makes often enough to be named: one in a hundred operations.
    fn called(&self) -> Vec<String> {
        let sides = [&self.0.a, &self.0.b, &self.0.floor].into_iter().flatten();
        let mut most: BTreeMap<&str, f64> = BTreeMap::new();
        for (name, (count, _)) in sides.flat_map(|side| &side.calls) {
            let known = most.entry(name).or_default();
            *known = known.max(*count);
        }
        let mut named: Vec<(&str, f64)> = most.into_iter().filter(|(_, count)| *count >= 0.01).collect();
        named.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(y.0)));
        named.into_iter().map(|(name, _)| name.to_owned()).collect()
    }
}

impl Side {
    fn of(plain: &Observed, seen: &Observed, cores: u32) -> Self {
        let glances: Vec<&Glance> = plain.of(Look::Plain).filter(|glance| glance.ops > 0).collect();
        if glances.is_empty() {
            return Self::default();
        }
        let sum = |value: &dyn Fn(&Glance) -> f64| glances.iter().map(|glance| value(glance)).sum::<f64>();
        let (ops, cpu, thawed) = (
            sum(&|g| g.ops as f64),
            sum(&|g| g.cpu.0),
            sum(&|g| g.thawed.0).max(f64::MIN_POSITIVE),
        );
        let each = |value: &dyn Fn(&Glance) -> f64| sum(value) / ops;
        let waited = waited(&glances);
        // It cannot be off more cores than it can use at once: a single thread is off at most one. Waiting for a core
        // does not count.
        let would = (cpu + waited) / thawed;
        let could = would.ceil().clamp(1.0, f64::from(cores.max(1)));
        let (calls, traced) = calls(seen);
        let collector = seen.collector.filter(|collector| collector.ops > 0);
        Self {
            calls,
            traced,
            cores: Some(cpu / thawed),
            off: Some((1.0 - would / could).clamp(0.0, 1.0)),
            queued: Some(waited / cpu.max(f64::MIN_POSITIVE)),
            switches: Some((
                each(&|g| g.counters.voluntary as f64),
                each(&|g| g.counters.involuntary as f64),
            )),
            faults: Some((
                each(&|g| g.counters.minor as f64),
                each(&|g| g.counters.major as f64),
            )),
            memory: median(glances.iter().map(|glance| glance.memory.0 as f64).collect()),
            working: Some(working(&glances)),
            allocated: collector.map(|collector| collector.allocated as f64 / collector.ops as f64),
            at_most: collector.is_some_and(|collector| collector.collections == 0),
            paused: collector.map(|collector| collector.paused.0 / collector.ops as f64),
            compiled: seen.compiled.map(|compiled| compiled.methods as f64),
        }
    }

    /// Calls of a family per operation.
    pub(crate) fn count(&self, family: &[&str]) -> f64 {
        family
            .iter()
            .filter_map(|name| self.calls.get(*name))
            .map(|(count, _)| count)
            .sum()
    }

    fn moved(&self, family: &[&str]) -> f64 {
        family
            .iter()
            .filter_map(|name| self.calls.get(*name))
            .map(|(_, bytes)| bytes)
            .sum()
    }
}

fn calls(subject: &Observed) -> (BTreeMap<String, (f64, f64)>, bool) {
    let traced: Vec<&Glance> = subject.of(Look::Traced).filter(|glance| glance.ops > 0).collect();
    let ops: f64 = traced.iter().map(|glance| glance.ops as f64).sum();
    let mut calls: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for call in traced.iter().flat_map(|glance| &glance.calls) {
        let (count, bytes) = calls.entry(call.name.clone()).or_default();
        *count += call.count as f64 / ops;
        *bytes += call.bytes as f64 / ops;
    }
    (calls, !traced.is_empty())
}

fn waited(glances: &[&Glance]) -> f64 {
    let threads = glances.iter().flat_map(|glance| &glance.counters.threads);
    threads.map(|thread| thread.waited.0).sum()
}

/// The mean over slices of how many threads used at least a hundredth of all threads' time.
fn working(glances: &[&Glance]) -> f64 {
    let of = |glance: &&Glance| {
        let threads = &glance.counters.threads;
        let all: f64 = threads.iter().map(|thread| thread.cpu.0).sum();
        threads
            .iter()
            .filter(|thread| thread.cpu.0 > 0.0 && thread.cpu.0 >= 0.01 * all)
            .count() as f64
    };
    glances.iter().map(of).sum::<f64>() / glances.len() as f64
}

fn median(values: Vec<f64>) -> Option<f64> {
    tare_stats::huber::median(&values)
}

#[cfg(test)]
mod tests {
    use tare_model::evidence::Compiled;

    use super::*;
    use crate::findings::fixture::{Made, evidence};

    #[test]
    fn what_one_side_alone_is_known_of_has_a_row() {
        let made = Made::default();
        let mut asked = evidence(("java", &made), ("c", &made));
        asked.subjects[0].compiled = Some(Compiled {
            methods: 3,
            bytes: 47,
        });
        let rows = Counted::of(&asked).rows();
        let row = rows.iter().find(|row| row.name.starts_with("methods compiled"));
        let row = row.expect("it is known of one");
        assert_eq!((row.value.a, row.value.b), (Some(3.0), None));
        assert!(rows.iter().all(|row| row.name != "allocated"), "no log has it");
    }
}
