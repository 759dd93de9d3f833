//! What was seen of two contenders and the floor in rounds that were made to explain a gap (docs/method.md,
//! explaining a gap): raw material, kept as it is. What it means is computed from it each time
//! ([`crate::explanation`]).

use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::ids::ContenderId;
use crate::metric::Mode;
use crate::units::{Bytes, Seconds};

/// The evidence of one question: why is `b` not as fast as `a`?
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
    /// Every process tree that was looked at.
    pub subjects: Vec<Subject>,
    /// What could not be collected, and a hint.
    pub notes: Vec<String>,
}

/// One resident contender.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// Which.
    pub id: ContenderId,
    /// Its language, and those that it uses besides.
    pub languages: Vec<String>,
    /// What it was run with, in words, so that it could be looked into; none: as it always is.
    pub instrumentation: Option<String>,
    /// What would give its functions names, as its language says.
    pub symbols: Option<String>,
    /// What was measured, in the order of time.
    pub glances: Vec<Glance>,
    /// Where its time went, by sampled stacks.
    pub profile: Profile,
    /// What its garbage collector told while the rounds were made.
    pub collector: Option<Collector>,
    /// What its compiler told meanwhile.
    pub compiled: Option<Compiled>,
    /// Why it is not there to the end.
    pub fault: Option<Fault>,
}

/// What a slice was measured for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Look {
    /// Nothing but the counters of the kernel, read before and after: the cost as it is.
    Plain,
    /// Stacks were sampled meanwhile.
    Sampled,
    /// Every system call was recorded meanwhile.
    Traced,
}

/// One slice of one subject.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Glance {
    /// What it was measured for.
    pub look: Look,
    /// The number of its round, from 0.
    pub round: u32,
    /// Right answers (iterations) between the two frozen readings.
    pub ops: u64,
    /// Wall time from thaw to freeze.
    pub thawed: Seconds,
    /// CPU time of the process tree.
    pub cpu: Seconds,
    /// Resident memory at its end.
    pub memory: Bytes,
    /// What the kernel counted meanwhile.
    pub counters: Counters,
    /// Of a traced slice: what was called, by name.
    pub calls: Vec<Calls>,
}

/// What the kernel counted of a process tree in one slice. Threads and processes that ended in it take their counts
/// with them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counters {
    /// Times that a thread gave up its core, to wait.
    pub voluntary: u64,
    /// Times that a thread was taken off its core.
    pub involuntary: u64,
    /// Page faults that needed no disk.
    pub minor: u64,
    /// Page faults that did.
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
    /// Time that it could have run, and waited for a core.
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
    /// Of those that move bytes: how many they moved.
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
    /// The stacks, each once for every round and thread that it was seen in.
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

/// A stack, and how long it was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stack {
    /// In which round.
    pub round: u32,
    /// In which thread.
    pub thread: u32,
    /// The functions, innermost first.
    pub frames: Vec<u32>,
    /// CPU time that its samples stand for, in nanoseconds.
    pub nanos: u64,
}

/// What a garbage collector's own log says of a time.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collector {
    /// Collections; none where there were no two between which allocation is known.
    pub collections: u64,
    /// Bytes allocated between the first and the last of them; without collections, the most that can have been.
    pub allocated: u64,
    /// Time that the program was stopped for them.
    pub paused: Seconds,
    /// Answers meanwhile, over all slices.
    pub ops: u64,
}

/// What a compiler at run time was told to have done while the rounds were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compiled {
    /// Methods that it began to compile, each as often as it did.
    pub methods: u64,
    /// Bytes of these methods' bytecode.
    pub bytes: u64,
}

impl Look {
    /// All, in their order.
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

impl Subject {
    /// Slices of one kind, in the order of time.
    pub fn of(&self, look: Look) -> impl Iterator<Item = &Glance> {
        self.glances.iter().filter(move |glance| glance.look == look)
    }
}

impl Evidence {
    /// The subject whose cost counts: a contender as it always is.
    pub fn plain(&self, id: &ContenderId) -> Option<&Subject> {
        self.subjects
            .iter()
            .find(|subject| subject.id == *id && subject.instrumentation.is_none())
    }

    /// The subject that was looked into: the instrumented one, where there is one.
    pub fn seen(&self, id: &ContenderId) -> Option<&Subject> {
        let instrumented = |subject: &&Subject| subject.id == *id && subject.instrumentation.is_some();
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
