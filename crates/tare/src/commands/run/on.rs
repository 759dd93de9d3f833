//! `tare run --on`: the same run on each node of a cluster, and its launches taken together.
//!
//! Each node makes the whole run in a copy of the lab, with a seed of its own, by which its run is known again. What a node has
//! kept is fetched whenever its command has ended, and says what is left of its part: nothing, or to go on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tare_analysis as analysis;
use tare_cluster::{ClusterError, Engine, Event, Next, Outcome, Part, Slurm, Ssh, Target, follow};
use tare_host::revisions::Repository;
use tare_model::fault::FaultKind;
use tare_model::manifest::Lab;
use tare_model::record::RunRecord;
use tare_report::{escape, html, json, terminal, words};
use tare_rig::at_once;
use tare_store::Store;

use super::{RunArgs, of_results};
use crate::clock;
use crate::context::{self, Context, short};
use crate::copies::{self, PROGRAM, refused};
use crate::failure::{self, Failure};
use crate::pooled;

/// Nodes that are asked or get the lab at the same time: more would share one network.
const AT_ONCE: usize = 16;

/// Options whose value is for the conductor alone, or is given anew.
const WITH_VALUE: [&str; 12] = [
    "--on",
    "--hosts",
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
const WITHOUT_VALUE: [&str; 3] = ["--unlike", "--quiet", "--verbose"];

/// Runs it on the one machine that has the role of the server; the exit status. `others`: the machines of the other roles, as an
/// option.
pub fn at_server(
    context: &Context,
    args: &RunArgs,
    server: &str,
    others: Option<String>,
) -> Result<u8, Failure> {
    let typed = [
        ("--plan", args.plan),
        ("--resume", args.resume.is_some()),
        ("--key-file", args.other.key_file.is_some()),
    ];
    if let Some((option, _)) = typed.iter().find(|(_, is_typed)| *is_typed) {
        return Err(Failure::usage(format!(
            "{option} is for a run of this machine, and server={server} makes one there"
        ))
        .hint("leave one of them out"));
    }
    run(context, args, &Target::Ssh(vec![server.to_owned()]), others)
}

/// Runs it; the exit status. `others`: a further option for the nodes.
pub fn run(
    context: &Context,
    args: &RunArgs,
    target: &Target,
    others: Option<String>,
) -> Result<u8, Failure> {
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
    let mut words = forwarded(std::env::args().skip(1), revision(&lab));
    words.extend(others);
    let mut nodes = Nodes {
        store: Store::open(context.kept()?.join("results.sqlite")).map_err(Failure::outside)?,
        cluster: &cluster,
        parts: BTreeMap::new(),
        again: again(args),
    };
    let parts = nodes.parts(&words, seed);
    let alone = nodes.cluster.nodes.len() == 1;
    let mut tell = |event: Event<'_>| say(context, &event, alone);
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
            Target::Ssh(_) | Target::SshFile(_) => {
                Box::new(Ssh::new(hosts, copies::folder(lab), here.clone()))
            }
            Target::Slurm(partition) => Box::new(Slurm::new(partition.clone(), here.clone())),
        };
        let nodes = engine
            .nodes(args.on.nodes.map(|nodes| nodes as usize))
            .map_err(refused)?;
        Ok(Self { engine, nodes, here })
    }

    /// Verdicts over unlike machines are of machines, too.
    fn refuse_unlike(&self, unlike: bool) -> Result<(), Failure> {
        let kinds = self.each(|node| self.engine.kind(node).map(|kind| (node, kind)))?;
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
        let files = copies::of_lab(lab)?.packed(&self.here).map_err(refused)?;
        context.detail(format!("copying the lab to {}", self.nodes.join(", ")));
        self.each(|node| match tare_host::interrupt::asked() {
            true => Ok(()),
            false => self.engine.place(node, &files),
        })?;
        failure::refuse_interrupted()
    }

    /// The same of each node, of some at the same time; the first error.
    fn each<'n, T: Send>(
        &'n self,
        work: impl Fn(&'n String) -> Result<T, ClusterError> + Sync,
    ) -> Result<Vec<T>, Failure> {
        let all = at_once::map(AT_ONCE, self.nodes.iter().collect(), work);
        all.into_iter().collect::<Result<_, _>>().map_err(refused)
    }
}

fn revision(lab: &Lab) -> Option<String> {
    let tree = Repository::of(&lab.folder).and_then(|repository| repository.working_tree());
    tree.ok().map(|tree| tree.describe())
}

/// The words that were typed, for a node.
fn forwarded(typed: impl Iterator<Item = String>, revision: Option<String>) -> Vec<String> {
    let mut words = vec![PROGRAM.to_owned()];
    let mut typed = typed;
    while let Some(word) = typed.next() {
        let name = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
        if WITHOUT_VALUE.contains(&word.as_str())
            || says_how_much(&word)
            || word.starts_with("-C") && word != "-C"
        {
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
    words.push("--color=never".to_owned());
    words.extend(revision.map(|revision| format!("--revision={revision}")));
    words
}

/// `-qv`: how much is printed, in several letters.
fn says_how_much(word: &str) -> bool {
    let letters = word.strip_prefix('-').unwrap_or_default();
    !letters.is_empty() && letters.chars().all(|letter| "qv".contains(letter))
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
    /// Its run, once there is one.
    run: Option<Kept>,
}

/// A node's run.
struct Kept {
    /// Its id here.
    id: String,
    complete: bool,
    /// Whether it has a launch.
    measured: bool,
    /// What failed there beside contenders, by contender.
    failed: Vec<String>,
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
        if !self.cluster.engine.answers(node) {
            return Ok(Next::Unknown);
        }
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
            // It has kept nothing.
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
            let measured = run.arenas.iter().any(|arena| !arena.launches.is_empty());
            known.run = Some(Kept {
                id: here,
                complete: run.info.complete,
                measured,
                failed: beside_contenders(&run),
            });
            return Ok(match run.info.complete {
                true => Next::Nothing,
                false if measured => Next::Further(continued(&summary.id, known, &self.again)),
                false => Next::Again,
            });
        }
        Ok(Next::Again)
    }
}

