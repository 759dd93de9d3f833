//! Counters that the kernel keeps for each process and thread anyway: read while a group is paused, before and after a
//! slice.

use std::collections::BTreeMap;
use std::fs;

use tare_model::evidence::{Counters, ThreadTime};
use tare_model::units::Seconds;

use crate::groups::ProcessGroup;
use crate::procfs;

/// The counts of a group's living processes and threads since each began.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// Minor and major faults of each process, including its ended children's.
    processes: BTreeMap<u32, (u64, u64)>,
    threads: BTreeMap<u32, Thread>,
}

/// One thread's counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Thread {
    name: String,
    voluntary: u64,
    involuntary: u64,
    run: u64,
    waited: u64,
}

impl Reading {
    /// Reads them all.
    pub fn take(group: &ProcessGroup) -> Self {
        let mut reading = Self::default();
        for pid in group.procs() {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            if let Some(faults) = parse_faults(&stat) {
                reading.processes.insert(pid, faults);
            }
            for thread in procfs::threads(pid) {
                let folder = format!("/proc/{pid}/task/{thread}");
                let read = |file: &str| fs::read_to_string(format!("{folder}/{file}")).ok();
                if let Some((status, stat)) = read("status").zip(read("schedstat")) {
                    reading.threads.insert(thread, parse_thread(&status, &stat));
                }
            }
        }
        reading
    }

    /// The counts between an earlier reading and this one. Processes born in between count in full.
    pub fn since(&self, before: &Self) -> Counters {
        let nobody = Thread::default();
        let mut counters = Counters {
            processes: self.processes.len() as u32,
            ..Counters::default()
        };
        for (pid, (minor, major)) in &self.processes {
            let (old_minor, old_major) = before.processes.get(pid).copied().unwrap_or_default();
            counters.minor = counters.minor.saturating_add(minor.saturating_sub(old_minor));
            counters.major = counters.major.saturating_add(major.saturating_sub(old_major));
        }
        for (id, now) in &self.threads {
            let old = before.threads.get(id).unwrap_or(&nobody);
            let more = |sum: u64, now: u64, old: u64| sum.saturating_add(now.saturating_sub(old));
            counters.voluntary = more(counters.voluntary, now.voluntary, old.voluntary);
            counters.involuntary = more(counters.involuntary, now.involuntary, old.involuntary);
            let between = |now: u64, old: u64| Seconds::from_nanos(now.saturating_sub(old));
            counters.threads.push(ThreadTime {
                name: now.name.clone(),
                cpu: between(now.run, old.run),
                waited: between(now.waited, old.waited),
            });
        }
        counters
    }
}

/// Minor and major faults, a process's own and those of its children that were waited for: fields 10 to 13 of
/// `/proc/PID/stat` (proc(5)).
fn parse_faults(stat: &str) -> Option<(u64, u64)> {
    let (_, rest) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    let sum = |own: u64, children: u64| own.saturating_add(children);
    Some((sum(number(10)?, number(11)?), sum(number(12)?, number(13)?)))
}

/// A thread of its `status` and `schedstat` (proc(5); kernel documentation, scheduler/sched-stats).
fn parse_thread(status: &str, schedstat: &str) -> Thread {
    let value = |key: &str| {
        status
            .lines()
            .find_map(|line| line.strip_prefix(key))
            .map(str::trim)
    };
    let number = |key: &str| value(key).and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut times = schedstat
        .split_ascii_whitespace()
        .map(|word| word.parse().unwrap_or(0));
    Thread {
        name: value("Name:").unwrap_or_default().to_owned(),
        voluntary: number("voluntary_ctxt_switches:"),
        involuntary: number("nonvoluntary_ctxt_switches:"),
        run: times.next().unwrap_or(0),
        waited: times.next().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(runs: &[(u32, u64, u64)]) -> Reading {
        let thread = |&(id, run, voluntary): &(u32, u64, u64)| {
            let status = format!(
                "Name:\tserver\nvoluntary_ctxt_switches:\t{voluntary}\nnonvoluntary_ctxt_switches:\t7\n"
            );
            (id, parse_thread(&status, &format!("{run} 500 3")))
        };
        let stat = "12 (a) b) S 1 12 12 0 -1 4194560 100 20 3 4 0 0 0 0 20 0 1 0 5";
        Reading {
            processes: BTreeMap::from([(12, parse_faults(stat).unwrap())]),
            threads: runs.iter().map(thread).collect(),
        }
    }

    #[test]
    fn what_lies_between_two_readings_is_counted() {
        let (before, after) = (
            reading(&[(12, 1_000, 5)]),
            reading(&[(12, 3_000, 9), (13, 400, 2)]),
        );
        let counters = after.since(&before);
        assert_eq!((counters.voluntary, counters.involuntary), (4 + 2, 7));
        assert_eq!((counters.minor, counters.major, counters.processes), (0, 0, 1));
        let cpu: Vec<u64> = counters
            .threads
            .iter()
            .map(|thread| (thread.cpu.0 * 1e9).round() as u64)
            .collect();
        assert_eq!(cpu, [2_000, 400]);
        assert_eq!(counters.threads[0].name, "server");
        let born = after.since(&Reading::default());
        assert_eq!((born.minor, born.major), (120, 7));
    }

    /// A thread may choose any name, even one that looks like the lines after it, and a future kernel may have larger counts.
    /// The part of an input after its first empty line is `schedstat`.
    #[test]
    fn fuzz_counts_of_threads() {
        let words = [
            "Name:",
            "voluntary_ctxt_switches:\t",
            "nonvoluntary_ctxt_switches:\t",
            "\n",
            "\n\n",
            ") ",
            " (",
            "-1",
            "18446744073709551615",
            "18446744073709551616",
            "\u{ff}",
        ];
        super::super::harness::fuzz("thread-status", &words, |bytes| {
            let text = String::from_utf8_lossy(bytes);
            let (status, times) = text.split_once("\n\n").unwrap_or((&text, ""));
            let now = parse_thread(status, times);
            assert!(!now.name.contains('\n'));
            let faults = parse_faults(&text).unwrap_or_default();
            let all = Reading {
                processes: BTreeMap::from([(1, faults), (2, faults)]),
                threads: BTreeMap::from([(1, now.clone()), (2, now.clone())]),
            };
            let none = all.since(&all);
            assert_eq!(
                (none.voluntary, none.involuntary, none.minor, none.major),
                (0, 0, 0, 0)
            );
            let born = all.since(&Reading::default());
            assert!(born.voluntary >= now.voluntary && born.minor >= faults.0);
            assert_eq!(born.threads.len(), 2);
        });
    }

    #[test]
    fn a_line_that_is_none_is_nothing() {
        assert_eq!(parse_faults("12 (a"), None);
        assert_eq!(parse_faults("12 (a) S 1 2"), None);
        assert_eq!(parse_thread("", ""), Thread::default());
    }
}
