//! The manifests of what was asked for, read.

use tare_model::ids::{ContenderId, Selector};
use tare_model::manifest::suite::{self, Part, Suite};
use tare_model::manifest::{Case, Contender, Lab, ManifestError, Service, Workload};

use crate::error::{PrepareError, Result};
use crate::request::{Choice, names};

/// A case that was asked for, with its contenders.
#[derive(Debug, Clone)]
pub struct ChosenCase {
    /// The workload.
    pub workload: Workload,
    /// The case.
    pub case: Case,
    /// The contenders that take part.
    pub contenders: Vec<Contender>,
    /// The services that all of them share.
    pub services: Vec<Service>,
    /// The web servers in front of some of them, each once.
    pub fronts: Vec<Service>,
}

impl ChosenCase {
    /// `workload/case`.
    pub(crate) fn title(&self) -> String {
        format!("{}/{}", self.workload.name, self.case.name)
    }

    /// The front of a contender: one, or none.
    pub fn front_of(&self, contender: &Contender) -> &[Service] {
        let named = |front: &&Service| contender.front.as_ref() == Some(&front.name);
        self.fronts.iter().find(named).map_or(&[], std::slice::from_ref)
    }

    /// Its services and fronts.
    pub fn all_services(&self) -> impl Iterator<Item = &Service> {
        self.services.iter().chain(&self.fronts)
    }
}

/// Reads the manifests of what was asked for: a suite where one is named, otherwise every case and contender. Checking,
/// setting up and explaining are about all of them.
///
/// # Errors
/// Anything that is wrong with any of them, before anything starts; a name that nothing has; nothing chosen.
pub fn choose(lab: &Lab, choice: &Choice) -> Result<Vec<ChosenCase>> {
    let mut wanted = Vec::new();
    for selector in selectors(lab, choice)? {
        let of = match (selector.case, &choice.suite) {
            (Some(case), _) => Wanted::Case(case),
            (None, Some(suite)) => Wanted::Suite(suite.clone()),
            (None, None) => Wanted::Everything,
        };
        wanted.push((lab.workload(&selector.workload)?, of));
    }
    gather(lab, choice, &wanted, choice.suite.is_none())
}

/// Reads the manifests of what an earlier run measured: parts of workloads, by name.
///
/// # Errors
/// As [`choose()`].
pub(crate) fn again(lab: &Lab, parts: &[(String, Part)]) -> Result<Vec<ChosenCase>> {
    let names = parts.iter().flat_map(|(_, part)| &part.contenders);
    let choice = Choice {
        only: names.cloned().collect(),
        ..Choice::default()
    };
    let mut wanted = Vec::new();
    for (workload, part) in parts {
        wanted.push((lab.workload(workload)?, Wanted::Part(part.clone())));
    }
    gather(lab, &choice, &wanted, false)
}

/// What is wanted of a workload.
pub(crate) enum Wanted {
    Everything,
    Case(String),
    Suite(String),
    Part(Part),
}

impl Wanted {
    fn parts(&self, workload: &Workload) -> Result<Vec<Part>> {
        Ok(match self {
            Self::Everything => suite_of(workload, suite::FULL)?.parts,
            Self::Suite(name) => suite_of(workload, name)?.parts,
            Self::Part(part) => vec![part.clone()],
            Self::Case(name) => vec![Part {
                cases: vec![name.clone()],
                ..Part::default()
            }],
        })
    }
}

/// The cases of what is wanted, with their contenders. `all`: also those that are not measured by default.
pub(crate) fn gather(
    lab: &Lab,
    choice: &Choice,
    wanted: &[(Workload, Wanted)],
    all: bool,
) -> Result<Vec<ChosenCase>> {
    let mut chosen: Vec<ChosenCase> = Vec::new();
    let mut known: Vec<ContenderId> = Vec::new();
    for (workload, wanted) in wanted {
        let contenders = contenders(lab, workload)?;
        known.extend(contenders.iter().map(|contender| contender.id.clone()));
        for part in wanted.parts(workload)? {
            let takes_part = |contender: &Contender| {
                let id = &contender.id;
                let by_default = all || contender.by_default || choice.names(id);
                choice.selects(id) && part.measures(id, by_default)
            };
            let mine: Vec<&Contender> = contenders.iter().filter(|one| takes_part(one)).collect();
            for name in &part.cases {
                let case = part.narrowed(case(workload, name)?);
                let in_case = mine.iter().copied();
                let in_case = in_case.filter(|contender| contender.cases.contains(name));
                let in_case: Vec<Contender> = in_case.cloned().collect();
                if !in_case.is_empty() {
                    chosen.push(with_services(lab, workload.clone(), case, in_case)?);
                }
            }
        }
    }
    refuse_unknown(choice, &known)?;
    refuse_others(choice, wanted, &chosen)?;
    if chosen.is_empty() {
        return Err(PrepareError::NothingChosen);
    }
    Ok(chosen)
}

