//! What a harness can be asked.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tare_model::figure::{Figure, Quantity};

use crate::command::{Command, Done};
use crate::figure::fault;
use crate::refused::Refused;
use crate::text::{name_fault, short, shown};
use crate::tree::Tree;

/// A benchmark harness: it describes commands, and reads what they left.
///
/// A folder that is called `scratch` is one that the caller makes, empty, for one command; its path is absolute.
pub trait Harness: Sync {
    /// What it is called: `go`, `criterion`.
    fn name(&self) -> &'static str;

    /// Where a project uses it.
    fn found(&self, tree: &Tree) -> Vec<Suite>;

    /// The commands that build a suite, one after the other; none where nothing is built.
    ///
    /// # Errors
    /// It cannot be built by this room.
    fn build(&self, suite: &Suite, places: &Places) -> Result<Vec<Command>, Refused>;

    /// What was built. `done`: what came of the commands of [`Harness::build`], all of which ended well.
    ///
    /// # Errors
    /// Nothing of the suite was built.
    fn built(&self, suite: &Suite, places: &Places, done: &[Done]) -> Result<Vec<Program>, Refused>;

    /// Commands that print the versions of what builds a suite. None where that cannot be known: then nothing that was built may
    /// be used again.
    fn tools(&self, _suite: &Suite, _places: &Places) -> Vec<Command> {
        Vec::new()
    }

    /// Ways to link what [`Harness::build`] built once more, with the functions in another order for each seed; the first that
    /// works is taken. Its programs are read by [`Harness::built`]. None where nothing is linked, or nothing can do that.
    fn shuffle(&self, _suite: &Suite, _places: &Places, _programs: &[Program], _seed: u64) -> Vec<Way> {
        Vec::new()
    }

    /// Files and folders of a tree, relative to its root, that are a suite's benchmarks and their inputs, and nothing of what
    /// these measure; some may not exist. Empty where one cannot be told from the other.
    fn own_files(&self, _tree: &Tree, _suite: &Suite) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Those of [`Harness::own_files`] that hold benchmarks themselves: these alone are taken over where all of them cannot be
    /// built with what they would measure. Empty where they cannot stand alone.
    fn least_files(&self, _tree: &Tree, _suite: &Suite) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Benchmarks that sources name, as far as text shows it: the program of each, and its name or that of the group it is in.
    fn declared(&self, _tree: &Tree, _suite: &Suite) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The text of a benchmark itself, without what it measures: where that differs, it is another benchmark. None where it is
    /// not known.
    fn source(&self, _tree: &Tree, _suite: &Suite, _program: &str, _benchmark: &str) -> Option<String> {
        None
    }

    /// Lists the benchmarks of a program, or of one of the groups that this listing gave.
    fn list(&self, program: &Program, group: Option<&Group>, scratch: &Path) -> Command;

    /// What was listed.
    ///
    /// # Errors
    /// The program failed, or names no benchmark.
    fn listed(&self, program: &Program, group: Option<&Group>, done: &Done) -> Result<Listing, Refused>;

    /// Runs one benchmark, and no other if the harness can, for one sample.
    fn sample(&self, program: &Program, benchmark: &Benchmark, effort: Effort, scratch: &Path) -> Command;

    /// The figures of a sample.
    ///
    /// # Errors
    /// The program failed, or gave no result, or more than one; whatever its exit status.
    fn sampled(&self, benchmark: &Benchmark, done: &Done) -> Result<Sample, Refused>;
}

/// Benchmarks that are built together. Its paths are relative to the tree's root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suite {
    /// The folder of its manifest.
    pub folder: PathBuf,
    /// What people call it: a package, a folder.
    pub name: String,
    /// Which of its sources or targets have benchmarks.
    pub parts: Vec<String>,
    /// What shows that it is there: `go.mod, words_test.go`.
    pub why: String,
}

/// Where a suite is built.
#[derive(Debug, Clone, Copy)]
pub struct Places<'a> {
    /// The root of the checkout: an absolute path.
    pub root: &'a Path,
    /// A folder that is this build's own: an absolute path.
    pub out: &'a Path,
}

/// A way to link programs with their functions in a random order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The linker that does it: `lld`.
    pub linker: &'static str,
    /// The commands, one after the other.
    pub commands: Vec<Command>,
}

