//! Java's JMH. Tried with 1.37 by Maven on JDK 17; projects of Gradle are found, and not built.
//!
//! Every benchmark is measured as its average time, whatever modes it declares. A process is one fork, with warm-up: half a
//! second or more. It takes no count of iterations. A parameter whose value has a comma cannot be chosen on its command line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use tare_model::figure::{Figure, Quantity};

use crate::command::{Command, Done};
use crate::figure::{Entry, median, seconds};
use crate::harness::{Benchmark, Effort, Group, Harness, LeftOut, Listing, Places, Program, Sample, Suite};
use crate::java;
use crate::json::{file, numbers, text};
use crate::output::{ended_well, listing_of, no_result, not_empty, several};
use crate::refused::Refused;
use crate::text::{lines, quoted, short};
use crate::tree::{Tree, said};

pub(crate) struct Jmh;

const RESULT: &str = "result.json";

/// The shortest of its iterations: compilers of the JVM need some time to come to their end.
const SHORTEST: Duration = Duration::from_millis(50);

/// The most combinations of parameters of one benchmark.
const MOST_COMBINATIONS: usize = 1000;

impl Harness for Jmh {
    fn name(&self) -> &'static str {
        "jmh"
    }

    fn found(&self, tree: &Tree) -> Vec<Suite> {
        let maven = tree.named("pom.xml").filter(|(_, text)| {
            // A parent of modules says which version they have, and has no jar.
            text.contains("jmh-core") && !text.contains("<packaging>pom</packaging>")
        });
        let gradle = ["build.gradle", "build.gradle.kts"]
            .into_iter()
            .flat_map(|name| tree.named(name));
        let gradle = gradle.filter(|(_, text)| text.contains("me.champeau.jmh"));
        let suite = |(manifest, text): (&Path, &str)| {
            let folder = manifest.parent().unwrap_or(Path::new(""));
            Suite {
                folder: folder.to_owned(),
                name: said(folder),
                parts: vec![
                    jar(text).unwrap_or_else(|| "benchmarks".to_owned()),
                    said(reactor(tree, folder)),
                ],
                why: said(manifest),
            }
        };
        maven.chain(gradle).map(suite).collect()
    }

    fn build(&self, suite: &Suite, places: &Places) -> Result<Vec<Command>, Refused> {
        if !suite.why.ends_with("pom.xml") {
            let tried = format!("build the benchmarks of {}", suite.name);
            let found = format!("{} is a build of Gradle, which this room does not run", suite.why);
            return Err(Refused::new(
                &tried,
                &found,
                "build `jmhJar` by hand, and name the jar",
            ));
        }
        let whole = suite.parts.get(1).map_or(".", String::as_str);
        let folder = places.root.join(whole);
        let module = suite.folder.strip_prefix(whole).unwrap_or(&suite.folder);
        let mut command = Command::new("mvn", folder).args(["-q", "-B", "-DskipTests"]);
        if whole != said(&suite.folder) {
            // With the modules that it needs: else these are what was installed last, of whatever revision.
            command = command.args(["-pl".into(), module.as_os_str().to_owned(), "-am".into()]);
        }
        Ok(vec![command.args(["package"])])
    }

    fn built(&self, suite: &Suite, places: &Places, _: &[Done]) -> Result<Vec<Program>, Refused> {
        let folder = places.root.join(&suite.folder);
        let name = suite.parts.first().map_or("benchmarks", String::as_str);
        let jar: PathBuf = folder.join("target").join(format!("{name}.jar"));
        let mut program = Program::new(&suite.name, "java", folder);
        // The lock is for people who start two at once; here one runs at a time.
        program.args = vec![
            "-Djmh.ignoreLock=true".into(),
            "-jar".into(),
            jar.into_os_string(),
        ];
        Ok(vec![program])
    }

    fn own_files(&self, tree: &Tree, suite: &Suite) -> Vec<PathBuf> {
        java::own_files(tree, suite)
    }

    fn source(&self, tree: &Tree, suite: &Suite, _: &str, benchmark: &str) -> Option<String> {
        java::source(tree, suite, benchmark)
    }

    fn list(&self, program: &Program, _: Option<&Group>, _: &Path) -> Command {
        program.command().args(["-lp"])
    }

    fn listed(&self, program: &Program, _: Option<&Group>, done: &Done) -> Result<Listing, Refused> {
        ended_well(&listing_of(program), done)?;
        let mut listing = Listing::default();
        for declared in Declared::read(&done.stdout) {
            declared.add_to(&mut listing);
        }
        not_empty(program, done, listing.once_each())
    }

    fn sample(&self, program: &Program, benchmark: &Benchmark, effort: Effort, scratch: &Path) -> Command {
        let length = format!("{}ms", effort.time().max(SHORTEST).as_millis());
        let mut command = program.command().args(&benchmark.select);
        command = command.args([
            "-f", "1", "-wi", "2", "-i", "3", "-bm", "avgt", "-tu", "ns", "-foe", "true",
        ]);
        command = command.args(["-w", &length, "-r", &length, "-rf", "json", "-rff"]);
        command.args([scratch.join(RESULT)]).reads(&[RESULT])
    }

    fn sampled(&self, benchmark: &Benchmark, done: &Done) -> Result<Sample, Refused> {
        let tried = benchmark.tried();
        ended_well(&tried, done)?;
        let document = file(&tried, done, RESULT)?.unwrap_or_default();
        let results = document.as_array().map_or(&[][..], Vec::as_slice).iter();
        let ours: Vec<&Value> = results
            .filter(|result| name_of(result) == benchmark.name())
            .collect();
        match ours.as_slice() {
            [] => Err(no_result(benchmark, done)),
            [result] => Sample::of(benchmark, figures(result)),
            more => Err(several(benchmark, more.len())),
        }
    }
}

