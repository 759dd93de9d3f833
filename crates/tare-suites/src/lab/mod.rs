//! Implementations as contenders of a lab: manifests as text, and what of a checkout is copied beside them. A folder stays as it
//! is; what is written here is what tare would have to be told of it.

mod arena;
mod case;
mod contender;
mod service;
mod tfb;

use std::collections::HashSet;
use std::path::PathBuf;

use tare_model::ids::{ContenderId, plain_name};

use crate::{Checkout, Database, Implementation, Suite, Test};

/// The most contenders of one lab: all of them have to be copied, built and held in memory.
const MOST: usize = 200;

/// The longest part of an implementation's name in a contender's.
const LONGEST_NAME: usize = 48;

/// A folder of a suite that was asked for.
#[derive(Debug, Clone)]
pub struct Source {
    /// What was found in it.
    pub checkout: Checkout,
    /// The revision that was asked for, as a person names it; none: the files as they are.
    pub revision: Option<String>,
    /// The same as its repository describes it.
    pub described: Option<String>,
}

/// A lab's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabFiles {
    /// The name of its workload.
    pub workload: &'static str,
    /// Texts, by their paths in the lab.
    pub files: Vec<(String, String)>,
    /// What is copied into it.
    pub copies: Vec<Copied>,
    /// Implementations that are in no case, and why.
    pub left_out: Vec<(String, String)>,
}

/// A file or folder that is copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    /// Where it is.
    pub from: PathBuf,
    /// Its path in the lab.
    pub to: String,
}

/// Why there is no lab of what was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LabError {
    /// Folders of both suites.
    #[error("folders of two suites: their tests are not the same")]
    TwoSuites,
    /// Checkouts whose scripts say different things.
    #[error("two checkouts whose profiles are not the same")]
    OtherProfiles,
    /// A test that no implementation lists.
    #[error("none of these folders has a test `{asked}`")]
    UnknownTest {
        /// The name.
        asked: String,
        /// Those that they have.
        known: Vec<String>,
    },
    /// Nothing can run.
    #[error("nothing of what was asked for can run here: {}", why.join("; "))]
    Nothing {
        /// Why not, by implementation.
        why: Vec<String>,
    },
    /// More contenders than can be held.
    #[error("{count} implementations at once, of which a lab takes {MOST}")]
    TooMany {
        /// How many were asked for.
        count: usize,
    },
}

/// An implementation that takes part, and under which name.
struct Entrant<'s> {
    id: String,
    source: &'s Source,
    one: &'s Implementation,
    /// Its tests that were asked for and can run.
    tests: Vec<&'s Test>,
}

/// The lab of the implementations in these folders, with the cases that their tests are. `tests`: only these; empty: all.
/// `selects`: whether a contender is to take part.
///
/// # Errors
/// Nothing of it can run, or it does not fit together.
pub fn lab(
    sources: &[Source],
    tests: &[String],
    selects: impl Fn(&ContenderId) -> bool,
) -> Result<LabFiles, LabError> {
    let suite = suite_of(sources)?;
    let mut left_out = Vec::new();
    let entrants = entrants(sources, tests, selects, &mut left_out)?;
    let cases = match suite {
        Suite::FrameworkBenchmarks => tfb::cases(&entrants),
        Suite::HttpArena => arena::cases(&sources[0].checkout.profiles, &entrants),
    };
    let workload = match suite {
        Suite::FrameworkBenchmarks => "tfb",
        Suite::HttpArena => "httparena",
    };
    let mut files = vec![(
        format!("workloads/{workload}/workload.toml"),
        case::workload(suite, &cases),
    )];
    let mut copies = Vec::new();
    for entrant in &entrants {
        let folder = format!("workloads/{workload}/contenders/{}", entrant.id);
        let (text, copied) = contender::manifest(&folder, entrant, &cases);
        files.push((format!("{folder}/contender.toml"), text));
        copies.extend(copied);
    }
    if cases.iter().any(|case| case.served) {
        files.extend(service::files());
    }
    Ok(LabFiles {
        workload,
        files,
        copies,
        left_out,
    })
}