/// What runs benchmarks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// What people call it.
    pub name: String,
    /// A path, or a name that is looked up in `PATH`.
    pub executable: PathBuf,
    /// What it is always given, before all else.
    pub args: Vec<OsString>,
    /// Variables that are set for it.
    pub env: Vec<(String, OsString)>,
    /// Where it runs, since benchmarks read files beside their sources.
    pub folder: PathBuf,
}

impl Program {
    /// A program that is there already.
    pub fn new(name: &str, executable: impl Into<PathBuf>, folder: impl Into<PathBuf>) -> Self {
        Self {
            name: name.to_owned(),
            executable: executable.into(),
            args: Vec::new(),
            env: Vec::new(),
            folder: folder.into(),
        }
    }

    /// The same program in another file.
    #[must_use]
    pub fn moved(self, executable: PathBuf) -> Self {
        Self { executable, ..self }
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.executable, &self.folder).args(self.args.iter().cloned());
        command.env.extend(self.env.iter().cloned());
        command
    }
}

/// One benchmark of a program. Its name can be shown: it has no control characters, and a bounded length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Benchmark {
    name: String,
    /// The arguments that choose it.
    pub(crate) select: Vec<String>,
}

impl Benchmark {
    /// Its name; unique in its program.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn tried(&self) -> String {
        format!("measure {}", self.name)
    }
}

/// Benchmarks that only a further listing names: a test function with benchmarks in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    pub(crate) name: String,
}

impl Group {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// What cannot be used, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// What: a benchmark, a figure.
    pub what: String,
    /// Why.
    pub why: String,
}

impl LeftOut {
    pub(crate) fn new(what: &str, why: impl AsRef<str>) -> Self {
        Self {
            what: shown(&short(what)),
            why: shown(why.as_ref()),
        }
    }
}

/// What a program has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Benchmarks.
    pub benchmarks: Vec<Benchmark>,
    /// What has to be listed by itself.
    pub groups: Vec<Group>,
    /// Benchmarks that cannot be run, or cannot be run alone.
    pub left_out: Vec<LeftOut>,
}

/// The most benchmarks of a program. The largest suites that were seen have some thousands.
const MOST_BENCHMARKS: usize = 20_000;

impl Listing {
    pub(crate) fn add(&mut self, name: &str, select: Vec<String>) {
        let count = self.benchmarks.len() + self.left_out.len();
        if count >= MOST_BENCHMARKS {
            if count == MOST_BENCHMARKS {
                let why = format!(
                    "it has more than {MOST_BENCHMARKS} benchmarks: this and what follows is not taken"
                );
                self.left_out.push(LeftOut::new(name, why));
            }
        } else if let Some(why) = name_fault(name) {
            self.left_out.push(LeftOut::new(name, why));
        } else {
            let name = name.to_owned();
            self.benchmarks.push(Benchmark { name, select });
        }
    }

    pub(crate) fn add_group(&mut self, name: &str) {
        match name_fault(name) {
            Some(why) => self.left_out.push(LeftOut::new(name, why)),
            None => self.groups.push(Group {
                name: name.to_owned(),
            }),
        }
    }

    /// Several of one name cannot be chosen alone, nor told from each other: none of them is kept.
    pub(crate) fn only_unique(mut self) -> Self {
        let mut counts = std::collections::BTreeMap::<String, usize>::new();
        for benchmark in &self.benchmarks {
            *counts.entry(benchmark.name.clone()).or_default() += 1;
        }
        self.benchmarks.retain(|benchmark| counts[&benchmark.name] == 1);
        let twice = counts.into_iter().filter(|(_, count)| *count > 1);
        let twice =
            twice.map(|(name, count)| LeftOut::new(&name, format!("{count} benchmarks have this name")));
        self.left_out.extend(twice);
        self
    }

    /// Where a harness names one benchmark again and again, for each of its modes or passes.
    pub(crate) fn once_each(mut self) -> Self {
        let mut seen = std::collections::BTreeSet::new();
        self.benchmarks
            .retain(|benchmark| seen.insert(benchmark.name.clone()));
        self.left_out.retain(|out| seen.insert(out.what.clone()));
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.benchmarks.is_empty() && self.groups.is_empty()
    }
}

/// How much one sample does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Effort {
    /// About so long. Some harnesses have a least of their own.
    Time(Duration),
    /// So many iterations: the same work on both sides.
    Iterations(u64),
}

impl Effort {
    /// The time, or what stands for it where a harness is given iterations that it cannot fix.
    pub(crate) fn time(self) -> Duration {
        match self {
            Self::Time(time) => time,
            Self::Iterations(_) => Duration::from_millis(50),
        }
    }
}

