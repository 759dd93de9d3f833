//! `tare run --on`: the same run on each node of a cluster, and its launches taken together.
//!
//! Each node makes the whole run in a copy of the lab, with a seed of its own, by which its run is known again. What a node has
//! kept is fetched whenever its command has ended, and says what is left of its part: nothing, or to go on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tare_analysis as analysis;
use tare_cluster::{ClusterError, Engine, Event, Files, Next, Outcome, Part, Slurm, Ssh, Target, follow};
use tare_host::revisions::Repository;
use tare_model::manifest::Lab;
use tare_report::{html, json, terminal, words};
use tare_store::Store;

use super::{RunArgs, of_results};
use crate::clock;
use crate::context::{self, Context, short};
use crate::failure::{self, Failure};
use crate::pooled;

/// What the program is called in a node's folder.
const PROGRAM: &str = "tare";

/// What a node's folder has of a lab.
const OF_A_LAB: [&str; 5] = ["workloads", "languages", "services", "kits", "tare.toml"];

/// Options whose value is for the conductor alone, or is given anew.
const WITH_VALUE: [&str; 11] = [
    "--on",
    "--nodes",
    "-C",
    "--directory",
    "--seed",
    "--format",
    "--out",
    "--export-html",
    "--fail-if",
    "--color",
    "--revision",
];

/// The same without a value.
const WITHOUT_VALUE: [&str; 5] = ["--unlike", "-q", "--quiet", "-v", "--verbose"];

/// Runs it; the exit status.
pub fn run(context: &Context, args: &RunArgs, target: &Target) -> Result<u8, Failure> {
    if let Some(folder) = args.choice.folders().first() {
        return Err(Failure::usage(format!(
            "`{}` is of another suite, and --on is for a lab's workloads",
            folder.word
        ))
        .hint("`tare run` on each machine; `tare merge` and `tare report RUN+RUN` take the runs together"));
    }
    tare_host::interrupt::install().map_err(Failure::outside)?;
    let lab = context.lab()?;
    // What is not there is refused before anything is copied.
    args.chosen(&lab, &args.request(args.choice.choice()))?;
    let cluster = Cluster::new(context, &lab, args, target)?;
    cluster.refuse_unlike(args.on.unlike)?;
    cluster.place(context, &lab)?;
    let seed = args.load.seed.unwrap_or_else(clock::seed);
    let words = forwarded(std::env::args().skip(1), revision(&lab));
    let mut nodes = Nodes {
        store: Store::open(context.kept()?.join("results.sqlite")).map_err(Failure::outside)?,
        cluster: &cluster,
        parts: BTreeMap::new(),
        again: again(args),
    };
    let parts = nodes.parts(&words, seed);
    let mut tell = |event: Event<'_>| say(context, &event);
    let mut failed = None;
    let mut left = |node: &str| nodes.left(node, &mut failed);
    let outcomes = follow(
        &*cluster.engine,
        parts,
        &mut left,
        &mut tell,
        &tare_host::interrupt::asked,
    );
    if let Some(failure) = failed {
        return Err(failure);
    }
    report(context, args, &nodes, &outcomes)
}

/// The nodes and how they are reached.
struct Cluster {
    engine: Box<dyn Engine>,
    nodes: Vec<String>,
    /// Where archives, logs and fetched stores are.
    here: PathBuf,
}

impl Cluster {
    fn new(context: &Context, lab: &Lab, args: &RunArgs, target: &Target) -> Result<Self, Failure> {
        let here = context.state()?.join("cluster");
        std::fs::create_dir_all(&here)
            .map_err(|error| Failure::outside(format!("{}: {error}", here.display())))?;
        let hosts = target.hosts().map_err(refused)?;
        let engine: Box<dyn Engine> = match target {
            Target::Ssh(_) | Target::SshFile(_) => Box::new(Ssh::new(hosts, folder_there(lab), here.clone())),
            Target::Slurm(partition) => Box::new(Slurm::new(partition.clone(), here.clone())),
        };
        let nodes = engine
            .nodes(args.on.nodes.map(|nodes| nodes as usize))
            .map_err(refused)?;
        Ok(Self { engine, nodes, here })
    }

    /// Verdicts over unlike machines are of machines, too.
    fn refuse_unlike(&self, unlike: bool) -> Result<(), Failure> {
        let kinds = self
            .nodes
            .iter()
            .map(|node| self.engine.kind(node).map(|kind| (node, kind)));
        let kinds = kinds.collect::<Result<Vec<_>, ClusterError>>().map_err(refused)?;
        let Some((first, kind)) = kinds.first() else {
            return Ok(());
        };
        match kinds.iter().find(|(_, other)| other != kind) {
            Some((node, other)) if !unlike => Err(Failure::usage(format!(
                "{first} is {kind}, and {node} is {other}: nothing was measured"
            ))
            .hint("name machines of one kind; --unlike takes them together all the same")),
            _ => Ok(()),
        }
    }

