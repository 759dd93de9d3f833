//! A tour must not begin with hours of builds: the first workload is built, the others take part as far as they are built.

use tare_host::machine;
use tare_model::ids::ContenderId;
use tare_model::manifest::Style;

use crate::choose::ChosenCase;
use crate::error::{PrepareError, Result};
use crate::measured::Chosen;
use crate::placement::placement;
use crate::progress::Event;
use crate::ready::Preparation;
use crate::request::Request;

impl Preparation<'_> {
    /// Leaves out of a tour what is not built, except of its first workload; anything else stays as it is.
    ///
    /// # Errors
    /// A manifest is wrong, or the request names cores that there are not.
    pub fn as_built(&self, mut chosen: Chosen, request: &Request) -> Result<Chosen> {
        let Some(tour) = &chosen.tour else {
            return Ok(chosen);
        };
        self.progress.event(&Event::Tour { tour });
        for stop in tour.stops.iter().skip(1) {
            let name = stop.workload.as_str();
            let missing = self.not_built(&chosen.cases, name, request)?;
            if missing.is_empty() {
                continue;
            }
            chosen
                .cases
                .retain_mut(|one| one.workload.name != name || one.keeps(&missing));
            let all = chosen.cases.iter().all(|one| one.workload.name != name);
            if all {
                chosen.suites.retain(|suite| suite.workload != name);
            }
            self.progress.event(&Event::NotBuilt {
                workload: name,
                contenders: &missing,
                all,
            });
        }
        if chosen.cases.is_empty() {
            return Err(PrepareError::NothingChosen);
        }
        Ok(chosen)
    }

    /// The contenders of a workload's cases that are not built, each once.
    fn not_built(&self, cases: &[ChosenCase], workload: &str, request: &Request) -> Result<Vec<ContenderId>> {
        let (mut builder, cores) = (self.builder(), machine::cores());
        let mut missing: Vec<ContenderId> = Vec::new();
        for one in cases.iter().filter(|one| one.workload.name == workload) {
            let placement = placement(one.case.placement, &cores, request)?;
            for contender in &one.contenders {
                let known = missing.contains(&contender.id);
                if !known && !builder.is_built(contender, one, &placement)? {
                    missing.push(contender.id.clone());
                }
            }
        }
        Ok(missing)
    }
}

impl ChosenCase {
    /// Leaves contenders out; whether there is still something to compare: the baseline is not among them, and two are
    /// left besides floors.
    fn keeps(&mut self, missing: &[ContenderId]) -> bool {
        self.contenders
            .retain(|contender| !missing.contains(&contender.id));
        let floors = self.contenders.iter().filter(|one| one.style == Style::Floor);
        let rivals = self.contenders.len() - floors.count();
        rivals >= 2 && !missing.contains(&self.case.baseline)
    }
}
