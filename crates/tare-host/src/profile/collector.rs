//! Garbage collectors' messages in a contender's log, if its language enables them.
//!
//! Each line on a collection has the memory in use before and after it. The bytes allocated between the first and the last
//! collection are the sum of what was in use before each, less what was in use after the previous one. HotSpot also prints
//! at its end what its heap holds: with fewer than two collections, a program has allocated no more than that and what was
//! collected.

use tare_model::evidence::Collector;
use tare_model::units::Seconds;

/// The runtime whose lines they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// HotSpot's `-Xlog:gc` (JEP 271).
    Jvm,
    /// Go's `GODEBUG=gctrace=1` (package runtime).
    Go,
    /// GHC's `+RTS -S` (user's guide, runtime system options).
    Ghc,
    /// `languages/node/collections.js`, from V8's `v8.GCProfiler` (Node.js, module v8).
    V8,
}

/// One collection.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Collection {
    /// Bytes allocated since the previous one, if the line has them; otherwise computed.
    fresh: Option<f64>,
    before: f64,
    after: f64,
    /// Seconds for which the program was stopped.
    paused: f64,
}

impl Collection {
    /// Whether it is possible: a log may hold anything. 2^50 bytes are a petabyte, 10^6 seconds eleven days.
    fn may_be(&self) -> bool {
        let bytes = [self.fresh.unwrap_or(0.0), self.before, self.after];
        let most = (1_u64 << 50) as f64;
        bytes.iter().all(|count| (0.0..most).contains(count)) && (0.0..1e6).contains(&self.paused)
    }
}

impl Dialect {
    /// The dialect that a language's manifest names.
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "jvm" => Some(Self::Jvm),
            "go" => Some(Self::Go),
            "ghc" => Some(Self::Ghc),
            "v8" => Some(Self::V8),
            _ => None,
        }
    }

    /// The sum over a part of a log; none without two collections or a heap's last state. `ops`: answers in that time.
    pub fn read(self, log: &str, ops: u64) -> Option<Collector> {
        let parse = match self {
            Self::Jvm => jvm,
            Self::Go => go,
            Self::Ghc => ghc,
            Self::V8 => v8,
        };
        let all: Vec<Collection> = log.lines().filter_map(parse).filter(Collection::may_be).collect();
        let Some((_, later)) = all.split_first().filter(|(_, later)| !later.is_empty()) else {
            return self.bound(log, &all, ops);
        };
        let pairs = all.iter().zip(later);
        let fresh =
            |(old, new): (&Collection, &Collection)| new.fresh.unwrap_or((new.before - old.after).max(0.0));
        Some(Collector {
            collections: later.len() as u64,
            allocated: pairs.map(fresh).sum::<f64>() as u64,
            paused: Seconds(later.iter().map(|one| one.paused).sum()),
            ops,
        })
    }

    /// The most that can have been allocated, from the heap's last state.
    fn bound(self, log: &str, all: &[Collection], ops: u64) -> Option<Collector> {
        let held: Vec<f64> = match self {
            Self::Jvm => log.lines().filter_map(held).collect(),
            Self::Go | Self::Ghc | Self::V8 => Vec::new(),
        };
        let freed: f64 = all.iter().map(|one| (one.before - one.after).max(0.0)).sum();
        (!held.is_empty()).then(|| Collector {
            collections: 0,
            allocated: (held.iter().sum::<f64>() + freed) as u64,
            paused: Seconds(all.iter().map(|one| one.paused).sum()),
            ops,
        })
    }
}

/// `[9.1s][info][gc,heap,exit]  garbage-first heap   total 397312K, used 5003K [0x…)`: what a generation holds, with the
/// tags `gc,exit` in Java 25. Other parts, such as classes, have no total.
fn held(line: &str) -> Option<f64> {
    let (_, rest) = line.split_once("exit")?;
    let (_, rest) = rest.split_once(" total ")?;
    let (_, rest) = rest.split_once(", used ")?;
    size(rest.split_ascii_whitespace().next()?).filter(|bytes| (0.0..(1_u64 << 50) as f64).contains(bytes))
}

/// `[1.234s][info][gc] GC(7) Pause Young (Normal) (G1 Evacuation Pause) 24M->1M(512M) 1.234ms`. Lines of concurrent
/// phases, which have no arrow, are skipped.
fn jvm(line: &str) -> Option<Collection> {
    let (_, rest) = line.split_once(" GC(").or_else(|| line.split_once("]GC("))?;
    let (_, rest) = rest.split_once(") Pause ")?;
    let mut words = rest.split_ascii_whitespace().rev();
    let paused: f64 = words.next()?.strip_suffix("ms")?.parse().ok()?;
    let (before, after) = words.next()?.split_once("->")?;
    Some(Collection {
        fresh: None,
        before: size(before)?,
        after: size(after.split('(').next()?)?,
        paused: paused / 1e3,
    })
}