    fn place(&self, context: &Context, lab: &Lab) -> Result<(), Failure> {
        let program = std::env::current_exe()
            .map_err(|error| Failure::outside(format!("tare's own program is not found: {error}")))?;
        let there = |name: &&str| lab.folder.join(name).exists();
        let files = Files {
            from: lab.folder.clone(),
            names: OF_A_LAB.into_iter().filter(there).map(str::to_owned).collect(),
            without: ["node_modules", "target", ".git"].map(str::to_owned).into(),
            program: (program, PROGRAM.to_owned()),
        };
        for node in &self.nodes {
            context.detail(format!("{node}: copying the lab"));
            self.engine.place(node, &files).map_err(refused)?;
            failure::refuse_interrupted()?;
        }
        Ok(())
    }
}

/// The folder on nodes by ssh: the same for the same lab, so that builds are kept; another for another lab of the same name.
fn folder_there(lab: &Lab) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    (tare_host::machine::ungrouped().host, &lab.folder).hash(&mut hasher);
    format!(".cache/tare/labs/{:016x}", hasher.finish())
}

fn revision(lab: &Lab) -> Option<String> {
    let tree = Repository::of(&lab.folder).and_then(|repository| repository.working_tree());
    tree.ok().map(|tree| tree.describe())
}

/// The words that were typed, for a node.
fn forwarded(typed: impl Iterator<Item = String>, revision: Option<String>) -> Vec<String> {
    let mut words = vec![format!("./{PROGRAM}")];
    let mut typed = typed;
    while let Some(word) = typed.next() {
        let name = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
        if WITHOUT_VALUE.contains(&word.as_str()) || (word.starts_with("-C") && word != "-C") {
            continue;
        }
        if WITH_VALUE.contains(&name) {
            if name == word {
                typed.next();
            }
            continue;
        }
        words.push(word);
    }
    words.extend(["--quiet", "--color=never"].map(str::to_owned));
    words.extend(revision.map(|revision| format!("--revision={revision}")));
    words
}

/// What is known of each node's part.
struct Nodes<'c> {
    /// The lab's own.
    store: Store,
    cluster: &'c Cluster,
    parts: BTreeMap<String, Known>,
    /// Options of a run that is continued.
    again: Vec<String>,
}

/// A node's part.
struct Known {
    seed: u64,
    words: Vec<String>,
    /// The run's id here, and whether it is complete.
    run: Option<(String, bool)>,
}

impl Nodes<'_> {
    fn parts(&mut self, words: &[String], seed: u64) -> Vec<Part> {
        let mut parts = Vec::new();
        for (number, node) in self.cluster.nodes.iter().enumerate() {
            // 53 bits: a number of a JSON document.
            let seed = seed.wrapping_add(number as u64) & ((1 << 53) - 1);
            let words = [words, &[format!("--seed={seed}")]].concat();
            let known = Known {
                seed,
                words: words.clone(),
                run: None,
            };
            self.parts.insert(node.clone(), known);
            parts.push(Part {
                node: node.clone(),
                words,
            });
        }
        parts
    }

    /// What is left of a node's part, by what it has kept. `failed`: what is wrong here, and not there.
    fn left(&mut self, node: &str, failed: &mut Option<Failure>) -> Result<Next, ClusterError> {
        let into = self.cluster.here.join(format!("{node}.fetched"));
        let renewed = std::fs::remove_dir_all(&into)
            .or(Ok(()))
            .and_then(|()| std::fs::create_dir_all(&into));
        renewed.map_err(|error| ClusterError::File {
            path: into.clone(),
            error,
        })?;
        if self
            .cluster
            .engine
            .fetch(node, ".tare/results.sqlite", &into)
            .is_err()
        {
            // It has kept nothing, or does not answer: the next try tells.
            return Ok(Next::Again);
        }
        match self.taken_over(node, &into.join("results.sqlite")) {
            Ok(next) => Ok(next),
            Err(failure) => {
                *failed = Some(failure);
                Ok(Next::Nothing)
            }
        }
    }

    /// Takes the node's runs over, and looks for the one of its part.
    fn taken_over(&mut self, node: &str, fetched: &Path) -> Result<Next, Failure> {
        let there = Store::open_existing(fetched).map_err(Failure::outside)?;
        let merged = self.store.merge(&there).map_err(Failure::outside)?;
        let known = self
            .parts
            .get_mut(node)
            .ok_or_else(|| Failure::outside(format!("{node} has no part")))?;
        // The newest first: a run that continues another has its launches.
        for summary in there.runs().map_err(Failure::outside)? {
            let run = there.run(&summary.id).map_err(Failure::outside)?;
            if run.info.settings.seed != Some(known.seed) {
                continue;
            }
            let here = merged.iter().find(|one| one.there == summary.id);
            let here = here.map_or(summary.id.clone(), |one| one.here.clone());
            known.run = Some((here, run.info.complete));
            return Ok(match run.info.complete {
                true => Next::Nothing,
                false if run.arenas.iter().all(|arena| arena.launches.is_empty()) => Next::Again,
                false => Next::Further(continued(&summary.id, known, &self.again)),
            });
        }
        Ok(Next::Again)
    }
}