/// Refuses names that no contender has.
fn refuse_unknown(choice: &Choice, known: &[ContenderId]) -> Result<()> {
    let mut asked = choice.only.iter().chain(&choice.except);
    match asked.find(|asked| !known.iter().any(|id| asked.means(id))) {
        None => Ok(()),
        Some(asked) => Err(PrepareError::UnknownContender {
            asked: asked.clone(),
            known: known.to_vec(),
        }),
    }
}

/// Refuses contenders that are to be measured, and that the suites do not have.
fn refuse_others(choice: &Choice, wanted: &[(Workload, Wanted)], chosen: &[ChosenCase]) -> Result<()> {
    let suites = wanted.iter().filter_map(|(workload, wanted)| match wanted {
        Wanted::Suite(name) => Some(format!("suite `{name}` of {}", workload.name)),
        _ => None,
    });
    let suites: Vec<String> = suites.collect();
    let takes_part = |asked: &ContenderId| {
        let mut all = chosen.iter().flat_map(|one| &one.contenders);
        all.any(|contender| asked.means(&contender.id))
    };
    let left_out = |asked: &&ContenderId| !takes_part(asked) && !names(&choice.except, asked);
    match choice.only.iter().find(left_out) {
        Some(asked) if !suites.is_empty() => Err(PrepareError::NotInSuite {
            asked: asked.clone(),
            suites,
        }),
        _ => Ok(()),
    }
}

/// A suite of a workload.
pub(crate) fn suite_of(workload: &Workload, name: &str) -> Result<Suite> {
    workload.suite(name).ok_or_else(|| PrepareError::UnknownSuite {
        workload: workload.name.clone(),
        suite: name.to_owned(),
        known: workload
            .all_suites()
            .into_iter()
            .map(|suite| suite.name)
            .collect(),
    })
}

/// A case with these contenders, and the manifests of what they need beside themselves.
pub(crate) fn with_services(
    lab: &Lab,
    workload: Workload,
    case: Case,
    contenders: Vec<Contender>,
) -> Result<ChosenCase> {
    let services = case.services.iter().map(|name| lab.service(name));
    let services = services.collect::<std::result::Result<_, ManifestError>>()?;
    let fronts = fronts(lab, &contenders)?;
    Ok(ChosenCase {
        workload,
        case,
        contenders,
        services,
        fronts,
    })
}

/// The web servers that contenders name, each once.
fn fronts(lab: &Lab, contenders: &[Contender]) -> Result<Vec<Service>> {
    let mut fronts: Vec<Service> = Vec::new();
    for contender in contenders {
        let front = lab.front(contender)?;
        let new = front.filter(|front| fronts.iter().all(|known| known.name != front.name));
        fronts.extend(new);
    }
    Ok(fronts)
}

/// All contenders of a workload, or everything that is wrong with any of them, each thing once.
fn contenders(lab: &Lab, workload: &Workload) -> Result<Vec<Contender>> {
    let mut good = Vec::new();
    // A problem of a language is reported by every contender in it: it counts once.
    let mut problems = Vec::new();
    for contender in lab.contenders(workload) {
        match contender {
            Ok(contender) => good.push(contender),
            Err(error) => {
                for problem in error.problems {
                    if !problems.contains(&problem) {
                        problems.push(problem);
                    }
                }
            }
        }
    }
    if problems.is_empty() {
        Ok(good)
    } else {
        Err(ManifestError { problems }.into())
    }
}

/// What was named, or every workload.
pub(crate) fn selectors(lab: &Lab, choice: &Choice) -> Result<Vec<Selector>> {
    let case = choice.workloads.iter().find(|selector| selector.case.is_some());
    if let (Some(suite), Some(case)) = (&choice.suite, case) {
        return Err(PrepareError::SuiteOfCase {
            suite: suite.clone(),
            case: case.clone(),
        });
    }
    if !choice.workloads.is_empty() {
        return Ok(choice.workloads.clone());
    }
    let names = lab.workloads()?;
    if names.is_empty() {
        return Err(PrepareError::NoWorkloads);
    }
    Ok(names.into_iter().map(Selector::whole).collect())
}

fn case<'w>(workload: &'w Workload, name: &str) -> Result<&'w Case> {
    workload.case(name).ok_or_else(|| PrepareError::UnknownCase {
        workload: workload.name.clone(),
        case: name.to_owned(),
        known: workload.cases.iter().map(|case| case.name.clone()).collect(),
    })
}