fn suite_of(sources: &[Source]) -> Result<Suite, LabError> {
    let first = sources.first().ok_or(LabError::Nothing { why: Vec::new() })?;
    let first = &first.checkout;
    for other in sources.iter().map(|source| &source.checkout) {
        if other.suite != first.suite {
            return Err(LabError::TwoSuites);
        }
        if other.profiles != first.profiles {
            return Err(LabError::OtherProfiles);
        }
    }
    Ok(first.suite)
}

fn entrants<'s>(
    sources: &'s [Source],
    tests: &[String],
    selects: impl Fn(&ContenderId) -> bool,
    left_out: &mut Vec<(String, String)>,
) -> Result<Vec<Entrant<'s>>, LabError> {
    let (mut entrants, mut taken) = (Vec::new(), HashSet::new());
    let (mut known, mut others): (Vec<String>, Vec<String>) = Default::default();
    for source in sources {
        for one in &source.checkout.implementations {
            known.extend(one.tests.iter().map(|test| test.name.clone()));
            let id = id(one, source, &mut taken);
            if !selects(&ContenderId::plain(&id)) {
                others.push(id);
                continue;
            }
            let asked = |test: &&Test| tests.is_empty() || tests.contains(&test.name);
            let mine: Vec<&Test> = one.runnable().filter(asked).collect();
            if mine.is_empty() {
                left_out.push((id, why_not(one, tests)));
                continue;
            }
            entrants.push(Entrant {
                id,
                source,
                one,
                tests: mine,
            });
        }
    }
    known.sort();
    known.dedup();
    if let Some(asked) = tests.iter().find(|test| !known.contains(test)) {
        let asked = asked.clone();
        return Err(LabError::UnknownTest { asked, known });
    }
    match entrants.len() {
        0 => Err(LabError::Nothing {
            why: none(left_out, &others),
        }),
        count if count > MOST => Err(LabError::TooMany { count }),
        _ => Ok(entrants),
    }
}

/// Why nothing can run: of each that was chosen, or what else could be.
fn none(left_out: &[(String, String)], others: &[String]) -> Vec<String> {
    match (left_out, others) {
        ([], []) => vec!["there is no implementation".to_owned()],
        ([], others) => vec![format!("no name fits, there are {}", others.join(", "))],
        (left_out, _) => left_out.iter().map(|(id, why)| format!("{id}: {why}")).collect(),
    }
}

/// Why none of an implementation's tests that were asked for can run.
fn why_not(one: &Implementation, tests: &[String]) -> String {
    let general = one.obstacles.iter().map(ToString::to_string);
    let asked = one.tests.iter().filter(|test| tests.contains(&test.name));
    let special = asked.filter_map(|test| test.obstacle.as_ref().map(ToString::to_string));
    let mut all: Vec<String> = general.chain(special).collect();
    if all.is_empty() && !tests.is_empty() {
        all.push(format!("it has no test {}", tests.join(", ")));
    }
    if all.is_empty() {
        all = one.why_not().iter().map(ToString::to_string).collect();
        all.dedup();
    }
    all.join("; ")
}

/// Its name as a contender's: no two have the same, and one at a revision says which.
fn id(one: &Implementation, source: &Source, taken: &mut HashSet<String>) -> String {
    let short = |text: &str| -> String {
        let short: String = plain_name(text).chars().take(LONGEST_NAME).collect();
        short.trim_end_matches('-').to_owned()
    };
    let name = match &source.revision {
        Some(revision) => short(&format!("{}-{revision}", short(&one.name))),
        None => short(&one.name),
    };
    let mut id = name.clone();
    let mut number = 2;
    while !taken.insert(id.clone()) {
        id = format!("{name}-{number}");
        number += 1;
    }
    id
}

impl Entrant<'_> {
    /// The test of this name, if it takes part in it.
    fn test(&self, name: &str) -> Option<&Test> {
        self.tests.iter().copied().find(|test| test.name == name)
    }

    /// Whether it needs PostgreSQL in a test.
    fn is_served(&self, name: &str) -> bool {
        self.test(name)
            .is_some_and(|test| test.needs.contains(&Database::Postgres))
    }
}

/// The contenders of a case, by name.
fn of_case<'e>(entrants: &'e [Entrant<'_>], name: &str) -> Vec<&'e Entrant<'e>> {
    entrants.iter().filter(|one| one.test(name).is_some()).collect()
}

#[cfg(test)]
mod tests;