/// What one process measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Its figures; at least one.
    pub figures: Vec<Figure>,
    /// How many iterations it took, if the harness can be told to do as many again.
    pub iterations: Option<u64>,
    /// Figures that are none.
    pub left_out: Vec<LeftOut>,
}

/// The most figures of a sample.
const MOST_FIGURES: usize = 100;

impl Sample {
    /// # Errors
    /// Nothing is left, or the time is no time.
    pub(crate) fn of(benchmark: &Benchmark, figures: Vec<Figure>) -> Result<Self, Refused> {
        let refused = |found: &str| {
            let hint = "see what the benchmark does by itself; a result of nothing cannot be compared";
            Refused::new(&benchmark.tried(), found, hint)
        };
        if figures.is_empty() || figures.len() > MOST_FIGURES {
            return Err(refused(&format!("it has {} figures", figures.len())));
        }
        let (mut good, mut left_out) = (Vec::new(), Vec::new());
        for figure in figures {
            match fault(&figure) {
                None => good.push(figure),
                Some(why) if figure.quantity == Quantity::Time => return Err(refused(&why)),
                Some(why) => left_out.push(LeftOut::new(&format!("{:?}", figure.quantity), why)),
            }
        }
        if good.is_empty() {
            return Err(refused("none of its figures is a number"));
        }
        Ok(Self {
            figures: good,
            iterations: None,
            left_out,
        })
    }

    pub(crate) fn iterations(self, iterations: Option<u64>) -> Self {
        Self { iterations, ..self }
    }

    /// Seconds an iteration, if there is one such figure.
    pub fn time(&self) -> Option<f64> {
        let mut times = self
            .figures
            .iter()
            .filter(|figure| figure.quantity == Quantity::Time);
        times.next().map(|figure| figure.value)
    }

    /// The effort of further samples, of about this length: a fixed count of iterations where that can be had.
    pub fn again(&self, length: Duration) -> Effort {
        match (self.iterations, self.time()) {
            (Some(_), Some(time)) => Effort::Iterations((length.as_secs_f64() / time).clamp(1.0, 1e9) as u64),
            _ => Effort::Time(length),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn benchmark() -> Benchmark {
        Benchmark {
            name: "a".to_owned(),
            select: Vec::new(),
        }
    }

    #[test]
    fn a_sample_keeps_figures_that_are_some() {
        let custom = |value| Figure::of(Quantity::Custom("words/op".to_owned()), value);
        let sample = Sample::of(&benchmark(), vec![Figure::time(1e-6), custom(f64::NAN)]).unwrap();
        assert_eq!((sample.figures.len(), sample.left_out.len()), (1, 1));
        assert!(Sample::of(&benchmark(), vec![Figure::time(0.0), custom(1.0)]).is_err());
        assert!(Sample::of(&benchmark(), vec![custom(f64::NAN)]).is_err());
        assert!(Sample::of(&benchmark(), vec![]).is_err());
        assert!(Sample::of(&benchmark(), vec![custom(1.0); 101]).is_err());
    }

    #[test]
    fn further_samples_do_the_same_work_where_they_can() {
        let sample = Sample::of(&benchmark(), vec![Figure::time(1e-6)]).unwrap();
        let length = Duration::from_millis(20);
        assert_eq!(sample.again(length), Effort::Time(length));
        let counted = sample.clone().iterations(Some(100));
        assert_eq!(counted.again(length), Effort::Iterations(20_000));
        let slow = Sample::of(&benchmark(), vec![Figure::time(7.0)]).unwrap();
        assert_eq!(slow.iterations(Some(1)).again(length), Effort::Iterations(1));
    }

    #[test]
    fn benchmarks_of_one_name_are_left_out_or_one() {
        let mut listing = Listing::default();
        for name in ["a", "b", "a", "bad\u{7}"] {
            listing.add(name, vec![]);
        }
        let names = |listing: &Listing| -> Vec<String> {
            listing.benchmarks.iter().map(|one| one.name.clone()).collect()
        };
        assert_eq!(names(&listing.clone().once_each()), ["a", "b"]);
        let unique = listing.only_unique();
        assert_eq!(names(&unique), ["b"]);
        let why: Vec<&str> = unique.left_out.iter().map(|out| out.why.as_str()).collect();
        assert_eq!(
            why,
            ["its name has control characters", "2 benchmarks have this name"]
        );
        assert_eq!(unique.left_out[0].what, "bad\\u{7}");
    }
}
