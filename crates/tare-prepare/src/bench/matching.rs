//! The benchmarks of both sides, matched by program and name.

use std::collections::{BTreeMap, BTreeSet};

use regex_lite::Regex;

use tare_harness::Tree;
use tare_host::fingerprint;
use tare_model::fault::{Fault, FaultKind};
use tare_rig::benchmarks::{At, SuiteAt};

use super::error::BenchError;
use super::listing::{Failed, Listed, SideListing};
use super::trees::BenchSide;

/// How many digits of a hash are kept.
const DIGITS: usize = 12;

/// Where a benchmark is, on any side.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    harness: &'static str,
    suite: String,
    program: String,
    name: String,
}

/// What a side has of a benchmark.
#[derive(Debug, Clone)]
pub(super) enum There {
    /// It can be run.
    Listed(At),
    /// Its sources name it, and it was not built: the other side has nothing to compare it with.
    Named,
    /// It is not there, or failed.
    Missing(Fault),
}

impl There {
    /// Where it can be run.
    pub(super) fn at(&self) -> Option<&At> {
        match self {
            There::Listed(at) => Some(at),
            _ => None,
        }
    }

    /// Why it is not there.
    pub(super) fn fault(&self) -> Option<&Fault> {
        match self {
            There::Missing(fault) => Some(fault),
            _ => None,
        }
    }
}

/// A benchmark, and what each side has of it.
#[derive(Debug, Clone)]
pub(super) struct Matched {
    pub(super) harness: &'static str,
    /// What runs it, as it is shown: unique in all suites.
    pub(super) program: String,
    pub(super) name: String,
    /// By side.
    pub(super) sides: Vec<There>,
    /// Hash of its own sources, by side, where they are known.
    pub(super) sources: Vec<Option<String>>,
}

impl Matched {
    /// Whether every side has it.
    pub(super) fn whole(&self) -> bool {
        self.sides.iter().all(|there| there.at().is_some())
    }

    /// Whether its own sources are known to differ.
    pub(super) fn rewritten(&self) -> bool {
        let mut known = self.sources.iter().flatten();
        known
            .next()
            .is_some_and(|first| known.any(|other| other != first))
    }
}

/// What is matched.
pub(super) struct Matching<'a> {
    pub(super) sides: &'a [BenchSide],
    pub(super) suites: &'a [SuiteAt],
    pub(super) listings: &'a [SideListing],
}