/// The faults of a run that are no contender's.
fn beside_contenders(run: &RunRecord) -> Vec<String> {
    let entrants = run.arenas.iter().flat_map(|arena| &arena.entrants);
    let faults = entrants.filter_map(|entrant| entrant.fault.as_ref().map(|fault| (&entrant.id, fault)));
    let ours = faults.filter(|(_, fault)| fault.kind == FaultKind::Instrument);
    ours.map(|(id, fault)| format!("{id}: {}", fault.detail))
        .collect()
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
    words.push("--color=never".to_owned());
    let revision = known.words.iter().find(|word| word.starts_with("--revision="));
    words.extend(revision.cloned());
    words.extend(again.iter().cloned());
    words
}

/// Says what happens. `alone`: what the only node says is told, too.
fn say(context: &Context, event: &Event<'_>, alone: bool) {
    match event {
        Event::Said { node, line } if alone => context.say(format!("{node}: {line}")),
        Event::Said { node, line } => context.detail(format!("{node}: {line}")),
        Event::Began { node, time: 1 } => context.say(format!("{node}: began")),
        Event::Began { node, time } => context.say(format!("{node}: began again ({time})")),
        Event::Ended { node, why } => context.say(format!("{node}: not complete: {why}")),
        Event::Away { node, why } => {
            context.say(format!("{node}: not complete: {why}; waiting until it answers"));
        }
        Event::Done { node } => context.say(format!("{node}: done")),
        Event::Lost { node, why } => context.say(format!("{node}: left out: {why}")),
    }
}

/// The runs of all nodes as one.
fn report(context: &Context, args: &RunArgs, nodes: &Nodes<'_>, outcomes: &[Outcome]) -> Result<u8, Failure> {
    // All of them were stopped at the same time. A node that was lost has fewer launches than the others, and those would count
    // no further than its.
    let stopped = tare_host::interrupt::asked();
    let runs = nodes
        .parts
        .iter()
        .filter_map(|(node, known)| Some((node, known.run.as_ref()?)));
    let ended = runs.filter(|(_, run)| run.complete || stopped && run.measured);
    let (fit, unfit) = apart(ended.collect());
    for (node, run) in &unfit {
        for why in run.failed.iter().take(1) {
            context.say(escape::visible(&format!("{node}: left out: {why}")));
        }
    }
    let ids: Vec<&str> = fit.iter().map(|(_, run)| run.id.as_str()).collect();
    if stopped && ids.is_empty() {
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
        .count()
        + unfit.len();
    if lost > 0 && !stopped {
        let lost = words::counted(lost as u64, "node");
        context.say(format!(
            "note: without {lost}; the verdicts are of those that are left"
        ));
    }
    if stopped {
        return Ok(failure::INTERRUPTED);
    }
    Ok(of_results(&results, &args.fail_if))
}

/// A node's name, and its run.
type Made<'n> = (&'n String, &'n Kept);

/// The nodes on which the least failed, and the others: what failed on a node beside contenders, such as its disk, says nothing of
/// contenders that other nodes have measured.
fn apart(runs: Vec<Made<'_>>) -> (Vec<Made<'_>>, Vec<Made<'_>>) {
    let least = runs.iter().map(|(_, run)| run.failed.len()).min();
    runs.into_iter()
        .partition(|(_, run)| Some(run.failed.len()) == least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_on_which_more_failed_are_told_apart() {
        let kept = |failed: usize| Kept {
            id: String::new(),
            complete: true,
            measured: true,
            failed: vec!["a: no space".to_owned(); failed],
        };
        let told = |failed: [usize; 3]| {
            let nodes = ["n1", "n2", "n3"].map(str::to_owned);
            let kept = failed.map(kept);
            let (fit, unfit) = apart(nodes.iter().zip(&kept).collect());
            let names = |of: Vec<Made<'_>>| of.iter().map(|(node, _)| node.as_str()).collect::<String>();
            (names(fit), names(unfit))
        };
        assert_eq!(told([0, 0, 2]), ("n1n2".to_owned(), "n3".to_owned()));
        assert_eq!(told([1, 1, 1]), ("n1n2n3".to_owned(), String::new()));
    }

    #[test]
    fn nodes_get_what_was_typed_for_them() {
        let typed = "-C lab run http/json --on ssh:n1,n2 --nodes=2 --budget 5m --fail-if slower --seed 7 -vq --only a,b --unlike";
        let words = forwarded(typed.split(' ').map(str::to_owned), Some("main".to_owned()));
        let expected = "./tare run http/json --budget 5m --only a,b --color=never --revision=main";
        assert_eq!(words.join(" "), expected);
    }
}
