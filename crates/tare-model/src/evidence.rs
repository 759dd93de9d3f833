//! Raw evidence on two contenders and the floor, from rounds made to explain a gap (docs/explain.md).
//! Explanations are computed from it whenever they are shown ([`crate::explanation`]).

use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::ids::ContenderId;
use crate::metric::Mode;
use crate::units::{Bytes, Seconds};

/// The evidence for one question: why is `b` slower than `a`?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// The workload's name.
    pub workload: String,
    /// The case.
    pub case: String,
    /// How it was driven.
    pub mode: Mode,
    /// At which size, where the case is swept.
    pub size: Option<u64>,
    /// When it was collected, in seconds since 1970 (UTC).
    pub made: i64,
    /// How many cores each contender had.
    pub cores: u32,
    /// The first of the two.
    pub a: ContenderId,
    /// The second.
    pub b: ContenderId,
    /// The least program that does the job, where the case has one.
    pub floor: Option<ContenderId>,
    /// Every process tree that was observed.
    pub subjects: Vec<Observed>,
    /// What could not be collected, and a hint.
    pub notes: Vec<String>,
}

/// One resident contender.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observed {
    /// Which.
    pub id: ContenderId,
    /// Its language, and those that it uses besides.
    pub languages: Vec<String>,
    /// How it was instrumented, in words; none: it ran as usual.
    pub instrumentation: Option<String>,
    /// What gives its functions names, according to its language.
    pub symbols: Option<String>,
    /// The slices, in chronological order.
    pub glances: Vec<Glance>,
    /// Where its time went, by sampled stacks.
    pub profile: Profile,
    /// Output of its garbage collector's log during the rounds.
    pub collector: Option<Collector>,
    /// Activity of its just-in-time compiler during the rounds.
    pub compiled: Option<Compiled>,
    /// Why it did not take part to the end.
    pub fault: Option<Fault>,
}

/// What a slice was measured for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Look {
    /// Only the kernel's counters, read before and after: the undisturbed cost.
    Plain,
    /// With stacks sampled.
    Sampled,
    /// With every system call recorded.
    Traced,
}

/// One slice of one subject.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Glance {
    /// Its purpose.
    pub look: Look,
    /// The number of its round, from 0.
    pub round: u32,
    /// Right answers (iterations) between the two readings in the paused state.
    pub ops: u64,
    /// Wall time from resuming to pausing.
    pub thawed: Seconds,
    /// CPU time of the process tree.
    pub cpu: Seconds,
    /// Resident memory at its end.
    pub memory: Bytes,
    /// The kernel's counters.
    pub counters: Counters,
    /// System calls by name, in a traced slice.
    pub calls: Vec<Calls>,
}

/// The kernel's counters of a process tree over one slice, without the threads and processes that ended in it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counters {
    /// Voluntary context switches: a thread gave up its core to wait.
    pub voluntary: u64,
    /// Involuntary context switches: a thread was preempted.
    pub involuntary: u64,
    /// Page faults that needed no disk.
    pub minor: u64,
    /// Page faults that read from disk.
    pub major: u64,
    /// Processes at the end of the slice.
    pub processes: u32,
    /// Each thread that lived through the slice.
    pub threads: Vec<ThreadTime>,
}

/// One thread in one slice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThreadTime {
    /// Its name.
    pub name: String,
    /// Time on a core.
    pub cpu: Seconds,
    /// Time that it was runnable and waited for a core.
    pub waited: Seconds,
}

/// Calls of one system call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calls {
    /// Its name: `write`.
    pub name: String,
    /// How many returned.
    pub count: u64,
    /// Bytes moved, by calls that move bytes.
    pub bytes: u64,
}

/// Sampled stacks.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Functions; stacks refer to them by index.
    pub frames: Vec<Frame>,
    /// Names of threads; stacks refer to them by index.
    pub threads: Vec<String>,
    /// The stacks, each once for every round and thread in which it was sampled.
    pub stacks: Vec<Stack>,
}

/// A function.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// Its name, as the symbol table has it; empty where there is none.
    pub symbol: String,
    /// The file that it is in, without its folders; `[kernel]`, `[jit]`.
    pub image: String,
    /// Whether that file is the contender's own, made by its build.
    pub own: bool,
}

/// A stack, and the CPU time of its samples.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stack {
    /// The round.
    pub round: u32,
    /// The thread.
    pub thread: u32,
    /// The functions, innermost first.
    pub frames: Vec<u32>,
    /// CPU time that its samples stand for, in nanoseconds.
    pub nanos: u64,
}

/// Totals of a garbage collector's own log over a period.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collector {
    /// Number of collections; 0 where the log does not hold two between which the allocation is known.
    pub collections: u64,
    /// Bytes allocated between the first and the last collection; without collections, an upper bound.
    pub allocated: u64,
    /// Time that the program was paused for collections.
    pub paused: Seconds,
    /// Answers in the same period, over all slices.
    pub ops: u64,
}

/// Activity of a just-in-time compiler during the rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compiled {
    /// Compilations begun; a method compiled twice counts twice.
    pub methods: u64,
    /// Bytes of these methods' bytecode.
    pub bytes: u64,
}

impl Look {
    /// All, in order.
    pub const ALL: [Look; 3] = [Look::Plain, Look::Sampled, Look::Traced];

    /// The name used in stores and documents.
    pub fn name(self) -> &'static str {
        match self {
            Look::Plain => "plain",
            Look::Sampled => "sampled",
            Look::Traced => "traced",
        }
    }

    /// The look of a name.
    pub fn of(name: &str) -> Option<Self> {
        Look::ALL.into_iter().find(|look| look.name() == name)
    }
}

impl Observed {
    /// Slices of one kind, in chronological order.
    pub fn of(&self, look: Look) -> impl Iterator<Item = &Glance> {
        self.glances.iter().filter(move |glance| glance.look == look)
    }
}

impl Evidence {
    /// The subject whose cost counts: the contender without instrumentation.
    pub fn plain(&self, id: &ContenderId) -> Option<&Observed> {
        self.subjects
            .iter()
            .find(|subject| subject.id == *id && subject.instrumentation.is_none())
    }

    /// The subject that was observed: the instrumented one, where there is one.
    pub fn seen(&self, id: &ContenderId) -> Option<&Observed> {
        let instrumented = |subject: &&Observed| subject.id == *id && subject.instrumentation.is_some();
        self.subjects.iter().find(instrumented).or_else(|| self.plain(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_survive_their_names() {
        for look in Look::ALL {
            assert_eq!(Look::of(look.name()), Some(look));
        }
        assert_eq!(Look::of("stared"), None);
    }
}