impl Matching<'_> {
    /// All benchmarks, in the order of the last side's listing, and then what only others have.
    pub(super) fn matched(&self) -> crate::error::Result<Vec<Matched>> {
        let mut found: BTreeMap<Key, Vec<Option<At>>> = BTreeMap::new();
        let mut order = Vec::new();
        for (side, listing) in self.listings.iter().enumerate().rev() {
            for listed in &listing.listed {
                let key = self.key(listed);
                let sides = found.entry(key.clone()).or_insert_with(|| {
                    order.push(key);
                    vec![None; self.sides.len()]
                });
                sides[side] = Some(At {
                    suite: listed.suite,
                    program: listed.program,
                    benchmark: listed.benchmark.clone(),
                });
            }
        }
        let trees: Vec<Option<Tree>> = self
            .sides
            .iter()
            .map(|side| side.given.is_none().then(|| side.read()).transpose())
            .collect::<crate::error::Result<_>>()?;
        let labels = labels(&order);
        let one = |key: &Key| {
            let sides = found.remove(key).unwrap_or_default();
            self.one(key, &labels, sides, &trees)
        };
        let mut all: Vec<Matched> = order.iter().map(one).collect();
        all.extend(self.gone(&order));
        all.extend(self.only_failed(&order));
        Ok(all)
    }

    fn key(&self, listed: &Listed) -> Key {
        let at = &self.suites[listed.suite];
        Key {
            harness: at.harness.name(),
            suite: at.suite.name.clone(),
            program: at.programs[listed.program].name.clone(),
            name: listed.benchmark.name().to_owned(),
        }
    }

    fn one(
        &self,
        key: &Key,
        labels: &BTreeMap<&Key, String>,
        sides: Vec<Option<At>>,
        trees: &[Option<Tree>],
    ) -> Matched {
        let sources = sides.iter().zip(trees).map(|(at, tree)| {
            let (at, tree) = at.as_ref().zip(tree.as_ref())?;
            self.source(at, tree)
        });
        Matched {
            harness: key.harness,
            program: labels[key].clone(),
            name: key.name.clone(),
            sources: sources.collect(),
            sides: sides
                .into_iter()
                .enumerate()
                .map(|(side, at)| match at {
                    Some(at) => There::Listed(at),
                    None => There::Missing(self.missing(key, side)),
                })
                .collect(),
        }
    }

    fn source(&self, at: &At, tree: &Tree) -> Option<String> {
        let suite = &self.suites[at.suite];
        let (program, name) = (&suite.programs[at.program].name, at.benchmark.name());
        let text = suite.harness.source(tree, &suite.suite, program, name)?;
        Some(fingerprint::of_texts([text])[..DIGITS].to_owned())
    }

    /// Why a side does not have a benchmark: what failed there, or that it is not there.
    fn missing(&self, key: &Key, side: usize) -> Fault {
        let failed = self.listings[side]
            .failed
            .iter()
            .find(|failed| hides(failed, key));
        failed.map_or_else(|| self.absent(side), |failed| failed.fault.clone())
    }

    fn absent(&self, side: usize) -> Fault {
        let side = &self.sides[side];
        let text = format!("{} ({}) does not have this benchmark", side.name, side.summary);
        Fault::new(FaultKind::Absent, text)
    }

    /// What a side's own files name, and those that both sides run do not.
    fn gone(&self, known: &[Key]) -> Vec<Matched> {
        let mut all = Vec::new();
        for (side, of_side) in self.sides.iter().enumerate() {
            for (laid, (program, name)) in of_side
                .laid()
                .iter()
                .flat_map(|laid| laid.gone.iter().map(move |one| (laid, one)))
            {
                // Where a side runs its own after all, they are listed.
                let listed = |key: &Key| {
                    (key.harness, &key.suite, &key.program) == (laid.harness, &laid.suite, program)
                        && is_in(&key.name, name)
                };
                if known.iter().any(listed) {
                    continue;
                }
                let there = |other: usize| match other == side {
                    true => There::Named,
                    false => There::Missing(self.absent(other)),
                };
                all.push(Matched {
                    harness: laid.harness,
                    program: program.clone(),
                    name: name.clone(),
                    sides: (0..self.sides.len()).map(there).collect(),
                    sources: vec![None; self.sides.len()],
                });
            }
        }
        all
    }

    /// What failed and is named by no benchmark of any side.
    fn only_failed(&self, known: &[Key]) -> Vec<Matched> {
        let mut all = Vec::new();
        let mut told = BTreeSet::new();
        let failed = self.listings.iter().rev().flat_map(|listing| &listing.failed);
        for failed in failed.filter(|failed| !known.iter().any(|key| hides(failed, key))) {
            let program = failed.program.as_ref().unwrap_or(&failed.suite);
            let name = failed.group.as_ref().unwrap_or(program);
            if !told.insert((failed.harness, &failed.suite, program, name)) {
                continue;
            }
            let same = |other: &&Failed| {
                (other.harness, &other.suite, &other.program, &other.group)
                    == (failed.harness, &failed.suite, &failed.program, &failed.group)
            };
            let of_side = |(side, listing): (usize, &SideListing)| {
                let fault = listing
                    .failed
                    .iter()
                    .find(same)
                    .map(|failed| failed.fault.clone());
                There::Missing(fault.unwrap_or_else(|| self.absent(side)))
            };
            all.push(Matched {
                harness: failed.harness,
                program: program.clone(),
                name: name.clone(),
                sides: self.listings.iter().enumerate().map(of_side).collect(),
                sources: vec![None; self.sides.len()],
            });
        }
        all
    }
}

/// Whether a benchmark is missing because this failed.
fn hides(failed: &Failed, key: &Key) -> bool {
    let within = |group: &String| is_in(&key.name, group);
    failed.harness == key.harness
        && failed.suite == key.suite
        && failed
            .program
            .as_ref()
            .is_none_or(|program| *program == key.program)
        && failed.group.as_ref().is_none_or(within)
}