/// The folder of the outermost project that a module is built with.
fn reactor<'p>(tree: &Tree, module: &'p Path) -> &'p Path {
    let has_modules = |folder: &&Path| {
        let text = tree.text(&folder.join("pom.xml"));
        text.is_some_and(|text| text.contains("<module>"))
    };
    module.ancestors().filter(has_modules).last().unwrap_or(module)
}

/// The jar with all in it is what the shading plugin calls its final name; by JMH's own template `benchmarks`.
fn jar(manifest: &str) -> Option<String> {
    let between = |open: &str, close: &str| {
        Some(
            manifest
                .split(open)
                .nth(1)?
                .split(close)
                .next()?
                .trim()
                .to_owned(),
        )
    };
    let name = between("<finalName>", "</finalName>")?;
    match name.strip_prefix("${").and_then(|name| name.strip_suffix('}')) {
        Some(property) => between(&format!("<{property}>"), &format!("</{property}>")),
        None => Some(name),
    }
}

/// A benchmark and its parameters, as `-lp` names them.
struct Declared {
    name: String,
    params: Vec<(String, Vec<String>)>,
}

impl Declared {
    fn read(output: &[u8]) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for line in lines(output) {
            if let Some((name, values)) = line
                .strip_prefix("  param ")
                .and_then(|text| text.split_once(" = "))
            {
                let values = values.trim_start_matches('{').trim_end_matches('}').split(", ");
                let values = values.map(str::to_owned).collect();
                let param = (name.trim_matches('"').to_owned(), values);
                all.last_mut()
                    .into_iter()
                    .for_each(|declared| declared.params.push(param.clone()));
            } else if !line.starts_with(' ') && line.contains('.') && !line.contains(' ') {
                let (name, params) = (line, Vec::new());
                all.push(Self { name, params });
            }
        }
        all
    }

    /// A benchmark for each combination of values.
    fn add_to(&self, listing: &mut Listing) {
        let count = self
            .params
            .iter()
            .fold(1usize, |count, (_, values)| count.saturating_mul(values.len()));
        if count > MOST_COMBINATIONS {
            let why = format!("it has {count} combinations of parameters");
            return listing.left_out.push(LeftOut::new(&self.name, why));
        }
        for index in 0..count {
            let chosen = self.combination(index);
            let name = with_params(&self.name, &chosen);
            if chosen.iter().any(|(_, value)| value.contains(',')) {
                let why = "a value of a parameter has a comma, and cannot be chosen on JMH's command line";
                listing.left_out.push(LeftOut::new(&name, why));
                continue;
            }
            let mut select = vec![format!("^{}$", quoted(&self.name))];
            for (key, value) in chosen {
                select.extend(["-p".to_owned(), format!("{key}={value}")]);
            }
            listing.add(&name, select);
        }
    }

    fn combination(&self, mut index: usize) -> Vec<(&str, &str)> {
        let choose = |(key, values): &'_ (String, Vec<String>)| {
            let at = index % values.len();
            index /= values.len();
            (key.clone(), at)
        };
        let chosen: Vec<(String, usize)> = self.params.iter().map(choose).collect();
        let params = self.params.iter().zip(chosen);
        params
            .map(|((key, values), (_, at))| (key.as_str(), values[at].as_str()))
            .collect()
    }
}

