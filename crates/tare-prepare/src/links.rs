//! Where services listen that containers reach: an address for a run, and one of its own for each case that counts what its
//! services are asked.

use std::sync::Arc;

use tare_host::containers::HostAddress;
use tare_model::fault::Fault;

use crate::choose::ChosenCase;

/// An address where services listen that containers reach, or why there is none.
pub(crate) type Link = std::result::Result<Arc<HostAddress>, Fault>;

/// The addresses of a run.
#[derive(Default)]
pub(crate) struct Links {
    /// By the case that has it for itself; none: of all others.
    made: Vec<(Option<String>, Link)>,
}

impl Links {
    /// Addresses for those of these cases that have services and contenders in containers.
    pub(crate) fn of(chosen: &[ChosenCase]) -> Self {
        let mut links = Self::default();
        for one in chosen.iter().filter(|one| is_needed(one)) {
            let case = own(one);
            if links.find(case.as_deref()).is_none() {
                links.made.push((case, HostAddress::new().map(Arc::new)));
            }
        }
        links
    }

    /// Where the services of a case listen for containers; none if that is not needed. If no container of the case needs it
    /// but one of another does, services that run for both listen there.
    pub(crate) fn of_case(&self, chosen: &ChosenCase) -> Option<&Link> {
        self.find(own(chosen).as_deref())
    }

    fn find(&self, case: Option<&str>) -> Option<&Link> {
        let found = self.made.iter().find(|(known, _)| known.as_deref() == case);
        found.map(|(_, link)| link)
    }
}

/// The case that has services for itself: they may listen on ports that contenders expect, of which an address has each once.
pub(crate) fn own(chosen: &ChosenCase) -> Option<String> {
    chosen.case.counted.then(|| chosen.title())
}

fn is_needed(one: &ChosenCase) -> bool {
    let served = one.services.iter().any(|service| !service.run.is_empty());
    let contained = |one: &ChosenCase| {
        one.contenders
            .iter()
            .any(|contender| contender.container.is_some())
    };
    served && contained(one)
}