/// The options of a run that is continued: the others are those of the run before.
fn again(args: &RunArgs) -> Vec<String> {
    let budget = args
        .budget
        .map(|budget| format!("--budget={}s", budget.0.as_secs_f64()));
    let until = args.until.as_ref().map(|until| format!("--until={until}"));
    let rounds = args.rounds.map(|rounds| format!("--rounds={rounds}"));
    let launches = args.launches.map(|launches| format!("--launches={launches}"));
    [budget, until, rounds, launches].into_iter().flatten().collect()
}

/// The command that continues a node's run.
fn continued(id: &str, known: &Known, again: &[String]) -> Vec<String> {
    let mut words = vec![
        known.words[0].clone(),
        "run".to_owned(),
        format!("--resume={id}"),
        format!("--seed={}", known.seed),
    ];
    words.extend(["--quiet", "--color=never"].map(str::to_owned));
    let revision = known.words.iter().find(|word| word.starts_with("--revision="));
    words.extend(revision.cloned());
    words.extend(again.iter().cloned());
    words
}

fn say(context: &Context, event: &Event<'_>) {
    match event {
        Event::Began { node, time: 1 } => context.say(format!("{node}: began")),
        Event::Began { node, time } => context.say(format!("{node}: began again ({time})")),
        Event::Ended { node, why } => context.say(format!("{node}: not complete: {why}")),
        Event::Done { node } => context.say(format!("{node}: done")),
        Event::Lost { node, why } => context.say(format!("{node}: left out: {why}")),
    }
}

/// The runs of all nodes as one.
fn report(context: &Context, args: &RunArgs, nodes: &Nodes<'_>, outcomes: &[Outcome]) -> Result<u8, Failure> {
    let ids: Vec<&str> = nodes
        .parts
        .values()
        .filter_map(|known| known.run.as_ref())
        .filter(|(_, complete)| *complete)
        .map(|(id, _)| id.as_str())
        .collect();
    if tare_host::interrupt::asked() && ids.is_empty() {
        return Err(failure::interrupted());
    }
    if ids.is_empty() {
        return Err(Failure::outside("no node completed its run")
            .hint("`tare list runs` has what they kept; -v says more; their output is in .tare/cluster/"));
    }
    let which = ids.join(&pooled::AND.to_string());
    let record = pooled::run(&nodes.store, &which, args.on.unlike)?;
    let results = analysis::results(&record);
    if context.json() {
        context::put(&json::render(&results))?;
    } else {
        context::put(&terminal::render(&results, context.terminal()))?;
    }
    let default = || {
        nodes
            .cluster
            .here
            .with_file_name("reports")
            .join(format!("{}.html", record.info.id))
    };
    let path = args.out.clone().unwrap_or_else(default);
    context::write(&path, html::render(&results).as_bytes())?;
    let id = &record.info.id;
    context.say(format!("report: {}; again: tare report {id}", short(&path)));
    let lost = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Outcome::Lost(_)))
        .count();
    if lost > 0 {
        let lost = words::counted(lost as u64, "node");
        context.say(format!(
            "note: without {lost}; the verdicts are of those that are left"
        ));
    }
    if tare_host::interrupt::asked() {
        return Ok(failure::INTERRUPTED);
    }
    Ok(of_results(&results, &args.fail_if))
}

fn refused(error: ClusterError) -> Failure {
    let hint = error.hint();
    Failure::outside(error).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_get_what_was_typed_for_them() {
        let typed = "-C lab run http/json --on ssh:n1,n2 --nodes=2 --budget 5m --fail-if slower --seed 7 -v --only a,b --unlike";
        let words = forwarded(typed.split(' ').map(str::to_owned), Some("main".to_owned()));
        let expected = "./tare run http/json --budget 5m --only a,b --quiet --color=never --revision=main";
        assert_eq!(words.join(" "), expected);
    }
}
