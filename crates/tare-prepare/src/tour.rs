//! The tour: what `tare run` measures where no workload is named. Workloads of the lab say their places in it.

use std::time::Duration;

use tare_model::ids::Selector;
use tare_model::manifest::suite::Suite;
use tare_model::manifest::{Lab, Workload};

use crate::choose::suite_of;
use crate::error::Result;
use crate::request::BUDGET;

/// Workloads one after the other, as far as the budget reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tour {
    /// The workloads that are measured, in order.
    pub stops: Vec<Stop>,
    /// Those that the budget does not reach.
    pub beyond: Vec<String>,
    /// The budget: the one that was given, or that of the first workload's suite.
    pub budget: Duration,
    /// The budget that reaches all of them.
    pub whole: Duration,
}

/// One workload of a tour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// Its name.
    pub workload: String,
    /// One line on the suite that is measured.
    pub summary: String,
}

impl Tour {
    /// Its workloads, as if they had been named.
    pub(crate) fn selectors(&self) -> Vec<Selector> {
        let names = self.stops.iter().map(|stop| stop.workload.clone());
        names.map(Selector::whole).collect()
    }
}

/// The tour of a lab by a suite; none where no workload has a place in one. `budget`: the one that was given.
///
/// # Errors
/// A manifest is wrong, or no workload of the tour has the suite.
pub(crate) fn of(lab: &Lab, suite: &str, budget: Option<Duration>) -> Result<Option<Tour>> {
    let names = lab.workloads()?;
    let all = names.iter().map(|name| lab.workload(name));
    let mut all = all.collect::<std::result::Result<Vec<Workload>, _>>()?;
    if all.iter().all(|workload| workload.tour.is_none()) {
        return Ok(None);
    }
    // Those without a place come last, by their names.
    all.sort_by_key(|workload| workload.tour.unwrap_or(u32::MAX));
    let first = suite_of(&all[0], suite);
    all.retain(|workload| workload.suite(suite).is_some());
    if all.is_empty() {
        first?;
    }
    let suites = all.iter().map(|workload| suite_of(workload, suite));
    let suites = suites.collect::<Result<Vec<Suite>>>()?;
    let own = |suite: &Suite| suite.budget.unwrap_or_default();
    let first = suites.first().and_then(|suite| suite.budget);
    let limit = budget.or(first).unwrap_or(BUDGET);
    let reach = reach(&suites.iter().map(own).collect::<Vec<Duration>>(), limit);
    let stops = all.iter().zip(&suites).map(|(workload, suite)| Stop {
        workload: workload.name.clone(),
        summary: suite.summary.clone(),
    });
    let mut stops: Vec<Stop> = stops.collect();
    let beyond = stops.split_off(reach);
    Ok(Some(Tour {
        stops,
        beyond: beyond.into_iter().map(|stop| stop.workload).collect(),
        budget: limit,
        whole: suites.iter().map(own).sum(),
    }))
}

/// How many workloads a budget reaches: each that begins before it is spent, if those before take all of theirs. At least
/// the first.
fn reach(budgets: &[Duration], limit: Duration) -> usize {
    let before = budgets.iter().scan(Duration::ZERO, |spent, own| {
        let before = *spent;
        *spent += *own;
        Some(before)
    });
    before.take_while(|before| *before < limit).count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_reaches_as_far_as_the_budgets_before_leave_something() {
        let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
        let budgets = [minutes(10), minutes(10), minutes(0), minutes(15)];
        for (limit, reached) in [(1, 1), (10, 1), (11, 2), (20, 2), (21, 4), (600, 4)] {
            assert_eq!(reach(&budgets, minutes(limit)), reached, "{limit} minutes");
        }
        assert_eq!(reach(&budgets, Duration::ZERO), 1);
    }
}