/// `org.example.Words.count(text=10)`; parameters in the order of their names.
fn with_params(name: &str, params: &[(&str, &str)]) -> String {
    let mut params: Vec<String> = params
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    params.sort();
    match params.is_empty() {
        true => name.to_owned(),
        false => format!("{name}({})", params.join(", ")),
    }
}

fn name_of(result: &Value) -> String {
    let params = result
        .get("params")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    let params: Vec<(&str, &str)> = params
        .filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
        .collect();
    with_params(text(result, "benchmark"), &params)
}

/// Its time, and what else it measured: the parts of a group, the figures of profilers.
fn figures(result: &Value) -> Vec<Figure> {
    let primary = result.get("primaryMetric").and_then(|metric| figure("", metric));
    let others = result
        .get("secondaryMetrics")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    let others = others.filter_map(|(name, metric)| figure(name, metric));
    primary.into_iter().chain(others).collect()
}

fn figure(part: &str, metric: &Value) -> Option<Figure> {
    let value = median(&mut numbers(metric.get("rawData")?))?;
    let unit = text(metric, "scoreUnit");
    Some(match unit.strip_suffix("/op").and_then(seconds) {
        Some(factor) => Figure {
            part: short(part),
            ..Figure::time(value * factor)
        },
        None => Figure::of(Quantity::Custom(short(format!("{part} {unit}").trim())), value),
    })
}

/// The results of a file of `-rf json`: the median of each benchmark's iterations.
pub(crate) fn stored(document: &Value) -> Vec<Entry> {
    let results = document.as_array().map_or(&[][..], Vec::as_slice).iter();
    let entry = |result: &Value| {
        let class = text(result, "benchmark").rsplit_once('.')?.0;
        Some((class.to_owned(), name_of(result), figures(result)))
    };
    results.filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_combination_of_parameters_is_a_benchmark() {
        let text = "Benchmarks: \norg.example.A.a\n  param \"n\" = {1, 2}\n  param \"m\" = {x, y,z}\norg.example.A.b\n";
        let mut listing = Listing::default();
        Declared::read(text.as_bytes())
            .iter()
            .for_each(|declared| declared.add_to(&mut listing));
        let names: Vec<&str> = listing.benchmarks.iter().map(Benchmark::name).collect();
        assert_eq!(
            names,
            [
                "org.example.A.a(m=x, n=1)",
                "org.example.A.a(m=x, n=2)",
                "org.example.A.b"
            ]
        );
        assert_eq!(
            listing.benchmarks[1].select,
            [r"^org\.example\.A\.a$", "-p", "n=2", "-p", "m=x"]
        );
        assert_eq!(listing.left_out.len(), 2);
    }

    #[test]
    fn the_jar_has_the_final_name() {
        let template = "<uberjar.name>bench</uberjar.name><finalName>${uberjar.name}</finalName>";
        assert_eq!(jar(template).as_deref(), Some("bench"));
        assert_eq!(jar("<finalName>all</finalName>").as_deref(), Some("all"));
        assert_eq!(jar("<artifactId>jmh-core</artifactId>"), None);
    }

    #[test]
    fn a_module_is_built_with_those_that_it_needs() {
        let parent = "<packaging>pom</packaging><module>lib</module><module>bench</module> jmh-core";
        let tree = Tree::of([
            ("pom.xml", parent),
            ("lib/pom.xml", ""),
            ("bench/pom.xml", "jmh-core"),
            ("alone/pom.xml", ""),
        ]);
        let places = Places {
            root: Path::new("/p"),
            out: Path::new("/o"),
        };
        let suites = Jmh.found(&tree);
        assert_eq!(suites.len(), 1, "the parent has no jar");
        let command = &Jmh.build(&suites[0], &places).unwrap()[0];
        assert_eq!(
            command.args,
            ["-q", "-B", "-DskipTests", "-pl", "bench", "-am", "package"]
        );
        assert_eq!(command.folder, Path::new("/p/."));
        let alone = &Jmh.found(&Tree::of([("a/pom.xml", "jmh-core")]))[0];
        let command = &Jmh.build(alone, &places).unwrap()[0];
        assert_eq!(
            (command.args.len(), command.folder.as_path()),
            (4, Path::new("/p/a"))
        );
    }

    #[test]
    fn builds_of_gradle_are_found_and_refused() {
        let tree = Tree::of([("a/build.gradle.kts", "id(\"me.champeau.jmh\") version \"0.7\"")]);
        let suites = Jmh.found(&tree);
        let places = Places {
            root: Path::new("/p"),
            out: Path::new("/o"),
        };
        assert!(
            Jmh.build(&suites[0], &places)
                .unwrap_err()
                .hint
                .contains("jmhJar")
        );
    }
}