/// `24M` in bytes.
fn size(text: &str) -> Option<f64> {
    let unit = match text.chars().last()? {
        'K' => 1024.0,
        'M' => 1024.0 * 1024.0,
        'G' => 1024.0 * 1024.0 * 1024.0,
        'B' => 1.0,
        _ => return None,
    };
    Some(text[..text.len() - 1].parse::<f64>().ok()? * unit)
}

/// `gc 7 @0.5s 2%: 0.02+0.3+0.1 ms clock, 0.2+0.8/0.5/0+0.8 ms cpu, 4->5->1 MB, 4 MB goal, …`: stopped at the start
/// and the end of a cycle; in use at its start, at its end, and live.
fn go(line: &str) -> Option<Collection> {
    let rest = line.strip_prefix("gc ")?;
    let (_, rest) = rest.split_once("%: ")?;
    let (clock, rest) = rest.split_once(" ms clock, ")?;
    let phases: Vec<f64> = clock.split('+').map(|part| part.parse().unwrap_or(0.0)).collect();
    let (_, heap) = rest.split_once(" ms cpu, ")?;
    let (sizes, _) = heap.split_once(" MB")?;
    let sizes: Vec<f64> = sizes
        .split("->")
        .map(|part| part.parse().unwrap_or(f64::NAN))
        .collect();
    let &[before, _, live] = sizes.as_slice() else {
        return None;
    };
    let megabyte = 1024.0 * 1024.0;
    (before.is_finite() && live.is_finite()).then(|| Collection {
        fresh: None,
        before: before * megabyte,
        after: live * megabyte,
        paused: (phases.first().unwrap_or(&0.0) + phases.last().unwrap_or(&0.0)) / 1e3,
    })
}

/// `    4194328     12344     56640  0.000  0.001    0.010    0.020    0    0  (Gen:  0)`: bytes allocated, copied and
/// live, then the collection's CPU and wall time.
fn ghc(line: &str) -> Option<Collection> {
    let (numbers, _) = line.split_once("(Gen:")?;
    let numbers: Vec<f64> = numbers
        .split_ascii_whitespace()
        .map_while(|word| word.parse().ok())
        .collect();
    let &[allocated, _, live, cpu, wall, ..] = numbers.as_slice() else {
        return None;
    };
    Some(Collection {
        fresh: Some(allocated),
        before: live,
        after: live,
        // The wall time of a collection that was paused in the middle is not its own.
        paused: cpu.min(wall),
    })
}

