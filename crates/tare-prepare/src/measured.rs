//! What a run measures: cases that were named, suites, or the lab's tour.

use std::collections::BTreeSet;
use std::time::Duration;

use tare_model::ids::{ContenderId, Selector};
use tare_model::manifest::{Lab, Machines, Workload, suite};
use tare_model::settings::SuiteOf;

use crate::choose::{ChosenCase, Wanted, gather, selectors, suite_of};
use crate::error::{PrepareError, Result};
use crate::naming::{self, NamingError};
use crate::request::{BUDGET, Choice};
use crate::tour::{self, Tour};

/// What a run measures.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// The cases, the most important first.
    pub cases: Vec<ChosenCase>,
    /// The suites that they are of; none of workloads of which cases were named.
    pub suites: Vec<SuiteOf>,
    /// The budget where none is given: that of the suites together, or ten minutes.
    pub budget: Duration,
    /// The machines that the suites take beside that of the contenders.
    pub machines: Machines,
    /// Where no workload was named: the tour that it is.
    pub tour: Option<Tour>,
}

impl Chosen {
    /// Refuses a gate on a name that is compared with nothing. `baseline`: what ratios are against in every case, where one
    /// was given.
    ///
    /// # Errors
    /// It is none of the contenders, whose names follow, or the baseline of every case that it takes part in.
    pub fn refuse_uncompared(&self, name: &ContenderId, baseline: Option<&ContenderId>) -> Result<()> {
        let compared = |case: &ChosenCase| {
            let ids: Vec<ContenderId> = case.contenders.iter().map(|one| one.id.clone()).collect();
            naming::compared(name, &ids, Some(baseline.unwrap_or(&case.case.baseline)))
        };
        let mut wrong = None;
        let mut known: BTreeSet<String> = BTreeSet::new();
        for case in &self.cases {
            match compared(case) {
                Ok(()) => return Ok(()),
                Err(NamingError::Unknown { known: here, .. }) => known.extend(here),
                Err(other) => wrong = Some(other),
            }
        }
        let unknown = || NamingError::Unknown {
            asked: name.clone(),
            known: known.into_iter().collect(),
        };
        Err(wrong.unwrap_or_else(unknown).into())
    }
}

/// Reads the manifests of what a run measures: of a workload the suite that is named, or `default`; of a case all
/// contenders that are measured by default. `budget`: the budget that was given.
///
/// # Errors
/// As [`choose`](crate::choose()); also where nothing is left of what is measured by default.
pub fn measured(lab: &Lab, choice: &Choice, budget: Option<Duration>) -> Result<Chosen> {
    let name = choice.suite.as_deref().unwrap_or(suite::DEFAULT);
    let tour = if choice.workloads.is_empty() {
        tour::of(lab, name, budget)?
    } else {
        None
    };
    let selectors = match &tour {
        Some(tour) => tour.selectors(),
        None => selectors(lab, choice)?,
    };
    let (mut wanted, mut suites, mut budgets) = (Vec::new(), Vec::new(), Vec::new());
    let mut machines = Machines::default();
    for Selector { workload, case } in selectors {
        let workload = lab.workload(&workload)?;
        let of = match case {
            Some(case) => Wanted::Case(case),
            None => {
                let suite = suite_of(&workload, name)?;
                budgets.extend(suite.budget);
                machines = machines.together(suite.machines.unwrap_or_default());
                suites.push(SuiteOf {
                    workload: workload.name.clone(),
                    suite: name.to_owned(),
                });
                Wanted::Suite(name.to_owned())
            }
        };
        wanted.push((workload, of));
    }
    Ok(Chosen {
        cases: by_default(lab, choice, &wanted)?,
        suites,
        machines,
        budget: tour
            .as_ref()
            .map_or_else(|| together(budgets), |tour| tour.budget),
        tour,
    })
}

/// The budget of suites where none is given.
///
/// # Errors
/// One of their manifests is wrong, or no longer has the suite.
pub(crate) fn budget(lab: &Lab, suites: &[SuiteOf]) -> Result<Duration> {
    let mut budgets = Vec::new();
    for one in suites {
        budgets.extend(suite_of(&lab.workload(&one.workload)?, &one.suite)?.budget);
    }
    Ok(together(budgets))
}

fn together(budgets: Vec<Duration>) -> Duration {
    let all: Duration = budgets.iter().sum();
    if all.is_zero() { BUDGET } else { all }
}

/// The cases of what is wanted, with the contenders that are measured by default or named.
fn by_default(lab: &Lab, choice: &Choice, wanted: &[(Workload, Wanted)]) -> Result<Vec<ChosenCase>> {
    match gather(lab, choice, wanted, false) {
        Err(PrepareError::NothingChosen) => {
            gather(lab, choice, wanted, true)?;
            Err(PrepareError::NothingByDefault)
        }
        other => other,
    }
}
