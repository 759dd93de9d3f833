//! The manifests of what was asked for, read.

use tare_model::ids::{ContenderId, Selector};
use tare_model::manifest::{Case, Contender, Lab, ManifestError, Service, Workload};

use crate::error::{PrepareError, Result};
use crate::request::{Choice, means};

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

/// Reads the manifests of what was asked for.
///
/// # Errors
/// Anything that is wrong with any of them, before anything starts; a name that nothing has; nothing chosen.
pub fn choose(lab: &Lab, choice: &Choice) -> Result<Vec<ChosenCase>> {
    let mut chosen = Vec::new();
    let mut known: Vec<ContenderId> = Vec::new();
    for selector in selectors(lab, &choice.workloads)? {
        let workload = lab.workload(&selector.workload)?;
        let all = contenders(lab, &workload)?;
        known.extend(all.iter().map(|contender| contender.id.clone()));
        for case in cases(&workload, &selector)? {
            let takes_part = |contender: &&Contender| {
                contender.cases.contains(&case.name) && choice.selects(&contender.id)
            };
            let contenders: Vec<Contender> = all.iter().filter(takes_part).cloned().collect();
            if !contenders.is_empty() {
                chosen.push(with_services(lab, workload.clone(), case, contenders)?);
            }
        }
    }
    for asked in choice.only.iter().chain(&choice.except) {
        if !known.iter().any(|id| means(asked, id)) {
            return Err(PrepareError::UnknownContender {
                asked: asked.clone(),
                known,
            });
        }
    }
    if chosen.is_empty() {
        return Err(PrepareError::NothingChosen);
    }
    Ok(chosen)
}

/// Leaves out contenders that are not measured unless they are named. Only measuring does: checking, setting up and
/// explaining are about all contenders.
///
/// # Errors
/// Nothing is left.
pub fn by_default(mut chosen: Vec<ChosenCase>, choice: &Choice) -> Result<Vec<ChosenCase>> {
    for one in &mut chosen {
        one.contenders
            .retain(|contender| contender.by_default || choice.names(&contender.id));
    }
    chosen.retain(|one| !one.contenders.is_empty());
    if chosen.is_empty() {
        return Err(PrepareError::NothingByDefault);
    }
    Ok(chosen)
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

fn selectors(lab: &Lab, asked: &[Selector]) -> Result<Vec<Selector>> {
    if !asked.is_empty() {
        return Ok(asked.to_vec());
    }
    let names = lab.workloads()?;
    if names.is_empty() {
        return Err(PrepareError::NoWorkloads);
    }
    Ok(names
        .into_iter()
        .map(|workload| Selector { workload, case: None })
        .collect())
}

fn cases(workload: &Workload, selector: &Selector) -> Result<Vec<Case>> {
    let Some(name) = &selector.case else {
        return Ok(workload.cases.clone());
    };
    match workload.case(name) {
        Some(case) => Ok(vec![case.clone()]),
        None => Err(PrepareError::UnknownCase {
            workload: workload.name.clone(),
            case: name.clone(),
            known: workload.cases.iter().map(|case| case.name.clone()).collect(),
        }),
    }
}