/// `tare: v8: Scavenge, 1048576 bytes new, 4883840 -> 3000000 bytes in use, 1574.14 us`: what one process (there may
/// be several) allocated since its last collection, what it had in use before and after, and for how long it was stopped.
fn v8(line: &str) -> Option<Collection> {
    let rest = line.strip_prefix("tare: v8: ")?;
    let (_, rest) = rest.split_once(", ")?;
    let (fresh, rest) = rest.split_once(" bytes new, ")?;
    let (sizes, rest) = rest.split_once(" bytes in use, ")?;
    let (before, after) = sizes.split_once(" -> ")?;
    let paused: f64 = rest.strip_suffix(" us")?.parse().ok()?;
    Some(Collection {
        fresh: Some(fresh.parse().ok()?),
        before: before.parse().ok()?,
        after: after.parse().ok()?,
        paused: paused / 1e6,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1024 * 1024;

    #[test]
    fn hotspots_lines_are_read() {
        let log = "Picked up JAVA_TOOL_OPTIONS: -Xlog:gc:stderr\n\
                   [0.010s][info][gc] Using G1\n\
                   [1.0s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->1M(512M) 1.500ms\n\
                   [1.5s][info][gc] GC(1) Concurrent Mark Cycle\n\
                   [2.0s][info][gc] GC(2) Pause Young (Normal) (G1 Evacuation Pause) 301M->2M(512M) 2.500ms\n\
                   [2.5s][info][gc] GC(3) Pause Full (System.gc()) 52M->2048K(512M) 10.000ms\n";
        let read = Dialect::Jvm.read(log, 10).unwrap();
        assert_eq!((read.collections, read.allocated, read.ops), (2, 350 * MIB, 10));
        assert!((read.paused.0 - 0.0125).abs() < 1e-12);
    }

    #[test]
    fn a_heap_that_was_never_collected_bounds_what_was_allocated() {
        let end = "[3.0s][info][gc,heap,exit] Heap\n\
                   [3.0s][info][gc,heap,exit]  garbage-first heap   total 397312K, used 5120K [0x0000000687400000, 0x0)\n\
                   [3.0s][info][gc,heap,exit]   region size 4096K, 1 young (4096K), 0 survivors (0K)\n\
                   [3.0s][info][gc,heap,exit]  Metaspace       used 52K, committed 128K, reserved 1114112K\n";
        let read = Dialect::Jvm.read(end, 10).unwrap();
        assert_eq!((read.collections, read.allocated, read.ops), (0, 5 * MIB, 10));
        let once = format!(
            "[1.0s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->1M(512M) 1.500ms\n{end}"
        );
        assert_eq!(Dialect::Jvm.read(&once, 10).unwrap().allocated, 28 * MIB);
        let by_generation = "[3s][info][gc,exit     ]  DefNew     total 9216K, used 1024K [0x0)\n\
                             [3s][info][gc,exit     ]   eden space 8192K,   5% used [0x0)\n\
                             [3s][info][gc,exit     ]  Tenured    total 9216K, used 2048K [0x0)\n";
        assert_eq!(Dialect::Jvm.read(by_generation, 1).unwrap().allocated, 3 * MIB);
        assert_eq!(Dialect::Ghc.read(end, 1), None);
    }

    #[test]
    fn gos_lines_are_read() {
        let log = "listening\n\
                   gc 1 @0.012s 2%: 0.026+0.39+0.10 ms clock, 0.21+0.88/0.52/0+0.81 ms cpu, 4->4->1 MB, 4 MB goal, 8 P\n\
                   gc 2 @0.020s 2%: 0.020+0.39+0.030 ms clock, 0.21+0.88/0.52/0+0.81 ms cpu, 5->5->2 MB, 4 MB goal, 0 MB \
                   stacks, 0 MB globals, 8 P\n";
        let read = Dialect::Go.read(log, 4).unwrap();
        assert_eq!((read.collections, read.allocated), (1, 4 * MIB));
        assert!((read.paused.0 - 5e-5).abs() < 1e-12);
    }

    #[test]
    fn ghcs_lines_are_read() {
        let log = "    Alloc    Copied     Live     GC     GC      TOT      TOT  Page Flts\n\
                   \x20   bytes     bytes     bytes   user   elap     user     elap\n\
                   \x20 4194328     12344     56640  0.000  0.001    0.010    0.020    0    0  (Gen:  0)\n\
                   \x20 2000000     12344     56640  0.003  0.002    0.010    0.020    0    0  (Gen:  1)\n\
                   \x20 2000000     12344     56640  0.001  7.500    0.010    7.520    0    0  (Gen:  1)\n";
        let read = Dialect::Ghc.read(log, 4).unwrap();
        assert_eq!(
            (read.collections, read.allocated, read.paused),
            (2, 4_000_000, Seconds(0.003))
        );
    }

    #[test]
    fn v8s_lines_are_read() {
        // Two processes of one contender, each with a heap of its own.
        let log = "listening\n\
                   tare: v8: Scavenge, 2000 bytes new, 4883840 -> 3000000 bytes in use, 900.5 us\n\
                   tare: v8: Scavenge, 1048576 bytes new, 9000000 -> 3000000 bytes in use, 1500.25 us\n\
                   tare: v8: MarkSweepCompact, 1048576 bytes new, 4048576 -> 2000000 bytes in use, 500 us\n";
        let read = Dialect::V8.read(log, 4).unwrap();
        assert_eq!((read.collections, read.allocated), (2, 2 * MIB));
        assert!((read.paused.0 - 0.00200025).abs() < 1e-12);
    }

    #[test]
    fn one_collection_or_none_says_nothing() {
        for dialect in [Dialect::Jvm, Dialect::Go, Dialect::Ghc, Dialect::V8] {
            assert_eq!(dialect.read("", 1), None);
            assert_eq!(
                dialect.read(
                    "gc 1 @\n GC( Pause M->\n(Gen: 0)\ntare: v8: , bytes new\n\u{fffd}",
                    1
                ),
                None
            );
        }
        assert_eq!(Dialect::of("jvm"), Some(Dialect::Jvm));
        assert_eq!(Dialect::of("perl"), None);
    }
}