/// Whether a benchmark is that of a group's name, or in the group.
fn is_in(name: &str, group: &str) -> bool {
    let rest = name.strip_prefix(group);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What the program of each benchmark is called: with its suite where several have one of this name.
fn labels(keys: &[Key]) -> BTreeMap<&Key, String> {
    let mut places: BTreeMap<&str, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for key in keys {
        places
            .entry(&key.program)
            .or_default()
            .insert((key.harness, &key.suite));
    }
    let label = |key: &Key| match places[key.program.as_str()].len() {
        1 => key.program.clone(),
        _ => format!("{}/{} ({})", key.suite, key.program, key.harness),
    };
    keys.iter().map(|key| (key, label(key))).collect()
}

/// Those whose names are asked for.
pub(super) fn chosen(all: Vec<Matched>, only: Option<&str>) -> std::result::Result<Vec<Matched>, BenchError> {
    let Some(text) = only else {
        return Ok(all);
    };
    let pattern = pattern(text)?;
    let (count, example) = (all.len(), all.first().map(|one| one.name.clone()));
    let chosen: Vec<Matched> = all
        .into_iter()
        .filter(|one| pattern.is_match(&one.name))
        .collect();
    if chosen.is_empty() {
        return Err(BenchError::NothingMatches {
            pattern: text.to_owned(),
            count,
            example: example.unwrap_or_default(),
        });
    }
    Ok(chosen)
}

/// The expression of a text.
pub(super) fn pattern(text: &str) -> std::result::Result<Regex, BenchError> {
    Regex::new(text).map_err(|error| BenchError::Pattern {
        text: text.to_owned(),
        why: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(suite: &str, program: &str, name: &str) -> Key {
        Key {
            harness: "go",
            suite: suite.to_owned(),
            program: program.to_owned(),
            name: name.to_owned(),
        }
    }

    fn failed(program: Option<&str>, group: Option<&str>) -> Failed {
        Failed {
            harness: "go",
            suite: "a".to_owned(),
            program: program.map(str::to_owned),
            group: group.map(str::to_owned),
            fault: Fault::new(FaultKind::Died, "alas"),
        }
    }

    #[test]
    fn what_failed_hides_what_is_in_it() {
        let key = key("a", "p", "BenchmarkX/n=1");
        for (program, group) in [(None, None), (Some("p"), None), (Some("p"), Some("BenchmarkX"))] {
            assert!(hides(&failed(program, group), &key), "{program:?} {group:?}");
        }
        for (program, group) in [
            (Some("q"), None),
            (Some("p"), Some("BenchmarkX/n=10")),
            (None, Some("Bench")),
        ] {
            assert!(!hides(&failed(program, group), &key), "{program:?} {group:?}");
        }
    }

    #[test]
    fn programs_of_one_name_have_their_suites_beside_it() {
        let keys = [
            key("a", "bench", "x"),
            key("b", "bench", "x"),
            key("b", "other", "x"),
        ];
        let labels = labels(&keys);
        assert_eq!(labels[&keys[0]], "a/bench (go)");
        assert_eq!(labels[&keys[2]], "other");
    }

    #[test]
    fn names_are_chosen_by_an_expression() {
        let matched = |name: &str| Matched {
            harness: "go",
            program: "p".to_owned(),
            name: name.to_owned(),
            sides: Vec::new(),
            sources: vec![Some("a".to_owned()), None],
        };
        let all = || vec![matched("Rank"), matched("Count/a"), matched("Sum")];
        let names = |only| -> Vec<String> {
            let chosen = chosen(all(), only).unwrap();
            chosen.into_iter().map(|one| one.name).collect()
        };
        assert_eq!(names(Some("Rank|Count")), ["Rank", "Count/a"]);
        assert_eq!(names(None).len(), 3);
        assert!(chosen(all(), Some("^nope$")).is_err_and(|error| error.to_string().contains("none of 3")));
        assert!(
            chosen(all(), Some("(")).is_err_and(|error| error.to_string().contains("regular expression"))
        );
        let mut one = matched("a");
        assert!(!one.rewritten());
        one.sources[1] = Some("b".to_owned());
        assert!(one.rewritten());
    }
}
