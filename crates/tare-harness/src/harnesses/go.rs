//! Go's `testing`. Tried with Go 1.26.
//!
//! A test binary a package, run in the package's folder, where its `testdata` is. `-test.list` hides sub-benchmarks: these
//! are listed by one iteration of each function, one function a process, so that one that panics hides no other. `-test.v`
//! has results on lines of their own, whatever the benchmark prints.

use std::path::{Path, PathBuf};

use tare_model::figure::{Figure, Quantity};

use crate::command::{Command, Done};
use crate::figure::{Entry, from_line};
use crate::gotext;
use crate::harness::{
    Benchmark, Effort, Group, Harness, LeftOut, Listing, Places, Program, Sample, Suite, Way,
};
use crate::output::{bounded, ended_well, failed, listing_of, no_result, not_empty, several};
use crate::refused::Refused;
use crate::text::{Printed, lines, quoted};
use crate::tree::{Tree, said};

pub(crate) struct Go;

impl Harness for Go {
    fn name(&self) -> &'static str {
        "go"
    }

    fn found(&self, tree: &Tree) -> Vec<Suite> {
        let mut suites: Vec<Suite> = Vec::new();
        for (path, text) in tree
            .all()
            .filter(|(path, _)| path.to_string_lossy().ends_with("_test.go"))
        {
            let folder = path.parent().unwrap_or(Path::new(""));
            let module = folder.ancestors().map(|above| above.join("go.mod"));
            let module = module.into_iter().find(|file| tree.text(file).is_some());
            let (Some(module), true) = (module, has_benchmarks(text)) else {
                continue;
            };
            match suites.iter_mut().find(|suite| suite.folder == folder) {
                Some(suite) => suite.parts.push(said(path)),
                None => suites.push(Suite {
                    folder: folder.to_owned(),
                    name: name(folder, tree.text(&module).unwrap_or_default()),
                    parts: vec![said(path)],
                    why: format!("{}, {}", said(&module), said(path)),
                }),
            }
        }
        suites
    }

    fn build(&self, suite: &Suite, places: &Places) -> Result<Vec<Command>, Refused> {
        let binary = binary(suite, places);
        let command = Command::new("go", places.root.join(&suite.folder));
        Ok(vec![
            command.args(["test", "-c", "-o"]).args([binary]).args(["."]),
        ])
    }

    fn built(&self, suite: &Suite, places: &Places, _: &[Done]) -> Result<Vec<Program>, Refused> {
        let folder = places.root.join(&suite.folder);
        Ok(vec![Program::new(&suite.name, binary(suite, places), folder)])
    }

    fn tools(&self, suite: &Suite, places: &Places) -> Vec<Command> {
        let version = Command::new("go", places.root.join(&suite.folder));
        vec![version.args(["version"])]
    }

    fn shuffle(&self, suite: &Suite, places: &Places, _: &[Program], seed: u64) -> Vec<Way> {
        let command = Command::new("go", places.root.join(&suite.folder));
        let flag = format!("-ldflags=-randlayout={seed}");
        let command = command.args(["test", "-c", flag.as_str(), "-o"]);
        vec![Way {
            linker: "go",
            commands: vec![command.args([binary(suite, places)]).args(["."])],
        }]
    }

    /// All tests of the package, since they are compiled together.
    fn own_files(&self, tree: &Tree, suite: &Suite) -> Vec<PathBuf> {
        let tests = tree.beside(&suite.folder, "_test.go");
        let tests = tests.map(|(path, _)| path.to_owned());
        tests.chain([suite.folder.join("testdata")]).collect()
    }

    /// Other tests may be of what only the later revision has.
    fn least_files(&self, _: &Tree, suite: &Suite) -> Vec<PathBuf> {
        let parts = suite.parts.iter().map(PathBuf::from);
        parts.chain([suite.folder.join("testdata")]).collect()
    }

    fn declared(&self, tree: &Tree, suite: &Suite) -> Vec<(String, String)> {
        let lines = tree
            .beside(&suite.folder, "_test.go")
            .flat_map(|(_, text)| text.lines());
        let names = lines.filter_map(benchmark_of);
        names.map(|name| (suite.name.clone(), name.to_owned())).collect()
    }

    fn source(&self, tree: &Tree, suite: &Suite, _: &str, benchmark: &str) -> Option<String> {
        let function = benchmark.split('/').next().unwrap_or(benchmark);
        gotext::of(
            tree.beside(&suite.folder, "_test.go").map(|(_, text)| text),
            function,
        )
    }

    fn list(&self, program: &Program, group: Option<&Group>, _: &Path) -> Command {
        let command = program.command();
        match group {
            None => command.args(["-test.list=^Benchmark"]),
            // One processor, since names of more end with their number.
            Some(group) => run(command, &pattern(&group.name)).args(["-test.benchtime=1x", "-test.cpu=1"]),
        }
    }

    fn listed(&self, program: &Program, group: Option<&Group>, done: &Done) -> Result<Listing, Refused> {
        let mut listing = Listing::default();
        let Some(group) = group else {
            ended_well(&listing_of(program), done)?;
            lines(&done.stdout)
                .filter(|line| line.starts_with("Benchmark"))
                .for_each(|line| listing.add_group(line.trim()));
            return not_empty(program, done, listing);
        };
        let tried = format!("list the benchmarks of {}", group.name);
        bounded(&tried, done)?;
        // Other names are what a benchmark printed itself.
        let ours = |name: &str| {
            let rest = name.strip_prefix(group.name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        for (name, _) in results(&done.stdout).filter(|(name, _)| ours(name)) {
            listing.add(&name, vec![pattern(&name)]);
        }
        match (listing.is_empty(), done.status == Some(0)) {
            (false, true) => {}
            (true, true) => {
                let why = "it gave no result: it may skip itself";
                listing.left_out.push(LeftOut::new(&group.name, why));
            }
            (true, false) => {
                let hint = "run it by hand, and cure what it says";
                return Err(failed(&tried, done, "it failed", hint));
            }
            (false, false) => {
                let why = "one of its benchmarks failed, and those after it may not have been listed";
                listing.left_out.push(LeftOut::new(&group.name, why));
            }
        }
        Ok(listing.only_unique())
    }

    fn sample(&self, program: &Program, benchmark: &Benchmark, effort: Effort, _: &Path) -> Command {
        let length = match effort {
            Effort::Iterations(count) => format!("{count}x"),
            Effort::Time(time) => format!("{}ns", time.as_nanos()),
        };
        let command = run(program.command(), &benchmark.select[0]);
        command.args([format!("-test.benchtime={length}")])
    }

    fn sampled(&self, benchmark: &Benchmark, done: &Done) -> Result<Sample, Refused> {
        ended_well(&benchmark.tried(), done)?;
        let mut ours = results(&done.stdout).filter(|(name, _)| is_of(name, benchmark.name()));
        let Some((_, result)) = ours.next() else {
            return Err(no_result(benchmark, done));
        };
        match ours.count() {
            0 => Ok(Sample::of(benchmark, result.figures)?.iterations(Some(result.iterations))),
            more => Err(several(benchmark, more + 1)),
        }
    }
}

fn binary(suite: &Suite, places: &Places) -> PathBuf {
    let name = said(&suite.folder).replace('/', "-").replace('.', "package");
    places.out.join(format!("{name}.test"))
}

/// A package is called by its folder, that of the module itself by the module's path: without a version, by which each major
/// release would be another.
fn name(folder: &Path, module: &str) -> String {
    if !folder.as_os_str().is_empty() {
        return said(folder);
    }
    let path = module
        .lines()
        .find_map(|line| line.trim().strip_prefix("module "));
    let path = path.map_or(".", |path| path.trim().trim_matches('"'));
    let version = |end: &str| {
        let digits = end.strip_prefix('v').unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let unversioned = path.rsplit_once('/').filter(|(_, end)| version(end));
    unversioned.map_or(path, |(path, _)| path).to_owned()
}

fn run(command: Command, pattern: &str) -> Command {
    let bench = format!("-test.bench={pattern}");
    command.args(["-test.run=^$", "-test.v", "-test.benchmem", bench.as_str()])
}

/// Each part of a name is matched by an expression of its own.
fn pattern(name: &str) -> String {
    let parts = name.split('/').map(|part| format!("^{}$", quoted(part)));
    parts.collect::<Vec<_>>().join("/")
}

fn has_benchmarks(text: &str) -> bool {
    text.lines().any(|line| benchmark_of(line).is_some())
}

/// The name of the benchmark that begins with a line.
fn benchmark_of(line: &str) -> Option<&str> {
    let name = line.strip_prefix("func ")?.split('(').next()?;
    let rest = name.strip_prefix("Benchmark")?;
    (!rest.starts_with(char::is_lowercase) && line.contains("testing.B")).then_some(name)
}

/// A name as it is printed ends with the number of processors, unless that is one.
fn is_of(printed: &str, name: &str) -> bool {
    let rest = printed.strip_prefix(name);
    rest.is_some_and(|rest| {
        let digits = rest.strip_prefix('-').unwrap_or("x");
        rest.is_empty() || (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

struct Row {
    iterations: u64,
    figures: Vec<Figure>,
}

/// Lines `Name N VALUE UNIT VALUE UNIT …`. A name has no spaces.
fn results(output: &[u8]) -> impl Iterator<Item = (String, Row)> {
    lines(output).filter_map(|line| {
        let mut words = line.split_whitespace();
        let name = words.next().filter(|name| name.starts_with("Benchmark"))?;
        let iterations = words.next()?.parse().ok()?;
        let mut figures = Vec::new();
        while let (Some(number), Some(unit)) = (words.next(), words.next()) {
            figures.push(figure(number, unit)?);
        }
        Some((name.to_owned(), Row { iterations, figures }))
    })
}

/// What a benchmark reports itself may be no number: `NaN`, `+Inf`.
fn figure(number: &str, unit: &str) -> Option<Figure> {
    match Printed::read(number) {
        Some(printed) => Some(from_line(printed, unit)),
        None => {
            let value = number.parse().ok()?;
            Some(Figure::of(Quantity::Custom(unit.to_owned()), value))
        }
    }
}

/// The samples of what `go test -bench` printed. Names end with the number of processors, which is no part of them where it is
/// the same everywhere.
pub(crate) fn stored(output: &[u8]) -> Vec<Entry> {
    let mut program = ".".to_owned();
    let mut entries: Vec<Entry> = Vec::new();
    for line in lines(output) {
        if let Some(named) = line.strip_prefix("pkg: ") {
            program = named.trim().to_owned();
        }
        let found = results(line.as_bytes()).next();
        entries.extend(found.map(|(name, row)| (program.clone(), name, row.figures)));
    }
    let processors = |name: &str| {
        let digits = name.rsplit_once('-')?.1;
        let number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        number.then(|| format!("-{digits}"))
    };
    let first = entries.first().and_then(|(_, name, _)| processors(name));
    if let Some(end) = first.filter(|end| entries.iter().all(|(_, name, _)| name.ends_with(end))) {
        for (_, name, _) in &mut entries {
            name.truncate(name.len() - end.len());
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_has_benchmarks_if_a_function_is_one() {
        let test = |name: &str| format!("package a\nfunc {name}(b *testing.B) {{}}\n");
        let found = |name: &str| {
            let text = test(name);
            let tree = Tree::of([
                ("m/go.mod", ""),
                ("m/a/x_test.go", text.as_str()),
                ("x_test.go", text.as_str()),
            ]);
            Go.found(&tree)
        };
        let suites = found("BenchmarkCount");
        assert_eq!(suites.len(), 1);
        assert_eq!(
            (suites[0].name.as_str(), suites[0].why.as_str()),
            ("m/a", "m/go.mod, m/a/x_test.go")
        );
        assert_eq!(
            name(Path::new(""), "// x\nmodule example.org/a/v2\n"),
            "example.org/a"
        );
        assert_eq!(name(Path::new(""), ""), ".");
        assert!(found("Benchmarks").is_empty() && found("TestCount").is_empty());
    }

    #[test]
    fn a_pattern_matches_one_name() {
        assert_eq!(pattern("BenchmarkA/n=1.5/[x]"), r"^BenchmarkA$/^n=1\.5$/^\[x\]$");
        assert!(is_of("BenchmarkA-16", "BenchmarkA") && is_of("BenchmarkA", "BenchmarkA"));
        assert!(!is_of("BenchmarkA-", "BenchmarkA") && !is_of("BenchmarkA/x-2", "BenchmarkA"));
    }
}
